"""`python -m evals [--data FOLDER]`: what candidates and rules allow, with truthful answers from gold chapters.

Every case runs through the real pipeline with `--model gold`; nothing here is a model's score. Exit code 1 where a bound
of the pooled public chapters (or of the bundled serial) is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from analyzer import pipeline
from analyzer.bible import Bible, fold
from analyzer.cli._screen import print_json, print_table
from analyzer.errors import InputError
from analyzer.llm.prices import price_of
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.run import Usage
from analyzer.storage.store import Store
from evals.goldset.cases import Case, by_chapter, find_cases
from evals.score import ChapterScore, Count, score_chapter

ENTITY_BOUND, RELATION_BOUND, PRECISION_BOUND = 0.98, 0.95, 0.98
"""Pooled bounds: core named entities, core relations (pair and family), precision. Source: the project's promise."""
WORDS_UNIT = 4000


class Row(NamedTuple):
    """One scored chapter with what it asked and would have cost; `words` are those of the chapter (2 characters in Han)."""

    case: str
    score: ChapterScore
    n_calls: int
    cents: float
    words: int


def run_case(case: Case, folder: Path) -> list[Row]:
    """Run a case with truthful answers and score every chapter that has gold."""
    book = pipeline.init(case.text(), book=folder / case.name, language=case.language)
    outcome = pipeline.run(book, model=f"gold:{case.gold}", chapters=case.chapters)
    if outcome.error is not None:
        raise outcome.error
    gold = load_gold(case.gold)
    read = pipeline.manuscript_of(book)
    price = price_of(pipeline.DEFAULT_MODEL)
    rows = []
    known: dict[str, str] = {}
    with Store.open(book) as store:
        calls = store.calls()
        for number in sorted(gold):
            bible = _bible(store, number)
            earlier = [gold[n] for n in sorted(gold) if n < number]
            score = score_chapter(bible, gold[number], earlier=earlier, label=f"{case.name} {number}", known=known)
            known = {**score.matched, **known}
            own = [c for c in calls if c.chapter == number]
            usage = sum((c.usage for c in own if c.usage), Usage())
            text = read.chapters[number - 1].text
            words = len(text.split()) if " " in text[:400] else len(text) // 2
            rows.append(Row(case.name, score, len(own), price.cost_usd(usage) * 100 if price else 0.0, words))
    return rows


def _bible(store: Store, through: int) -> Bible:
    return fold((s.fact for s in store.facts(through)), through=through, handles=store.handles())


def pooled(rows: Sequence[Row]) -> tuple[Count, Count, Count, Count]:
    """Return pooled core entities, core relations (pair and family), exact kinds, precision."""
    zero = Count(0, 0)
    scores = [row.score for row in rows]
    return (
        sum((s.entities for s in scores), zero),
        sum((s.families for s in scores), zero),
        sum((s.kinds for s in scores), zero),
        sum((s.precision for s in scores), zero),
    )


def _print(rows: Sequence[Row], title: str) -> None:
    table = [
        (
            row.score.chapter,
            row.score.entities,
            row.score.entity_precision,
            row.score.pairs,
            row.score.families,
            row.score.kinds,
            row.score.precision,
            row.score.status,
            row.score.duplicates,
            row.n_calls,
            f"{row.cents:.3f}",
            f"{row.cents * WORDS_UNIT / row.words:.3f}",
        )
        for row in rows
    ]
    columns = (
        "chapter",
        "core named",
        "ent. right",
        "pairs",
        "pair+family",
        "kind",
        "precision",
        "status",
        "dupl.",
        "calls",
        "cents",
        "per 4000 words",
    )
    print_table(columns, table, title=title, right=range(1, 12))
    for row in rows:
        for label, found in (
            ("missed entity", row.score.missed_entities),
            ("missed relation", row.score.missed_relations),
            ("wrong relation", row.score.wrong_relations),
        ):
            for text in found:
                print(f"  {row.score.chapter}: {label}: {text}")


def _failures(rows: Sequence[Row], name: str) -> list[str]:
    entities, families, kinds, precision = pooled(rows)
    print(
        f"{name} pooled: core named entities {entities}, core relations {families} (exact kind {kinds}), precision {precision}\n"
    )
    bounds = (
        (entities, ENTITY_BOUND, "entities"),
        (families, RELATION_BOUND, "relations"),
        (precision, PRECISION_BOUND, "precision"),
    )
    return [
        f"{name}: {what} {count} is below {bound}"
        for count, bound, what in bounds
        if count.share is not None and count.share < bound
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Run and score all cases; return 1 where a bound is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m evals", description="Ceilings with truthful answers; no model is asked."
    )
    parser.add_argument("--data", type=Path, help="a folder with the texts of public editions, found by hash")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")
    options = parser.parse_args(words)
    try:
        cases = find_cases(options.data)
    except InputError as error:
        parser.error(str(error))
    here = [case for case in cases if case.manuscript is not None]
    groups = {
        "bundled": [case for case in here if not case.public],
        "public": [one for case in here if case.public for one in by_chapter(case)],
    }
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, group in groups.items():
            rows = [row for case in group if options.only in case.name for row in run_case(case, Path(folder))]
            if not rows:
                continue
            if options.json:
                print_json([row._asdict() | {"score": str(row.score)} for row in rows])
            else:
                _print(
                    rows,
                    f"{name} gold chapters, truthful answers from gold: what candidates and rules allow, not a model's score",
                )
            failures += _failures(rows, name)
    for case in cases:
        if case.unscored:
            print(f"{case.name}: {case.unscored}, unscored (give --data FOLDER)")
    for line in failures:
        print(line, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
