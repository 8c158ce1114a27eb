from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from storage_rows import HOSTILE, TEXTS, answer_row

from analyzer.errors import IntegrityError
from analyzer.models.rows import AnswerRow, AttemptRow
from analyzer.storage.store import Store


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_an_answer_with_any_text_anywhere_comes_back_as_it_was(store: Store, text: str) -> None:
    row = answer_row(f"reuse:{text}", text)
    store.add_answers([row])
    assert store.answers_for([row.answer_id]) == {row.answer_id: row}
    assert store.all_answers() == [row]
    assert store.verify() == []


def test_an_answer_survives_closing_and_opening(tmp_path: Path) -> None:
    rows = [answer_row(f"reuse:{at}", text) for at, text in enumerate(HOSTILE)]
    with Store.open(tmp_path, create=True) as store:
        store.add_answers(rows)
    with Store.open(tmp_path) as store:
        assert store.answers_by_ids([row.answer_id for row in rows]) == rows


def test_a_second_answer_of_an_id_never_replaces_the_first(store: Store) -> None:
    first, second = answer_row("reuse:1", "first"), answer_row("reuse:1", "second")
    store.add_answers([first])
    store.add_answers([second])
    assert store.all_answers() == [first]


def test_within_one_batch_the_first_answer_of_an_id_stands(store: Store) -> None:
    first, second = answer_row("reuse:1", "first"), answer_row("reuse:1", "second")
    store.add_answers([first, second, first])
    assert store.all_answers() == [first]


def test_within_one_transaction_the_first_answer_of_an_id_stands(store: Store) -> None:
    with store.transaction():
        store.add_answers([answer_row("reuse:1", "first")])
        store.add_answers([answer_row("reuse:1", "second")])
    assert [row.model for row in store.all_answers()] == ["first"]


def test_the_database_itself_refuses_to_replace_an_answer(tmp_path: Path) -> None:
    """Even a store that were wrong about what it holds changes nothing."""
    with Store.open(tmp_path, create=True) as store:
        store.add_answers([answer_row("reuse:1", "first")])
        store._ids = set()
        with pytest.raises(IntegrityError, match="refused a row"):
            store.add_answers([answer_row("reuse:2", "third"), answer_row("reuse:1", "second")])
        assert [row.model for row in store.all_answers()] == ["first"]
        store.add_answers([answer_row("reuse:1", "second"), answer_row("reuse:2", "third")])
        assert [row.model for row in store.all_answers()] == ["first", "third"]


def test_answers_are_found_in_the_order_asked_and_unknown_ids_left_out(store: Store) -> None:
    store.add_answers([answer_row(f"reuse:{at}") for at in range(9)])
    asked = ["reuse:7", "nothing", "reuse:2", "'", "reuse:5"]
    assert list(store.answers_for(asked)) == ["reuse:7", "reuse:2", "reuse:5"]
    assert [row.answer_id for row in store.answers_by_ids(asked)] == ["reuse:7", "reuse:2", "reuse:5"]
    assert store.answers_for([]) == {}


def test_answers_added_in_an_open_transaction_are_seen_in_it_and_gone_when_it_fails(store: Store) -> None:
    class Stop(Exception):
        pass

    with pytest.raises(Stop), store.transaction():
        store.add_answers([answer_row("reuse:1")])
        assert len(store.answers_for(["reuse:1"])) == 1
        raise Stop
    assert store.answers_for(["reuse:1"]) == {}
    store.add_answers([answer_row("reuse:1", "again")])
    assert [row.model for row in store.all_answers()] == ["again"]


def test_attempts_are_kept_beside_answers_and_never_among_them(store: Store) -> None:
    rows = [
        AttemptRow(
            call_id=f"call-{at:02}",
            request_hash="request:0",
            step="form",
            chapter=1,
            pack_size=3,
            reply_text=text,
            problem="empty_reply",
        )
        for at, text in enumerate(HOSTILE)
    ]
    store.add_attempts(rows)
    store.add_attempts(rows[:1])
    assert store.attempts() == [rows[0], rows[0], *rows[1:]]
    assert store.all_answers() == []


@settings(max_examples=15, deadline=None)
@given(batches=st.lists(st.lists(st.tuples(st.integers(0, 6), TEXTS), max_size=6), max_size=4))
def test_whatever_is_added_the_first_of_each_id_is_what_is_kept(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[tuple[int, str]]]
) -> None:
    expected: dict[str, AnswerRow] = {}
    with Store.open(tmp_path_factory.mktemp("book"), create=True) as store:
        for batch in batches:
            rows = [answer_row(f"reuse:{number}", text) for number, text in batch]
            store.add_answers(rows)
            for row in rows:
                expected.setdefault(row.answer_id, row)
        assert {row.answer_id: row for row in store.all_answers()} == expected
        assert store.verify() == []


def test_questions_come_back_in_the_order_their_answers_came_and_of_one_kind_of_answerer_only(store: Store) -> None:
    first, second = answer_row("reuse:z", chapter=2), answer_row("reuse:a", chapter=1)
    other = answer_row("reuse:b").model_copy(update={"answered_by": "gold"})
    for row in (first, second, other):
        store.add_answers([row])
    assert store.questions_by("scripted") == [first.question, second.question]
    assert store.questions_by("gold") == [other.question] and store.questions_by("hand") == []
