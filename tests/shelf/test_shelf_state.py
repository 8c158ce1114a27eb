"""What stands on a shelf, what it keeps in its folder, and how many outcomes become one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.errors import ConfigError, StoreBusyError, StoreError
from analyzer.settings import Settings, save_settings
from analyzer.shelf import verbs
from analyzer.shelf.books import books_on
from analyzer.shelf.register import worst
from analyzer.shelf.state import STATE_NAME, BookState, ShelfState, cap_in_force, held, read_state, write_state


def book(folder: Path, manuscript: str) -> Path:
    folder.mkdir(parents=True)
    save_settings(folder, Settings(manuscript=manuscript))
    return folder


def test_books_and_manuscripts_without_one_stand_on_a_shelf_and_nothing_else(tmp_path: Path) -> None:
    for name in ("s.txt", "s.md", "다른.epub", "own.docx", "README.md", ".x.txt", "picture.png", "shelf.json"):
        (tmp_path / name).write_text("", "utf-8")
    book(tmp_path / "elsewhere", "../own.docx")
    (tmp_path / "damaged.book").mkdir()
    (tmp_path / "damaged.book" / "analyzer.toml").write_text("=", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "1.txt").write_text("", "utf-8")
    found = {one.name: one.path.name for one in books_on(tmp_path)}
    assert found == {
        "damaged.book": "damaged.book",
        "elsewhere": "elsewhere",
        "s.book": "s.md",
        "s.txt": "s.txt",
        "다른.book": "다른.epub",
    }
    book(tmp_path / "다른.book", "../다른.epub")
    assert "다른.book" in {one.name for one in books_on(tmp_path)}, "a book keeps its name once it is made"


def test_one_book_or_manuscript_under_several_names_stands_on_a_shelf_once_under_its_own(tmp_path: Path) -> None:
    for name in ("둘.txt", "two.md"):
        (tmp_path / name).write_text("", "utf-8")
    (tmp_path / "a link.md").symlink_to("two.md")
    (tmp_path / "가.txt").symlink_to("둘.txt")
    book(tmp_path / "z.book", "../elsewhere.txt")
    (tmp_path / "a.book").symlink_to("z.book")
    assert {one.name: one.path.name for one in books_on(tmp_path)} == {
        "two.book": "two.md",
        "둘.book": "둘.txt",
        "z.book": "z.book",
    }


def test_names_that_are_no_utf_8_are_told_apart_and_can_be_stored(tmp_path: Path) -> None:
    for name in (b"bad\xff.md", b"bad\xfe.md", "좋은.md".encode()):
        (tmp_path / os.fsdecode(name)).write_text("", "utf-8")
    found = books_on(tmp_path)
    assert [BookState(name=one.name).name for one in found] == ["bad\\udcfe.book", "bad\\udcff.book", "좋은.book"]
    assert all(one.path.is_file() for one in found)


def test_a_state_is_read_as_it_was_written_and_one_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    assert read_state(tmp_path) is None
    state = ShelfState(pid=os.getpid(), cap_usd=1.5, cap_set_at=7.0, books=(BookState(name="a", spent_usd=0.25),))
    write_state(tmp_path, state)
    found = read_state(tmp_path)
    assert found is not None and found.state == state and found.is_running
    for text in ("", "[]", '{"pid": "x"}', json.dumps({"pid": 1, "cap_usd": "NaN!"})):
        (tmp_path / STATE_NAME).write_text(text, "utf-8")
        with pytest.raises(StoreError, match="cannot be read"):
            read_state(tmp_path)
        with pytest.raises(StoreError):
            verbs.status(tmp_path)


def test_a_shelf_is_held_by_one_at_a_time_and_free_again_afterwards(tmp_path: Path) -> None:
    with held(tmp_path), pytest.raises(StoreBusyError) as busy, held(tmp_path):
        raise AssertionError("two hold it")
    assert busy.value.pid == os.getpid()
    with held(tmp_path):
        pass


def test_a_cap_counts_on_until_another_figure_is_given() -> None:
    known = ShelfState(pid=1, cap_usd=2.0, cap_set_at=5.0)
    assert cap_in_force(None, None, now=9.0) == (None, None)
    assert cap_in_force(1.0, None, now=9.0) == (1.0, 9.0)
    assert cap_in_force(None, known, now=9.0) == (2.0, 5.0)
    assert cap_in_force(2.0, known, now=9.0) == (2.0, 5.0)
    assert cap_in_force(3.0, known, now=9.0) == (3.0, 9.0)
    for broken in (ShelfState(pid=1, cap_usd=-1.0, cap_set_at=5.0), ShelfState(pid=1, cap_usd=2.0)):
        with pytest.raises(ConfigError):
            cap_in_force(None, broken, now=9.0)


def test_the_worst_outcome_is_that_of_the_shelf() -> None:
    assert worst([]) == 0
    assert worst([0, 7, 0]) == 7
    assert worst([7, 5, 2]) == 2
    assert worst([6, 4]) == 6
    assert worst([3, 99]) == 1, "a code nobody knows is a crash"
    assert worst([1, 130, 0]) == 130


@pytest.mark.parametrize("workers", [0, 65])
def test_workers_outside_their_bounds_are_refused(tmp_path: Path, workers: int) -> None:
    with pytest.raises(ConfigError, match="--workers"):
        verbs.run(tmp_path, verbs.ShelfRequest(workers=workers))


@pytest.mark.parametrize("cap", [-1.0, float("nan"), float("inf")])
def test_a_cap_that_is_no_amount_is_refused(tmp_path: Path, cap: float) -> None:
    with pytest.raises(ConfigError, match="--cap-usd"):
        verbs.run(tmp_path, verbs.ShelfRequest(cap_usd=cap))
