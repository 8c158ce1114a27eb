"""Descriptions where particles or nothing at all follow a noun (Korean, Chinese, Japanese): searched by the nouns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analyzer.text.candidates.heads import HeadRules, head_rules
from analyzer.text.candidates.lexicon import alternation, method_of, word_list
from analyzer.text.candidates.mention import Mention
from analyzer.text.candidates.particle_rules import particle_rules
from analyzer.text.languages import LanguageTable

_WORD = re.compile(r"[가-힣]+")
_HAN = re.compile(r"[㐀-䶿一-鿿々\U00020000-\U0003ffff]")
_BEFORE = 2
"""Syllables that may stand before a noun in one word ("주인" + "노파" written as one); one or three are mostly chance."""
_COMPOUND = frozenset({"character", "group", "place"})
"""Kinds of nouns that are looked for at the end of a longer word."""
_NEAR = 12
"""Code points before a noun in which whose it is can stand."""


@dataclass(frozen=True)
class JoinedRules:
    """Nouns and the pattern of what stands before them."""

    nouns: HeadRules
    noun: re.Pattern[str]
    before: re.Pattern[str]
    genitive: str
    said: re.Pattern[str]


@lru_cache(maxsize=16)
def joined_rules(table: LanguageTable) -> JoinedRules:
    """Return the rules of `table`."""
    nouns = head_rules(table)
    possessors = alternation(nouns.possessors)
    determiners = alternation(nouns.determiners)
    verbal = alternation(word_list(table.roles, "no_determiners"))
    genitive = str(table.roles.get("genitive", ""))
    speech = alternation(word_list(table.cues, "speech_end"))
    return JoinedRules(
        nouns=nouns,
        noun=re.compile(alternation(nouns.heads)),
        before=re.compile(rf"(?:{verbal}|({possessors})|({determiners}))\Z"),
        genitive=genitive,
        said=re.compile(rf"(?:[^。，、！？「」“”]{{0,4}}){speech}[：:，「“]" if speech else "(?!)"),
    )


def unspaced_mentions(text: str, table: LanguageTable, names: Sequence[tuple[int, int, str]]) -> Iterator[Mention]:
    """Yield the descriptions of a text without spaces; nouns inside a known name are no descriptions."""
    rules = joined_rules(table)
    starts = [start for start, _, _ in names]
    for match in rules.noun.finditer(text):
        start, end = match.span()
        at = bisect_right(starts, start) - 1
        if at >= 0 and names[at][1] > start:
            continue
        head = rules.nouns.heads[match.group()]
        window = text[max(0, start - _NEAR) : start]
        lead = rules.before.search(window)
        if lead and lead.lastindex is None:  # the end of a verb that reads like a determiner
            lead = None
        if len(head.word) == 1 and not (lead and lead.group(1)) and _in_word(text, start, end):
            continue
        possessor = rules.nouns.possessors[lead.group(1)] if lead and lead.group(1) else ""
        opening = start - len(lead.group()) if lead else start
        owner = _owner_before(start, names, at, text, rules) if not possessor else ""
        if owner:
            possessor, opening = owner, names[at][0]
        acts = bool(rules.said.match(text, end))
        relation = head.relation if head.kin or possessor else ""
        yield Mention(
            head.word, text[opening:end], opening, end, head.kind, relation, possessor, head.kin, bool(owner), acts
        )


def _in_word(text: str, start: int, end: int) -> bool:
    return bool(_HAN.match(text[start - 1 : start]) or _HAN.match(text[end : end + 1]))


def _owner_before(start: int, names: Sequence[tuple[int, int, str]], at: int, text: str, rules: JoinedRules) -> str:
    if at < 0 or text[names[at][1] : start] not in ("", rules.genitive):
        return ""
    return text[names[at][0] : names[at][1]]


def particle_mentions(text: str, table: LanguageTable, names: Sequence[tuple[int, int, str]]) -> Iterator[Mention]:
    """Yield the descriptions of a text whose nouns carry particles."""
    rules = joined_rules(table)
    particles = particle_rules(table).particles
    ends = {end: start for start, end, _ in names}
    starts = [start for start, _, _ in names]
    cuts: dict[str, tuple[str, int] | None] = {}
    previous = ""
    before = (0, 0)
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        if word not in cuts:
            cuts[word] = _noun_of(word, rules.nouns, particles)
        cut = cuts[word]
        at = bisect_right(starts, start) - 1
        if cut and not (at >= 0 and start < names[at][1]):
            yield _particle_mention(cut, start, previous, before, text, rules, ends)
        previous, before = word, (start, match.end())


def _noun_of(word: str, nouns: HeadRules, particles: frozenset[str]) -> tuple[str, int] | None:
    """Return the noun in `word` and where it ends: the whole stem, else the end of a compound, before a particle."""
    for end in range(len(word), 0, -1):
        rest = word[end:]
        if rest not in particles and rest not in ("들", "님") and not (rest[:1] in "들님" and rest[1:] in particles):
            continue
        for start in (0, _BEFORE):
            stem = word[start:end]
            head = nouns.heads.get(stem)
            if head and (not start or (len(stem) > 1 and head.kind in _COMPOUND)):
                return stem, end
    return None


def _particle_mention(
    cut: tuple[str, int],
    start: int,
    previous: str,
    before: tuple[int, int],
    text: str,
    rules: JoinedRules,
    ends: dict[int, int],
) -> Mention:
    head = rules.nouns.heads[cut[0]]
    end = start + cut[1]
    possessor, opening = "", start
    if previous and text[before[1] : start] == " ":
        if previous in rules.nouns.possessors:
            possessor, opening = rules.nouns.possessors[previous], before[0]
        elif owner := _owner(before, text, rules, ends):
            possessor, opening = text[slice(*owner)], owner[0]
        elif previous in rules.nouns.determiners:
            opening = before[0]
    relation = head.relation if head.kin or possessor else ""
    named = bool(possessor) and possessor not in ("speaker", "addressee", "third")
    kind = "group" if text.startswith("들", end) and head.kind == "character" else head.kind
    return Mention(head.word, text[opening:end], opening, end, kind, relation, possessor, head.kin, named)


def _owner(before: tuple[int, int], text: str, rules: JoinedRules, ends: dict[int, int]) -> tuple[int, int] | None:
    """Return where the name stands that ends before a noun (or before its genitive), or the person described in the genitive."""
    start, end = before
    bare = end - len(rules.genitive) if rules.genitive and text.endswith(rules.genitive, start, end) else end
    for at in (end, bare):
        if at in ends:
            return ends[at], at
    return (start, bare) if bare < end and text[start:bare] in rules.nouns.heads else None


def joined_mentions(text: str, table: LanguageTable, names: Sequence[tuple[int, int, str]]) -> Iterator[Mention]:
    """Yield the descriptions of a text in either kind of script."""
    spaced = method_of(table, text) == "particles"
    return particle_mentions(text, table, names) if spaced else unspaced_mentions(text, table, names)
