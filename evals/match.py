"""Which system entity is which gold entity; shares no code with the gold transport, so that a fault there shows here.

A people and its village that are called alike are told apart by their kind.

Rules (from two readers' agreement): a named entity by any printed name without case, title, article, particle or
honorific; an unnamed one by equal wording of a descriptor, then by one wording inside the other; the narrator by its I.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analyzer.bible import Bible, CastEntry
from analyzer.models.gold import GoldChapter, GoldEntity

_LEAD = re.compile(
    r"^(?:(?:the|a|an|this|that|my|your|his|her|their|our|its|le|la|les|un|une|mon|ma|son|sa|votre|il|그|저|이|자기)\s+"
    r"|(?:那|這|这|一個|一个)\s*)(?=\S)",
    re.I,
)  # a word of its own: the "ma" of "man" and the "이" of "이순신" are no determiners
_TITLES = re.compile(
    r"^(m|mr|mrs|ms|mme|mlle|dr|st|captain|capt|monsieur|madame|mademoiselle|marshal|marquis|marquise|comte|count|king|citizen|duc|duke|"
    r"professor|the|old|master|miss|lady|lord|sir|doctor|magistrate|warden|sergeant|aunt|uncle|widow|mistress|mother|father)\.?\s+",
    re.I,
)  # fmt: skip
_TAIL = re.compile(r"(님|씨|군|양|さん|様|さま|君|殿|先生)$")
_NARRATOR = {"i", "me", "나", "我", "私", "je"}


def plain(name: str) -> str:
    """Return a name without case and outer spaces, quotes straightened."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("’", "'").split())


def stem(name: str) -> str:
    """Return a name without article, title and honorific."""
    text = plain(name)
    while (cut := _TITLES.sub("", text)) != text:
        text = cut
    text = _LEAD.sub("", text)
    shorter = _TAIL.sub("", text).strip()
    return shorter or text


def head(description: str) -> str:
    """Return a description without its determiners."""
    text = plain(description)
    while (cut := _LEAD.sub("", text)) != text:
        text = cut
    return text


@dataclass(frozen=True)
class Matched:
    """`of` maps system handles to gold ids (several handles may fall on one id); `duplicates` are the later ones."""

    of: dict[str, str]
    duplicates: tuple[str, ...]


def _by_name(
    entry: CastEntry, names: dict[str, list[GoldEntity]], stems: dict[str, list[GoldEntity]]
) -> GoldEntity | None:
    weight: dict[str, tuple[int, GoldEntity]] = {}
    for surface in entry.surfaces:
        for gold in names.get(plain(surface), ()):
            weight[gold.id] = (weight.get(gold.id, (0, gold))[0] + 2, gold)
    if not weight:
        for surface in entry.surfaces:
            found = {g.id: g for g in stems.get(stem(surface), [])}
            alike = (
                [g for g in found.values() if g.kind == entry.entity.entity_kind]
                if len(found) > 1
                else list(found.values())
            )
            if len(alike) == 1:
                weight[alike[0].id] = (1, alike[0])
    return max(weight.values(), key=lambda row: row[0])[1] if weight else None


def _words(entry: CastEntry) -> set[str]:
    return {plain(n.surface) for n in entry.names if n.name_kind == "descriptor"} | {plain(entry.entity.label)}


def _by_description(
    entry: CastEntry, gold: Iterable[GoldEntity], ties: dict[str, str], by_id: dict[str, str]
) -> GoldEntity | None:
    mine = _words(entry)
    heads = {head(m) for m in mine}
    ranked: list[tuple[int, GoldEntity]] = []
    for entity in gold:
        theirs = {plain(d) for d in entity.descriptors}
        their_heads = {head(d) for d in theirs}
        score = 0
        if mine & theirs:
            score = 4
        elif heads & their_heads:
            score = 3
        elif any(len(h) > 1 and (h in t or t in h) for h in heads for t in their_heads if len(t) > 1):
            score = 1
        if score:
            ranked.append((score * 2 + (not entity.names), entity))
    best = max((s for s, _ in ranked), default=0)
    top = [entity for score, entity in ranked if score == best]
    if len(top) > 1 and entry.entity.tied_to:
        near = by_id.get(entry.entity.tied_to, "")
        top = [e for e in top if ties.get(e.id) == near] or top
    return top[0] if top else None


def match(
    bible: Bible, gold: GoldChapter, earlier: Iterable[GoldChapter] = (), known: Mapping[str, str] | None = None
) -> Matched:
    """Return which gold entity each system entity is; named ones first.

    `known` are the handles matched in earlier chapters: an unnamed entity stays who it was.
    """
    names: dict[str, list[GoldEntity]] = {}
    stems: dict[str, list[GoldEntity]] = {}
    past = {(e.id, n) for g in earlier for e in g.entities for n in e.names}
    for entity in gold.entities:
        for name in {*entity.names, *(n for i, n in past if i == entity.id)}:
            names.setdefault(plain(name), []).append(entity)
            stems.setdefault(stem(name), []).append(entity)
    ties = {r.subject: r.object for r in gold.relations if r.kind in {"parent_of", "sibling_of", "spouse_of"}}
    of: dict[str, str] = {}
    seen: set[str] = set()
    duplicates: list[str] = []
    ordered = sorted(bible.cast.values(), key=lambda e: not e.entity.named)
    for entry in ordered:
        found = _by_name(entry, names, stems)
        if found is None and known and entry.handle in known:
            found = gold.by_id.get(known[entry.handle])
            if found is None:
                continue
        if found is None and entry.entity.narrator:
            found = next((g for g in gold.entities if {plain(d) for d in g.descriptors} & _NARRATOR), None)
        if found is None and not entry.entity.named:
            found = _by_description(entry, gold.entities, ties, of)
        if found is not None:
            of[entry.handle] = found.id
            if found.id in seen:
                duplicates.append(entry.handle)
            seen.add(found.id)
    return Matched(of, tuple(duplicates))
