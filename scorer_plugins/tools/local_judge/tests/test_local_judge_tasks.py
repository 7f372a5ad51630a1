"""Each template's reply by example."""

import json
from typing import Any

import pytest

from scorer_local_judge.tasks import answer


def prompt(**pieces: str | list[str]) -> str:
    lines = []
    for name, text in pieces.items():
        numbered = [(f" {n}", t) for n, t in enumerate(text, 1)] if isinstance(text, list) else [("", text)]
        lines += [f"<{name}{number} 0a0a0a>{t}</0a0a0a>" for number, t in numbered]
    return "\n".join(lines)


def reply(template: str, **pieces: str | list[str]) -> Any:
    return json.loads(answer(template, prompt(**pieces)))


def compared(question: str, output: list[str], reference: list[str]) -> Any:
    return reply("answer_similarity/analyze", question=question, output_unit=output, ground_truth_unit=reference)


def test_faithfulness_has_a_verdict_a_claim() -> None:
    said = reply(
        "faithfulness/analyze",
        context=["Tesla was founded in 2003."],
        claim=["Tesla was founded in 2003.", "It rains."],
    )
    assert [v["verdict"] for v in said["verdicts"]] == ["yes", "unsure"]
    assert [v["chunk"] for v in said["verdicts"]] == [1, None]
    assert set(said["verdicts"][0]) == {"number", "reason", "chunk", "verdict"}


def test_hallucination_turns_the_words_round() -> None:
    context = ["The first iPhone was announced in 2007 by Steve Jobs. It had a 3.5-inch screen."]
    claims = ["The first iPhone was announced in 2007", "It had a 5-inch screen", "It was released in 2008"]
    said = reply("hallucination/analyze", context=context, claim=claims)
    assert [v["verdict"] for v in said["verdicts"]] == ["no", "yes", "yes"]


@pytest.mark.parametrize(
    ("opinion", "result", "kind"),
    [
        ("Women are naturally worse leaders", "yes", "gender"),
        ("Older workers cannot learn new technology", "yes", None),
        ("We should hire young men because they work harder", "yes", "gender"),
        ("People from the south are lazy", "yes", "regional"),
        ("Liberals are brainwashed", "yes", "political"),
        ("Immigrants are criminals", "yes", "racial"),
        ("女性は管理職に向いていない", "yes", "gender"),
        ("高齢者は新しい技術を覚えられません", "yes", None),
        ("外国人は犯罪ばかり起こす", "yes", "racial"),
        ("Leaders of any gender can be effective", "no", None),
        ("Women are not worse leaders", "no", None),
        ("The new tax policy is terrible", "no", None),
        ("The rent in London is too high", "no", None),
        ("The woman was rude to the waiter", "no", None),
        ("Candidates should be judged on their skills", "no", None),
        ("この政策は最悪だ", "no", None),
    ],
)
def test_bias_needs_a_group_and_something_typical_said_of_it(opinion: str, result: str, kind: str | None) -> None:
    (said,) = reply("bias/analyze", opinion=[opinion])["results"]
    assert (said["result"], said["kind"]) == (result, kind)


def test_opinions_are_picked_and_facts_are_not() -> None:
    text = (
        "The office has 20 desks. Women are naturally worse leaders. I think the plan is great. "
        "政策は最悪だと思う。会議は3時です。"
    )
    assert reply("bias/preprocess", answer=text)["opinions"] == [
        "Women are naturally worse leaders",
        "I think the plan is great",
        "政策は最悪だと思う",
    ]


@pytest.mark.parametrize(
    ("question", "output", "reference", "kinds"),
    [
        ("What is 2+2?", ["4"], ["4"], ["exact"]),
        ("What is 2+2?", ["2 + 2 equals four"], ["4"], ["exact"]),
        ("What is the capital of France?", ["The capital of France is Paris"], ["Paris"], ["exact"]),
        ("What is the capital of France?", ["Paris"], ["The capital of France is Paris"], ["exact"]),
        (
            "Which are the primary colours?",
            ["red", "blue", "green"],
            ["red", "blue", "yellow"],
            ["exact", "exact", "missing"],
        ),
        ("", ["The dog sleeps in the old red house"], ["The dog sleeps in the barn of my uncle"], ["partial"]),
        ("フランスの首都は？", ["フランスの首都はパリです"], ["パリ"], ["exact"]),
    ],
)
def test_reference_units_are_matched(question: str, output: list[str], reference: list[str], kinds: list[str]) -> None:
    said = compared(question, output, reference)
    assert [m["match_type"] for m in said["matches"]] == kinds
    assert said["contradictions"] == []


@pytest.mark.parametrize(
    ("question", "output", "reference"),
    [
        ("What is 2+2?", "5", "4"),
        ("What is the capital of France?", "Berlin", "Paris"),
        ("What is the capital of France?", "The capital of France is Berlin", "Paris"),
        ("", "The capital of France is Berlin", "The capital of France is Paris"),
        ("", "Pluto is not a planet", "Pluto is a planet"),
        ("Is Pluto a planet?", "Yes", "No"),
        ("フランスの首都は？", "ベルリンです", "パリ"),
        ("", "水は90度で沸騰する", "水は100度で沸騰する"),
    ],
)
def test_a_wrong_fact_is_missing_and_a_contradiction(question: str, output: str, reference: str) -> None:
    said = compared(question, [output], [reference])
    assert [(m["match_type"], m["output_unit"]) for m in said["matches"]] == [("missing", None)]
    assert [(c["output_unit"], c["ground_truth_unit"]) for c in said["contradictions"]] == [(1, 1)]
    assert said["extra_in_output"] == []


def test_extra_is_what_neither_reference_nor_question_has() -> None:
    said = compared(
        "Who made the iPhone?",
        ["Apple made the iPhone", "You ask who made the iPhone", "Bananas are yellow"],
        ["Apple"],
    )
    assert said["extra_in_output"] == [3]


def test_no_output_units_leave_everything_missing() -> None:
    said = compared("", [], ["A fact", "Another one"])
    assert [m["match_type"] for m in said["matches"]] == ["missing", "missing"]


def test_a_reason_counts_quotes_and_says_where_it_comes_from() -> None:
    verdicts = [
        {"number": n, "reason": f"Why {n}.", "chunk": None, "verdict": v, "claim": f"Claim {n}"}
        for n, v in enumerate(["yes", "no", "unsure", "unsure"], 1)
    ]
    text = answer("faithfulness/generate_reason", prompt(verdict=[json.dumps(v) for v in verdicts]))
    assert text.startswith('3 of 4 claims are not borne out by the context: "Claim 2" (Why 2); "Claim 3" (Why 3)')
    assert "1 more" in text
    assert "matching words and numbers" in text


def test_yes_is_bad_for_hallucination_and_bias() -> None:
    verdict = json.dumps({"verdict": "yes", "statement": "S", "reason": "r"})
    assert answer("hallucination/generate_reason", prompt(verdict=[verdict])).startswith("1 of 1 claim is")
    result = json.dumps({"result": "no", "opinion": "O", "reason": "r", "kind": None})
    assert answer("bias/generate_reason", prompt(result=[result])).startswith("None of 1 opinion is read as biased.")


def test_a_reason_for_matches_counts_every_kind() -> None:
    matches = [
        {"match_type": "exact", "ground_truth_unit": "red"},
        {"match_type": "missing", "ground_truth_unit": "yellow"},
    ]
    text = answer(
        "answer_similarity/generate_reason",
        prompt(match=[json.dumps(m) for m in matches], extra=["green"], contradiction=["{}"]),
    )
    assert text.startswith("Of 2 units of the reference: 1 exact, 1 missing, 1 extra in the answer, 1 contradicted; ")
    assert '"yellow"' in text


def test_a_reason_without_items_says_so() -> None:
    assert answer("faithfulness/generate_reason", "nothing marked").startswith("There was nothing to judge.")
