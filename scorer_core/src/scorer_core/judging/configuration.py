"""The configuration: what `scorer.toml` holds, or the table `[tool.scorer]` of `pyproject.toml`.

The nearest file counts, from the current folder upwards, and it alone; of the two in one folder `scorer.toml`. A
`pyproject.toml` without that table is passed over.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from ..contract.errors import UsageError
from ..support.scrub import scrubbed

FILES = {"scorer.toml": (), "pyproject.toml": ("tool", "scorer")}  # and where they hold the configuration
Keys = tuple[str, ...]  # that lead to a value


@frozen
class Configuration:
    """A table of the nearest file.

    Args:
        file: The file's path; None where there is none.
        keys: Those that lead to the table; none where it is the whole file.
        table: The table.
    """

    file: Path | None = None
    keys: Keys = ()
    table: Mapping[str, Any] = {}

    def under(self, *keys: str) -> Configuration:
        """The table that `keys` lead to from this one, empty where there is none.

        Raises:
            UsageError: there is something else.
        """
        found: Any = self.table
        for depth, key in enumerate(keys, 1):
            found = found.get(key, {})
            if not isinstance(found, dict):
                path = ".".join((*self.keys, *keys[:depth]))
                raise UsageError(f"{self.file}: {path}: expected a table, got {scrubbed(repr(found))}")
        return Configuration(self.file, (*self.keys, *keys), found)


def configuration() -> Configuration:
    """All of the nearest file that is ours, from the current folder upwards.

    Raises:
        UsageError: it can't be read, or holds something else where our table would be.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        for file, keys in FILES.items():
            if os.path.isfile(folder / file) and _is_ours((found := _read(folder / file)).table, keys):
                return found.under(*keys)
    return Configuration()


def _is_ours(table: Any, keys: Keys) -> bool:
    """Whether a file holds something where our table would be."""
    for key in keys:
        if not isinstance(table, dict):
            break
        if key not in table:
            return False
        table = table[key]
    return True


def _read(file: Path) -> Configuration:
    try:
        return Configuration(file, (), tomllib.loads(file.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError) as e:
        raise UsageError(f"{file} can't be read: {e}") from e
