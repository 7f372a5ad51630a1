"""Question, answer and tool results out of what users pass."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage

from scorer_core import Run, extract_tool_results, messages_of
from scorer_core.runs.messages import said


def texts(**fields):
    found = said(Run(**fields))
    return found.question, found.answer


TALK = [("human", "Capital of Peru?"), ("ai", "Lima."), ("human", "Of Chile?"), ("ai", "Santiago.")]
OPENAI = [{"role": {"human": "user", "ai": "assistant"}[r], "content": c} for r, c in TALK]
LANGCHAIN = [(HumanMessage if r == "human" else AIMessage)(c) for r, c in TALK]


def stored(role, text, **content):
    """A message as Mastra stores it."""
    return {"id": "1", "role": role, "content": {"format": 2, "parts": [{"type": "text", "text": text}], **content}}


STORED = [stored("user" if r == "human" else "assistant", c) for r, c in TALK]


@pytest.mark.parametrize("talk", [TALK, OPENAI, LANGCHAIN, STORED], ids=["tuples", "openai", "langchain", "mastra"])
def test_every_form_gives_the_last_answer_and_the_question_before_it(talk):
    assert texts(messages=talk) == ("Of Chile?", "Santiago.")
    assert texts(output=talk) == ("Of Chile?", "Santiago.")
    assert texts(input=talk[:3], output=talk[3:]) == ("Of Chile?", "Santiago.")
    assert texts(input=talk[:3], output="Santiago.") == ("Of Chile?", "Santiago.")
    assert texts(input="Of Chile?", output=talk[3]) == ("Of Chile?", "Santiago.")


def test_texts_are_taken_as_they_are():
    assert texts(input=" Q ", output=" A ") == (" Q ", " A ")
    assert texts() == ("", "")


def test_output_is_judged_and_messages_give_the_question():
    assert texts(output="Lima.", messages=OPENAI) == ("Capital of Peru?", "Lima.")
    assert texts(output="Another answer", messages=OPENAI[:3]) == ("Of Chile?", "Another answer")


def test_the_answer_is_the_last_assistant_message_with_text():
    talk = [*OPENAI, {"role": "assistant", "content": None, "tool_calls": []}, {"role": "assistant", "content": " "}]
    assert texts(messages=talk) == ("Of Chile?", "Santiago.")


def test_a_conversation_without_an_answer_gives_none():
    assert texts(output=[("human", "Capital of Peru?")])[1] == ""


@pytest.mark.parametrize(
    ("output", "answer"), [(0, "0"), (False, "false"), ({"a": [1.5]}, '{"a": [1.5]}'), ([1], "[1]")]
)
def test_other_values_are_shown_as_json(output, answer):
    assert texts(input=output, output=output) == (answer, answer)


@pytest.mark.parametrize("missing", [None, "", [], float("nan")])
def test_R073_what_is_missing_gives_no_text(missing):
    assert texts(input=missing, output=missing) == ("", "")


def test_R080_text_parts_are_joined_and_an_image_becomes_a_mark():
    user = [
        {"type": "text", "text": "What is in the picture?"},
        {"type": "image_url", "image_url": {"url": "data:AAAA"}},
    ]
    assistant = [{"type": "text", "text": "A red "}, {"type": "text", "text": "bus."}]
    run = Run(input=[{"role": "user", "content": user}], output=[{"role": "assistant", "content": assistant}])
    found = said(run)
    assert found.answer == "A red bus."
    assert found.question == "What is in the picture?\n[image]"
    assert found.notes == ("unseen: 1 image",)
    assert texts(messages=[HumanMessage(user), AIMessage(assistant)]) == (found.question, found.answer)


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ({"type": "file", "file": {"file_data": "AAAA"}}, "file"),
        ({"type": "input_audio", "input_audio": {"data": "AAAA"}}, "audio"),
        ({"type": "image", "source_type": "base64", "data": "AAAA"}, "image"),
    ],
)
def test_R080_other_parts_are_marked_and_noted(part, kind):
    found = said(Run(input=[{"role": "user", "content": [part, {"type": "text", "text": "See."}]}], output="x"))
    assert found.question == f"[{kind}]\nSee."
    assert found.notes == (f"unseen: 1 {kind}",)


def test_reasoning_parts_are_no_answer():
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Yes."}]
    assert texts(output=[AIMessage(parts)])[1] == "Yes."


ROLES = [("developer", "Be brief"), ("human", "Capital of Peru?"), ("signal", "Also of Chile?"), ("assistant", "Lima")]


@pytest.mark.parametrize(
    "talk",
    [
        [{"role": r, "content": c} for r, c in ROLES],
        ROLES,
        [SystemMessage("Be brief"), HumanMessage("Capital of Peru?"), ChatMessage("Also of Chile?", role="signal"),
         AIMessage("Lima")],
    ],
    ids=["openai", "tuples", "langchain"],
)  # fmt: skip
def test_R081_known_roles_are_understood_and_an_unknown_one_is_noted(talk):
    found = said(Run(messages=talk))
    assert (found.question, found.answer) == ("Capital of Peru?", "Lima")
    assert any("'signal'" in note for note in found.notes)


CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
OPENAI_TOOLS = [
    {"role": "user", "content": "Weather?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"temp_c": 21.5}'},
    {"role": "assistant", "content": "21.5 °C."},
]
LANGCHAIN_TOOLS = [
    HumanMessage("Weather?"),
    AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Oslo"}, "id": "c1"}]),
    ToolMessage('{"temp_c": 21.5}', tool_call_id="c1"),
    AIMessage("21.5 °C."),
]


@pytest.mark.parametrize("talk", [OPENAI_TOOLS, LANGCHAIN_TOOLS], ids=["openai", "langchain"])
def test_tool_results_are_found_by_the_id_of_their_call(talk):
    (found,) = extract_tool_results(talk)
    assert (found.tool, found.id, found.result) == ("weather", "c1", '{"temp_c": 21.5}')
    assert "Oslo" in str(found.args)
    assert texts(messages=talk) == ("Weather?", "21.5 °C.")


def test_a_call_without_result_and_a_failed_one_are_not_finished():
    assert extract_tool_results(OPENAI_TOOLS[:2]) == ()
    assert extract_tool_results([ToolMessage("boom", tool_call_id="c1", status="error")]) == ()


def invocation(id, state="result", **more):
    return {"toolCallId": id, "toolName": f"tool_{id}", "args": {}, "state": state} | more


def test_mastras_two_places_of_tool_calls_are_merged_and_parts_win():
    old = [invocation("a", result={"n": 1}), invocation("b", result="old")]
    parts = [
        {"type": "tool-invocation", "toolInvocation": invocation("b", result="new")},
        {"type": "tool-invocation", "toolInvocation": invocation("c", state="call")},
        {"type": "text", "text": "Done."},
    ]
    message = {"role": "assistant", "content": {"format": 2, "parts": parts, "toolInvocations": old}}
    assert [(r.tool, r.result) for r in extract_tool_results([message])] == [("tool_a", {"n": 1}), ("tool_b", "new")]
    assert texts(output=[message])[1] == "Done."


def test_mastras_legacy_tool_calls_alone_are_found():
    message = {"role": "assistant", "content": {"toolInvocations": [invocation("a", result=21.5)], "content": "Warm."}}
    assert [r.result for r in extract_tool_results([message])] == [21.5]
    assert texts(output=[message])[1] == "Warm."


def test_mastras_agent_input_is_read_from_its_lists():
    run = {"rememberedMessages": STORED[:2], "inputMessages": STORED[2:3], "systemMessages": []}
    assert texts(input=run, output=STORED[3:]) == ("Of Chile?", "Santiago.")


def test_tool_results_come_from_input_messages_and_output_in_order():
    def tool(id):
        return [ToolMessage(f"result {id}", tool_call_id=id, name=f"tool_{id}")]

    found = said(Run(input=tool("a"), messages=tool("b"), output=tool("c"))).tool_results
    assert [r.tool for r in found] == ["tool_a", "tool_b", "tool_c"]


def test_an_id_that_comes_again_with_another_result_loses_none_and_the_same_result_is_one():
    """As in a published log of an agent, in which ids of calls repeat."""
    one, two = (
        [
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": name, "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": result},
        ]
        for name, result in (("get", "21.5"), ("cancel", "done"))
    )
    found = extract_tool_results([*one, *two], [*one])
    assert [(r.tool, r.result) for r in found] == [("get", "21.5"), ("cancel", "done")]


def test_a_tool_result_is_shown_as_json_with_its_tool():
    (found,) = extract_tool_results([ToolMessage("21.5", tool_call_id="1", name="weather")])
    assert str(found) == '{"tool": "weather", "result": "21.5"}'


@pytest.mark.parametrize("empty", [{"messages": []}, {"inputMessages": [], "rememberedMessages": []}])
def test_a_place_for_messages_that_holds_none_is_no_question(empty):
    assert said(Run(input=empty, output="x")).question == ""


def test_all_that_was_said_in_a_run_comes_in_order_and_each_message_once():
    ask, reply = {"role": "user", "content": "Where?"}, {"role": "assistant", "content": "Here."}
    for run in (
        Run(input="Where?", output="Here."),
        Run(input=[ask], output=[reply]),
        Run(messages=[ask, reply]),
        Run(messages=[ask, reply], output=[reply]),
        Run(input=[ask], messages=[ask, reply]),
        Run(input="Where?", output=[ask, reply]),
    ):
        assert [(m.role, m.text) for m in messages_of(run)] == [("user", "Where?"), ("assistant", "Here.")]
    assert messages_of(Run()) == ()


def test_system_messages_of_a_stored_input_are_read():
    ask, told = {"role": "user", "content": "q"}, {"role": "system", "content": "s"}
    stored = {"inputMessages": [ask], "systemMessages": [told]}
    assert [(m.role, m.text) for m in messages_of(Run(input=stored))] == [("system", "s"), ("user", "q")]


@pytest.mark.parametrize(
    ("message", "unread"),
    [
        ({"role": "assistant", "content": "a", "tool_calls": "[]"}, 1),
        ({"role": "assistant", "content": "a", "tool_calls": ["x", None, 3]}, 3),
        ({"role": "assistant", "content": "a", "tool_calls": {}}, 0),
        ({"role": "assistant", "content": "a", "tool_calls": [{"function": "x", "id": {}, "name": ["y"]}]}, 0),
        ({"type": ["human"], "role": "assistant", "content": "a"}, 0),
        (stored("assistant", "a", toolInvocations=[{"toolCallId": [1]}, "x"]), 1),
        (stored("assistant", "a", toolInvocations="x"), 1),
    ],
)
def test_what_stands_among_calls_and_is_none_is_passed_over_and_noted(message, unread):
    found = said(Run(output=[message]))
    noted = f"{unread} of what stands among the calls of tools is no call"
    assert (found.answer, found.notes) == ("a", (noted,) if unread else ())


def test_parts_that_are_no_calls_are_passed_over():
    parts = [{"type": "text", "text": "a"}, {"type": "tool-invocation"}, "x"]
    found = said(Run(output=[{"role": "assistant", "content": {"parts": parts}}]))
    assert (found.answer, found.tool_results) == ("ax", ())
    assert said(Run(output={"messages": 7})).answer == '{"messages": 7}'


class Made:
    """What OpenAI's client gives: messages and calls that are objects, told apart by a role."""

    def __init__(self, **told):
        vars(self).update(told)


def test_messages_of_openai_s_client_are_read_as_its_mappings_are():
    call = Made(id=1, type="function", function=Made(name="weather", arguments='{"city": "Lima"}'))
    asked = Made(role="assistant", content=None, tool_calls=[call])
    talk = [asked, {"role": "tool", "tool_call_id": 1, "content": "rain"}, Made(role="assistant", content="It rains.")]
    found = said(Run(input="Lima?", output=talk))
    (result,) = found.tool_results
    assert (found.answer, result.tool, result.result) == ("It rains.", "weather", "rain")
    assert said(Run(output=talk[-1])).answer == "It rains."


def test_calls_that_are_messages_of_their_own_are_read_with_their_results():
    talk = [
        {"role": "user", "content": "Lima?"},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Lima"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "rain"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It rains."}]},
    ]
    found = said(Run(output=talk))
    (result,) = found.tool_results
    assert (found.question, found.answer, found.notes) == ("Lima?", "It rains.", ())
    assert (result.tool, result.result, result.args) == ("weather", "rain", '{"city": "Lima"}')
