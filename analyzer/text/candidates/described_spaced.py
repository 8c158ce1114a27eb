"""Descriptions where words have spaces and nouns an article or possessive before them: "his father", "the jailer"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from analyzer.text.candidates.capital_rules import UPPER, CapitalRules, capital_rules
from analyzer.text.candidates.heads import Head, HeadRules, head_rules
from analyzer.text.candidates.lexicon import alternation, word_list, word_set
from analyzer.text.candidates.mention import Mention
from analyzer.text.languages import LanguageTable

_MOST_BETWEEN = 3
"""Words between article and noun at most ("a tall, dark young man" has three)."""

_TRAIT_WORDS = 2
"""Words of a trait beside articles: "in a grey coat", "in smoked spectacles"; a third is mostly the verb."""


@dataclass(frozen=True)
class SpacedRules:
    """Nouns, determiners and patterns of one language."""

    nouns: HeadRules
    capitals: CapitalRules
    word: re.Pattern[str]
    function: frozenset[str]
    possessive: tuple[str, ...]
    belongs: re.Pattern[str]
    speaking: re.Pattern[str]
    said: re.Pattern[str]
    mute: frozenset[str]
    lower_titles: frozenset[str]
    close: frozenset[str]
    broad: frozenset[str]
    indefinite: frozenset[str]
    somebody: frozenset[str]
    bare: bool
    origin: re.Pattern[str]
    traits: re.Pattern[str]
    particles: frozenset[str]
    known: dict[str, Head | None] = field(default_factory=dict, compare=False, repr=False)
    """Words met so far and the nouns they are; as many as the texts read have different words."""


@lru_cache(maxsize=32)
def spaced_rules(table: LanguageTable) -> SpacedRules:
    """Return the rules of `table`."""
    elisions = alternation(word_list(table.names, "elisions"))
    speech = alternation(word_list(table.cues, "speech"))
    articles = sorted({*word_list(table.names, "articles"), *word_list(table.roles, "definite")})
    joined = alternation(f"{word}{mark}" for word in word_list(table.names, "elisions") for mark in "’'")
    definite = rf"(?:{alternation(articles)}[ \n]|{joined})"
    function = word_set(table.names, "stopwords") - word_set(table.roles, "adjectives")
    mute = function | word_set(table.titles, "lower") | word_set(table.cues, "not_speakers")
    return SpacedRules(
        nouns=head_rules(table),
        capitals=capital_rules(table),
        word=re.compile(rf"(?:{elisions}[’'](?=\w))|[^\W\d_]+(?:[’'\-‑][^\W\d_]+)*"),
        function=frozenset(function),
        possessive=word_list(table.names, "possessives"),
        belongs=re.compile(
            rf"[ \n]{alternation(word_list(table.roles, 'of'))}(?:[ \n]{definite}?|(?={joined}){definite})"
        ),
        speaking=re.compile(rf"\b{speech},?[ \n]{definite}((?:\w+[ \n]){{0,2}}?)([^\W\d_]{{3,}})(?=[,.;:!?\n])"),
        said=re.compile(rf",?[ \n]{speech}\b"),
        mute=frozenset(mute),
        lower_titles=word_set(table.titles, "lower"),
        close=word_set(table.roles, "close"),
        broad=word_set(table.roles, "broad"),
        indefinite=word_set(table.roles, "indefinite"),
        somebody=word_set(table.roles, "somebody"),
        bare=table.roles.get("bare") is True,
        origin=re.compile(rf"[ \n]{alternation(word_list(table.roles, 'origin'))}[ \n]{definite}?"),
        traits=re.compile(
            rf"[ \n]({alternation(word_list(table.roles, 'traits'))})(?:[ \n][^\W\d_]+(?:[’'-][^\W\d_]+)*){{1,5}}"
        ),
        particles=word_set(table.names, "particles"),
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """A text with its words, the names known in it, and the rules it is read by."""

    text: str
    words: Sequence[re.Match[str]]
    names: Sequence[tuple[int, int, str]]
    starts: Sequence[int]
    rules: SpacedRules


class _Opening(NamedTuple):
    """The word that opens a description (-1 where none does), and whose the described one is."""

    word: int
    possessor: str


def spaced_mentions(text: str, table: LanguageTable, names: Sequence[tuple[int, int, str]]) -> Iterator[Mention]:
    """Yield the descriptions of `text` in order of their nouns; `names` are known names, `[start, end)` and who."""
    rules = spaced_rules(table)
    page = _Page(text, list(rules.word.finditer(text)), names, [start for start, _, _ in names], rules)
    heads = rules.known
    last: Mention | None = None
    for at, match in enumerate(page.words):
        spelled = match.group()
        if spelled not in heads:
            heads[spelled] = _head(spelled, rules)
        head = heads[spelled]
        if head is None or _named(match.start(), page):
            continue
        mention = _somebody(match) if spelled.lower() in rules.somebody else _mention(head, at, page, last)
        if mention:
            last = mention
            yield mention
    for match in rules.speaking.finditer(text):
        word = match.group(2).lower()
        if not (_head(word, rules) or word in rules.mute or match.group(2)[0] in UPPER):
            start = match.start(1)
            surface = match.group()[-(match.end() - start) :].strip()
            yield Mention(word, surface, start, match.end(), "character", acts=True)


def _head(spelled: str, rules: SpacedRules) -> Head | None:
    lower = spelled.lower()
    if lower in rules.somebody:
        return Head(lower, "character", "", False)
    nouns = rules.nouns
    return nouns.heads.get(spelled) or nouns.heads.get(lower) or nouns.of(_bare(lower, rules))


def _somebody(word: re.Match[str]) -> Mention:
    return Mention(word.group().lower(), word.group().lower(), word.start(), word.end(), "character", vague=True)


def _named(at: int, page: _Page) -> bool:
    """Whether code point `at` stands in a known name."""
    i = bisect_right(page.starts, at) - 1
    return i >= 0 and at < page.names[i][1]


def _bare(word: str, rules: SpacedRules) -> str:
    for ending in rules.possessive:
        if word.endswith(ending) and len(word) > len(ending):
            return word[: -len(ending)]
    return word


def _mention(head: Head, at: int, page: _Page, last: Mention | None) -> Mention | None:
    text, rules = page.text, page.rules
    first, possessor = _opening(at, page)
    end = page.words[at].start() + len(_without_ending(page.words[at].group(), rules))
    owner, owner_end = _owner(head, end, page)
    if first < 0 and not (owner and head.kin) and not (rules.bare and head.kind in ("character", "group")):
        return None
    if (head.word in rules.lower_titles and not possessor) or (head.word in rules.close and first != at - 1):
        return None
    start = page.words[first].start() if first >= 0 else page.words[at].start()
    if first < 0 and last and text[last.end : start].strip(", ") == "" and start - last.end < 4:
        start = last.start
    longer = end
    if owner and possessor in ("", "third"):
        possessor, end = owner, owner_end
        longer = end
    elif head.word in rules.broad:
        longer = _traits(end, page)
    after = rules.capitals.run.match(text, end + 1) if text[end : end + 1] in (" ", "\n") else None
    named = bool(after) or (text[end : end + 2] == ", " and bool(rules.capitals.run.match(text, end + 2)))
    said_before = rules.capitals.speech_before.search(text[max(0, start - 24) : start])
    adjective = page.words[at - 1].group().lower() if head.word in rules.broad and 0 <= first < at - 1 else ""
    return Mention(
        head=f"{adjective} {head.word}".strip(),
        surface=_surface(start, end, page),
        start=start,
        end=end,
        kind=head.kind,
        relation=head.relation if head.kin or possessor else "",
        possessor=possessor,
        kin=head.kin,
        named=named,
        acts=bool(rules.said.match(text, end) or said_before),
        new=head.word in rules.broad and first >= 0 and page.words[first].group().lower() in rules.indefinite,
        vague=head.word in rules.broad and not adjective and not possessor and longer == end,
        longer=_surface(start, longer, page) if longer > end else "",
    )


def _surface(start: int, end: int, page: _Page) -> str:
    surface = " ".join(page.text[start:end].split())
    return surface if _is_name_start(page.text, start, page.rules) else surface[:1].lower() + surface[1:]


def _traits(end: int, page: _Page) -> int:
    """Return where "in smoked spectacles" ends after "a tall man", `end` where nothing of the kind follows."""
    found = page.rules.traits.match(page.text, end)
    if not found:
        return end
    stop, n_words = end, 0
    for word in page.rules.word.finditer(page.text, found.end(1), found.end()):
        lower = word.group().lower()
        small = lower in page.rules.nouns.determiners or lower in page.rules.nouns.possessors
        if n_words == _TRAIT_WORDS or (lower in page.rules.function and not small):
            break
        if not small:
            stop, n_words = word.end(), n_words + 1
    return stop


def _is_name_start(text: str, start: int, rules: SpacedRules) -> bool:
    """Whether the description opens with a name, whose capital is not that of a sentence."""
    word = rules.word.match(text, start)
    lower = word.group().lower().rstrip("’'") if word else ""
    return not (lower in rules.nouns.determiners or lower in rules.nouns.possessors or lower in rules.nouns.heads)


def _opening(at: int, page: _Page) -> _Opening:
    """Return what opens the description whose noun is word `at`."""
    text, words, rules = page.text, page.words, page.rules
    owner = -1
    for i in range(at - 1, at - _MOST_BETWEEN - 2, -1):
        if i < 0 or not _joined(words[i], words[i + 1], text):
            break
        word = words[i].group()
        lower = word.lower().rstrip("’'")
        if lower in rules.nouns.possessors or lower in rules.nouns.determiners:
            if owner < 0:
                return _Opening(i, rules.nouns.possessors.get(lower, ""))
            owner_end = words[owner].start() + len(_bare(words[owner].group(), rules))
            return _Opening(i, _surface(words[i].start(), owner_end, page))
        if _owns(word, i == at - 1, rules):
            if word[0] in UPPER:
                first = _name_start(i, page)
                front = text[words[first].start() : words[i].start()].split()
                return _Opening(first, " ".join([*front, _bare(word, rules)]))
            owner = i
        elif lower in rules.function:
            break
    return _Opening(-1, "")


def _without_ending(word: str, rules: SpacedRules) -> str:
    """Return a noun without a possessive ending; one that is a noun as it stands is left."""
    return word if word in rules.nouns.heads or word.lower() in rules.nouns.heads else _bare(word, rules)


def _owns(word: str, adjacent: bool, rules: SpacedRules) -> bool:
    """Whether a word is a possessive: by its apostrophe, or, with an ending alone, as a name right before the noun."""
    if _bare(word, rules) == word:
        return False
    return "’" in word or "'" in word or (adjacent and word[0] in UPPER and word.lower() not in rules.function)


def _joined(left: re.Match[str], right: re.Match[str], text: str) -> bool:
    return text[left.end() : right.start()] in ("", " ", "\n")


def _name_start(at: int, page: _Page) -> int:
    """Return the index of the first word of the capitalised name that ends with word `at`."""
    text, words, rules = page.text, page.words, page.rules
    first = at
    for i in range(at - 1, max(-1, at - 5), -1):
        gap, word = text[words[i].end() : words[i + 1].start()], words[i].group()
        dotted = gap == ". " and (f"{word}." in rules.capitals.abbreviations or len(word) == 1)
        if not dotted and gap not in (" ", "\n", ""):
            break
        if word[0] in UPPER:
            if word.lower() in rules.function and word.lower() not in rules.capitals.titles:
                break
            first = i
        elif word not in rules.particles:
            break
    return first


def _owner(head: Head, end: int, page: _Page) -> tuple[str, int]:
    """Return whom an "of …" after the noun names (for kin and roles; a place of origin for other people), and where that ends."""
    text, rules = page.text, page.rules
    tied = head.kin or head.relation
    if not tied and head.kind not in ("character", "group"):
        return "", end
    link = (rules.belongs if tied else rules.origin).match(text, end)
    if not link and tied:
        link = rules.origin.match(text, end)
    if not link:
        return "", end
    at = bisect_left(page.starts, link.end())
    if at < len(page.names) and page.names[at][0] == link.end():
        return text[page.names[at][0] : page.names[at][1]], page.names[at][1]
    run = rules.capitals.run.match(text, link.end())
    return (" ".join(run.group().split()), run.end()) if run else ("", end)
