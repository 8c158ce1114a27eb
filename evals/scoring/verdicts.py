"""Verdicts on what a system said: what a judge who looked at the page made of it.

Gold is never complete: a true statement it lacks would count as wrong, and a core item said in other words as missed. A verdict
is on one said item with its evidence; cited elsewhere it is another statement and needs another verdict. `finds` names the
gold item the said one amounts to. Every verdict says who judged, and none is ever made by the scoring itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import AfterValidator, Field

from analyzer.models.base import Record
from analyzer.models.facts import RELATION_KINDS
from evals.files import read_text, record_of
from evals.records import ChapterResult, ItemClass, Outcome

BY_HAND = "by hand"
MAX_BYTES = 20_000_000
"""Larger verdict files are refused; a hundred thousand verdicts are smaller."""
_NUMBER = re.compile(r" #\d+\Z")


def _key(text: str) -> str:
    """Return the key of a said outcome, which begins with its class and, of a relation, has a known kind third."""
    parts = [part.strip() for part in text.split("|")]
    if parts[0] not in get_args(ItemClass) or len(parts) < 2:
        raise ValueError(f"a key that begins with one of {', '.join(get_args(ItemClass))} was expected")
    if parts[0] == "relation" and (len(parts) < 4 or parts[2] not in RELATION_KINDS):
        raise ValueError("a relation's key like 'relation | A | friend_of | B' was expected")
    return text


class Verdict(Record):
    """One verdict. `key` is a said outcome's (without ` #2`), `evidence` its evidence hash, `finds` a gold outcome's key or ""."""

    case: str
    chapter: int
    key: Annotated[str, AfterValidator(_key)]
    evidence: Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")] = ""
    verdict: Literal["right", "wrong", "debatable"]
    judged_by: str = Field(pattern=r"^(by hand|rubric:\S.*)$")
    reason: str = Field(min_length=1)
    finds: str = ""


class Place(NamedTuple):
    """What a verdict is on."""

    case: str
    chapter: int
    key: str
    evidence: str


def bare_key(key: str) -> str:
    """Return a key without the number that tells equal ones apart: evidence does that for a verdict."""
    return _NUMBER.sub("", key)


def place_of(verdict: Verdict) -> Place:
    """Return what a verdict is on."""
    return Place(verdict.case, verdict.chapter, bare_key(verdict.key), verdict.evidence)


def load_verdicts(folder: Path) -> tuple[Verdict, ...]:
    """Return the verdicts of all `*.jsonl` in `folder`, files by name; raises InputError with file and line of a bad one."""
    found: list[Verdict] = []
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(read_text(file, most=MAX_BYTES, what="file of verdicts").split("\n"), 1):
            if line.strip():
                hint = "a verdict has case, chapter, key, evidence, verdict, judged_by and reason"
                found.append(
                    record_of(
                        Verdict, line, f"{file.parent.name}/{file.name}, line {number}", what="verdict", hint=hint
                    )
                )
    return tuple(found)


def settled(verdicts: Iterable[Verdict]) -> dict[Place, Verdict]:
    """Return the verdict that holds for each item: by hand before a rubric; where judges differ (`conflicting`) none."""
    groups: dict[Place, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(place_of(verdict), []).append(verdict)
    found = {}
    for place, given in groups.items():
        by_hand = [v for v in given if v.judged_by == BY_HAND]
        chosen = by_hand or given
        if len({(v.verdict, v.finds) for v in chosen}) == 1:
            found[place] = chosen[0]
    return found


def conflicting(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """Return a line for every item that got different verdicts, also where one by hand settles it."""
    groups: dict[Place, set[tuple[str, str, str]]] = {}
    for verdict in verdicts:
        groups.setdefault(place_of(verdict), set()).add((verdict.judged_by, verdict.verdict, verdict.finds))
    return tuple(
        f"{place.case} {place.chapter}: {place.key}: " + ", ".join(f"{v} ({who})" for who, v, _ in sorted(said))
        for place, said in sorted(groups.items())
        if len({row[1:] for row in said}) > 1
    )


def unused(verdicts: Iterable[Verdict], chapters: Iterable[ChapterResult]) -> tuple[str, ...]:
    """Return a line for every verdict on something these results do not say (any more), or say with other evidence."""
    said = {
        Place(c.case, c.chapter, bare_key(o.key), o.evidence) for c in chapters for o in c.outcomes if o.side == "said"
    }
    return tuple(
        f"{v.case} {v.chapter}: {v.key}: {v.verdict} ({v.judged_by})" for v in verdicts if place_of(v) not in said
    )


def judged(outcomes: Iterable[Outcome], verdicts: Iterable[Verdict], *, case: str, chapter: int) -> tuple[Outcome, ...]:
    """Return outcomes with verdicts put on them.

    A said item gets its verdict. A gold item is judged right where something judged right `finds` it, wrong where what it was
    matched with was judged wrong: then the match was one of place, not of sense.
    """
    rows = tuple(outcomes)
    on = settled(v for v in verdicts if v.case == case and v.chapter == chapter)
    if not on:
        return rows
    given = {
        o.key: v for o in rows if o.side == "said" and (v := on.get(Place(case, chapter, bare_key(o.key), o.evidence)))
    }
    finds = {v.finds for v in given.values() if v.verdict == "right" and v.finds}
    found = []
    for row in rows:
        if row.side == "said" and row.key in given:
            row = row.model_copy(update={"judged": given[row.key].verdict})
        elif row.side == "gold" and row.key in finds:
            row = row.model_copy(update={"judged": "right"})
        elif row.side == "gold" and row.partner in given and given[row.partner].verdict == "wrong":
            row = row.model_copy(update={"judged": "wrong"})
        found.append(row)
    return tuple(found)
