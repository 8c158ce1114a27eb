"""The people of a chapter as its text shows them: each mention in its block, and what is known of who may speak."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analyzer.bible import Bible, CastEntry
from analyzer.steps._scope import cast_mentions, offset_of
from analyzer.steps._step import Unit
from analyzer.text.fold import fold_name
from analyzer.text.nameparts import name_parts
from analyzer.text.spoken import FIRST, LAST, SHARED, Person, marked, votes


class Cast(NamedTuple):
    """The people of a chapter as its text shows them: mentions by block, who a sign stands for, what is known of each."""

    people: tuple[tuple[Person, ...], ...]
    handles: dict[str, str]
    genders: dict[str, str]
    narrator: str


def _beings(bible: Bible) -> dict[str, CastEntry]:
    return {h: e for h, e in bible.cast.items() if e.entity.entity_kind in ("character", "group")}


def cast_of(unit: Unit, bible: Bible) -> Cast:
    """Return the people and groups of a chapter, every mention in its block, gender where names, titles or pronouns tell it."""
    beings = _beings(bible)
    handles = dict(zip(map(chr, range(FIRST, LAST)), beings, strict=False))
    people = _people(unit, bible, {h: sign for sign, h in handles.items()})
    narrators = [h for h, e in beings.items() if e.narrates]
    narrator = narrators[-1] if len(narrators) == 1 else ""
    return Cast(people, handles, _genders(unit, beings, people, handles), narrator)


def _people(unit: Unit, bible: Bible, signs: dict[str, str]) -> tuple[tuple[Person, ...], ...]:
    found: list[Person] = []
    text, mentions = unit.chapter.text, cast_mentions(unit, bible)
    for handle, sign in signs.items():
        entry = bible.cast[handle]
        known = {fold_name(n.surface) for n in entry.names}
        for spot in mentions.spots.get(handle, ()):
            if spot.end:
                found.append(Person(spot.offset, spot.end, sign, fold_name(text[spot.offset : spot.end]) in known))
        found += _described(unit, entry, sign)
    shared = {h for handles in mentions.ambiguous.values() for h in handles}
    if shared & set(signs):
        for surface in mentions.ambiguous:
            found += [Person(m.start(), m.end(), SHARED) for m in re.finditer(re.escape(surface), text)]
    return _by_block(unit, found)


def _described(unit: Unit, entry: CastEntry, sign: str) -> Iterator[Person]:
    """Yield where a description that is tied to a sentence stands in it."""
    for name in entry.names:
        if name.place is None or name.chapter != unit.chapter.no or ":" in name.surface:
            continue
        words = unit.chapter.sentence_text(name.place)
        at = words.find(name.surface) if words else -1
        if at >= 0:
            start = offset_of(unit, name.place) + at
            yield Person(start, start + len(name.surface), sign)


def _by_block(unit: Unit, found: Sequence[Person]) -> tuple[tuple[Person, ...], ...]:
    """Return mentions by block, offsets into the block; of those that overlap the longest, nobody's where two begin alike."""
    kept: list[Person] = []
    for person in sorted(found, key=lambda p: (p.start - p.end, p.sign == SHARED, p.start)):
        at = next((i for i, k in enumerate(kept) if person.start < k.end and k.start < person.end), None)
        if at is None:
            kept.append(person)
        elif kept[at].start == person.start and kept[at].sign != person.sign:
            kept[at] = kept[at]._replace(sign=SHARED)
    kept.sort()
    blocks: list[tuple[Person, ...]] = []
    at = 0
    for block, base in zip(unit.chapter.blocks, unit.chapter.block_offsets, strict=True):
        here = []
        while at < len(kept) and kept[at].start < base + len(block.text):
            here.append(kept[at]._replace(start=kept[at].start - base, end=kept[at].end - base))
            at += 1
        blocks.append(tuple(here))
    return tuple(blocks)


def _genders(
    unit: Unit, beings: dict[str, CastEntry], people: Sequence[Sequence[Person]], handles: dict[str, str]
) -> dict[str, str]:
    """Return "m" or "f" for those whose names say so, else whom pronouns in sentences about them alone say so twice."""
    told_by_names: dict[str, str] = {}
    for handle, entry in beings.items():
        found = {name_parts(n.surface, unit.table).gender for n in entry.names if ":" not in n.surface} - {""}
        if len(found) == 1:
            told_by_names[handle] = found.pop()
    counted: dict[str, Counter[str]] = {}
    for block, here in zip(unit.chapter.blocks, people, strict=True):
        for span in block.sentences:
            inside = [p for p in here if span.start <= p.start and p.end <= span.end]
            if len({p.sign for p in inside}) == 1:
                he, she = votes(marked(block.text, inside[0].end, span.end, ()), unit.table)
                if bool(he) != bool(she) and inside[0].sign != SHARED:
                    counted.setdefault(handles[inside[0].sign], Counter())["m" if he else "f"] += 1
    for handle, count in counted.items():
        [(gender, n), *rest] = count.most_common(2)
        if handle not in told_by_names and n >= 2 and n >= 4 * sum(k for _, k in rest):
            told_by_names[handle] = gender
    return told_by_names


def loose(unit: Unit) -> bool:
    """Say whether the language takes many code points: not one without spaces, nor Korean, whose syllables are one each."""
    return bool(unit.table.sentences.get("spaced", True)) and unit.table.tag != "ko"


def fits(pronoun: str, handle: str, cast: Cast) -> bool:
    """Say whether a pronoun may stand for somebody, as far as is known."""
    gender = cast.genders.get(handle, "")
    return not ((pronoun == "he" and gender == "f") or (pronoun == "she" and gender == "m"))
