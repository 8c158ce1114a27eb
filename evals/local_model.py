"""`python -m evals.local_model`: the pipeline with a small real model on this machine, offline once the model is there.

Fetches the model by checksum, gives it the entrance test, runs the pipeline on the first blocks of a public gold chapter
(where `--data` has it) and of two chapters of the bundled serial, and prints what came of it, as it is. Exit 0, also where
nothing could be run ("not run: …").
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from analyzer.llm.entrance import Entrance, examine
from analyzer.llm.transports.gold_book import load_gold
from analyzer.llm.transports.local import LocalModel
from evals.excerpt import Excerpt, excerpt
from evals.goldset.cases import by_chapter, find_cases, own_case
from evals.local_fetch import FILES, NotRunError, cache_folder, fetch, need_server, sha256_of
from evals.local_report import report, write_into
from evals.local_run import LocalResult, run_excerpt

DATA = Path("../shared/data")
GOLD_CASE = "monte-cristo-003"
SERIAL_CHAPTERS = 2
BLOCKS = 40
MINUTES = 60.0


class Made(NamedTuple):
    """What a whole evaluation found."""

    file: Path
    sha256: str
    date: str
    command: str
    entrance: Entrance
    entrance_s: float
    results: tuple[LocalResult, ...]


def options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.local_model", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--model", choices=sorted(FILES), default="1.5b", help="which of the known files to fetch")
    parser.add_argument("--file", type=Path, help="a GGUF file of your own instead")
    parser.add_argument("--cache", type=Path, help="the folder the model is kept in (default: the user's cache folder)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of public gold chapters")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="blocks of the gold chapter (0: all)")
    parser.add_argument("--serial-blocks", type=int, default=BLOCKS, help="blocks of each serial chapter (0: all)")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="longest time for each of the two texts")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/local-model.md")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run everything and return 0."""
    wishes = options(argv)
    try:
        need_server()
        file = wishes.file or fetch(FILES[wishes.model], wishes.cache or cache_folder())
    except NotRunError as reason:
        print(f"not run: {reason}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = evaluate(file, wishes, Path(folder))
    text = report(made)
    print(text)
    if wishes.write:
        write_into(Path("docs/local-model.md"), text)
    return 0


def evaluate(file: Path, wishes: argparse.Namespace, folder: Path) -> Made:
    """Give the model its test and run every text."""
    began = time.monotonic()
    entrance = asyncio.run(_examined(file))
    entrance_s = time.monotonic() - began
    say(f"entrance test: {entrance.n_right} of {entrance.n}; the runs go on whatever it says")
    results = []
    for made in texts(wishes, folder):
        held = ", ".join(f"{n} of {total}" for n, total in made.n_blocks)
        say(f"{made.manuscript.stem}: {held} blocks, for at most {wishes.minutes:.0f} minutes")
        book = folder / f"{made.manuscript.stem}.book"
        results.append(run_excerpt(made, f"local:{file}", seconds=wishes.minutes * 60, book=book))
    words = [f"--blocks {wishes.blocks}", f"--serial-blocks {wishes.serial_blocks}"]
    command = f"python -m evals.local_model --data DATA {' '.join(words)}"
    return Made(file, sha256_of(file), f"{datetime.now(UTC):%Y-%m-%d}", command, entrance, entrance_s, tuple(results))


async def _examined(file: Path) -> Entrance:
    model = LocalModel(file)
    try:
        return await examine(model)
    finally:
        await model.close()


def texts(wishes: argparse.Namespace, folder: Path) -> list[Excerpt]:
    """Return what is run: the gold chapter where it is there, then the serial."""
    found = []
    cases = find_cases(wishes.data if wishes.data.is_dir() else None)
    public = next((one for case in cases for one in by_chapter(case) if one.name == GOLD_CASE), None)
    if public is None or public.manuscript is None:
        say(f"no text of {GOLD_CASE} under {wishes.data}: only the bundled serial is run")
    else:
        gold = tuple(load_gold(public.gold).values())
        text = public.manuscript.read_text("utf-8")
        found.append(excerpt(gold, text, wishes.blocks, folder, name=GOLD_CASE))
    serial = own_case()
    chapters = [gold for _, gold in sorted(load_gold(serial.gold).items())][:SERIAL_CHAPTERS]
    text = serial.text().read_text("utf-8")
    found.append(excerpt(chapters, text, wishes.serial_blocks, folder, name=serial.name))
    return found


def say(words: str) -> None:
    """Print progress beside the report."""
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
