"""New names in a script without spaces or capitals (Chinese): recurring words, and what name cues say of the others."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.character_rules import HAN, CharacterRules, character_rules
from analyzer.text.candidates.found import Found, Reading
from analyzer.text.candidates.segments import Lexicon, Segment, lexicon_of, segments
from analyzer.text.languages import LanguageTable

_RUN = re.compile(f"[{HAN}]+")
_PER_THOUSAND = 22
"""Candidates kept, the best first, for each thousand characters."""
_FEWEST = 20
"""Candidates kept of however short a text."""
_LONGEST = 6
_OFTEN = 0.08
"""Share of a word's places in the book where a name's neighbour (said; to, at) stands beside it, to count as a cue."""
_KIND = {"title": "character", "surname": "character", "speaks": "character", "self_name": "character"}
_KIND |= {"given": "character"}
_KIND |= {"place_suffix": "place", "locative": "place", "institution": "group", "thing_suffix": "object"}
_WEIGHT = {"speaks": 3.0, "title": 2.5, "self_name": 2.5, "naming": 2.5, "place_suffix": 2.0, "quoted": 2.0}
_WEIGHT |= {"surname": 2.0, "given": 2.0, "thing_suffix": 1.5, "institution": 1.5, "locative": 1.5, "repeated": 0.5}
"""How much a cue adds to a score; an ordering only."""

_BURST = 0.8
"""Weight of keeping together in the book (log2), so that a name met in a quarter of its chance parts gains like a cue."""
_LONG = 1.5
"""Taken from four characters and more without a title, place or thing at their end: mostly set phrases."""

Cue = tuple[str, int, str]
"""A surface, where it starts, and the cue."""


_ALWAYS = 3
"""Times a surname with two characters stands in a book, and never with one alone, from which a common word may end it."""


def character_forms(text: str, table: LanguageTable, book: BookStats) -> dict[str, Reading]:
    """Return surface -> reading of every run of characters in `text` that may be a name."""
    rules = character_rules(table)
    lexicon = lexicon_of(book, table)
    clauses = segments(text, lexicon)
    forms: defaultdict[str, Found] = defaultdict(Found)
    for surface, start, cue in _cues(text, clauses, rules, lexicon):
        if surface not in rules.stop:
            forms[surface].add(start, inside=True, cue=cue)
    for surface in [s for s in forms if s[-1] in rules.never]:
        forms.pop(surface[:-1], None)  # never stands alone
    return _best(forms, text, lexicon, rules, book)


def _cues(text: str, clauses: Sequence[Sequence[Segment]], rules: CharacterRules, lexicon: Lexicon) -> Iterator[Cue]:
    for clause in clauses:
        for at, word in enumerate(clause):
            if word.known:
                yield from _of_word(word, text, rules)
                yield from _given(word, rules, lexicon)
            if word.text[-1] in rules.last:
                yield from _endings(clause, at, rules)
            elif word.text[-1] in rules.localizers and _is_place(word.text[:-1], rules):
                yield word.text[:-1], word.start, "place_suffix"
            if word.text[0] in rules.name_first:
                yield from _names(clause, at, rules, lexicon)
    for match in rules.quoted.finditer(text):
        yield match.group(1), match.start(1), "quoted"
    by_start = {clause[0].start: clause for clause in clauses if clause}
    for match in rules.speaks.finditer(text):
        yield from _head(by_start.get(match.start(1), ()), rules, "speaks")
    namings = list(rules.naming.finditer(text))
    wanted = {match.end() for match in namings}
    starts = {w.start: (clause, at) for clause in clauses for at, w in enumerate(clause) if w.start in wanted}
    for match in namings:
        clause, at = starts.get(match.end(), ((), 0))
        yield from _head(clause[at:], rules, "naming")


def _of_word(word: Segment, text: str, rules: CharacterRules) -> Iterator[Cue]:
    if word.text in rules.stop or word.text[: len(word.text) // 2] == word.text[len(word.text) // 2 :]:
        return
    if rules.never.isdisjoint(word.text) and not (len(word.text) == 4 and word.text[0] == word.text[1]):
        small = len(word.text) > 2 and word.text.endswith(rules.diminutive or " ")
        yield word.text, word.start, "thing_suffix" if small else "repeated"
        if rules.diminutive and text.startswith(rules.diminutive, word.end):
            yield word.text + rules.diminutive, word.start, "thing_suffix"


def _allowed(surface: str, rules: CharacterRules) -> bool:
    return (
        surface[0] not in rules.never_first
        and surface[-1] not in rules.never_last
        and rules.never.isdisjoint(surface)
        and surface not in rules.stop
    )


def _endings(clause: Sequence[Segment], at: int, rules: CharacterRules) -> Iterator[Cue]:
    """Yield a word that ends like a title, place, house or thing, alone and with the one or two words that lead to it."""
    kinds = (
        (rules.title_end, "title"),
        (rules.place_end, "place_suffix"),
        (rules.house_end, "institution"),
        (rules.thing_end, "thing_suffix"),
    )
    word = clause[at]
    for pattern, cue in kinds:
        ending = pattern.search(word.text)
        if not ending:
            continue
        if ending.start() and (word.known or _fits(word.text, rules)):
            yield word.text, word.start, cue
        yield from ((s, at_, cue) for s, at_ in _led(clause[max(0, at - 2) : at + 1], rules))
        return


def _given(word: Segment, rules: CharacterRules, lexicon: Lexicon) -> Iterator[Cue]:
    if len(word.text) == 2 and word.text in lexicon.givens and _allowed(word.text, rules):
        yield word.text, word.start, "given"


def _is_place(surface: str, rules: CharacterRules) -> bool:
    """Return whether what stands before "on", "in", "beside" is built like a place's name of three characters and more."""
    return len(surface) > 2 and rules.place_end.search(surface) is not None and _fits(surface, rules)


def _led(words: Sequence[Segment], rules: CharacterRules) -> Iterator[tuple[str, int]]:
    """Yield the last of `words` with what leads to it: one word, or two characters that are no known words."""
    surface = words[-1].text
    for count, lead in enumerate(reversed(words[:-1])):
        if len(lead.text) + len(surface) > _LONGEST or not rules.never.isdisjoint(lead.text) or lead.text in rules.stop:
            return
        if count and (lead.known or words[-2].known):
            return
        surface = lead.text + surface
        if _fits(surface, rules):
            yield surface, lead.start


def _fits(surface: str, rules: CharacterRules) -> bool:
    return surface[0] not in rules.never_first and rules.never.isdisjoint(surface[:-1]) and surface not in rules.stop


def _names(clause: Sequence[Segment], at: int, rules: CharacterRules, lexicon: Lexicon) -> Iterator[Cue]:
    """Yield a surname with the one or two characters after it, and the names people call themselves by."""
    word = clause[at]
    if rules.self_name.match(word.text):
        yield word.text, word.start, "self_name"
    ranked = rules.ranked.match("".join(w.text for w in clause[at : at + 4])[:4])
    if ranked:
        yield ranked.group(), word.start, "self_name"
    known = word.known and len(word.text) > 2
    rest = word.text if known else "".join(w.text for w in clause[at : at + 3])
    for size in (2, 1):
        if rest[:size] not in rules.surnames:
            continue
        for length in (size + 2, size + 1):
            surface = rest[:length]
            cut = word.end if len(word.text) >= length else word.start + length
            border = any(w.end == cut for w in clause[at : at + 3])
            if len(surface) != length or not border or (known and surface != rest):
                continue
            whole = length == size + 2 and _never_shorter(surface, rules, lexicon)
            if whole or _allowed(surface, rules):
                yield surface, word.start, "surname"
            if whole:
                break
        return


def _never_shorter(surface: str, rules: CharacterRules, lexicon: Lexicon) -> bool:
    """Say whether a name whose last character is a common word (賈仲和) is one: the book never has it without that one."""
    n = lexicon.grams.get(surface, 0)
    return (
        n >= _ALWAYS
        and surface[-1] in rules.never
        and n == lexicon.grams.get(surface[:-1], 0)
        and _allowed(surface[:-1], rules)
    )


def _head(words: Sequence[Segment], rules: CharacterRules, cue: str) -> Iterator[Cue]:
    """Yield the word at the head of a clause that a cue says is a name; single characters are joined."""
    surface = ""
    for word in words[:3]:
        if not rules.never.isdisjoint(word.text) or len(surface) + len(word.text) > 5:
            break
        surface += word.text
        if word.known:
            break
    if len(surface) > 1 and _allowed(surface, rules):
        yield surface, words[0].start, cue


def _best(
    forms: dict[str, Found], text: str, lexicon: Lexicon, rules: CharacterRules, book: BookStats
) -> dict[str, Reading]:
    """Judge, and keep of the words that only recur the best few."""
    readings: dict[str, Reading] = {}
    for surface, found in forms.items():
        n = lexicon.n(surface)
        border = _bordered(surface, found.starts, text, rules)
        cue = lexicon.cues.get(surface) if n else ""
        if cue is None:
            cue = lexicon.cues[surface] = _book_cue(surface, n, rules, lexicon)
        if cue == "locative" or (cue and _led_in(found.starts, text, rules)):
            found.cues[cue] += 1
        best = found.strongest(_WEIGHT)
        score = math.log2(1 + len(set(found.starts))) + sum(_WEIGHT[cue] for cue in found.cues) + border
        score += 0.4 * math.log10(max(1.0, lexicon.cohesion(surface))) if n else -1.0
        score += _BURST * book.burst(surface)
        score -= 0.0 if border == 1.0 or _allowed(surface, rules) else 1.0
        score -= _LONG if len(surface) > 3 and best in ("repeated", "speaks", "locative") else 0.0
        score -= 1.0 if best == "surname" and len(surface) == 2 and n else 0.0
        readings[surface] = Reading(found, score, _KIND.get(best, ""), best)
    ranked = sorted(readings, key=lambda s: (-readings[s].score, s))
    return {s: readings[s] for s in ranked[: max(_FEWEST, len(text) * _PER_THOUSAND // 1000)]}


def _book_cue(surface: str, n: int, rules: CharacterRules, lexicon: Lexicon) -> str:
    """Return what stands beside `surface` often in the book: a word of saying after it, one of going before it."""
    count = lexicon.grams.get
    if sum([count(surface + after, 0) for after in rules.speech_book]) > _OFTEN * n:
        return "speaks"
    if sum([count(before + surface, 0) for before in rules.place_book]) > _OFTEN * n:
        return "locative"
    return ""


def _led_in(starts: Sequence[int], text: str, rules: CharacterRules) -> bool:
    return any(s == 0 or text[s - 1] in rules.before_name or not _RUN.match(text, s - 1) for s in starts)


def _bordered(surface: str, starts: Sequence[int], text: str, rules: CharacterRules) -> float:
    """Return the share of places where a clause border or a name's usual neighbour stands on both sides."""
    n = 0
    for start in starts:
        before, after = text[max(0, start - 1) : start], text[start + len(surface) : start + len(surface) + 1]
        left = before in rules.before_name or not _RUN.match(before)
        n += left and (after in rules.after_name or not _RUN.match(after))
    return n / max(1, len(starts))
