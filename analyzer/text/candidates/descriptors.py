"""People, groups, places and things that a chapter describes and does not name, with what ties them to others."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.models.text import Chapter
from analyzer.models.text import Place as SentencePlace
from analyzer.text.candidates.described_joined import joined_mentions
from analyzer.text.candidates.described_spaced import spaced_mentions
from analyzer.text.candidates.lexicon import method_of
from analyzer.text.candidates.mention import Mention
from analyzer.text.candidates.placing import Sentences, sentences_of
from analyzer.text.languages import LanguageTable

_RUN_BLOCKS = 6
_RUN_CHARACTERS = 600
"""Mentions of "his father" this near to each other (blocks or code points) most likely mean one person."""
_NAME_NEAR = 120
"""Code points within which a name beside a description ties the two."""
_MOST_WORDS = 2
"""Words beside article and noun that raise a description, a quarter each: "an old one-eyed clerk" is somebody certain."""
_UNNAMED = ("", "speaker", "addressee", "third")
_MOST_TELLING = 5
"""Words (or characters, where a script has no spaces) of a description beyond which more of them tell no more."""
_KIND_SCORE = {"character": 1.0, "group": 0.75, "place": 0.25, "text": 0.25, "object": 0.0, "event": 0.0}


@dataclass(frozen=True, slots=True)
class DescriptorCandidate:
    """Somebody or something described, not named.

    `head` is the noun, `surface` the most telling form printed, `surfaces` all forms (that one first, then by frequency),
    `places` all sentences in order, `n` the mentions. `kind_hint` is an entity kind. `relation` is what the noun says of
    its possessor: the canonical kind with the described one as subject ("his father": parent_of), or "". `possessor` is
    "", "speaker", "addressee", "third" or the words that name the possessor. `score` orders candidates, higher first.
    """

    head: str
    surface: str
    surfaces: tuple[str, ...]
    places: tuple[SentencePlace, ...]
    n: int
    kind_hint: str
    relation: str
    possessor: str
    score: float


def descriptors(
    chapter: Chapter, table: LanguageTable, names: Sequence[tuple[int, int, str]] = ()
) -> tuple[DescriptorCandidate, ...]:
    """Return what `chapter` describes without a name, most important first; may be empty.

    `names` are known names in `chapter.text`, `[start, end)` and who, in order. Roles, places and things are one candidate
    for each noun; kin with a possessor one for each noun, possessor and stretch of text.
    """
    text = chapter.text
    ordered = sorted(names)
    if method_of(table, text) == "capitals":
        mentions = list(spaced_mentions(text, table, ordered))
    else:
        mentions = list(joined_mentions(text, table, ordered))
    mentions.sort(key=lambda mention: (mention.start, mention.end))
    sentences = sentences_of(chapter)
    starts = [start for start, _, _ in ordered]
    found = [_candidate(group, sentences, starts) for group in _groups(mentions, sentences)]
    return tuple(sorted(found, key=lambda c: (-c.score, c.places[0], c.head, c.possessor)))


def _groups(mentions: Sequence[Mention], sentences: Sentences) -> list[list[Mention]]:
    """Return mentions that most likely mean the same one: by noun, for possessed kin also by possessor and nearness.

    Words that bring in somebody ("a man") begin a new one; "the man" after them is the last who was brought in.
    """
    groups: dict[tuple[str, str], list[list[Mention]]] = {}
    for mention in mentions:
        tied = mention.kin and mention.possessor
        runs = groups.setdefault((mention.head, _whose(mention) if tied else ""), [])
        if runs and not mention.new and (not tied or _near(runs[-1][-1], mention, sentences)):
            runs[-1].append(mention)
        else:
            runs.append([mention])
    return [run for runs in groups.values() for run in runs]


def _whose(mention: Mention) -> str:
    """Return to whom kin belongs: "his" and "her" are two people, though both are a third."""
    if mention.possessor != "third":
        return mention.possessor
    return mention.surface.split()[0] if " " in mention.surface else mention.surface.removesuffix(mention.head)


def _near(left: Mention, right: Mention, sentences: Sentences) -> bool:
    blocks = sentences.place(right.start).block - sentences.place(left.start).block
    return blocks <= _RUN_BLOCKS or right.start - left.start <= _RUN_CHARACTERS


def _candidate(group: Sequence[Mention], sentences: Sentences, names: Sequence[int]) -> DescriptorCandidate:
    surfaces = Counter(mention.surface for mention in group)
    surfaces.update(mention.longer for mention in group if mention.longer)
    telling = max(group, key=lambda m: (bool(m.possessor), m.named, m.acts))
    owned = {
        surface
        for mention in group
        if mention.possessor not in _UNNAMED
        for surface in (mention.surface, mention.longer)
    }
    best = max(surfaces, key=lambda s: (s in owned, _n_words(s), surfaces[s], len(s), s))
    return DescriptorCandidate(
        head=group[0].head,
        surface=best,
        surfaces=tuple(dict.fromkeys((best, *(surface for surface, _ in surfaces.most_common())))),
        places=sentences.all(mention.start for mention in group),
        n=len(group),
        kind_hint=Counter(mention.kind for mention in group).most_common(1)[0][0],
        relation=telling.relation,
        possessor=telling.possessor,
        score=_score(group, telling, names),
    )


def _n_words(surface: str) -> int:
    return min(_MOST_TELLING, surface.count(" ") + 1 if " " in surface or surface.isascii() else len(surface))


def _kin_score(telling: Mention) -> float:
    return 1.5 if telling.possessor == "third" else 2.0


def _score(group: Sequence[Mention], telling: Mention, names: Sequence[int]) -> float:
    """Return the order value: mentions, kin ties, a name beside it, whether it speaks, people before things."""
    score = math.log2(1 + len(group)) + _KIND_SCORE.get(telling.kind, 0.0)
    score += _kin_score(telling) if telling.kin and telling.possessor else (0.5 if telling.possessor else 0.0)
    score += min(_MOST_WORDS, max(_n_words(mention.surface) for mention in group) - 2) / 4 if not telling.kin else 0.0
    score -= 0.5 if all(mention.vague for mention in group) else 0.0
    score += 1.0 if any(mention.named for mention in group) else 0.0
    score += 1.5 if any(mention.acts for mention in group) else 0.0
    return score + (0.5 if any(_beside(mention, names) for mention in group) else 0.0)


def _beside(mention: Mention, names: Sequence[int]) -> bool:
    at = bisect_left(names, mention.start - _NAME_NEAR)
    return at < len(names) and names[at] <= mention.end + _NAME_NEAR
