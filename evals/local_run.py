"""One excerpt through the real pipeline with a local model for a limited time: how it went, scored as every run is."""

from __future__ import annotations

import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from analyzer import pipeline
from analyzer.llm.transports.gold import true_answer
from analyzer.llm.transports.gold_book import GoldView
from analyzer.models.question import Answer
from analyzer.models.rows import AnswerRow
from analyzer.models.run import CallRecord, Usage
from analyzer.models.text import Manuscript
from analyzer.scheduler.events import Event, RunOutcome
from analyzer.storage.store import Store
from analyzer.text.languages import language_table
from evals.excerpt import Excerpt
from evals.recordings import LAST_STEP
from evals.records import ChapterResult, Figure
from evals.runs import INTERRUPTED, STORY, Answerer, CaseRun, read_run, start_book
from evals.scoring.figures import Counted, pooled

TIME_LIMIT = "stopped by its time limit"
BY_HAND = "interrupted"
NOT_BEGUN = "not begun"


@dataclass(frozen=True)
class StepScore:
    """Answers of one step in one chapter against what gold says to the same questions, each as (hits, n).

    `right` are equal picks (as sets); `none` how many an answerer would get right that always says none; `picks` the
    picks gold bears out of all made, `wanted` those made of all gold wants. `seconds` are those of the step's calls.
    """

    step: str
    right: Counted = (0, 0)
    none: Counted = (0, 0)
    picks: Counted = (0, 0)
    wanted: Counted = (0, 0)
    n_calls: int = 0
    seconds: float = 0.0


class StepFigures(NamedTuple):
    """A step over several chapters: the figures of `StepScore`, and the seconds a question (None: none was put)."""

    step: str
    right: Figure
    none: Figure
    picks: Figure
    wanted: Figure
    seconds: float | None


class Judged(NamedTuple):
    """One answer against the true one: whether it is right, whether none is, and how many picks agree, were made, are true."""

    right: bool
    none: bool
    n_agreed: int
    n_made: int
    n_true: int


@dataclass(frozen=True)
class LocalText:
    """What came of one excerpt: `run` is its score as of every run, `end` says why it ended before its work was done ("": it did not).

    `problem` are the words of the error that ended it; `seconds` what all its calls took, one after another, those of earlier
    sittings too. Calls and tokens are the server's own.
    """

    name: str
    n_blocks: tuple[tuple[int, int], ...]
    run: CaseRun
    steps: tuple[StepScore, ...]
    seconds: float
    end: str = ""
    problem: str = ""

    @property
    def usage(self) -> Usage:
        """The tokens of all calls."""
        return sum((chapter.usage for chapter in self.run.chapters), Usage())

    @property
    def n_calls(self) -> int:
        """How many calls were made."""
        return sum(chapter.n_calls for chapter in self.run.chapters)

    @property
    def cached_share(self) -> float | None:
        """Share of all input that the server took from its cache, by its own count."""
        return self.usage.cache_read / self.usage.total_input if self.usage.total_input else None


class Clock:
    """Stops a run as Ctrl-C does once its time is over; what is in flight ends and everything is saved.

    It looks whenever the run tells something, at most `EVERY_S` of the scheduler's progress after a call has ended.
    """

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._end = now() + seconds
        self.is_over = False

    def __call__(self, event: Event) -> None:
        """Look at the clock; before its first call the run does not listen for Ctrl-C yet."""
        if not self.is_over and event.progress.n_calls_done and self._now() > self._end:
            self.is_over = True
            signal.raise_signal(signal.SIGINT)


def local_answerer(file: Path) -> Answerer:
    """Return the model in a GGUF file as an answerer of cast and relations; results name the file and no folder.

    The story is left out: one question at a time, a small model would need days for a chapter.
    """
    return Answerer(f"local:{file.name}", "local model", lambda _case: f"local:{file}", off=STORY)


def run_excerpt(made: Excerpt, answerer: Answerer, folder: Path, *, seconds: float) -> LocalText:
    """Run an excerpt in `folder` (its book stays there under its name) for at most about `seconds`, and score what is there.

    A chapter that was not read to its end is scored and says so (`ChapterResult.partial`), one that was not begun is unscored.
    """
    clock = Clock(seconds)
    # the run listens for Ctrl-C itself; just before and after it nothing must be thrown away
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        book, outcome = start_book(made.case, answerer, folder, on_event=clock, untested=True, concurrency=1)
    finally:
        signal.signal(signal.SIGINT, before)
    end = _end(outcome, timed_out=clock.is_over)
    with Store.open(book) as store:
        answers, calls = store.all_answers(), store.calls()
        done = {task.chapter for task in store.tasks() if task.step == LAST_STEP}
    found = read_run(made.case, answerer.label, book, price_model="")
    chapters = tuple(row if row.chapter in done or not end else _unfinished(row, end) for row in found.chapters)
    return LocalText(
        name=made.case.name,
        n_blocks=made.n_blocks,
        run=CaseRun(chapters, found.asked),
        steps=by_step(answers, calls, views_of(made, pipeline.manuscript_of(book))),
        seconds=sum(map(_took, calls)),
        end=end,
        problem=str(outcome.error or ""),
    )


def _end(outcome: RunOutcome, *, timed_out: bool) -> str:
    if timed_out:
        return TIME_LIMIT
    if outcome.error is not None:
        return f"ended by an error (exit code {outcome.exit_code})"
    return BY_HAND if outcome.exit_code == INTERRUPTED else ""


def _unfinished(row: ChapterResult, end: str) -> ChapterResult:
    """Return a chapter as read in part, or as unscored where nothing was asked in it: that is no zero."""
    if row.n_calls:
        return row.model_copy(update={"partial": end})
    return row.model_copy(update={"outcomes": (), "b_cubed": None, "unscored": f"{NOT_BEGUN}: {end}"})


def views_of(made: Excerpt, read: Manuscript) -> dict[int, GoldView]:
    """Return each chapter's gold as something that can be asked."""
    found: dict[int, GoldView] = {}
    ids: dict[str, str] = {}
    for at, gold in enumerate(made.chapters):
        chapter = read.chapter(at + 1)
        if chapter is not None:
            found[at + 1] = GoldView(gold, chapter, language_table(chapter.language), made.chapters[:at], ids)
    return found


def by_step(
    answers: Iterable[AnswerRow], calls: Iterable[CallRecord], views: Mapping[int, GoldView]
) -> tuple[StepScore, ...]:
    """Return for each step and chapter how many answers say what gold says, in the order in which they first asked."""
    took: dict[tuple[str, int], list[float]] = {}
    for call in sorted(calls, key=lambda c: c.started_at):
        took.setdefault((call.step, call.chapter), []).append(_took(call))
    judged: dict[tuple[str, int], list[Judged]] = defaultdict(list)
    for row in answers:
        view = views.get(row.chapter)
        if view is not None:
            judged[row.step, row.chapter].append(judge(row.answer, true_answer(row.question, view)))
    return tuple(_step(key[0], judged[key], took.get(key, [])) for key in dict.fromkeys((*took, *judged)))


def _took(call: CallRecord) -> float:
    """Return the seconds of a call; 0 for one that never ended, or where the clock was set back."""
    return max(0.0, (call.ended_at or call.started_at) - call.started_at)


def _step(name: str, rows: list[Judged], took: list[float]) -> StepScore:
    n_agreed = sum(row.n_agreed for row in rows)
    return StepScore(
        step=name,
        right=(sum(row.right for row in rows), len(rows)),
        none=(sum(row.none for row in rows), len(rows)),
        picks=(n_agreed, sum(row.n_made for row in rows)),
        wanted=(n_agreed, sum(row.n_true for row in rows)),
        n_calls=len(took),
        seconds=sum(took),
    )


def judge(answer: Answer, truth: Answer) -> Judged:
    """Return one answer against the true one; an answer that could not be read is wrong and picks nothing."""
    read = answer.status in ("answered", "none")
    mine, true = set(answer.picked), set(truth.picked)
    return Judged(read and mine == true, not true, len(mine & true), len(mine), len(true))


def step_figures(texts: Iterable[LocalText]) -> tuple[StepFigures, ...]:
    """Return the steps of several texts together; intervals draw chapters, as everywhere."""
    found: dict[str, list[StepScore]] = {}
    for text in texts:
        for score in text.steps:
            found.setdefault(score.step, []).append(score)
    return tuple(_figures(name, rows) for name, rows in found.items())


def _figures(name: str, rows: list[StepScore]) -> StepFigures:
    n_calls = sum(row.n_calls for row in rows)
    return StepFigures(
        name,
        pooled([row.right for row in rows]),
        pooled([row.none for row in rows]),
        pooled([row.picks for row in rows]),
        pooled([row.wanted for row in rows]),
        sum(row.seconds for row in rows) / n_calls if n_calls else None,
    )
