"""Public gold chapters into a goldset: facts and offsets only, in one shape, nothing taken on trust."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from analyzer.errors import InputError
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.gold import GoldChapter
from analyzer.text.fold import fold_name
from analyzer.text.names import LONGEST_NAME
from evals.goldset.vocabulary import SECTIONS

MOST_CHAPTERS = 100_000
"""The longest serials have ten thousand."""
_HEAD = (
    "book",
    "chapter",
    "edition",
    "edition_chapter",
    "language",
    "n_blocks",
    "body_sha256",
    "body_start",
    "body_end",
)
_SHARED = ("level", "annotators", "again_if_all_read", "alternates", "evidence")
_FIELDS: dict[str, tuple[str, ...]] = {
    "entities": (
        "id",
        "kind",
        "names",
        "descriptors",
        "blocks",
        "blocks_alternates",
        "presence",
        "persona_of",
        "revealed_in",
    ),
    "relations": (
        *("subject", "kind", "object", "modifier", "status", "affinity", "visibility", "source", "again"),
        *("alternate_triples", "status_alternates"),
    ),
    "changes": ("entity", "attribute", "op", "to"),
    "appearance": ("entity", "feature", "value"),
    "identities": ("persona", "is", "revealed_here"),
    "secrets": (
        *("proposition", "holders", "hidden_from", "exposed_to"),
        *("holders_alternates", "hidden_from_alternates", "exposed_to_alternates", "secret"),
    ),
    "knowledge": ("knower", "proposition", "stance", "via", "stance_alternates", "via_alternates"),
    "plants": ("kind", "what", "event", "event_alternates"),
}
"""What is taken over, by section; anything else of the source (a quotation above all) stays behind."""


def convert(source: Path, *, book: str = "", language: str = "") -> dict[str, dict[str, Any]]:
    """Return the gold chapters of a folder by the file name they get here; `book` limits them to one book.

    `language` is set where the source names none. Raises InputError for a file that is no gold chapter, has no body hash, or
    whose evidence lies outside its block.
    """
    if not source.is_dir():
        raise InputError(f"{source} is no folder of gold chapters")
    found: dict[str, dict[str, Any]] = {}
    golds: list[GoldChapter] = []
    for file in sorted(source.glob("*.json")):
        gold = next(iter(load_gold(file).values()))
        if book and gold.book != book:
            continue
        golds.append(gold)
        raw = json.loads(file.read_text("utf-8"))
        faults = _unlikely(gold, raw) or misplaced(gold)
        if faults:
            raise InputError(f"{file.name}: {faults[0]}", where=str(file))
        chapter = {"edition_chapter": gold.number, "language": language or gold.language} | raw
        made = {key: chapter[key] for key in _HEAD}
        made["block_starts"] = list(gold.block_starts)
        for section in SECTIONS:
            kept = (*_FIELDS[section], *_SHARED)
            made[section] = [{key: entry[key] for key in kept if key in entry} for entry in raw[section]]
        name = f"chapter-{gold.number:02d}.json"
        if name in found:
            raise InputError(
                f"{file.name} is chapter {gold.number}, and another file of {source} is too", where=str(file)
            )
        found[name] = made
    if not found:
        raise InputError(f"no gold chapters{f' of {book}' if book else ''} in {source}")
    if unknown := strangers(golds):
        raise InputError(f"relations in {source} name {', '.join(unknown)}, which are no entities of any chapter")
    return found


def _unlikely(gold: GoldChapter, raw: dict[str, Any]) -> list[str]:
    """Return what a file must have beside what a gold chapter must: a likely number, and the fields that are taken over."""
    if not 1 <= gold.number <= MOST_CHAPTERS:
        return [f"its chapter's number is no number from 1 to {MOST_CHAPTERS:,}"]
    given = raw.keys() | {"edition_chapter", "language"}
    return [f"there is no {key}" for key in (*_HEAD, *SECTIONS) if key not in given]


def misplaced(gold: GoldChapter) -> list[str]:
    """Return what cannot be right about a chapter's offsets and names, each in one line; nothing without the text can say more."""
    found = []
    if len(gold.body_sha256) != 64:
        found.append("has no body_sha256: the text could not be checked")
    bounds = [*gold.block_starts, gold.body_end]
    if gold.body_start < 0 or bounds[0] < gold.body_start or any(a >= b for a, b in pairwise(bounds)):
        found.append("block_starts do not rise from body_start to body_end")
    found += [
        f"{entity.id} has the name {name[:40]!r}: 1 to {LONGEST_NAME} visible signs are allowed"
        for entity in gold.entities
        for name in entity.names
        if not 0 < len(fold_name(name)) <= LONGEST_NAME
    ]
    return found + outside_blocks(gold)


def outside_blocks(gold: GoldChapter) -> list[str]:
    """Return where gold names a block that its chapter has not, or evidence beyond its block, each in one line."""
    found = []
    bounds = [*gold.block_starts, gold.body_end]
    items = (gold.changes, gold.appearance, gold.identities, gold.secrets, gold.knowledge, gold.plants)
    shown = [e for r in gold.relations for e in r.evidence] + [
        e for part in items for item in part for e in item.evidence
    ]
    for e in shown:
        if not 1 <= e.block <= len(gold.block_starts):
            found.append(f"evidence in block {e.block}, there are {len(gold.block_starts)}")
        elif not 0 <= e.start < e.end <= bounds[e.block] - bounds[e.block - 1]:
            found.append(f"evidence {e.start} to {e.end} lies outside block {e.block}")
    for entity in gold.entities:
        missing = [block for block in entity.blocks if not 1 <= block <= len(gold.block_starts)]
        if missing:
            found.append(f"{entity.id} stands in block {missing[0]}, there are {len(gold.block_starts)}")
    return found


def strangers(chapters: Iterable[GoldChapter]) -> list[str]:
    """Return the ends of relations that are an entity in none of these chapters (of one book)."""
    golds = list(chapters)
    known = {id_ for gold in golds for id_ in gold.by_id}
    return sorted({end for gold in golds for r in gold.relations for end in (r.subject, r.object)} - known)
