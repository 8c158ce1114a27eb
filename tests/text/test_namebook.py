"""Whether two names are one person's: by given and family name, titles and what the whole book shows; own names throughout."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.languages import language_table
from analyzer.text.namebook import LAST, LIKELY, SURE, NameBook, sameness
from analyzer.text.nameparts import is_stub, name_parts

HALE = {
    "Tobin Hale": 6, "Tobin": 40, "Hale": 60, "M. Hale": 9, "Mr. Hale": 9, "Madame Hale": 7, "Mademoiselle Hale": 5,
    "Orla Hale": 4, "Orla": 20, "Mademoiselle Orla": 3, "Count of Moor": 8, "Count Moor": 2, "M. de Moor": 6, "Viscount Aubin de Moor": 5,
    "Aubin": 30, "Aubin de Moor": 7, "Moor": 20, "Viscount of Moor": 2, "Madame de Moor": 4, "Piers Alder": 5, "Rhys Alder": 5,
    "Alder": 9, "Mr. Alder": 6, "Piers": 8, "Rhys": 8, "old Hale": 4,
}  # fmt: skip
FIRSTS = {name: 1 for name in HALE} | {"Orla Hale": 40, "Orla": 40, "Rhys Alder": 1}


def same(language: str, new: str, *known: str, counts: dict[str, int] | None = None) -> int:
    book = NameBook(counts if counts is not None else HALE, language_table(language), FIRSTS)
    return sameness(book.parts(new), book.bearer(known), book)


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("M. Hale", ["Hale"]),
        ("Tobin Hale", ["Hale", "M. Hale"]),
        ("Tobin", ["Tobin Hale"]),
        ("Tobin", ["Hale", "Mr. Hale"]),
        ("Hale", ["Tobin Hale"]),
        ("Mademoiselle Hale", ["Orla"]),
        ("Orla Hale", ["Mademoiselle Orla"]),
        ("Viscount of Moor", ["Aubin de Moor", "Aubin"]),
        ("Count of Moor", ["Count Moor"]),
        ("Piers", ["Piers Alder"]),
    ],
)
def test_names_are_joined_where_only_one_person_can_be_meant(new, known):
    assert same("en", new, *known) > 0


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("Madame Hale", ["M. Hale", "Hale"]),
        ("Mademoiselle Hale", ["Madame Hale"]),
        ("Madame Hale", ["Tobin Hale"]),
        ("Orla Hale", ["Hale", "M. Hale"]),
        ("Orla", ["Tobin Hale"]),
        ("Rhys Alder", ["Piers Alder"]),
        ("Mr. Alder", ["Piers Alder", "Piers"]),
        ("Piers Alder", ["Alder", "Mr. Alder"]),
        ("Piers", ["Alder", "Mr. Alder"]),
        ("Count of Moor", ["Viscount Aubin de Moor", "Aubin", "Moor"]),
        ("M. de Moor", ["Viscount Aubin de Moor", "Aubin"]),
        ("Madame de Moor", ["Count of Moor"]),
        ("M. de Moor", ["Count of Moor"]),
        ("old Hale", ["Tobin Hale", "Hale"]),
        ("Hale", ["old Hale"]),
        ("the count", ["Count of Moor"]),
        ("Tobin", ["Piers"]),
    ],
)
def test_a_family_name_that_several_bear_joins_nobody(new, known):
    assert same("en", new, *known) == 0


def test_a_plain_title_joins_the_only_rank_of_a_family():
    counts = {"Count of Moor": 8, "M. de Moor": 6, "Countess of Moor": 3, "Madame de Moor": 4}
    assert same("en", "M. de Moor", "Count of Moor", counts=counts) == SURE
    assert same("en", "Madame de Moor", "Countess of Moor", counts=counts) == SURE
    assert same("en", "Madame de Moor", "Count of Moor", counts=counts) == 0


@pytest.mark.parametrize(
    ("language", "counts", "new", "known", "joined"),
    [
        ("ko", {"유나루": 3, "나루": 20, "유군": 2}, "나루", "유나루", True),
        ("ko", {"유나루": 3, "나루": 20}, "유나루", "나루", True),
        ("ko", {"유나루": 3, "나루": 20}, "나루 씨", "나루", True),
        ("ko", {"유나루": 3, "김나루": 3, "나루": 20}, "나루", "유나루", False),
        ("ko", {"유나루": 3, "유가람": 3, "나루": 9, "가람": 9, "유 군": 2}, "유 군", "유나루", False),
        ("zh", {"柳青河": 5, "青河": 9}, "青河", "柳青河", True),
        ("zh", {"柳青河": 5, "王青河": 5, "青河": 9}, "青河", "柳青河", False),
        ("zh", {"柳青河": 5, "柳月": 5}, "柳夫人", "柳先生", False),
        ("ja", {"田中葵": 3, "葵": 9, "田中": 9}, "葵さん", "葵", True),
        ("ja", {"田中葵": 3, "田中蓮": 3, "葵": 9, "蓮": 9, "田中": 9}, "田中さん", "田中葵", False),
        ("fr", {"Odile Brac": 4, "Odile": 9, "M. Brac": 4, "Madame Brac": 3}, "Madame Brac", "M. Brac", False),
        ("fr", {"Odile de Brac": 4, "Odile": 9}, "Odile", "Odile de Brac", True),
    ],
)
def test_the_same_holds_in_every_script(language, counts, new, known, joined):
    assert (same(language, new, known, counts=counts) > 0) is joined


def test_strengths_tell_equal_words_from_parts():
    assert same("en", "M. Hale", "Hale") == SURE
    assert same("en", "Tobin", "Tobin Hale") == LIKELY
    assert same("en", "Alder", "Piers Alder") == LAST


def test_a_given_name_that_comes_up_long_after_is_not_taken_for_the_known_ones():
    counts = {"Hale": 50, "M. Hale": 9, "Rhys Hale": 5, "Rhys": 20, "Tobin Hale": 5, "Tobin": 20}
    firsts = dict.fromkeys(counts, 1) | {"Rhys Hale": 40, "Rhys": 40}
    book = NameBook(counts, language_table("en"), firsts)
    held = book.bearer(["Hale", "M. Hale"])
    assert sameness(book.parts("Tobin Hale"), held, book) and not sameness(book.parts("Rhys Hale"), held, book)


@pytest.mark.parametrize(
    ("language", "surface", "core", "gender"),
    [
        ("en", "the Count of Moor", ("moor",), "m"),
        ("en", "Mme. d’Orly", ("orly",), "f"),
        ("fr", "la comtesse d’Orly", ("orly",), "f"),
        ("ko", "나루 양", ("나루",), "f"),
        ("zh", "柳夫人", ("柳",), "f"),
        ("ja", "葵嬢", ("葵嬢",), ""),
        ("en", "the count", (), "m"),
    ],
)
def test_titles_are_parted_from_the_name_and_tell_the_gender(language, surface, core, gender):
    parts = name_parts(surface, language_table(language))
    assert (parts.core, parts.gender) == (core, gender)


def test_a_compound_behind_a_title_is_one_name():
    counts = {"Count of Hale Moor": 5, "M. de Hale Moor": 3, "Hale Moor": 9}
    assert same("en", "Count of Hale Moor", "Hale Moor", counts=counts) == SURE


def test_two_family_names_in_a_row_are_no_given_and_family_name():
    counts = {"M. Hale": 5, "Madame Hale": 5, "Hale": 30, "M. Alder": 5, "Alder": 30, "Hale Alder": 1}
    assert (
        same("en", "Hale Alder", "Alder", counts=counts) == 0 and same("en", "Hale Alder", "Hale", counts=counts) == 0
    )


def test_one_sign_before_a_title_is_no_name_unless_it_is_a_family_s():
    table = language_table("ja")
    assert is_stub("時先生", table) and not is_stub("林先生", table) and not is_stub("葵井先生", table)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["Hale", "Tobin", "Mr.", "Madame", "de", "the", "Count", "old", "father", "’", "유", "柳", "さん"]
        ),
        max_size=5,
    )
)
def test_any_words_have_parts_and_never_raise(words):
    surface = " ".join(words) or "x"
    for language in ("en", "fr", "ko", "zh", "ja", "und"):
        parts = name_parts(surface, language_table(language))
        assert bool(parts.given) == bool(parts.family)
        assert same(language, surface, "Hale") in (0, LAST, LIKELY, SURE)
