"""Kinds of names by all their places in a book: own sentences, repeated as a book repeats them."""

import pytest

from analyzer.models.text import Manuscript
from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.forms import readings
from analyzer.text.languages import language_table
from analyzer.text.namebook import NameBook
from analyzer.text.namekinds import kind_of

EN = """
Tobin walked in. “Good day,” said Tobin. He spoke to Orla and to Tobin. “No,” said Orla, and Orla left for Harrowby. They
lived at Harrowby, and from Harrowby they went to Brack, and came back to Harrowby with Tobin. In Brack nobody spoke; at Brack
all slept. The sailors went on board the Heron, and the Heron sailed. “Well,” said the Ferryman, and the Ferryman spat, and the
Ferryman sang. He loved the Weir, for the Weir was old. Then young Tobin slept, and a count came, and his sister Orla wept.
Mr. Alder came with Alder and Son. In Harrowby they said that Tobin was gone. “Go,” said Tobin.
"""


def kinds(language: str, text: str) -> dict[str, str]:
    table = language_table(language)
    found = readings(
        text, table, BookStats.of(Manuscript(title="", language=language, text=text, sha256="", chapters=()))
    )
    book = NameBook({s: len(set(r.found.starts)) for s, r in found.items()}, table)
    return {surface: kind_of(surface, reading, text, table, book) for surface, reading in found.items()}


@pytest.mark.parametrize(
    ("surface", "kind"),
    [("Tobin", "character"), ("Orla", "character"), ("Harrowby", "place"), ("Brack", "place"), ("Heron", "object")],
)
def test_a_name_is_what_most_of_its_places_say(surface, kind):
    assert kinds("en", EN)[surface] == kind


@pytest.mark.parametrize("surface", ["Weir", "young Tobin", "sister Orla", "a count"])
def test_articles_adjectives_and_kin_words_make_no_name(surface):
    assert kinds("en", EN).get(surface, "") == ""


def test_a_firm_is_a_group():
    assert (
        kinds("en", "He wrote to Alder & Son. Then Alder & Son wrote to him, said Alder.").get("Alder & Son") == "group"
    )


def test_one_sentence_in_which_a_town_speaks_does_not_make_it_a_person():
    assert kinds("en", EN + "“Shame!” cried Brack." + " In Brack it rained. He went to Brack." * 3)["Brack"] == "place"


def test_a_korean_name_needs_more_than_the_look_of_one():
    text = "일복이 왔다. 일복을 보았다. 일복의 집이다. 일복에게 주었다. "
    text += "유일복이 왔다. 유일복을 불렀다. 일복 씨, 가자. 구하시는 일이다. 구하시는 분이다."
    found = kinds("ko", text)
    assert found.get("유일복") == "character" and found.get("일복") == "character" and found.get("구하시", "") == ""


def test_a_chinese_verb_that_leads_to_speech_is_nobody():
    text = (
        "青河道：「好。」青河問道：「誰？」對青河說。與青河同行。青河道：「去。」躬身道：「是。」躬身道：「是。」躬身道：「好。」"
        * 3
    )
    found = kinds("zh", text)
    assert found.get("青河") == "character" and found.get("躬身", "") == ""


def test_a_foreign_letter_that_stands_as_a_noun_is_a_person_in_japanese():
    text = "Ｋは黙っていた。Ｋが来た。Ｋも笑った。私はＫと歩いた。Ｋの家へ行った。Ｋを待った。"
    assert kinds("ja", text).get("Ｋ") == "character"


def test_french_towns_and_people_are_told_apart():
    text = "« Bien », dit Odile. Odile partit. Elle alla à Vauclair. Il vint à Vauclair. Ils vivaient à Vauclair. « Non », dit Odile."
    found = kinds("fr", text)
    assert found["Odile"] == "character" and found["Vauclair"] == "place"
