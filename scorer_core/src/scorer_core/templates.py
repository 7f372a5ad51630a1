"""Prompts: what a step's template is made of, what it may name, and how it is rendered.

A prompt is the template `<scorer id>/<step>.j2`; beside it `instructions.j2` makes the system message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from attrs import Factory, field, frozen
from jinja2 import Environment, Template, TemplateError, TemplateNotFound, TemplateSyntaxError, meta, nodes

from .errors import Failed, UsageError
from .language import environment
from .marks import Marks
from .packs import Finder, Pack, all_packs
from .schema import TemplateFile
from .settings import suggestion
from .spec import Ask, ScorerSpec, Step

MOST_TEXT = 20_000_000  # characters of one prompt, marked texts included
MOST_FILES = 500  # that a template may be made of, counted as often as they are included
INSTRUCTION_NAMES = ("language",)
_ALWAYS = ("question", "answer", "ground_truth", "context", "scale", "options", "language", "run", "mark")


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

        Raises:
            UsageError: one is missing, outside the language, or uses a name that its step does not have; all at once.
        """
        asks: list[tuple[Step, Ask[Any]]] = [*spec.asks.items(), *(("analyze", ask) for ask in more)]
        wrong = [problem for step, ask in asks for problem in self._problems(spec, step, ask)]
        if summary:
            wrong += self._wrong_with(self._summary(spec), names_at("generate_reason", Ask(str)), "summary")
        if wrong:
            raise UsageError("\n".join(dict.fromkeys(wrong)))

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
            for piece in self._template(name).generate(names, mark=marks.mark):
                pieces.append(piece)
                size += len(piece)
                if size + sum(map(len, marks.texts)) > MOST_TEXT:
                    raise Failed("too_long", f"template {name}: the prompt is longer than {MOST_TEXT:,} characters")
            return marks.fill("".join(pieces)).strip()
        except (TemplateError, TypeError, ValueError, AttributeError) as e:
            raise Failed("scorer_error", f"template {name}{_line(e)}: {e}") from e

    def _template(self, name: str) -> Template:
        return self._env.get_template(name)

    def _problems(self, spec: ScorerSpec[Any, Any], step: Step, ask: Ask[Any]) -> Iterator[str]:
        name, instructions = self._names(spec, step, ask)
        yield from self._wrong_with(name, names_at(step, ask), step)
        yield from self._wrong_with(instructions, INSTRUCTION_NAMES, step)

    def _wrong_with(self, file: str, known: Sequence[str], step: str) -> Iterator[str]:
        try:
            self._template(file)
            for part in self._chain(file).files:
                yield from _unknown_names(part, meta.find_undeclared_variables(self._tree(part)), step, known)
        except TemplateSyntaxError as e:
            within = "" if e.name == file else f" (part of {file})"
            yield f"template {e.name}{within}, line {e.lineno}: {e.message}"
        except TemplateNotFound as e:
            yield str(e)

    def _tree(self, name: str) -> nodes.Template:
        return self._env.parse(self._finder.find(name)[1], name)

    def _chain(self, name: str, above: tuple[str, ...] = ()) -> Expansion:
        """A template with all that it extends or includes."""
        if name in above:
            raise TemplateSyntaxError(f"extends or includes itself: {' -> '.join((*above, name))}", 1, above[-1])
        key = ("chain", name)
        if key not in self._made:
            tree = self._tree(name)
            below = [self._chain(n, (*above, name)) for n in _named_in(tree)]
            size = 1 + sum(b.size for b in below) * max(1, _supers(tree))
            if size > MOST_FILES:
                raise TemplateSyntaxError(f"its includes and super() make more than {MOST_FILES} files of it", 1, name)
            self._made[key] = Expansion(tuple(dict.fromkeys((name, *(f for b in below for f in b.files)))), size)
        return self._made[key]  # type: ignore[no-any-return]

    def _files(self, *names: str) -> tuple[TemplateFile, ...]:
        if names not in self._made:
            chain = dict.fromkeys(part for name in names for part in self._chain(name).files)
            self._made[names] = tuple(_file(part, *self._finder.find(part)) for part in chain)
        return self._made[names]  # type: ignore[no-any-return]


def names_at(step: Step, ask: Ask[Any]) -> tuple[str, ...]:
    """What a template can name at a step."""
    later = {"preprocess": (), "analyze": ("preprocess",), "generate_score": ("preprocess", "analyze")}
    known: Sequence[str] = later.get(step, ("preprocess", "analyze", "score"))
    return (*_ALWAYS, *known, *(["items"] if ask.each else []), *([] if ask.reply is str else ["answer_shape"]))


def _named_in(tree: nodes.Template) -> list[str]:
    """The templates that one extends and includes, as often as it does."""
    found = tree.find_all((nodes.Extends, nodes.Include))
    return [n.template.value for n in found]  # type: ignore[attr-defined]


def _supers(tree: nodes.Template) -> int:
    """The most often that one block calls super()."""
    blocks = [[c.node for c in block.find_all(nodes.Call)] for block in tree.find_all(nodes.Block)]
    return max((sum(isinstance(n, nodes.Name) and n.name == "super" for n in called) for called in blocks), default=0)


def _unknown_names(file: str, used: set[str], step: str, known: Sequence[str]) -> Iterator[str]:
    for name in sorted(used - {*known, "super"}):
        there = ", ".join(sorted(known))
        yield f"template {file} uses {name!r}{suggestion(name, known)}; at this step ({step}) there are: {there}"


def _file(name: str, pack: str, source: str) -> TemplateFile:
    return TemplateFile(pack=pack, file=name, sha256=sha256(source.encode()).hexdigest())


def _line(error: BaseException) -> str:
    """`, line 3` of the template in which `error` was raised, where that is known."""
    trace, line = error.__traceback__, None
    while trace:
        code = trace.tb_frame.f_code
        line = trace.tb_lineno if code.co_filename.endswith(".j2") else line
        trace = trace.tb_next
    return f", line {line}" if line else ""
