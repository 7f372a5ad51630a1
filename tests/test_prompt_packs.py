"""Every template of every installed pack keeps what the plugin's own has, and scores Japanese rows with it."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from scorer_core import Prompts, Scorer
from scorer_core.contract.shapes import answer_shape
from scorer_core.plugins import PROMPTS, SCORERS, installed, load_scorer
from scorer_core.prompting.packs import find_pack
from scorer_core.testing import ScriptedJudge

ROOT = Path(__file__).parents[1]
CORE = ROOT / "scorer_core/src/scorer_core"
ROWS = [json.loads(line) for line in (ROOT / "tests/data/japanese/rows.jsonl").read_text("utf-8").splitlines()]
MARK = re.compile(r"<(?P<name>[a-z_]+(?: \d+)?) (?P<id>[0-9a-f]{6,})>(?P<text>.*?)</(?P=id)>", re.S)
CRITERION = "回答は写真を説明している。"
OPTIONS = {  # of scorers that need some
    "classifier": {"question": "回答は写真を説明していますか。"},
    "custom": {"criterion": CRITERION},
    "multi_turn_judge": {"criterion": CRITERION},
    "rubric": {"criteria": CRITERION},
    "noise_sensitivity": {"noisy_query": "今日は雨ですが、写真は？", "baseline_response": "犬がいます。"},
}
QUESTION, WHY = "写真には何が写っていますか。", "資料に同じことが書かれている。"
PACKS = sorted(installed(PROMPTS))
IDS = [id for id in sorted(installed(SCORERS)) if load_scorer(id).asks]
FOR = {pack: [id for id in IDS if id in find_pack(pack).manifest.scorers] for pack in PACKS}
EVERY = pytest.mark.parametrize(("pack", "id"), [(pack, id) for pack in PACKS for id in FOR[pack]])


def script(id, row):
    """What a judge says who finds nothing wrong with `row`: the replies of preprocess, analyze and the single call."""
    text, one = row["output"], {"number": 1, "reason": WHY}
    units = {"output_units": [text], "ground_truth_units": [row["ground_truth"]]}
    match = {"number": 1, "explanation": WHY, "output_unit": 1, "match_type": "exact"}
    faithful, fine = {"reason": WHY, "chunk": 1, "verdict": "yes"}, {"reason": WHY, "chunk": 1, "verdict": "no"}
    unbiased = {"reason": WHY, "result": "no", "kind": None}
    return {
        "faithfulness": (
            {"claims": [text]},
            {"verdicts": [one | faithful]},
            {"verdicts": [faithful | {"claim": text}]},
        ),
        "hallucination": ({"claims": [text]}, {"verdicts": [one | fine]}, {"verdicts": [fine | {"statement": text}]}),
        "bias": ({"opinions": [text]}, {"results": [one | unbiased]}, {"results": [unbiased | {"opinion": text}]}),
        "answer_relevancy": ({"statements": [text]}, {"results": [one | {"reason": WHY, "result": "yes"}]}, None),
        "classifier": (None, {"reason": WHY, "label": "yes", "probability": 1}, None),
        "multi_turn_judge": (None, {"reason": WHY, "satisfied": True}, None),
        "prompt_alignment": (None, aligned(QUESTION), None),
        "rubric": (None, {"criteria": [one | {"satisfied": True}]}, None),
        "summarization": (
            {"alignment": [{"claim": text, "reason": WHY, "supported": True}], "questions": [QUESTION]},
            {"coverage": [one | {"answered": True}]},
            None,
        ),
        "custom": (None, {"verdicts": [one | {"level": "yes"}]}, None),
        "answer_similarity": (units, {"matches": [match], "extra_in_output": [], "contradictions": []}, None),
        "context_precision": (None, {"verdicts": [one | {"reason": WHY, "verdict": "yes"}]}, None),
        "context_recall": ({"claims": [text]}, {"verdicts": [one | faithful]}, None),
        "context_relevance": (
            None,
            {
                "evaluations": [one | {"reasoning": WHY, "relevance_level": "high", "was_used": True}],
                "missing_context": [],
                "overall_assessment": WHY,
            },
            None,
        ),
        "noise_sensitivity": (
            None,
            {
                "dimensions": [
                    {"number": n, "specific_changes": WHY, "noise_influence": WHY, "impact_level": "none"}
                    for n in range(1, 6)
                ],
                "overall_assessment": WHY,
                "major_issues": [],
                "robustness_score": 1,
            },
            None,
        ),
        "toxicity": (None, {"verdicts": [one | {"reason": WHY, "verdict": "no", "kind": None}]}, None),
        "trajectory_accuracy": (
            None,
            {"step_evaluations": [one | {"reason": WHY, "necessary": "yes", "in_order": "yes"}], "missing_steps": []},
            None,
        ),
        "tool_call_accuracy": (
            None,
            {"evaluations": [one | {"reason": WHY, "verdict": "yes"}], "missing_tools": []},
            None,
        ),
    }[id]


def of_agents(id, row):
    """What an agent did to give the output of `row`: one call of a tool."""
    if id not in ("tool_call_accuracy", "trajectory_accuracy"):
        return {}
    call = {"id": "1", "function": {"name": "写真を見る", "arguments": json.dumps({"問い": row["output"]})}}
    return {"output": [{"role": "assistant", "content": row["output"], "tool_calls": [call]}]}


def aligned(intent):
    """A judgement of prompt alignment in which all is well."""
    return {
        "intent_alignment": {"primary_intent": intent, "is_addressed": True, "reasoning": WHY, "score": 1},
        "requirements_fulfillment": {"requirements": [], "overall_score": 1},
        "completeness": {"missing_elements": [], "reasoning": WHY, "score": 1},
        "response_appropriateness": {"format_alignment": True, "tone_alignment": True, "reasoning": WHY, "score": 1},
    }


def rows_for(id):
    source = "jsts" if "ground_truth" in load_scorer(id).needs else "jnli"
    return [row for row in ROWS if row["source"] == source]


@cache
def walked(id, n, **how):
    """The prompts by step of a walk over the n-th row for a scorer, and its result."""
    row, single = rows_for(id)[n], how.get("mode") == "single"
    preprocess, analyze, at_once = script(id, row)
    judge = ScriptedJudge(preprocess=preprocess, analyze=at_once if single else analyze, generate_reason="問題はない。")
    given = {field: row[field] for field in ("output", "context", "ground_truth") if row[field]}
    run = {"context": [row["output"]]} | given | of_agents(id, row)
    result = Scorer.of(load_scorer(id), judge, **how, **OPTIONS.get(id, {})).run(input=QUESTION, **run)
    return {step: [str(m.content) for m in messages] for step, messages in judge.asked}, result


def explaining(id):
    """The steps of a scorer in which its judge gives reasons."""
    return [step for step in ("analyze", "generate_reason") if step in load_scorer(id).asks]


def modes(id):
    return ("steps", "single") if load_scorer(id).single else ("steps",)


def ways(id):
    """The number of each row, with each mode that the scorer has."""
    return [(n, mode) for n in range(len(rows_for(id))) for mode in modes(id)]


def ask_of(id, step, mode):
    spec = load_scorer(id)
    return spec.at_once if mode == "single" and step == "analyze" else spec.asks[step]


def shape_of(id, step, mode):
    ask = ask_of(id, step, mode)
    if ask.reply is str:
        return None
    return answer_shape(ask.reply, ask.menus(load_scorer(id).make_options(OPTIONS.get(id, {}))), ask.open)


def test_both_packs_are_installed_by_their_names():
    assert {"ja", "strict"} <= set(PACKS)


@EVERY
def test_a_pack_says_which_versions_of_a_scorer_it_was_made_for(pack, id):
    manifest = find_pack(pack).manifest
    assert id in manifest.scorers
    assert manifest.fits(id, load_scorer(id).version)


@EVERY
def test_a_walk_over_japanese_rows_scores_them_and_its_templates_are_the_packs(pack, id):
    for n, mode in ways(id):
        _, plain = walked(id, n, mode=mode)
        _, result = walked(id, n, mode=mode, prompts=pack)
        assert (result.status, result.score, result.reason) == ("scored", plain.score, plain.reason)
        assert result.notes == plain.notes
        assert {*explaining(id)} <= result.templates.keys()
        assert all(pack in {file.pack for file in result.templates[step]} for step in explaining(id))


@EVERY
def test_every_prompt_marks_the_same_texts_in_the_same_order_and_leaves_them_as_they_are(pack, id):
    for n, mode in ways(id):
        ours, _ = walked(id, n, mode=mode)
        theirs, _ = walked(id, n, mode=mode, prompts=pack)
        assert list(ours) == list(theirs)
        for step in ours:
            marked = [(m["name"], m["text"]) for m in MARK.finditer(ours[step][1])]
            assert marked
            assert [(m["name"], m["text"]) for m in MARK.finditer(theirs[step][1])] == marked


@EVERY
def test_every_prompt_asks_for_the_same_shape_and_tells_each_word_of_its_menus(pack, id):
    for n, mode in ways(id):
        ours, _ = walked(id, n, mode=mode)
        theirs, _ = walked(id, n, mode=mode, prompts=pack)
        for step in theirs:
            if shape := shape_of(id, step, mode):
                before, _, after = theirs[step][1].partition(shape)
                assert after, f"{pack}, {id}, {step}: no answer shape"
                told = ours[step][1].partition(shape)[0]
                menu = {word for word in re.findall(r'"(\w+)"(?!:)', shape) if word_in(word, told)}
                assert {word for word in menu if not word_in(word, before)} == set()


def word_in(word, text):
    return re.search(rf"(?<![A-Za-z_]){word}(?![A-Za-z_])", text)


@EVERY
def test_what_never_changes_stands_before_the_row_and_one_line_behind_it(pack, id):
    for n, mode in ways(id):
        for step, (instructions, prompt) in walked(id, n, mode=mode, prompts=pack)[0].items():
            first, *_, last = (*MARK.finditer(prompt), *MARK.finditer(prompt))
            assert rows_for(id)[n]["output"] not in instructions
            assert prompt.find(shape_of(id, step, mode) or "") < first.start()
            assert len(prompt[last.end() :].strip().splitlines()) == 1


@EVERY
def test_a_reason_without_a_call_tells_the_texts_of_the_row(pack, id):
    _, result = walked(id, 0, prompts=pack, reasons="summary")
    assert result.reason
    assert result.reason.count("\n") <= 1


@EVERY
def test_the_language_asked_for_goes_into_every_reason(pack, id):
    for n, mode in ways(id):
        prompts, _ = walked(id, n, mode=mode, prompts=pack, language="Kiswahili")
        assert all("Kiswahili" in prompts[step][1] for step in explaining(id))


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("language", ["chinese", "Chinese", "zh", "zh-CN", "Chnese"])
def test_R044_a_language_is_asked_for_as_it_was_written(language, id):
    for mode in modes(id):
        prompts, result = walked(id, 0, mode=mode, language=language)
        assert result.status == "scored"
        for step in explaining(id):
            assert f"in {language}" in prompts[step][1]
            assert "in the language of" not in prompts[step][1]
        assert shape_of(id, "analyze", mode) in prompts["analyze"][1]


@pytest.mark.parametrize("id", IDS)
def test_R045_a_folder_with_templates_for_two_scorers_leaves_the_others_their_own(id, tmp_path):
    theirs = {"bias", "faithfulness"}
    for name in theirs:
        file = f"{name}/generate_reason.j2"
        (tmp_path / name).mkdir()
        (tmp_path / file).write_text(own_source(file).replace("Explain the score", "اشرح"), encoding="utf-8")
    prompts, result = walked(id, 0, prompts=str(tmp_path), language="Arabic")
    told = {step: [(file.pack, len(file.sha256)) for file in files] for step, files in result.templates.items()}
    own = [("default", 64)] * 2
    assert told["analyze"] == own
    if "generate_reason" in explaining(id):
        assert told["generate_reason"] == ([(str(tmp_path), 64), own[0]] if id in theirs else own)
        assert ("اشرح" in prompts["generate_reason"][1]) == (id in theirs)
        assert "in Arabic" in prompts["generate_reason"][1]
    assert shape_of(id, "analyze", "steps") in prompts["analyze"][1]


@EVERY
def test_blocks_stand_in_the_order_of_the_plugins_own(pack, id):
    spec = load_scorer(id)
    asks = [*spec.asks.items(), *([("analyze", spec.at_once)] if spec.single else [])]
    for file in Prompts(pack).files(spec, asks, summary="generate_reason" in spec.asks):
        if file.pack == pack and (own := own_source(file.file)):
            tree, mine = parsed(own), parsed(find_pack(pack).source(file.file))
            if mine.find(nodes.Extends):
                assert set(blocks(mine)) <= set(blocks(tree)), file.file
            else:
                assert blocks(mine) == blocks(tree), file.file


def own_source(name):
    """The plugin's own template of that name; None for a file that only a pack has."""
    folder, file = name.split("/")
    homes = [ROOT / f"scorer_plugins/scorers/{folder}/src/scorer_{folder}/templates", CORE / "templates" / folder]
    return next((path.read_text("utf-8") for home in homes if (path := home / file).is_file()), None)


def parsed(source):
    return Environment(autoescape=False).parse(source)


def blocks(tree):
    return [block.name for block in tree.find_all(nodes.Block)]
