from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorer_core import UsageError
from scorer_runner.dataset import find_data, head_and_all, records

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[5] / "shared/data/raw"


def written(folder: Path, name: str, data: bytes | str) -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def given_in(source: str) -> list[Any]:
    return [record.given for record in records(source)]


def test_json_lines_are_read_with_mark_and_crlf_and_blank_lines_passed_over(folder: Path) -> None:
    source = written(folder, "a.jsonl", b'\xef\xbb\xbf{"output": "\xc3\xa9"}\r\n\r\n  \n{"output": "b"}')
    assert [(r.number, r.line, r.given) for r in records(source)] == [(1, 1, {"output": "é"}), (2, 4, {"output": "b"})]


def test_a_line_separator_inside_a_text_is_no_end_of_line(folder: Path) -> None:
    assert given_in(written(folder, "a.ndjson", '{"output": "a\u2028b\x85c"}\n')) == [{"output": "a\u2028b\x85c"}]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"output": ', "not JSON: Expecting value"),
        (b"[1, 2]", "expected a JSON object, got [1, 2]"),
        (b'"text"', 'expected a JSON object, got "text"'),
        (b'{"output": "caf\xe9"}', "not UTF-8: byte 0xe9 at 16"),
        (b"[" * 100_000, "not JSON"),
        (b'{"n": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
def test_a_line_that_is_no_object_is_a_record_with_a_problem(folder: Path, line: bytes, problem: str) -> None:
    (record,) = records(written(folder, "a.jsonl", line))
    assert problem in (record.problem or "")


def test_nan_in_json_is_a_missing_value(folder: Path) -> None:
    assert given_in(written(folder, "a.jsonl", '{"output": "a", "ground_truth": NaN}')) == [
        {"output": "a", "ground_truth": None}
    ]


def test_csv_is_read_with_mark_crlf_quoted_newlines_and_doubled_quotes(folder: Path) -> None:
    text = '\ufeffinput,output\r\n"two\r\nlines","says ""yes"""\r\nnan,None\r\n,\r\n'
    found = list(records(written(folder, "a.csv", text)))
    assert [r.given for r in found] == [
        {"input": "two\r\nlines", "output": 'says "yes"'},
        {"input": "nan", "output": "None"},
        {"input": None, "output": None},
    ]
    assert [r.line for r in found] == [2, 4, 5]


def test_tsv_is_read_with_tabs_and_commas_are_text(folder: Path) -> None:
    assert given_in(written(folder, "a.TSV", "output\tinput\na, b\tc\n")) == [{"output": "a, b", "input": "c"}]


def test_an_unnamed_column_is_kept_only_where_it_holds_something(folder: Path) -> None:
    assert given_in(written(folder, "a.csv", "output,\na,\nb,c\n")) == [
        {"output": "a"},
        {"output": "b", "column 2": "c"},
    ]


def test_a_short_row_has_no_value_for_the_rest_and_a_long_one_is_a_problem(folder: Path) -> None:
    short, long = records(written(folder, "a.csv", "a,b\n1\n1,2,3\n"))
    assert short.given == {"a": "1", "b": None}
    assert long.problem == "3 cells for 2 columns; is a quote or a separator off?"


def test_a_huge_field_is_read_whole(folder: Path) -> None:
    assert len(given_in(written(folder, "a.csv", f"output\n{'x' * 400_000}\n"))[0]["output"]) == 400_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'output\n"never ends\n', r"begins on line 2: unexpected end of data"),
        (b"output\nfine\ncaf\xe9\n", r"not UTF-8 \(byte 0xe9 after line \d\); save it as UTF-8"),
        ("output\na\n".encode("utf-16"), "not UTF-8"),
        (b"a,b,a\n1,2,3\n", "two columns named 'a'; rename one"),
    ],
)
def test_a_csv_file_that_does_not_add_up_is_a_usage_error(folder: Path, data: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        list(records(written(folder, "a.csv", data)))


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.jsonl", "no file 'none.jsonl'"), (".", "is a folder"), ("a.json", r"ends in \.jsonl, \.ndjson, \.csv")],
)
def test_what_can_not_be_a_data_file_says_why(folder: Path, name: str, message: str) -> None:
    (folder / "a.json").touch()
    with pytest.raises(UsageError, match=message):
        find_data(name)


def test_rows_are_read_as_they_are_asked_for(folder: Path) -> None:
    source = written(folder, "a.jsonl", '{"output": "a"}\n' * 3)
    _, every = head_and_all(source, None)
    assert next(every).number == 1
    written(folder, "b.jsonl", '{"output": "a"}\n' * 3)
    head, every = head_and_all(source, 2)
    assert [r.number for r in head] == [r.number for r in every] == [1, 2]


def test_of_standard_input_a_hundred_records_are_looked_at_and_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"output": "a"}\n' * 130)))
    head, every = head_and_all("-", None)
    assert len(list(head)) == 100
    assert [r.number for r in every] == list(range(1, 131))


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)


@given(st.lists(st.tuples(cells, cells), max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_a_csv_writer_wrote_comes_back_as_it_was(tmp_path: Path, table: list[tuple[str, str]]) -> None:
    with open(tmp_path / "t.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("a", "b"), *table])
    assert [(g["a"], g["b"]) for g in given_in(str(tmp_path / "t.csv"))] == table


def test_a_real_file_with_crlf_quotes_and_a_trailing_column_is_read() -> None:
    found = list(records(str(DATA / "hf_doc_qa.csv")))
    assert not [r for r in found if r.problem]
    assert found[0].given["expected_answer"] == "x86_64-unknown-linux-musl"
    assert found[0].given["question"].endswith("designed for?\n")


def test_a_real_file_with_a_byte_order_mark_is_read() -> None:
    found = list(records(str(DATA / "truthfulqa_bom.csv")))
    assert len(found) == 3
    assert next(iter(found[0].given)) == "Type"


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no raw files: looked for {SHARED}")
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("ragas_hf_doc_qa_eval.csv", 66),
        ("truthfulqa_demo_bom.csv", 3),
        ("deepeval_goldens.csv", 15),
        ("tau_airline_chats.jsonl", 3),
    ],
)
def test_raw_files_are_read_unedited(name: str, count: int) -> None:
    found = list(records(str(SHARED / name)))
    assert len(found) == count
    assert not [r for r in found if r.problem]
