from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from storage_rows import HOSTILE, answer_row, entity, facts, stored, task

from analyzer.errors import IntegrityError
from analyzer.models.facts import EntityFact, Evidence, Fact, NameFact, StoredFact
from analyzer.models.issue import Issue
from analyzer.storage.store import Store
from analyzer.storage.tasks import fact_id_of


def name(surface: str, chapter: int = 1) -> NameFact:
    return NameFact(entity="@1", surface=surface, name_kind="full", chapter=chapter)


def commit(store: Store, step: str, chapter: int, found: list[Fact]) -> None:
    store.commit_task(task(step, chapter, len(found)), stored(step, chapter, found), [])


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_facts_issues_and_handles_with_any_text_come_back_as_they_were(store: Store, text: str) -> None:
    kept = stored(f"step{text}", 1, [entity(label=text), name(text)], because=("reuse:1",))
    issue = Issue(code="unknown_handle", step="form", chapter=1, about=(text,), detail=text, because=("reuse:1",))
    store.add_answers([answer_row("reuse:1")])
    row = task(f"step{text}", 1, 2, 1, input_hash=text)
    store.commit_task(row, kept, [(f"issue:{text}", issue)], {text: "@1"})
    assert store.facts() == kept
    assert store.issues() == [(f"issue:{text}", issue)]
    assert store.handles() == {text: "@1"}
    assert store.task(f"step{text}", 1) == row
    assert store.fact(kept[1].fact_id) == kept[1]
    assert store.verify() == []


def test_a_task_committed_again_replaces_its_facts_and_issues_and_no_others(store: Store) -> None:
    issue = Issue(code="no_evidence", step="a", chapter=1)
    store.commit_task(task("a", 1, 2, 1), stored("a", 1, [name("x"), name("y")]), [("i1", issue)])
    commit(store, "a", 2, [name("z", 2)])
    commit(store, "b", 1, [name("w")])
    store.commit_task(task("a", 1, 1, input_hash="input:1"), stored("a", 1, [name("v")]), [])
    assert [f.fact.surface for f in store.facts() if isinstance(f.fact, NameFact)] == ["v", "w", "z"]
    assert store.issues() == []
    assert [(t.step, t.chapter, t.input_hash) for t in store.tasks()] == [
        ("a", 1, "input:1"),
        ("b", 1, "input:0"),
        ("a", 2, "input:0"),
    ]
    assert store.verify() == []


def test_a_task_may_be_replaced_many_times_in_one_transaction(store: Store) -> None:
    with store.transaction():
        for at in range(5):
            commit(store, "a", 1, [name(f"n{at}")])
            assert [f.fact.surface for f in store.facts() if isinstance(f.fact, NameFact)] == [f"n{at}"]
    assert len(store.facts()) == 1
    assert len(store.tasks()) == 1


def test_facts_come_by_chapter_then_order_of_steps_then_place_in_their_task(store: Store) -> None:
    commit(store, "late", 2, [name("2-late", 2)])
    commit(store, "early", 2, [name("2-early-a", 2), name("2-early-b", 2)])
    commit(store, "early", 1, [name("1-early")])
    commit(store, "late", 1, [name("1-late")])

    def surfaces() -> list[str]:
        return [f.fact.surface for f in store.facts() if isinstance(f.fact, NameFact)]

    assert surfaces() == ["1-late", "1-early", "2-late", "2-early-a", "2-early-b"]
    store.put_step_order(["early", "between", "late"])
    assert surfaces() == ["1-early", "1-late", "2-early-a", "2-early-b", "2-late"]
    commit(store, "after", 1, [name("1-after")])
    assert surfaces()[:3] == ["1-early", "1-late", "1-after"]
    assert store.verify() == []


def test_facts_stop_at_a_chapter_and_at_the_classes_asked(store: Store) -> None:
    for chapter in (1, 2, 3):
        commit(store, "a", chapter, [entity(f"@{chapter}", chapter=chapter), name("n", chapter)])
    assert [f.chapter for f in store.facts(through=2)] == [1, 1, 2, 2]
    assert [f.fact.fact for f in store.facts(through=2, classes={"name"})] == ["name", "name"]
    assert store.facts(classes=[]) == []
    assert store.facts(classes=["'; drop table facts"]) == []
    assert store.facts(through=0) == []


def test_a_handle_given_otherwise_is_refused_and_nothing_of_the_task_is_stored(store: Store) -> None:
    store.commit_task(task("a", 1, 0), [], [], {"ilse": "@1"})
    with pytest.raises(IntegrityError, match="it cannot become @2"):
        store.commit_task(task("b", 1, 1), stored("b", 1, [name("x")]), [], {"new": "@5", "ilse": "@2"})
    with pytest.raises(IntegrityError, match="@1 was given for 'ilse'"):
        store.commit_task(task("b", 1, 1), stored("b", 1, [name("x")]), [], {"other": "@1"})
    assert store.handles() == {"ilse": "@1"}
    assert store.facts() == []
    assert store.task("b", 1) is None
    store.commit_task(task("b", 1, 0), [], [], {"ilse": "@1", "new": "@2"})
    assert list(store.handles().items()) == [("ilse", "@1"), ("new", "@2")]


def test_handles_outlive_the_facts_they_were_given_for(store: Store) -> None:
    store.commit_task(task("a", 1, 1), stored("a", 1, [entity()]), [], {"Ilse": "@1"})
    store.commit_task(task("a", 1, 0), [], [], {})
    store.drop_tasks([("a", 1)])
    assert store.handles() == {"Ilse": "@1"}


def test_a_fact_of_another_task_or_twice_the_same_id_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError, match="not of b ch1"):
        store.commit_task(task("b", 1, 1), stored("a", 1, [name("x")]), [])
    with pytest.raises(IntegrityError, match="comes twice"):
        store.commit_task(task("a", 1, 2), stored("a", 1, [name("x")]) * 2, [])
    with pytest.raises(IntegrityError, match="says 3 facts"):
        store.commit_task(task("a", 1, 3), stored("a", 1, [name("x")]), [])
    assert store.tasks() == []


def test_dropped_tasks_take_their_facts_along_and_leave_answers(store: Store) -> None:
    store.add_answers([answer_row("reuse:1")])
    for chapter in (1, 2):
        commit(store, "a", chapter, [name("x", chapter)])
    store.drop_tasks([("a", 2), ("never", 7)])
    assert [f.chapter for f in store.facts()] == [1]
    assert store.task("a", 2) is None
    assert len(store.all_answers()) == 1
    assert store.verify() == []


def test_what_is_remembered_is_read_again_after_a_failed_transaction(store: Store) -> None:
    commit(store, "a", 1, [name("kept")])
    with pytest.raises(IntegrityError), store.transaction():
        commit(store, "a", 1, [name("lost")])
        commit(store, "b", 1, [])
        store.commit_task(task("c", 1, 0), [], [], {"x": "@1"})
        store.commit_task(task("c", 2, 0), [], [], {"x": "@2"})
    assert [t.step for t in store.tasks()] == ["a"]
    assert store.handles() == {}
    commit(store, "b", 1, [name("now")])
    assert [f.fact.surface for f in store.facts() if isinstance(f.fact, NameFact)] == ["kept", "now"]
    assert store.verify() == []


def test_a_failure_swallowed_inside_a_transaction_still_stores_nothing_of_it(store: Store) -> None:
    with pytest.raises(IntegrityError, match="nothing of it was stored"), store.transaction():
        commit(store, "a", 1, [name("x")])
        with pytest.raises(IntegrityError):
            store.commit_task(task("b", 1, 9), [], [])
        with pytest.raises(IntegrityError):
            store.commit_task(task("b", 1, 0), [], [], {"x": "@1", "y": "@1"})
    assert store.tasks() == []


@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_facts_round_trip_and_committing_them_again_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    expected = []
    folder: Path = tmp_path_factory.mktemp("book")
    with Store.open(folder, create=True) as store:
        for chapter in (1, 2):
            found = data.draw(st.lists(facts(chapter), max_size=5))
            kept = stored("s", chapter, found)
            expected += kept
            store.commit_task(task("s", chapter, len(found)), kept, [])
        assert store.facts() == expected
        before = [store.export_rows(table) for table in ("tasks", "facts", "steps")]
        for chapter in (2, 1):
            again = [f for f in expected if f.chapter == chapter]
            store.commit_task(task("s", chapter, len(again)), again, [])
        assert [store.export_rows(table) for table in ("tasks", "facts", "steps")] == before
    with Store.open(folder) as store:
        assert store.facts() == expected
        assert store.verify() == []


def cited(chapter: int, text: str) -> EntityFact:
    shown = Evidence(chapter=chapter, block=1, sentence=1, start=0, end=len(text), text=text)
    return entity(chapter=chapter).model_copy(update={"evidence": (shown,)})


def test_what_chapters_left_follows_them_to_their_new_numbers(store: Store) -> None:
    for chapter, text in ((1, "일세"), (2, "伊尔莎"), (3, "イルゼ")):
        issue = Issue(code="no_evidence", step="a", chapter=chapter, detail=text)
        store.commit_task(task("a", chapter, 1, 1), stored("a", chapter, [cited(chapter, text)]), [(text, issue)])
    store.renumber_tasks({1: 3, 3: 1})
    assert [(row.step, row.chapter) for row in store.tasks()] == [("a", 1), ("a", 3)]
    found = [s.fact for s in store.facts() if isinstance(s.fact, EntityFact)]
    assert [(f.chapter, f.evidence[0].chapter, f.evidence[0].text) for f in found] == [(1, 1, "イルゼ"), (3, 3, "일세")]
    assert [(issue.chapter, issue.detail) for _, issue in store.issues()] == [(1, "イルゼ"), (3, "일세")]
    assert store.verify() == []


def test_facts_that_moved_there_and_back_are_what_they_were(store: Store) -> None:
    fact = cited(1, "Ilse")
    kept = StoredFact(fact_id=fact_id_of("a", 1, fact), step="a", chapter=1, fact=fact)
    store.commit_task(task("a", 1, 1), [kept], [])
    store.renumber_tasks({1: 7})
    assert store.facts()[0].fact_id != kept.fact_id
    store.renumber_tasks({7: 1})
    assert store.facts() == [kept]


def test_two_chapters_never_get_one_number(store: Store) -> None:
    commit(store, "a", 1, [entity()])
    with pytest.raises(IntegrityError, match="one number"):
        store.renumber_tasks({1: 2, 3: 2})
    assert [row.chapter for row in store.tasks()] == [1]


def test_another_anchor_stands_for_a_handle_and_never_takes_one_from_somebody(store: Store) -> None:
    store.commit_task(task("a", 1, 0), [], [], {"name:Ilse": "@1", "name:Otto": "@2"})
    store.add_anchors({"name:Else": "@1", "name:Otto": "@1"})
    assert store.handles() == {"name:Ilse": "@1", "name:Otto": "@2", "name:Else": "@1"}
    assert store.beside() == {"name:Else": "name:Ilse"}
    assert store.verify() == []
    with pytest.raises(IntegrityError, match="never given"):
        store.add_anchors({"name:Nobody": "@9"})
    with pytest.raises(IntegrityError, match="was given for"):
        store.commit_task(task("b", 1, 0), [], [], {"name:Nobody": "@1"})
