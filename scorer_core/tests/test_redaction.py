"""What is redacted never reaches the judge, by whatever name a template reaches it."""

import re

import pytest

from scorer_core import Prompts, UsageError
from scorer_core.runs.redaction import redact_of
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

VERDICT = {"verdicts": [{"number": 1, "reason": "r", "verdict": "yes"}]}
ROW = {
    "input": "Who is ann@x.org?",
    "output": [{"role": "assistant", "content": "ann@x.org is Ann."}],
    "context": [{"text": "Ann: ann@x.org", "source": "ann@x.org"}],
    "metadata": {"from": "ann@x.org"},
}


@pytest.fixture
def patterns(tmp_path):
    file = tmp_path / "patterns.toml"
    file.write_text(r"mail = '\S+@\w+\.org'", encoding="utf-8")
    return file


def sent(redact, **how):
    judge = ScriptedJudge(preprocess={"claims": ["a"]}, analyze=VERDICT, generate_reason="So.")
    result = create_faithfulness_scorer(judge, redact=redact, **how).run(**ROW)
    assert result.status == "scored", result.error
    return result, "\n".join(str(m.content) for _, messages in judge.asked for m in messages)


def test_row_text_is_redacted_before_it_is_rendered_by_patterns_and_by_a_function(patterns):
    for redact in (patterns, str(patterns), lambda text: re.sub(r"\S+@\w+\.org", "[mail]", text)):
        result, prompts = sent(redact)
        assert "ann@x.org" not in prompts
        assert "[mail] is Ann." in prompts
        assert result.input == ROW["input"]


def test_what_a_template_reaches_through_the_run_is_redacted_as_well(patterns, tmp_path):
    (tmp_path / "pack/faithfulness").mkdir(parents=True)
    marks = ["run.metadata.from", "run.output", "context[0].metadata.source"]
    template = "".join(f'{{{{ mark("piece", {name}) }}}}' for name in marks) + "{{ answer_shape }}"
    (tmp_path / "pack/faithfulness/analyze.j2").write_text(template, encoding="utf-8")
    _, prompts = sent(patterns, prompts=Prompts(tmp_path / "pack"))
    assert "ann@x.org" not in prompts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mail = 3", "mail: expected a regular expression as a text, got 3; write a name and a pattern a line"),
        ("[patterns]\nmail = 'x'", "patterns: expected a regular expression as a text, got {'mail': 'x'}"),
        ("a = 'x'\nmail = '('", "mail: '(' is no regular expression: missing ), unterminated subpattern"),
        ("", "no pattern; write a name and a pattern a line: card = '"),
        ("[", "is no TOML"),
    ],
)
def test_patterns_that_are_none_are_refused(tmp_path, text, said):
    file = tmp_path / "patterns.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(said)):
        redact_of(file)


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match=r"redact: no/such\.toml"):
        redact_of("no/such.toml")
