"""What is wrong with a pack of templates, found without a judge: by reading it, and by rendering a made-up row."""

from __future__ import annotations

from codecs import BOM_UTF8 as BOM
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from attrs import field, frozen
from jinja2 import TemplateError

from ..contract.errors import Failed, UsageError
from ..contract.spec import ScorerSpec
from .findings import Finding, finding
from .manifest import FILE
from .marking import hidden, lost, unmarked
from .packs import Pack, made_for_another
from .samples import sample_names
from .templates import Prompt, Prompts, versions_of
from .uses import Use, uses

AnySpec = ScorerSpec[Any, Any]
BUDGET, LONGER = 4000, 1.3  # characters of a scorer's prompts for the made-up row; or times its own, if that is more


def check_pack(pack: Pack, specs: Sequence[AnySpec]) -> list[Finding]:
    """All that is wrong with a pack, for these scorers; errors first, then by file and line."""
    checking = Checking(pack, specs)
    wrong = [*checking.manifest(), *checking.templates()]
    known = {finding.file for finding in wrong}
    rest = [*(f for f in checking.unread() if f.file not in known), *checking.encoding()]
    return sorted(dict.fromkeys((*wrong, *rest)), key=lambda f: (not f.error, f.file, f.line or 0))


def unread(pack: Pack, specs: Sequence[AnySpec]) -> list[Finding]:
    """The files of a pack that change nothing, because none of these scorers reads them."""
    return [*Checking(pack, specs).unread()]


def rendered(prompts: Prompts, spec: AnySpec, use: Use, language: str | None = None) -> Prompt:
    """The prompt of one template for the made-up row; of a summary, its text.

    Raises:
        Failed: it can't be rendered with that row.
    """
    names = sample_names(spec, use.step, use.ask, language)
    if use.name == "summary":
        text, files = prompts.summary(spec, names)
        return Prompt("", text, files)
    return prompts.render(spec, use.step, use.ask, names)


def size(prompts: Prompts, spec: AnySpec) -> int:
    """The characters of all prompts of a scorer for the made-up row, system messages included.

    Raises:
        Failed: a template can't be rendered with that row.
    """
    made = [rendered(prompts, spec, use) for name, use in uses(spec).items() if name in spec.asks]
    return sum(len(prompt.instructions) + len(prompt.text) for prompt in made)


@frozen
class Checking:
    """A pack that is being checked for some scorers."""

    pack: Pack
    specs: Sequence[AnySpec]
    prompts: Prompts = field(init=False)

    @prompts.default
    def _prompts(self) -> Prompts:
        return Prompts(self.pack)

    @cached_property
    def have(self) -> frozenset[str]:
        """The names of its templates."""
        return frozenset(name for name in self.pack.names() if name.endswith(".j2"))

    @cached_property
    def read(self) -> frozenset[str]:
        """The names of all templates that the scorers read where they read one of the pack's."""
        there = [(spec, use) for spec in self.specs for use in self.there(spec)]
        chains = (file for spec, use in there for file in self.files(spec, use))
        return frozenset((*(file for _, use in there for file in (use.file, use.instructions)), *chains))

    def there(self, spec: AnySpec) -> list[Use]:
        """The uses of a scorer that the pack has a template for."""
        return [use for use in uses(spec).values() if self.have & {use.file, use.instructions}]

    def files(self, spec: AnySpec, use: Use) -> list[str]:
        """The pack's files that a prompt is made of; none where it does not load."""
        try:
            files = self.prompts.files(spec, [(use.step, use.ask)])
        except (TemplateError, UsageError):
            return []
        return [file.file for file in files if file.pack == self.pack.name]

    def manifest(self) -> Iterator[Finding]:
        """What is wrong with its `pack.toml`."""
        try:
            made_for = self.pack.manifest.scorers
        except UsageError as e:
            yield Finding(FILE, str(e), self.pack.name)
            return
        versions = {folder: version for spec in self.specs for folder, version in versions_of(spec).items()}
        for id in made_for:
            if id not in versions:
                yield self._of_manifest(id, f"no scorer {id!r} is installed here; its templates were not checked")
            elif not self.pack.manifest.fits(id, versions[id]):
                yield self._of_manifest(id, made_for_another(self.pack, id, versions[id]))

    def _of_manifest(self, id: str, what: str) -> Finding:
        source = self.pack.source(FILE) or ""
        lines = [n for n, line in enumerate(source.split("\n"), 1) if line.partition("=")[0].strip().strip('"') == id]
        return finding(self.pack.name, FILE, source, lines[0] if lines else 1, what, error=False)

    def templates(self) -> Iterator[Finding]:
        """What is wrong with the templates that the scorers read."""
        for spec in self.specs:
            if not (there := self.there(spec)):
                continue
            more = [spec.at_once] if spec.at_once else []
            wrong = self.prompts.findings(
                spec, *more, summary=any(u.name == "summary" and u.file in self.have for u in there)
            )
            yield from wrong
            broken = {f.file for f in wrong}
            for use in there:
                yield from self._within(spec, use, broken)
            yield from self._budget(spec) if not wrong else ()

    def _within(self, spec: AnySpec, use: Use, broken: set[str]) -> Iterator[Finding]:
        """What is wrong with one template that loads: line by line, then with what becomes of it."""
        ours = self.files(spec, use)
        for file in ours:
            yield from self._lines(file, prompt=use.name != "summary")
        if ours and use.name != "summary" and not broken & {*ours}:
            yield from self._made(spec, use)

    def _lines(self, file: str, *, prompt: bool) -> Iterator[Finding]:
        source, tree = self.pack.source(file) or "", self.prompts.tree(file)
        for line, what in hidden(tree, [self.prompts.tree(f) for f in self.prompts.above(file)]):
            yield finding(self.pack.name, file, source, line, what)
        for line, name in unmarked(tree) if prompt else ():
            what = f'shows {name} without marks; put it between them, as in {{{{ mark("{name}", ...) }}}}'
            yield finding(self.pack.name, file, source, line, what)

    def _made(self, spec: AnySpec, use: Use) -> Iterator[Finding]:
        """What is wrong with the prompt that is made of a template and a made-up row."""
        try:
            theirs = rendered(Prompts(), spec, use)
        except (Failed, UsageError):  # the made-up row does not fit this scorer
            return
        try:
            ours = rendered(self.prompts, spec, use)
        except Failed as e:
            yield Finding(use.file, e.message, self.pack.name)
            return
        shape = sample_names(spec, use.step, use.ask).get("answer_shape")
        if use.file in self.have and shape and shape not in ours.text:
            told = f"{use.file} does not tell the judge the form of the reply; put {{{{ answer_shape }}}} into it"
            yield Finding(use.file, told, self.pack.name)
        if use.file in self.have:
            for name in lost(ours.text, theirs.text):
                told = f"{use.file} does not show the judge {name!r} between marks, as the scorer's own template does"
                spared = use.step == "generate_reason" or name == "question"
                yield Finding(use.file, told, self.pack.name, error=not spared)
        if use.instructions in self.have and "</" not in ours.instructions:
            told = (
                f"{use.instructions} does not say what marks are: that text between <answer ID> and </ID> is material"
            )
            yield Finding(use.instructions, f"{told} to assess, never an instruction", self.pack.name, error=False)

    def _budget(self, spec: AnySpec) -> Iterator[Finding]:
        try:
            ours, theirs = size(self.prompts, spec), size(Prompts(), spec)
        except (Failed, UsageError):  # told for the template that it is
            return
        if ours > (most := max(BUDGET, round(LONGER * theirs))):
            told = f"{spec.id}: prompts of {ours:,} characters a row, {theirs:,} without the pack; aim at {most:,}"
            yield Finding(f"{spec.id}/", told, self.pack.name, error=False)

    def unread(self) -> Iterator[Finding]:
        """Files that change nothing, because nothing reads them."""
        known = {file for spec in self.specs for use in uses(spec).values() for file in (use.file, use.instructions)}
        folders = {file.partition("/")[0] for file in known}
        for file in self.pack.names():
            if file.endswith(".j2") and file not in self.read:
                near = _suggested(file, known)
                yield Finding(file, f"nothing reads {file}{near}", self.pack.name, error=False)
            elif not file.endswith(".j2") and file.partition("/")[0] in folders and "/" in file:
                told = f"nothing reads {file}: the name of a template ends in .j2"
                yield Finding(file, told, self.pack.name, error=False)

    def encoding(self) -> Iterator[Finding]:
        """What of the files was read otherwise than it stands there."""
        for file in sorted(self.have):
            raw = self.pack.file(file).read_bytes()
            for there, name in (
                (raw.startswith(BOM), "a byte-order mark"),
                (b"\r\n" in raw, "Windows line ends"),
            ):
                if there:
                    told = f"{file} has {name}; passed over, better saved without"
                    yield Finding(file, told, self.pack.name, error=False)


def _suggested(file: str, known: Iterable[str]) -> str:
    near = get_close_matches(file, [*known], n=1)
    return f"; did you mean {near[0]}?" if near else "; see scorer prompts list for what scorers read"
