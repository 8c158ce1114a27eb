"""Of which kind a name is, by all its places in a book together: one odd sentence does not make a town speak."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.text.candidates.found import Reading
from analyzer.text.candidates.lexicon import alternation, method_of, relation_words, word_list, word_set
from analyzer.text.languages import LanguageTable
from analyzer.text.namebook import FEWEST_ALONE, NameBook
from analyzer.text.namefold import fold_name, title_words
from analyzer.text.nameparts import is_stub, name_parts

PLACE_SHARE = 0.3
"""From this share of places after "in, at, to …" on a name is a place's. Source: over a long novel towns had 0.36 to 0.78,
people 0.01 to 0.15."""
ARTICLE_SHARE = 0.25
"""From this share of places after an article on a word is no personal name ("the Englishman", "the Mediterranean")."""
SPEAKER_SHARE = 0.2
"""From this share of places at a verb of speech on, a described one ("the Englishman said") is a person all the same."""
ODD_SHARE = 0.02
"""Below this share of places with a person's cue, these are chance."""
TITLED_SHARE = 0.2
"""From this share of places with a title on a word written without spaces is a person's name."""
SPEECH_SHARE, OBJECT_SHARE = 0.1, 0.04
"""From these shares of places before a verb of speech, and after "to, with, take, ask", on a word is a person's name. Source:
over a long Chinese novel people had 0.12 to 0.7 and 0.04 to 0.3, verbs that lead to speech 0.1 to 0.9 and 0 to 0.02."""
FEW_FOREIGN = 5
"""Fewest places of a foreign word that stands as a noun throughout, to be taken for a person's name."""
_VOCATIVE = 0.7
DATIVE_SHARE = 0.02
"""From this share of places before a particle that only beings take on a recurring noun is a person's name. Source: over 18 stories
people by name had 0.02 to 0.2, other nouns next to none."""
FEW_BARE = 15
"""Fewest places of a word that never has an article where all nouns have capitals, to be taken for a person's name. Source: a choice."""
_LEAD = 12
"""Code points before a name in which "into the" and its like have room."""
_STRONG = frozenset({"place_word", "place_suffix", "group_suffix", "institution", "thing_suffix"})
"""Cues that lie in the name's own words."""


@lru_cache(maxsize=32)
def _article_before(table: LanguageTable) -> re.Pattern[str]:
    articles = word_list(table.names, "articles")
    return re.compile(rf"(?<!\w){alternation(articles)}[ \n’']\Z", re.IGNORECASE)


@lru_cache(maxsize=32)
def _firm(table: LanguageTable) -> re.Pattern[str]:
    tails = alternation(word_list(table.names, "firm_tails"))
    return re.compile(rf" (?:&|{alternation(word_list(table.names, 'firm_joiners'))}) {tails}\Z")


@lru_cache(maxsize=32)
def _aboard(table: LanguageTable) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){alternation(word_list(table.kinship, 'aboard'))}[ \n]\Z", re.IGNORECASE)


@lru_cache(maxsize=32)
def _within(table: LanguageTable) -> re.Pattern[str]:
    """Return a pattern of the words after which no person stands ("in Harrowby", but not "to Harrow")."""
    return re.compile(rf"(?<!\w){alternation(word_list(table.cues, 'within'))}[ \n]\Z", re.IGNORECASE)


@lru_cache(maxsize=32)
def _spots(table: LanguageTable) -> frozenset[str]:
    """Return the nouns a place's name may end in ("Sloe Lane"); those of groups are left out."""
    places = word_set(table.places, "after") | word_set(table.places, "heads")
    return places - word_set(table.roles, "groups") - word_set(table.names, "no_spots")


@lru_cache(maxsize=32)
def _given(table: LanguageTable) -> frozenset[str]:
    return frozenset(fold_name(word) for word in word_list(table.names, "given_names"))


def kind_of(surface: str, reading: Reading, text: str, table: LanguageTable, names: NameBook) -> str:
    """Return the entity kind the places of `surface` in `text` speak for, "" where they do not tell."""
    cues = reading.found.cues
    method = method_of(table, text)
    if method != "capitals":
        return (
            _of_noun(surface, reading, text, table, names)
            if method == "particles"
            else _of_characters(surface, reading, text, table, names)
        )
    if reading.kind in ("place", "group", "object") and not _STRONG.isdisjoint(cues):
        return reading.kind
    if _firm(table).search(surface):
        return "group"
    if _indefinite(surface, table) or _only_modified(surface, table, names):
        return ""
    starts = set(reading.found.starts)
    if _is_ship(starts, text, table):
        return "object"
    n_article = sum(bool(_article_before(table).search(text[max(0, at - 6) : at])) for at in starts)
    parts = name_parts(surface, table)
    if _is_church(surface, cues["locative"], cues["speaks"], table):
        return "place"
    if cues["extended"] and surface.split()[-1].islower():
        return ""
    if parts.titled and (parts.core or n_article or surface.lower().startswith(_articles(table))):
        return "character"
    return _by_places(surface, reading, text, table, names, n_article)


def _by_places(surface: str, reading: Reading, text: str, table: LanguageTable, names: NameBook, n_article: int) -> str:
    """Judge a name by its last noun, by the articles before it, by its cues, and then by its words."""
    cues, starts = reading.found.cues, set(reading.found.starts)
    person = cues["speaks"] + _VOCATIVE * cues["vocative"]
    if _is_spot(surface, table) and not person:
        return "place"
    if n_article >= ARTICLE_SHARE * len(starts):
        return _described(len(starts), cues["locative"], cues["speaks"])
    found = _by_cues(surface, len(starts), person, cues["locative"], table, names)
    return found if found == "character" else _by_words(surface, starts, text, table, found, n_article)


def _of_noun(surface: str, reading: Reading, text: str, table: LanguageTable, names: NameBook) -> str:
    """Judge a noun whose particles were seen: a person's name recurs with several, bears a title, or is a full name."""
    cues, n = reading.found.cues, len(set(reading.found.starts))
    parts = names.parts(surface)
    if parts.given and names.alone[parts.given] >= FEWEST_ALONE:
        return "character"
    recurs = "repeated" in cues
    bare_title = fold_name(surface) in title_words(table)
    if recurs and not bare_title and _share_followed(surface, reading, text, table) >= DATIVE_SHARE:
        return "character"
    if reading.kind == "character":
        titled = cues["title"] > 0 and (recurs or " " in surface or parts.single in names.givens_of)
        return (
            "character" if titled or (recurs and not cues.keys().isdisjoint({"surname", "naming", "vocative"})) else ""
        )
    return reading.kind if recurs or n > 1 else ""


def _share_followed(surface: str, reading: Reading, text: str, table: LanguageTable) -> float:
    """Return the share of places before a particle that only beings take ("에게", "께서")."""
    signs, starts = word_list(table.kinship, "after_person"), set(reading.found.starts)
    return sum(text.startswith(signs, at + len(surface)) for at in starts) / len(starts)


def _of_characters(surface: str, reading: Reading, text: str, table: LanguageTable, names: NameBook) -> str:
    """Judge a run of characters: a person speaks and is spoken to, a place is gone to, over all its places."""
    cues, starts = reading.found.cues, set(reading.found.starts)
    n = len(starts)
    if is_stub(surface, table):
        return ""
    spoken = _share_before(starts, text, word_list(table.kinship, "before_person"))
    if _is_somebody(surface, reading, spoken, names):
        return "character"
    leading = word_list(table.kinship, "before_place")
    gone = _share_before(starts, text, leading)
    if "place_suffix" in cues and n > 1 and surface[0] not in leading and (not spoken or gone > spoken):
        return "" if _acts(surface, starts, text, table) >= SPEECH_SHARE * n else "place"
    if not cues.keys().isdisjoint({"foreign", "katakana"}) and n >= FEW_FOREIGN:
        return (
            "character" if _share_after(surface, starts, text, word_list(table.kinship, "after_person")) > 0.5 else ""
        )
    return "group" if reading.kind == "group" and n > 1 and table.names.get("scripts") == "mixed" else ""


def _is_somebody(surface: str, reading: Reading, spoken: float, names: NameBook) -> bool:
    """Return whether a run of characters speaks and is spoken to, bears titles, or is a full name whose given name recurs."""
    cues, n = reading.found.cues, len(set(reading.found.starts))
    if cues["title"] >= max(2, TITLED_SHARE * n):
        return True
    speaks = cues["speaks"] >= FEWEST_ALONE and cues["speaks"] >= SPEECH_SHARE * n
    parts = names.parts(surface)
    full = "surname" in cues and bool(parts.given) and names.alone[parts.given] >= FEWEST_ALONE
    return (speaks or full) and spoken >= OBJECT_SHARE


def _acts(surface: str, starts: set[int], text: str, table: LanguageTable) -> int:
    """Return at how many places the name has a verb of speech behind it or a word of kinship before it, as no place has."""
    said, kin = word_list(table.cues, "speech_book"), tuple(relation_words(table.kin))
    length = len(surface)
    return sum(text.startswith(said, at + length) or text[max(0, at - _LEAD) : at].endswith(kin) for at in starts)


def _share_before(starts: set[int], text: str, signs: tuple[str, ...]) -> float:
    return sum(text[at - 1 : at] in signs for at in starts) / len(starts)


def _share_after(surface: str, starts: set[int], text: str, signs: tuple[str, ...]) -> float:
    length = len(surface)
    return sum(text[at + length : at + length + 1] in signs for at in starts) / len(starts)


def _is_ship(starts: set[int], text: str, table: LanguageTable) -> bool:
    return any(_aboard(table).search(text[max(0, at - 24) : at]) for at in starts)


def _is_church(surface: str, n_locative: int, n_speaks: int, table: LanguageTable) -> bool:
    saintly = surface.split()[0].lower().rstrip(".") in word_set(table.kinship, "saintly")
    return saintly and n_locative > n_speaks


def _articles(table: LanguageTable) -> tuple[str, ...]:
    return tuple(f"{article} " for article in word_list(table.names, "articles"))


def _indefinite(surface: str, table: LanguageTable) -> bool:
    first, _, rest = surface.partition(" ")
    return bool(rest) and first.lower() in word_set(table.kinship, "indefinite")


def _only_modified(surface: str, table: LanguageTable, names: NameBook) -> bool:
    """Return whether an adjective or kin word only stands before somebody's name ("young Hale", "daughter Ida")."""
    parts = name_parts(surface, table)
    if parts.kin and surface[:1].islower() and not parts.rank:
        return True
    return parts.modified and surface[:1].islower() and not names.is_elder(surface)


def _described(n: int, n_locative: int, n_speaks: int) -> str:
    if n_locative >= PLACE_SHARE * n and n_locative > 1:
        return "place"
    return "character" if n_speaks >= SPEAKER_SHARE * n and n_speaks > 1 else ""


def _is_spot(surface: str, table: LanguageTable) -> bool:
    """Return whether a name ends in a place's noun and does not open with a given name ("Sloe Lane", not "Robert Lane")."""
    words = surface.split()
    if len(words) < 2 or not words[-1][:1].isupper():
        return False
    return words[-1].lower() in _spots(table) and fold_name(words[0]) not in _given(table)


def _by_words(surface: str, starts: set[int], text: str, table: LanguageTable, cued: str, n_article: int) -> str:
    """Judge a name whose places speak for nobody: a known given name is a person's, one that stands "in" something a place's.

    `cued` is what the places told. Where all nouns have capitals, a word that recurs and never has an article is a person's name.
    """
    if fold_name(surface.split()[0]) in _given(table):
        return "character"
    n_within = sum(bool(_within(table).search(text[max(0, at - _LEAD) : at])) for at in starts)
    if cued or n_within >= PLACE_SHARE * len(starts):
        return cued or "place"
    bare = table.names.get("nouns") is True and len(starts) >= FEW_BARE and not n_article
    return "character" if bare else ""


def _by_cues(surface: str, n: int, person: float, n_locative: int, table: LanguageTable, names: NameBook) -> str:
    if n_locative >= PLACE_SHARE * n and n_locative > 1 and person < n_locative / 2:
        return "place"
    if person > ODD_SHARE * n and person >= n_locative / 6:
        return "character"
    return "character" if names.is_personal(surface) else ""
