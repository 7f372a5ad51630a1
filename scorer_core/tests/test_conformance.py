"""What packs are held to, tried on packs that are right and on packs that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import scorer_bias
import scorer_faithfulness
from scorer_core.testing import PackConformance

EXTENDS = '{% extends "default/faithfulness/analyze.j2" %}'
FAULTS = {
    "nothing_is_wrong": (EXTENDS + "{% block task %}{{ anwser }}{% endblock %}", "uses 'anwser'"),
    "comes_out_as_it_went_in": (EXTENDS + "{% block task %}{{ items | first }}{% endblock %}", "outside of marks"),
    "every_language": (
        EXTENDS + "{% block task %}{% if language == 'Arabic' %}{{ options.kinds }}{% endif %}{% endblock %}", "kinds"
    ),
    "has_the_whole": (EXTENDS + "{% block task %}Judge.{% endblock %}", "the pack has no claims/instructions.j2"),
}  # fmt: skip


def pack(folder: Path, text: str) -> Path:
    (folder / "faithfulness").mkdir()
    (folder / "faithfulness/analyze.j2").write_text(text, encoding="utf-8")
    return folder


def kit(pack, **how):
    """A class of tests as a third party writes it, and its tests by name."""
    made = type("TestOurs", (PackConformance,), {"pack": pack, **how})()
    return {name: getattr(made, name) for name in dir(made) if name.startswith("test_")}


def test_a_pack_that_is_right_passes_all(tmp_path):
    tests = kit(pack(tmp_path, EXTENDS + "{% block task %}Judge.{% endblock %}"), scorers=(scorer_faithfulness.spec,))
    assert len(tests) == 5
    for test in tests.values():
        test()


@pytest.mark.parametrize("what", FAULTS)
def test_a_pack_that_is_wrong_fails_where_it_is_wrong(tmp_path, what):
    text, said = FAULTS[what]
    (test,) = (t for name, t in kit(pack(tmp_path, text), whole=("faithfulness",)).items() if what in name)
    with pytest.raises(Exception, match=said):
        test()


def test_a_pack_that_nothing_reads_fails(tmp_path):
    tests = kit(pack(tmp_path, EXTENDS), scorers=(scorer_bias.spec,), warnings=("nothing reads",))
    tests["test_nothing_is_wrong_with_it"]()
    with pytest.raises(AssertionError, match=r"no template of .* is read by"):
        tests["test_something_of_it_is_read"]()
