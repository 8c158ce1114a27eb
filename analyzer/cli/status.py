"""`analyzer status`: what the run that holds a book is doing, or how the last one ended."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import typer

from analyzer.cli._app import AsJson, Book
from analyzer.cli._screen import loss_lines, print_json, print_table, safe, say, usd

if TYPE_CHECKING:
    from analyzer.storage.status import StatusRead


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def status(book: Book, as_json: AsJson = False) -> None:
        """Show the run in progress or the last one; works while a run holds the book."""
        from analyzer import pipeline

        found = pipeline.status(book)
        if as_json:
            print_json(found)
            return
        if found is None:
            say("no run has been started yet")
            return
        print_running(found)


def _clock(seconds: float) -> str:
    """Return a time of this machine's day."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M:%S}"


def print_running(found: StatusRead) -> None:
    """Print how a run is going, from the small file it replaces as it goes."""
    state = found.status
    share = f"{state.cache_share:.0%}" if state.cache_share is not None else "-"
    cap = f" of {usd(state.cap_usd)}" if state.cap_usd is not None else ""
    left = f", {int(state.eta_s)} s left" if state.eta_s is not None and found.is_running else ""
    broken_off = not found.is_running and not state.has_ended
    how = "running" if found.is_running else "not running"
    print(safe(f"{how} (process {state.pid}), {'broken off' if broken_off else state.phase}, model {state.model}"))
    print(
        f"calls {state.n_calls_done}/{state.n_calls_planned}, from cache {share}, spent {usd(state.spent_usd)}{cap}{left}"
    )
    for words in loss_lines(state.cache_losses):
        print(safe(words))
    if broken_off:
        print(
            f"its process is gone without an end (killed?); this is what it last said, at {_clock(state.updated_at)}: "
            "the bill counts every call"
        )
        print("every answer that arrived is stored; run the same command again to go on")
    if state.steps:
        print_table(("step", "calls", "of"), ((s.step, s.n_done, s.n_planned) for s in state.steps), right=(1, 2))
