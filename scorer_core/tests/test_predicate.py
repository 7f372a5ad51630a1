"""A scorer made of one function."""

from __future__ import annotations

from typing import Annotated

import pytest
from attrs import evolve

from scorer_core import NotScorable, Scorer, Trail, UsageError, check, run_evals, whole


@check(needs=("answer",))
def no_longer_than(trail: Trail, most: Annotated[int, whole(1)], *, of: tuple[str, ...] = (), strict: bool = True):
    """The answer is short.

    More is told here.
    """
    length = len(trail.answer)
    return length <= most, f"{length} characters"


def test_a_call_gives_a_scorer_of_what_the_function_finds():
    result = no_longer_than(3).run(output="four")
    assert (result.score, result.band, result.reason) == (0.0, "failed", "4 characters")
    assert result.analyze_step_result == {"passed": False, "found": "4 characters"}
    assert no_longer_than(4).run(output="four").band == "passed"


def test_its_name_and_docstring_and_parameters_are_those_of_the_scorer():
    spec = no_longer_than.spec
    assert (spec.id, spec.description, spec.needs) == ("no_longer_than", "The answer is short", ("answer",))
    assert no_longer_than.names == ("most", "of", "strict")
    assert no_longer_than(3).run(output=" ").status == "not_scorable"


def test_the_label_tells_the_options_that_are_not_at_their_default():
    assert no_longer_than(3).label == "no_longer_than[most=3]"
    assert (
        no_longer_than(3, strict=False, of=["a b", "c"]).label == 'no_longer_than[most=3,of=["a b", "c"],strict=False]'
    )
    assert Scorer.of(no_longer_than.spec, most=3, label="mine").label == "mine"


def test_two_of_a_kind_are_told_apart_in_one_run():
    report = run_evals([{"output": "four"}], [no_longer_than(3), no_longer_than(4)])
    assert {label: a.mean for label, a in report.scores.items()} == {
        "no_longer_than[most=3]": 0.0,
        "no_longer_than[most=4]": 1.0,
    }


def test_two_that_differ_in_the_scale_alone_are_told_apart_as_well():
    both = [Scorer.of(no_longer_than.spec, most=4, scale=s) for s in (1, 10)]
    assert [*run_evals([{"output": "four"}], both).scores] == [
        "no_longer_than[scale=1,most=4]",
        "no_longer_than[scale=10,most=4]",
    ]


@pytest.mark.parametrize(
    ("args", "options", "told"),
    [
        ((), {}, "no_longer_than needs the option 'most'"),
        ((0,), {}, "most: expected a whole number of 1 or more"),
        ((1, (), True, 4), {}, "takes 3 options, got 4"),
        ((1,), {"of": "ab"}, "'of' must be"),
        ((1,), {"of": [1]}, "'of' must be"),
        ((1,), {"strict": "no"}, "'strict' must be"),
        ((1,), {"strickt": True}, "did you mean 'strict'"),
        ((1,), {"most": 2}, "most is given twice"),
    ],
)
def test_what_does_not_fit_is_refused_when_the_scorer_is_made(args, options, told):
    with pytest.raises(UsageError, match=told):
        no_longer_than(*args, **options)


def test_a_function_may_end_the_walk_as_any_step_may():
    @check()
    def never(trail: Trail):
        """Never."""
        raise NotScorable("there is nothing")

    assert never().run(output="x").reason == "there is nothing"
    assert never().label == "never"


def test_a_share_out_of_range_fails_the_run():
    @check()
    def wild(trail: Trail):
        return 2.0, ""

    assert wild().run(output="x").error.kind == "scorer_error"


@pytest.mark.parametrize("reasons", ["judge", "summary", "none"])
def test_a_reason_that_is_computed_needs_no_template(reasons):
    result = Scorer.of(no_longer_than.spec, most=4, reasons=reasons).run(output="four")
    assert result.reason == (None if reasons == "none" else "4 characters")


def test_a_check_and_its_options_can_be_pickled_by_name():
    import pickle

    import scorer_checks

    scorer = scorer_checks.includes("rain")
    again = pickle.loads(pickle.dumps(scorer))
    assert again == scorer
    assert again.spec is scorer.spec
    with pytest.raises(pickle.PicklingError, match="only the spec that stands as `includes`"):
        pickle.dumps(evolve(scorer.spec, description="another"))
