"""CSV and Parquet as DuckDB reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import StoreError
from analyzer.export.columns import Value
from analyzer.export.formats import csv, parquet
from analyzer.export.planes import Plane
from analyzer.export.tables import tables_of
from analyzer.storage.parquet import ParquetWriter
from tests.export.formats.making import PLANES, READERS, tale
from tests.export.story_tale import LANGUAGES

TYPES = {"string": "VARCHAR", "integer": "BIGINT", "boolean": "BOOLEAN"}


@pytest.fixture(scope="module")
def db() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


def rows_of_csv(db: duckdb.DuckDBPyConnection, file: Path, columns: dict[str, str]) -> list[tuple[Value, ...]]:
    found = db.execute(
        "select * from read_csv(?, header = true, delim = ',', quote = '\"', escape = '\"', auto_detect = false,"
        f" nullstr = '', columns = {columns!r})",
        [str(file)],
    ).fetchall()
    return [tuple(csv.unguarded(v) if isinstance(v, str) else v for v in row) for row in found]


@pytest.mark.parametrize("language", LANGUAGES)
def test_duckdb_reads_the_csv_files_as_the_tables(tmp_path: Path, db: duckdb.DuckDBPyConnection, language: str) -> None:
    book = tale(language=language)
    tables = tables_of(book)
    csv.write(book, tables, tmp_path)
    for name, table in tables.items():
        columns = {column.name: TYPES[column.kind] for column in table.columns}
        expected = [tuple(None if value == "" else value for value in row) for row in table.rows]
        assert rows_of_csv(db, tmp_path / f"{name}.csv", columns) == expected


@pytest.mark.parametrize(("through", "plane"), [(5, PLANES[0]), (3, READERS), (0, PLANES[0]), (4, PLANES[2])])
def test_duckdb_reads_the_parquet_files_as_the_tables_with_their_types(
    tmp_path: Path, db: duckdb.DuckDBPyConnection, through: int, plane: Plane
) -> None:
    book = tale(through, plane, "ja")
    tables = tables_of(book)
    parquet.write(book, tables, tmp_path)
    for name, table in tables.items():
        file = str(tmp_path / f"{name}.parquet")
        found = db.execute("select * from read_parquet(?)", [file])
        assert [(one[0], str(one[1])) for one in found.description or ()] == [
            (column.name, TYPES[column.kind]) for column in table.columns
        ]
        assert found.fetchall() == list(table.rows)
    told = dict(
        db.execute("select key, value from parquet_kv_metadata(?)", [str(tmp_path / "cast.parquet")]).fetchall()
    )
    assert told[b"plane"].decode() == book.plane and told[b"as_of"].decode() == str(through)
    assert json.loads(told[b"columns"])["entity"] == "the handle: `@7`"


def test_the_data_package_describes_every_file(tmp_path: Path) -> None:
    book = tale()
    tables = tables_of(book)
    written = csv.write(book, tables, tmp_path)
    package = json.loads((tmp_path / "datapackage.json").read_text("utf-8"))
    named = {resource["name"] for resource in package["resources"]}
    assert all(re.fullmatch(r"[a-z0-9.-]+", name) for name in named)
    assert {resource["path"] for resource in package["resources"]} == {n for n in written if n.endswith(".csv")}
    for resource in package["resources"]:
        first = (tmp_path / resource["path"]).read_text("utf-8").split("\n")[0].strip()
        assert first.split(",") == [field["name"] for field in resource["schema"]["fields"]]
        for key in resource["schema"].get("foreignKeys", ()):
            assert key["reference"]["resource"] in named


def test_no_cell_of_a_manuscript_is_a_formula() -> None:
    for text in (
        "=cmd()",
        "+1",
        "-1+2",
        "@SUM(1)",
        "\t=1",
        "\rx",
        "＝1",
        " =1",
        '"=1',
        "a;=1",
        "a\n=1",
        "'=1",
        "'@7",
        "|x",
    ):
        assert csv.guarded(text) != text and csv.unguarded(csv.guarded(text)) == text, text
    for cell in re.split("[;\t\r\n]", csv.guarded("a;=1\n=2;\t@x")):
        assert not cell.startswith(("=", "@"))
    for text in ("@7", "@1 parent_of @22", "+", "-", "Oda", "it's", "'tis", "", "a=b"):
        assert csv.guarded(text) == text


@settings(max_examples=150, deadline=None)
@given(st.text(st.one_of(st.sampled_from("=+-@'\t\r\n; \"＝a7"), st.characters()), max_size=12))
def test_the_guard_of_a_cell_can_always_be_taken_off_again(text: str) -> None:
    cell = csv.guarded(text)
    assert csv.unguarded(cell) == text
    assert cell == text or not cell.lstrip(' "').startswith(tuple("=+-@＝"))


def test_parquet_takes_any_words_for_words(tmp_path: Path, db: duckdb.DuckDBPyConnection) -> None:
    odd = "a'b\"c\0\u202e😀\n{x}'); drop table t; --"
    file = tmp_path / "o'*?[1] ut.parquet"
    with ParquetWriter() as writer:
        writer.write(file, [('odd"name', "varchar"), ("n", "bigint")], [(odd, 1), (None, 2)], {"it's": odd, "k": "v"})
        with pytest.raises(StoreError):
            writer.write(tmp_path / "missing" / "x.parquet", [("n", "bigint")], [], {})
    plain = file.rename(tmp_path / "plain.parquet")
    assert db.execute("select * from read_parquet(?)", [str(plain)]).fetchall() == [(odd, 1), (None, 2)]
