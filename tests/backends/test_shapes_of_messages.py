"""Messages in the shapes that LangChain's packages deliver, each read as words, stop, refusal and usage.

Written by hand after the source of the packages named at each part; none of them is needed to run this.
"""

import json
from typing import Any

import pytest
from attrs import field, frozen
from langchain_core.messages import AIMessage, AIMessageChunk

from scorer_core.judging.chat import reply_of

ARGS = {"claims": ["橋は1932年に開通した。"]}
TEXT = json.dumps(ARGS, ensure_ascii=False)
CALL = {"name": "Claims", "args": ARGS, "id": "c1", "type": "tool_call"}
USAGE = {"input_tokens": 120, "output_tokens": 40, "total_tokens": 160}
DETAILED = USAGE | {"input_token_details": {"cache_read": 100}, "output_token_details": {"reasoning": 30}}


@frozen
class Shape:
    """A message, and what is to be read from it."""

    message: AIMessage
    words: str = TEXT
    called: bool = False
    truncated: bool = False
    refused: str | None = None
    answered_by: str | None = None
    usage: Any = field(default=DETAILED)


# langchain-anthropic 1.7.10, ChatAnthropic._format_output: one text alone is a str, else the API's blocks;
# response_metadata is the API's answer without content, with model_name for model.
# Stop reasons: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
def anthropic(content: Any, stop: str, told: Any = None, **more: Any) -> AIMessage:
    metadata = {"id": "msg_1", "model": "claude-x", "model_name": "claude-x", "model_provider": "anthropic"}
    metadata |= {"stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 20}, **(told or {})}
    return AIMessage(content, response_metadata=metadata, usage_metadata=DETAILED, **more)


THINKING = {"type": "thinking", "thinking": 'No claims? {"claims": []}', "signature": "Eqo="}
REDACTED = {"type": "redacted_thinking", "data": "EmwK"}
TOOL_USE = {"type": "tool_use", "id": "c1", "name": "Claims", "input": ARGS}
LED_BY = {"type": "text", "text": "I'll list them."}
CITED = [{"type": "text", "text": TEXT[:9], "citations": []}, {"type": "text", "text": TEXT[9:]}]
NOTHING_SAID = {"stop_details": {"type": "refusal", "category": "cyber", "explanation": "This is about weapons."}}
ANTHROPIC = {
    "text": Shape(anthropic(TEXT, "end_turn"), answered_by="claude-x"),
    "thoughts and text": Shape(
        anthropic([THINKING, REDACTED, {"type": "text", "text": TEXT}], "end_turn"), answered_by="claude-x"
    ),
    "text with citations": Shape(anthropic(CITED, "end_turn"), answered_by="claude-x"),
    "a tool": Shape(
        anthropic([THINKING, LED_BY, TOOL_USE], "tool_use", tool_calls=[CALL]), called=True, answered_by="claude-x"
    ),
    "cut off": Shape(anthropic(TEXT, "max_tokens"), truncated=True, answered_by="claude-x"),
    "cut off at the window": Shape(
        anthropic(TEXT, "model_context_window_exceeded"), truncated=True, answered_by="claude-x"
    ),
    "a tool cut off": Shape(
        anthropic([TOOL_USE], "max_tokens", tool_calls=[CALL]), called=True, truncated=True, answered_by="claude-x"
    ),
    "nothing but thoughts, cut off": Shape(
        anthropic([THINKING], "max_tokens"), words="", truncated=True, answered_by="claude-x"
    ),
    "refused": Shape(anthropic("I can't.", "refusal"), words="I can't.", refused="refusal", answered_by="claude-x"),
    "refused with details only": Shape(
        anthropic([], "refusal", NOTHING_SAID),
        words="This is about weapons.", refused="refusal", answered_by="claude-x",
    ),
}  # fmt: skip


# langchain-google-genai 4.4.3, _response_to_result and _parse_response_candidate: finish_reason is the enum's name;
# a blocked prompt has no candidate, and gives an empty message with prompt_feedback.
def google(content: Any, finish: str | None, **more: Any) -> AIMessage:
    metadata = {
        "finish_reason": finish,
        "model_name": "gemini-x",
        "safety_ratings": [],
        "model_provider": "google_genai",
    }
    return AIMessage(content, response_metadata=metadata, usage_metadata=DETAILED, **more)


BLOCKED = {"model_provider": "google_genai", "prompt_feedback": {"block_reason": "PROHIBITED_CONTENT"}}
GOOGLE_CALL = {"function_call": {"name": "Claims", "arguments": json.dumps(ARGS)}}
GOOGLE = {
    "text": Shape(google(TEXT, "STOP"), answered_by="gemini-x"),
    "thoughts and text": Shape(
        google([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": TEXT}], "STOP"),
        answered_by="gemini-x",
    ),
    "thoughts and plain text": Shape(
        google([{"type": "thinking", "thinking": "Hm."}, TEXT], "STOP"), answered_by="gemini-x"
    ),
    "text with a signature": Shape(
        google([{"type": "text", "text": TEXT, "extras": {"signature": "x"}}], "STOP"), answered_by="gemini-x"
    ),
    "a tool": Shape(
        google("", "STOP", tool_calls=[CALL], additional_kwargs=GOOGLE_CALL), called=True, answered_by="gemini-x"
    ),
    "cut off": Shape(google(TEXT, "MAX_TOKENS"), truncated=True, answered_by="gemini-x"),
    **{
        finish: Shape(google("", finish), words="", refused="content_filter", answered_by="gemini-x")
        for finish in ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII")
    },
    "a broken call": Shape(google("", "MALFORMED_FUNCTION_CALL"), words="", answered_by="gemini-x"),
    "prompt blocked": Shape(
        AIMessage("", response_metadata=BLOCKED), words="", refused="content_filter", usage=None
    ),
}  # fmt: skip


# langchain-aws 1.9.1, ChatBedrockConverse._parse_response: response_metadata is Converse's answer in its own camelCase;
# ChatBedrock._generate: response_metadata with stop_reason. Stop reasons:
# https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html
def converse(content: Any, stop: str, **more: Any) -> AIMessage:
    metadata = {"ResponseMetadata": {"HTTPStatusCode": 200}, "stopReason": stop, "metrics": {"latencyMs": [609]}}
    metadata |= {"model_provider": "bedrock_converse", "model_name": "anthropic.claude-x"}
    return AIMessage(content, response_metadata=metadata, usage_metadata=DETAILED, **more)


def bedrock(content: Any, stop: str) -> AIMessage:
    metadata = {"usage": {}, "stop_reason": stop, "model_id": "anthropic.claude-x", "model_name": "anthropic.claude-x"}
    return AIMessage(content, response_metadata=metadata, usage_metadata=DETAILED)


REASONING = {"type": "reasoning_content", "reasoning_content": {"text": '{"claims": []}', "signature": "x"}}
BEDROCK = {
    "text": Shape(converse(TEXT, "end_turn")),
    "thoughts and text": Shape(converse([REASONING, {"type": "text", "text": TEXT}], "end_turn")),
    "a tool": Shape(converse([TOOL_USE], "tool_use", tool_calls=[CALL]), called=True),
    "cut off": Shape(converse(TEXT, "max_tokens"), truncated=True),
    "cut off at the window": Shape(converse(TEXT, "model_context_window_exceeded"), truncated=True),
    "a tool cut off": Shape(converse([TOOL_USE], "max_tokens", tool_calls=[CALL]), called=True, truncated=True),
    "guardrail": Shape(
        converse("Sorry, I can't.", "guardrail_intervened"), words="Sorry, I can't.", refused="content_filter"
    ),
    "filtered": Shape(converse([], "content_filtered"), words="", refused="content_filter"),
    "refused": Shape(converse("No.", "refusal"), words="No.", refused="refusal"),
    "invoked: text": Shape(bedrock(TEXT, "end_turn")),
    "invoked: cut off": Shape(bedrock(TEXT, "max_tokens"), truncated=True),
}


# langchain-ollama 1.1.0, ChatOllama._agenerate: done_reason stop, length or load; thoughts in additional_kwargs.
def ollama(content: str, done: str, **more: Any) -> AIMessage:
    metadata = {"model": "qwen3:8b", "created_at": "2026-07-08", "done": True, "done_reason": done, "eval_count": 40}
    metadata |= {"model_name": "qwen3:8b", "model_provider": "ollama"}
    return AIMessage(content, response_metadata=metadata, usage_metadata=USAGE, **more)


THOUGHTS = {"reasoning_content": '{"claims": []}'}
OLLAMA = {
    "text": Shape(ollama(TEXT, "stop"), usage=USAGE),
    "text with thoughts": Shape(ollama(TEXT, "stop", additional_kwargs=THOUGHTS), usage=USAGE),
    "a tool": Shape(ollama("", "stop", tool_calls=[CALL]), called=True, usage=USAGE),
    "cut off": Shape(ollama(TEXT, "length"), truncated=True, usage=USAGE),
    "cut off in its thoughts": Shape(
        ollama("", "length", additional_kwargs=THOUGHTS), words="", truncated=True, usage=USAGE
    ),
}


# langchain-openai 1.7.4, BaseChatOpenAI._create_chat_result and _construct_lc_result_from_responses_api; vLLM's and
# DeepSeek's reasoning_content reaches additional_kwargs by way of other packages (langchain-core 1.8.3, base.py).
def openai(content: Any, finish: str, **more: Any) -> AIMessage:
    metadata = {
        "finish_reason": finish,
        "model_name": "o-x",
        "system_fingerprint": "fp",
        "token_usage": {},
        "logprobs": None,
    }
    return AIMessage(content, response_metadata=metadata, usage_metadata=DETAILED, **more)


def responses(content: list[Any], incomplete: str | None = None, **more: Any) -> AIMessage:
    metadata: dict[str, Any] = {"id": "resp_1", "model": "o-x", "model_name": "o-x", "model_provider": "openai"}
    metadata |= {"status": "incomplete", "incomplete_details": {"reason": incomplete}} if incomplete else {}
    return AIMessage(content, response_metadata={"status": "completed", **metadata}, usage_metadata=DETAILED, **more)


SUMMARY = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": '{"claims": []}'}]}
OUTPUT = {"type": "text", "text": TEXT, "annotations": [], "id": "msg_1"}
FUNCTION = {"type": "function_call", "name": "Claims", "arguments": TEXT, "call_id": "c1", "id": "fc_1"}
REFUSAL = {"type": "refusal", "refusal": "I can't help with that.", "id": "msg_1"}
BROKEN = {"name": "Claims", "args": '{"claims": ["a', "id": "c1", "error": "not JSON", "type": "invalid_tool_call"}
OPENAI = {
    "text": Shape(openai(TEXT, "stop")),
    "text with thoughts": Shape(openai(TEXT, "stop", additional_kwargs=THOUGHTS)),
    "a tool": Shape(openai("", "tool_calls", tool_calls=[CALL]), called=True),
    "a broken tool call": Shape(
        openai("", "tool_calls", invalid_tool_calls=[BROKEN]), words=BROKEN["args"], called=True
    ),
    "a tool that ends as stop": Shape(openai("", "stop", tool_calls=[CALL]), called=True),
    "cut off": Shape(openai(TEXT, "length"), truncated=True),
    "cut off in its thoughts": Shape(openai("", "length", additional_kwargs=THOUGHTS), words="", truncated=True),
    "filtered": Shape(openai("The", "content_filter"), words="The", refused="content_filter"),
    "refused": Shape(
        openai("", "stop", additional_kwargs={"refusal": "I can't help with that."}),
        words="I can't help with that.", refused="refusal",
    ),
    "not refused": Shape(openai(TEXT, "stop", additional_kwargs={"refusal": None, "parsed": ARGS})),
    "responses: text": Shape(responses([SUMMARY, OUTPUT])),
    "responses: a tool": Shape(responses([SUMMARY, FUNCTION], tool_calls=[CALL]), called=True),
    "responses: cut off": Shape(responses([SUMMARY, OUTPUT], "max_output_tokens"), truncated=True),
    "responses: cut off in its thoughts": Shape(responses([SUMMARY], "max_output_tokens"), words="", truncated=True),
    "responses: filtered": Shape(responses([OUTPUT], "content_filter"), refused="content_filter"),
    "responses: refused": Shape(responses([REFUSAL]), words="I can't help with that.", refused="refusal"),
}  # fmt: skip


# langchain-core 1.8.3, messages/content.py: content_blocks, the content itself where a model has output_version="v1".
def blocks(*content: Any, stop: Any = None, **more: Any) -> AIMessage:
    metadata = {"output_version": "v1", "model_name": "o-x", "model_provider": "openai", **(stop or {})}
    return AIMessage(list(content), response_metadata=metadata, usage_metadata=DETAILED, **more)


THOUGHT = {"type": "reasoning", "reasoning": '{"claims": []}', "extras": {"signature": "x"}}
SPOKEN = {"type": "text", "text": TEXT, "annotations": []}
V1 = {
    "text": Shape(blocks(SPOKEN, stop={"finish_reason": "stop"})),
    "thoughts and text": Shape(blocks(THOUGHT, SPOKEN)),
    "a tool": Shape(blocks(THOUGHT, CALL, stop={"stop_reason": "tool_use"}, tool_calls=[CALL]), called=True),
    "foreign blocks": Shape(blocks({"type": "non_standard", "value": {"text": "x"}}, SPOKEN)),
    "cut off": Shape(blocks(SPOKEN, stop={"stop_reason": "max_tokens"}), truncated=True),
    "refused": Shape(
        blocks({"type": "refusal", "refusal": "No."}, stop={"stop_reason": "refusal"}), words="No.", refused="refusal"
    ),
    "refused by a block alone": Shape(blocks({"type": "refusal", "refusal": "No."}), words="No.", refused="refusal"),
    "refused without words": Shape(blocks({"type": "refusal", "refusal": ""}), words="", refused="refusal"),
}

ALL = {"anthropic": ANTHROPIC, "google": GOOGLE, "bedrock": BEDROCK, "ollama": OLLAMA, "openai": OPENAI, "v1": V1}
SHAPES = {f"{package}: {name}": shape for package, shapes in ALL.items() for name, shape in shapes.items()}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_message_is_read_as_its_package_means_it(shape):
    reply = reply_of(shape.message)
    assert (reply.words, reply.called) == (shape.words, shape.called)
    assert (reply.truncated, reply.refused) == (shape.truncated, shape.refused)
    assert reply.usage == shape.usage
    assert reply.answered_by == shape.answered_by or shape.answered_by is None


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_content_blocks_say_the_same_as_the_content_they_stand_for(shape):
    translated = AIMessage(
        shape.message.content_blocks,
        tool_calls=shape.message.tool_calls,
        invalid_tool_calls=shape.message.invalid_tool_calls,
        additional_kwargs=shape.message.additional_kwargs,
        response_metadata=shape.message.response_metadata,
        usage_metadata=shape.message.usage_metadata,
    )
    reply = reply_of(translated)
    assert (reply.words, reply.truncated, reply.refused) == (shape.words, shape.truncated, shape.refused)


def test_the_chunks_of_a_stream_give_the_argument_text_as_it_came():
    said = ['{"claims": ["a', '", "b"']
    chunks = [
        AIMessageChunk("", tool_call_chunks=[{"name": "Claims", "args": said[0], "id": "c1", "index": 0}]),
        AIMessageChunk("", tool_call_chunks=[{"name": None, "args": said[1], "id": None, "index": 0}]),
        AIMessageChunk("", response_metadata={"finish_reason": "length"}, usage_metadata=USAGE),
    ]
    merged = chunks[0] + chunks[1] + chunks[2]
    assert merged.tool_calls[0]["args"] == {"claims": ["a", "b"]}  # completed by LangChain
    reply = reply_of(merged)
    assert (reply.words, reply.called, reply.truncated, reply.usage) == ("".join(said), True, True, USAGE)
