from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from storage_rows import answer_row

from analyzer.errors import MigrationError, StoreBusyError, StoreError
from analyzer.storage.db import FILE_NAME, _unusable
from analyzer.storage.lock import LOCK_NAME, lock_pid, pid_is_alive, process_mark
from analyzer.storage.store import Store

HOLD = """
import sys
from pathlib import Path
from analyzer.storage.store import Store
with Store.open(Path(sys.argv[1]), create=True):
    print("open", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_by_another_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n"
        try:
            yield child
        finally:
            child.kill()


def dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_a_second_process_is_told_who_holds_the_book(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path) as child:
        assert lock_pid(tmp_path) == child.pid
        with pytest.raises(
            StoreBusyError, match=f"process {child.pid} holds the book, and only one at a time can"
        ) as caught:
            Store.open(tmp_path)
        assert caught.value.pid == child.pid
        assert "status" in caught.value.hint


def test_the_book_of_a_killed_process_opens_though_its_lock_file_is_left(tmp_path: Path) -> None:
    with held_by_another_process(tmp_path) as child:
        child.kill()
        child.wait()
    assert lock_pid(tmp_path) == child.pid
    with Store.open(tmp_path) as store:
        store.add_answers([answer_row("reuse:1")])
        assert lock_pid(tmp_path) == os.getpid()
    assert not (tmp_path / LOCK_NAME).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": true}', '{"pid": -1}', '{"pid": "x"}', "\x00", "null"])
def test_a_lock_file_with_anything_in_it_stops_nobody(tmp_path: Path, text: str) -> None:
    Store.open(tmp_path, create=True).close()
    (tmp_path / LOCK_NAME).write_text(text)
    assert lock_pid(tmp_path) is None
    with Store.open(tmp_path):
        assert lock_pid(tmp_path) == os.getpid()


def test_a_lock_file_of_a_living_process_that_does_not_hold_the_book_stops_nobody(tmp_path: Path) -> None:
    Store.open(tmp_path, create=True).close()
    (tmp_path / LOCK_NAME).write_text(json.dumps({"pid": os.getppid()}))
    assert pid_is_alive(os.getppid()) and lock_pid(tmp_path) == os.getppid()
    with Store.open(tmp_path) as store:
        assert lock_pid(tmp_path) == os.getpid()
        store.add_answers([answer_row("reuse:1")])
    assert not (tmp_path / LOCK_NAME).exists()
    with Store.open(tmp_path) as store:
        assert [row.answer_id for row in store.all_answers()] == ["reuse:1"]


def test_the_same_process_cannot_open_a_book_twice_by_any_path(tmp_path: Path) -> None:
    link = tmp_path / "link"
    with Store.open(tmp_path / "book", create=True):
        link.symlink_to(tmp_path / "book")
        for folder in (tmp_path / "book", tmp_path / "book" / ".." / "book", link):
            with pytest.raises(StoreBusyError) as caught:
                Store.open(folder, create=True)
            assert caught.value.pid == os.getpid()
    Store.open(link).close()


def test_closing_a_store_twice_does_not_let_go_of_a_later_one(tmp_path: Path) -> None:
    first = Store.open(tmp_path, create=True)
    first.close()
    with Store.open(tmp_path):
        first.close()
        assert (tmp_path / LOCK_NAME).exists()
        with pytest.raises(StoreBusyError):
            Store.open(tmp_path)


def test_a_missing_book_is_named_and_nothing_is_made(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(StoreError, match="no book at") as caught:
            Store.open(folder)
        assert "init" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"hi", b"PK\x03\x04" * 4000, b"SQLite format 3\x00" + bytes(9000)])
@pytest.mark.parametrize("create", [False, True])
def test_a_file_that_is_no_database_is_one_clear_sentence_and_left_alone(
    tmp_path: Path, content: bytes, create: bool
) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(StoreError, match="cannot be used") as caught:
        Store.open(tmp_path, create=create)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    assert (tmp_path / FILE_NAME).read_bytes() == content


def test_a_folder_where_the_database_should_be_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(StoreError, match="cannot be used"):
        Store.open(tmp_path, create=True)


def test_a_file_where_the_folder_should_be_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "book").write_text("a manuscript")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(tmp_path / "book", create=True)


@pytest.mark.parametrize("keep", [4096, 12288, 20000])
def test_a_truncated_book_is_one_clear_sentence(tmp_path: Path, keep: int) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.add_answers([answer_row(f"reuse:{at}") for at in range(3000)])
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(StoreError), Store.open(tmp_path) as store:
        store.all_answers()


def test_a_damaged_book_is_one_clear_sentence(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.add_answers([answer_row(f"reuse:{at}") for at in range(3000)])
    path = tmp_path / FILE_NAME
    data = bytearray(path.read_bytes())
    data[12288:] = b"\xee" * (len(data) - 12288)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="cannot be used") as caught, Store.open(tmp_path) as store:
        store.all_answers()
    assert "\n" not in str(caught.value)
    assert not (tmp_path / LOCK_NAME).exists()


def test_a_book_of_another_program_is_told_apart(tmp_path: Path) -> None:
    connection = duckdb.connect(str(tmp_path / FILE_NAME))
    connection.execute("create table book (x integer)")
    connection.close()
    with pytest.raises(MigrationError, match="failed and was undone"):
        Store.open(tmp_path)


READ_ONLY = """
import os, sys
from pathlib import Path
from analyzer.errors import StoreError
from analyzer.storage.store import Store
if os.geteuid() == 0:
    os.setuid(65534)
try:
    Store.open(Path(sys.argv[1]), create=True)
except StoreError as error:
    print(f"{type(error).__name__}|{error}|{error.hint}")
"""


@pytest.mark.parametrize("has_book", [False, True])
def test_a_read_only_folder_is_one_clear_sentence(tmp_path: Path, has_book: bool) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    if has_book:
        Store.open(folder, create=True).close()
        (folder / FILE_NAME).chmod(0o444)
    folder.chmod(0o555)
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(0o755)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(folder)], capture_output=True, text=True, check=True
        )
    finally:
        folder.chmod(0o755)
    kind, message, hint = done.stdout.strip().split("|")
    assert kind == "StoreError"
    assert "ermission denied" in message
    assert "writ" in hint


def test_a_full_disk_is_one_clear_sentence_and_what_was_committed_stays(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    long = "".join(chr(0x4E00 + at % 9000) for at in range(40_000))
    with Store.open(tmp_path, create=True) as store:
        store.add_answers([answer_row("reuse:kept")])
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
        try:
            with pytest.raises(StoreError, match=r"cannot be used.*File too large") as caught:
                store.add_answers([answer_row("reuse:big", long), answer_row("reuse:big2", long[::-1])])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert "room left" in caught.value.hint
        assert [row.answer_id for row in store.all_answers()] == ["reuse:kept"]
        store.add_answers([answer_row("reuse:later")])
    with Store.open(tmp_path) as store:
        assert [row.answer_id for row in store.all_answers()] == ["reuse:kept", "reuse:later"]
        assert store.verify() == []


def test_a_number_the_table_cannot_hold_is_refused_without_blaming_the_file(store: Store) -> None:
    row = answer_row("reuse:1").model_copy(update={"chapter": 2**40})
    with pytest.raises(StoreError, match="refused a row or statement"):
        store.add_answers([row])
    assert store.all_answers() == []


def test_drafts_of_dead_processes_are_cleared_and_those_of_living_ones_left(tmp_path: Path) -> None:
    dead = tmp_path / f"{FILE_NAME}.{dead_pid()}.new"
    living = tmp_path / f"{FILE_NAME}.{os.getppid()}.new"
    for draft in (dead, living, tmp_path / f"{FILE_NAME}.x.new"):
        draft.write_bytes(b"half")
    Store.open(tmp_path, create=True).close()
    assert {path.name for path in tmp_path.iterdir()} == {FILE_NAME, living.name}


def test_the_database_reaches_no_other_file(tmp_path: Path, store: Store) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(StoreError):
        store._db.query(f"select * from read_csv('{tmp_path / 'secret.csv'}')")
    with pytest.raises(StoreError):
        store._db.execute(f"attach '{tmp_path / 'other.duckdb'}'")


def test_a_process_is_alive_until_it_ended_and_a_later_one_with_its_id_is_another() -> None:
    assert pid_is_alive(os.getpid())
    assert pid_is_alive(os.getpid(), process_mark(os.getpid()))
    assert not pid_is_alive(dead_pid())
    assert not any(pid_is_alive(pid) for pid in (0, -1, 2**80))
    if process_mark(os.getpid()):
        assert not pid_is_alive(os.getpid(), "1")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_too_full_for_the_lock_file_does_not_hide_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.add_answers([answer_row("reuse:1")])

    def full(_folder: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("analyzer.storage.db.write_lock", full)
    with Store.open(tmp_path) as store:
        assert len(store.all_answers()) == 1


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("Could not write file: No space left on device", "make room"),
        ("Cannot open file: Permission denied", "copy its folder"),
        ("Cannot open file: Read-only file system", "copy its folder"),
        ("not a valid DuckDB file", "restore a copy"),
    ],
)
def test_what_to_do_about_a_book_that_cannot_be_used_follows_from_why(tmp_path: Path, said: str, hint: str) -> None:
    assert hint in _unusable(tmp_path, duckdb.IOException(said)).hint
