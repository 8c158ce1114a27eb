"""What the story's parts share: ids made from words, who is on the page, notices merged by nearness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.bible import Bible, CastEntry
from analyzer.hashing import content_hash
from analyzer.models.facts import Evidence
from analyzer.steps._scope import offset_of
from analyzer.steps._step import Unit

ID_LETTERS = 8
"""Hexadecimal letters of an id: two of ten thousand things share one with a chance of one in a hundred."""
NEAR_CHARS = 200
"""Code points within which two sentences show the same thing of the same one. Source: how gold is compared (scoring rules)."""


def story_id(letter: str, *parts: str) -> str:
    """Return an id (`t3f9a01c2`) over words that stay where a chapter moves: never over numbers of chapters or blocks."""
    return letter + content_hash("story", list(parts)).rpartition(":")[2][:ID_LETTERS]


def words_of_evidence(evidence: Sequence[Evidence]) -> str:
    """Return the first sentence of an evidence, the part of an id that says where a thing was found."""
    return evidence[0].text if evidence else ""


def people_there(unit: Unit, bible: Bible, *, mentioned: bool = False) -> tuple[CastEntry, ...]:
    """Return the people and groups on the page in this chapter, in order of arrival; also those only mentioned, where asked for."""
    wanted = {"on_page", "mentioned"} if mentioned else {"on_page"}
    return tuple(
        entry
        for entry in bible.cast.values()
        if entry.entity.entity_kind in ("character", "group")
        and not wanted.isdisjoint(entry.presence_in.get(unit.chapter.no, ()))
    )


def near(unit: Unit, one: Iterable[Evidence], other: Iterable[Evidence], reach: int = NEAR_CHARS) -> bool:
    """Say whether a sentence of one stands within `reach` code points of a sentence of the other."""
    others = [offset_of(unit, e.place) for e in other]
    return any(abs(offset_of(unit, e.place) - at) <= reach for e in one for at in others)
