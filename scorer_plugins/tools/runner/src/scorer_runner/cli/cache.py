"""`scorer cache`: what a file of kept replies holds."""

from __future__ import annotations

from typing import Annotated

import typer


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A cache, as made by scorer run --cache FILE.")],
    clear: Annotated[bool, typer.Option("--clear", help="Take all replies out.")] = False,
) -> None:
    """Show how many replies of judges a cache holds, or empty it."""
    from ..cache import SqliteCache, told

    cache = SqliteCache(file, there=True)
    try:
        typer.echo(f"{file}: {told(cache.held())}{'; all taken out' if clear else ''}")
        if clear:
            cache.clear()
    finally:
        cache.close()
