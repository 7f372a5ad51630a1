"""Judges that reply with anything at all: a failure with its kind, quickly, and never an exception out of `.run()`."""

from __future__ import annotations

import json
import time

import pytest
from langchain_core.messages import AIMessage

from scorer_bias import create_bias_scorer
from scorer_core.judging.judge import MOST_KEPT
from scorer_core.testing import ScriptedJudge

OPINIONS = {"opinions": ["a"]}
GOOD = {"results": [{"number": 1, "reason": "so", "result": "no"}]}
MEGABYTES = 5_000_000

FAILING = {
    "nothing": ("", "format"),
    "white space": (" \n\t", "format"),
    "an empty list of parts": (AIMessage([]), "format"),
    "binary": ("\x00\x01\x02\x7f\x80\xff" * 50, "format"),
    "lone surrogates": ("\ud83d \udc00", "format"),
    "5 MB of words": ("well " * (MEGABYTES // 5), "format"),
    "5 MB of opening braces": ("{" * MEGABYTES, "format"),
    "5 MB of nested brackets": ("[" * (MEGABYTES // 2) + "]" * (MEGABYTES // 2), "format"),
    "5 MB of quotes": ('"' * MEGABYTES, "format"),
    "5 MB of an object that never ends": ('{"results": [' + '{"number": 1}, ' * (MEGABYTES // 15), "truncated"),
    "5 MB of thinking": ("<think>" + "hm " * (MEGABYTES // 3), "format"),
    "NaN for a number": ('{"results": [{"number": NaN, "reason": "so", "result": "no"}]}', "format"),
    "NaN for a label": ('{"results": [{"number": 1, "reason": "so", "result": NaN}]}', "format"),
    "Infinity": ('{"results": Infinity}', "format"),
    "a refusal in words": ("I'm sorry, I can't grade this content.", "format"),
    "a refusal": (AIMessage("No.", response_metadata={"stop_reason": "refusal"}), "refusal"),
    "guillemets": ("{«results»: [{«number»: 1, «reason»: «so», «result»: «no»}]}", "format"),
    "Japanese brackets": ("｛「results」：［］｝", "format"),
    "XML": ("<results><result number='1'>no</result></results>", "format"),
    "a number": ("1", "format"),
    "true": ("true", "format"),
    "null": ("null", "format"),
}


def scored(reply):
    judge = ScriptedJudge(preprocess=OPINIONS, analyze=reply, generate_reason="So.")
    return create_bias_scorer(judge, format_retries=1).run(output="a")


@pytest.mark.parametrize("name", FAILING)
def test_what_is_no_verdict_fails_with_its_kind_and_its_words_are_kept(name):
    reply, kind = FAILING[name]
    begun = time.process_time()
    result = scored(reply)
    assert (result.status, result.score, result.error.kind, result.error.step) == ("failed", None, kind, "analyze")
    assert time.process_time() - begun < 4
    kept = result.judge["analyze"][0].reply
    said = reply if isinstance(reply, str) else reply.text
    assert kept[:MOST_KEPT] == said[:MOST_KEPT]
    assert len(kept) <= MOST_KEPT + 50
    assert json.loads(result.to_json())


@pytest.mark.parametrize("quotes", ["“”", "„“", "''"])
def test_another_languages_quotes_are_read_or_refused_but_never_turned(quotes):
    opening, closing = quotes
    words = ("results", "number", "reason", "result", "no", "so")
    reply = json.dumps(GOOD)
    for word in words:
        reply = reply.replace(f'"{word}"', f"{opening}{word}{closing}")
    result = scored(reply)
    assert (result.status, result.score) == ("scored", 0.0) or result.error.kind == "format"


def test_a_long_reply_says_how_long_it_was():
    reply = scored("well " * 100_000).judge["analyze"][0].reply
    assert reply.endswith("… (500,000 characters in all)")
