"""The pack `strict`: it changes single blocks of the plugins' own templates, and nothing around them."""

import pytest
from jinja2 import Environment, nodes

from scorer_core import Prompts
from scorer_core.plugins import SCORERS, installed, load_scorer
from scorer_core.prompting.packs import find_pack
from scorer_core.testing import PackConformance, ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

PACK = find_pack("strict")
IDS = sorted({*installed(SCORERS)} & PACK.manifest.scorers.keys())
TEMPLATES = sorted(name for name in PACK.names() if name.endswith(".j2"))


class TestStrictIsAPack(PackConformance):
    pack = "strict"


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_extends_the_plugins_own_of_its_name_and_changes_rules_and_examples_alone(name):
    tree = Environment(autoescape=False).parse(PACK.source(name))
    extends, *rest = [n for n in tree.body if not isinstance(n, nodes.Output)]
    assert extends.template.value == f"default/{name}"
    assert {block.name for block in rest} <= {"rules", "examples"}
    assert not [n for n in tree.body if isinstance(n, nodes.Output) and n.nodes[0].data.strip()]


@pytest.mark.parametrize("id", IDS)
def test_every_scorer_is_told_to_quote_exactly_and_to_excuse_nothing(id):
    spec = load_scorer(id)
    asks = [("analyze", spec.analyze), *([("analyze", spec.at_once)] if spec.single else [])]
    for step, ask in [*asks, ("generate_reason", spec.generate_reason)]:
        first = Prompts("strict").files(spec, [(step, ask)])[0]
        assert first.pack == "strict"
        assert "exactly" in PACK.source(first.file)
    assert "excuse nothing" in PACK.source(first.file)  # of the reason, the last


def test_claims_are_cut_as_ever_so_that_two_runs_can_be_compared_on_the_same_claims():
    spec = load_scorer("faithfulness")
    assert {file.pack for file in Prompts("strict").files(spec, [("preprocess", spec.preprocess)])} == {"default"}


def test_what_stands_around_the_rules_and_examples_is_the_plugins_own():
    (task, rules, rest), (our_task, our_rules, our_rest) = (parts(prompts=pack) for pack in ("strict", ()))
    assert (task, rest) == (our_task, our_rest)
    assert rules != our_rules
    assert "rounded number does not" in rules


def parts(**how):
    """The task of a prompt, its rules and examples, and all from the shape of the answer on."""
    judge = ScriptedJudge(
        preprocess={"claims": ["The tunnel is about 9 km long."]},
        analyze={"verdicts": [{"number": 1, "reason": 'It says "9.2 km".', "chunk": 1, "verdict": "unsure"}]},
        generate_reason="So.",
    )
    scorer = create_faithfulness_scorer(judge, context=["The tunnel is 9.2 km long."], **how)
    assert scorer.run(output="The tunnel is about 9 km long.").score == 0
    before, _, rest = judge.prompts("analyze")[0].partition("Reply with JSON")
    return *before.split("\n", 1), rest
