"""A folder with one block of one template changes that prompt and its digests in the result, and nothing else."""

from scorer_core import Run
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

EXTENDS = '{% extends "default/faithfulness/analyze.j2" %}'
BLOCK = EXTENDS + "\n{% block task %}\nJudge each claim strictly.\n{% endblock %}\n"
RUN = Run(input="How long?", output="It is 9 km long.", context=["The tunnel is 9 km long."], run_id="r1")


def scored(**how):
    judge = ScriptedJudge(
        preprocess={"claims": ["It is 9 km long."]},
        analyze={"verdicts": [{"number": 1, "reason": "It says so.", "chunk": 1, "verdict": "yes"}]},
        generate_reason="The one claim is supported.",
    )
    told = create_faithfulness_scorer(judge, **how).run(RUN).to_dict()
    for took in (told, *(call for calls in told["judge"].values() for call in calls)):
        took.pop("duration_ms")
    return {k: v for k, v in told.items() if k != "started_at"}


def test_one_block_in_a_folder_changes_the_prompt_and_its_digests_and_nothing_else(tmp_path):
    (tmp_path / "faithfulness").mkdir()
    (tmp_path / "faithfulness/analyze.j2").write_text(BLOCK, encoding="utf-8")
    ours, theirs = scored(), scored(prompts=tmp_path)
    assert {key for key in ours if ours[key] != theirs[key]} == {"analyze_prompt", "templates"}

    first, rest = ours["analyze_prompt"].split("\n", 1)
    assert first == "Decide for each numbered claim whether the context supports it."
    assert theirs["analyze_prompt"] == f"Judge each claim strictly.\n{rest}"

    assert {step for step in ours["templates"] if ours["templates"][step] != theirs["templates"][step]} == {"analyze"}
    files = [(f["pack"], f["file"]) for f in theirs["templates"]["analyze"]]
    assert files == [
        (str(tmp_path), "faithfulness/analyze.j2"),
        ("default", "default/faithfulness/analyze.j2"),
        ("default", "faithfulness/instructions.j2"),
    ]
    assert theirs["templates"]["analyze"][1]["sha256"] == ours["templates"]["analyze"][0]["sha256"]


def test_R016_a_reply_that_a_packs_words_led_astray_is_told_with_the_keys_and_the_template(tmp_path):
    """The template shows one key and the reader needs another: the judge did as told."""
    (tmp_path / "claims").mkdir()
    by_hand = EXTENDS.replace("faithfulness/analyze", "claims/preprocess")
    by_hand += '{% block answer %}\nReply with JSON: {"truths": ["..."]}\n{% endblock %}\n'
    (tmp_path / "claims/preprocess.j2").write_text(by_hand, encoding="utf-8")
    judge = ScriptedJudge(preprocess={"truths": ["Water boils at 100 C."]})
    result = create_faithfulness_scorer(judge, prompts=tmp_path).run(RUN)
    assert (result.status, result.error.kind, result.error.step) == ("failed", "format", "preprocess")
    assert "`claims`" in result.error.message
    assert "truths" in result.error.message
    assert result.error.message.endswith(f"(asked with claims/preprocess.j2 of pack {tmp_path})")

    own = create_faithfulness_scorer(judge).run(RUN)
    assert "asked with" not in own.error.message
