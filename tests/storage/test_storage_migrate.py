from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.errors import MigrationError
from analyzer.storage import migrate
from analyzer.storage.db import Database
from analyzer.storage.store import Store
from analyzer.storage.tables import TABLES


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    opened = Database.connect(tmp_path / "book", create=True)
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "migrations"
    made.mkdir()
    (made / "0001_first.sql").write_text("create table first (a integer);\ninsert into first values (1);\n")
    return made


def tables(db: Database) -> set[str]:
    return {name for (name,) in db.query("select table_name from duckdb_tables()")}


def test_migrations_are_listed_without_writing_and_applied_once(db: Database, folder: Path) -> None:
    (folder / "0002_second.sql").write_text("alter table first add column b varchar;")
    assert [m.name for m in migrate.pending(db, folder)] == ["0001_first.sql", "0002_second.sql"]
    assert tables(db) == set()
    assert migrate.apply_pending(db, folder) == ["0001_first.sql", "0002_second.sql"]
    assert migrate.pending(db, folder) == []
    assert migrate.apply_pending(db, folder) == []
    assert db.query("select a, b from first") == [(1, None)]
    assert db.query("select no, name from migrations order by no") == [(1, "0001_first.sql"), (2, "0002_second.sql")]


@pytest.mark.parametrize(
    "sql",
    [
        "create table half (a integer); insert into half values (1); insert into nowhere values (1);",
        "alter table first add column b integer; create view v as select a from first; selec 1;",
        "drop table first; select * from first;",
        "insert into first values (2); insert into first values ('x');",
    ],
)
def test_a_migration_that_fails_half_way_leaves_the_book_as_it_was(db: Database, folder: Path, sql: str) -> None:
    migrate.apply_pending(db, folder)
    (folder / "0002_half.sql").write_text(sql)
    with pytest.raises(MigrationError, match=r"0002_half\.sql.*undone") as caught:
        migrate.apply_pending(db, folder)
    assert caught.value.where == "0002_half.sql"
    assert tables(db) == {"first", "migrations"}
    assert db.query("select * from first") == [(1,)]
    assert [m.name for m in migrate.pending(db, folder)] == ["0002_half.sql"]
    (folder / "0002_half.sql").write_text("insert into first values (3);")
    assert migrate.apply_pending(db, folder) == ["0002_half.sql"]
    assert db.query("select a from first order by a") == [(1,), (3,)]


def test_those_before_a_failing_one_stay_applied(db: Database, folder: Path) -> None:
    (folder / "0002_bad.sql").write_text("selec;")
    with pytest.raises(MigrationError):
        migrate.apply_pending(db, folder)
    assert db.query("select no from migrations") == [(1,)]


def test_an_applied_file_that_changed_is_refused(db: Database, folder: Path) -> None:
    migrate.apply_pending(db, folder)
    (folder / "0001_first.sql").write_text("create table first (a integer, b integer);")
    with pytest.raises(MigrationError, match="was changed after it was applied"):
        migrate.apply_pending(db, folder)


def test_a_book_of_a_newer_version_is_refused(db: Database, folder: Path) -> None:
    (folder / "0002_newer.sql").write_text("create table newer (a integer);")
    migrate.apply_pending(db, folder)
    (folder / "0002_newer.sql").unlink()
    with pytest.raises(MigrationError, match="does not know"):
        migrate.apply_pending(db, folder)


@pytest.mark.parametrize("name", ["0003_gap.sql", "0001_twice.sql", "2_short.sql", "0002-dash.sql", "0002_Caps.sql"])
def test_a_wrong_name_or_number_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_text("select 1;")
    with pytest.raises(MigrationError):
        migrate.migrations(folder)


def test_every_column_has_a_comment_that_says_who_writes_it(store: Store) -> None:
    lines = "\n".join(m.sql for m in migrate.migrations()).splitlines()
    commented = {
        found.group(1)
        for line in lines
        if (
            found := re.match(
                r"(?:\s+|alter table \w+ add column )(\w+) \w+.*[,;]?\s+-- .*(written by|false by|lost by)", line
            )
        )
    }
    columns = store._db.query(
        "select table_name, column_name\nfrom duckdb_columns()\nwhere table_name not in ('calls', 'migrations')"
        "\nand schema_name = 'main' and not internal"
    )
    assert len(columns) > 80
    assert [pair for pair in columns if pair[1] not in commented] == []


def test_the_tables_the_store_writes_are_those_of_the_schema(store: Store) -> None:
    for table in TABLES.values():
        names = store._db.query(
            "select column_name\nfrom duckdb_columns()\nwhere table_name = ?\norder by column_index", [table.name]
        )
        assert [name for name, _ in table.columns] == [name for (name,) in names]
    assert {*TABLES, "migrations"} == tables(store._db)


def test_the_schema_has_no_foreign_key_and_no_enum() -> None:
    text = "\n".join(line.partition("--")[0] for m in migrate.migrations() for line in m.sql.splitlines()).lower()
    assert not re.search(r"\b(foreign|references|enum)\b", text)
