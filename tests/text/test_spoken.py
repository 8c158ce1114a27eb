from __future__ import annotations

import pytest

from analyzer.text.languages import language_table, languages
from analyzer.text.spoken import Person, marked, quotations, says_i, told
from tests.harness import chapter_of

A, B = "\ue000", "\ue001"


@pytest.mark.parametrize("tag", languages())
def test_every_table_can_be_asked_who_spoke(tag: str) -> None:
    assert told("", "“…”", "", language_table(tag)).who == ""


def test_a_table_without_words_of_speech_tells_nothing() -> None:
    assert told("", "“No,”", f" said {A}.", language_table("und")).how == ""


@pytest.mark.parametrize(
    ("tag", "lead", "words", "trail", "how", "who"),
    [
        ("en", "", "“No,”", f" said {A} to {B}.", "tag", A),
        ("en", "", "“No,”", " she said.", "tag", "she"),
        ("en", "", "“No,”", " said I.", "tag", "i"),
        ("en", f"{A} looked at {B}. ", "“No.”", "", "beat", A),
        ("en", f"{A}’s dog barked. ", "“No.”", "", "", ""),
        ("ko", "", "“아니.”", f" {A}가 {B}에게 말했다.", "tag", A),
        ("zh", f"{A}對{B}笑道：", "「不。」", "", "tag", A),
        ("zh", f"叫{A}道：", "「不。」", "", "other", ""),
        ("ja", "", "「いや。」", f"と{A}が{B}に言った。", "tag", A),
        ("fr", "", f"— Non, dit {A}, jamais.", "", "tag", A),
        ("fr", "", "— Non, dit-il, jamais.", "", "tag", "he"),
        ("de", "", "„Nein“", f", sagte {A}.", "tag", A),
        ("es", "", "—No ", f"—dijo {A}—", "tag", A),
        ("ru", "", "— Нет, ", f"— сказал {A}~. ", "other", ""),
    ],
)
def test_what_the_words_beside_a_quotation_tell(
    tag: str, lead: str, words: str, trail: str, how: str, who: str
) -> None:
    found = told(lead, words, trail, language_table(tag))
    assert (found.how, found.who) == (how, who)


def test_people_stand_as_signs_and_the_authors_own_signs_do_not() -> None:
    people = [Person(0, 4, A), Person(9, 13, B, plain=False)]
    assert marked("Mara saw Toma\ue005.", 0, 15, people) == f"{A} saw {B}~ ."
    assert marked("Mara saw Toma", 5, 13, people) == f"saw {B}~"


def test_quotations_know_whether_they_are_closed_dashed_and_go_on() -> None:
    chapter = chapter_of("“It was so. I came.\n“And went.”\n“Yes!”")
    assert [(q.block, q.closed, q.dashed, q.goes_on) for q in quotations(chapter, language_table("en"))] == [
        (1, False, False, False),
        (2, True, False, True),
        (3, True, False, False),
    ]
    [first, second] = quotations(chapter_of("— Oui.\n— Non.", language="fr"), language_table("fr"))
    assert first.dashed and second.dashed and not second.goes_on


@pytest.mark.parametrize(
    ("tag", "mine", "other"),
    [
        ("en", "I came.", "It came."),
        ("ko", "내가 왔다.", "그가 왔다."),
        ("zh", "我來了。", "他來了。"),
        ("ja", "私は来た。", "彼は来た。"),
    ],
)
def test_who_speaks_of_himself(tag: str, mine: str, other: str) -> None:
    table = language_table(tag)
    assert says_i(mine, table) and not says_i(other, table)
