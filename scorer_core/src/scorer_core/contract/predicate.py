"""A scorer made of one function: what follows the trail among its parameters is what a user can set."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pickle import PicklingError
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, Generic, ParamSpec, TypeAlias, get_args, get_origin

import attrs
from attrs import field, frozen
from attrs.validators import deep_iterable, instance_of

from .errors import Settled, UsageError
from .spec import Band, ScorerSpec
from .trail import Need, Options, Trail

if TYPE_CHECKING:
    from ..scorer import Scorer

P = ParamSpec("P")
Found: TypeAlias = tuple[float, str]
_OF_KIND: Mapping[Any, Any] = {
    str: instance_of(str),
    bool: instance_of(bool),
    tuple[str, ...]: deep_iterable(instance_of(str), instance_of(tuple)),
}
_BANDS = (Band(0, "failed"), Band(0, "in part"), Band(1, "passed"))


@frozen
class Check(Generic[P]):
    """What `check` makes of a function: called with what it is to look for, it gives a `Scorer`.

    All else that a scorer takes goes through `Scorer.of(check.spec, ...)`.

    Args:
        spec: The scorer as a value, with the function as its analyze step.
        names: The options, in the order of the function's parameters.

    Raises:
        UsageError: when it is called: an option is missing or unknown, or does not fit.
    """

    spec: ScorerSpec[None, Mapping[str, Any]]
    names: Sequence[str]

    def __call__(self, *args: P.args, **options: P.kwargs) -> Scorer:
        """A scorer that checks with these options; `Scorer.of(check.spec, ...)` takes all else that a scorer does.

        Raises:
            UsageError: an option is missing or unknown, or does not fit.
        """
        from ..scorer import Scorer

        if len(args) > len(self.names):
            raise UsageError(f"{self.spec.id} takes {len(self.names)} options, got {len(args)}")
        placed = dict(zip(self.names, args, strict=False))
        if twice := placed.keys() & options.keys():
            raise UsageError(f"{self.spec.id}: {', '.join(twice)} is given twice")
        return Scorer.of(self.spec, options=placed | options)


@frozen(kw_only=True)
class _OfCheck(ScorerSpec[None, Mapping[str, Any]]):
    """The spec of a check; pickled by name, as its function is known under the name of the check."""

    def __reduce__(self) -> tuple[Any, ...]:
        if _named(str(self.package), self.id) is not self:
            raise PicklingError(f"{self.id}: only the spec that stands as `{self.id}` in {self.package} can be pickled")
        return _named, (self.package, self.id)


def _named(module: str, name: str) -> Any:
    return getattr(getattr(import_module(module), name, None), "spec", None)


def check(
    *, needs: tuple[Need, ...] = (), without: Mapping[str, Settled] | None = None
) -> Callable[[Callable[Concatenate[Trail[Any, Any], P], Found]], Check[P]]:
    """Make a `Check` of a function of the trail that gives what share of it passes, in [0, 1], and what was found.

        @check(needs=("answer",))
        def mentions(trail, text: str):
            "The answer mentions a text."
            return text in trail.answer, f"looked for {text!r}"

        scorer = mentions("rain")

    Its name becomes the id and its docstring the description. Its other parameters become options, which the label
    tells, so that two checks of a kind are told apart. Numbers come with what they may be: `Annotated[int, whole(1)]`.

    Args:
        needs: As of `ScorerSpec`.
        without: As of `ScorerSpec`.
    """

    def made(function: Callable[Concatenate[Trail[Any, Any], P], Found]) -> Check[P]:
        options = _options_of(function)
        names = tuple(a.name for a in attrs.fields(options) if a.name != "scale")

        def looked(trail: Trail[Any, Any]) -> Mapping[str, Any]:
            passed, found = function(trail, **{name: getattr(trail.options, name) for name in names})  # type: ignore[call-arg]
            return {"passed": passed, "found": found}

        id: str = function.__name__
        spec = _OfCheck(
            id=id,
            description=inspect.cleandoc(function.__doc__ or "").partition("\n")[0].rstrip("."),
            higher_is="better",
            bands=_BANDS,
            package=function.__module__,
            needs=needs,
            without=without or {},
            options=options,
            named_by=names,
            analyze=looked,
            generate_score=lambda trail: float(trail.analyze["passed"]),
            generate_reason=lambda trail: str(trail.analyze["found"]),
        )
        return Check(spec, names)

    return made


def _options_of(function: Callable[..., Any]) -> type[Options]:
    """The class of options that the parameters behind the trail make."""
    _, *parameters = inspect.signature(function, eval_str=True).parameters.values()
    fields = {p.name: _field(p) for p in parameters}
    name = "".join(word.title() for word in function.__name__.split("_"))
    made: type[Options] = attrs.make_class(
        f"{name}Options", fields, bases=(Options,), frozen=True, slots=True, kw_only=True
    )
    made.__module__, made.__qualname__ = function.__module__, f"{function.__name__}.spec.options"  # for pickle
    return made


def _field(parameter: inspect.Parameter) -> Any:
    annotated = get_origin(parameter.annotation) is Annotated
    kind, *validators = get_args(parameter.annotation) if annotated else (parameter.annotation,)
    default = attrs.NOTHING if parameter.default is inspect.Parameter.empty else parameter.default
    known = [_OF_KIND[kind]] if kind in _OF_KIND else []
    listed = _as_tuple if get_origin(kind) is tuple else None
    return field(default=default, type=kind, validator=[*known, *validators], converter=listed)


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
