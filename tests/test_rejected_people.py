"""Somebody the author rejected stays rejected, by whichever name the next analysis finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.deciding import known_of
from analyzer.models.facts import EntityFact, Fact, NameFact, SameFact, StoredFact
from analyzer.models.rows import TaskRow
from analyzer.steps._cast import Handles
from analyzer.storage.store import Store
from analyzer.storage.tasks import fact_id_of
from tests.tiny import write_book

NAMES = {
    "en": ("Mr. Leonard Fennimore", "Mr. Fennimore", "Leonard", "Prudence Amory"),
    "ko": ("김도윤", "김 선생", "도윤", "박미라"),
    "zh": ("林黛玉", "林姑娘", "黛玉", "王熙凤"),
    "ja": ("山本花子", "山本さん", "花子", "田中太郎"),
}
"""Full name, two more of the same, somebody else."""


def put(store: Store, facts: list[Fact], handles: dict[str, str], chapter: int = 1) -> None:
    """Leave facts in the store as an analysis of a chapter would."""
    stored = [
        StoredFact(fact_id=fact_id_of("cast_same", chapter, f), step="cast_same", chapter=chapter, fact=f)
        for f in facts
    ]
    row = TaskRow(step="cast_same", chapter=chapter, input_hash="x", n_answers=0, n_facts=len(stored), n_issues=0)
    store.commit_task(row, stored, [], handles)


def somebody(handle: str, *names: str, chapter: int = 1) -> list[Fact]:
    entity = EntityFact(
        entity=handle, entity_kind="character", label=names[0], anchor=f"name:{names[0]}", chapter=chapter
    )
    return [entity, *(NameFact(entity=handle, surface=n, name_kind="full", chapter=chapter) for n in names)]


def book_of(folder: Path, language: str, facts: list[Fact]) -> Path:
    manuscript = folder / "serial.txt"
    manuscript.write_text("Chapter 1\n\nOne.\n\nChapter 2\n\nTwo.\n", "utf-8")
    book = pipeline.init(manuscript, language="en")
    with Store.open(book) as store:
        put(store, facts, {f.anchor: f.entity for f in facts if isinstance(f, EntityFact)})
    return book


def found_again(book: Path, *clusters: list[str]) -> list[str]:
    """Bring people in anew, chapter 1 forgotten, as an analysis gives handles; return whom the author sees."""
    with Store.open(book) as store:
        known = known_of(store)
        handles = Handles(known.bible, known.bible.handles)
        given = handles.share([[f"name:{name}" for name in names] for names in clusters])
        facts: list[Fact] = []
        for (handle, anchor), names in zip(given, clusters, strict=True):
            entity, *rest = somebody(handle, *names, chapter=2)
            facts += [entity.model_copy(update={"anchor": anchor}), *rest]
        put(store, [], {})
        put(store, facts, {anchor: handle for handle, anchor in given}, chapter=2)
    return [row.name for row in pipeline.show_cast(book)]


@pytest.mark.parametrize("language", NAMES)
def test_whoever_is_found_by_another_of_their_names_is_rejected_too(tmp_path: Path, language: str) -> None:
    full, title, given, other = NAMES[language]
    book = book_of(tmp_path, language, [*somebody("@1", full, title, given), *somebody("@2", other)])
    made = pipeline.decide(book, "reject", ["@1"])
    assert title not in made.what
    assert found_again(book, [title], [given], [full], [other]) == [other]
    assert pipeline.verify(book) == []


@pytest.mark.parametrize("language", NAMES)
def test_a_rejected_name_leaves_even_whom_it_stood_for_first(tmp_path: Path, language: str) -> None:
    full, title, _, other = NAMES[language]
    book = book_of(tmp_path, language, [*somebody("@1", full, title), *somebody("@2", other)])
    pipeline.decide(book, "reject", ["@1", "called", *full.split()])
    for plane in ("author", "reader"):
        rows = {row.handle: row for row in pipeline.show_cast(book, plane=plane)}
        assert (rows["@1"].name, rows["@1"].names) == (title, (title,))
    pipeline.undo(book)
    assert pipeline.show_cast(book)[0].name == full


@pytest.mark.parametrize("language", NAMES)
def test_a_name_that_another_bears_as_well_is_not_rejected_with_them(tmp_path: Path, language: str) -> None:
    full, title, _, other = NAMES[language]
    book = book_of(tmp_path, language, [*somebody("@1", full, title), *somebody("@2", other, title)])
    pipeline.decide(book, "reject", ["@1"])
    assert found_again(book, [title], [other]) == [title, other]


@pytest.mark.parametrize("language", NAMES)
def test_those_who_were_one_with_them_are_rejected_too_and_come_back_with_them(tmp_path: Path, language: str) -> None:
    full, title, _, other = NAMES[language]
    facts = [*somebody("@1", full), *somebody("@2", other), *somebody("@3", title)]
    book = book_of(tmp_path, language, [*facts, SameFact(entity="@3", same_as="@1", chapter=1)])
    pipeline.decide(book, "reject", ["@1"])
    pipeline.decide(book, "reject", ["@1"])
    assert len(pipeline.decisions(book)) == 1
    assert found_again(book, [title], [other]) == [other]
    pipeline.undo(book)
    assert [row.name for row in pipeline.show_cast(book)] == [title, other]


def test_a_run_after_a_rejection_finds_nobody_again(tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    assert pipeline.run(manuscript, model="gold").exit_code == 0
    book = tmp_path / "tiny.book"
    pipeline.decide(book, "reject", ["@5"])
    for _ in range(2):
        assert pipeline.run(book, model="gold").exit_code == 0
        assert not [row.names for row in pipeline.show_cast(book) if {"Pia", "Pia Hesk"} & set(row.names)]
    assert {task.reason for task in pipeline.due(book, model=f"gold:{tmp_path / 'gold'}")} == {"done"}
    assert pipeline.verify(book) == []
