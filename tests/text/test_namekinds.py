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


@pytest.mark.parametrize(
    ("language", "text", "surface", "kind"),
    [
        ("en", "They walked up Sloe Lane and past the Weir Inn.", "Sloe Lane", "place"),
        ("en", "They spoke of Robert Lane until he came.", "Robert Lane", "character"),
        ("en", "They had met in Quorby, years before.", "Quorby", "place"),
        ("en", "They had seen Quorby, years before.", "Quorby", ""),
        ("en", "They had left Harriet behind.", "Harriet", "character"),
        ("en", "It was told to Harriet, and to Harriet alone.", "Harriet", "character"),
        ("fr", "Il vivait en Quorbie depuis longtemps.", "Quorbie", "place"),
        ("fr", "Il revit Mathilde le soir.", "Mathilde", "character"),
        ("fr", "Il revit Quorbie le soir.", "Quorbie", ""),
        ("ko", "그는 해주를 보았다.", "해주", ""),
        ("zh", "他見了青河一面。", "青河", ""),
    ],
)
def test_a_name_no_cue_tells_is_judged_by_its_words_and_what_it_stands_in(language, text, surface, kind):
    assert kinds(language, text).get(surface, "") == kind


def test_a_place_noun_at_the_end_yields_to_speech():
    assert kinds("en", "“No,” said Marlow Hill. “Yes,” said Marlow Hill.")["Marlow Hill"] == "character"


@pytest.mark.parametrize(
    ("language", "text", "surface", "place"),
    [
        ("zh", "她的哥哥林大山來。林大山是她的哥哥，住在青河鎮。王武叫住林大山。去青河鎮。", "林大山", "青河鎮"),
        ("zh", "林大山走了。王武叫住林大山。「去青河镇。」林大山说道。去青河镇。", "林大山", "青河镇"),
        ("ja", "「いや」と大山は言った。大山は笑った。大山が来た。白根町へ行った。白根町は静かだ。", "大山", "白根町"),
        (
            "ko",
            "강대산이 말했다. 강대산은 웃었다. 오빠 강대산이 왔다. 북악산에 갔다. 북악산은 높다.",
            "강대산",
            "북악산",
        ),
        (
            "en",
            "“No,” said Marlow Hill. Her brother Marlow Hill left for Sallow Hill. They saw Sallow Hill.",
            "Marlow Hill",
            "Sallow Hill",
        ),
        ("fr", "«Non», dit Marc Rivière. Son frère Marc Rivière sortit.", "Marc Rivière", ""),
    ],
)
def test_who_speaks_or_is_somebodys_kin_is_no_place_whatever_the_name_ends_in(language, text, surface, place):
    found = kinds(language, text)
    assert found.get(surface, "") in ("", "character") and (not place or found[place] == "place")


def test_german_words_without_article_are_people_once_they_recur():
    verbs = [
        "schlief",
        "ging",
        "sang",
        "schwieg",
        "winkte",
        "zögerte",
        "aß",
        "trank",
        "las",
        "schrieb",
        "stand",
        "saß",
        "lag",
        "kam",
        "floh",
    ]
    often = " ".join(f"Dann {verb} Brunk." for verb in verbs)
    assert kinds("de", often).get("Brunk") == "character"
    assert kinds("de", often[:60]).get("Brunk", "") == ""
    assert kinds("de", often.replace("Brunk", "in Brunk")).get("Brunk") == "place"


def test_a_korean_noun_before_a_particle_only_beings_take_is_a_person_and_a_bare_title_is_not():
    people = "구레가 왔다. 구레는 웃었다. 구레를 보았다. 구레에게 주었다. "
    assert kinds("ko", people).get("구레") == "character"
    assert kinds("ko", people.replace("에게", "의 것을")).get("구레", "") == ""
    assert kinds("ko", people.replace("구레", "진사")).get("진사", "") == ""


def test_a_korean_surname_with_a_rank_is_a_name():
    text = "김 장로가 왔다. 김 장로의 집이다. 전 대과는 웃었다."
    assert {"김 장로", "전 대과"} <= {surface for surface, kind in kinds("ko", text).items() if kind == "character"}
