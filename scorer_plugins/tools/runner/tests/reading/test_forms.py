"""Files of every form, packed or not, as records with the place where each stands."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import feather, ipc, parquet

from scorer_core import UsageError
from scorer_runner.reading.forms import find_data, records
from scorer_runner.reading.opening import zstd

DATA = Path(__file__).parents[1] / "data"


def written(folder: Path, name: str, data: bytes | str) -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def read(*names: str, **how: Any) -> list[Any]:
    return list(records(find_data(names, **how)))


def given_in(*names: str, **how: Any) -> list[Any]:
    return [record.given for record in read(*names, **how)]


def test_json_lines_are_read_with_mark_and_crlf_and_blank_lines_passed_over(folder: Path) -> None:
    source = written(folder, "a.jsonl", b'\xef\xbb\xbf{"output": "\xc3\xa9"}\r\n\r\n  \n{"output": "b"}')
    assert [(r.number, r.line, r.given) for r in read(source)] == [(1, 1, {"output": "é"}), (2, 4, {"output": "b"})]


def test_a_line_separator_inside_a_text_is_no_end_of_line(folder: Path) -> None:
    assert given_in(written(folder, "a.ndjson", '{"output": "a\u2028b\x85c"}\n')) == [{"output": "a\u2028b\x85c"}]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"output": ', 'not JSON at column 12 (Expecting value): {"output": '),
        (b"[1, 2]", "expected a JSON object, got [1, 2]"),
        (b'"text"', 'expected a JSON object, got "text"'),
        (b'{"output": "caf\xe9"}', "not utf-8: byte 0xe9 at character 16; tell the file's encoding: --encoding NAME"),
        (b"[" * 100_000, "not JSON"),
        (b'{"n": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"[", "name the file .json"),
    ],
)
def test_a_line_that_is_no_object_is_a_record_with_a_problem(folder: Path, line: bytes, problem: str) -> None:
    (record,) = read(written(folder, "a.jsonl", line))
    assert problem in (record.problem or "")


def test_a_long_line_is_told_around_the_place_that_is_wrong(folder: Path) -> None:
    (record,) = read(written(folder, "a.jsonl", '{"output": "' + "x" * 200 + '",}' + " " * 200))
    assert record.problem is not None
    assert record.problem.startswith("not JSON at column 21")
    assert 'xxx",}' in record.problem
    assert len(record.problem) < 160


def test_nan_in_json_is_a_missing_value(folder: Path) -> None:
    assert given_in(written(folder, "a.jsonl", '{"output": "a", "ground_truth": NaN}')) == [
        {"output": "a", "ground_truth": None}
    ]
    assert given_in(written(folder, "a.json", '[{"output": NaN}]')) == [{"output": None}]


def test_csv_is_read_with_mark_crlf_quoted_newlines_and_doubled_quotes(folder: Path) -> None:
    text = '\ufeffinput,output\r\n"two\r\nlines","says ""yes"""\r\nnan,None\r\n,\r\n'
    found = read(written(folder, "a.csv", text))
    assert [r.given for r in found] == [
        {"input": "two\r\nlines", "output": 'says "yes"'},
        {"input": "nan", "output": "None"},
        {"input": None, "output": None},
    ]
    assert [r.line for r in found] == [2, 4, 5]


def test_tsv_is_read_with_tabs_and_commas_are_text(folder: Path) -> None:
    assert given_in(written(folder, "a.TSV", "output\tinput\na, b\tc\n")) == [{"output": "a, b", "input": "c"}]


def test_an_unnamed_column_is_kept_only_where_it_holds_something_and_may_be_left_out(folder: Path) -> None:
    assert given_in(written(folder, "a.csv", "output,\na,\nb,c\nd\n")) == [
        {"output": "a"},
        {"output": "b", "column 2": "c"},
        {"output": "d"},
    ]


def test_a_row_with_more_or_fewer_cells_than_columns_is_a_problem(folder: Path) -> None:
    found = read(written(folder, "a.csv", "a,b\n1\n1,2,3\n1,2\n"))
    assert [(r.place, r.problem) for r in found] == [
        ("line 2 (row 1)", "1 cells for 2 columns; is a quote or a separator off?"),
        ("line 3 (row 2)", "3 cells for 2 columns; is a quote or a separator off?"),
        ("line 4 (row 3)", None),
    ]


def test_a_huge_field_is_read_whole(folder: Path) -> None:
    assert len(given_in(written(folder, "a.csv", f"output\n{'x' * 400_000}\n"))[0]["output"]) == 400_000


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b'"input";"output"\n"q";"o"\n', r"line 1: text stands after the closing .* separated by commas"),
        ("a.tsv", b'input\toutput\nq\t"so" he said\n', r"line 2: text stands after the closing .* separated by tabs"),
        ("a.csv", b'output\n"never ends\n', r"begins on line 2: a quotation mark is not closed"),
        ("a.csv", "output\na\n".encode("utf-16"), "not utf-8: it begins like utf-16; tell it: --encoding utf-16"),
        ("a.csv", b"a,b,a\n1,2,3\n", "two columns named 'a'; rename one"),
        ("a.csv", b"caf\xe9,b\n1,2\n", "the column names: not utf-8: byte 0xe9"),
        ("a.jsonl", b"PAR1\x15\x00", "is no text: it begins like Parquet, whose names end in .parquet"),
        ("a.csv", b"PK\x03\x04\x14\x00", "is no text: it begins like a ZIP archive or an Excel workbook"),
        (
            "a.json",
            b'[{"output":\n "caf\xe9"}]',
            "a.json, line 2: not utf-8: byte 0xe9 at character 6; tell the file's",
        ),
        ("a.json", b"{\x00\x01\x02", r"is a binary file \(byte 2 is zero\), not text"),
        ("a.jsonl.gz", gzip.compress(b'{"output": "a"}\n' * 99)[:-9], "can't be read: Compressed file ended"),
        ("a.jsonl.zst", zstd.compress(b'{"output": "a"}\n' * 99)[:-9], "can't be read: Compressed file ended"),
        ("a.jsonl.gz", gzip.compress(b'{"output": "a"}\n' * 99)[:20] + b"\0" * 40, "can't be read"),
        ("a.parquet", b"no such thing", "can't be read as Parquet"),
        ("a.arrow", b"no such thing", "can't be read as Arrow"),
    ],
)
def test_a_file_that_does_not_add_up_is_a_usage_error(folder: Path, name: str, data: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(written(folder, name, data))


def test_other_encodings_are_read_when_told_and_their_faults_named(folder: Path) -> None:
    japanese = '{"output": "犬"}\n{"output": "表"}\n'
    for encoding in ("shift_jis", "utf-16", "euc_jp", "utf-8"):
        source = written(folder, "a.jsonl", japanese.encode(encoding))
        assert given_in(source, encoding=encoding) == [{"output": "犬"}, {"output": "表"}]
    table = written(folder, "a.csv", "output\ncafé\n".encode("cp1252"))
    assert given_in(table, encoding="cp1252") == [{"output": "café"}]
    (record,) = read(table)
    assert record.problem == "output: not utf-8: byte 0xe9 at character 4; tell the file's encoding: --encoding NAME"
    with pytest.raises(UsageError, match=r"is not utf-16 \(.*\); tell its encoding: --encoding NAME"):
        read(written(folder, "b.jsonl", b'{"output": "a"}\n\n'), encoding="utf-16")


@pytest.mark.parametrize("name", ["utf9", "rot13", "hex"])
def test_an_encoding_that_is_none_is_an_error(folder: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"--encoding {name}: no such encoding"):
        find_data([written(folder, "a.jsonl", "{}")], encoding=name)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst", "a.jsonl"])
@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress], ids=["gzip", "zstd"])
def test_what_is_packed_is_known_by_its_first_bytes(folder: Path, name: str, pack: Any) -> None:
    source = written(folder, name, pack(b'{"output": "a"}\n') + pack(b'{"output": "b"}\n'))
    assert given_in(source) == [{"output": "a"}, {"output": "b"}]


def test_a_packed_table_and_a_packed_json_file_are_read_too(folder: Path) -> None:
    assert given_in(written(folder, "a.csv.gz", gzip.compress(b"output\na\n"))) == [{"output": "a"}]
    assert given_in(written(folder, "a.json.zst", zstd.compress(b'[{"output": "a"}]'))) == [{"output": "a"}]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress], ids=["plain", "gzip", "zstd"])
def test_standard_input_is_json_lines_packed_or_not(monkeypatch: pytest.MonkeyPatch, pack: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(pack(b'{"output": "a"}\n')))))
    assert given_in("-") == [{"output": "a"}]
    assert not sys.stdin.buffer.closed


TABLE = pyarrow.Table.from_pylist(
    [{"output": f"row {n}", "context": [{"text": "c", "score": n / 2}], "none": None} for n in range(2500)]
)


def arrow_stream(path: str) -> None:
    with ipc.new_stream(path, TABLE.schema) as sink:
        sink.write_table(TABLE)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("a.parquet", lambda path: parquet.write_table(TABLE, path)),
        ("a.feather", lambda path: feather.write_feather(TABLE, path)),
        ("a.arrow", arrow_stream),
    ],
)
def test_columns_are_read_as_rows(folder: Path, name: str, write: Any) -> None:
    write(str(folder / name))
    found = read(name)
    assert [r.given for r in found] == TABLE.to_pylist()
    assert found[16].place == "row 17"


def test_a_data_frame_saved_as_parquet_keeps_its_lists_and_missing_values(folder: Path) -> None:
    pandas.DataFrame({"output": ["a", None], "context": [["x", "y"], None]}).to_parquet(folder / "a.parquet")
    assert given_in("a.parquet") == [{"output": "a", "context": ["x", "y"]}, {"output": None, "context": None}]


def test_without_pyarrow_the_message_names_the_command(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorer_runner.reading.columnar.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'scorer-runner\[parquet\]'"):
        find_data([written(folder, "a.parquet", b"PAR1")])


def test_several_files_are_read_in_order_and_each_place_tells_its_file(folder: Path) -> None:
    written(folder, "z.jsonl", '{"output": "z"}\n')
    written(folder, "part-2.jsonl", '\n{"output": "2"}\n')
    written(folder, "part-1.csv", "output\n1\n")
    found = read("z.jsonl", "part-*")
    assert [r.given["output"] for r in found] == ["z", "1", "2"]
    assert [r.place for r in found] == [
        "z.jsonl, line 1 (row 1)",
        "part-1.csv, line 2 (row 2)",
        "part-2.jsonl, line 2 (row 3)",
    ]
    assert find_data(["part-*", "part-1.csv"]).files == ("part-1.csv", "part-2.jsonl")


def test_a_file_whose_name_looks_like_a_glob_is_that_file(folder: Path) -> None:
    assert given_in(written(folder, "a[1].jsonl", '{"output": "a"}\n')) == [{"output": "a"}]


def test_all_that_can_not_be_data_is_told_at_once(folder: Path) -> None:
    (folder / "rows").mkdir()
    written(folder, "a.xlsx", "")
    with pytest.raises(UsageError) as e:
        find_data(["none.jsonl", "rows", "a.xlsx", "no*.csv", "-"])
    assert str(e.value).splitlines() == [
        "no file 'none.jsonl'",
        f"'rows' is a folder; name a file in it, or all of a kind: {str(Path('rows/*.jsonl'))!r}",
        "'a.xlsx': expected a file that ends in .jsonl, .ndjson, .json, .csv, .tsv, .parquet, .arrow, .feather; "
        "JSON Lines has one object a line",
        "no file matches 'no*.csv'",
    ]
    with pytest.raises(UsageError, match=r"standard input \(-\) can't be read beside files"):
        find_data(["-", written(folder, "a.jsonl", "{}")])


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)


@given(st.lists(st.tuples(cells, cells), max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_a_csv_writer_wrote_comes_back_as_it_was(tmp_path: Path, table: list[tuple[str, str]]) -> None:
    with open(tmp_path / "t.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("a", "b"), *table])
    assert [(g["a"], g["b"]) for g in given_in(str(tmp_path / "t.csv"))] == table


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
objects = st.lists(st.dictionaries(st.text(), values, max_size=3), min_size=1, max_size=5)


@given(objects, st.sampled_from([None, 2, "\t"]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_json_wrote_comes_back_as_it_was(tmp_path: Path, rows: list[Any], indent: Any, keyed: bool) -> None:
    whole = {"version": [1, 2], "rows": rows, "more": {"a": "b"}} if keyed else rows
    (tmp_path / "t.json").write_text(json.dumps(whole, indent=indent), encoding="utf-8")
    assert given_in(str(tmp_path / "t.json")) == rows


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("output,input\na,b\n", "JSON Lines has one object a line: name a table .csv or .tsv"),
        (
            '[{"output": "a"}]\n',
            "a JSON list is no JSON Lines, nor is an object over several lines: name the file .json",
        ),
        (
            '{\n"output": "a"}\n',
            "a JSON list is no JSON Lines, nor is an object over several lines: name the file .json",
        ),
    ],
)
def test_what_is_no_json_lines_from_its_first_line_on_is_told_what_it_may_be(
    folder: Path, text: str, said: str
) -> None:
    first, *rest = read(written(folder, "a.jsonl", text))
    assert first.problem.endswith(f"; {said}")
    assert not any(said in record.problem for record in rest)
    (_, broken) = read(written(folder, "b.jsonl", '{"output": "a"}\n[1]\n'))
    assert broken.problem == "expected a JSON object, got [1]"


@pytest.mark.parametrize(("name", "text"), [("a.jsonl", "%s\n"), ("a.json", "[%s]"), ("b.json", '{"rows": [%s]}')])
def test_a_row_that_has_a_name_twice_is_told_as_a_table_is(folder: Path, name: str, text: str) -> None:
    (record,) = read(written(folder, name, text % '{"output": "a", "output": "b", "id": 1}'))
    assert (record.line, record.problem) == (1, "it has 'output' more than once; rename one")
    (deeper,) = given_in(written(folder, f"deeper.{name}", text % '{"output": {"a": 1, "a": 2}}'))
    assert deeper == {"output": {"a": 2}}


def test_lines_that_are_empty_before_the_names_of_the_columns_are_passed_over(folder: Path) -> None:
    (record,) = read(written(folder, "a.csv", "\r\n\r\noutput\r\no\r\n"))
    assert (record.place, record.given) == ("line 4 (row 1)", {"output": "o"})


def test_a_real_file_with_crlf_quotes_and_a_trailing_column_is_read() -> None:
    found = read(str(DATA / "hf_doc_qa.csv"))
    assert not [r for r in found if r.problem]
    assert found[0].given["expected_answer"] == "x86_64-unknown-linux-musl"
    assert found[0].given["question"].endswith("designed for?\n")


def test_a_real_file_with_a_byte_order_mark_is_read() -> None:
    found = read(str(DATA / "truthfulqa_bom.csv"))
    assert len(found) == 3
    assert next(iter(found[0].given)) == "Type"
