"""docs/pieces.md is true: every row of whole sites is as `analyzer/export/site/shape.py` says, and nothing it says is never there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from analyzer.export.site.shape import FOR_THE_AUTHOR, KINDS, SHAPE, RowClass, described
from analyzer.export.site.snapshot import ROW_CLASSES, Rows, Shown
from analyzer.export.site.telling import SOMEBODY
from analyzer.models.story import READER, ChangeFact
from evals.made_book import made_book
from tests.export.site.sites import applied, chapters, site, value_of, views
from tests.export.story_tale import LANGUAGES, said, stored, story

DOCS = Path(__file__).parent.parent.parent.parent / "docs" / "pieces.md"
REFERS = {("said", "r"): "relation", ("hush", "s"): "secret", ("known", "s"): "secret", ("step", "t"): "thread"}
Found = Mapping[str, Mapping[str, Mapping[str, Any]]]


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def each(value: Any, check: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(check(one) for one in value)


def checks(rows: Found, other: str) -> dict[str, Callable[[Any], bool]]:
    """Return what a value of each kind has to be; ids and keys must be those of rows that are there."""

    def is_id(value: Any) -> bool:
        return value == READER or value in rows["entity"]

    return {
        "number": is_number,
        "word": lambda value: is_text(value) and 0 < len(value) < 30,
        "text": is_text,
        "flag": lambda value: isinstance(value, bool),
        "prose": lambda value: each(value, is_text) and all(is_id(one) or one == SOMEBODY for one in value[1::2]),
        "id": is_id,
        "ids": lambda value: each(value, is_id) and len(set(value)) == len(value),
        "names": lambda value: each(value, is_text) and len(set(value)) == len(value),
        "quotes": lambda value: each(value, lambda one: one in rows["quote"]),
        "numbered": lambda value: value in rows[other],
        "was": lambda value: each(value, lambda one: is_id(one[0]) and is_number(one[1]) and one[2] in ("reveal", "same")),
        "past": lambda value: all(no in rows["chapter"] and how in "pmh" for no, how in value.items()),
        "there": lambda value: value[0] in "pmh" and isinstance(value[1], int),
        "affinities": lambda value: each(value, lambda one: is_number(one[0]) and one[1] in "+0-"),
    }  # fmt: skip


def row_faults(of: RowClass, row: Mapping[str, Any], rows: Found) -> Iterator[str]:
    known = {field.name: field for field in of.fields}
    yield from (f"has no {name}" for name, field in known.items() if name not in {"*", *row} and not field.optional)
    for name, value in row.items():
        field = known.get(name) or known.get("*")
        if field is None:
            yield f"{name}: not described"
        elif not checks(rows, REFERS.get((of.name, name), ""))[field.kind](value):
            yield f"{name}: {value!r} is no {field.kind}"
        elif field.name == "*" and name not in rows["entity"]:
            yield f"{name}: nobody of the cast"


def faults(rows: Found) -> list[str]:
    known = {one.name: one for one in SHAPE}
    return [
        f"{name} {key}: {fault}"
        for name, found in rows.items()
        for key, row in found.items()
        for fault in row_faults(known[name], row, rows)
    ]


def tale_sites() -> Iterator[Rows]:
    """Yield the rows of the tale as of every chapter: in each language, its mask confirmed, with and without quiet threads and quotes."""
    for words in LANGUAGES.values():
        death = ChangeFact(
            change="c9lif000",
            chapter=3,
            entity="@3",
            attribute="life_status",
            op="set",
            to="dead: " + words.will,
            evidence=said(words, 3, 9),
        )
        book = stored(
            [*story(words), death, death.model_copy(update={"change": "c9lif001", "to": "missing", "chapter": 2})]
        )
        masks = frozenset(one.fact.reveal for one in book if one.fact.fact == "reveal")
        for shown in (Shown(), Shown(quotes=False, quiet=frozenset(), relations=frozenset())):
            rows = chapters(max(one.chapter for one in book))
            values = [value_of(piece) for piece in site(views(book, confirmed=masks), rows, shown)]
            yield from (applied(values[:n]) for n in range(1, len(values) + 1))


def made_site() -> Rows:
    book = made_book(24, 60)
    view = views(book.stored, confirmed=book.confirmed)
    return applied(value_of(piece) for piece in site(view, book.chapters))


@pytest.fixture(scope="module")
def sites() -> list[Rows]:
    return [*tale_sites(), made_site()]


def test_every_row_of_every_site_is_as_described(sites: list[Rows]) -> None:
    assert [fault for rows in sites for fault in faults(rows)] == []


def test_every_class_and_field_that_is_described_is_somewhere(sites: list[Rows]) -> None:
    met = {(name, field) for rows in sites for name, found in rows.items() for row in found.values() for field in row}
    told = {(one.name, field.name) for one in SHAPE for field in one.fields if field.name != "*"}
    assert told - met == set()


def test_a_row_that_is_not_as_described_is_found(sites: list[Rows]) -> None:
    rows = next(one for one in sites if one.get("secret") and one.get("step"))
    for name, field, value in (
        ("secret", "status", 1),
        ("secret", "holders", ["nobody"]),
        ("secret", "later", True),
        ("step", "t", "999999"),
        ("entity", "since", 0),
        ("secret", "q", ["999999"]),
    ):
        key = next(iter(rows[name]))
        assert faults({**rows, name: {**rows[name], key: {**rows[name][key], field: value}}}), (name, field)
        without = {one: told for one, told in rows[name][key].items() if one != field}
        assert field == "later" or faults({**rows, name: {**rows[name], key: without}}), (name, field)


def test_all_classes_and_kinds_are_described_and_used() -> None:
    assert tuple(one.name for one in SHAPE) + FOR_THE_AUTHOR == ROW_CLASSES
    assert {field.kind for one in SHAPE for field in one.fields} == set(KINDS)


def test_the_page_for_those_who_write_another_page_has_them() -> None:
    assert described() in DOCS.read_text("utf-8")
