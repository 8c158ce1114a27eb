from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.export.columns import SOMEBODY, BookView, Table, book_view
from analyzer.export.planes import AUTHOR, Plane, seen
from analyzer.export.tables import SPECS, dictionary, tables_of
from analyzer.models.facts import EntityFact, StoredFact
from analyzer.models.story import CardFact, RevealFact
from tests.export.formats.making import PLANES, READERS, tale, viewed
from tests.export.site.sites import chapters
from tests.export.site.test_pieces import renumbered
from tests.export.story_tale import LANGUAGES, LAST, stored, story
from tests.export.test_spoilers import books, planes, reveal_ids

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
TYPES = {"string": str, "integer": int, "boolean": bool}


def check(book: BookView) -> dict[str, Table]:
    """Keys tell rows apart, cells have their column's type, and what refers to another table is there."""
    tables = tables_of(book)
    for table in tables.values():
        keys = [tuple(row[name] for name in table.key) for row in table.records()]
        assert len(set(keys)) == len(keys) and None not in {part for key in keys for part in key}, table.name
        for at, column in enumerate(table.columns):
            cells = [row[at] for row in table.rows]
            assert {type(cell) for cell in cells if cell is not None} <= {TYPES[column.kind]}, (table.name, column.name)
            assert column.optional or None not in cells, (table.name, column.name)
            if column.of:
                other, _, name = column.of.partition(".")
                assert {cell for cell in cells if cell is not None} <= {row[name] for row in tables[other].records()}
    return tables


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plane", PLANES)
def test_tables_of_the_tale_join_as_of_every_chapter(language: str, plane: Plane) -> None:
    for through in range(1, LAST + 1):
        tables = check(tale(through, plane, language))
        assert tables["cast"].rows and len(tables["chapters"].rows) == through


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST), st.booleans())
def test_tables_of_any_book_join_on_every_plane(book: tuple[StoredFact, ...], through: int, is_confirmed: bool) -> None:
    confirmed = reveal_ids(book) if is_confirmed else frozenset()
    for plane in planes(book, through)[:4]:
        check(viewed(book, through, plane, confirmed=confirmed))


def test_every_class_of_the_tale_has_rows() -> None:
    empty = {name for name, table in tables_of(tale()).items() if not table.rows}
    assert empty == {"merges", "relation_affinities"}


@pytest.mark.parametrize("plane", [AUTHOR, READERS])
def test_somebody_whom_the_plane_does_not_know_has_no_number_in_notes(plane: Plane) -> None:
    card = CardFact(chapter=1, summary="@1 waits for @77.", people=("@1", "@77"), point_of_view="@77")
    tables = check(viewed(stored([*story(LANGUAGES["en"]), card.model_copy(update={"chapter": 2})]), 2, plane))
    row = next(r for r in tables["cards"].records() if r["chapter"] == 2)
    assert (
        row["summary"] == f"Oda Marrin waits for {SOMEBODY}." and row["eyes"] is None and row["eyes_name"] == SOMEBODY
    )
    there = [r for r in tables["card_people"].records() if r["chapter"] == 2]
    assert [(r["entity"], r["entity_name"]) for r in there] == [("@1", "Oda Marrin"), (None, SOMEBODY)]
    assert "77" not in str([table.rows for table in tables.values()])


def test_a_character_sees_titles_of_chapters_they_are_in() -> None:
    titles = {r["chapter"]: r["title"] for r in tables_of(tale(plane=Plane("character", "@1")))["chapters"].records()}
    assert [no for no, title in titles.items() if title] == [1, 3, 4, 5]


def test_both_sides_of_a_mask_keep_their_names_when_they_are_one() -> None:
    book = stored(story(LANGUAGES["en"]))
    tables = check(viewed(book, plane=READERS, confirmed=frozenset({"r00000001"})))
    [row] = tables["reveals"].records()
    assert row["persona"] == row["behind"] == "@2"
    assert (row["persona_name"], row["behind_name"], row["status"]) == ("the Weaver", "Ludo Marrin", "confirmed")
    [weaver] = [row["entity"] for row in tables["cast"].records() if row["name"] == "the Weaver"]
    assert row["persona"] == weaver and [(gone != weaver, into) for gone, into in tables["merges"].rows] == [
        (True, weaver)
    ]


def test_readers_are_told_no_secret_that_is_kept_from_them() -> None:
    assert not tables_of(tale(3, READERS))["secrets"].rows and tables_of(tale(4, READERS))["secrets"].rows
    assert not tables_of(tale(3, READERS))["knowledge"].rows


def test_the_dictionary_says_what_every_column_means() -> None:
    text = dictionary()
    for spec in SPECS:
        assert f"## {spec.name}\n" in text and len({column.name for column in spec.columns}) == len(spec.columns)
        for column in spec.columns:
            assert f"| `{column.name}` |" in text and len(column.meaning) > 2 and "|" not in column.meaning


def test_the_dictionary_in_the_documentation_is_that_of_the_tables() -> None:
    page = (Path(__file__).parents[3] / "docs" / "exports.md").read_text("utf-8")
    found = re.search(r"<!-- dictionary: begin -->\n(.*?)<!-- dictionary: end -->", page, re.DOTALL)
    assert found and found[1].strip() == dictionary(level=3).strip(), "run: python -m evals.docs"


@settings(max_examples=20, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(2, 9), st.integers(1, LAST))
def test_handles_of_a_readers_tables_count_up_and_say_nothing_of_how_the_book_was_read(
    book: tuple[StoredFact, ...], by: int, through: int
) -> None:
    def tables(facts: Sequence[StoredFact]) -> str:
        view = seen(facts, through=through, plane=Plane("reader"))
        found = tables_of(book_view(view, chapters(LAST), title="T", language="en"))
        cells = [
            (name, table.rows) for name, table in found.items() if name in ("cast", "merges", "names", "relations")
        ]
        return repr(cells)

    told = tables(book)
    assert told == tables(renumbered(book, by))
    numbers = {int(one) for one in re.findall(r"'@([0-9]+)'", told)}
    assert max(numbers, default=0) <= len([one for one in book if isinstance(one.fact, EntityFact)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_of_readers_count_up_whatever_the_facts_are_known_by(language: str) -> None:
    """A book that was edited has other ids for the same facts: readers' tables are the same to the byte, the author's are not."""
    words = LANGUAGES[language]
    book = stored(story(words))
    names = {one for fact in book for one in id_words(fact)}
    other = {one: f"{one[0]}{sha256(one.encode()).hexdigest()[: len(one) - 1]}" for one in names}
    assert len(names) > 10 and len(set(other.values())) == len(names)

    def renamed(fact: StoredFact) -> StoredFact:
        text = re.sub(r'"([^"\\]*)"', lambda found: f'"{other.get(found[1], found[1])}"', fact.model_dump_json())
        return StoredFact.model_validate_json(text)

    edited = [renamed(fact) for fact in book]
    masks = frozenset(one.fact.reveal for one in edited if isinstance(one.fact, RevealFact))
    confirmed = frozenset(one.fact.reveal for one in book if isinstance(one.fact, RevealFact))
    for through in range(1, LAST + 1):
        ours = tables_of(viewed(book, through, READERS, rows=chapters(LAST), confirmed=confirmed))
        theirs = tables_of(viewed(edited, through, READERS, rows=chapters(LAST), confirmed=masks))
        assert ours == theirs
        assert not [id for id in names if id in repr(ours)]
    assert tables_of(viewed(book)) != tables_of(viewed(edited))


def id_words(fact: StoredFact) -> Iterator[str]:
    """Yield what a fact and what it tells of are known by."""
    yield fact.fact_id
    for name in ("secret", "thread", "piece", "reveal", "change"):
        found = getattr(fact.fact, name, "")
        if found:
            yield found
