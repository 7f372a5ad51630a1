"""Settings of a run out of the configuration: an option's name is its key, `_` for `-`; the command line wins."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from scorer_core.contract.settings import suggestion
from scorer_core.judging.configuration import configuration
from scorer_core.support.scrub import scrubbed

from .order import Applied, Declared, Order, declared
from .values import spelled

_WORDS = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}
_TABLES = {
    "named": ", or of tables with an id and options",
    "texts": ", or a table of texts",
    "values": ", or a table",
    "bounds": ', or a table of texts such as ">=0.8"',
}


def applied(typed: Mapping[str, Any]) -> Applied:
    """What applies where `typed` was typed, by option.

    Raises:
        UsageError: the configuration can't be read at all.
    """
    found = configuration()
    if found.file is None:
        return Applied(Order(**typed), typed=frozenset(typed))
    reader = _Reader(found.file, ".".join(found.keys))
    told = {name: value for name, value in reader.read(found.table) if name not in typed}
    places = {place: path for place, path in reader.places.items() if place[0] in told}
    return Applied(Order(**{**told, **typed}), places, frozenset(typed), tuple(reader.problems))


class _Reader:
    """Reads settings, and gathers where each stands and what is wrong."""

    def __init__(self, file: Path, above: str) -> None:
        self.folder = file.parent
        self.shown = file.name if self.folder == Path.cwd() else str(file)
        self.above = f"{above}." if above else ""
        self.places: dict[tuple[str, int | None], str] = {}
        self.problems: list[str] = []

    def read(self, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """The settings that are right, by option."""
        known = declared()
        for key, value in table.items():
            if key in known:
                yield from self._setting(known[key], value)
            elif key != "models":
                self._wrong(key, f"no such setting{suggestion(key, known)}; there are: {', '.join(known)}")

    def _setting(self, option: Declared, value: Any) -> Iterator[tuple[str, Any]]:
        self.places[option.name, None] = self._at(option.name)
        if option.many:
            texts = list(self._texts(option, value))
            self.places |= {(option.name, n): self._at(path) for n, (path, _) in enumerate(texts)}
            yield option.name, tuple(self._moved(option, text) for _, text in texts)
        elif _fits(option, value):
            yield option.name, self._moved(option, value)
        else:
            self._misfit(option.name, expected(option), value)

    def _texts(self, option: Declared, value: Any) -> Iterator[tuple[str, str]]:
        """The texts of an option that may be repeated, as they would be typed, each with the path of its place."""
        table = option.option.table
        if isinstance(value, dict) and table and table != "named":
            for name, told in value.items():
                path = f"{option.name}.{name}"
                if table == "values":
                    yield path, f"{name}={spelled(told)}"
                elif _is_text(told):
                    yield path, f"{name}{'' if table == 'bounds' else '='}{told}"
                else:
                    self._misfit(path, "a text", told)
        elif _is_text(value):  # one alone
            yield option.name, value
        elif isinstance(value, list):
            for n, item in enumerate(value):
                yield from self._item(f"{option.name}[{n}]", item, named=table == "named")
        else:
            self._misfit(option.name, expected(option), value)

    def _item(self, path: str, item: Any, *, named: bool) -> Iterator[tuple[str, str]]:
        if _is_text(item):
            yield path, item
        elif not named or not isinstance(item, dict):
            self._misfit(path, "a text, or a table with an id" if named else "a text", item)
        elif not _is_text(item.get("id")):
            self._misfit(f"{path}.id", "the id of a scorer", item.get("id"))
        else:
            options = ", ".join(f"{spelled(k, key=True)} = {spelled(v)}" for k, v in item.items() if k != "id")
            yield path, f"{item['id']}:{options}" if options else item["id"]

    def _moved(self, option: Declared, value: Any) -> Any:
        """A path from the file's folder; a pack may be no folder but a name."""
        if not option.option.path or value == "-" or self.folder == Path.cwd():
            return value
        path = self.folder / value
        return str(path) if path.exists() or not option.many or option.name == "data" else value

    def _at(self, path: str) -> str:
        return f"{self.shown}: {self.above}{path}"

    def _wrong(self, path: str, text: str) -> None:
        self.problems.append(f"{self._at(path)}: {text}")

    def _misfit(self, path: str, wanted: str, value: Any) -> None:
        self._wrong(path, f"expected {wanted}, got {shown(value)}")


def expected(option: Declared) -> str:
    """What a setting must be."""
    if option.many:
        return f"a list of texts{_TABLES.get(option.option.table or '', '')}"
    if get_origin(option.plain) is Literal:
        return f"one of {', '.join(get_args(option.plain))}"
    low, high = option.option.least, option.option.most
    bounds = "" if low is None else f" from {low:g} to {high:g}" if high is not None else f" of {low:g} or more"
    return f"{_WORDS[option.plain]}{bounds}"


def shown(value: Any) -> str:
    """A value as a file shows it, without secrets; nothing where there is none."""
    return "nothing" if value is None else scrubbed(json.dumps(value, ensure_ascii=False, default=str))


def _fits(option: Declared, value: Any) -> bool:
    if get_origin(option.plain) is Literal:
        return value in get_args(option.plain)
    if option.plain is str:
        return _is_text(value)
    if option.plain is bool or isinstance(value, bool):
        return option.plain is type(value)
    least, most = option.option.least, option.option.most
    number = isinstance(value, int if option.plain is int else (int, float)) and math.isfinite(value)
    return number and (least is None or value >= least) and (most is None or value <= most)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
