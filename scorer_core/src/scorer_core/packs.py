"""Packs: the folders that templates come from.

A template is looked up in the packs in the order given, then in the plugin's own folder, which a name that begins
with `default/` always means.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import field, frozen
from jinja2 import BaseLoader, Environment, TemplateNotFound

from .errors import UsageError
from .plugins import PROMPTS, load


@frozen
class Pack:
    """A named folder of templates."""

    name: str
    folder: Traversable

    def source(self, name: str) -> str | None:
        """The text of one template, without a byte-order mark and with plain line ends; None if the pack has it not.

        Raises:
            UsageError: the file is not UTF-8, can't be read, or lies outside the pack's folder.
        """
        file = self.folder.joinpath(*PurePosixPath(name).parts)
        if not file.is_file():
            return None
        if isinstance(file, Path) and not file.resolve().is_relative_to(Path(str(self.folder)).resolve()):
            raise UsageError(
                f"template {name} of pack {self.name} is a link that leads out of the pack; put the file there"
            )
        try:
            return "\n".join(re.split("\r\n?", file.read_bytes().decode("utf-8-sig")))
        except UnicodeDecodeError as e:
            line = e.object.count(b"\n", 0, e.start) + 1
            wrong = f"byte {e.object[e.start]:#04x} in line {line}"
            raise UsageError(f"template {name} of pack {self.name} is not UTF-8 ({wrong}); save it as UTF-8") from e
        except OSError as e:
            raise UsageError(f"template {name} of pack {self.name} can't be read: {e.strerror}") from e


def find_pack(name: str | Path) -> Pack:
    """The pack of a folder, or the installed pack of that name.

    Raises:
        UsageError: there is neither.
    """
    if Path(name).is_dir():
        return Pack(str(name), Path(name))
    if isinstance(name, Path) or "/" in name or "\\" in name:
        raise UsageError(f"no folder {str(name)!r} with templates")
    try:
        return Pack(name, files(load(PROMPTS, name)))
    except UsageError as e:
        raise UsageError(f"no folder {name!r} with templates, and {e}") from e


@frozen(eq=False)
class Finder(BaseLoader):
    """Where templates are found: the packs, then the plugins' own folders."""

    packs: tuple[Pack, ...]
    homes: dict[str, Traversable] = field(factory=dict)

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        pack, source = self.find(template)
        return source, f"{pack}:{template}", lambda: True

    def find(self, name: str) -> tuple[str, str]:
        """The pack that wins for a template, and its source."""
        if "\\" in name or any(part in ("", ".", "..") for part in name.split("/")):
            raise TemplateNotFound(name, f"template name {name!r} leaves the template folders")
        packs = () if name.startswith("default/") else self.packs
        for pack in packs:
            if (source := pack.source(name)) is not None:
                return pack.name, source
        folder, _, file = name.removeprefix("default/").partition("/")
        own = Pack("default", self.homes[folder]).source(file) if folder in self.homes and file else None
        if own is None:
            looked = ", ".join([*(p.name for p in packs), "the plugin's own"])
            raise TemplateNotFound(name, f"no template {name!r}; looked in: {looked}")
        return "default", own


def all_packs(given: Any) -> tuple[Pack, ...]:
    """The packs that are given as one or several packs, folders or names."""
    many = [given] if isinstance(given, (str, Path, Pack)) else given
    return tuple(p if isinstance(p, Pack) else find_pack(p) for p in many)
