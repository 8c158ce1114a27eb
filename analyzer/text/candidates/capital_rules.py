"""The patterns of one language with capital letters, built once from its table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from analyzer.text.candidates.lexicon import alternation, relation_words, word_list, word_set
from analyzer.text.languages import LanguageTable

UPPER = "".join(c for c in map(chr, range(0x2000)) if c.isupper() and len(c.lower()) == 1)
"""Capital letters of the alphabetic scripts (Latin, Greek, Cyrillic, Armenian, …)."""
_OPENERS = " \t“”‘’«»\"'([—–-―_*„‚¿¡‹"
_QUOTE_OPENERS = '“«„"‹¿¡—―‘'
_ENDS = ".!?…:\n"


@dataclass(frozen=True)
class CapitalRules:
    """Patterns and word lists; `run` finds capitalised words in a row, the others look at what stands around them."""

    run: re.Pattern[str]
    word: re.Pattern[str]
    firm: frozenset[str]
    article_before: re.Pattern[str]
    left: re.Pattern[str]
    right: re.Pattern[str]
    lower_title: re.Pattern[str]
    group: re.Pattern[str]
    speech_before: re.Pattern[str]
    speech_after: re.Pattern[str]
    locative: re.Pattern[str]
    abbreviations: frozenset[str]
    stop: frozenset[str]
    pronouns: frozenset[str]
    titles: frozenset[str]
    neutral: frozenset[str]
    modifiers: frozenset[str]
    place_before: frozenset[str]
    adjectives: frozenset[str]
    verb: re.Pattern[str]
    contracted: re.Pattern[str]

    def is_stop(self, word: str) -> bool:
        """Whether a word in small letters belongs to no name: a stop word, or one with a verb or pronoun drawn into it."""
        straight = word.replace("'", "’")
        return word in self.stop or straight in self.stop or self.contracted.search(straight) is not None


@lru_cache(maxsize=32)
def capital_rules(table: LanguageTable) -> CapitalRules:
    """Return the rules of `table`; missing lists stand for nothing, so a bare table still gives capital runs."""
    names, titles, places = table.names, table.titles, table.places
    abbreviations = word_list(titles, "abbreviations")
    articles = alternation(word_list(names, "articles"))
    speech = alternation(word_list(table.cues, "speech"))
    modifiers = word_list(names, "modifiers")
    before = word_list(titles, "before")
    groups = [
        rf"\w{{3,}}{alternation(word_list(names, 'group_suffixes'))}",
        alternation(word_list(names, "group_words")),
    ]
    lower = rf"(?:{alternation(word_list(titles, 'lower_modifiers'))} )?{alternation(word_list(titles, 'lower'))}"
    unit = _unit(table)
    return CapitalRules(
        run=re.compile(_run(table, unit)),
        word=re.compile(unit),
        firm=word_set(names, "firm_tails"),
        article_before=re.compile(rf"(?i:\b{articles})[ \n]\Z"),
        left=re.compile(rf"\b({alternation([*modifiers, *relation_words(table.kin), *before])})[ \n]\Z"),
        right=re.compile(rf"[ \n]{alternation(word_list(places, 'after'))}\b"),
        lower_title=re.compile(rf"(?i:\b({articles})[ \n])({lower})\b(?![’'-]\w)"),
        group=re.compile(rf"\b(?!{alternation(word_list(names, 'group_stopwords'))}\b)(?:{'|'.join(groups)})\b"),
        speech_before=re.compile(rf"\b{speech},?[ \n](?:{articles} )?\Z"),
        speech_after=re.compile(rf",?[ \n]{speech}\b"),
        locative=re.compile(rf"\b{alternation(word_list(table.cues, 'locatives'))}[ \n](?:{articles} )?\Z"),
        abbreviations=frozenset(abbreviations),
        stop=word_set(names, "stopwords") | word_set(names, "calendar"),
        pronouns=word_set(names, "pronouns"),
        titles=frozenset(word.lower() for word in before),
        neutral=word_set(titles, "neutral"),
        modifiers=frozenset(modifiers),
        place_before=frozenset(word.lower() for word in word_list(places, "before")),
        adjectives=word_set(names, "adjectives"),
        verb=re.compile(rf".{{3,}}{alternation(word_list(names, 'verb_ends'))}\Z"),
        contracted=re.compile(rf"\w{alternation(word_list(names, 'contractions'))}\Z"),
    )


def _unit(table: LanguageTable) -> str:
    """Return a regex: a capitalised word (inner apostrophes and hyphens allowed, a possessive ending left out) or an abbreviated title."""
    abbreviation = rf"{alternation(word_list(table.titles, 'abbreviations'))}(?!\w)"
    possessive = alternation(ending[1:] for ending in word_list(table.names, "possessives") if len(ending) > 1)
    kept = word_set(table.names, "kept_elisions")
    split = alternation(word for word in word_list(table.names, "elisions") if word not in kept)
    return (
        rf"(?:{abbreviation}|(?!{split}[’'])[{UPPER}](?:[^\W_]|[’'](?!{possessive}(?!\w))(?=[^\W_])|[-‑](?=[^\W_]))*)"
    )


def _run(table: LanguageTable, unit: str) -> str:
    elisions = alternation(word_list(table.names, "elisions"))
    small = alternation(p.replace("-", " ") for p in word_list(table.names, "particles"))
    start = rf"(?:{alternation(word_list(table.names, 'kept_elisions'))}[’'])?"
    border = "|".join(rf"(?<=\b{re.escape(word)}[’'])" for word in word_list(table.names, "elisions"))
    endings = alternation(word for word in word_list(table.names, "possessives") if len(word) > 1)
    spots = {w.capitalize() for key in ("before", "after") for w in word_list(table.places, key)}
    owned = rf"{endings}[ \n](?={alternation(spots)}\b)"
    joint = rf"(?:{owned}|(?:(?<=\b[{UPPER}])\.)?[ \n](?:{small} )?(?:(?:\w\w )?{elisions}[’'])?)"
    firm = rf"[ \n](?:&|{alternation(word_list(table.names, 'firm_joiners'))})[ \n]{alternation(word_list(table.names, 'firm_tails'))}\b"
    return rf"(?<![^\W_])(?<!-)(?:(?<![’']){'|' + border if border else ''}){start}{unit}(?:{joint}{unit})*(?:{firm})?"


def opens_sentence(text: str, at: int, abbreviations: frozenset[str]) -> bool:
    """Return whether the word at `at` is the first of a sentence or of a quotation; a title's full stop ends nothing."""
    before = at
    while before > 0 and text[before - 1] in _OPENERS:
        before -= 1
    if before == 0 or text[before - 1] == "\n":
        return True
    gap = text[before:at]
    if text[before - 1] in _ENDS:
        tail = text[max(0, before - 8) : before].split()
        return not (tail and (tail[-1] in abbreviations or (len(tail[-1]) == 2 and tail[-1][0] in UPPER)))
    return "--" in gap or any(c in gap for c in _QUOTE_OPENERS)
