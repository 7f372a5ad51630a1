"""A real ChatOpenAI against a server that fails: each failure ends in the kind that is promised, and is on record."""

import json
import socket
import time

import pytest

from scorer_core import run_evals
from scorer_faithfulness import create_faithfulness_scorer

from .conftest import KEY
from .openai_server import ROW, broken, error, said, slow

WAYS = ("auto", "native", "text")
TEXT = json.dumps({"claims": ["The bridge opened in 1932."]})
LIMITED = error(429, "Rate limit reached for judge-1 on requests per min. Limit: 3.", "rate_limit_exceeded")
NO_QUOTA = error(429, "You exceeded your current quota, check your plan and billing details.", "insufficient_quota")
NO_KEY = error(401, f"Incorrect API key provided: {KEY}. You can find your API key at ...", "invalid_api_key")
FORBIDDEN = error(403, "You are not allowed to sample from this model")
NO_MODEL = error(404, "The model `judge-1` does not exist or you do not have access to it.", "model_not_found")
NO_TEMPERATURE = error(400, "Unsupported value: 'temperature' does not support 0.2 with this model.")
TOO_LONG = error(
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8893 tokens "
    "(8400 in the messages, 493 in the functions). Please reduce the length of the messages or functions.",
    "context_length_exceeded",
)
FILTERED = error(
    400,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    "content_filter",
)
BUSY = error(503, "The server is overloaded, try again later")
BROKEN = error(500, "The server had an error while processing your request")

FINAL = {
    "401": (NO_KEY, "auth"),
    "403": (FORBIDDEN, "auth"),
    "404": (NO_MODEL, "model_not_found"),
    "quota": (NO_QUOTA, "quota"),
    "402": (error(402, "Insufficient Balance"), "quota"),
    "temperature": (NO_TEMPERATURE, "server"),
    "too long": (TOO_LONG, "too_long"),
    "filtered": (FILTERED, "content_filter"),
    "finish filtered": (said("I", "content_filter"), "content_filter"),
    "refused": (said(None, refusal="I can't help with that."), "refusal"),
}
PASSING = {
    "429": (LIMITED, "rate_limited"),
    "500": (BROKEN, "server"),
    "503": (BUSY, "server"),
    "lost": (broken(said(TEXT)), "server"),
}


def score(model, **how):
    return create_faithfulness_scorer(model, **how).run(**ROW)


def first(result):
    return result.judge["preprocess"][0]


@pytest.mark.parametrize("structured", WAYS)
@pytest.mark.parametrize(("answer", "kind"), FINAL.values(), ids=FINAL)
def test_what_no_further_attempt_can_mend_fails_at_once(model, backend, answer, kind, structured):
    backend.always(answer)
    result = score(model, structured=structured)
    assert (result.status, result.error.kind, result.error.step) == ("failed", kind, "preprocess")
    assert (result.score, first(result).attempts, backend.requests) == (None, 1, 1)
    assert first(result).error


@pytest.mark.parametrize("structured", WAYS)
@pytest.mark.parametrize(("answer", "kind"), PASSING.values(), ids=PASSING)
def test_what_may_pass_is_tried_again_and_counted(model, backend, answer, kind, structured):
    backend.tell("preprocess", answer, answer)
    result = score(model, structured=structured)
    assert (result.status, result.score) == ("scored", 1.0)
    assert (first(result).attempts, len(result.judge["preprocess"]), backend.requests) == (3, 1, 5)


@pytest.mark.parametrize(("answer", "kind"), PASSING.values(), ids=PASSING)
def test_what_does_not_pass_fails_after_the_attempts_allowed(model, backend, answer, kind):
    backend.always(answer)
    result = score(model, call_retries=2)
    assert (result.status, result.error.kind) == ("failed", kind)
    assert (first(result).attempts, first(result).reply, backend.requests) == (3, None, 3)


def test_a_server_that_is_not_there_is_tried_again_and_fails_as_server(chat):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # not listening
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        result = score(chat(base_url=url), call_retries=2)
    assert (result.error.kind, first(result).attempts) == ("server", 3)


def test_the_waiting_time_that_the_server_states_is_kept(model, backend):
    backend.tell("preprocess", error(429, "Rate limit reached", retry_after="0.3"))
    before = time.perf_counter()
    result = score(model)
    assert 0.3 <= time.perf_counter() - before < 2
    assert (result.status, first(result).attempts) == ("scored", 2)
    assert first(result).duration_ms >= 300


@pytest.mark.parametrize("stated", ["0", "-5", "soon", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_waiting_time_that_is_past_or_unreadable_does_no_harm(model, backend, stated):
    backend.tell("preprocess", error(429, "Rate limit reached", retry_after=stated))
    assert score(model).status == "scored"


@pytest.mark.parametrize("structured", WAYS)
def test_an_answer_that_takes_too_long_is_tried_again_and_fails_as_timeout(model, backend, structured):
    backend.always(slow(0.6, said(TEXT)))
    result = score(model, timeout=0.15, call_retries=1, structured=structured)
    assert (result.error.kind, first(result).attempts) == ("timeout", 2)
    assert "0.15 s" in result.error.message


def test_a_slow_answer_is_followed_by_a_quick_one(model, backend):
    backend.tell("preprocess", slow(0.6, said(TEXT)))
    result = score(model, timeout=0.3)
    assert (result.status, first(result).attempts) == ("scored", 2)


def test_the_time_limit_of_the_client_itself_is_a_timeout_too(chat, backend):
    backend.always(slow(0.6, said(TEXT)))
    assert score(chat(timeout=0.1), call_retries=0).error.kind == "timeout"


@pytest.mark.parametrize("structured", WAYS)
def test_a_reply_cut_off_at_its_limit_is_not_read_although_it_parses_and_is_asked_for_again(model, backend, structured):
    backend.tell("preprocess", said(TEXT, "length"))
    result = score(model, structured=structured)
    once, again = result.judge["preprocess"]
    assert (result.status, once.reply) == ("scored", TEXT)
    assert "cut off" in again.prompt
    assert result.preprocess_step_result == ["The bridge opened in 1932.", "It is 134 metres high."]


@pytest.mark.parametrize("structured", WAYS)
def test_replies_that_are_always_cut_off_fail_as_truncated_with_what_came_and_what_it_took(model, backend, structured):
    backend.always(said(TEXT, "length"))
    result = score(model, structured=structured, format_retries=1)
    assert (result.status, result.error.kind) == ("failed", "truncated")
    assert [e.reply for e in result.judge["preprocess"]] == [TEXT, TEXT]
    assert result.usage["total_tokens"] == 240


@pytest.mark.parametrize("structured", WAYS)
def test_a_refusal_keeps_its_words_and_what_it_took(model, backend, structured):
    backend.always(said(None, refusal="I can't help with that."))
    result = score(model, structured=structured)
    assert "I can't help with that." in result.error.message
    assert (first(result).reply, result.usage["total_tokens"]) == ("I can't help with that.", 120)


def test_a_filtered_reply_keeps_its_words_and_what_it_took(model, backend):
    backend.always(said("The bri", "content_filter"))
    result = score(model, structured="text")
    assert (first(result).reply, result.usage["total_tokens"]) == ("The bri", 120)


@pytest.mark.parametrize("answer", [TOO_LONG, FILTERED, NO_TEMPERATURE, BROKEN], ids=["long", "filter", "temp", "500"])
def test_a_failure_that_is_not_about_structure_does_not_end_asking_natively(model, backend, answer):
    backend.tell("preprocess", answer)
    score(model, call_retries=0)
    score(model)
    assert backend.native == [True, True, True, False]


def test_a_lost_reason_leaves_the_score(model, backend):
    backend.tell("generate_reason", *[BUSY] * 2)
    result = score(model, call_retries=1)
    assert (result.status, result.score, result.reason) == ("scored", 1.0, None)
    assert any(note.startswith("generate_reason failed (server)") for note in result.notes)


@pytest.mark.parametrize("answer", [NO_KEY, FORBIDDEN, NO_MODEL, NO_QUOTA], ids=["401", "403", "404", "quota"])
def test_what_every_further_row_would_meet_stops_the_run_early(model, backend, answer):
    backend.always(answer)
    rows = [ROW | {"output": f"{ROW['output']} {n}"} for n in range(40)]
    report = run_evals(rows, create_faithfulness_scorer(model), concurrency=3)
    assert report.stopped is not None
    assert report.stopped.kind in ("auth", "model_not_found", "quota")
    assert backend.requests == len(report.results) <= 6


@pytest.mark.parametrize("answer", [TOO_LONG, FILTERED, said("I", "content_filter")], ids=["long", "400", "finish"])
def test_what_is_wrong_with_one_row_leaves_the_others(model, backend, answer):
    backend.tell("preprocess", answer)
    report = run_evals([ROW] * 3, create_faithfulness_scorer(model), concurrency=1)
    assert report.stopped is None
    assert [r.status for r in report.results] == ["failed", "scored", "scored"]


KEYS = ["sk-proj-abc_DEF-123456", "AIzaSyA1234567890abcdefghijk", "gsk_0123456789abcdef", "3f2a9c0d5e6b47f8a1b2c3d4"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("saying", ["Incorrect API key provided: {}.", "Bearer {} is not known", "bad api_key={}"])
def test_a_key_that_the_server_repeats_reaches_no_result(chat, backend, key, saying):
    backend.always(error(401, saying.format(key)))
    result = score(chat(api_key=key))
    assert result.error.kind == "auth"
    assert key not in result.to_json()
    assert backend.headers[0]["authorization"] == f"Bearer {key}"


def test_no_key_is_in_the_result_of_a_scored_row(model):
    result = score(model)
    assert result.status == "scored"
    assert KEY not in result.to_json()
