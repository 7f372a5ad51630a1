"""Prompts: what a step's template is made of, what it may name, and how it is rendered.

A prompt is the template `<scorer id>/<step>.j2`; beside it `instructions.j2` makes the system message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from typing import Any

from attrs import Factory, field, frozen
from jinja2 import Environment, Template, TemplateError, TemplateNotFound, TemplateSyntaxError, nodes

from ..contract.ask import Ask
from ..contract.errors import Failed, UsageError
from ..contract.schema import TemplateFile
from ..contract.spec import ScorerSpec
from ..contract.trail import Step
from ..support.log import warn_once
from ..support.versions import version_of
from .findings import Finding, finding
from .language import environment
from .marks import Marks
from .naming import INSTRUCTION_NAMES, names_at, unknown_names
from .packs import Finder, Pack, all_packs, made_for_another

MOST_TEXT = 20_000_000  # characters of one prompt, marked texts included
MOST_AT_ONCE = 1000  # pieces of a prompt between two looks at its length
MOST_FILES = 500  # that a template may be made of, counted as often as they are included


@frozen
class Expansion:
    """The files that a template is made of, each once, and how many they are with all repetitions."""

    files: tuple[str, ...]
    size: int


@frozen
class Prompt:
    """What is sent to the judge, and the files it was made from, those they extend and include among them."""

    instructions: str
    text: str
    files: tuple[TemplateFile, ...]


@frozen
class Prompts:
    """An ordered list of template packs; the first that has a template wins, the plugin's own comes last.

    Args:
        packs: Folders or names of installed packs; one alone need not be in a list.

    Raises:
        UsageError: a pack can't be found or read.
    """

    packs: tuple[Pack, ...] = field(default=(), converter=all_packs)
    _finder: Finder = field(
        init=False, eq=False, repr=False, default=Factory(lambda me: Finder(me.packs), takes_self=True)
    )
    _env: Environment = field(
        init=False, eq=False, repr=False, default=Factory(lambda me: environment(me._finder), takes_self=True)
    )
    _made: dict[Any, Any] = field(init=False, eq=False, repr=False, factory=dict)

    def check(self, spec: ScorerSpec[Any, Any], *more: Ask[Any], summary: bool = False) -> None:
        """Load every template of `spec`, those of `more` that stand in for its analyze step, and its summary if asked.

        A pack that was made for another version of the scorer is warned about, once.

        Raises:
            UsageError: one is missing, outside the language, or uses a name that its step does not have; all at once.
        """
        if wrong := self.findings(spec, *more, summary=summary):
            raise UsageError("\n".join(dict.fromkeys(map(str, wrong))))
        for pack in self.packs:
            for folder, version in versions_of(spec).items():
                if not pack.manifest.fits(folder, version):
                    warn_once(made_for_another(pack, folder, version))

    def findings(self, spec: ScorerSpec[Any, Any], *more: Ask[Any], summary: bool = False) -> list[Finding]:
        """What is wrong with the templates of `spec`, see `check`."""
        asks: list[tuple[Step, Ask[Any]]] = [*spec.asks.items(), *(("analyze", ask) for ask in more)]
        wrong = [problem for step, ask in asks for problem in self._problems(spec, step, ask)]
        if summary:
            wrong += self._wrong_with(self._summary(spec), names_at("generate_reason", Ask(str)), "summary")
        return list(dict.fromkeys(wrong))

    def files(
        self, spec: ScorerSpec[Any, Any], asks: Iterable[tuple[Step, Ask[Any]]], *, summary: bool = False
    ) -> tuple[TemplateFile, ...]:
        """Every file that the prompts of these asks are made of, and its summary if asked, each once."""
        names = [name for step, ask in asks for name in self._names(spec, step, ask)]
        return self._files(*names, *([self._summary(spec)] if summary else []))

    def summary(self, spec: ScorerSpec[Any, Any], names: Mapping[str, Any]) -> tuple[str, tuple[TemplateFile, ...]]:
        """The reason that `summary.j2` renders without a call, and the files it was made from."""
        name = self._summary(spec)
        return self._fill(name, names), self._files(name)

    def _summary(self, spec: ScorerSpec[Any, Any]) -> str:
        return self._names(spec, "generate_reason", Ask(str, template="summary"))[0]

    def render(self, spec: ScorerSpec[Any, Any], step: Step, ask: Ask[Any], names: Mapping[str, Any]) -> Prompt:
        """The prompt of one step.

        Raises:
            Failed: the template can't be rendered with these values (kind `scorer_error`).
        """
        name, instructions = self._names(spec, step, ask)
        key = (instructions, names["language"])
        if key not in self._made:
            self._made[key] = self._fill(instructions, {"language": names["language"]})
        return Prompt(self._made[key], self._fill(name, names), self._files(name, instructions))

    def _names(self, spec: ScorerSpec[Any, Any], step: Step, ask: Ask[Any]) -> tuple[str, str]:
        """The names of a step's template and its instructions, whose home is known from here on."""
        folder = ask.folder or spec.id
        if folder not in self._finder.homes and (package := ask.package or spec.package):
            home = files(package) / "templates"
            self._finder.homes[folder] = home / ask.folder if ask.folder else home
        return f"{folder}/{ask.template or step}.j2", f"{folder}/instructions.j2"

    def _fill(self, name: str, names: Mapping[str, Any]) -> str:
        marks, pieces, size = Marks(), list[str](), 0
        try:
            template = self._template(name)
            rendered = template.root_render_func(template.new_context({**names, "mark": marks.mark}, shared=True))
            while more := tuple(islice(rendered, MOST_AT_ONCE)):
                pieces += more
                size += sum(map(len, more))
                if size + marks.size > MOST_TEXT:
                    raise Failed("too_long", f"template {name}: the prompt is longer than {MOST_TEXT:,} characters")
            return marks.fill("".join(pieces)).strip()
        except (TemplateError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as e:
            raise Failed("scorer_error", f"template {name}{_line(e)}: {e}") from e

    def _template(self, name: str) -> Template:
        key = ("template", name)
        if key not in self._made:
            self._made[key] = self._env.get_template(name)
        return self._made[key]  # type: ignore[no-any-return]

    def _problems(self, spec: ScorerSpec[Any, Any], step: Step, ask: Ask[Any]) -> Iterator[Finding]:
        name, instructions = self._names(spec, step, ask)
        yield from self._wrong_with(name, names_at(step, ask), step)
        yield from self._wrong_with(instructions, INSTRUCTION_NAMES, "instructions")

    def _wrong_with(self, file: str, known: Sequence[str], step: str) -> Iterator[Finding]:
        try:
            self._template(file)
            for part in self._chain(file).files:
                pack, source = self._finder.find(part)
                yield from (finding(pack, part, source, *at) for at in unknown_names(self.tree(part), step, known))
        except TemplateSyntaxError as e:
            wrong, within = e.name or file, "" if e.name == file else f" (part of {file})"
            yield finding(*self._found(wrong), e.lineno, f"{e.message}{within}")
        except (TemplateNotFound, UsageError) as e:
            yield Finding(file, str(e))

    def _found(self, name: str) -> tuple[str, str, str]:
        pack, source = self._finder.find(name)
        return pack, name, source

    def findings_of(self, spec: ScorerSpec[Any, Any], step: Step, ask: Ask[Any]) -> list[Finding]:
        """What is wrong with the templates of one step."""
        return list(dict.fromkeys(self._problems(spec, step, ask)))

    def source(self, name: str) -> str:
        """The text of a template of the packs, or of a scorer that was looked at before.

        Raises:
            UsageError: there is none.
        """
        try:
            return self._finder.find(name)[1]
        except TemplateNotFound as e:
            raise UsageError(str(e)) from e

    def tree(self, name: str) -> nodes.Template:
        """A template as Jinja reads it."""
        return self._env.parse(self._finder.find(name)[1], name)

    def above(self, name: str) -> tuple[str, ...]:
        """The templates that one extends, the nearest first."""
        parents = [n.template.value for n in self.tree(name).find_all(nodes.Extends)]  # type: ignore[attr-defined]
        return tuple(above for parent in parents for above in (parent, *self.above(parent)))

    def _chain(self, name: str, above: tuple[str, ...] = ()) -> Expansion:
        """A template with all that it extends or includes."""
        if name in above:
            raise TemplateSyntaxError(f"extends or includes itself: {' -> '.join((*above, name))}", 1, above[-1])
        key = ("chain", name)
        if key not in self._made:
            tree = self.tree(name)
            below = [self._part(name, above, node) for node in tree.find_all((nodes.Extends, nodes.Include))]
            size = 1 + sum(b.size for b in below) * max(1, _supers(tree))
            if size > MOST_FILES:
                raise TemplateSyntaxError(f"its includes and super() make more than {MOST_FILES} files of it", 1, name)
            self._made[key] = Expansion(tuple(dict.fromkeys((name, *(f for b in below for f in b.files)))), size)
        return self._made[key]  # type: ignore[no-any-return]

    def _part(self, name: str, above: tuple[str, ...], node: Any) -> Expansion:
        """What a node of the template `name` extends or includes."""
        try:
            return self._chain(node.template.value, (*above, name))
        except TemplateNotFound as e:
            raise TemplateSyntaxError(str(e), node.lineno, name) from e

    def _files(self, *names: str) -> tuple[TemplateFile, ...]:
        if names not in self._made:
            chain = dict.fromkeys(part for name in names for part in self._chain(name).files)
            self._made[names] = tuple(_file(part, *self._finder.find(part)) for part in chain)
        return self._made[names]  # type: ignore[no-any-return]


def versions_of(spec: ScorerSpec[Any, Any]) -> dict[str, str]:
    """The version of each folder of templates that a scorer takes them from: its own, or that of who shares a step."""
    shared = {ask.folder: version_of(ask.package or "") for ask in spec.asks.values() if ask.folder}
    return {spec.id: spec.version, **shared}


def _supers(tree: nodes.Template) -> int:
    """The most often that one block calls super()."""
    blocks = [[c.node for c in block.find_all(nodes.Call)] for block in tree.find_all(nodes.Block)]
    return max((sum(isinstance(n, nodes.Name) and n.name == "super" for n in called) for called in blocks), default=0)


def _file(name: str, pack: str, source: str) -> TemplateFile:
    return TemplateFile(pack=pack, file=name, sha256=sha256(source.encode()).hexdigest())


def _line(error: BaseException) -> str:
    """`, line 3` of the template in which `error` was raised, where that is known."""
    trace, line = error.__traceback__, None
    while trace:
        if template := trace.tb_frame.f_globals.get("__jinja_template__"):
            line = template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return f", line {line}" if line else ""
