"""Who spoke, as the words around a quotation tell it: tags, what somebody does beside it, whom it calls. Patterns are table data.

Nobody is decided on here: a name stands as one private sign for whoever bears it, and what comes back is that sign, a class of
pronoun, or that the words name a speaker whom nothing here makes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from analyzer.models.text import Chapter
from analyzer.text.candidates.lexicon import alternation, word_list
from analyzer.text.languages import LanguageTable
from analyzer.text.quotes import chapter_sources

FIRST, LAST = 0xE000, 0xF8F0
"""Private signs that stand for people; a chapter has far fewer."""
SHARED = "\uf8f1"
"""Stands for a name that several bear."""
_QUOTE, _BELOW, _COMMA = "\uf8ff", "\uf8fe", "\uf8fd"
"""Stand for the quotation itself, for the end of its paragraph where the next one is looked at too, and for a comma in which it ends."""
_ANY_NAME = "\ue000-\uf8f1"
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_STOPS = ".!?…"
_CLOSERS = "”’\"'»“‘›」』"
Pronoun = Literal["he", "she", "any", "i"]
PRONOUNS: tuple[Pronoun, ...] = ("he", "she", "any", "i")


class Person(NamedTuple):
    """A mention at `[start, end)` code points of a block; `sign` stands for who it is. `plain` is whether it is in its basic form."""

    start: int
    end: int
    sign: str
    plain: bool = True


class Quotation(NamedTuple):
    """What somebody says, `[start, end)` in block `block` (1-based).

    `closed` is whether it ends in a closing mark or needs none, `dashed` whether a dash opened it, `goes_on` whether it
    carries on a quotation that the block before left open.
    """

    block: int
    start: int
    end: int
    closed: bool
    dashed: bool
    goes_on: bool


class Context(NamedTuple):
    """Narration before a quotation, its words, narration behind, all `marked`; `last` is the last block the narration behind is of."""

    lead: str
    words: str
    trail: str
    last: int


class Told(NamedTuple):
    """How the words beside a quotation tell its speaker.

    `how`: a tag names him, a beat shows him doing something, "other" names somebody unknown here, "" tells nothing. `who` is the
    sign of a person or a class of pronoun. `title` is what stands before the name.
    """

    how: Literal["tag", "beat", "other", ""] = ""
    who: str = ""
    title: str = ""

    @property
    def pronoun(self) -> bool:
        """Whether a pronoun stands for the speaker."""
        return self.who in PRONOUNS


class _Rules(NamedTuple):
    tags: tuple[re.Pattern[str], ...]
    inside: tuple[re.Pattern[str], ...]
    beats: tuple[re.Pattern[str], ...]
    untold: tuple[re.Pattern[str], ...]
    untold_inside: tuple[re.Pattern[str], ...]
    pronouns: dict[str, Pronoun]
    quotatives: re.Pattern[str]
    below: bool
    split: bool
    leads_on: tuple[str, ...]
    he: re.Pattern[str]
    she: re.Pattern[str]


@lru_cache(maxsize=32)
def _rules(table: LanguageTable) -> _Rules:
    rules = table.speech
    pronouns: dict[str, Pronoun] = {word.lower(): kind for kind in PRONOUNS for word in word_list(rules, kind)}
    slots = _slots(table)
    made = {key: tuple(_compiled(raw, slots) for raw in word_list(rules, key)) for key in _PATTERNS}
    return _Rules(
        (*made["tags"], *made["below"]),
        made["inside"],
        made["beats"],
        made["untold"],
        made["untold_inside"],
        pronouns,
        re.compile(rf"[\s,]*{alternation(word_list(rules, 'quotatives'))}"),
        bool(made["below"]),
        bool(rules.get("split", False)),
        tuple(rules.get("leads_on", ":：")),
        _whole(word_list(rules, "votes_he")),
        _whole(word_list(rules, "votes_she")),
    )


_PATTERNS = ("tags", "below", "inside", "beats", "untold", "untold_inside")


def _whole(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){alternation(words)}(?!\w)", re.IGNORECASE)


def _slots(table: LanguageTable) -> dict[str, str]:
    rules = table.speech
    cased = bool(table.script.get("cased", False))
    spaced = bool(table.sentences.get("spaced", True))
    border, after = (r"(?<!\w)" if spaced else "", r"(?!\w)" if cased else "")
    never = "".join(word_list(rules, "never_after"))
    pronouns = alternation(word for kind in PRONOUNS for word in word_list(rules, kind))
    titles = [*word_list(table.kinship, "plain"), *word_list(rules, "titles")] if cased else []
    adverbs = "|".join(word_list(rules, "adverbs")) or "(?!)"
    starters = alternation(word_list(rules, "starters"))
    return {
        "{S}": f"(?P<S>[{_ANY_NAME}]|{border}{pronouns}{after}{f'(?![{never}])' if never else ''})",
        "{V}": f"(?:{border if cased else ''}{alternation((*word_list(rules, 'verbs'), *word_list(rules, 'verb_phrases')))})",
        "{A}": f"(?:(?:{adverbs})(?: (?:{adverbs}))?)",
        "{B}": r"(?!\w)",
        "{C}": rf"(?:{alternation(word_list(rules, 'clitics'))} ?){{0,2}}" if cased else "",
        "{T}": rf"(?P<T>(?:{alternation(titles)}\.?[ ]?){{0,2}})" if titles else "(?P<T>)",
        "{E}": rf"(?![\w~-]|['’]s|['’]?,? (?:and|et|und|y|и) [{_ANY_NAME}])",
        "{H}": f"(?:{alternation(word_list(rules, 'honorifics'))})?",
        "{J}": r"(?:이는|이가|이도|은|는|이|가|도|께서는|께서)(?=[\s,])",
        "{O}": "".join(word_list(rules, "objects")),
        "{N}": _ANY_NAME,
        "{W}": rf"(?:{border}{alternation(word_list(rules, 'strong'))})",
        "{Q,}": _QUOTE + _COMMA,
        "{Q}": f"{_QUOTE}{_COMMA}?",
        "{below}": _BELOW,
        "{start}": rf"(?:^|[{_STOPS}][{_CLOSERS}]?\s+)(?:{starters}[ ,]+)?",
        "{stop}": _STOPS,
    }


def _compiled(raw: str, slots: dict[str, str]) -> re.Pattern[str]:
    for key, value in slots.items():
        raw = raw.replace(key, value)
    return re.compile(raw, re.IGNORECASE)


def quotations(chapter: Chapter, table: LanguageTable) -> tuple[Quotation, ...]:
    """Return what is said in a chapter in order: speech between marks or after dashes, never thoughts, terms or documents."""
    closers, openers, dash = _glyphs(table)
    found: list[Quotation] = []
    for block, stretches in zip(chapter.blocks, chapter_sources(chapter, table), strict=True):
        for stretch in stretches:
            if stretch.source != "speech":
                continue
            words = block.text[stretch.start : stretch.end]
            dashed = words[:1] not in openers and bool(dash and dash.match(words))
            carried = stretch.start == 0 and not dashed and words[:1] not in openers
            closed = dashed or words[-1:] in closers
            goes_on = carried or (bool(found) and _goes_on(found[-1], block.no, stretch.start, dashed))
            found.append(Quotation(block.no, stretch.start, stretch.end, closed, dashed, goes_on))
    return tuple(found)


def _goes_on(last: Quotation, block: int, start: int, dashed: bool) -> bool:
    """Say whether a quotation goes on with the last one: that was left open, and this opens the next block with a mark."""
    return not last.closed and last.block == block - 1 and start == 0 and not dashed


@lru_cache(maxsize=32)
def _glyphs(table: LanguageTable) -> tuple[frozenset[str], frozenset[str], re.Pattern[str] | None]:
    pairs = [*table.quotes["pairs"], *table.quotes["thought_pairs"]]
    dashes = table.quotes["dashes"]
    closers = frozenset("".join(pair[1:] for pair in pairs))
    openers = frozenset(pair[0] for pair in pairs)
    return closers, openers, re.compile("|".join(map(re.escape, dashes))) if dashes else None


def marked(text: str, start: int, end: int, people: Sequence[Person]) -> str:
    """Return `text[start:end]` with every person as a sign; private signs of the author's own become spaces."""
    pieces, at = [], start
    for person in people:
        if at <= person.start and person.end <= end:
            pieces += [_PRIVATE.sub(" ", text[at : person.start]), person.sign if person.plain else person.sign + "~"]
            at = person.end
    return "".join([*pieces, _PRIVATE.sub(" ", text[at:end])])


def told(lead: str, words: str, trail: str, table: LanguageTable) -> Told:
    """Return what the narration before and behind a quotation (`marked`, up to its neighbours) and its own words tell."""
    rules = _rules(table)
    comma = _COMMA if words.rstrip(_CLOSERS)[-1:] in ",，—–" else ""
    around = f"{lead[-400:]}{_QUOTE}{comma}{trail[:400]}"
    found = _first(rules.tags, around, "tag", rules) or _first(rules.inside, words[:400], "tag", rules)
    if found is not None:
        return found
    if any(p.search(around) for p in rules.untold) or any(p.search(words[:400]) for p in rules.untold_inside):
        return Told("other")
    shown = [hit for pattern in rules.beats if (hit := _first((pattern,), around, "beat", rules)) is not None]
    return shown[0] if len({hit.who for hit in shown}) == 1 else Told("other") if shown else Told()


def _first(patterns: Sequence[re.Pattern[str]], text: str, how: Literal["tag", "beat"], rules: _Rules) -> Told | None:
    for pattern in patterns:
        hit = pattern.search(text)
        if hit is not None:
            who = rules.pronouns.get(hit["S"].lower(), hit["S"])
            return Told(how, who, hit["T"] if "T" in pattern.groupindex else "")
    return None


def contexts(
    chapter: Chapter, table: LanguageTable, found: Sequence[Quotation], people: Sequence[Sequence[Person]]
) -> Iterator[Context]:
    """Yield for each quotation the narration before it, its words, and the narration behind it, as `told` takes them.

    `people` are the mentions of each block. Narration reaches to the neighbouring quotations of the block. Where there is none
    before, the block before serves if it ends in a colon or whatever leads on in the language; where there is none behind, the
    next block if it goes on with a quotative.
    """
    taken = frozenset(q.block for q in found)
    for at, quotation in enumerate(found):
        text, here = chapter.blocks[quotation.block - 1].text, people[quotation.block - 1]
        before = found[at - 1].end if at and found[at - 1].block == quotation.block else 0
        behind = at + 1 < len(found) and found[at + 1].block == quotation.block
        lead = marked(text, before, quotation.start, here)
        trail = marked(text, quotation.end, found[at + 1].start if behind else len(text), here)
        last = quotation.block
        if not before and not lead.strip(" —–-"):
            lead = _above(chapter, table, quotation.block, taken, people) or lead
        if behind:
            trail = _own(trail, _rules(table))
        elif not trail.strip():
            stop = next((q.start for q in found[at + 1 : at + 2] if q.block == quotation.block + 1), None)
            trail, last = _below(chapter, table, quotation.block, stop, taken, people)
        yield Context(lead, marked(text, quotation.start, quotation.end, here), trail, last)


def _above(
    chapter: Chapter, table: LanguageTable, block: int, taken: frozenset[int], people: Sequence[Sequence[Person]]
) -> str:
    """Return the block above as narration that leads to a quotation, "" where it does not."""
    if block < 2 or block - 1 in taken:
        return ""
    above = chapter.blocks[block - 2].text
    leads = above.rstrip()[-1:] in _rules(table).leads_on
    return marked(above, 0, len(above), people[block - 2]) + " " if leads else ""


def _below(
    chapter: Chapter,
    table: LanguageTable,
    block: int,
    stop: int | None,
    taken: frozenset[int],
    people: Sequence[Sequence[Person]],
) -> tuple[str, int]:
    """Return what of the block below is about a quotation that ends the one above it, and the last block that is."""
    if block >= len(chapter.blocks):
        return "", block
    rules, below = _rules(table), chapter.blocks[block].text
    if rules.quotatives.match(below):
        return marked(below, 0, len(below) if stop is None else stop, people[block]), block + 1
    if rules.below and not {block + 1, block + 2} & taken:
        return _BELOW + marked(below, 0, len(below), people[block]), block
    return "", block


def _own(trail: str, rules: _Rules) -> str:
    """Return the narration between two quotations without a last sentence that leads to the second."""
    if trail.rstrip()[-1:] not in (":", "：", ",", "，"):
        return trail
    stop = max(map(trail.rfind, ".!?…。！？"))
    return trail[: stop + 1] if stop >= 0 or (rules.split and trail.rstrip()[-1] in ":：") else trail


def ends_leading(trail: str, table: LanguageTable) -> bool:
    """Say whether the narration behind a quotation leads on to the next (“…,” he said, and then:)."""
    return trail.rstrip()[-1:] in _rules(table).leads_on and bool(trail.strip())


def says_i(words: str, table: LanguageTable) -> bool:
    """Say whether somebody speaks of himself in these words."""
    return _firsts(table).search(words) is not None


@lru_cache(maxsize=32)
def _firsts(table: LanguageTable) -> re.Pattern[str]:
    words = (*word_list(table.speech, "i"), *word_list(table.cues, "first_person"))
    return _whole(words) if table.script.get("cased", False) else re.compile(alternation(words))


def votes(sentence: str, table: LanguageTable) -> tuple[int, int]:
    """Return how many masculine and feminine pronouns a marked sentence holds."""
    rules = _rules(table)
    return len(rules.he.findall(sentence)), len(rules.she.findall(sentence))
