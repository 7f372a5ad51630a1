"""`scorer new`: a package to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from scorer_core import UsageError


def command(
    id: Annotated[str, typer.Argument(metavar="ID", help="What is measured, in snake_case; of a pack, its name.")],
    code: Annotated[bool, typer.Option("--code", help="A scorer that computes, and asks no judge.")] = False,
    pack: Annotated[bool, typer.Option("--pack", help="A pack of templates for scorers that are there.")] = False,
    into: Annotated[str, typer.Option(metavar="FOLDER", help="Where its folder is put.")] = ".",
) -> None:
    """Write a package of your own: a scorer with its templates and tests, ready to install.

    It passes its own tests as it is written; then change what it measures.
    """
    from ..new.writing import home, new_package, write

    if code and pack:
        raise UsageError("--code and --pack are two kinds of packages; choose one")
    kind: Literal["code", "pack", "judge"] = "code" if code else "pack" if pack else "judge"
    folder = home(id, kind, Path(into))
    made = new_package(id, kind)
    write(folder, made)
    for name in made:
        typer.echo(folder / name)
    typer.echo(f"\nnext: cd {folder} && pip install -e . --group test && pytest", err=True)
