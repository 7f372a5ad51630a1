"""The command `scorer`, and `python -m scorer_runner` for where it is not on the path."""

from __future__ import annotations

import sys


def start() -> int:
    """The exit code of the command line; that of an interrupted run also where it is still being loaded."""
    try:
        from .cli import main
    except KeyboardInterrupt:
        sys.stderr.write("scorer: interrupted\n")
        return 130
    return main()


if __name__ == "__main__":
    sys.exit(start())
