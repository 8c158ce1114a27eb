from __future__ import annotations

import pytest

from evals.records import Reading
from evals.scoring.clusters import b_cubed
from evals.scoring.entities import match_entities, wording
from evals.scoring.names import head, loose, plain, stem
from tests.evals.scoring.readings import item, reading, rel, who

ODA = who("oda", "Oda Marrin", "Oda")
LUDO = who("ludo", "Ludo Marrin", descriptors=("her brother",))


def found(gold: Reading, said: Reading, **more: object) -> dict[str, str]:
    return dict(match_entities(gold, said, **more).of)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "language", "shown"),
    [
        ("Captain Hesk", "en", "hesk"),
        ("the old man", "en", "man"),
        ("M. de Villefort", "en", "de villefort"),
        ("Madame Fauvel", "fr", "fauvel"),
        ("L’Île", "fr", "l'île"),
        ("Herr Brandt", "de", "brandt"),
        ("김씨", "ko", "김"),
        ("유 군", "ko", "유"),
        ("이순신", "ko", "이순신"),
        ("花子さん", "ja", "花子"),
        ("田中先生", "ja", "田中"),
        ("觀音菩薩", "zh-Hant", "觀音"),
        ("老孫", "zh", "孫"),
        ("князь Андрей", "ru", "андрей"),
        ("Doctor", "en", "doctor"),
        ("씨", "ko", "씨"),
        ("Captain Hesk", "xx", "hesk"),
    ],
)
def test_titles_articles_and_honorifics_are_no_part_of_a_name(name: str, language: str, shown: str) -> None:
    assert stem(name, language) == shown


@pytest.mark.parametrize(
    ("name", "language", "without"),
    [
        ("M. de Villefort", "fr", "villefort"),
        ("d'Arcy", "fr", "arcy"),
        ("Hesk's", "en", "hesk"),
        ("서윤은", "ko", "서윤"),
        ("花子は", "ja", "花子"),
    ],
)
def test_particles_are_cut_in_the_loosest_form_only(name: str, language: str, without: str) -> None:
    assert without in loose(name, language) and stem(name, language) != without


def test_names_are_compared_without_case_width_and_glyphs() -> None:
    assert plain("  ＯＤＡ  Marrin’s ") == "oda marrin's"
    assert head("the this his brother") == "brother"


def test_a_person_is_known_by_any_printed_name_and_by_a_name_with_a_title() -> None:
    for surface in ("Oda", "oda marrin", "Miss Oda", "Oda's"):
        assert found(reading((ODA, LUDO)), reading((who("@1", surface),))) == {"@1": "oda"}


@pytest.mark.parametrize(
    ("language", "printed", "said"),
    [
        ("ko", "한서윤", "한서윤 씨"),
        ("ko", "서윤", "서윤은"),
        ("zh", "白素", "白素姑娘"),
        ("ja", "田中", "田中さん"),
        ("fr", "Fauvel", "Mme Fauvel"),
    ],
)
def test_a_person_is_known_in_every_language_with_honorific_or_particle(language: str, printed: str, said: str) -> None:
    gold = reading((who("a", printed), who("b", "Zed")), language=language)
    assert found(gold, reading((who("@1", said),), language=language)) == {"@1": "a"}


def test_a_surname_of_two_people_matches_neither() -> None:
    gold = reading((who("a", "Captain Noir"), who("b", "Miss Noir")))
    assert found(gold, reading((who("@1", "Noir"),))) == {}


def test_a_surname_of_a_person_and_a_ship_is_the_one_of_the_same_kind() -> None:
    gold = reading((who("a", "Captain Noir"), who("b", "the Noir", kind="object")))
    matched = match_entities(gold, reading((who("@1", "Miss Noir", kind="object"),)))
    assert matched.of == {"@1": "b"} and matched.how == {"@1": "stem"}


def test_without_its_particle_a_name_must_be_of_the_same_kind() -> None:
    gold = reading((who("island", "Ravel", kind="place"), who("guard", "the Guard", kind="group")), language="fr")
    said = reading((who("@1", "comte de Ravel"), who("@2", "Captain of the Guard")), language="fr")
    assert found(gold, said) == {}
    assert found(reading((who("count", "Ravel"),), language="fr"), said) == {"@1": "count"}


def test_the_exact_name_wins_over_the_bare_one() -> None:
    gold = reading((who("a", "Captain Noir"), who("b", "Miss Noir")))
    assert found(gold, reading((who("@1", "Miss Noir"),))) == {"@1": "b"}


def test_a_people_and_its_village_of_one_name_are_told_apart_by_kind() -> None:
    gold = reading((who("people", "the Weirs", kind="group"), who("village", "the Weirs", kind="place")))
    said = reading((who("@1", "the Weirs", kind="place"), who("@2", "the Weirs", kind="group")))
    assert found(gold, said) == {"@1": "village", "@2": "people"}
    for kind, meant in (("place", "village"), ("group", "people")):
        assert found(gold, reading((who("@1", "the Weirs", kind=kind),))) == {"@1": meant}


def test_a_second_entity_for_one_person_is_a_duplicate() -> None:
    matched = match_entities(reading((ODA, LUDO)), reading((who("@1", "Oda"), who("@2", "Oda Marrin", "Oda"))))
    assert matched.of == {"@1": "oda", "@2": "oda"}
    assert matched.first["oda"] == "@2" and matched.duplicates == ("@1",)


def test_somebody_gold_does_not_know_matches_nobody() -> None:
    assert found(reading((ODA, LUDO)), reading((who("@1", "Hesk"),))) == {}
    assert found(reading(()), reading((who("@1", "Hesk"),))) == {}


@pytest.mark.parametrize(
    ("language", "printed", "said"),
    [
        ("en", "the jailer", "a jailer"),
        ("en", "the jailer of the tower", "his jailer"),
        ("ko", "중년의 노파", "그 노파"),
        ("zh", "那老婆婆", "老婆婆"),
        ("ja", "その老人", "老人"),
        ("fr", "le vieux geôlier", "un geôlier"),
    ],
)
def test_an_unnamed_one_is_known_by_its_description(language: str, printed: str, said: str) -> None:
    gold = reading((ODA, who("x", descriptors=(printed,))), language=language)
    assert found(gold, reading((who("@9", descriptors=(said,)),), language=language)) == {"@9": "x"}


def test_equal_wording_goes_before_one_inside_the_other() -> None:
    assert [wording(("a man",), (d,)) for d in ("a man", "the man", "an old man", "a woman")] == [4, 3, 1, 0]


def test_a_worse_wording_is_not_taken_because_the_better_one_is_gone() -> None:
    gold = reading((who("a", descriptors=("the jailer",)), who("b", descriptors=("the jailer of the north",))))
    said = reading((who("@1", descriptors=("the jailer",)), who("@2", descriptors=("a jailer",))))
    matched = match_entities(gold, said)
    assert set(matched.of.values()) == {"a"} and len(matched.duplicates) == 1


def test_of_two_alike_the_one_tied_to_the_same_person_is_meant() -> None:
    fathers = (who("f1", descriptors=("father",), tied_to="oda"), who("f2", descriptors=("father",), tied_to="ludo"))
    said = reading((who("@1", "Oda"), who("@2", "Ludo Marrin"), who("@3", descriptors=("her father",), tied_to="@2")))
    assert found(reading((ODA, LUDO, *fathers)), said)["@3"] == "f2"


@pytest.mark.parametrize("word", ["I", "나", "我", "私", "je"])
def test_the_narrator_is_known_by_his_i(word: str) -> None:
    gold = reading((ODA, who("teller", descriptors=(word,))))
    assert found(gold, reading((who("@1", descriptors=("the narrator",), narrator=True),))) == {"@1": "teller"}
    assert found(gold, reading((who("@1", descriptors=(word,)),))) == {"@1": "teller"}


def test_a_name_of_an_earlier_chapter_still_counts() -> None:
    said = reading((who("@1", "The Weaver"),), chapter=2)
    assert found(reading((ODA,), chapter=2), said, earlier=[reading((who("oda", "The Weaver"),))]) == {"@1": "oda"}
    later = reading((who("oda", "Oda", former_names=("The Weaver",)),), chapter=2)
    assert found(later, said) == {"@1": "oda"}


def test_whoever_was_matched_before_stays_who_he_was() -> None:
    gold = reading((who("m", descriptors=("a man",)), who("n", descriptors=("a tall man",))), chapter=2)
    said = reading((who("@5", descriptors=("a man",)),), chapter=2)
    assert found(gold, said, known={"@5": "n"}) == {"@5": "n"}
    assert found(gold, said, known={"@5": "somebody of chapter 1"}) == {}


def test_somebody_without_a_word_is_known_by_a_relation() -> None:
    gold = reading((ODA, who("home", kind="place")), (rel("oda lives_in home"),))
    said = reading((who("@1", "Oda"), who("@2", kind="place", descriptors=("a low hut",))), (rel("@1 lives_in @2"),))
    assert found(gold, said) == {"@1": "oda", "@2": "home"}


def test_a_disguise_is_whoever_the_chapter_says_stands_behind_it() -> None:
    told = item("identity", 5, persona="the lame tinker", revealed_here=True, **{"is": "oda"})
    said = reading((who("@1", "Oda"), who("@2", descriptors=("a lame tinker",))))
    matched = match_entities(reading((ODA,), items=(told,)), said)
    assert matched.of == {"@1": "oda", "@2": "oda"} and matched.duplicates == ()
    hidden = item("identity", 5, persona="the lame tinker", revealed_here=False, **{"is": "oda"})
    assert found(reading((ODA,), items=(hidden,)), said) == {"@1": "oda"}


def test_a_name_that_only_stands_in_a_personas_wording_is_no_persona() -> None:
    told = item("identity", 5, persona="그 소년 (마루의 동생)", revealed_here=True, **{"is": "a"})
    gold = reading((who("a", "서윤"),), items=(told,), language="ko")
    said = reading((who("@1", "마루"), who("@2", descriptors=("그 소년",))), language="ko")
    assert found(gold, said) == {"@2": "a"}


def test_names_of_one_person_together_and_nobody_elses_is_b_cubed_one() -> None:
    gold = reading((who("a", "Oda", "Miss Marrin"), who("b", "Ludo")))
    same = b_cubed(gold, gold)
    assert (same.precision_sum, same.n_said, same.recall_sum, same.n_gold) == (3, 3, 3, 3)


def test_split_names_cost_recall_and_merged_ones_precision() -> None:
    gold = reading((who("a", "Oda", "Miss Marrin"), who("b", "Ludo")))
    split = b_cubed(gold, reading((who("1", "Oda"), who("2", "Miss Marrin"), who("3", "Ludo"))))
    assert (split.precision_sum, split.recall_sum) == (3, 2)
    merged = b_cubed(gold, reading((who("1", "Oda", "Miss Marrin", "Ludo"),)))
    assert merged.precision_sum == pytest.approx(2 / 3 + 2 / 3 + 1 / 3) and merged.recall_sum == 3


def test_a_name_nobody_said_costs_recall_and_a_foreign_one_nothing() -> None:
    gold = reading((who("a", "서윤"), who("b", "마루")), language="ko")
    got = b_cubed(gold, reading((who("1", "서윤", "한 선생"),)))
    assert (got.precision_sum, got.n_said, got.recall_sum, got.n_gold) == (1, 1, 1, 2)


@pytest.mark.parametrize(
    ("language", "head", "family"),
    [("ko", "조 회장", "조씨"), ("en", "Mr. Hale", "Hale"), ("zh", "欧阳先生", "欧阳"), ("ja", "田中さん", "田中")],
)
def test_a_family_is_not_its_head_for_having_his_surname(language: str, head: str, family: str) -> None:
    gold = reading((who("head", head),), language=language)
    assert found(gold, reading((who("x", family),), language=language)) == {"x": "head"}
    assert found(gold, reading((who("x", family, kind="group"),), language=language)) == {}
