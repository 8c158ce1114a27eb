"""`python -m evals.local_model`: the pipeline with a small real model on this machine, offline once the model is there.

Fetches the model by checksum, gives it the entrance test, runs the pipeline on the first blocks of a public gold chapter
(where `--data` has it) and of two chapters of the bundled serial, and prints what came of it, as it is: each text's figures on
stderr as soon as it ends, the whole report at the end. `--out` writes an ordinary result, `--write` the documentation, both anew
after each text. Exit 0, also where nothing could be run ("not run: …"); 2 for a file that cannot be written, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from analyzer.llm.entrance import Entrance, examine
from analyzer.llm.transports.local import LocalModel
from evals.command import INTERRUPTED, command, say, show
from evals.excerpt import Excerpt, excerpt
from evals.files import check_target
from evals.goldset.cases import by_chapter, find_cases, own_case
from evals.local_fetch import FILES, NotRunError, cache_folder, fetch, need_server, sha256_of
from evals.local_report import around_figures, figure_lines, report, write_into
from evals.local_run import BY_HAND, LocalText, local_answerer, run_excerpt
from evals.records import RunResult
from evals.results import write_result
from evals.runs import CaseRun, result_of

PAGE = Path("docs/local-model.md")
DATA = Path("../shared/data")
GOLD_CASE = "monte-cristo-003"
SERIAL_CHAPTERS = 2
BLOCKS = 40
MINUTES = 60.0


class Made(NamedTuple):
    """What an evaluation found so far."""

    file: Path
    sha256: str
    date: str
    command: str
    entrance: Entrance
    entrance_s: float
    texts: tuple[LocalText, ...]

    def result(self, name: str) -> RunResult:
        """Return the scores as the result of a run; it knows no times, and a chapter read in part says so."""
        run = CaseRun(
            tuple(chapter for text in self.texts for chapter in text.run.chapters),
            tuple(one for text in self.texts for one in text.run.asked),
        )
        return result_of(local_answerer(self.file), run, name=name, command=self.command)


def options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.local_model", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--model", choices=sorted(FILES), default="1.5b", help="which of the known files to fetch")
    parser.add_argument("--file", type=Path, help="a GGUF file of your own instead")
    parser.add_argument("--cache", type=Path, help="the folder the model is kept in (default: the user's cache folder)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of public gold chapters")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="blocks of the gold chapter (0: all)")
    parser.add_argument("--serial-blocks", type=int, default=BLOCKS, help="blocks of each serial chapter (0: all)")
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help="longest time for each of the two texts, each time"
    )
    parser.add_argument(
        "--folder", type=Path, help="keep the books here: the same command goes on where it was stopped"
    )
    parser.add_argument("--write", action="store_true", help=f"put the figures into {PAGE}, anew after each text")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the result, anew after each text")
    return parser.parse_args(argv)


@command
def main(argv: Sequence[str] | None = None) -> int:
    """Run everything and return 0."""
    wishes = options(argv)
    check_files(wishes)
    try:
        need_server()
        file = wishes.file or fetch(FILES[wishes.model], wishes.cache or cache_folder())
    except NotRunError as reason:
        show(f"not run: {reason}")
        return 0
    return _evaluated(file, wishes)


def check_files(wishes: argparse.Namespace) -> None:
    """Raise SystemExit or InputError before anything is asked where the figures could not be written in the end."""
    if wishes.write:
        around_figures(PAGE)
    if wishes.out is not None:
        check_target(wishes.out)


def _evaluated(file: Path, wishes: argparse.Namespace) -> int:
    made = None
    with tempfile.TemporaryDirectory() as passing:
        for made in evaluate(file, wishes, wishes.folder or Path(passing)):
            for line in figure_lines(made.texts[-1:]):
                say(line)
            if wishes.write:
                write_into(PAGE, report(made))
            if wishes.out is not None:
                say(f"written: {write_result(made.result(wishes.out.stem), wishes.out)}")
    if made is None:
        return 0
    show(*report(made).splitlines())
    return INTERRUPTED if made.texts[-1].end == BY_HAND else 0


def evaluate(file: Path, wishes: argparse.Namespace, folder: Path) -> Iterator[Made]:
    """Give the model its test and run every text; yields what is known after each. Ctrl-C ends it with the text it is in."""
    began = time.monotonic()
    entrance = asyncio.run(_examined(file))
    entrance_s = time.monotonic() - began
    say(f"entrance test: {entrance.n_right} of {entrance.n} in {entrance_s:.0f} s; the runs go on whatever it says")
    which = "--file FILE" if wishes.file else f"--model {wishes.model}"
    words = [
        which,
        f"--blocks {wishes.blocks}",
        f"--serial-blocks {wishes.serial_blocks}",
        f"--minutes {wishes.minutes:g}",
    ]
    command = f"python -m evals.local_model --data DATA {' '.join(words)}"
    made = Made(file, sha256_of(file), f"{datetime.now(UTC):%Y-%m-%d}", command, entrance, entrance_s, ())
    for part in texts(wishes, folder):
        held = ", ".join(f"{n} of {total}" for n, total in part.n_blocks)
        say(f"{part.case.name}: {held} blocks, for at most {wishes.minutes:g} minutes")
        done = run_excerpt(part, local_answerer(file), folder / "books", seconds=wishes.minutes * 60)
        if done.problem:
            say(f"{done.name}: {done.problem}")
        made = made._replace(texts=(*made.texts, done))
        yield made
        if done.end == BY_HAND:
            return


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
        found.append(excerpt(public, wishes.blocks, folder))
    found.append(excerpt(own_case(), wishes.serial_blocks, folder, n_chapters=SERIAL_CHAPTERS))
    return found


if __name__ == "__main__":
    sys.exit(main())
