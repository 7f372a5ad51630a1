"""The files of a new package, made whole before the first is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Literal

from scorer_core import UsageError
from scorer_core.support.versions import version_of

from .naming import checked_id

Kind = Literal["judge", "code", "pack"]
PREFIX: Mapping[Kind, str] = {"judge": "scorer", "code": "scorer", "pack": "scorer_prompts"}


def new_package(id: str, kind: Kind, within: Path) -> Mapping[Path, str]:
    """The paths and texts of the package that `id` begins with, in a folder named as its distribution.

    Raises:
        UsageError: the id can't be taken, or the folder is there.
    """
    package = f"{PREFIX[kind]}_{checked_id(id, pack=kind == 'pack')}"
    folder = within / package.replace("_", "-")
    if folder.exists():
        raise UsageError(f"{folder} is there already, and nothing of it is written over; take another id, or --into")
    words = {
        "id": id,
        "package": package,
        "dist": folder.name,
        "title": id.replace("_", " ").capitalize(),
        "check": "" if kind == "code" else f"      - run: scorer prompts check {id}\n",
        "core": compatible(version_of("scorer_core")),
        "runner": compatible(version_of("scorer_runner")),
        "faithfulness": compatible(version_of("scorer_faithfulness")),
    }
    skeletons = files(__package__) / "skeletons"
    return {
        folder / _named(name, words): Template(text).substitute(words)
        for part in ("both", kind)
        for name, text in _files(skeletons / part)
    }


def write(made: Mapping[Path, str]) -> None:
    """Write files that are not there yet.

    Raises:
        UsageError: the folder can't be written to.
    """
    try:
        for path, text in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as e:
        raise UsageError(f"{e.filename} can't be written: {e.strerror}; choose another folder with --into") from e


def compatible(version: str) -> str:
    """The versions that keep the contract of this one: `>=1.4,<2`, and `>=0.1,<0.2` before the first major one."""
    major, minor = (*(int(n) for n in version.split(".")[:2]), 0)[:2]
    return f">={major}.{minor},<{major + 1}" if major else f">=0.{minor},<0.{minor + 1}"


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")
        else:
            yield above + entry.name.removesuffix(".txt"), entry.read_text(encoding="utf-8")


def _named(name: str, words: Mapping[str, str]) -> str:
    return name.replace("PACKAGE", words["package"]).replace("ID", words["id"])
