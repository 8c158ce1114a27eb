from __future__ import annotations

from analyzer.models.facts import Fact
from evals.score import ChapterScore, Count, score_chapter
from tests.evals.gold import bible_of, chapter, entity, found, relation
from tests.harness import person

WHO = (
    entity("oda", "Oda"),
    entity("ludo", "Ludo"),
    entity("hesk", "Hesk"),
    entity("extra", "Pia", level="optional"),
)
CAST: list[Fact] = [f for i, name in enumerate(("Oda", "Ludo", "Hesk", "Pia"), 1) for f in person(f"@{i}", name)]


def score(*facts: Fact, gold: tuple[str, ...] = ("oda parent_of ludo",), **more: object) -> ChapterScore:
    relations = tuple(relation(triple, **more) for triple in gold)
    return score_chapter(bible_of(CAST, *facts), chapter(WHO, relations))


def test_a_relation_found_as_stated_counts_everywhere() -> None:
    got = score(found("@1 parent_of @2"))
    assert (got.pairs, got.families, got.kinds, got.precision) == (Count(1, 1),) * 4
    assert got.missed_relations == () and got.wrong_relations == ()


def test_a_wrong_direction_keeps_pair_and_family_and_loses_the_kind() -> None:
    got = score(found("@2 parent_of @1"))
    assert (got.pairs.hit, got.families.hit, got.kinds.hit) == (1, 1, 0)


def test_another_kind_of_the_family_keeps_pair_and_family() -> None:
    got = score(found("@1 sibling_of @2"))
    assert (got.pairs.hit, got.families.hit, got.kinds.hit, got.precision.hit) == (1, 1, 0, 1)


def test_another_family_keeps_the_pair_only_and_is_wrong() -> None:
    got = score(found("@1 enemy_of @2"))
    assert (got.pairs.hit, got.families.hit, got.kinds.hit) == (1, 0, 0)
    assert got.precision == Count(0, 1)
    assert got.missed_relations == ("Oda parent_of Ludo",)
    assert got.wrong_relations == ("Oda enemy_of Ludo",)


def test_an_invented_relation_is_wrong_and_named() -> None:
    got = score(found("@1 parent_of @2"), found("@1 loves @3"))
    assert got.precision == Count(1, 2) and got.wrong_relations == ("Oda loves Hesk",)


def test_a_relation_with_somebody_gold_does_not_know_is_wrong() -> None:
    stranger = person("@9", "Stranger")
    got = score_chapter(bible_of(CAST, stranger, found("@1 loves @9")), chapter(WHO, (relation("oda loves ludo"),)))
    assert got.precision == Count(0, 1) and got.extra_entities == ("Stranger",)


def test_a_symmetric_kind_is_right_from_either_end() -> None:
    assert score(found("@2 sibling_of @1"), gold=("oda sibling_of ludo",)).kinds == Count(1, 1)
    assert score(found("@2 loves @1"), gold=("oda loves ludo",)).kinds == Count(0, 1)


def test_an_alternate_is_right_and_a_swapped_one_with_its_ends_changed() -> None:
    assert score(found("@1 guardian_of @2"), alternates=("guardian_of",)).kinds == Count(1, 1)
    assert score(found("@2 serves @1"), gold=("oda employs ludo",), alternates=("~serves",)).kinds == Count(1, 1)
    assert score(found("@1 serves @2"), gold=("oda employs ludo",), alternates=("~serves",)).kinds == Count(0, 1)
    other = score(found("@1 owes @3"), alternate_triples=(("oda", "owes", "hesk"),))
    assert (other.kinds, other.families, other.precision) == (Count(1, 1),) * 3


def test_optional_gold_counts_neither_as_missed_nor_as_wrong() -> None:
    gold = chapter(WHO, (relation("oda loves hesk", level="optional"),))
    assert score_chapter(bible_of(CAST), gold).families == Count(0, 0)
    got = score_chapter(bible_of(CAST, found("@1 loves @3")), gold)
    assert got.precision == Count(1, 1)
    missing = score_chapter(bible_of(CAST[:6]), chapter(WHO))
    assert missing.entities == Count(3, 3) and missing.missed_entities == ()


def test_a_missed_person_and_a_duplicate_are_counted() -> None:
    got = score_chapter(bible_of(person("@1", "Oda"), person("@2", "Oda")), chapter(WHO))
    assert got.entities == Count(1, 3)
    assert got.missed_entities == ("Hesk", "Ludo") and got.duplicates == 1


def test_what_an_earlier_chapter_told_is_found_and_not_judged_again() -> None:
    gold = chapter(WHO, (relation("oda parent_of ludo"),), no=2)
    cast = [f for i, name in enumerate(("Oda", "Ludo", "Hesk"), 1) for f in person(f"@{i}", name)]
    got = score_chapter(bible_of(cast, found("@1 parent_of @2"), no=2), gold)
    assert got.families == Count(1, 1) and got.precision == Count(0, 0)


def test_a_status_is_right_where_it_says_whether_the_relation_holds() -> None:
    assert score(found("@1 parent_of @2")).status == Count(1, 1)
    assert score(found("@1 parent_of @2", status="former")).status == Count(1, 1)
    assert score(found("@1 parent_of @2", status="alleged")).status == Count(0, 1)
    assert score(found("@1 parent_of @2", status="alleged"), status_alternates=("pretended",)).status == Count(1, 1)
    assert score(found("@2 parent_of @1")).status == Count(0, 0)


def test_nothing_to_count_is_no_share() -> None:
    assert Count(0, 0).share is None and str(Count(0, 0)) == "0/0"
    assert str(Count(1, 2) + Count(2, 2)) == "3/4 0.750"
