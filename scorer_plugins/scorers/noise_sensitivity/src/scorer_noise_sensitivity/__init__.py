"""Noise sensitivity: how little an answer suffers when its question comes with noise. 1 is robust, 0 thrown off."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from attrs import asdict, field, frozen
from attrs import validators as v

from scorer_core import Ask, Band, ItemText, NotScorable, Options, Range, Scorer, ScorerSpec, Trail, between, one_of

DIMENSIONS = ("accuracy", "completeness", "relevance", "consistency", "hallucination")
WEIGHTS = {"none": 1.0, "minimal": 0.85, "moderate": 0.6, "significant": 0.3, "severe": 0.1}
ARE_WEIGHTS = v.and_(v.instance_of(dict), v.deep_mapping(one_of(*WEIGHTS), between(0, 1)))


def text_or_column(_: Any, option: Any, value: Any) -> None:
    """A validator: a text, or `{"column": name}`."""
    text = value.get("column") if isinstance(value, Mapping) and value.keys() == {"column"} else value
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f'{option.name}: expected a text, or {{"column": name}}, got {value!r}')


def with_ours(given: Any) -> Any:
    """The weights given, and ours of the other levels."""
    return {**WEIGHTS, **given} if isinstance(given, Mapping) else given


@frozen(kw_only=True)
class NoiseOptions(Options):
    """What was asked with noise, what was answered without it, and how impacts count.

    Args:
        noisy_query: The question with noise, which the output answers; `{"column": name}`: that of each row's metadata.
        baseline_response: The answer to the question without noise, in the same forms.
        noise_type: What noise it is, for the judge.
        dimensions: What is compared: some of "accuracy", "completeness", "relevance", "consistency", "hallucination".
        impact_weights: What a dimension counts by its level of impact, in [0, 1]; levels not given keep their own.
        discrepancy_threshold: How far, in [0, 1], the dimensions' mean may lie below the judge's number before it
            counts in its place.
        major_issue_per_item: What each major issue takes off; 0 or more.
        max_major_issue_penalty: The most that major issues take off; 0 or more.
    """

    noisy_query: Any = field(validator=text_or_column)
    baseline_response: Any = field(validator=text_or_column)
    noise_type: str = field(default="", validator=v.instance_of(str))
    dimensions: tuple[str, ...] = field(
        default=DIMENSIONS, converter=tuple, validator=[v.min_len(1), v.deep_iterable(one_of(*DIMENSIONS))]
    )
    impact_weights: dict[str, float] = field(factory=WEIGHTS.copy, converter=with_ours, validator=ARE_WEIGHTS)
    discrepancy_threshold: float = field(default=0.2, validator=between(0, 1))
    major_issue_per_item: float = field(default=0.1, validator=between(0))
    max_major_issue_penalty: float = field(default=0.3, validator=between(0))


@frozen(kw_only=True)
class Compared:
    """What is compared, and in which dimensions."""

    dimensions: tuple[str, ...]
    noisy_query: str
    baseline_response: str
    noise_type: str


@frozen(kw_only=True)
class Impact:
    """What the noise did to the answer in one dimension."""

    number: int
    dimension: ItemText
    specific_changes: Annotated[str, "one sentence"]
    noise_influence: Annotated[str, "one sentence"]
    impact_level: Literal["none", "minimal", "moderate", "significant", "severe"]


@frozen(kw_only=True)
class Assessment:
    """The impact in each dimension, and over all."""

    dimensions: tuple[Impact, ...]
    overall_assessment: Annotated[str, "one sentence"]
    major_issues: Annotated[tuple[str, ...], "[] if there are none"] = ()
    robustness_score: Annotated[float, Range(0, 1)]


@frozen(kw_only=True)
class Accounted(Assessment):
    """The assessment, and the parts of the score."""

    mean_of_dimensions: float
    mean_counts: bool
    major_issue_penalty: float


def compared(trail: Trail[None, None]) -> Compared:
    """The texts that are compared, of the options or of the row.

    Raises:
        NotScorable: the row's column holds no text.
    """
    texts = {name: _text(trail, name) for name in ("noisy_query", "baseline_response")}
    return Compared(dimensions=trail.options.dimensions, noise_type=trail.options.noise_type, **texts)


def _text(trail: Trail[None, None], name: str) -> str:
    told = getattr(trail.options, name)
    text = trail.run.metadata.get(told["column"]) if isinstance(told, Mapping) else told
    if not isinstance(text, str) or not text.strip():
        raise NotScorable(f"this row has no {name} (looked in its column {told['column']!r})")
    return text


def parts(said: Assessment, o: Any) -> tuple[float, bool, float]:
    """The mean weight of the dimensions, whether it counts in place of the judge's number, and what issues take off."""
    mean = sum(o.impact_weights[d.impact_level] for d in said.dimensions) / len(said.dimensions)
    counts = mean < said.robustness_score and abs(said.robustness_score - mean) > o.discrepancy_threshold
    return mean, counts, min(len(said.major_issues) * o.major_issue_per_item, o.max_major_issue_penalty)


def accounted(trail: Trail[Compared, None], said: Assessment) -> Accounted:
    """`said` with the parts of the score."""
    mean, counts, off = parts(said, trail.options)
    taken = asdict(said, recurse=False)
    return Accounted(**taken, mean_of_dimensions=mean, mean_counts=counts, major_issue_penalty=off)


def robustness(trail: Trail[Compared, Assessment]) -> float:
    """The judge's number, or the mean of the dimensions where that lies well below, less issues; higher is better.

        mean  = mean of the impact weights of the dimensions:
                none 1, minimal 0.85, moderate 0.6, significant 0.3, severe 0.1
        base  = the judge's number, or mean where that is lower by more than
                discrepancy_threshold
        score = base - min(major issues * major_issue_per_item,
                           max_major_issue_penalty), at least 0

    Source: Mastra's noise sensitivity.
    """
    mean, counts, off = parts(trail.analyze, trail.options)
    return float(max(0, (mean if counts else trail.analyze.robustness_score) - off))


spec = ScorerSpec(
    id="noise_sensitivity",
    description="How little the answer suffers when its question comes with noise",
    higher_is="better",
    bands=(Band(0, "thrown off"), Band(0, "badly hurt"), Band(0.4, "hurt"), Band(0.7, "dented"), Band(0.9, "robust")),
    package=__name__,
    needs=("question", "answer"),
    options=NoiseOptions,
    preprocess=compared,
    analyze=Ask(Assessment, each="dimensions", then=accounted),
    generate_score=robustness,
    generate_reason=Ask(str),
)


def create_noise_sensitivity_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `NoiseOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)
