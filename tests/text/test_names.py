"""Known names: boundaries by script, longest match first, ambiguity kept, offsets into the text as given."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text import names as names_module
from analyzer.text.boundaries import Boundaries
from analyzer.text.fold import fold_name
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.names import LONGEST_NAME, Mention, NameMatcher
from analyzer.text.possible import possible_in

TABLE = LanguageTable(tag="en")


def matcher(*surfaces: str, all_caps: bool = False, table: LanguageTable = TABLE) -> NameMatcher:
    return NameMatcher.build({surface: [f"@{i}"] for i, surface in enumerate(surfaces, 1)}, table, all_caps=all_caps)


def found(text: str, *surfaces: str, all_caps: bool = False) -> list[str]:
    return [text[m.start : m.end] for m in matcher(*surfaces, all_caps=all_caps).find(text)]


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("Odile’s hat", "Odile"),
        ("Odile's hat", "Odile"),
        ("“Odile,” he said", "Odile"),
        ("_Odile_ stood", "Odile"),
        ("the ex-Odile party", "Odile"),
        ("an Odile-like smile", "Odile"),
        ("well--Odile--came", "Odile"),
        ("Odile—no one else", "Odile"),
        ("the house of Hurst & Son failed", "Hurst & Son"),
        ("il vit d’Arsac venir", "d'Arsac"),
        ("il vit d’Arsac venir", "Arsac"),
        ("la mère d'Hélène", "Hélène"),
        ("la mère d'He\u0301le\u0300ne", "Hélène"),
        ("He said M. Roux", "M. Roux"),
        ("He said M.\u00a0Roux", "M. Roux"),
        ("He said M.\nRoux", "M. Roux"),
        ("the sign ‘Q!’ hung", "Q!"),
        ("…the Œdipe club", "Œdipe"),
        ("Пришла Анна.", "Анна"),
        ("Η Ελένη ήρθε", "Ελένη"),
        ("Ma\u00addeleine came", "Madeleine"),
        ("O’Hara came", "O'Hara"),
        ("Odile", "Odile"),
        ("Odile은 왔다", "Odile"),
        ("那天Odile说", "Odile"),
    ],
)
def test_a_name_is_found_whatever_punctuation_stands_beside_it(text: str, surface: str) -> None:
    assert [fold_name(name) for name in found(text, surface)] == [surface]


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("Kingdom", "King"),
        ("Marianne", "Mari"),
        ("Marianne", "Anne"),
        ("Jean-Luc came", "Jean"),
        ("Jean-Luc came", "Luc"),
        ("O’Hara came", "Hara"),
        ("O’Hara came", "O"),
        ("Don’t go", "Don"),
        ("Dante\u0300s came", "Dante"),
        ("Аннам", "Анна"),
        ("odile came", "Odile"),
        ("R2D2", "R2D"),
        ("M.Q!", "Z!"),
    ],
)
def test_part_of_a_longer_word_is_no_name(text: str, surface: str) -> None:
    assert found(text, surface) == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            "정희는 왔다",
            "정희가",
            "정희를",
            "정희에게",
            "정희에게는",
            "정희와",
            "정희도",
            "정희만",
            "정희야!",
            "“정희.”",
            "정희의 집",
        ),
        *(
            "정희씨는",
            "정희 씨",
            "정희 군",
            "정희님께서",
            "정희네",
            "정희이다",
            "정희라고 했다",
            "정희까지도",
            "정희아저씨가",
            "정희’s",
        ),
        unicodedata.normalize("NFD", "정희는"),
    ],
)
def test_a_korean_name_may_carry_particles(text: str) -> None:
    assert [fold_name(name) for name in found(text, "정희")] == ["정희"]


@pytest.mark.parametrize("text", ["최정희는", "정희곡", "우정희망", "정희망을", "정희들판"])
def test_a_korean_name_inside_another_word_is_no_name(text: str) -> None:
    assert found(text, "정희") == []


def test_a_table_adds_particles_of_its_own() -> None:
    table = LanguageTable(tag="ko", names={"bound_particles": "쿠루"})
    assert matcher("정희", table=table).find("정희쿠루")
    assert not matcher("정희").find("정희쿠루")


def test_chinese_names_need_no_boundary_and_the_longer_wins() -> None:
    text = "林小雨见林小雨花来，小雨笑了。"
    assert found(text, "小雨", "林小雨", "林小雨花") == ["林小雨", "林小雨花", "小雨"]


def test_japanese_katakana_runs_are_not_cut() -> None:
    text = "アンはアンナに会った。ルイ・アンが佐藤さんと来た。"
    mentions = matcher("アン", "佐藤").find(text)
    assert [(m.start, m.surface) for m in mentions] == [(0, "アン"), (14, "アン"), (17, "佐藤")]


def test_the_longest_name_wins_wherever_it_begins() -> None:
    assert found("Count Andrea Rossi di Lume came", "Count Andrea", "Andrea Rossi di Lume", "Count") == [
        "Count",
        "Andrea Rossi di Lume",
    ]
    assert found("Madame Hurst", "Madame", "Hurst", "Madame Hurst") == ["Madame Hurst"]


def test_a_shorter_name_is_found_where_the_longer_one_does_not_stand() -> None:
    assert found("Anna Karel’s and Anna Karelia", "Anna", "Anna Karel") == ["Anna Karel", "Anna"]
    assert found("Rue Saint-Luc", "Rue", "Rue Saint") == ["Rue"]


def test_a_name_of_two_entities_is_flagged_and_harms_no_other() -> None:
    known = NameMatcher.build({"Hurst": ["@1", "@2"], "Odile Hurst": ["@2"], "Odile": ["@2"]}, TABLE)
    mentions = known.find("Hurst met Odile Hurst; Odile left.")
    assert [(m.surface, m.handles, m.ambiguous) for m in mentions] == [
        ("Hurst", ("@1", "@2"), True),
        ("Odile Hurst", ("@2",), False),
        ("Odile", ("@2",), False),
    ]


def test_surfaces_that_are_written_alike_share_their_handles() -> None:
    known = NameMatcher.build({"d’Arsac": ["@1"], "d'Arsac": ["@2", "@1"]}, TABLE)
    assert known.find("d’Arsac") == [Mention(0, 7, "d’Arsac", ("@1", "@2"))]


def test_capitals_are_found_on_request_only() -> None:
    assert found("ODILE! HÉLÈNE’S", "Odile", "Hélène") == []
    assert found("ODILE! HÉLÈNE’S", "Odile", "Hélène", all_caps=True) == ["ODILE", "HÉLÈNE"]
    known = NameMatcher.build({"Odile": ["@1"], "ODILE": ["@2"]}, TABLE, all_caps=True)
    assert [m.handles for m in known.find("Odile ODILE")] == [("@1",), ("@2",)]


def test_offsets_count_in_the_text_as_given() -> None:
    text = "\ufeff😀 “É\u00ad” Made\u00adleine\u00ad, He\u0301le\u0300ne’s 정희는"
    mentions = matcher("Madeleine", "Hélène", "정희").find(text)
    assert [text[m.start : m.end] for m in mentions] == ["Made\u00adleine", "He\u0301le\u0300ne", "정희"]


def test_hostile_names_and_texts_are_data() -> None:
    assert found("(?P<x>) .* [a-z] \\b ?", ".*", "[a-z]", "?") == ["?", ".*", "[a-z]", "?"]
    assert found("“x’", "?") == []
    assert matcher("Odile", "정희").find("\ud800Odile\udfff 정희는 \ud800")[0].start == 1
    assert matcher().find("anything") == []
    assert matcher("Odile").find("") == []
    long_name = "x" * names_module.LONGEST_NAME
    assert found(f"{long_name} Odile " * 3, long_name, "Odile") == [long_name, "Odile"] * 3


@pytest.mark.parametrize("surface", ["", "  ", "\u00ad\u200b", "x" * 301])
def test_a_name_of_nothing_or_of_a_page_is_refused(surface: str) -> None:
    with pytest.raises(ValueError, match="visible signs"):
        matcher("Odile", surface)


def test_names_on_the_seams_of_a_long_text_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names_module, "_CHUNK", 7)
    text = "Odile Hurst met Odile, Hurst & Son and Jean-Luc. " * 5
    assert found(text, "Odile", "Odile Hurst", "Hurst & Son") == ["Odile Hurst", "Odile", "Hurst & Son"] * 5


def by_hand(names: Mapping[str, Sequence[str]], text: str) -> list[tuple[int, int, str]]:
    """Try every slice: the definition, slowly."""
    forms = {fold_name(surface): surface for surface in reversed(list(names))}
    rules = Boundaries(TABLE)
    longest = max(map(len, forms))
    hits = [
        (start, end, forms[fold_name(text[start:end])])
        for start in range(len(text))
        for end in range(start + 1, min(len(text), start + longest) + 1)
        if text[start:end] == text[start:end].strip()
        and fold_name(text[start:end]) in forms
        and rules.holds(text, start, end)
    ]
    kept: list[tuple[int, int, str]] = []
    for hit in sorted(hits, key=lambda hit: (hit[0] - hit[1], hit[0])):
        if all(hit[1] <= other[0] or hit[0] >= other[1] for other in kept):
            kept.append(hit)
    return sorted(kept)


PIECES = st.sampled_from(
    ["A", "b", "Ab", "é", "œ", " ", "-", "’", "'", "?", ".", "아", "는", "안", "雨", "小", "ア", "ン", "\n"]
)
TEXTS = st.lists(PIECES, max_size=30).map("".join)
NAMES = st.lists(
    st.lists(PIECES, min_size=1, max_size=5).map("".join).filter(fold_name), min_size=1, max_size=8, unique=True
)


@given(NAMES, TEXTS, st.sampled_from([3, 1 << 13]))
@settings(max_examples=400)
def test_matching_equals_trying_every_slice(surfaces: list[str], text: str, chunk: int) -> None:
    names = {surface: [surface] for surface in surfaces}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names_module, "_CHUNK", chunk)
        mentions = NameMatcher.build(names, TABLE).find(text)
    assert [m[:3] for m in mentions] == by_hand(names, text)


WORDS = st.text(alphabet="abcdeé", min_size=2, max_size=7)


@given(st.lists(st.one_of(WORDS, st.sampled_from(["Odile", "Jean-Luc", "d’Arsac", "M. Roux"])), max_size=25))
@settings(max_examples=100)
def test_planted_names_are_all_found_without_overlap(words: list[str]) -> None:
    planted = [word for word in words if word[0].isupper() or "’" in word]
    text = " ".join(words)
    mentions = matcher("Odile", "Jean-Luc", "d'Arsac", "M. Roux").find(text)
    assert [text[m.start : m.end] for m in mentions] == planted
    assert all(fold_name(text[m.start : m.end]) == fold_name(m.surface) for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("Go, Anne\u2019Marie!", "Anne'Marie"),
        ("Rene\u0301e came.", "Renée"),
        ("Ma\u00adra came.", "Mara"),
        ("마라는 갔다.", "마라"),
        ("見柳青河。", "柳青河"),
    ],
)
def test_a_name_that_may_stand_is_never_left_out_before_matching(text, surface):
    assert possible_in(text, [surface, "Nobody"]) == [surface]


@pytest.mark.parametrize("word", ["Bartholomew ", "김해주", "柳青河", "Barthélemy "])
def test_what_no_matcher_takes_is_left_out_before_matching_though_it_stands_there(word):
    long = (word * LONGEST_NAME).strip()
    assert possible_in(f"{long}. {word}", [long, word.strip(), "", "\u200b", " "]) == [word.strip()]


def test_a_matcher_built_for_a_text_finds_there_what_any_other_finds():
    text = "“Old\nTobin Hale’s boat,” said Tobin\u00a0Hale to Rene\u0301e and to O\u2019Dare-Lunn."
    names = {"Tobin Hale": ["@1"], "Renée": ["@2"], "O'Dare-Lunn": ["@3"], "Nobody Else": ["@4"]}
    table = language_table("en")
    assert NameMatcher.build(names, table, text=text).find(text) == NameMatcher.build(names, table).find(text)
