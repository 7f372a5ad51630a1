from __future__ import annotations

import io
from typing import Any

import pytest
from attrs import evolve
from rich.console import Console, RenderableType

from scorer_core import RunResult, Scorer
from scorer_core.contract.schema import ErrorInfo
from scorer_core.evaluating.scoring import Item
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer
from scorer_runner.results.pieces import Piece, pieces_of
from scorer_runner.results.tally import MOST_WORST_KEPT, Tally
from scorer_runner.showing.evidence import evidence, worst
from scorer_runner.showing.summary import summary
from scorer_runner.terminal.figures import tone


def result(analyze: Any = None, **fields: Any) -> RunResult:
    who = {"scorer_id": "s", "scorer_label": "s", "scorer_version": "1", "core_version": "1", "higher_is": "better"}
    return RunResult(
        **{**who, "run_id": "r", "status": "scored", "score": 0.5, "analyze_step_result": analyze, **fields}
    )


def shown(what: RenderableType, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(what)
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def two() -> list[Scorer]:
    judge = ScriptedJudge()
    return [create_faithfulness_scorer(judge), create_hallucination_scorer(judge, scale=10)]


def item(index: int, first: float | None, second: float | None) -> Item:
    made = {
        "faithfulness": result(
            scorer_label="faithfulness",
            index=index,
            row_id=str(index),
            score=first,
            status="scored" if first is not None else "not_scorable",
        ),
        "hallucination": result(
            scorer_label="hallucination",
            index=index,
            row_id=str(index),
            score=second,
            scale=10.0,
            higher_is="worse",
            status="scored" if second is not None else "not_scorable",
        ),
    }
    return Item(index, {}, None, made)


def count(tally: Tally, done: Item) -> None:
    for found in done.results.values():
        tally.count(found)
    tally.over(done)


def test_verdicts_are_read_with_their_direction_and_chunk() -> None:
    verdict = {"number": 1, "claim": "c", "reason": "r", "chunk": 2, "verdict": "yes"}
    (piece,) = pieces_of(result({"verdicts": [verdict]}, context=["one", {"text": "two", "metadata": {}}]))
    assert piece == Piece("yes", "c", "r", "context 2: “two”", 1.0)
    (piece,) = pieces_of(result({"verdicts": [verdict]}, higher_is="worse"))
    assert (piece.good, piece.chunk) == (0.0, "")


def test_matches_contradictions_and_extras_are_read() -> None:
    found = {
        "matches": [
            {"number": 1, "ground_truth_unit": "g", "explanation": "e", "output_unit": None, "match_type": "missing"}
        ],
        "extra_in_output": ["x"],
        "contradictions": [{"explanation": "e", "output_unit": "o", "ground_truth_unit": "g"}],
    }
    assert [(p.label, p.text, p.good) for p in pieces_of(result(found))] == [
        ("missing", "g", 0.0), ("extra in output", "x", None), ("contradiction", "o", 0.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "analyze", [None, "text", 3, [], {"a": None}, {"a": [None, 3]}, [{"verdict": "odd"}], {"a": [[1]]}]
)
def test_an_analyze_result_of_any_shape_can_be_shown(analyze: Any) -> None:
    assert "s 0.50 of 1" in shown(evidence([result(analyze, row_id="r", reason="why")], "title"))


def test_markup_and_control_characters_in_a_row_are_shown_as_text() -> None:
    text = shown(
        evidence([result({"v": [{"verdict": "\x1b[1mno", "claim": "[red]x[/red] :smile:"}]}, row_id="[b]\x1b[2J")], "t")
    )
    assert "[red]x[/red] :smile:" in text
    assert "[b]" in text
    assert "\x1b" not in text


def test_a_chat_is_shown_by_its_question_and_answer() -> None:
    chat = [{"role": "user", "content": "why?"}, {"role": "assistant", "content": "so"}]
    text = shown(evidence([result(row_id="r", output=chat)], "t"))
    assert "why?" in text
    assert "so" in text


def test_the_worst_are_taken_from_each_scorer_in_turn_and_each_row_once(two: list[Scorer]) -> None:
    tally = Tally(two)
    for n, (first, second) in enumerate([(1.0, 0.0), (0.5, 9.0), (0.0, 10.0), (0.2, None)]):
        count(tally, item(n, first, second))
    assert [(r.scorer_label, r.index) for r in worst(tally, 3)] == [
        ("faithfulness", 2), ("faithfulness", 3), ("hallucination", 1),
    ]  # fmt: skip


def test_of_rows_that_are_alike_one_with_more_to_show_comes_first(two: list[Scorer]) -> None:
    tally, verdict = Tally(two[:1]), {"claim": "c", "verdict": "no"}
    for n in (1, 3, 2):
        found = result({"verdicts": [verdict] * n}, index=n, score=0.0, scorer_label="faithfulness")
        count(tally, Item(n, {}, None, {"faithfulness": found}))
    assert [r.index for r in worst(tally, 3)] == [3, 2, 1]


def test_of_many_rows_only_a_few_are_kept(two: list[Scorer]) -> None:
    tally = Tally(two)
    for n in range(100):
        count(tally, item(n, 0.0, 10.0))
    assert {len(kept) for kept in tally.worst.values()} == {MOST_WORST_KEPT}
    assert tally.results == 200


def test_the_summary_tells_mean_scale_direction_band_and_counts(two: list[Scorer]) -> None:
    tally = Tally(two)
    count(tally, item(0, 1.0, 10.0))
    count(tally, item(1, None, 9.0))
    text = shown(summary(tally))
    for part in (
        "1.00",
        "of 10",
        "9.50",
        "good",
        "bad",
        "all supported",
        "nearly all",
        "1 judged",
        "1 not scorable",
        "lower is better",
    ):
        assert part in text


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_narrow_summary_tells_all_that_a_wide_one_tells(two: list[Scorer], width: int) -> None:
    tally = Tally(two)
    for n, scores in enumerate([(1.0, 10.0), (0.5, None), (None, 9.0)]):
        count(tally, item(n, *scores))
    lines = shown(summary(tally, width), width).splitlines()
    assert max(map(len, lines)) <= width
    told, headings = "".join("".join(lines).split()), {"scorer", "mean", "spread", "rows", "time/row"}
    wide = {word for line in shown(summary(tally)).splitlines() for word in line.split() if word.strip("█░─")}
    assert [word for word in wide - headings if word not in told] == []


def test_where_a_long_label_leaves_no_room_for_what_stands_beside_it_nothing_is_cut_off() -> None:
    long = create_faithfulness_scorer(ScriptedJudge(), label=f"faithfulness {'x' * 40}")
    tally = Tally([long])
    error = ErrorInfo(kind="missing_ground_truth", step=None, message="none")
    tally.count(result(scorer_label=long.label))
    tally.count(evolve(result(scorer_label=long.label), status="failed", score=None, error=error))
    text = " ".join(shown(summary(tally)).split())
    for part in (long.label, "0.50 of 1", "1 failed (missing_ground_truth 1)", "0 ms"):
        assert part in text


def test_a_summary_without_a_judged_row_has_no_number(two: list[Scorer]) -> None:
    assert "no score" in shown(summary(Tally(two)))


@pytest.mark.parametrize(
    ("goodness", "word"), [(0.0, "bad"), (0.39, "bad"), (0.4, "mixed"), (0.7, "good"), (1.0, "good")]
)
def test_how_good_something_is_has_a_word(goodness: float, word: str) -> None:
    assert tone(goodness)[1] == word
