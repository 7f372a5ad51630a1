from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_runner.ordering.limits import seconds_of

ROW = {"input": "Who?", "output": "Jane Austen.", "context": ["Emma is by Jane Austen."]}


@pytest.fixture
def source(rows: Any) -> str:
    given = [{**ROW, "id": f"r{n}", "output": f"row-{n}-", "context": [f"so row-{n}-"]} for n in range(10)]
    return str(rows(*given))


def done(lines: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    return Counter((line["row_id"], line["scorer_label"]) for line in lines if line["status"] == "scored")


def test_a_run_stops_before_one_call_more_and_the_command_it_tells_goes_on_with_exactly_the_rest(
    scorer: Any, source: str, judged: Any, results: Any
) -> None:
    told = scorer("run", source, *judged, "--max-calls", "12", "--concurrency", "3", "--reasons", "none")
    assert told.code == 3
    (line,) = told.err.splitlines()
    first = results()
    n = len(first)
    assert 0 < n < 20
    assert line.startswith(f"stopped: budget: max_calls of 12 is reached after 12 calls; {n} results of ")
    assert {r["status"] for r in first} == {"scored"}
    command = shlex.split(line.partition("go on with: ")[2])
    assert command[0] == "scorer"
    assert "--resume" in command
    command[command.index("--max-calls") + 1] = "1000"
    assert scorer(*command[1:]).code == 0
    assert results()[:n] == first
    assert done(results()) == Counter((f"r{i}", s) for i in range(10) for s in ("faithfulness", "hallucination"))


def test_calls_for_rows_that_were_cut_off_are_told(scorer: Any, source: str, judged: Any, results: Any) -> None:
    told = scorer("run", source, *judged, "--max-calls", "1")
    assert "calls    1 made · 1 of them for rows that were cut off\n" in told.out
    told = scorer("run", source, *judged, "--max-calls", "100", "--resume")
    assert told.code == 0
    assert "cut off" not in told.out


def test_the_calls_of_a_resumed_run_are_counted_anew(scorer: Any, source: str, judged: Any, results: Any) -> None:
    how = (*judged, "--max-calls", "15", "--concurrency", "2", "--out", "r.jsonl", "--resume")
    seen = [0]
    for _ in range(9):
        code = scorer("run", source, *how).code
        seen.append(len(results("r.jsonl")))
        if code == 0:
            break
        assert code == 3
    assert code == 0
    assert seen == sorted(set(seen))  # each went on
    assert max(done(results("r.jsonl")).values()) == 1
    assert seen[-1] == 20


def test_R103_a_limit_to_the_cost_needs_a_price(scorer: Any, source: str, judged: Any, folder: Path) -> None:
    told = scorer("run", source, *judged, "--max-cost", "0.5")
    assert told.code == 2
    assert "what calls of " in told.err
    assert "cost is not known" in told.err
    assert "--prices FILE" in told.err
    assert not (folder / "results.jsonl").exists()


def test_a_run_stops_at_its_deadline(scorer: Any, rows: Any, judged: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from scorer_core.judging import flight

    monkeypatch.setattr(flight, "GRACE", 0.2)
    told = scorer("run", rows(ROW, {**ROW, "output": "SLOW"}, ROW), *judged, "--deadline", "1s")
    assert told.code == 3
    assert told.err.startswith("stopped: budget: deadline of 1 s is reached after ")
    assert len(Path("results.jsonl").read_text("utf-8").splitlines()) == 4


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("1.5", 1.5), ("30m", 1800), ("2h", 7200), ("1h30m", 5400), ("2 H", 7200), ("1d", 86400)],
)
def test_a_time_is_seconds_or_has_units(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "0", "0m", "-5", "1h30", "m", "3 weeks"])
def test_what_is_no_time_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"no time; write seconds, or 30m, 2h, 1h30m"):
        seconds_of(text)


def test_an_error_of_the_whole_run_leaves_its_rows_to_be_done(
    scorer: Any, rows: Any, judged: Any, results: Any, folder: Path
) -> None:
    source = rows(*[{**ROW, "id": str(n), "output": "KEYLESS" if n == 2 else "fine"} for n in range(8)])
    told = scorer("run", source, *judged, "--concurrency", "1")
    assert (told.code, told.err.count("stopped: auth: ")) == (3, 1)
    assert {line["status"] for line in results()} == {"scored"}
    judge = folder.parent / "modules/judge_of_tests.py"
    judge.write_text(judge.read_text().replace("KEYLESS", "never"))
    import sys

    sys.modules.pop("judge_of_tests")
    assert scorer("run", source, *judged, "--resume").code == 0
    assert len(done(results())) == len(results()) == 16


# What a line keeps


def texts_of(value: Any) -> str:
    return json.dumps(value)


@pytest.mark.parametrize("store", ["full", "slim", "digest"])
def test_a_line_keeps_what_was_asked_for(scorer: Any, rows: Any, judged: Any, results: Any, store: str) -> None:
    row = {**ROW, "output": "the OUTPUT", "input": "the INPUT", "context": ["the CONTEXT"], "id": "7", "lang": "ja"}
    assert scorer("run", rows(row), *judged, "--store", store).code == 0
    for line in results():
        calls = [call for calls in line["judge"].values() for call in calls]
        assert (line["row_id"], line["metadata"], line["status"]) == ("7", {"lang": "ja"}, "scored")
        assert line["score"] is not None
        text = texts_of(line)
        assert ("the OUTPUT" in text) is (store != "digest")
        assert ("the CONTEXT" in text) is (store != "digest")
        if store == "full":
            assert "the OUTPUT" in line["preprocess_prompt"]
            assert all(call["reply"] for call in calls)
        elif store == "slim":
            assert [line["preprocess_prompt"], *(call["reply"] for call in calls)] == [None] * (1 + len(calls))
            assert line["analyze_step_result"]
        else:
            for name in ("input", "output", "context", "preprocess_prompt", "analyze_step_result"):
                assert line[name].startswith("sha256:"), name
            assert line["ground_truth"] is None
            assert "because" not in text.lower()


def test_a_run_goes_on_with_another_store(scorer: Any, source: str, judged: Any, results: Any) -> None:
    whole = ("run", source, *judged, "--out", "r.jsonl", "--resume")
    for store, most in (("digest", "15"), ("slim", "20"), ("full", "1000")):
        told = scorer(*whole, "--store", store, "--max-calls", most)
    assert told.code == 0
    assert len(done(results("r.jsonl"))) == len(results("r.jsonl")) == 20
    assert "10 rows" in told.out
