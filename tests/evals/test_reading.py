from __future__ import annotations

import pytest

from analyzer.bible import fold
from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256
from analyzer.models.facts import Fact, PresenceFact, RelationFact
from analyzer.models.gold import GoldChapter, GoldEvidence, GoldItem
from analyzer.models.text import Manuscript, Span
from evals.reading import names_of, reading_of_bible, reading_of_gold
from tests.evals.gold import bible_of, chapter, entity, found, relation
from tests.harness import book_of, evidence, person, unnamed

ONE = "Oda lit the lamp. Ludo slept.\nThe jailer knew."
TWO = "서윤은 문을 열었다. 마루가 웃었다.\n밤이었다."


def gold_of(book: Manuscript, no: int, **change: object) -> GoldChapter:
    """Return the gold of a chapter as the edition `book` counts."""
    made = book.chapters[no - 1]
    body = book.text[made.body_start : made.end]
    given = {
        "book": "small", "chapter": no, "language": made.language, "body_start": made.body_start, "body_end": made.end,
        "body_sha256": bytes_sha256(body.encode()), "block_starts": tuple(b.start for b in made.blocks),
        "entities": (entity("oda", "Oda"), entity("ludo", "Ludo")),
        "relations": (relation("oda sibling_of ludo", evidence=(GoldEvidence(block=2, start=1, end=4),)),),
    }  # fmt: skip
    return GoldChapter.model_validate(given | change)


def stated(book: Manuscript, no: int, *places: tuple[int, int]) -> RelationFact:
    made = book.chapters[no - 1]
    return RelationFact(
        claim=f"c{no}", chapter=no, subject="@1", relation="sibling_of", object="@2", evidence=evidence(made, *places)
    )


def cast(no: int = 1) -> list[Fact]:
    there = [PresenceFact(entity=h, chapter=no, presence="mentioned", n_mentions=1) for h in ("@1", "@2")]
    return [*person("@1", "Oda"), *person("@2", "Ludo"), *there]


def test_gold_is_read_with_positions_of_the_edition() -> None:
    book = book_of(ONE, TWO)
    got = reading_of_gold(gold_of(book, 2))
    start = book.chapters[1].blocks[1].start
    assert got.relations[0].spans == (Span(start + 1, start + 4),)
    assert (got.chapter, got.relations[0].chapter, got.block_starts[1]) == (2, 2, start)


def test_gold_keeps_levels_alternates_items_and_who_stands_behind_a_persona() -> None:
    tam = entity("tam", "Old Tam", persona_of="oda", revealed_in=2, presence="mentioned_only")
    change = GoldItem.model_validate({"entity": "oda", "attribute": "mood", "annotators": "AB", "level": "optional"})
    given = chapter((entity("oda", "Oda"), tam), (relation("oda serves tam", alternates=("owes",), level="optional"),))
    got = reading_of_gold(given.model_copy(update={"changes": (change,)}), {"oda": ("Miss Oda", "Oda")})
    assert got.relations[0].alternates == ("owes",) and got.relations[0].level == "optional"
    assert (got.items[0].cls, dict(got.items[0].fields), got.items[0].level) == (
        "change",
        {"entity": "oda", "attribute": "mood"},
        "optional",
    )
    assert got.entities[0].former_names == ("Miss Oda",)
    assert got.entities[1].presence == "mentioned" and got.entities[1].persona_of == ""
    later = reading_of_gold(chapter((entity("oda", "Oda"), tam), no=2))
    assert later.entities[1].persona_of == "oda"


def test_gold_knows_whom_relations_and_items_speak_of_without_listing_them() -> None:
    given = chapter((entity("oda", "Oda"),), (relation("hesk serves oda"),))
    secret = GoldItem.model_validate({"holders": ["pia"], "hidden_from": ["oda"]})
    got = reading_of_gold(given.model_copy(update={"secrets": (secret,)}), {"hesk": ("Hesk",)})
    assert [(e.id, e.presence, e.level, e.former_names) for e in got.entities[1:]] == [
        ("hesk", "absent", "optional", ("Hesk",)),
        ("pia", "absent", "optional", ()),
    ]


def test_an_unnamed_one_hangs_on_its_kin() -> None:
    got = reading_of_gold(
        chapter((entity("oda", "Oda"), entity("f", descriptors=("father",))), (relation("f parent_of oda"),))
    )
    assert got.entities[1].tied_to == "oda"


def test_names_of_earlier_chapters_are_gathered_once_each() -> None:
    first, second = chapter((entity("oda", "Oda", "Miss Oda"),)), chapter((entity("oda", "Oda", "Odie"),), no=2)
    assert names_of([first, second]) == {"oda": ("Oda", "Miss Oda", "Odie")}


def test_a_bible_is_read_with_the_same_positions_as_gold() -> None:
    book = book_of(ONE, TWO)
    bible = fold([*cast(2), stated(book, 2, (1, 2))], through=2)
    got = reading_of_bible(bible, 2, manuscript=book, gold=gold_of(book, 2))
    (span,) = got.relations[0].spans
    assert book.text[span.start : span.end] == "마루가 웃었다."
    assert got == reading_of_bible(bible, 2, manuscript=book)


def test_a_reader_that_takes_markup_away_is_put_back_block_by_block() -> None:
    plain_book = book_of(ONE, TWO)
    edition = gold_of(plain_book, 2, body_start=500, body_end=530, body_sha256="f" * 64, block_starts=(520, 560))
    bible = fold([*cast(2), stated(plain_book, 2, (2, 1))], through=2)
    assert reading_of_bible(bible, 2, manuscript=plain_book, gold=edition).relations[0].spans == (Span(560, 565),)


def test_a_text_cut_from_the_edition_is_moved_as_a_whole() -> None:
    book = book_of(ONE)
    made = book.chapters[0]
    edition = gold_of(book, 1, body_start=1000, body_end=1000 + made.end, block_starts=(1000, 1018, 1030))
    bible = fold([*cast(), stated(book, 1, (2, 1))], through=1)
    (span,) = reading_of_bible(bible, 1, manuscript=book, gold=edition).relations[0].spans
    assert span.start == 1000 + made.blocks[1].start


def test_gold_of_another_text_is_refused() -> None:
    book = book_of(ONE)
    with pytest.raises(InputError, match="made for another text: 3 blocks there, 2 here"):
        reading_of_bible(
            fold(cast(), through=1),
            1,
            manuscript=book,
            gold=gold_of(book, 1, body_sha256="f" * 64, block_starts=(0, 5, 9)),
        )


def test_earlier_relations_keep_their_chapter_and_have_no_places_here() -> None:
    book = book_of(ONE, TWO)
    bible = fold([*cast(), stated(book, 1, (1, 1)), stated(book, 2, (1, 1))], through=2)
    got = reading_of_bible(bible, 2, manuscript=book)
    assert [(r.chapter, r.again, bool(r.spans)) for r in got.relations] == [(1, True, False), (2, False, True)]
    assert {e.presence for e in got.entities} == {"absent"}
    assert {e.presence for e in reading_of_bible(bible, 1).entities} == {"mentioned"}


def test_a_bible_tells_who_narrates_and_by_what_words_the_unnamed_go() -> None:
    bible = bible_of(unnamed("@1", "I", narrator=True), unnamed("@2", "her father", (1, 1), tie="father", tied_to="@1"))
    got = reading_of_bible(bible, 1)
    assert got.entities[0].narrator and got.entities[0].names == ()
    assert (got.entities[1].descriptors, got.entities[1].tied_to) == (("her father",), "@1")


def test_without_a_manuscript_there_are_no_places() -> None:
    got = reading_of_bible(bible_of(person("@1", "Oda"), person("@2", "Ludo"), found("@1 serves @2")), 1)
    assert got.relations[0].spans == () and got.language == "und"
