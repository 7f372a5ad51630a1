"""The contract: a scorer is a value made of four steps.

A `ScorerSpec` names the steps; the core walks a run through them. Step functions and templates see the same `Trail`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

import attrs
from attrs import evolve, field, frozen

from ..support.versions import version_of
from .errors import Settled, UsageError
from .replies import Menu, Range, itemised, reply_fields
from .schema import Run, plain
from .settings import between, one_of, suggestion

P = TypeVar("P")
A = TypeVar("A")
T = TypeVar("T")

Step = Literal["preprocess", "analyze", "generate_score", "generate_reason"]
Need = Literal["question", "answer", "ground_truth", "context", "context_source"]
STEPS: tuple[Step, ...] = get_args(Step)
NEEDS: tuple[str, ...] = get_args(Need)


@frozen(kw_only=True)
class Options:
    """What a user can set; a scorer with more subclasses it, as `@frozen(kw_only=True)`, with a validator a field.

    Args:
        scale: The score of a fraction of 1; finite and above 0.
    """

    scale: float = field(default=1.0, validator=between(0, open=True))


@frozen(kw_only=True)
class Against(Options):
    """The options of a scorer that holds an answer against another text, `trail.reference`.

    Args:
        against: Which text that is, "question" or "ground_truth"; the scorer needs it.
    """

    against: Literal["question", "ground_truth"] = field(
        default="question", validator=one_of("question", "ground_truth")
    )


@frozen
class Band:
    """A name for a range of scores: fractions from `start` on, until the next band begins.

    The first band of a scorer is that of 0 alone and the second begins above it, so that both start at 0:
    `(Band(0, "none"), Band(0, "few"), Band(0.5, "many"))`.

    Args:
        start: In [0, 1], before `Options.scale`.
        name: In a few words; results have it as `band`.
    """

    start: float
    name: str


@frozen
class Score:
    """A score that the judge gives itself: the reply of `generate_score=Ask(Score)`."""

    score: Annotated[float, Range(0, 1)]


@frozen(kw_only=True, slots=False)  # so that templates see its names as they are, by vars()
class Trail(Generic[P, A]):
    """All that is known of a run so far: what step functions are given, and by the same names what templates can name.

    `Trail[P, A]` tells the types of the values of preprocess and analyze; a step yet to come, or none, has None.

    Args:
        question: What was asked: the last message of the user before the answer, or the plain input; "" for none.
        answer: What is judged: the last message of the assistant with text, or the plain output; "" for none.
        ground_truth: The right answer, as a text; of several that one which is tried. None for none.
        context: The chunks, in order.
        context_source: Where they are from: "get_context", "row", "static" or "tool_results"; None if none had any.
        items: What the step asks about, one answer each.
        preprocess: The value of the first step.
        analyze: The value of the second step.
        score: In [0, scale]; None before it is known.
        scale: The score of a fraction of 1.
        options: An instance of the scorer's options.
        language: The language asked for; None for that of the text judged.
        run: The run as the user gave it, for its metadata.
        notes: Where `note` puts its words.
    """

    question: str = ""
    answer: str = ""
    ground_truth: str | None = None
    context: tuple[str, ...] = ()
    context_source: str | None = None
    items: tuple[str, ...] = ()
    preprocess: P
    analyze: A
    score: float | None = None
    scale: float = 1.0
    options: Any = field(factory=Options)
    language: str | None = None
    run: Run = field(factory=Run)
    notes: list[str] = field(factory=list, eq=False, repr=False)

    @property
    def reference(self) -> str:
        """The text that the answer is held against, as the option `against` says; "" for none."""
        return str(getattr(self, self.options.against) or "")

    def note(self, text: str) -> None:
        """Put `text` among the notes of the result."""
        self.notes.append(text)


@frozen
class Ask(Generic[T]):
    """A step that renders its template, asks the judge, and gets a `T` back.

    The template is `<id of the scorer>/<step>.j2`. A reply that does not fit its class is asked for again, with what
    was wrong, `Judge.format_retries` times; then the run has failed.

    Args:
        reply: The attrs class of the reply, or `str` for the judge's words as they are. Its docstring, and the notes of
            its fields, are told to the judge.
        each: The list in the preprocess value of which every text is asked about, by number; or "context": its chunks.
            Empty: nothing is asked.
        always: It is asked although there is nothing in that list.
        open: The judge finds the items itself, and gives the text of each in place of a number.
        unless: Called first: returns a value to take without asking, or None; or raises `NotScorable` or `Settled`.
        then: Mends the reply by what code knows better than the judge.
        shows: The one field of the reply that stands for it in the result.
        cuts: "answer" or "context": what may be cut where the prompt is longer than the model takes.
        joins: A function of (trail, replies) that makes one reply of those about the parts.
        package: Where the templates of a step lie that several scorers share.
        folder: The folder of its template there, in place of the scorer's id.
        template: The name of its file, without `.j2`; the step's name unless given.

    Raises:
        UsageError: `reply` is neither of the two, has no numbered list where `each` or `open` wants one, or `cuts` and
            `joins` are not given together.
    """

    reply: type[T]
    each: str | None = field(default=None, kw_only=True)
    always: bool = field(default=False, kw_only=True)
    open: bool = field(default=False, kw_only=True)
    unless: Callable[[Trail[Any, Any]], T | None] | None = field(default=None, kw_only=True)
    then: Callable[[Trail[Any, Any], T], T] | None = field(default=None, kw_only=True)
    shows: str | None = field(default=None, kw_only=True)
    cuts: Literal["answer", "context"] | None = field(default=None, kw_only=True)
    joins: Callable[[Trail[Any, Any], Sequence[T]], T] | None = field(default=None, kw_only=True)
    package: str | None = field(default=None, kw_only=True)
    folder: str | None = field(default=None, kw_only=True)
    template: str | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.reply is not str and not attrs.has(self.reply):
            raise UsageError(f"Ask: expected str or an attrs class, got {self.reply!r}")
        reply: Any = self.reply
        if (self.each is not None or self.open) != (itemised(reply) is not None):
            raise UsageError(f"Ask({reply.__name__}): `each` goes with a list of elements that have a `number`")
        if (self.cuts is None) != (self.joins is None):
            raise UsageError(f"Ask({self.reply.__name__}): `cuts` and `joins` go together")

    def items(self, trail: Trail[Any, Any]) -> tuple[str, ...]:
        """The texts asked about, one answer each."""
        if self.each is None:
            return ()
        return tuple(map(str, trail.context if self.each == "context" else getattr(trail.preprocess, self.each)))

    def menus(self, options: Options) -> dict[str, tuple[str, ...]]:
        """The words of each menu of the reply, as the options list them."""
        reply: Any = self.reply
        return {name: tuple(getattr(options, name)) for name in _menus_of(reply)}


@cache
def _menus_of(kind: Any) -> frozenset[str]:
    if not attrs.has(kind):
        return frozenset()
    below = (_menus_of(inner) for f in reply_fields(kind) for inner in get_args(f.type))
    return frozenset(f.mark.of for f in reply_fields(kind) if isinstance(f.mark, Menu)).union(*below)


def labelled(name: str, options: Mapping[str, Any]) -> str:
    """`name[option=value,...]`; a value that could be taken for more than one stands as JSON."""
    told = ",".join(f"{option}={_in_label(value)}" for option, value in options.items())
    return f"{name}[{told}]" if told else name


def _in_label(value: Any) -> str:
    value = value[0] if isinstance(value, tuple) and len(value) == 1 else value
    clear = re.fullmatch(r"[^\s,=\[\]\"]+( [^\s,=\[\]\"]+)*", str(value)) and value is not None
    return str(value) if clear else json.dumps(plain(value), ensure_ascii=False)


def _valid_id(_: Any, __: Any, value: Any) -> None:
    if not isinstance(value, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", value):
        raise UsageError(f"a scorer's id is in snake_case, got {value!r}")


def _valid_needs(_: Any, __: Any, value: Any) -> None:
    if unknown := [n for n in value if n not in NEEDS]:
        raise UsageError(f"needs: {unknown} are not among {', '.join(NEEDS)}")


def _valid_bands(_: Any, __: Any, value: Any) -> None:
    starts = [b.start for b in value]
    if starts and (starts[:2] != [0, 0] or starts != sorted(starts) or starts[-1] > 1):
        raise UsageError(f"bands begin with one for 0 alone and one above 0, and rise to 1 at most; got {starts}")


@frozen(kw_only=True)
class ScorerSpec(Generic[P, A]):
    """A scorer as a value: what it measures, and its four steps. It has no state and no model; `Scorer.of` binds it.

    A package publishes it as an entry point of the group `scorer_core.scorers`, under its id.

    Args:
        id: What is measured, in snake_case.
        description: It in one sentence, without a full stop.
        higher_is: "better" or "worse".
        bands: Names for ranges of the fraction, see `Band`.
        package: Where the templates lie, in a folder `templates`; None for a scorer without any.
        version: That of the distribution, unless given.
        needs: What a run must have to be scorable: "question", "answer", "ground_truth", "context" (one chunk at
            least), "context_source" (one that was asked, if it found nothing). Without a ground truth it has failed,
            kind "missing_ground_truth". An option `against` names one more.
        without: What a run scores that lacks a need, instead of being not scorable; for the ground truth this holds
            when the option `require_ground_truth` is False.
        options: The class of the options.
        named_by: Options that say what is measured: a label tells those that are not at their default.
        preprocess: Takes apart what is judged: an `Ask`, a function of the trail, or None.
        analyze: Judges: an `Ask`, a function of the trail, or None.
        generate_score: A function of the trail that gives a fraction in [0, 1], or `Ask(Score)`.
        generate_reason: Explains the score: `Ask(str)`, a function of the trail that gives a text, or None.
        single: Whether `single.j2` can ask for items and what is said of them in one call.

    Raises:
        UsageError: the id is not in snake_case, a need is unknown, the bands do not rise, or `named_by` has a name that
            is no option.
    """

    id: str = field(validator=_valid_id)
    description: str = ""
    higher_is: Literal["better", "worse"] = field(validator=one_of("better", "worse"))
    bands: tuple[Band, ...] = field(default=(), validator=_valid_bands)
    package: str | None = None
    version: str = field(default=attrs.Factory(lambda me: version_of(me.package or ""), takes_self=True))
    needs: tuple[Need, ...] = field(default=(), validator=_valid_needs)
    without: Mapping[str, Settled] = field(factory=dict)
    options: type[Options] = Options
    named_by: tuple[str, ...] = field(default=())
    preprocess: Ask[P] | Callable[[Trail[None, None]], P] | None = None
    analyze: Ask[A] | Callable[[Trail[P, None]], A] | None = None
    generate_score: Ask[Score] | Callable[[Trail[P, A]], float]
    generate_reason: Ask[str] | Callable[[Trail[P, A]], str] | None = None
    single: bool = False

    @named_by.validator
    def _are_options(self, _: Any, value: Any) -> None:
        if unknown := [n for n in value if n not in attrs.fields_dict(self.options)]:
            raise UsageError(f"{self.id}: named_by: {unknown} are no options of it")

    def label(self, options: Options, more: Collection[str] = ()) -> str:
        """The id, or `id[option=value]` of those options that `named_by` lists and that are not at their default.

        Args:
            options: Of this scorer.
            more: Names of options to be told in any case.
        """
        told = {
            a.name: getattr(options, a.name) for a in attrs.fields(self.options) if a.name in (*self.named_by, *more)
        }
        usual = {a.name: a.default for a in attrs.fields(self.options) if a.name not in more}
        return labelled(self.id, {name: value for name, value in told.items() if usual.get(name, told) != value})

    def needs_with(self, options: Options | None = None) -> tuple[Need, ...]:
        """What a run needs under these options, or under the defaults: `needs`, and what `against` names."""
        known = attrs.fields_dict(self.options)
        against = getattr(options, "against", known["against"].default) if "against" in known else None
        return self.needs if against is None else (*self.needs, against)

    @property
    def asks(self) -> dict[Step, Ask[Any]]:
        """The steps that ask the judge, by name, in order."""
        return {s: how for s in STEPS if isinstance(how := getattr(self, s), Ask)}

    @property
    def at_once(self) -> Ask[A] | None:
        """The question for items and what is said of them in one; None for a scorer that has none."""
        if not self.single or not isinstance(self.analyze, Ask):
            return None
        return evolve(self.analyze, each=None, open=True, unless=None, cuts=None, joins=None, template="single")

    def band(self, fraction: float) -> str | None:
        """The name of the band that holds a fraction in [0, 1]; None for a scorer without bands."""
        if not self.bands:
            return None
        return self.bands[0].name if fraction == 0 else [b.name for b in self.bands[1:] if fraction >= b.start][-1]

    def make_options(self, given: Mapping[str, Any] | Options) -> Options:
        """The options, checked.

        Args:
            given: Options by name, or an instance of the options class, which is given back.

        Raises:
            UsageError: an option is unknown, or its value is of the wrong type or out of range.
        """
        if isinstance(given, Options):
            if not isinstance(given, self.options):
                raise UsageError(f"{self.id}: expected {self.options.__name__}, got {given!r}")
            return given
        known = [a.name for a in attrs.fields(self.options)]
        for name in given:
            if name not in known:
                raise UsageError(
                    f"{self.id} has no option {name!r}{suggestion(name, known)} (have: {', '.join(known)})"
                )
        if missing := [
            a.name for a in attrs.fields(self.options) if a.default is attrs.NOTHING and a.name not in given
        ]:
            raise UsageError(f"{self.id} needs the option {' and '.join(map(repr, missing))}")
        try:
            return self.options(**given)
        except (TypeError, ValueError) as e:
            raise UsageError(f"{self.id}: {e.args[0]}") from e
