"""Relations as single sentences state them between two names: “X, son of Y”. Patterns are data of the language tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from analyzer.models.facts import RELATION_KINDS
from analyzer.models.text import Chapter, Place, Span
from analyzer.text.candidates.heads import inflected_words
from analyzer.text.candidates.lexicon import alternation, relation_words, word_list, word_set
from analyzer.text.languages import LanguageTable
from analyzer.text.quotes import source_of

_OPEN, _CLOSE = "\ue000", "\ue001"
_MARKS = re.compile(f"[{_OPEN}{_CLOSE}\n]")
_INVERSE = {rule.inverse: kind for kind, rule in RELATION_KINDS.items() if rule.inverse}
_AROUND = {True: 24, False: 8}
"""Code points before a match searched for a negator, with spaces and without: a few words of the clause it stands in."""
_CLAUSE = re.compile(r"[;:.!?—“”«»。！？；「」]")
_QUESTION = "?？"
_SENTENCE_END = re.compile(r"[.!?…。！？]")


class KinStatement(NamedTuple):
    """`subject` `relation` `object` in canonical direction, as the sentence at `place` states it."""

    subject: str
    relation: str
    object: str
    place: Place


class Named(NamedTuple):
    """A name at `[start, end)` of the chapter's text and whose it is."""

    start: int
    end: int
    handle: str


class _Rules(NamedTuple):
    words: dict[str, str]
    cue: re.Pattern[str]
    appositions: tuple[re.Pattern[str], ...]
    claims: tuple[re.Pattern[str], ...]
    fixed: tuple[tuple[str, re.Pattern[str]], ...]
    narrated: tuple[re.Pattern[str], ...]
    negators: re.Pattern[str]
    unreal: re.Pattern[str]
    around: int


@lru_cache(maxsize=32)
def _rules(table: LanguageTable) -> _Rules:
    section = table.kinship
    words = _words(table)
    spaced = bool(table.script.get("cased", False))
    fixed = (raw.split(" ", 1) for raw in word_list(section, "fixed"))
    made = {
        key: tuple(_compiled(raw, table, words) for raw in word_list(section, key))
        for key in ("patterns", "claims", "narrated")
    }
    return _Rules(
        words,
        re.compile(alternation([*words, *word_list(section, "fixed_words")]), re.IGNORECASE),
        made["patterns"],
        made["claims"],
        tuple((kind, _compiled(raw, table, words)) for kind, raw in fixed),
        made["narrated"],
        _any_of(word_list(section, "negators"), spaced),
        _any_of(word_list(section, "unreal"), spaced),
        _AROUND[bool(table.sentences.get("spaced", True))],
    )


def _words(table: LanguageTable) -> dict[str, str]:
    vague = word_set(table.kinship, "vague")
    found = relation_words(table.roles.get("relations", {})) | relation_words(table.kin)
    named = {word: kind for word, kind in found.items() if word not in vague and kind != "has_member"}
    if table.kinship.get("inflected") is not True:
        return named
    return {form: kind for word, kind in named.items() for form in inflected_words(word, table)} | named


def _any_of(words: Sequence[str], spaced: bool) -> re.Pattern[str]:
    """Return a pattern for any of the words: whole ones where words are parted by spaces and do not take endings."""
    return re.compile(rf"(?<!\w){alternation(words)}(?!\w)|n[’']t\b" if spaced else alternation(words), re.IGNORECASE)


def _compiled(raw: str, table: LanguageTable, words: dict[str, str]) -> re.Pattern[str]:
    section = table.kinship
    possessive = str(section.get("possessive", ""))
    unowned = f"(?!{possessive})" if possessive else ""
    name = f"{_OPEN}(?P<%s>@\\d+){_CLOSE}"
    joint = alternation(word_list(section, "and"))
    listed = rf",? {joint} (?:\w+ ){{0,2}}{_OPEN}" if section.get("and") else "(?!)"
    between = " " if table.script.get("cased", False) or table.tag == "ko" else ""
    adjectives = alternation(word_list(section, "adjectives"))
    border = r"(?![\w-])" if table.script.get("cased", False) else ""
    filled = {
        "{B's}": name % "B" + possessive,
        "{A}": name % "A" + unowned,
        "{B}": name % "B" + unowned,
        "{W}": f"(?P<W>{alternation(words)}){border}",
        "{adj}": f"(?:{adjectives}{between}){{0,2}}",
        "{nolist}": f"(?!{listed})",
        "{end}": rf"(?=[.;:!?)—”\"’]|,(?! {_OPEN})(?!{listed[2:]})|$)",
    }
    for key, value in filled.items():
        raw = raw.replace(key, value)
    return re.compile(raw, re.IGNORECASE)


def _canonical(a: str, relation: str, b: str, place: Place) -> KinStatement:
    if relation in _INVERSE:
        return KinStatement(b, _INVERSE[relation], a, place)
    return KinStatement(a, relation, b, place)


def kin_statements(chapter: Chapter, table: LanguageTable, names: Sequence[Named]) -> tuple[KinStatement, ...]:
    """Return the relations, of kin first of all, that single sentences state between two of `names` (in text order).

    Each once, with the first sentence that states it. A sentence in which the statement is negated, asked, supposed,
    dreamt or a comparison states nothing; in speech a name after a comma is taken for who is spoken to.
    """
    rules = _rules(table)
    if not rules.words or not rules.appositions:
        return ()
    found: dict[tuple[str, str, str], KinStatement] = {}
    for place, span, here in _sentences(chapter, names):
        base = chapter.block_offsets[place.block - 1]
        start, end = base + span.start, base + span.end
        if len(here) < 2 or not rules.cue.search(chapter.text, start, end):
            continue
        marked = _marked(chapter.text, start, end, here)
        speech = source_of(chapter, place.block, span, table) != "narration"
        for statement in _stated(marked, rules, speech, place):
            found.setdefault(statement[:3], statement)
    return tuple(found.values())


def _sentences(chapter: Chapter, names: Sequence[Named]) -> Iterator[tuple[Place, Span, list[Named]]]:
    """Yield every sentence with the names that lie in it."""
    at = 0
    for block, base in zip(chapter.blocks, chapter.block_offsets, strict=True):
        for number, span in enumerate(block.sentences, 1):
            while at < len(names) and names[at].start < base + span.start:
                at += 1
            stop = at
            while stop < len(names) and names[stop].end <= base + span.end:
                stop += 1
            yield Place(block.no, number), span, list(names[at:stop])


def _marked(text: str, start: int, end: int, names: Sequence[Named]) -> str:
    """Return the sentence with every name as its handle between marks; marks of the author's own become spaces."""
    pieces, at = [], start
    for name in names:
        pieces += [_MARKS.sub(" ", text[at : name.start]), f"{_OPEN}{name.handle}{_CLOSE}"]
        at = name.end
    return "".join([*pieces, _MARKS.sub(" ", text[at:end])])


def _stated(marked: str, rules: _Rules, speech: bool, place: Place) -> list[KinStatement]:
    found = []
    for pattern, kind, claim in _patterns(rules, speech):
        for hit in pattern.finditer(marked):
            if hit["A"] == hit["B"] or _unsaid(marked, hit, rules) or (claim and _asked(marked, hit)):
                continue
            relation = kind or rules.words.get(hit["W"]) or rules.words.get(hit["W"].lower(), "")
            if relation:
                found.append(_canonical(hit["A"], relation, hit["B"], place))
    return found


def _patterns(rules: _Rules, speech: bool) -> Iterator[tuple[re.Pattern[str], str, bool]]:
    """Yield pattern, the relation it fixes ("" where its word tells), and whether it claims instead of presupposing."""
    yield from ((pattern, "", False) for pattern in rules.appositions)
    yield from ((pattern, "", True) for pattern in rules.claims)
    yield from ((pattern, kind, True) for kind, pattern in rules.fixed)
    if not speech:
        yield from ((pattern, "", False) for pattern in rules.narrated)


def _unsaid(marked: str, hit: re.Match[str], rules: _Rules) -> bool:
    """Return whether the clause before a match (or the match) denies it, supposes it or dreams it."""
    before = marked[: hit.start()]
    borders = [m.end() for m in _CLAUSE.finditer(before)]
    clause = before[borders[-1] if borders else 0 :]
    after = _CLAUSE.split(marked[hit.end() :], maxsplit=1)[0][: rules.around]
    near = clause[-rules.around :] + hit.group() + ("" if _is_cased(rules) else after)
    return bool(rules.negators.search(near) or rules.unreal.search(clause) or rules.unreal.search(hit.group()))


def _is_cased(rules: _Rules) -> bool:
    return rules.negators.pattern.startswith("(?<!")


def _asked(marked: str, hit: re.Match[str]) -> bool:
    stop = _SENTENCE_END.search(marked, hit.end())
    return stop is not None and stop.group() in _QUESTION
