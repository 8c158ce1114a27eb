"""The formats of the public sets, read from tiny files of our own."""

from pathlib import Path

from evals.public.annotated import keys_of
from evals.public.novels import encounters, plays, sentences, unaccented
from evals.public.readers import french, korean, litbank, untokenised


def test_tokens_become_running_text() -> None:
    assert untokenised("`` No , '' said Orla 's ( late ) aunt .") == "“No,” said Orla's (late) aunt."


def test_names_descriptions_and_places_of_an_opening(data: Path) -> None:
    (document,) = litbank(data / "gold" / "litbank")
    by_id = {chain.id: chain for chain in document.chains}
    assert set(by_id) == {"o", "t", "h", "f"}, "a thing without a name is nobody to ask about"
    assert by_id["o"].forms == {"Orla Hale", "Orla"} and by_id["o"].group == "people"
    assert by_id["h"].group == "places" and by_id["h"].at == "1:8-8"
    assert not by_id["f"].names and by_id["f"].descriptions[0].text == "The ferryman"


def test_french_names_are_those_with_a_capital_inside_a_sentence(data: Path) -> None:
    (document,) = french(data / "gold" / "fr-litbank")
    assert [sorted(c.forms) for c in document.chains] == [["Orla"], ["Velmont"], []]
    first = document.chains[0].names[0]
    start, end = map(int, first.at.split("-"))
    assert document.text[start:end] == "Orla"


def test_korean_people_are_named_where_their_mentions_were_marked_so(data: Path) -> None:
    (document,) = korean(data / "gold" / "koconovel")
    assert [(c.id, bool(c.names), bool(c.descriptions)) for c in document.chains] == [
        ("A", True, False),
        ("B", False, True),
    ], "groups and people who are pronouns only are left out"
    assert keys_of(["돌쇠이"], "ko") == {"돌쇠이", "돌쇠"} and keys_of(["동이"], "ko") == {"동이"}


def test_sentences_keep_their_place_and_parts_of_names_their_owner(data: Path) -> None:
    (document,) = sentences(data / "gold" / "dekker-sentences")
    assert [document.text[s.start : s.end] for s in document.sentences][1] == "He saw Orla in Harrowby."
    assert {c.id: c.forms for c in document.chains} == {"Mr. Hale": {"Mr. Hale", "Hale"}, "Orla": {"Orla"}}


def test_encounters_leave_out_the_unnamed_and_the_books_numbered_otherwise(data: Path) -> None:
    (document,) = encounters(data / "gold" / "sgb")
    assert {c.id for c in document.chains} == {"HA", "JA", "NO"}
    assert [sorted(people) for _, people in sorted(document.present.items())] == [["HA", "JA"], ["JA"]]
    assert next(c.forms for c in document.chains if c.id == "HA") == {"M. Halle", "Halle"}
    assert all(document.text[start:].startswith(("M. Halle rowed", "Javin sat")) for start in document.present)
    assert unaccented("Thénardier") == "thenardier"


def test_a_play_states_what_a_line_says_and_not_what_a_bare_name_would(data: Path) -> None:
    (document,) = plays(data / "gold" / "gerdracor")
    (kinship,) = document.kinships
    assert (kinship.subject, kinship.kinds, kinship.object) == ("hans", ("parent_of",), "grete")
    assert document.text[slice(*kinship.stated)] == "Grete, Tochter von Hans."
    assert document.unlisted == {frozenset(("lene", "otto")), frozenset(("hans", "otto"))}
