"""A real ChatOpenAI against a server on loopback: what is sent, and how answers of every kind are read."""

import json

import pytest
from langchain_openai.chat_models.base import BaseChatOpenAI

from scorer_answer_similarity import create_answer_similarity_scorer
from scorer_bias import create_bias_scorer
from scorer_core import run_evals
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer

from .openai_server import ROW, broken, called, error, said, streamed, words

CLAIMS = {"claims": ["The bridge opened in 1932."]}
TEXT = json.dumps(CLAIMS)
WAYS = ("auto", "native", "text")
NO_SCHEMA = error(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.")
quiet_about_schemas = pytest.mark.filterwarnings("ignore:This model does not support OpenAI's structured output")


@pytest.fixture
def calling(chat):
    """A model whose structured output is a tool call, as that of providers with an OpenAI-compatible API often is."""
    return chat(BaseChatOpenAI)


def score(model, **how):
    return create_faithfulness_scorer(model, **how).run(**ROW)


def first(result):
    """The first call to the judge."""
    return result.judge["preprocess"][0]


@pytest.mark.parametrize("structured", WAYS)
@pytest.mark.parametrize(
    ("create", "expected"),
    [
        (create_faithfulness_scorer, 1.0),
        (create_hallucination_scorer, 0.0),
        (create_bias_scorer, 0.0),
        (create_answer_similarity_scorer, 1.0),
    ],
)
def test_every_scorer_scores_in_every_way_of_asking(model, create, expected, structured):
    result = create(model, structured=structured).run(**ROW)
    assert (result.status, result.score, result.reason) == ("scored", expected, "As the context says.")


@pytest.mark.parametrize(("structured", "native"), [("auto", True), ("native", True), ("text", False)])
def test_a_schema_is_sent_where_structured_output_is_asked_for_and_never_for_prose(model, backend, structured, native):
    score(model, structured=structured)
    assert backend.native == [native, native, False]


def test_no_parameter_is_added_to_the_request(model, calling, backend):
    score(model)
    score(calling)
    sent = {name for body in backend.bodies for name, value in body.items() if value is not False}
    assert sent == {"model", "messages", "response_format", "tools", "tool_choice"}


def test_parameters_of_the_user_are_sent(model, backend):
    score(model.model_copy(update={"temperature": 0.0, "max_tokens": 500}))
    assert all(body["temperature"] == 0.0 and body["max_completion_tokens"] == 500 for body in backend.bodies)


def test_the_metadata_of_a_call_never_leaves_the_machine(model, backend):
    score(model)
    for body in backend.bodies:
        assert not {"metadata", "user", "store"} & body.keys()
        assert "claims/preprocess" not in json.dumps(body)
        assert '"scorer"' not in json.dumps(body)


@pytest.mark.parametrize("structured", WAYS)
def test_a_result_tells_who_answered_and_what_it_took(model, structured):
    result = score(model, structured=structured)
    call = first(result)
    assert (call.model, call.answered_by, call.fingerprint) == ("judge-1", "judge-1-2026", "fp_1")
    assert (call.attempts, call.cached, call.repairs, call.error) == (1, False, (), None)
    assert json.loads(call.reply)["claims"] == ["The bridge opened in 1932.", "It is 134 metres high."]
    assert result.usage == {
        "input_tokens": 300,
        "output_tokens": 60,
        "total_tokens": 360,
        "input_token_details": {"cache_read": 192},
        "output_token_details": {"reasoning": 24},
    }


def test_a_server_that_tells_no_usage_leaves_it_open(model, backend):
    answer = said(TEXT)
    del answer.body["usage"]
    backend.tell("preprocess", answer)
    assert first(score(model)).usage is None


def test_a_tool_call_is_read(calling, backend):
    backend.tell("preprocess", called(CLAIMS))
    result = score(calling)
    assert (result.status, result.preprocess_step_result) == ("scored", CLAIMS["claims"])
    assert json.loads(first(result).reply) == CLAIMS
    assert [b["tool_choice"]["function"]["name"] for b in backend.bodies[:2]] == ["Claims", "Verdicts"]


READ = {
    "fenced": f"Here it is:\n```json\n{TEXT}\n```",
    "behind thoughts": f'<think>Not {{"claims": []}}, I think.</think>\n{TEXT}',
    "in parts": [{"type": "text", "text": TEXT[:10]}, {"type": "text", "text": TEXT[10:]}],
    "in parts with a thought": [{"type": "thinking", "thinking": '{"claims": []}'}, {"type": "text", "text": TEXT}],
}


@pytest.mark.parametrize("structured", WAYS)
@pytest.mark.parametrize("content", READ.values(), ids=READ)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_content_is_read_in_the_shapes_models_give_it(model, backend, content, structured):
    backend.tell("preprocess", said(content))
    result = score(model, structured=structured)
    assert (result.status, result.preprocess_step_result) == ("scored", CLAIMS["claims"])
    assert len(result.judge["preprocess"]) == 1


@pytest.mark.parametrize("structured", WAYS)
@pytest.mark.parametrize("content", ["", None, "I list no claims today."])
def test_a_reply_without_json_is_asked_for_again_with_what_was_wrong(model, backend, content, structured):
    backend.tell("preprocess", said(content))
    result = score(model, structured=structured)
    once, again = result.judge["preprocess"]
    assert result.status == "scored"
    assert once.reply == (content or "")
    assert "no JSON object with `claims` was found" in again.prompt
    assert backend.last(1) == again.prompt


@pytest.mark.parametrize("structured", WAYS)
def test_what_never_fits_fails_as_format_with_the_last_reply(model, backend, structured):
    backend.tell("preprocess", *[said("No.")] * 3)
    result = score(model, structured=structured)
    assert (result.status, result.error.kind, result.error.step) == ("failed", "format", "preprocess")
    assert "'No.'" in result.error.message
    assert backend.requests == 3


@quiet_about_schemas
def test_auto_falls_back_to_text_at_the_first_refusal_and_remembers_it(model, backend):
    backend.tell("preprocess", NO_SCHEMA)
    assert score(model).status == "scored"
    assert backend.native == [True, False, False, False]
    assert score(model).status == "scored"
    assert backend.native[4:] == [False, False, False]


@pytest.mark.parametrize(
    "message",
    [
        "This model does not support tools.",
        "tool_choice is not supported",
        "function calling is not enabled for this model",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
)
def test_auto_falls_back_to_text_where_tools_are_refused(calling, backend, message):
    backend.tell("preprocess", error(400, message))
    assert score(calling).status == "scored"
    assert backend.native == [True, False, False, False]


@quiet_about_schemas
def test_another_instance_of_the_model_is_asked_natively_again(model, backend):
    backend.tell("preprocess", NO_SCHEMA)
    score(model)
    score(model.model_copy())
    assert backend.native[4:] == [True, True, False]


def test_one_reply_that_does_not_fit_is_no_refusal_of_structured_output(model, backend):
    backend.tell("preprocess", said('{"claim": "a"}'))
    result = score(model)
    assert result.status == "scored"
    assert len(result.judge["preprocess"]) == 2
    assert backend.native[:3] == [True, True, True]


@quiet_about_schemas
def test_native_that_is_forced_does_not_fall_back(model, backend):
    backend.always(NO_SCHEMA)
    result = score(model, structured="native")
    assert (result.status, result.error.kind) == ("failed", "server")
    assert backend.native == [True]


def test_a_model_that_ignores_the_tool_is_asked_in_text_from_then_on(calling, backend):
    backend.tell("preprocess", said("I'd rather talk."))
    result = score(calling)
    assert result.status == "scored"
    assert backend.native == [True, False, False, False]


def test_a_model_that_answers_json_instead_of_the_tool_is_understood(calling, backend):
    backend.tell("preprocess", said(TEXT))
    result = score(calling)
    assert (result.status, result.preprocess_step_result) == ("scored", CLAIMS["claims"])
    assert backend.requests == 3


@pytest.mark.parametrize("arguments", ['{"claims": ["The bridge', '{"claims": ["a"]', "claims: a"])
def test_broken_arguments_of_a_tool_call_are_never_completed(calling, backend, arguments):
    backend.tell("preprocess", called(arguments))
    result = score(calling)
    once, again = result.judge["preprocess"]
    assert (result.status, once.reply) == ("scored", arguments)
    assert again.reply != arguments


@pytest.mark.parametrize("structured", ["auto", "text"])
def test_a_model_set_to_stream_is_asked_in_text(model, backend, structured):
    result = score(model.model_copy(update={"streaming": True}), structured=structured)
    assert (result.status, result.score) == ("scored", 1.0)
    assert backend.native == [False, False, False]
    assert all(body["stream"] for body in backend.bodies)
    assert first(result).answered_by == "judge-1-2026"


def test_a_model_set_to_stream_does_not_stream_a_tool_call_that_is_asked_for(calling, backend):
    result = score(calling.model_copy(update={"streaming": True}), structured="native")
    assert (result.status, result.score) == ("scored", 1.0)
    assert [(native, body["stream"]) for native, body in zip(backend.native, backend.bodies, strict=True)] == [
        (True, False),
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("finish", ["length", "tool_calls", "stop"])
def test_a_tool_call_that_is_cut_off_is_never_completed(calling, backend, finish, streaming):
    cut = '{"claims": ["The bridge opened in 1932.", "It is'
    backend.tell("preprocess", *[called(cut, finish)] * 3)
    result = score(calling.model_copy(update={"streaming": streaming}), structured="native")
    assert (result.status, result.error.kind, first(result).reply) == ("failed", "truncated", cut)


@pytest.mark.parametrize("finish", ["length", None])
def test_a_text_cut_off_in_the_stream_is_asked_for_again(model, backend, finish):
    backend.tell("preprocess", streamed(*words(TEXT[:-4]), finish=finish))
    result = score(model.model_copy(update={"streaming": True}))
    assert result.status == "scored"
    assert [e.reply == TEXT[:-4] for e in result.judge["preprocess"]] == [True, False]


def test_a_stream_whose_connection_is_lost_is_tried_again(model, backend):
    backend.tell("preprocess", broken(streamed(*words(TEXT))))
    result = score(model.model_copy(update={"streaming": True}))
    assert (result.status, first(result).attempts) == ("scored", 2)


def test_two_claim_scorers_of_one_row_pay_for_the_claims_once(model, backend):
    report = run_evals([ROW], [create_faithfulness_scorer(model), create_hallucination_scorer(model)])
    assert [r.judge["preprocess"][0].cached for r in report.results].count(True) == 1
    assert backend.requests == 5
