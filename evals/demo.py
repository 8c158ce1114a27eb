"""`make demo`: the main job on the bundled serial, first with answers from its gold file, then by rules alone.

No key, no network, no model: the screen, the bill and the store say who answered.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from analyzer import pipeline
from analyzer.cli._progress import Screen
from analyzer.cli._screen import fail, usd
from analyzer.cli._story_tables import print_known, print_reveals, print_secrets, print_threads
from analyzer.cli.show import print_cast, print_relations
from analyzer.errors import AnalyzerError
from analyzer.export.show import RelationRow
from evals.command import command, show, show_table

SERIAL = Path(__file__).parent.parent / "goldsets" / "dark-of-the-gullick"
FOLDER = Path(".demo")


@command
def main() -> int:
    """Run the demo in .demo/ and return an exit code."""
    try:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        gold = _run("gold", f"gold:{SERIAL / 'gold'}")
        rules = _run("rules", "rules")
        _difference(gold, rules)
        _next(gold)
    except AnalyzerError as error:
        fail(error)
        return error.exit_code
    return 0


def _heading(text: str, *, table: bool = False) -> None:
    show("", f"== {text}", *[""] * table)


def _run(name: str, model: str) -> Path:
    book = pipeline.init(SERIAL / "serial.txt", book=FOLDER / name)
    prepared = pipeline.prepare(book, pipeline.RunRequest(model=model))
    who = (
        "answers come from its hand-made gold file"
        if name == "gold"
        else "code alone answers, and abstains where it cannot"
    )
    _heading(
        f"{prepared.manuscript.title}: {len(prepared.chapters)} chapters with --model {name}: no model is asked, {who}"
    )
    began = time.monotonic()
    with Screen(model) as screen:
        outcome = pipeline.start(prepared, screen.event)
    if outcome.error is not None:
        raise outcome.error
    cast, relations = pipeline.show_cast(book), pipeline.show_relations(book)
    people = [row for row in cast if row.kind in {"character", "group"}]
    show(
        f"{outcome.n_answers} questions answered in {outcome.n_calls} calls, {time.monotonic() - began:.1f} s; "
        f"{len(people)} people and groups, {len(cast) - len(people)} places and things, {len(relations)} relations"
    )
    if outcome.notes_filled:
        show(f"{outcome.notes_filled} notes were filled from the gold file")
    if name == "gold":
        _heading("who is in it (people and groups)", table=True)
        print_cast(people)
        _heading("how they are related, with the words that show it", table=True)
        print_relations(relations)
        _story(book)
        _bill(book, prepared)
    return book


HEROINE = "@1"
SHOWN = 12
"""Rows of each view; the commands under "what to type next" show all."""


def _story(book: Path) -> None:
    """Show the rest of the story bible: disguises, secrets, what somebody knows, what was set up."""
    _heading("which disguises fall (proposed: the author decides)", table=True)
    print_reveals([row for row in pipeline.show_reveals(book) if row.status == "proposed"])
    _heading("who hides what", table=True)
    print_secrets(pipeline.show_secrets(book)[:SHOWN])
    _heading("what Keziah Ruddock knows after chapter 3")
    print_known(pipeline.known_to(book, HEROINE, as_of=3)[:SHOWN])
    _heading("what was set up and how it does after chapter 6", table=True)
    print_threads(pipeline.show_threads(book, as_of=6)[:SHOWN])


def _bill(book: Path, prepared: pipeline.Prepared) -> None:
    made = pipeline.bill(book)
    _heading("the bill")
    show(f"spent {usd(made.spent_usd)}: no model was asked")
    if made.would_be_usd is not None:
        share = made.usage.cache_read / made.usage.total_input
        per_chapter = made.would_be_usd / len(prepared.chapters) * 100
        show(
            f"the same calls at {made.would_be_model} prices would have cost {usd(made.would_be_usd)} "
            f"({per_chapter:.2f} US cents a chapter, {share:.0%} of input from cache); the estimate before the run said "
            f"{usd(prepared.estimate.likely_usd)} ({usd(prepared.estimate.low_usd)} to {usd(prepared.estimate.high_usd)})"
        )


def _triples(rows: tuple[RelationRow, ...]) -> set[tuple[frozenset[str], str]]:
    return {(frozenset((r.subject_name, r.object_name)), r.family) for r in rows}


def _difference(gold: Path, rules: Path) -> None:
    full, thin = pipeline.show_cast(gold), pipeline.show_cast(rules)
    names = {n for row in thin for n in (row.name, *row.names)}
    missing = [row for row in full if row.named and not names & {row.name, *row.names}]
    a, b = pipeline.show_relations(gold, hidden=True), pipeline.show_relations(rules, hidden=True)
    found = _triples(a) & _triples(b)
    _heading("what rules alone find of it", table=True)
    show_table(
        ("", "gold answers", "rules"),
        [
            ("people and groups", _n_people(full), _n_people(thin)),
            ("all entities", len(full), len(thin)),
            ("named entities rules miss", "", len(missing)),
            ("relations", len(a), len(b)),
            ("relations (pair and family) in both", "", len(found)),
        ],
        right=(1, 2),
    )


def _n_people(rows: tuple[object, ...]) -> int:
    return sum(getattr(row, "kind", "") in {"character", "group"} for row in rows)


def _next(gold: Path) -> None:
    _heading("what to type next")
    show("  . .venv/bin/activate")
    show(f"  analyzer show relations {gold} --as-of 3        # the book as it stood after chapter 3")
    show(f"  analyzer why {gold} '@1 betrothed_to @49'       # what a fact rests on")
    show(f"  analyzer knows {gold} @1 --as-of 6              # what somebody knows, since when, how, from whom")
    show(f"  analyzer review {gold}                          # what waits for the author, with what to type")
    show(f"  analyzer wiki {gold}                            # a wiki for its readers: open the page it names")
    show("  analyzer plan YOUR-SERIAL.md                  # what your own book would cost, without a call")
    show("  OPENAI_API_KEY=… analyzer run YOUR-SERIAL.md --cap-usd 0.50")
    show(
        "  analyzer run YOUR-SERIAL.md --model local:MODEL.gguf   # your own model, no key: pip install 'analyzer[local]'"
    )


if __name__ == "__main__":
    sys.exit(main())
