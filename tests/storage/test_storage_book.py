from __future__ import annotations

import json

import pytest
from storage_rows import HOSTILE

from analyzer.errors import IntegrityError
from analyzer.models.rows import BookRow, ChapterRow, DecisionRow, RunRow
from analyzer.storage.store import Store


def book(title: str = "The Salt Road") -> BookRow:
    return BookRow(title=title, language="en", sha256="0" * 64, manuscript_path=title, created_at=1.5)


def chapter(no: int, title: str = "") -> ChapterRow:
    return ChapterRow(no=no, kind="chapter", label=str(no), title=title, text_sha256="0" * 64, n_blocks=no)


def run(run_id: str, *, cap_usd: float | None = 0.25, at: float = 1.0) -> RunRow:
    return RunRow(run_id=run_id, model="m", confirm_model="c", answered_by="model", cap_usd=cap_usd, started_at=at)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_rows_with_any_text_come_back_as_they_were(store: Store, text: str) -> None:
    payload = json.dumps({"kind": "rename", "entity": text, "label": text}, ensure_ascii=False)
    decision = DecisionRow(decision_id=text, kind="rename", payload=payload, decided_at=3.5)
    store.put_book(book(text))
    store.put_chapters([chapter(1, text)])
    store.put_setting(text, text)
    store.open_run(run(text))
    store.add_decision(decision)
    assert store.book() == book(text)
    assert store.chapters() == [chapter(1, text)]
    assert store.setting(text) == text
    assert store.runs() == [run(text)]
    assert store.decisions() == [decision]
    assert store.verify() == []


def test_a_new_store_holds_nothing(store: Store) -> None:
    assert store.book() is None
    assert store.chapters() == store.runs() == store.decisions() == store.calls() == store.tasks() == []
    assert store.settings() == store.handles() == {}
    assert store.setting("cap") is None
    assert store.fact("none") is None
    assert store.spent_usd() == 0.0
    assert store.verify() == []


def test_the_book_the_chapters_and_a_setting_are_replaced_whole(store: Store) -> None:
    store.put_book(book("old"))
    store.put_book(book("new"))
    store.put_chapters([chapter(no) for no in (1, 2, 3)])
    store.put_chapters([chapter(2), chapter(1)])
    store.put_setting("cap", "1")
    store.put_setting("cap", "2")
    assert store.book() == book("new")
    assert store.chapters() == [chapter(1), chapter(2)]
    assert store.settings() == {"cap": "2"}


def test_a_chapter_number_given_twice_leaves_the_old_chapters(store: Store) -> None:
    store.put_chapters([chapter(1)])
    with pytest.raises(IntegrityError, match="twice"):
        store.put_chapters([chapter(2), chapter(2)])
    assert store.chapters() == [chapter(1)]


def test_a_run_is_opened_once_and_closed_with_its_outcome(store: Store) -> None:
    store.open_run(run("b", at=2.0, cap_usd=None))
    store.open_run(run("a", at=1.0))
    with pytest.raises(IntegrityError, match="there already"):
        store.open_run(run("a"))
    store.close_run("a", ended_at=9.0, outcome="finished")
    with pytest.raises(IntegrityError, match="no run 'zz'"):
        store.close_run("zz", ended_at=9.0, outcome="finished")
    first, second = store.runs()
    assert (first.run_id, first.ended_at, first.outcome, first.cap_usd) == ("a", 9.0, "finished", 0.25)
    assert (second.run_id, second.ended_at, second.outcome, second.cap_usd) == ("b", None, "", None)


def test_a_run_opened_and_closed_in_one_transaction_is_closed(store: Store) -> None:
    with store.transaction():
        store.open_run(run("a"))
        store.close_run("a", ended_at=2.0, outcome="finished")
    assert store.runs()[0].outcome == "finished"


def test_a_decision_is_never_changed(store: Store) -> None:
    first = DecisionRow(decision_id="d", kind="merge", payload="{}", decided_at=1.0)
    store.add_decision(first)
    store.add_decision(first)
    with pytest.raises(IntegrityError, match="given before, otherwise"):
        store.add_decision(first.model_copy(update={"kind": "split"}))
    assert store.decisions() == [first]


def test_rows_can_be_exported_without_the_columns_that_differ_between_runs(store: Store) -> None:
    store.put_setting("b", "2")
    store.put_setting("a", "1")
    assert store.export_rows("settings") == [("a", "1"), ("b", "2")]
    assert store.export_rows("settings", without=("value",)) == [("a",), ("b",)]
    with pytest.raises(KeyError):
        store.export_rows("settings; drop table settings")


@pytest.mark.parametrize("text", ["not json", "null", "5", '{"a": 1}', "[1]", "[" * 9999, '["a", null]'])
def test_a_setting_that_makes_no_sense_is_told_with_its_name_and_one_never_set_is_none(store: Store, text: str) -> None:
    assert store.kept("weighed", list[str]) is None
    store.put_setting("weighed", '["하나", "二"]')
    assert store.kept("weighed", list[str]) == ["하나", "二"]
    store.put_setting("weighed", text)
    with pytest.raises(IntegrityError, match="'weighed'") as odd:
        store.kept("weighed", list[str])
    assert odd.value.exit_code == 6 and odd.value.hint
