from __future__ import annotations

import pytest

from evals.match import head, match, plain, stem
from tests.evals.gold import bible_of, chapter, entity, relation
from tests.harness import person, unnamed

ODA = entity("oda", "Oda Marrin", "Oda")
LUDO = entity("ludo", "Ludo Marrin", descriptors=("her brother",))


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Captain Hesk", "hesk"), ("the old man", "man"), ("M. de Villefort", "de villefort"), ("L’Île", "l'île"), ("김씨", "김"),
     ("花子さん", "花子"), ("田中先生", "田中"), ("Doctor", "doctor"), ("씨", "씨")],
)  # fmt: skip
def test_titles_articles_and_honorifics_are_no_part_of_a_name(name: str, shown: str) -> None:
    assert stem(name) == shown


def test_names_are_compared_without_case_width_and_glyphs() -> None:
    assert plain("  ＯＤＡ  Marrin’s ") == "oda marrin's"
    assert head("the this his brother") == "brother"


def test_a_person_is_known_by_any_printed_name_and_by_a_name_with_a_title() -> None:
    for surface in ("Oda", "oda marrin", "Miss Oda"):
        assert match(bible_of(person("@1", surface)), chapter((ODA, LUDO))).of == {"@1": "oda"}


def test_a_surname_of_two_people_matches_neither() -> None:
    gold = chapter((entity("a", "Captain Noir"), entity("b", "Miss Noir")))
    assert match(bible_of(person("@1", "Noir")), gold).of == {}


def test_the_exact_name_wins_over_the_bare_one() -> None:
    gold = chapter((entity("a", "Captain Noir"), entity("b", "Miss Noir")))
    assert match(bible_of(person("@1", "Miss Noir")), gold).of == {"@1": "b"}


def test_a_second_entity_for_one_person_is_a_duplicate() -> None:
    found = match(bible_of(person("@1", "Oda"), person("@2", "Oda Marrin")), chapter((ODA, LUDO)))
    assert found.of == {"@1": "oda", "@2": "oda"} and found.duplicates == ("@2",)


def test_somebody_gold_does_not_know_matches_nobody() -> None:
    assert match(bible_of(person("@1", "Hesk")), chapter((ODA, LUDO))).of == {}


def test_an_unnamed_one_is_known_by_its_description() -> None:
    gold = chapter((ODA, LUDO, entity("jailer", descriptors=("the jailer",))))
    for label in ("the jailer", "a jailer", "his jailer"):
        assert match(bible_of(unnamed("@9", label)), gold).of == {"@9": "jailer"}


def test_of_two_alike_the_one_tied_to_the_same_person_is_meant() -> None:
    gold = chapter(
        (ODA, LUDO, entity("f1", descriptors=("father",)), entity("f2", descriptors=("father",))),
        (relation("f1 parent_of oda"), relation("f2 parent_of ludo")),
    )
    facts = [
        *person("@1", "Oda"),
        *person("@2", "Ludo Marrin"),
        *unnamed("@3", "her father", tie="father", tied_to="@2"),
    ]
    assert match(bible_of(facts), gold).of["@3"] == "f2"


def test_the_narrator_is_known_by_his_i() -> None:
    for word in ("I", "나", "我", "私", "je"):
        gold = chapter((ODA, entity("teller", descriptors=(word,))))
        assert match(bible_of(unnamed("@1", "I", narrator=True)), gold).of == {"@1": "teller"}


def test_a_name_of_an_earlier_chapter_still_counts() -> None:
    earlier = chapter((entity("oda", "The Weaver"),))
    now = chapter((ODA,), no=2)
    assert match(bible_of(person("@1", "The Weaver")), now, [earlier]).of == {"@1": "oda"}
