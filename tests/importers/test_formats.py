import csv
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.files import read_json
from forcebench_lib.importers.formats import json_rows, table_rows
from forcebench_lib.schema import InputError


def table(folder: Path, text: str, name: str = "rows.csv") -> Path:
    (folder / name).write_bytes(text.encode())
    return folder / name


def message(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        list(table_rows(path))
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(str(path))
    return text


def test_a_row_is_named_by_the_line_where_it_begins(tmp_path: Path) -> None:
    path = table(tmp_path, '\ufeffa,b\r\n1,"two\nlines, quoted ""so"""\r\n\r\n3,4\r\n')
    assert list(table_rows(path)) == [(2, {"a": "1", "b": 'two\nlines, quoted "so"'}), (5, {"a": "3", "b": "4"})]


def test_a_cell_may_be_as_long_as_a_web_page(tmp_path: Path) -> None:
    ((_, row),) = table_rows(table(tmp_path, "a\n" + "x" * 1_000_000))
    assert len(row["a"]) == 1_000_000


@given(st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.sampled_from(["x", "y\nz"]))))
def test_what_the_csv_writer_writes_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[object]) -> None:
    path = tmp_path_factory.mktemp("table") / "rows.tsv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([("a", "b"), *rows])  # type: ignore[list-item]  # hypothesis gives tuples
    assert [tuple(row.values()) for _, row in table_rows(path, delimiter="\t")] == rows


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: found the header []"),
        ("a,a\n1,2\n", "line 1: found the header ['a', 'a']"),
        ("a,\n1,2\n", "line 1: found the header ['a', '']"),
        ("a,b\n1,2\n1,2,3\n", "line 3: found 3 cells, expected 2"),
        ("a,b\n1\n", "line 2: found 1 cells, expected 2"),
        ('a,b\n1,"open\n', "line 2: the line is not CSV"),
        ('a,b\n1,"x"y\n', "line 2: the line is not CSV"),
    ],
)
def test_a_broken_table_is_named_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    assert says in message(table(tmp_path, text))


def test_a_table_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    assert "no such file" in message(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"a\n\xe9\n")
    assert "not UTF-8" in message(tmp_path / "latin.csv")
    assert "not a whole zip archive" in message(table(tmp_path, "a,b\n", "rows.zip"))
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("one.csv", "a\n1\n")
        archive.writestr("two.csv", "a\n1\n")
    assert "found 2 CSV files" in message(tmp_path / "two.zip")
    (tmp_path / "folder.csv").mkdir()
    assert "cannot be read (Is a directory)" in message(tmp_path / "folder.csv")
    table(tmp_path, "a,b\n", "wide.csv").write_text("a,b\n", encoding="utf-16")
    assert "not UTF-8" in message(tmp_path / "wide.csv")


def test_a_damaged_or_locked_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("rows.csv", "a\n" + "1\n" * 500)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"1\n1\n", b"1\n2\n", 1))
    assert "not a whole zip archive (Bad CRC-32" in message(path)
    flags = whole.index(b"PK\x01\x02") + 8  # general purpose flags of the entry: bit 0 says that it is encrypted
    path.write_bytes(whole[:6] + b"\x01" + whole[7:flags] + b"\x01" + whole[flags + 1 :])
    assert "cannot be read (File 'rows.csv' is encrypted" in message(path)


def test_a_wide_header_is_named_by_its_beginning(tmp_path: Path) -> None:
    assert len(message(table(tmp_path, "a," * 100_000 + "\n"))) < 500


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "found an object, expected a list of objects"),
        ("[1]", "line 1: found a number in the list"),
        ('[{}, "x"]', "line 2: found a text in the list"),
        ('{"a": 1}\n{"a": 2}', "name it .jsonl if it holds one object a line"),
        ("{", "not one JSON document"),
    ],
)
def test_a_document_that_is_no_list_of_objects_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "rows.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(json_rows(path))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_document_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text("\ufeff" + json.dumps([{"a": 1}]), encoding="utf-8")
    assert read_json(path) == [{"a": 1}]
    path.write_text('["\\ud800"]', encoding="utf-8")
    with pytest.raises(InputError, match="not one JSON document"):
        read_json(path)
    with pytest.raises(InputError, match="no such file"):
        read_json(tmp_path / "none.json")
    path.write_bytes(b"\xe9")
    with pytest.raises(InputError, match="not UTF-8"):
        read_json(path)
