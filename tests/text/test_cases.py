"""Declined names, patronymics and short names: own people, whose names stand in every case."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.candidates.forms import new_forms
from analyzer.text.cases import case_forms, declines, nominative
from analyzer.text.givennames import root_of, short_names, with_patronymics
from analyzer.text.languages import language_table, languages
from analyzer.text.manuscript import manuscript_from_text
from analyzer.text.namebook import LIKELY, NameBook, sameness
from analyzer.text.nameparts import name_parts
from analyzer.text.names import NameMatcher
from analyzer.text.possible import possible_in

RU = language_table("ru")


def found(names: dict[str, list[str]], text: str, language: str = "ru") -> list[tuple[str, str]]:
    table = language_table(language)
    possible = {name: names[name] for name in possible_in(text, names)}
    return [
        (text[m.start : m.end], "/".join(m.handles)) for m in NameMatcher.build(possible, table, text=text).find(text)
    ]


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Оршанин", "Оршанина Оршанину Оршаниным Оршанине"),
        ("Вера", "Веры Вере Веру Верой Верою"),
        ("Соня", "Сони Соне Соню Соней Сонею"),
        ("Павел", "Павла Павлу Павлом Павле"),
        ("Лев", "Льва Льву Львом Льве"),
        ("Дмитрий", "Дмитрия Дмитрию Дмитрием Дмитрии"),
        ("Мария", "Марии Марию Марией Мариею"),
        ("Ладынский", "Ладынского Ладынскому Ладынским Ладынском"),
        ("Ладынская", "Ладынской Ладынскую Ладынскою"),
        ("Тарас Шевко", "Тараса Шевко Тарасу Шевко Тарасом Шевко Тарасе Шевко"),
    ],
)
def test_a_russian_name_is_declined(name: str, forms: str) -> None:
    declined = " ".join(case_forms(name, RU)).split()
    assert set(forms.split()) <= set(declined)


def test_given_and_family_name_are_declined_together() -> None:
    assert "Тихона Кузьмича Оршанина" in case_forms("Тихон Кузьмич Оршанин", RU)
    assert "Тихона Кузьмич Оршанину" not in case_forms("Тихон Кузьмич Оршанин", RU)


def test_a_form_that_is_another_given_name_is_left_out() -> None:
    assert "Александра" not in case_forms("Александр", RU)
    assert "Евгения" not in case_forms("Евгений", RU)
    assert "Александру" in case_forms("Александр", RU)


def test_a_known_name_is_found_in_every_case_and_shown_as_given() -> None:
    text = "Оршанина не было. Я сказал Оршанину о Соне. С Оршаниным шла Соня; Соню звали."
    assert found({"Оршанин": ["@1"], "Соня": ["@2"]}, text) == [
        ("Оршанина", "@1"),
        ("Оршанину", "@1"),
        ("Соне", "@2"),
        ("Оршаниным", "@1"),
        ("Соня", "@2"),
        ("Соню", "@2"),
    ]


def test_a_name_of_several_words_is_found_declined_and_longest_first() -> None:
    assert found({"Тихон Кузьмич": ["@1"], "Тихон": ["@2"]}, "Он искал Тихона Кузьмича, а нашёл Тихона.") == [
        ("Тихона Кузьмича", "@1"),
        ("Тихона", "@2"),
    ]


def test_a_form_that_is_itself_known_belongs_to_its_own_bearer() -> None:
    assert found({"Оршанин": ["@1"], "Оршанина": ["@2"]}, "Оршанина вышла. Оршанину позвали.") == [
        ("Оршанина", "@2"),
        ("Оршанину", "@1/@2"),
    ]


def test_a_longer_word_that_begins_like_a_form_is_not_found() -> None:
    assert found({"Вера": ["@1"]}, "Верочка верила. Вероника. Верой клялись.") == [("Верой", "@1")]


def test_a_german_genitive_is_found_and_a_name_in_a_hissing_sound_has_none() -> None:
    names = {"Brakel": ["@1"], "Hans": ["@2"]}
    assert found(names, "Brakels Mühle stand leer, Hanss nicht, Hans schon.", "de") == [
        ("Brakels", "@1"),
        ("Hans", "@2"),
    ]
    assert case_forms("Abel Brakel", language_table("de")) == ("Abel Brakels",)


@pytest.mark.parametrize("tag", ["en", "ko", "zh", "ja", "fr", "es", "und"])
def test_names_are_not_declined_where_the_table_has_no_cases(tag: str) -> None:
    assert not declines(language_table(tag))
    assert case_forms("Orla Brakel", language_table(tag)) == ()


def test_new_forms_put_the_cases_of_one_name_together() -> None:
    text = (
        "Вошёл Оршанин, и Веру позвали. Тихон увидел Оршанина. Он дал Оршанину лампу. Потом Вера ушла с Оршаниным. "
        "Я знал Оршанина-то. Тихон Кузьмич молчал, а Тихона Кузьмича боялись."
    )
    chapter = manuscript_from_text(text, title="x", language="ru").chapters[0]
    names = {form.surface: form.n for form in new_forms(chapter, RU)}
    assert {"Оршанин", "Тихон Кузьмич"} <= set(names)
    assert not {"Оршанина", "Оршанину", "Оршаниным", "Оршанина-то", "Веру", "Тихона Кузьмича"} & set(names)
    assert names["Оршанин"] == 4


def test_forms_of_known_names_are_not_new() -> None:
    chapter = manuscript_from_text("Позвали Оршанина. Дали Вере лампу.", title="x", language="ru").chapters[0]
    assert not {"Оршанина", "Вере"} & {form.surface for form in new_forms(chapter, RU, ["Оршанин", "Вера"])}


def test_a_form_without_its_nominative_in_the_book_stays_as_it_stands() -> None:
    assert nominative("Оршанину", RU, lambda _: 0) == "Оршанину"
    assert nominative("Оршанину", RU, lambda word: {"Оршанин": 1, "Оршанину": 2}.get(word, 0)) == "Оршанин"


def test_given_name_and_patronymic_are_one_and_family_names_may_lead() -> None:
    assert with_patronymics(("тихон", "кузьмич", "оршанин"), RU) == ("тихон кузьмич", "оршанин")
    assert with_patronymics(("оршанин", "тихон", "кузьмич"), RU) == ("тихон кузьмич", "оршанин")
    assert with_patronymics(("anna", "smith"), language_table("en")) == ("anna", "smith")
    parts = name_parts("Оршанин Тихон Кузьмич", RU)
    assert (parts.given, parts.family, parts.root) == ("тихон кузьмич", "оршанин", "тихон")


def same(language: str, counts: dict[str, int], new: str, *names: str) -> int:
    book = NameBook(counts, language_table(language))
    return sameness(book.parts(new), book.bearer(names), book)


@pytest.mark.parametrize(
    ("language", "new", "name", "expected"),
    [
        ("ru", "Тиша", "Тихон Кузьмич Оршанин", True),
        ("ru", "Тиша", "Тихон", True),
        ("ru", "Тихон", "Тихон Кузьмич", True),
        ("ru", "Тихон Кузьмич", "Тихон Кузьмич Оршанин", True),
        ("ru", "Соня", "Софья Ладынская", True),
        ("ru", "Митя", "Тихон Кузьмич", False),
        ("ru", "Саша", "Александр Кузьмич", False),
        ("es", "Paco", "Francisco Velarde", True),
        ("es", "Lola", "Francisca Velarde", False),
        ("de", "Fritz", "Friedrich Brakel", True),
        ("de", "Lotte", "Charlotte", True),
        ("en", "Bob", "Robert Hale", False),
    ],
)
def test_a_short_name_is_likely_that_of_the_only_bearer_of_the_full_one(
    language: str, new: str, name: str, expected: bool
) -> None:
    assert (same(language, {new: 5, name: 5}, new, name) == LIKELY) is expected


def test_a_short_name_is_left_open_where_two_bear_the_full_one() -> None:
    counts = {"Пётр Кузьмич": 5, "Пётр Ильич": 5, "Петя": 5}
    assert same("ru", counts, "Петя", "Пётр Кузьмич") == 0
    assert same("ru", counts, "Пётр Ильич", "Пётр Кузьмич") == 0
    families = {"Francisco Velarde": 5, "Francisco Ortuño": 5, "Paco": 5}
    assert same("es", families, "Paco", "Francisco Velarde") == 0


@pytest.mark.parametrize("tag", ["ru", "es", "de"])
def test_no_short_name_stands_for_two_names_and_none_is_a_full_one(tag: str) -> None:
    raw = language_table(tag).names["short_names"]
    shorts = [short for row in raw for short in row.split()[1:]]
    assert len(shorts) == len(set(shorts))
    assert not set(short_names(language_table(tag))) & {row.split()[0] for row in raw}


def test_a_name_without_lists_has_no_root() -> None:
    assert root_of("bob", language_table("en")) == ""
    assert root_of("оршанин", RU) == ""


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("абвийкоьчшя АБВё-'"), max_size=20), st.sampled_from(languages()))
def test_any_name_has_forms_other_than_itself_and_its_nominative_is_a_name(name: str, language: str) -> None:
    table = language_table(language)
    forms = case_forms(name, table)
    assert name not in forms and len(set(forms)) == len(forms)
    assert nominative(name, table, lambda _: 1) or not name
