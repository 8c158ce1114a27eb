from __future__ import annotations

import pytest
from storage_rows import answer_row, call, ended, entity, stored, task

from analyzer.errors import DefinitionError, IntegrityError
from analyzer.models.issue import Issue
from analyzer.models.rows import BookRow, ChapterRow, RunRow
from analyzer.storage.store import Store
from analyzer.storage.verify import SHOWN, checks


def full(store: Store) -> None:
    store.put_book(BookRow(title="t", language="en", sha256="0", manuscript_path="p", created_at=1.0))
    store.put_chapters([ChapterRow(no=1, kind="chapter", label="1", title="", text_sha256="0", n_blocks=3, id=1)])
    store.open_run(
        RunRow(run_id="run-1", model="m", confirm_model="", answered_by="model", cap_usd=None, started_at=1.0)
    )
    store.reserve(call())
    store.settle(ended(call(), 0.1))
    store.add_answers([answer_row("reuse:1")])
    store.commit_task(
        task("a", 1, 1, 1),
        stored("a", 1, [entity()], because=("reuse:1",)),
        [("i", Issue(code="no_evidence", step="a", chapter=1))],
        {"Ilse": "@1"},
    )


DAMAGE = {
    "one_book": "insert into book select * from book",
    "chapter_numbers_are_unique": "insert into chapters select * from chapters",
    "one_row_a_task": "insert into tasks select * from tasks",
    "step_numbers_are_unique": "insert into steps values ('b', 0)",
    "step_is_there_once": "insert into steps values ('a', 1)",
    "task_has_an_ordered_step": "delete from steps",
    "task_counts_its_facts": "delete from facts",
    "task_counts_its_issues": "delete from issues",
    "fact_has_a_task": "delete from tasks",
    "issue_has_a_task": "update issues set step = 'z'",
    "fact_ids_are_unique": "insert into facts select * from facts",
    "fact_rests_on_stored_answers": "delete from answers",
    "anchor_has_one_handle": "insert into handles values ('Ilse', '@2', '')",
    "handle_is_given_once": "insert into handles values ('Otto', '@1', '')",
    "handle_is_well_formed": "insert into handles values ('Otto', '@07', '')",
    "anchor_beside_another_has_its_handle": "insert into handles values ('Otto', '@1', 'Nobody')",
    "chapter_ids_are_unique": "insert into chapters select no + 1, kind, label, title, '', 1, id, '', '' from chapters",
    "call_starts_once": "insert into call_starts select * from call_starts",
    "call_ends_once": "insert into call_ends select * from call_ends",
    "call_that_ended_was_reserved": "delete from call_starts",
    "money_is_not_negative": "update call_ends set cost_nano = -1",
    "call_has_a_run": "delete from runs",
    "runs_are_unique": "insert into runs select * from runs",
    "decisions_are_unique": "insert into decisions values ('d', '', '', 1), ('d', '', '', 1)",
    "decision_is_of_a_known_kind": "insert into decisions values ('d1', 'hope', '{\"kind\":\"hope\"}', 1)",
    "decision_says_what_it_decides": "insert into decisions values ('d1', 'merge', '{\"kind\":\"split\"}', 1)",
    "undo_is_of_an_earlier_decision": 'insert into decisions values (\'d1\', \'undo\', \'{"kind":"undo","decision":"d2"}\', 1)',
    "decision_is_undone_once": 'insert into decisions values (\'d1\', \'undo\', \'{"kind":"undo","decision":"d"}\', 1), '
    '(\'d2\', \'undo\', \'{"kind":"undo","decision":"d"}\', 2)',
    "answer_is_as_written": "update answers set answer = replace(answer, 'character', 'place')",
    "fact_is_as_written": "update facts set fact = replace(fact, 'Ilse', 'Otto')",
}


def test_a_whole_store_has_nothing_to_say(store: Store) -> None:
    full(store)
    assert store.verify() == []


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named(store: Store, name: str) -> None:
    full(store)
    store._db.execute(DAMAGE[name])
    assert [line for line in store.verify() if line.startswith(f"{name}: ")]


def test_every_query_is_shown_to_find_something() -> None:
    assert {check.name for check in checks()} | {"answer_is_as_written", "fact_is_as_written"} == set(DAMAGE)


def test_a_row_that_holds_no_record_is_named_by_verify_and_by_reading(store: Store) -> None:
    full(store)
    for sql in ('update facts set fact = \'{"fact":"ghost"}\'', "update answers set question = 'no json'"):
        store._db.execute(sql)
    assert {line.partition(":")[0] for line in store.verify()} == {"answer_is_as_written", "fact_is_as_written"}
    with pytest.raises(IntegrityError, match="does not hold a fact"):
        store.facts()
    with pytest.raises(IntegrityError, match="does not hold a Question"):
        store.all_answers()


def test_many_contradictions_are_counted_not_listed(store: Store) -> None:
    store.commit_task(task("a", 1, 50), stored("a", 1, [entity()] * 50, because=("gone",)), [])
    lines = store.verify()
    assert len(lines) == SHOWN + 1
    assert lines[-1] == f"fact_rests_on_stored_answers: and {50 - SHOWN} more"


def test_verify_sees_what_an_open_transaction_did(store: Store) -> None:
    with store.transaction():
        full(store)
        assert store.verify() == []


@pytest.mark.parametrize("text", ["-- name: a\nselect 1;\n-- name: a\nselect 2;", "-- name: a\n-- name: b\nselect 1;"])
def test_a_verify_file_with_a_name_twice_or_without_a_query_is_our_own_fault(text: str) -> None:
    with pytest.raises(DefinitionError):
        checks(text)
