"""Classifier: which of a user's classes an answer is in, as a score. The classes say what 0 and 1 are."""

from collections.abc import Mapping
from typing import Annotated, Any

from attrs import field, frozen

from scorer_core import Ask, Band, Menu, Options, Range, Scorer, ScorerSpec, Trail, as_words, between, some_words

YES_OR_NO = {"no": "it is not so", "yes": "it is so"}


def a_question(_: Any, option: Any, value: Any) -> None:
    """A validator: a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{option.name}: expected a question, got {value!r}")


@frozen(kw_only=True)
class ClassifierOptions(Options):
    """What a user can set.

    Args:
        question: What is asked about the answer.
        labels: The classes, with what each means: levels from 0 to 1 in this order; yes and no unless given.
        scores: What each class scores, in [0, 1], where the classes are no levels; one for every label.
    """

    question: str = field(validator=a_question)
    labels: dict[str, str] = field(default=YES_OR_NO, converter=as_words, validator=some_words(2))
    scores: Mapping[str, float] | None = field(default=None)

    @scores.validator
    def _of_every_label(self, option: Any, value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, Mapping) or {*value} != {*self.labels}:
            raise ValueError(f"scores: expected one for each of {', '.join(self.labels)}, no others, got {value!r}")
        for score in value.values():
            between(0, 1)(self, option, score)


@frozen
class Choice:
    """The class, and how sure the judge is of it."""

    reason: Annotated[str, "one sentence, with what in the answer decides"]
    label: Annotated[str, Menu("labels")]
    probability: Annotated[float | None, "from 0 to 1: that the label is right", Range(0, 1)] = None


def score_of_label(trail: Trail[None, Choice]) -> float:
    """What the class scores, in [0, 1]; which end is better, the classes say.

        scores given:     scores[label]
        levels:           place of the label, from 0 / (number of labels - 1)
        yes or no alone:  the probability of yes; 1 or 0 where the judge tells none

    Source: Mastra's classifier.
    """
    options, label, probability = trail.options, trail.analyze.label, trail.analyze.probability
    if options.scores is not None:
        return float(options.scores[label])
    if options.labels == YES_OR_NO and probability is not None:
        return float(probability if label == "yes" else 1 - probability)
    return [*options.labels].index(label) / (len(options.labels) - 1)


def label_told(trail: Trail[None, Choice]) -> str:
    """The class and why."""
    return f"{trail.analyze.label}: {trail.analyze.reason}"


spec = ScorerSpec(
    id="classifier",
    description="Which of your own classes the answer is in, as a score",
    higher_is="better",
    bands=(Band(0, "the lowest class"), Band(0, "between"), Band(1, "the highest class")),
    package=__name__,
    needs=("answer",),
    options=ClassifierOptions,
    analyze=Ask(Choice),
    generate_score=score_of_label,
    generate_reason=label_told,
)


def create_classifier_scorer(model: Any, question: str, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name, `question` about each answer.

    Args:
        model: A LangChain chat model, or a text that names one.
        question: What is asked about the answer.
        how: The other `ClassifierOptions`, and all of `Scorer.of`.
    """
    return Scorer.of(spec, model, question=question, **how)
