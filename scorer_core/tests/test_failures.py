"""What a model's exception means: told apart by status code and by what it is, never by a provider's classes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace

import pytest

from scorer_core.judging.failures import failure, refuses_structure, scrubbed


class APIError(Exception):
    """As the providers' clients raise them: with a status code, or a response that has one."""

    def __init__(self, said="", status=None, response=None):
        super().__init__(said)
        if status:
            self.status_code = status
        if response:
            self.response = SimpleNamespace(**response)


def kind(error):
    return failure(error, 120).kind


@pytest.mark.parametrize(
    ("status", "said", "expected", "retried"),
    [
        (400, "something is wrong", "server", False),
        (400, "This model's maximum context length is 8192 tokens", "too_long", False),
        (400, "The prompt triggered Azure OpenAI's content management policy", "content_filter", False),
        (401, "Incorrect API key provided", "auth", False),
        (402, "Payment required", "quota", False),
        (403, "Forbidden", "auth", False),
        (404, "The model does not exist", "model_not_found", False),
        (408, "Request timeout", "timeout", True),
        (413, "Request too large", "too_long", False),
        (429, "Too many requests", "rate_limited", True),
        (429, "You exceeded your current quota, insufficient_quota", "quota", False),
        (500, "Internal server error", "server", True),
        (503, "Overloaded", "server", True),
        (529, "overloaded_error", "server", True),
    ],
)
def test_R098_R100_a_status_code_tells_kind_and_retry_wherever_it_stands(status, said, expected, retried):
    caused = RuntimeError("wrapped")
    caused.__cause__ = APIError(said, status)
    for error in (APIError(said, status), APIError(said, response={"status_code": status})):
        assert (failure(error, 120).kind, failure(error, 120).retried) == (expected, retried)
    if expected not in ("too_long", "content_filter", "quota"):
        assert kind(caused) == expected


def test_a_rate_limit_that_mentions_billing_is_no_exhausted_quota():
    """OpenAI's words to accounts of the lowest tier; a stop of the whole run would be wrong."""
    said = (
        "Rate limit reached for gpt-x on requests per min. Limit: 3 / min. Please try again in 20s. Please add a "
        "payment method to your account to increase your rate limit. Visit https://platform.openai.com/account/billing"
    )
    assert kind(APIError(said, 429)) == "rate_limited"


def test_an_empty_account_is_a_quota_error_whatever_its_status():
    """Anthropic's words; every further row would fail alike."""
    said = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
    assert kind(APIError(said, 400)) == "quota"


@pytest.mark.parametrize(
    "error",
    [
        ConnectionResetError("reset by peer"),
        ConnectionRefusedError(),
        type("APIConnectionError", (Exception,), {})("Connection error."),
        type("RemoteProtocolError", (Exception,), {})("peer closed"),
        type("ReadError", (Exception,), {})(""),
    ],
)
def test_R098_a_lost_connection_is_retried(error):
    wrong = failure(error, 120)
    assert (wrong.kind, wrong.retried) == ("server", True)


def test_anything_else_a_model_raises_is_its_fault_and_not_retried():
    wrong = failure(KeyError("choices"), 120)
    assert (wrong.kind, wrong.retried, wrong.message) == ("server", False, "KeyError: 'choices'")


@pytest.mark.parametrize("error", [TimeoutError(), type("APITimeoutError", (Exception,), {})("Request timed out.")])
def test_R087_a_time_out_is_retried_and_tells_its_limit(error):
    wrong = failure(error, 7.5)
    assert (wrong.kind, wrong.retried) == ("timeout", True)
    assert str(error) or wrong.message == "the judge did not answer within 7.5 s"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LengthFinishReasonError", "truncated"),
        ("ContentFilterFinishReasonError", "content_filter"),
        ("ContextOverflowError", "too_long"),
    ],
)
def test_some_errors_tell_by_their_name(name, expected):
    assert kind(type(name, (Exception,), {})("x")) == expected


@pytest.mark.parametrize("header", ["retry-after", "Retry-After"])
def test_the_stated_waiting_time_is_read_as_seconds_or_date(header):
    def waits(value):
        return failure(APIError("slow down", 429, {"status_code": 429, "headers": {header: value}}), 120).wait

    assert waits("7") == 7
    assert waits("0.5") == 0.5
    assert waits("soon") is None
    later = datetime.now(UTC) + timedelta(seconds=30)
    assert 25 < waits(format_datetime(later, usegmt=True)) <= 30
    assert waits(format_datetime(later - timedelta(hours=1), usegmt=True)) == 0


def test_without_a_stated_waiting_time_there_is_none():
    assert failure(APIError("slow down", 429), 120).wait is None


@pytest.mark.parametrize(
    "secret",
    [
        "sk-abcdefghijklmnop",
        "sk-proj-abc_defghijklmnop",
        "sk-ant-api03-abcdefghijk",
        "gsk_abcdefghijklmnop",
        "hf_abcdefghijklmnop",
        "xai-abcdefghijklmnop",
        "AIzaSyA1234567890abcdefghijk",
        "ghp_abcdefghijklmnop",
    ],
)
def test_key_like_strings_are_scrubbed(secret):
    for said in (f"Incorrect API key provided: {secret}.", f"https://host/v1?key={secret}&x=1", f"({secret})"):
        assert secret not in failure(APIError(said, 401), 120).message


@pytest.mark.parametrize(
    "said",
    ["Authorization: Bearer abc123def456", "api_key='a1b2c3d4'", '"password": "hunter22"', "x-api-key: a1b2c3d4"],
)
def test_what_is_called_a_secret_is_scrubbed(said):
    assert not any(s in scrubbed(said) for s in ("abc123def456", "a1b2c3d4", "hunter22"))


def test_what_an_address_is_entered_by_is_scrubbed():
    assert scrubbed("proxy http://user:hunter22@host:80/v1 refused") == "proxy http://[secret]@host:80/v1 refused"
    assert scrubbed(said := "see http://host:80/v1 or write to me@host") == said


def test_the_values_of_the_environments_keys_are_scrubbed(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "plainlookingvalue")
    assert scrubbed("refused plainlookingvalue") == "refused [SOME_API_KEY]"


def test_what_would_end_the_process_is_told_by_its_name():
    wrong = failure(AttributeError("'SystemExit' object has no attribute 'generations'"), 1)
    assert (wrong.kind, wrong.retried) == ("server", False)
    assert wrong.message == "the model raised SystemExit; LangChain does not tell what it said"
    assert "no attribute" in failure(AttributeError("'Reply' object has no attribute 'text'"), 1).message


def test_ordinary_words_are_not_scrubbed():
    said = "the model's maximum is 8192 tokens; see the key points of task-list 12345678"
    assert scrubbed(said) == said


@pytest.mark.parametrize(
    ("error", "refuses"),
    [
        (NotImplementedError(), True),
        (APIError("unknown field response_schema", 400), True),
        (APIError("tool_choice not supported", 400), True),
        (APIError("This model does not support tools", 422), True),
        (APIError("temperature: only the default is supported", 400), False),
        (APIError("maximum context length is 8192 tokens", 400), False),
        (APIError("tools are down", 503), False),
        (ValueError("tools"), False),
    ],
)
def test_R123_a_refusal_of_structured_output_is_told_from_other_errors(error, refuses):
    assert refuses_structure(error) is refuses
