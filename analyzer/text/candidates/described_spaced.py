"""Descriptions where words have spaces and nouns an article or possessive before them: "his father", "the jailer"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analyzer.text.candidates.capital_rules import UPPER, CapitalRules, capital_rules
from analyzer.text.candidates.heads import Head, HeadRules, head_rules
from analyzer.text.candidates.lexicon import alternation, word_list, word_set
from analyzer.text.candidates.mention import Mention
from analyzer.text.languages import LanguageTable

_MOST_BETWEEN = 3
"""Words between article and noun at most ("a tall, dark young man" has three)."""


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
    lower_titles: frozenset[str]
    close: frozenset[str]
    broad: frozenset[str]


@lru_cache(maxsize=32)
def spaced_rules(table: LanguageTable) -> SpacedRules:
    """Return the rules of `table`."""
    elisions = alternation(word_list(table.names, "elisions"))
    speech = alternation(word_list(table.cues, "speech"))
    articles = sorted({*word_list(table.names, "articles"), *word_list(table.roles, "definite")})
    joined = alternation(f"{word}{mark}" for word in word_list(table.names, "elisions") for mark in "’'")
    definite = rf"(?:{alternation(articles)}[ \n]|{joined})"
    function = word_set(table.names, "stopwords") - word_set(table.roles, "adjectives")
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
        lower_titles=word_set(table.titles, "lower"),
        close=word_set(table.roles, "close"),
        broad=word_set(table.roles, "broad"),
    )


def spaced_mentions(text: str, table: LanguageTable, names: Sequence[tuple[int, int, str]]) -> Iterator[Mention]:
    """Yield the descriptions of `text` in order of their nouns; `names` are known names, `[start, end)` and who."""
    rules = spaced_rules(table)
    words = list(rules.word.finditer(text))
    heads = rules.nouns.heads
    starts = [start for start, _, _ in names]
    last: Mention | None = None
    for at, match in enumerate(words):
        spelled = match.group()
        head = heads.get(spelled) or heads.get(spelled.lower()) or heads.get(_bare(spelled.lower(), rules))
        if head is None or _named(match.start(), names, starts):
            continue
        mention = _mention(head, at, words, text, rules, names, starts, last)
        if mention:
            last = mention
            yield mention
    skipped = rules.function | rules.lower_titles
    for match in rules.speaking.finditer(text):
        head_word = match.group(2).lower()
        if not (head_word in heads or head_word in skipped or match.group(2)[0] in UPPER):
            start = match.start(1)
            yield Mention(
                head_word, match.group()[-(match.end() - start) :].strip(), start, match.end(), "character", acts=True
            )


def _named(at: int, names: Sequence[tuple[int, int, str]], starts: Sequence[int]) -> bool:
    """Whether code point `at` stands in a known name."""
    i = bisect_right(starts, at) - 1
    return i >= 0 and at < names[i][1]


def _bare(word: str, rules: SpacedRules) -> str:
    for ending in rules.possessive:
        if word.endswith(ending) and len(word) > len(ending):
            return word[: -len(ending)]
    return word


def _mention(
    head: Head,
    at: int,
    words: Sequence[re.Match[str]],
    text: str,
    rules: SpacedRules,
    names: Sequence[tuple[int, int, str]],
    starts: Sequence[int],
    last: Mention | None,
) -> Mention | None:
    first, possessor = _determiner(at, words, text, rules)
    end = words[at].start() + len(_bare(words[at].group(), rules))
    owner, owner_end = _owner(text, end, rules, names, starts)
    if first < 0 and not (owner and head.kin):
        return None
    if head.word in rules.lower_titles and not possessor:
        return None
    if head.word in rules.close and first != at - 1:
        return None
    start = words[first].start() if first >= 0 else words[at].start()
    if first < 0 and last and text[last.end : start].strip(", ") == "" and start - last.end < 4:
        start = last.start
    if owner and (head.kin or head.relation) and possessor in ("", "third"):
        possessor, end = owner, owner_end
    after = rules.capitals.run.match(text, end + 1) if text[end : end + 1] in (" ", "\n") else None
    named = bool(after) or (text[end : end + 2] == ", " and bool(rules.capitals.run.match(text, end + 2)))
    acts = bool(rules.said.match(text, end)) or bool(
        rules.capitals.speech_before.search(text[max(0, start - 24) : start])
    )
    relation = head.relation if head.kin or possessor else ""
    surface = " ".join(text[start:end].split())
    if not _is_name_start(text, start, rules):
        surface = surface[:1].lower() + surface[1:]
    noun = head.word
    if noun in rules.broad and first >= 0 and at - first > 1:
        noun = f"{words[at - 1].group().lower()} {noun}"
    return Mention(noun, surface, start, end, head.kind, relation, possessor, head.kin, named, acts)


def _is_name_start(text: str, start: int, rules: SpacedRules) -> bool:
    """Whether the description opens with a name, whose capital is not that of a sentence."""
    word = rules.word.match(text, start)
    lower = word.group().lower().rstrip("’'") if word else ""
    return not (lower in rules.nouns.determiners or lower in rules.nouns.possessors or lower in rules.nouns.heads)


def _determiner(at: int, words: Sequence[re.Match[str]], text: str, rules: SpacedRules) -> tuple[int, str]:
    """Return the index of the word that opens the description (-1 where none does) and whose it is."""
    possessor = ""
    for back in range(1, _MOST_BETWEEN + 2):
        i = at - back
        if i < 0 or not _joined(words[i], words[i + 1], text):
            return -1, ""
        word = words[i].group()
        lower = word.lower().rstrip("’'")
        if lower in rules.nouns.possessors:
            return i, possessor or rules.nouns.possessors[lower]
        if lower in rules.nouns.determiners:
            return i, possessor
        if _bare(lower, rules) != lower:
            if word[0] in UPPER:
                first = _name_start(i, words, text)
                return first, " ".join([*text[words[first].start() : words[i].start()].split(), _bare(word, rules)])
        elif lower in rules.function:
            return -1, ""
    return -1, ""


def _joined(left: re.Match[str], right: re.Match[str], text: str) -> bool:
    return text[left.end() : right.start()] in ("", " ", "\n")


def _name_start(at: int, words: Sequence[re.Match[str]], text: str) -> int:
    """Return the index of the first word of the capitalised name that ends with word `at`."""
    first = at
    for i in range(at - 1, max(-1, at - 5), -1):
        gap = text[words[i].end() : words[i + 1].start()]
        if gap not in (" ", "\n", ". ", ""):
            break
        if words[i].group()[0] in UPPER:
            first = i
        elif len(words[i].group()) > 3:
            break
    return first


def _owner(
    text: str, end: int, rules: SpacedRules, names: Sequence[tuple[int, int, str]], starts: Sequence[int]
) -> tuple[str, int]:
    """Return whom an "of …" after the noun names, and where that ends."""
    link = rules.belongs.match(text, end)
    if not link:
        return "", end
    at = bisect_left(starts, link.end())
    if at < len(names) and names[at][0] == link.end():
        return text[names[at][0] : names[at][1]], names[at][1]
    run = rules.capitals.run.match(text, link.end())
    return (" ".join(run.group().split()), run.end()) if run else ("", end)
