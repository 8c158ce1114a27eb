"""`python -m evals.calibrate [--data FOLDER]`: measure what each step asks, and write analyzer/scheduler/calibration.toml.

Runs the real pipeline with truthful answers on the own serials and, where the folder is given, on the public gold chapters,
and prints likely figure and bill of each chapter: with all cases measured, and with the chapter's own case left out.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median, quantiles

from analyzer import pipeline
from analyzer.llm.prices import price_of
from analyzer.models.run import Usage
from analyzer.models.text import Manuscript
from analyzer.scheduler.plan import estimate
from analyzer.scheduler.rates import Calibration, Rate
from analyzer.scheduler.signs import Signs, signs_by_chapter
from analyzer.storage.store import Store
from evals.command import command, show
from evals.files import write_whole
from evals.goldset.cases import Case, find_cases
from evals.runs import TRUTHFUL, alone, run_book

TARGET = Path(__file__).parent.parent / "analyzer" / "scheduler" / "calibration.toml"
SIGN_OF = {
    "cast_forms": "new_names",
    "cast_same": "new_names",
    "cast_unnamed": "described",
    "cast_unnamed_same": "described",
    "cast_presence": "names",
    "relation_select": "names",
    "relation_kind": "pairs",
    "relation_confirm": "pairs",
    "relation_confirm_again": "pairs",
    "relation_detail": "pairs",
    "relation_third": "pairs",
    "relation_turn": "past",
    "relation_turn_again": "past",
    "speech_who": "sentences",
    "mask_ask": "names",
    "mask_again": "names",
    "mask_called": "names",
    "mask_called_again": "names",
    "mask_to": "names",
    "state_notice": "names",
    "state_notice_again": "names",
    "state_nature": "sentences",
    "state_value": "sentences",
    "state_doubt": "sentences",
    "look_notice": "names",
    "look_notice_again": "names",
    "secret_notice": "pairs",
    "secret_notice_again": "sentences",
    "secret_doubt": "names",
    "secret_from": "names",
    "secret_holders": "names",
    "secret_say": "names",
    "secret_to": "names",
    "secret_touch": "past",
    "secret_touch_again": "past",
    "knowledge_notice": "pairs",
    "knowledge_notice_again": "sentences",
    "knowledge_say": "pairs",
    "knowledge_stance": "pairs",
    "knowledge_stance_again": "pairs",
    "knowledge_settle": "pairs",
    "knowledge_unaware": "pairs",
    "thread_notice": "sentences",
    "thread_notice_again": "sentences",
    "thread_doubt": "pairs",
    "thread_say": "pairs",
    "thread_touch": "past",
    "thread_touch_again": "past",
    "thread_touch_third": "past",
    "card_notes": "names",
}
"""What of a chapter tells how much a step asks: of all signs the one that tells it best in cases that were left out of the fit."""
PROPORTIONAL = frozenset({"new_names", "described"})
"""Signs that are asked about one by one; of the others the power is fitted."""


@dataclass(frozen=True)
class Measured:
    """A chapter of a case as it was run: its signs, and questions and usage by step. `chapters` are those of the run."""

    case: str
    manuscript: Manuscript
    chapters: tuple[int, ...]
    chapter: int
    signs: Signs
    steps: dict[str, tuple[int, Usage]]

    @property
    def bill_usd(self) -> float:
        """Return what its calls would have cost at the default model's price."""
        price = price_of(pipeline.DEFAULT_MODEL)
        return sum(price.cost_usd(usage) for _, usage in self.steps.values()) if price else 0.0

    def likely_usd(self, measured: Calibration | None = None) -> float:
        """Return what the estimate says of it, the chapters before it being done."""
        done = {("cast_forms", n) for n in self.chapters if n < self.chapter}
        name = pipeline.DEFAULT_MODEL
        made = estimate(self.manuscript, [self.chapter], model=name, price=price_of(name), done=done, measured=measured)
        return made.likely_usd or 0.0


def measure(case: Case, folder: Path) -> Iterator[Measured]:
    """Yield the chapters of a case, run with truthful answers."""
    book = run_book(case, TRUTHFUL, folder)
    read = pipeline.manuscript_of(book)
    numbers = tuple(pipeline.parse_chapters(case.chapters, len(read.chapters)))
    signs = signs_by_chapter(read, numbers)
    with Store.open(book) as store:
        calls = store.calls()
    for number in numbers:
        steps: dict[str, tuple[int, Usage]] = {}
        for call in calls:
            if call.chapter == number:
                questions, usage = steps.get(call.step, (0, Usage()))
                steps[call.step] = (questions + call.n_questions, usage + (call.usage or Usage()))
        yield Measured(case.name, read, numbers, number, signs[number], steps)


def power_of(rows: Sequence[tuple[float, float]]) -> float:
    """Return the power of x by which y grows, 0 to 1: the median slope between any two, in logarithms (Theil and Sen)."""
    slopes = [
        math.log(y2 / y1) / math.log(x2 / x1) for (x1, y1), (x2, y2) in combinations(rows, 2) if x1 != x2 and y1 and y2
    ]
    return min(1.0, max(0.0, median(slopes))) if slopes else 1.0


def rates_of(rows: Sequence[Measured]) -> dict[str, Rate]:
    """Return the rates of every step: one power for each sign, then medians over the chapters."""
    powers = dict.fromkeys(PROPORTIONAL, 1.0)
    for sign in dict.fromkeys(SIGN_OF.values()):
        if sign not in powers:
            steps = [step for step, of in SIGN_OF.items() if of == sign]
            powers[sign] = power_of(
                [(getattr(r.signs, sign), sum(r.steps[s][0] for s in steps if s in r.steps)) for r in rows]
            )
    found: dict[str, Rate] = {}
    for step, sign in SIGN_OF.items():
        pairs = [(getattr(r.signs, sign), r.steps.get(step, (0, Usage()))[0]) for r in rows if getattr(r.signs, sign)]
        asked = [r.steps[step] for r in rows if step in r.steps]
        found[step] = Rate(
            sign=sign,
            factor=_median((q / x ** powers[sign] for x, q in pairs), 3),
            power=round(powers[sign], 3),
            most=round(max((q / x for x, q in pairs), default=0.0), 3),
            tail=_median(usage.input / questions for questions, usage in asked),
            output=_median(usage.output / questions for questions, usage in asked),
        )
    return found


def _median(values: Iterable[float], digits: int = 1) -> float:
    """Return the median, 0 of nothing: a step that was never asked has no rate."""
    found = list(values)
    return round(median(found), digits) if found else 0.0


def left_out(rows: Sequence[Measured]) -> dict[str, Calibration]:
    """Return by case what all other cases give, without bounds."""
    cases = dict.fromkeys(row.case for row in rows)
    return {case: Calibration(rates_of([r for r in rows if r.case != case]), 1.0, 1.0) for case in cases}


def calibrated(rows: Sequence[Measured]) -> Calibration:
    """Return rates, and the bounds that hold nine in ten chapters' bills when a chapter's own case is left out of the fit."""
    others = left_out(rows)
    cuts = quantiles([row.bill_usd / row.likely_usd(others[row.case]) for row in rows], n=20, method="inclusive")
    return Calibration(rates_of(rows), math.floor(cuts[0] * 100) / 100, math.ceil(cuts[-1] * 100) / 100)


def as_toml(made: Calibration, cases: Sequence[str]) -> str:
    """Return the file's text."""
    lines = [
        "# What each step asks in a chapter: factor * sign ** power questions, no more than most * sign; and per question tokens",
        "# in (without the prefix) and out. One power for each sign, else medians over chapters. Bounds: shares of the likely",
        "# figure that hold nine in ten chapters' bills, their own case left out of the fit. Measured with truthful answers by",
        f"# `python -m evals.calibrate --data FOLDER` over {', '.join(cases)}.",
        "",
        f"bounds = {{ low = {made.low}, high = {made.high} }}",
        "",
        "[steps]",
    ]
    for step, rate in made.rates.items():
        said = f"factor = {rate.factor}, power = {rate.power}, most = {rate.most}, tail = {rate.tail}"
        lines.append(f'{step} = {{ sign = "{rate.sign}", {said}, output = {rate.output} }}')
    return "\n".join(lines) + "\n"


def report(rows: Sequence[Measured], made: Calibration) -> Iterator[str]:
    """Yield bill and likely figure of each chapter, then of each case: fitted, and with its case left out of the fit."""
    yield f"{'case':24} chapter   bill  likely  of bill  left out"
    for case, others in left_out(rows).items():
        own = [row for row in rows if row.case == case]
        sums = [0.0, 0.0, 0.0]
        for row in own:
            cents = [100 * usd for usd in (row.bill_usd, row.likely_usd(made), row.likely_usd(others))]
            sums = [a + b for a, b in zip(sums, cents, strict=True)]
            yield _line(case, str(row.chapter), cents)
        if len(own) > 1:
            yield _line(case, "all", sums)


def _line(case: str, chapter: str, cents: Sequence[float]) -> str:
    bill, likely, left_out = cents
    return f"{case:24} {chapter:>7} {bill:6.3f} {likely:7.3f} {likely / bill:8.2f} {left_out / bill:9.2f}"


@command
def main(words: Sequence[str] | None = None) -> int:
    """Measure every case, write the table, print the report."""
    parser = argparse.ArgumentParser(prog="python -m evals.calibrate")
    parser.add_argument("--data", type=Path, help="a folder with the texts of public editions")
    options = parser.parse_args(words)
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        for case in alone(one for one in find_cases(options.data) if one.manuscript is not None):
            rows += measure(case, Path(folder))
    made = calibrated(rows)
    text = as_toml(made, tuple(dict.fromkeys(row.case for row in rows)))
    write_whole(TARGET, text)
    show(*text.splitlines(), "", *report(rows, made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
