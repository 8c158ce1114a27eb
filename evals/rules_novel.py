"""`python -m evals.rules_novel MANUSCRIPT [--gold FOLDER]`: what rules alone make of a whole manuscript.

Prints seconds, the cast (people first), kin and other relations with the words that state them and, with gold chapters of
the same edition, wrong merges and the share of gold's core named people found.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from analyzer import pipeline
from analyzer.export.show import CastRow, RelationRow
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.gold import GoldChapter
from evals.command import command, show
from evals.scoring.names import plain

QUOTE_CHARS = 200
"""Longest quote printed; the rest of a long sentence is cut."""


class Found(NamedTuple):
    """What a run left, and what it took in seconds of processor time and of the clock."""

    cast: tuple[CastRow, ...]
    relations: tuple[RelationRow, ...]
    cpu_s: float
    wall_s: float
    n_chapters: int
    n_calls: int


class Merge(NamedTuple):
    """A cast row that bears names of several gold people."""

    handle: str
    names: tuple[str, ...]
    gold_ids: tuple[str, ...]


def run_rules(manuscript: Path, *, chapters: str | None = None, language: str | None = None) -> Found:
    """Run `--model rules` over a manuscript in a folder of its own, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        cpu, wall = time.process_time(), time.monotonic()
        book = pipeline.init(manuscript, book=Path(folder) / "book", language=language)
        outcome = pipeline.run(book, model="rules", chapters=chapters)
        cpu_s, wall_s = time.process_time() - cpu, time.monotonic() - wall
        if outcome.error is not None:
            raise outcome.error
        n_chapters = len(pipeline.parse_chapters(chapters, len(pipeline.chapters(book))))
        cast, relations = pipeline.show_cast(book), pipeline.show_relations(book, hidden=True)
        return Found(cast, relations, cpu_s, wall_s, n_chapters, outcome.n_calls)


def gold_names(gold: Iterable[GoldChapter], *, core: bool = False) -> dict[str, set[str]]:
    """Return folded names by gold id of the characters with a name; `core` keeps the core ones."""
    found: dict[str, set[str]] = {}
    for chapter in gold:
        for entity in chapter.entities:
            if entity.kind == "character" and entity.names and (entity.level == "core" or not core):
                found.setdefault(entity.id, set()).update(map(plain, entity.names))
    return found


def wrong_merges(cast: Iterable[CastRow], names: dict[str, set[str]]) -> tuple[Merge, ...]:
    """Return cast rows whose names belong to several gold people; a name that several of them bear says nothing."""
    owners: dict[str, set[str]] = {}
    for gold_id, forms in names.items():
        for form in forms:
            owners.setdefault(form, set()).add(gold_id)
    found = []
    for row in cast:
        ids = {next(iter(owners[form])) for form in map(plain, row.names) if len(owners.get(form, ())) == 1}
        if len(ids) > 1:
            found.append(Merge(row.handle, row.names, tuple(sorted(ids))))
    return tuple(found)


def missed_people(cast: Iterable[CastRow], names: dict[str, set[str]]) -> tuple[str, ...]:
    """Return gold ids none of whose names a character of the cast bears."""
    borne = {plain(name) for row in cast if row.kind == "character" for name in row.names}
    return tuple(gold_id for gold_id, forms in names.items() if not forms & borne)


def split_people(cast: Iterable[CastRow], names: dict[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """Return for gold people that stand in the cast more than once the names of those rows."""
    rows = [row for row in cast if row.kind == "character"]
    found = {}
    for gold_id, forms in names.items():
        mine = tuple(row.name for row in rows if forms & {plain(name) for name in row.names})
        if len(mine) > 1:
            found[gold_id] = mine
    return found


def _print_cast(cast: Sequence[CastRow], fewest: int) -> None:
    order = ("character", "group", "place", "object", "event", "lore", "text")
    for kind in order:
        rows = sorted((r for r in cast if r.kind == kind), key=lambda r: -r.n_mentions)
        shown = [r for r in rows if r.n_mentions >= fewest]
        show("", f"== {kind}: {len(rows)}, of which {len(shown)} stand {fewest} times or more")
        for row in shown:
            others = " / ".join(name for name in row.names if name != row.name)
            show(f"{row.handle:>6} {row.n_mentions:5}  {row.name}" + (f"  ({others})" if others else ""))


def _print_relations(relations: Sequence[RelationRow]) -> None:
    kin = [r for r in relations if r.family == "kin"]
    show("", f"== relations: {len(kin)} of kin, {len(relations) - len(kin)} others")
    for row in [*kin, *(r for r in relations if r.family != "kin")]:
        show(f"{row.subject_name} {row.relation} {row.object_name}")
        for quote in row.evidence[:3]:
            text = " ".join(quote.text.split())
            show(f"      {quote.chapter}:{quote.place} {text[:QUOTE_CHARS]}" + ("…" if len(text) > QUOTE_CHARS else ""))


def _print_gold(cast: Sequence[CastRow], folder: Path) -> int:
    gold = load_gold(folder).values()
    names, core = gold_names(gold), gold_names(gold, core=True)
    merges, missed = wrong_merges(cast, names), missed_people(cast, core)
    show("", f"== against {folder.name}")
    show(f"core named people found: {len(core) - len(missed)}/{len(core)}" + (f"; missed {missed}" if missed else ""))
    for gold_id, rows in split_people(cast, core).items():
        show(f"more than once: {gold_id}: {' | '.join(rows)}")
    show(f"wrong merges: {len(merges)}")
    for merge in merges:
        show(f"  {merge.handle} {' / '.join(merge.names)}: {', '.join(merge.gold_ids)}")
    return len(merges)


@command
def main(argv: Sequence[str] | None = None) -> int:
    """Run and print; exit code 1 where gold shows a wrong merge."""
    parser = argparse.ArgumentParser(prog="python -m evals.rules_novel", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("manuscript", type=Path)
    parser.add_argument("--gold", type=Path, help="folder of gold chapters of this edition")
    parser.add_argument("--chapters", help="for instance 1-6")
    parser.add_argument("--language")
    parser.add_argument("--fewest", type=int, default=3, help="mentions from which a cast row is printed")
    args = parser.parse_args(argv)
    found = run_rules(args.manuscript, chapters=args.chapters, language=args.language)
    _print_cast(found.cast, args.fewest)
    _print_relations(found.relations)
    n_wrong = _print_gold(found.cast, args.gold) if args.gold else 0
    show(
        f"\n{found.n_chapters} chapters, {found.n_calls} calls: {found.cpu_s:.1f} s of processor time, "
        f"{found.wall_s:.1f} s on the clock"
    )
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
