import pytest

from analyzer.text.candidates import narrator
from analyzer.text.candidates.placing import speech_spans
from analyzer.text.languages import language_table

FIRST = {
    "en": ("I walked to the mill. ", "The mill was shut. ", "“I am tired,” she said. "),
    "ko": ("나는 부두로 갔다. ", "바람이 불었다. ", "“나는 피곤하다.” 하고 말하였다. "),
    "zh": ("我走到河邊。", "風很大。", "他道：「我累了。」"),
    "ja": ("私は川へ行った。", "風が強かった。", "「私は疲れた」と彼女は云った。"),
    "de": ("Ich ging zur Mühle. ", "Die Mühle war zu. ", "„Ich bin müde“, sagte sie. "),
    "es": ("Yo fui al molino. ", "El molino estaba cerrado. ", "—Yo estoy cansada —dijo ella—. Me voy. "),
    "ru": ("Я пошёл на мельницу. ", "Мельница была закрыта. ", "— Я устала, — сказала она. "),
    "zh-Hans": ("我走到河边。", "风很大。", "他道：“我累了。”"),
    "fr": ("Je marchai vers le moulin. ", "Le moulin était fermé. ", "«Je suis lasse», dit-elle. "),
}


@pytest.mark.parametrize("tag", FIRST)
def test_first_person_narration_is_found(chapter_of, tag):
    told, scene, spoken = FIRST[tag]
    found = narrator(chapter_of("\n".join([told, scene, spoken] * 6), tag), language_table(tag))
    assert found is not None and found.n == 6 and len(found.places) == 6 and found.spread > 0.3


@pytest.mark.parametrize("tag", FIRST)
def test_i_inside_quotations_is_no_narrator(chapter_of, tag):
    _, scene, spoken = FIRST[tag]
    assert narrator(chapter_of("\n".join([scene, spoken] * 8), tag), language_table(tag)) is None


@pytest.mark.parametrize("tag", FIRST)
def test_one_letter_in_the_first_person_is_no_narrator(chapter_of, tag):
    told, scene, _ = FIRST[tag]
    text = "\n".join([scene] * 60 + [told] * 3 + [scene] * 60)
    assert narrator(chapter_of(text, tag), language_table(tag)) is None


def test_a_chapter_that_is_one_long_speech_has_its_teller(chapter_of):
    text = "\n".join(f"“I came to house {i}, and I knocked, but nobody would open to me." for i in range(12))
    found = narrator(chapter_of(text, "en"), language_table("en"))
    assert found is not None and found.in_speech and found.surface == "I"


def test_we_and_other_words_that_hold_the_character_are_not_i(chapter_of):
    assert narrator(chapter_of("我們走到河邊。風很大。我們回家。" * 20, "zh"), language_table("zh")) is None


def test_a_quotation_left_open_ends_with_its_block(chapter_of):
    text = "“I never came\nI walked home."
    assert speech_spans(chapter_of(text, "en"), language_table("en")) == ((0, text.index("\n")),)


def test_an_apostrophe_opens_no_quotation(chapter_of):
    text = "It was the miller’s boy and ’twas late."
    assert speech_spans(chapter_of(text, "en"), language_table("en")) == ()


def test_a_french_line_that_opens_with_a_dash_is_speech(chapter_of):
    text = "--Je pars.\nIl partit."
    assert speech_spans(chapter_of(text, "fr"), language_table("fr")) == ((0, text.index("\n")),)


def test_an_empty_chapter_has_no_narrator(chapter_of):
    assert narrator(chapter_of("", "en"), language_table("en")) is None


def test_a_reflexive_of_the_third_person_is_not_i(chapter_of):
    text = "彼は自分の分を残した。母は自分を責めた。彼女は自分で戸を閉めた。" * 12
    assert narrator(chapter_of(text, "ja"), language_table("ja")) is None
