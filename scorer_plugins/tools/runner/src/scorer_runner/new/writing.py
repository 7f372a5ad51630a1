"""The files of a new package, made whole before the first is written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Literal

from scorer_core import UsageError
from scorer_core.plugins import load_scorer
from scorer_core.support.versions import version_of

from .naming import checked_id

Kind = Literal["judge", "code", "pack"]


def home(id: str, kind: Kind, within: Path) -> Path:
    """The folder of a new package, named as its distribution.

    Raises:
        UsageError: the id can't be taken, or the folder is there.
    """
    name = _package(id, kind).replace("_", "-")
    checked_id(id, name, pack=kind == "pack")
    if os.path.lexists(folder := within / name):
        raise UsageError(f"{folder} is there already, and nothing of it is written over; take another id, or --into")
    return folder


def new_package(id: str, kind: Kind) -> Mapping[str, str]:
    """The files of the package that `id` begins with: paths in its folder, and texts.

    Raises:
        UsageError: it is a pack, and the scorer that it is made for is not installed.
    """
    if kind == "pack":
        load_scorer("faithfulness")
    package = _package(id, kind)
    words = {
        "id": id,
        "package": package,
        "dist": package.replace("_", "-"),
        "title": id.replace("_", " ").capitalize(),
        "check": "" if kind == "code" else f"      - run: scorer prompts check {id}\n",
        "core": compatible(version_of("scorer_core")),
        "runner": compatible(version_of("scorer_runner")),
        "faithfulness": compatible(version_of("scorer_faithfulness")),
    }
    skeletons = files(__package__) / "skeletons"
    return {
        name.replace("PACKAGE", package).replace("ID", id): Template(text).substitute(words)
        for part in ("both", kind)
        for name, text in _files(skeletons / part)
    }


def write(folder: Path, made: Mapping[str, str]) -> None:
    """Write the files of a folder that is not there yet: all, or none.

    Raises:
        UsageError: the folder can't be written.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".new-", dir=folder.parent, ignore_cleanup_errors=True) as beside:
            for name, text in made.items():
                file = Path(beside, folder.name, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="\n")
            Path(beside, folder.name).rename(folder)
    except OSError as e:
        raise UsageError(f"{folder} can't be written: {e.strerror}; choose another folder with --into") from e


def compatible(version: str) -> str:
    """The versions that keep the contract of this one: `>=1.4,<2`, and `>=0.1,<0.2` before the first major one."""
    major, minor = (*(int(n) for n in re.findall(r"\d+", version)[:2]), 0)[:2]
    return f">={major}.{minor},<{major + 1}" if major else f">=0.{minor},<0.{minor + 1}"


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")
        else:
            yield above + entry.name.removesuffix(".txt"), entry.read_text(encoding="utf-8")


def _package(id: str, kind: Kind) -> str:
    return f"scorer_prompts_{id}" if kind == "pack" else f"scorer_{id}"
