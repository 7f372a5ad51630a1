"""Packs: the folders that templates come from.

A template is looked up in the packs in the order given, then in the plugin's own folder, which a name that begins
with `default/` always means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import field, frozen
from jinja2 import BaseLoader, Environment, TemplateNotFound

from ..contract.errors import UsageError
from ..contract.spec import ScorerSpec
from ..plugins import PROMPTS, load
from .manifest import FILE, Manifest, manifest_of

DEEPEST = 5  # folders in folders


@frozen
class Pack:
    """A named folder of templates."""

    name: str
    folder: Traversable

    @cached_property
    def manifest(self) -> Manifest:
        """What its `pack.toml` says; nothing where it has none.

        Raises:
            UsageError: the file is not as it should be.
        """
        told = self.source(FILE)
        return Manifest() if told is None else manifest_of(told, f"{FILE} of pack {self.name}")

    def names(self) -> Iterator[str]:
        """The names of its files, as they are looked up, in order; hidden ones are left out."""
        yield from _names(self.folder)

    def file(self, name: str) -> Traversable:
        """Where a file lies, or would."""
        return self.folder.joinpath(*PurePosixPath(name).parts)

    def source(self, name: str) -> str | None:
        """The text of a file, without a byte-order mark and with plain line ends; None if the pack does not have it.

        Raises:
            UsageError: the file is not UTF-8, can't be read, or lies outside the pack's folder.
        """
        file = self.file(name)
        if not file.is_file():
            return None
        if isinstance(file, Path) and not file.resolve().is_relative_to(Path(str(self.folder)).resolve()):
            raise UsageError(f"{name} of pack {self.name} is a link that leads out of the pack; put the file there")
        try:
            return "\n".join(re.split("\r\n?", file.read_bytes().decode("utf-8-sig")))
        except UnicodeDecodeError as e:
            line = e.object.count(b"\n", 0, e.start) + 1
            wrong = f"byte {e.object[e.start]:#04x} in line {line}"
            raise UsageError(f"{name} of pack {self.name} is not UTF-8 ({wrong}); save it as UTF-8") from e
        except OSError as e:
            raise UsageError(f"{name} of pack {self.name} can't be read: {e.strerror}") from e


@frozen
class OwnTemplates(Pack):
    """A scorer's own templates as a pack, in which they are looked up under its id."""

    def names(self) -> Iterator[str]:
        yield from (f"{self.name}/{name}" for name in super().names())

    def file(self, name: str) -> Traversable:
        folder, _, file = name.partition("/")
        return super().file(file if folder == self.name else name)


def own_templates(spec: ScorerSpec[Any, Any]) -> Pack:
    """The templates that a scorer brings, to be looked at as a pack is."""
    return OwnTemplates(spec.id, files(str(spec.package)) / "templates")


def find_pack(name: str | Path) -> Pack:
    """The pack of a folder, or the installed pack of that name.

    Raises:
        UsageError: there is neither, or its `pack.toml` is not as it should be.
    """
    pack = pack_at(name)
    _ = pack.manifest
    return pack


def pack_at(name: str | Path) -> Pack:
    """As `find_pack`, with nothing of it read yet."""
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


def _names(folder: Traversable, above: tuple[str, ...] = ()) -> Iterator[str]:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir() and len(above) < DEEPEST:
            yield from _names(entry, (*above, entry.name))
        elif entry.is_file():
            yield "/".join((*above, entry.name))


def made_for_another(pack: Pack, folder: str, version: str) -> str:
    """What to say of a pack that was made for another version of what has its templates in `folder`."""
    who = " ".join(filter(None, [f"pack {pack.name!r}", pack.manifest.version]))
    made_for = pack.manifest.scorers[folder]
    return f"{who} was made for {folder} {made_for}, this is {version}; see whether its templates still fit"
