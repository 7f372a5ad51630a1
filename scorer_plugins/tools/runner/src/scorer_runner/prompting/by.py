"""`--prompts-by lang=ja:ja`: which packs the rows with a value in a column of their metadata are judged with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer_core import Prompts, PromptsBy, UsageError
from scorer_core.contract.settings import suggestion
from scorer_core.evaluating.slices import MOST
from scorer_core.prompting.checks import unread
from scorer_core.prompting.packs import Pack
from scorer_core.runs.metadata import NONE
from scorer_core.support.log import warn_once

from ..reading.needs import listed
from ..reading.survey import Survey
from .packs import scorers

AnyPrompts = Prompts | PromptsBy
FLAG = "--prompts-by"


def prompts_of(packs: Sequence[str], by: Sequence[str]) -> AnyPrompts:
    """The usual packs, or those by value where any are asked for; a value that comes again has several, in order.

    Raises:
        UsageError: a pack is not there, or a text is not `COLUMN=VALUE:PACK` with the one column.
    """
    usual = Prompts(list(packs))
    columns, found = list[str](), dict[str, list[str]]()
    for text in by:
        column, equals, told = text.partition("=")
        value, colon, pack = told.partition(":")
        if not (equals and colon and column.strip() and value.strip() and pack.strip()):
            raise UsageError(f"{FLAG} {text!r}: expected COLUMN=VALUE:PACK, as in {FLAG} lang=ja:ja")
        columns.append(column.strip())
        found.setdefault(value.strip(), []).append(pack.strip())
    if len({*columns}) > 1:
        raise UsageError(f"{FLAG}: one column tells which packs a row has, got {listed(dict.fromkeys(columns))}")
    return PromptsBy(columns[0], found, usual) if columns else usual


def column_of(prompts: AnyPrompts | None) -> Sequence[str]:
    """The column that packs are told by, if they are."""
    return [prompts.column] if isinstance(prompts, PromptsBy) else []


def unknown_values(found: Survey, prompts: AnyPrompts | None) -> Iterator[str]:
    """A message where no row has the column that packs are told by, or one of the values."""
    if not isinstance(prompts, PromptsBy):
        return
    have = found.values[prompts.column]
    if not have.keys() - {NONE}:
        near = suggestion(prompts.column, found.columns)
        yield f"{FLAG}: no row has {prompts.column!r} in its metadata{near} (columns: {listed(found.columns)})"
        return
    for value in prompts.prompts if len(have) <= MOST else ():
        if value not in have:
            near = suggestion(value, have)
            yield f"{FLAG}: no row has {prompts.column} {value!r}{near} (there are: {listed(have)})"


def each(prompts: AnyPrompts) -> Iterator[tuple[str, Prompts]]:
    """All prompts, each with what it is told by: `lang=ja`, and nothing for the usual ones."""
    if isinstance(prompts, PromptsBy):
        yield "", prompts.otherwise
        yield from ((f"{prompts.column}={value}", these) for value, these in prompts.prompts.items())
    else:
        yield "", prompts


def warn_of_unread(prompts: AnyPrompts) -> None:
    """Say, once each, which files of packs no installed scorer reads."""
    for pack in {pack.name: pack for _, these in each(prompts) for pack in these.packs}.values():
        for finding in unread(pack, scorers()):
            warn_once(f"pack {pack.name}: {finding.what}")


def described(pack: Pack) -> dict[str, str | None]:
    """A pack as the description of a run tells it."""
    return {"pack": pack.name, "name": pack.manifest.name, "version": pack.manifest.version}
