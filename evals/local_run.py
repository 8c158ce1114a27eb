"""One excerpt through the real pipeline with a local model: how it went, against gold."""

from __future__ import annotations

import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analyzer import pipeline
from analyzer.bible import fold
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
from evals.score import ChapterScore, Count, score_chapter

NOTHING = Count(0, 0)


@dataclass(frozen=True)
class StepScore:
    """Answers of one step against what gold says to the same questions.

    `right` are equal picks (as sets); `none` how many an answerer would get right that always says none; `picks` the
    picks gold bears out of all made, `wanted` those made of all gold wants.
    """

    right: Count = NOTHING
    none: Count = NOTHING
    picks: Count = NOTHING
    wanted: Count = NOTHING
    n_calls: int = 0
    seconds: float = 0.0

    def __add__(self, other: StepScore) -> StepScore:
        """Return pooled counts."""
        return StepScore(
            self.right + other.right,
            self.none + other.none,
            self.picks + other.picks,
            self.wanted + other.wanted,
            self.n_calls + other.n_calls,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True)
class LocalResult:
    """What came of one excerpt; `stopped` says that the time was over before the work was done."""

    name: str
    n_blocks: tuple[tuple[int, int], ...]
    scores: tuple[ChapterScore, ...]
    steps: dict[str, StepScore]
    usage: Usage
    n_calls: int
    seconds: float
    stopped: bool
    problem: str = ""
    issues: dict[str, int] = field(default_factory=dict)

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


def run_excerpt(made: Excerpt, model: str, *, seconds: float, book: Path) -> LocalResult:
    """Run the pipeline on an excerpt with `model` for at most about `seconds` and score it."""
    folder = pipeline.init(made.manuscript, book=book, language=made.chapters[0].language)
    clock, began = Clock(seconds), time.monotonic()
    request = pipeline.RunRequest(model=model, untested=True, concurrency=1)
    # the run listens for Ctrl-C itself; just before and after it nothing must be thrown away
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        outcome = pipeline.run(folder, request, on_event=clock)
    finally:
        signal.signal(signal.SIGINT, before)
    took = time.monotonic() - began
    return _result(made, folder, outcome, took, stopped=clock.is_over)


def _result(made: Excerpt, folder: Path, outcome: RunOutcome, took: float, *, stopped: bool) -> LocalResult:
    read = pipeline.manuscript_of(folder)
    with Store.open(folder) as store:
        answers = store.all_answers()
        calls = store.calls()
        issues: dict[str, int] = defaultdict(int)
        for _, issue in store.issues():
            issues[issue.code] += 1
        bibles = [
            fold((s.fact for s in store.facts(no)), through=no, handles=store.handles())
            for no in range(1, len(made.chapters) + 1)
        ]
    scores = tuple(
        score_chapter(bible, gold, earlier=made.chapters[:at], label=f"{made.manuscript.stem}, chapter {at + 1}")
        for at, (bible, gold) in enumerate(zip(bibles, made.chapters, strict=True))
    )
    return LocalResult(
        name=made.manuscript.stem,
        n_blocks=made.n_blocks,
        scores=scores,
        steps=by_step(answers, calls, views_of(made, read)),
        usage=sum((c.usage for c in calls if c.usage), Usage()),
        n_calls=len(calls),
        seconds=took,
        stopped=stopped,
        problem=str(outcome.error or ""),
        issues=dict(issues),
    )


def views_of(made: Excerpt, read: Manuscript) -> dict[int, GoldView]:
    """Return each chapter's gold as something that can be asked."""
    found = {}
    for at, gold in enumerate(made.chapters):
        chapter = read.chapter(at + 1)
        if chapter is not None:
            found[at + 1] = GoldView(gold, chapter, language_table(chapter.language), made.chapters[:at])
    return found


def by_step(
    answers: Iterable[AnswerRow], calls: Iterable[CallRecord], views: dict[int, GoldView]
) -> dict[str, StepScore]:
    """Return for each step how many answers say what gold says, in the order the steps first asked."""
    found: dict[str, StepScore] = {}
    for call in sorted(calls, key=lambda c: c.started_at):
        took = max(0.0, (call.ended_at or call.started_at) - call.started_at)
        found[call.step] = found.get(call.step, StepScore()) + StepScore(n_calls=1, seconds=took)
    for row in answers:
        view = views.get(row.chapter)
        if view is not None:
            score = answer_score(row.answer, true_answer(row.question, view))
            found[row.step] = found.get(row.step, StepScore()) + score
    return found


def answer_score(answer: Answer, truth: Answer) -> StepScore:
    """Return one answer against the true one; an answer that could not be read is wrong and picks nothing."""
    read = answer.status in ("answered", "none")
    mine, true = set(answer.picked), set(truth.picked)
    return StepScore(
        right=Count(int(read and mine == true), 1),
        none=Count(int(not true), 1),
        picks=Count(len(mine & true), len(mine)),
        wanted=Count(len(mine & true), len(true)),
    )


def pooled(results: Sequence[LocalResult]) -> dict[str, StepScore]:
    """Return the steps of several runs together."""
    found: dict[str, StepScore] = {}
    for result in results:
        for step, score in result.steps.items():
            found[step] = found.get(step, StepScore()) + score
    return found
