"""How an estimate is shown, by `plan` and before `run`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.cli._screen import print_table, usd
from analyzer.wording import counted, in_rows

if TYPE_CHECKING:
    from analyzer.due import DueTask
    from analyzer.scheduler.explain import ExplainedChapter, ExplainedStep, Explanation
    from analyzer.scheduler.plan import Estimate


def print_estimate(made: Estimate) -> None:
    """Print the estimate, one row per step and the sum; what answers on this machine is free."""
    from analyzer.llm.connect import answers_for_nothing

    free = answers_for_nothing(made.model)

    def cost(amount: float | None) -> str:
        return "free" if free and amount is None else usd(amount)

    rows: list[tuple[object, ...]] = [
        (
            r.step,
            r.n_questions,
            r.n_calls,
            r.input_tokens,
            r.cached_tokens,
            r.output_tokens,
            cost(r.low_usd),
            cost(r.likely_usd),
            cost(r.high_usd),
        )
        for r in made.rows
    ]
    rows.append(
        (
            "all",
            made.n_questions,
            made.n_calls,
            sum(r.input_tokens for r in made.rows),
            sum(r.cached_tokens for r in made.rows),
            sum(r.output_tokens for r in made.rows),
            cost(made.low_usd),
            cost(made.likely_usd),
            cost(made.high_usd),
        )
    )
    columns = ("step", "questions", "calls", "input", "from cache", "output", "low", "likely", "high")
    print_table(
        columns,
        rows,
        title=f"estimate for {counted(made.n_chapters, 'chapter')} at {made.price_note}",
        right=range(1, 9),
    )
    more = more_words(made)
    if more:
        print(more)


def print_explained(told: Explanation, *, by_chapter: bool = False) -> None:
    """Print each step's figures, then why it is asked this way; with `by_chapter` also every chapter in which a step asks."""
    from analyzer.llm.connect import answers_for_nothing

    free = answers_for_nothing(told.estimate.model)

    def figures(r: ExplainedStep | ExplainedChapter) -> tuple[object, ...]:
        packs = " + ".join(map(str, r.packs)) if r.questions else "-"
        money = "free" if free and r.usd is None else usd(r.usd)
        return (r.candidates, r.questions, packs, r.calls, r.cache_read, r.cache_write, r.input, r.output, money)

    columns = ("candidates", "questions", "pack", "calls", "read", "written", "fresh", "out", "likely")
    rows = [(step.step, *figures(step)) for step in told.steps]
    print_table(("step", *columns), rows, title="what each step asks, and its tokens by class", right=range(1, 10))
    if by_chapter:
        asked = [
            (step.step, part.chapter, *figures(part)) for step in told.steps for part in step.chapters if part.questions
        ]
        print_table(("step", "chapter", *columns), asked, title="the same by chapter", right=range(1, 11))
    whys = [
        (step.step, SIGNS.get(step.sign, ""), "; ".join(f"{w.words} [{w.source}]" for w in step.why))
        for step in told.steps
    ]
    print_table(("step", "candidates are", "why this way [source]"), whys, title="why this way")


SIGNS = {
    "names": "names",
    "new_names": "new names",
    "described": "descriptions",
    "pairs": "near pairs",
    "sentences": "sentences",
    "past": "chapters before",
}


def more_words(made: Estimate, *, lead: str = "") -> str:
    """Return what may come on top of an estimate, behind `lead`; "" where nothing may."""
    if not made.more_calls:
        return ""
    noun = "chapter" if len(made.more_chapters) == 1 else "chapters"
    money = f", {usd(made.more_usd)} more," if made.more_usd is not None else ""
    where = f"where the cast of {noun} {in_rows(made.more_chapters)} changes"
    return f"{lead}up to {counted(made.more_calls, 'more call', 'more calls')}{money} {where}"


ASKED = {"yes": "asked", "maybe": "asked where what is shown changed", "no": "not asked"}


def print_due(tasks: Sequence[DueTask]) -> None:
    """Print why tasks would run, chapters with the same reason in one row; a sentence where all are new, or none would run."""
    from analyzer.due import due_rows

    if all(task.reason == "never_run" for task in tasks):
        print("every task would run because it is new: nothing of these chapters has been read yet")
        return
    if all(task.reason == "done" for task in tasks):
        print(
            "nothing would run, and nothing be spent: every task of these chapters is done and nothing has changed since"
        )
        return
    rows = [(row.chapters, row.n_tasks, row.detail, ASKED[row.asks]) for row in due_rows(tasks)]
    print_table(("chapters", "tasks", "why", "model"), rows, title="why tasks would run", right=(1,))
