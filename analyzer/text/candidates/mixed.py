"""New names in Japanese: the change of script marks words, honorifics and endings mark names."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.found import Found, Reading
from analyzer.text.candidates.lexicon import alternation, relation_words, word_list, word_set
from analyzer.text.languages import LanguageTable

_KANJI = "㐀-䶿一-鿿々ヶ\U00020000-\U0003ffff"
_KATAKANA = "ァ-ヴー"
_RUBY = r"(?:《[^》\n]{1,20}》|（[ぁ-んァ-ヴー]{1,20}）)?"
_PER_THOUSAND = 20
_FEWEST = 20
"""Candidates kept, the best first, for each thousand characters, and of however short a text."""
_KIND = {"title": "character", "surname": "character", "place_suffix": "place", "locative": "place"}
_KIND |= {"institution": "group", "full": "character"}
_WEIGHT = {"title": 3.0, "surname": 2.5, "place_suffix": 2.0, "institution": 2.0, "foreign": 2.0, "katakana": 1.5}
_WEIGHT |= {"locative": 1.5, "naming": 2.5, "full": 2.0, "repeated": 0.5}
"""How much a cue adds to a score; an ordering only."""


@dataclass(frozen=True)
class MixedRules:
    """Patterns and word lists of one language."""

    run: re.Pattern[str]
    foreign: re.Pattern[str]
    honored: re.Pattern[str]
    title_end: re.Pattern[str]
    surname: re.Pattern[str]
    full: re.Pattern[str]
    place_end: re.Pattern[str]
    joined: re.Pattern[str]
    house_end: re.Pattern[str]
    locative: re.Pattern[str]
    noun: re.Pattern[str]
    naming: re.Pattern[str]
    stop: frozenset[str]
    never_first: frozenset[str]
    never_last: frozenset[str]


@lru_cache(maxsize=8)
def mixed_rules(table: LanguageTable) -> MixedRules:
    """Return the rules of `table`; missing lists stand for nothing."""
    names, titles, places = table.names, table.titles, table.places
    stop = word_set(names, "stopwords") | set(relation_words(table.kin))
    stop |= {w for key in ("people", "groups") for w in word_list(table.roles, key)}
    stop |= {w for key in ("heads", "things", "letters", "events") for w in word_list(places, key)}
    honors = alternation(word_list(titles, "after"))
    return MixedRules(
        run=re.compile(
            rf"([{_KANJI}]{{1,8}}(?:[ノツケ][{_KANJI}]{{1,4}})?|[{_KATAKANA}]{{2,}}(?:[・＝=][{_KATAKANA}]+)*){_RUBY}"
        ),
        foreign=re.compile(r"(?<![A-Za-zＡ-Ｚ])[A-ZＡ-Ｚ][A-Za-z]*(?:\.[A-Z])*"),
        honored=re.compile(honors),
        title_end=re.compile(f"(.+?){honors}$"),
        surname=re.compile(f"{alternation(word_list(names, 'surnames'))}.{{0,3}}$"),
        full=re.compile(f"[{_KANJI}]{{2,3}}.{alternation(word_list(names, 'given_last'))}$"),
        place_end=re.compile(f".+{alternation(word_list(places, 'suffixes'))}$"),
        joined=re.compile(rf"[{_KANJI}]+[ノツケ][{_KANJI}]+$"),
        house_end=re.compile(f"..+{alternation(word_list(places, 'institutions'))}$"),
        locative=re.compile(r"へ|まで|から|に(?=着|行|来|帰|住|い[るたま]|向)|で(?=生|育|あった)"),
        noun=re.compile(r"[はがもをのにとやへで、。」]"),
        naming=re.compile(alternation(word_list(table.cues, "naming"))),
        stop=frozenset(stop),
        never_first=frozenset("".join(word_list(names, "never_first"))),
        never_last=frozenset("".join(word_list(names, "never_last"))),
    )


def mixed_forms(text: str, table: LanguageTable, book: BookStats) -> dict[str, Reading]:
    """Return surface -> reading of every run of kanji, katakana or capitals in `text` that may be a name.

    Readings printed in brackets after a word (ruby) are passed over.
    """
    rules = mixed_rules(table)
    forms: dict[str, Found] = {}
    runs = list(rules.run.finditer(text))
    whole = {match.group(1) for match in runs}
    for match in runs:
        for surface, cue in _cues(match.group(1), match.end(), text, rules, whole):
            if surface not in rules.stop:
                forms.setdefault(surface, Found()).add(match.start(), inside=True, cue=cue)
    for match in rules.foreign.finditer(text):
        forms.setdefault(match.group(), Found()).add(match.start(), inside=True, cue="foreign")
    readings = {surface: _reading(surface, found, book) for surface, found in forms.items() if _kept(found)}
    ranked = sorted(readings, key=lambda s: (-readings[s].score, s))
    return {s: readings[s] for s in ranked[: max(_FEWEST, len(text) * _PER_THOUSAND // 1000)]}


def _kept(found: Found) -> bool:
    """Whether there is a cue, or the word stands twice and more as a noun."""
    return any(cue != "repeated" for cue in found.cues) or len(found.starts) > 1


def _reading(surface: str, found: Found, book: BookStats) -> Reading:
    best = found.strongest(_WEIGHT)
    score = math.log2(1 + len(found.starts)) + sum(_WEIGHT[cue] for cue in Counter(found.cues))
    score += 0.3 * math.log10(1 + book.grams.get(surface, 0))
    return Reading(found, score, _KIND.get(best, ""), best)


def _cues(word: str, end: int, text: str, rules: MixedRules, whole: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the surfaces a run gives and the cue of each.

    The name before a title is one of its own only where it is a run of its own too (`whole`): somebody whom the chapter
    never calls without the title may share his family name with another.
    """
    titled = rules.title_end.match(word)
    if titled and len(titled.group(1)) > 1 and titled.group(1) in whole:
        yield titled.group(1), "title"
    if titled or rules.honored.match(text, end):
        yield word, "title"
        return
    if word[0] in rules.never_first and len(word) < 4:
        return
    cue = "naming" if rules.naming.match(text, end) else _built_like(word, rules)
    if cue:
        yield word, cue
    elif len(word) > 1 and word[-1] not in rules.never_last and rules.noun.match(text, end):
        yield word, "locative" if rules.locative.match(text, end) else "repeated"


def _built_like(word: str, rules: MixedRules) -> str:
    """Return the cue that the word's own characters give, or ""."""
    if rules.house_end.match(word):
        return "institution"
    if rules.place_end.match(word) or rules.joined.match(word):
        return "place_suffix"
    if re.match(f"[{_KATAKANA}]", word):
        return "katakana"
    if len(word) > 1 and rules.surname.match(word):
        return "surname"
    return "full" if word[0] not in rules.never_first and rules.full.match(word) else ""
