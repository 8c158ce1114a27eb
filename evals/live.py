"""Paid runs over gold chapters: an estimate, a question, repeats under one cap in all, recordings, results and a report.

Keys come from the environment alone, as everywhere. Whatever ends a run (the cap, Ctrl-C, a provider that is gone), what had
arrived is scored, recorded and written; a chapter that was not finished is unscored, never a bad score.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from analyzer import pipeline
from analyzer.errors import AnalyzerError, BudgetReachedError, ConfigError, InputError
from analyzer.llm.connect import answers_for_nothing, connect
from analyzer.llm.prices import price_of
from analyzer.storage.store import Store
from analyzer.wording import counted
from evals.baselines import FIGURES
from evals.files import check_new_folder, write_whole
from evals.goldset.cases import Case
from evals.recordings import LAST_STEP, record, write_recording
from evals.records import Asked, ChapterResult, Label, RunResult
from evals.report.markdown import said
from evals.results import write_result
from evals.runs import INTERRUPTED, alone, read_run
from evals.scoring.figures import scored, spread

NOT_FINISHED = "not finished"
MOST_REPEATS = 20
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Wish:
    """What is to be asked of whom: `cap_usd` is for all repeats together, None for no cap; `texts` as for cases."""

    model: str
    repeats: int = 1
    cap_usd: float | None = None
    base_url: str | None = None
    profile: str | None = None
    label: Label = "provider"

    @property
    def slug(self) -> str:
        """The model's name as part of a file's name."""
        return _SLUG.sub("-", self.model.lower()).strip("-")[:30] or "model"


@dataclass(frozen=True)
class Expected:
    """One case's estimate for one repeat, in US dollars; None where no price is known."""

    case: str
    n_calls: int
    low_usd: float | None
    likely_usd: float | None
    high_usd: float | None


@dataclass
class Live:
    """How a live run went: a result for every repeat begun, what was spent, `stopped` says why it ended early ("": it did not)."""

    wish: Wish
    results: list[RunResult] = field(default_factory=list)
    spent_usd: float = 0.0
    stopped: str = ""
    exit_code: int = 0
    recorded: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def expected(cases: Sequence[Case], wish: Wish) -> tuple[Expected, ...]:
    """Return what one repeat is likely to cost, case by case, without a call.

    Raises ConfigError for a wish that makes no sense or a cap that cannot be kept, PermanentModelError where a key is missing.
    """
    _check(wish)
    found = []
    for case in cases:
        plan = pipeline.plan(case.text(), model=wish.model, chapters=case.chapters)
        found.append(Expected(case.name, plan.n_calls, plan.low_usd, plan.likely_usd, plan.high_usd))
    return tuple(found)


def _check(wish: Wish) -> None:
    if not 1 <= wish.repeats <= MOST_REPEATS:
        raise ConfigError(f"--repeats {wish.repeats} is outside 1-{MOST_REPEATS}", where="--repeats")
    if wish.cap_usd is not None and not (math.isfinite(wish.cap_usd) and wish.cap_usd >= 0):
        raise ConfigError(f"--cap-usd {wish.cap_usd} is no amount of dollars", where="--cap-usd")
    if wish.cap_usd is not None and price_of(wish.model) is None:
        raise ConfigError(
            f"no price is known for {wish.model!r}, so a cap cannot be kept",
            where="--cap-usd",
            hint=pipeline.unpriced_note(wish.model) or "leave out --cap-usd",
        )
    if answers_for_nothing(wish.model) and wish.base_url is None:
        raise ConfigError(
            f"{wish.model!r} asks no provider", where="MODEL", hint="python -m evals run --answers …, or analyzer run"
        )
    connect(wish.model, base_url=wish.base_url, profile=wish.profile)


def estimate_lines(rows: Sequence[Expected], wish: Wish) -> Iterator[str]:
    """Yield the estimate as it is shown before anything is asked."""
    for row in rows:
        yield f"{row.case}: about {counted(row.n_calls, 'call')}, {_usd(row.likely_usd)} ({_usd(row.low_usd)} to {_usd(row.high_usd)})"
    likely = [row.likely_usd for row in rows]
    total = None if None in likely else sum(usd for usd in likely if usd is not None) * wish.repeats
    cap = "no cap" if wish.cap_usd is None else f"never more than {_usd(wish.cap_usd)}"
    yield f"{wish.model}, {wish.repeats} repeats: {_usd(total)} in all, {cap}"


def _usd(amount: float | None) -> str:
    return "no known price" if amount is None else f"${amount:.4f}"


def run_live(cases: Sequence[Case], wish: Wish, out: Path, *, say: Callable[[str], None] = lambda _line: None) -> Live:
    """Run all cases `repeats` times into `out` and return how it went. Spends, up to the cap. Results are written as they come.

    Raises InputError where `out` holds an earlier run.
    """
    check_new_folder(out)
    out.mkdir(parents=True, exist_ok=True)
    live = Live(wish)
    for number in range(1, wish.repeats + 1):
        rows: list[ChapterResult] = []
        asked: list[Asked] = []
        for case in alone(cases):
            if not live.stopped:
                say(f"repeat {number} of {wish.repeats}: {case.name}, {_usd(live.spent_usd)} spent so far")
                found = _one(case, wish, out, number, live)
                rows += found[0]
                asked += found[1]
        if rows:
            live.results.append(_result(wish, number, rows, asked))
            write_result(live.results[-1], out / f"result-{number}.json")
        if live.stopped:
            break
    write_whole(out / "report.md", "\n".join(report_lines(live)) + "\n")
    return live


def _result(wish: Wish, number: int, rows: Sequence[ChapterResult], asked: Sequence[Asked]) -> RunResult:
    return RunResult(
        name=f"{wish.model} {number}",
        label=wish.label,
        answers=f"live:{wish.model}",
        seed=number,
        price_model=wish.model,
        chapters=tuple(rows),
        asked=tuple(asked),
    )


def _one(case: Case, wish: Wish, out: Path, number: int, live: Live) -> tuple[list[ChapterResult], list[Asked]]:
    """Run one case once, whatever happens; fill in `live` what it cost and why it stopped."""
    left = None if wish.cap_usd is None else wish.cap_usd - live.spent_usd
    if left is not None and left <= 0:
        _stop(live, "the cap is reached", BudgetReachedError.exit_code)
        return [], []
    book = pipeline.init(case.text(), book=out / "books" / str(number) / case.name, language=case.language)
    try:
        outcome = pipeline.run(
            book,
            model=wish.model,
            base_url=wish.base_url,
            profile=wish.profile,
            chapters=case.chapters,
            cap_usd=left,
            allow_unpriced=wish.cap_usd is None,
        )
        if outcome.error is not None:
            _stop(live, str(outcome.error), outcome.error.exit_code)
        elif outcome.exit_code == INTERRUPTED:
            _stop(live, "interrupted", INTERRUPTED)
    except KeyboardInterrupt:
        _stop(live, "interrupted", INTERRUPTED)
    except AnalyzerError as error:
        _stop(live, str(error), error.exit_code)
    return _read(case, wish, book, number, out, live)


def _stop(live: Live, why: str, code: int) -> None:
    live.stopped, live.exit_code = why, code


def _read(
    case: Case, wish: Wish, book: Path, number: int, out: Path, live: Live
) -> tuple[list[ChapterResult], list[Asked]]:
    with Store.open(book) as store:
        live.spent_usd += store.spent_usd(None)
        done = {task.chapter for task in store.tasks() if task.step == LAST_STEP}
    found = read_run(case, wish.label, book, price_model=wish.model)
    rows = [row if row.chapter in done else _unfinished(row, live.stopped) for row in found.chapters]
    if done & set(case.numbers):
        try:
            recording = record(
                book,
                case,
                name=f"{wish.slug}-{case.name}-{number}"[:80],
                label=wish.label,
                who=f"{wish.model}, asked through its provider",
                date=datetime.now(UTC).date().isoformat(),
            )
            live.recorded.append(write_recording(recording, out / "recordings"))
        except InputError as error:
            live.notes.append(f"{case.name}, repeat {number}: not recorded: {error}")
    return rows, [one for one in found.asked if one.chapter in done]


def _unfinished(row: ChapterResult, why: str) -> ChapterResult:
    """Return a chapter as unscored; what was spent on it stays."""
    reason = f"{NOT_FINISHED}: {why}" if why else NOT_FINISHED
    return row.model_copy(update={"outcomes": (), "b_cubed": None, "unscored": reason})


def report_lines(live: Live) -> Iterator[str]:
    """Yield the report of a live run, in Markdown."""
    wish = live.wish
    yield f"# {said(wish.model)}: {len(live.results)} of {wish.repeats} repeats [{wish.label}]"
    yield ""
    cap = "no cap" if wish.cap_usd is None else f"cap {_usd(wish.cap_usd)}"
    yield f"Spent {_usd(live.spent_usd)} ({cap})." + (f" Ended early: {said(live.stopped)}." if live.stopped else "")
    yield ""
    yield "| figure | mean | spread (sd) | least to most | runs |"
    yield "|---|---|---|---|---|"
    for name, pick in FIGURES.items():
        found = spread(live.results, pick)
        if found.mean is not None and found.least is not None and found.most is not None:
            sd = "one run" if found.sd is None else f"{found.sd:.1%}"
            yield f"| {name} | {found.mean:.1%} | {sd} | {found.least:.1%} to {found.most:.1%} | {found.n_runs} |"
    yield ""
    yield "| repeat | chapters scored | calls | questions | cents | estimate | left open |"
    yield "|---|---|---|---|---|---|---|"
    for at, result in enumerate(live.results, 1):
        rows = scored(result.chapters)
        opened = sum(row.trouble.get(name, 0) for row in rows for name in ("missing", "unparsed", "refused"))
        yield (
            f"| {at} | {len(rows)} of {len(result.chapters)} | {sum(r.n_calls for r in rows)} | {sum(r.n_questions for r in rows)}"
            f" | {sum(r.usd for r in rows) * 100:.3f} | {sum(r.estimate_usd for r in rows) * 100:.3f} | {opened} |"
        )
    if live.recorded:
        yield ""
        yield "Recorded for replay: " + ", ".join(folder.name for folder in live.recorded) + "."
    yield from map(said, live.notes)
