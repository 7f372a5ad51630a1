from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_runner.terminal.console import both_ends, clean, shortened, tell


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("\x9b31mred", "red"),
        ("a\r\nb\tc\x00d\x08", "a b c d"),
        ("abc\u202edef\u2066", "abc def"),
        ("[red]markup[/red] :smile:", "[red]markup[/red] :smile:"),
        ("你好 łódź", "你好 łódź"),
    ],
)
def test_what_would_steer_a_terminal_is_taken_out(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(st.text())
def test_nothing_that_is_shown_is_a_control_character(text: str) -> None:
    assert not [c for c in clean(text) if unicodedata.category(c) == "Cc"]


def test_a_long_text_is_cut_with_a_sign() -> None:
    assert shortened("a" * 20, 5) == "aaaa…"
    assert shortened("abc", 5) == "abc"


def test_a_long_label_is_cut_in_its_middle() -> None:
    assert both_ends("answer_similarity[contradiction_penalty=0.5]") == "answer_similarity[co…iction_penalty=0.5]"
    assert both_ends("abcdefghij", 5) == "abc…j"
    assert both_ends("abcde", 5) == "abcde"


def test_a_text_is_told_as_it_is_unless_a_terminal_would_be_steered_by_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tell("one\n  two \x1b[31mred")
    assert capsys.readouterr().out == "one\n  two \x1b[31mred\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    tell("one\n  two \x1b[31mred")
    assert capsys.readouterr().out == "one\n  two red\n"
