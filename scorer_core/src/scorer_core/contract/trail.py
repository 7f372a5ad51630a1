"""The trail: all that is known of a run at a step, and the options it is scored by."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar, get_args

from attrs import field, frozen

from .schema import Run
from .settings import between, one_of

P = TypeVar("P")
A = TypeVar("A")

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
