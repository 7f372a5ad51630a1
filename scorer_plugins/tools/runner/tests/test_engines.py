from __future__ import annotations

import pytest
from attrs import frozen

from scorer_core import UsageError
from scorer_runner.ordering.order import Order
from scorer_runner.planning import engines
from scorer_runner.planning.engines import Local, engine_of


@frozen
class Elsewhere:
    told: str

    def check(self, order):
        if order.limit:
            raise UsageError("--engine elsewhere: no limits here")

    def items(self, plan, flight, needed, answer):
        return Local().items(plan, flight, needed, answer)


@pytest.fixture
def elsewhere(monkeypatch):
    """An installed engine, and the options it was made with."""
    made = []
    monkeypatch.setattr(engines, "installed", lambda group: {"elsewhere": []})
    monkeypatch.setattr(engines, "load", lambda group, name: lambda told: made.append(told) or Elsewhere(told))
    return made


def test_this_process_scores_the_rows_unless_another_engine_is_asked_for(elsewhere):
    assert engine_of(Order(data=["rows.jsonl"])) == Local()
    assert elsewhere == []  # nothing was loaded


def test_an_engine_is_made_with_the_text_after_its_name(elsewhere):
    assert engine_of(Order(data=["rows.jsonl"], engine="elsewhere:workers=2,x=a:b")) == Elsewhere("workers=2,x=a:b")


def test_a_run_goes_through_the_engine_asked_for(elsewhere, scorer, rows, judged, results):
    name = rows({"id": "a", "output": "It is red.", "context": ["It is red."]})
    assert scorer("run", name, *judged, "--engine", "elsewhere").code == 0
    assert elsewhere == [""]
    assert [line["row_id"] for line in results()] == ["a", "a"]


@pytest.mark.parametrize(
    ("engine", "told"),
    [
        (
            "elswhere",
            r"no engine 'elswhere' is installed.*elsewhere.*\(have: local, elsewhere\); try: pip",
        ),
        ("ray", r"no engine 'ray' is installed \(have: local, elsewhere\); try: pip install scorer-ray"),
        ("local:fast", "local takes no options"),
        ("", "no engine ''"),
    ],
)
def test_an_engine_that_is_not_there_is_wrong_usage(elsewhere, engine, told):
    with pytest.raises(UsageError, match=told):
        engine_of(Order(data=["rows.jsonl"], engine=engine))


def test_what_an_engine_can_not_do_is_told_beside_all_else_that_is_wrong(elsewhere, scorer, rows):
    got = scorer("run", rows({"output": "x"}), "--scorer", "nothing", "--engine", "elsewhere", "--limit", "1")
    assert got.code == 2
    assert "no limits here" in got.err
    assert "no scorer 'nothing' is installed" in got.err
