"""The contract: a scorer is a value made of four steps.

A `ScorerSpec` names the steps; the core walks a run through them. Step functions and templates see the same `Trail`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar

import attrs
from attrs import evolve, field, frozen

from ..support.versions import version_of
from .ask import Ask
from .errors import Settled, UsageError
from .plain import field_names, plain
from .replies import Range
from .settings import one_of, suggestion
from .trail import NEEDS, STEPS, Need, Options, Step, Trail

P = TypeVar("P")
A = TypeVar("A")


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
        kind: Any = self.options
        if "against" not in (field_names(kind) or ()):
            return self.needs
        against: Any = getattr(options, "against", attrs.fields_dict(kind)["against"].default)
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
