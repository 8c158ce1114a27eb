"""Folding: what counts as the same, what does not, and offsets that lead back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.fold import fold_name, fold_quote, narrow, without_invisible

MIXED = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            list("abé ñ-—…'’“”\u00ad\u2060\u200b\u0301\u0323\u3000，Ａ１。가각\u1100\u1161\u11a8鄭かガ\u3099\n.")
        ),
        st.characters(blacklist_categories=["Cs"]),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("“No,” she said.", '"No," she said.'),
        ("It’s the captain's", "It's the captain’s"),
        ("a well-known man", "a well‑known man"),
        ("re\u00adturned", "returned"),
        ("word\u2060joined", "wordjoined"),
        ("she waited -- and left", "she waited—and left"),
        ("so … nothing", "so... nothing"),
        ("one  two\nthree", "one two three"),
        ("「来た」と言った。", "“来た”と言った。"),
        ("第 ３ 章　夜", "第3章夜"),
        ("“네!” 하고", '"네!"하고'),
        ("cafe\u0301 noir", "café noir"),
        ("« Oui », dit-elle", "“Oui”, dit-elle"),
    ],
)
def test_glyphs_spacing_and_hyphens_fold_away(quote: str, text: str) -> None:
    assert fold_quote(quote) == fold_quote(text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("he is now here", "he is nowhere"),
        ("He left", "he left"),
        ("He left.", "He left?"),
        ("he can not", "he cannot"),
        ("we'll", "well"),
        ("he did… go", "he did go"),
        ("他不来。", "他来。"),
        ("그는 안 갔다", "그는 갔다"),
        ("그는 나가", "그는 나 가"),
        ("ou", "où"),
        ("ばか", "はか"),
    ],
)
def test_what_may_change_the_meaning_never_folds_away(quote: str, text: str) -> None:
    assert fold_quote(quote) != fold_quote(text)


@pytest.mark.parametrize(
    ("surface", "same"),
    [
        ("d’Arsac", "d'Arsac"),
        ("Jean‑Luc", "Jean-Luc"),
        ("M.\u00a0Roux", "M. Roux"),
        ("Ze\u0301lie", "Zélie"),
        ("Ma\u00adrie", "Marie"),
        (unicodedata.normalize("NFD", "정희"), "정희"),
    ],
)
def test_names_fold_to_one_form(surface: str, same: str) -> None:
    assert fold_name(surface) == fold_name(same) == same


def test_an_offset_leads_back_over_dropped_and_composed_signs() -> None:
    text = "x\u00ad Ze\u0301\u2060lie y"
    folded = narrow(text)
    at = folded.text.index("Zélie")
    assert text[slice(*folded.span(at, at + 5))] == "Ze\u0301\u2060lie"


def test_text_without_anything_to_fold_is_returned_as_it_is() -> None:
    text = "Zélie – “oui” 정희 鄭"
    assert without_invisible(text) == (text, None, None)
    assert narrow(text).starts is None


@given(MIXED)
@settings(max_examples=150)
def test_the_offset_map_is_monotone_and_stays_inside_the_text(text: str) -> None:
    for folded in (narrow(text), without_invisible(text)):
        starts = list(folded.starts) if folded.starts is not None else list(range(len(folded.text)))
        ends = list(folded.ends) if folded.ends is not None else [start + 1 for start in starts]
        assert len(starts) == len(ends) == len(folded.text)
        assert starts == sorted(starts) and ends == sorted(ends)
        assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))


@given(MIXED)
@settings(max_examples=150)
def test_composing_piece_by_piece_equals_composing_the_whole(text: str) -> None:
    visible = without_invisible(narrow(text).text).text
    assert narrow(text).text == visible
    assert unicodedata.is_normalized("NFC", narrow(text).text)


@given(MIXED)
@settings(max_examples=150)
def test_letters_survive_a_quote_fold_in_order(text: str) -> None:
    def letters(piece: str) -> str:
        return "".join(sign for sign in piece if sign.isalnum())

    assert letters(fold_quote(text)) == letters(narrow(text).text)
