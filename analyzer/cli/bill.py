"""`analyzer bill`: every call and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli._app import AsJson, Book
from analyzer.cli._screen import loss_lines, print_json, print_table, safe, say, usd
from analyzer.wording import counted

if TYPE_CHECKING:
    from analyzer.models.run import Usage
    from analyzer.pipeline import Bill
    from analyzer.storage.status import StatusRead


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def bill(
        book: Book,
        as_json: AsJson = False,
        calls: Annotated[bool, typer.Option("--calls", help="One row per call instead of one per step.")] = False,
        at: Annotated[
            str, typer.Option("--at", metavar="M", help="Price what no model was asked for at this model.")
        ] = "gpt-6-luna",
    ) -> None:
        """Show input, cache, output and reasoning tokens and money, per step or per call."""
        from analyzer import pipeline
        from analyzer.errors import StoreBusyError

        try:
            made = pipeline.bill(book, would_be=at)
        except StoreBusyError:
            running = pipeline.status(book)
            if running is None:
                raise
            _print_running(running, as_json=as_json)
            return
        note = pipeline.unpriced_note(at)
        if note:
            say(f"--at: {note}")
        if as_json:
            print_json(made)
            return
        if not made.calls:
            say("no call has been made yet")
        if calls:
            _print_calls(made)
        else:
            _print_steps(made)
        _print_total(made)


def _print_total(made: Bill) -> None:
    """Say what all calls cost together, and which of them have no settled cost."""
    total = made.usage.total_input
    share = f"{made.usage.cache_read / total:.0%}" if total else "-"
    print(f"{counted(len(made.calls), 'call')}, {share} of input from cache, spent {usd(made.spent_usd)}")
    for words in loss_lines(made.cache_losses):
        print(safe(words))
    if made.n_open:
        counts = "was never settled and counts" if made.n_open == 1 else "were never settled and count"
        print(f"{counted(made.n_open, 'call')} {counts} in full")
    if made.n_unpriced:
        print(f"{counted(made.n_unpriced, 'call')} asked no provider, or one without a known price")
    if made.would_be_usd is not None:
        print(
            f"no model was asked for these tokens; at {made.would_be_model} prices they would have cost {usd(made.would_be_usd)}"
        )


def _print_running(running: StatusRead, *, as_json: bool) -> None:
    from analyzer.cli.status import print_running

    if as_json:
        print_json({"running": running})
        return
    print_running(running)
    say("the run holds the book: this is its running bill; every call stands here once it has ended")


def _print_calls(made: Bill) -> None:
    from analyzer.models.run import CACHE_REMARK

    found = [c.detail.partition(";")[0] if c.detail.startswith(CACHE_REMARK) else "" for c in made.calls]
    remarks = any(found)  # without the causes, which the sums under the table have
    rows = [
        (
            c.chapter,
            c.step,
            c.n_questions,
            c.attempt,
            c.status,
            c.answered_by,
            *(
                (c.usage.input, c.usage.cache_read, c.usage.cache_write, c.usage.output, c.usage.reasoning)
                if c.usage
                else ("-",) * 5
            ),
            usd(c.cost_usd) if c.settled else f"{usd(c.reserved_usd)} reserved",
            *((remark,) if remarks else ()),
        )
        for c, remark in zip(made.calls, found, strict=True)
    ]
    columns = (
        "ch",
        "step",
        "questions",
        "try",
        "state",
        "by",
        "input",
        "read",
        "written",
        "output",
        "reasoning",
        "cost",
        *(("remark",) if remarks else ()),
    )
    print_table(columns, rows, right=(0, 2, 3, 6, 7, 8, 9, 10, 11))


def _print_steps(made: Bill) -> None:
    from analyzer.models.run import Usage

    steps: dict[str, tuple[int, int, Usage, float]] = {}
    for c in made.calls:
        n, q, u, cost = steps.get(c.step, (0, 0, Usage(), 0.0))
        steps[c.step] = (n + 1, q + c.n_questions, u + (c.usage or Usage()), cost + (c.cost_usd or 0.0))
    rows = [
        (s, n, q, u.input, u.cache_read, u.cache_write, u.output, u.reasoning, usd(cost))
        for s, (n, q, u, cost) in steps.items()
    ]
    columns = ("step", "calls", "questions", "input", "read", "written", "output", "reasoning", "cost")
    print_table(columns, rows, right=range(1, 9))
