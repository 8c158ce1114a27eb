"""Names become other names part by part, and nothing else of a text changes."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.languages import language_table
from analyzer.text.names import NameMatcher
from evals.rename import _pool
from evals.rename._edits import Moved
from evals.rename._forms import Bearer
from evals.rename._pool import begins_with_vowel, final_of
from evals.rename._renaming import begins_sentence
from tests.evals.rename.tales import (
    CHINESE,
    ENGLISH,
    FRENCH,
    JAPANESE,
    KOREAN,
    RUSSIAN,
    TOLD,
    Told,
    make,
    person,
    place,
)

told = pytest.mark.parametrize("told", TOLD, ids=[one.language for one in TOLD])


def unchanged(text: str, moved: Moved) -> tuple[list[str], list[str]]:
    """Return what stands between the edits, before and after."""
    before, after, at, new = [], [], 0, 0
    for edit in moved.edits:
        before.append(text[at : edit.start])
        start = moved.at(edit.start)
        after.append(moved.text[new:start])
        at, new = edit.end, start + len(edit.new)
    return [*before, text[at:]], [*after, moved.text[new:]]


@told
def test_text_outside_names_is_the_same_sign_by_sign(told: Told) -> None:
    made = make(told)
    before, after = unchanged(told.text, made.moved)
    assert len(made.moved.edits) > 5 and before == after


@told
def test_every_mention_is_found_again_where_it_went_and_nowhere_else(told: Told) -> None:
    made = make(told)
    names = made.names
    table = language_table(told.language)
    old = [
        tuple(made.moved.span(m.start, m.end))
        for m, form, _ in names.mentions(told.text, lambda at, _f: not begins_sentence(told.text, at))
        if form.renamed and made.moved.text[slice(*made.moved.span(m.start, m.end))] != told.text[m.start : m.end]
    ]
    images = {names.image(s): f.bearers for s, f in names.forms.items() if f.renamed}
    new = NameMatcher.build(images, table, all_caps=names.lexicon.cased).find(made.moved.text)
    assert [(m.start, m.end) for m in new] == old


@told
def test_no_two_names_become_one_and_no_new_name_is_in_the_old_text(told: Told) -> None:
    for seed in range(3):
        parts = make(told, seed).names.parts
        assert len(set(parts.values())) == len(parts)
        for new in parts.values():
            assert not re.search(rf"(?<!\w){re.escape(new)}(?!\w)", told.text, re.I)
            assert len(new) == 1 or new.casefold() not in told.text.casefold()
            assert not any(old.casefold() in new.casefold() for old in parts if len(old) > 2)


@told
def test_the_same_seed_gives_the_same_names_and_another_gives_others(told: Told) -> None:
    one, same, other = (make(told, seed).names.parts for seed in (5, 5, 6))
    assert one == same != other


def test_full_names_short_names_and_families_stay_related() -> None:
    english, korean, chinese, japanese = map(make, (ENGLISH, KOREAN, CHINESE, JAPANESE))
    given, family = english.image("Mrs. Maren Odell").split()[1:]
    assert english.image("Mrs. Maren Odell").startswith("Mrs. ") and english.image("Maren") == given
    assert english.image("Mr. Odell") == f"Mr. {family}" and english.image("Odells") == f"{family}s"
    assert english.image("M. Wick") == f"M. {english.image('Eustace Wick').split()[1]}"  # a title, no first letter
    doyun, seoha = korean.image("김도윤"), korean.image("김서하")
    assert doyun[0] == seoha[0] == korean.image("김 씨")[0] and doyun[1:] == korean.image("도윤")
    assert korean.image("무령산상회") == korean.image("무령산") + "상회" and korean.image("무령산")[-1] == "산"
    zhuo = chinese.image("阿琢")[1:]
    assert chinese.image("欧阳琢") == chinese.image("欧阳先生")[:-2] + zhuo and chinese.image("小琢") == "小" + zhuo
    assert (
        chinese.image("沈知白")[0] == chinese.image("老沈")[1] == chinese.image("沈掌柜")[0] == chinese.image("沈家")[0]
    )
    assert japanese.image("真壁葵")[:2] == japanese.image("真壁周平")[:2] == japanese.image("真壁家")[:2]
    assert japanese.image("ヤン・ドラーグ").split("・")[1] == japanese.image("ドラーグ")
    assert japanese.image("お静")[0] == "お"


def test_a_given_name_that_begins_like_a_familiar_prefix_is_one_part() -> None:
    text = "柏小舟喊了一声。小舟回头，柏记布庄的门开了。\n"
    bearers = (person("zhou", "柏小舟", "小舟"), Bearer("shop", "group", ("柏记布坊",)))
    names = make(Told("zh", text, bearers)).names
    assert names.image("柏小舟")[1:] == names.image("小舟") and names.image("小舟")[0] != "小"


def test_a_word_that_stands_with_a_family_name_stays() -> None:
    names = make(Told("ko", "한 노인이 왔다. 한도윤이라는 노인이다.\n", (person("h", "한도윤", "한 노인"),))).names
    assert names.image("한 노인") == f"{names.image('한도윤')[0]} 노인" and "노인" not in names.parts


def test_a_short_form_is_made_like_the_name_it_begins_like() -> None:
    text = "Lorinda sat. “Lory,” he said, and Lorinda Vale, Lor for short, rose.\n"
    names = make(Told("en", text, (person("l", "Lorinda Vale", "Lorinda", "Lory", "Lor"),))).names
    long, short = names.image("Lorinda"), names.image("Lory")
    assert long[:3] == short[:3] and len({long, short, names.image("Lor")}) == 3


def test_first_letters_follow_the_given_name() -> None:
    names = make(Told("en", "Berta Holm is B. Holm.\n", (person("b", "Berta Holm", "B. Holm"),))).names
    given, family = names.image("Berta Holm").split()
    assert names.image("B. Holm") == f"{given[0]}. {family}" and given[0] != "B"


def test_headings_in_capitals_and_decomposed_letters_are_written_alike() -> None:
    made = make(ENGLISH)
    assert made.moved.text.startswith(f"CHAPTER 1: {made.image('Odell').upper()} GOES HOME")
    text = unicodedata.normalize("NFD", FRENCH.text)
    french = make(FRENCH._replace(text=text))
    assert unicodedata.is_normalized("NFD", french.moved.text)
    assert unicodedata.normalize("NFC", french.moved.text) == make(FRENCH).moved.text


def test_a_name_that_is_a_word_is_left_where_it_is_the_word() -> None:
    made = make(ENGLISH)
    assert "“Will you stay, " in made.moved.text and "Will?" not in made.moved.text
    assert "his wick." in made.moved.text and "Wick" not in made.moved.text
    assert made.moved.text.count("Ferryman") == 4  # what somebody is, not what he is called
    assert "가을이 왔다" in make(KOREAN).moved.text


def test_a_name_inside_another_word_is_left() -> None:
    assert "Odellian" in make(ENGLISH).moved.text and "vasseurisme" in make(FRENCH).moved.text
    assert "박별로" in make(KOREAN).moved.text
    japanese = make(JAPANESE).moved.text
    assert "向日葵" in japanese and "ドラーグノフ" in japanese


def test_elision_article_and_possessive_fit_the_new_names() -> None:
    text = make(FRENCH).moved.text
    for elided in re.findall(r"\b(?:d|l|qu)’(\w+)", text):
        assert begins_with_vowel(elided)
    for full in re.findall(r"\b(?:de|à) ([A-ZÉ]\w+)", text):
        assert not begins_with_vowel(full)
    english = make(ENGLISH).moved.text
    assert re.search(r"An [AEIOU]\w+ man", english) and re.search(r"\w+[sxz]’ hat", english)


def test_russian_case_endings_stay_on_the_new_stem() -> None:
    made = make(RUSSIAN)
    stem = made.names.parts["Ведерин"]
    assert [w for w in re.findall(r"\w+", made.moved.text) if w.startswith(stem)] == [
        stem + end for end in ("а", "у", "е", "ых")
    ]


BASES = st.sampled_from(["도윤", "서하", "한별", "민준", "소라", "은설"])
PAIRS = (("은", "는"), ("이", "가"), ("을", "를"), ("과", "와"), ("아", "야"), ("이라고", "라고"), ("이여", "여"))


@settings(max_examples=25, deadline=None)
@given(st.lists(BASES, min_size=1, max_size=4, unique=True), st.integers(0, 50), st.data())
def test_korean_particles_agree_with_the_new_name(names: list[str], seed: int, data: st.DataObject) -> None:
    words = []
    for name in names:
        closed, open_ = data.draw(st.sampled_from(PAIRS))
        words.append(name + (open_ if final_of(name) == 0 else closed))
        words.append(name + ("으로" if final_of(name) == 2 else "로"))
    text = " ".join(words) + " 갔다.\n"
    made = make(Told("ko", text, tuple(person(f"p{i}", name) for i, name in enumerate(names))), seed)
    for old, word in zip(words, made.moved.text.split(), strict=False):
        new = made.image(old[:2])
        assert word == new + old[2:] and new != old[:2]
        tail = word[len(new) :]
        if tail in ("으로", "로"):
            assert (tail == "으로") == (final_of(new) == 2)
        else:
            assert tail in [pair[final_of(new) == 0] for pair in PAIRS]


WORDS = st.sampled_from(
    ["Maren", "Odell", "Odells", "Tarrow", "stone", "and", "an", "Maren’s", "ex-Odell", "Marenhood", "“", "."]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=30), st.integers(0, 9))
def test_whatever_the_text_mentions_and_the_rest_stay(words: list[str], seed: int) -> None:
    text = " ".join(words) + "\n"
    bearers = (person("m", "Maren Odell", "Maren"), person("o", "Odell"), place("t", "Tarrow"))
    made = make(Told("en", text, bearers), seed)
    before, after = unchanged(text, made.moved)
    assert before == after
    for word, new in zip(text.split(), made.moved.text.split(), strict=True):
        stem = next((s for s in ("Maren", "Odell", "Tarrow") if s in word and "hood" not in word), None)
        assert new == (word.replace(stem, made.names.parts[stem]) if stem else word)


def test_names_for_which_the_pool_has_nothing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pool, "TRIES", 0)
    with pytest.raises(ValueError, match="no invented name fits"):
        make(KOREAN)
