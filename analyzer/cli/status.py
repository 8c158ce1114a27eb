"""`analyzer status`: what the run that holds a book is doing, or how the last one ended."""

from __future__ import annotations

import typer

from analyzer.cli._app import AsJson, Book
from analyzer.cli._screen import print_json, say, usd


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
        state = found.status
        alive = "running" if found.alive else "not running"
        share = f"{state.cache_share:.0%}" if state.cache_share is not None else "-"
        cap = f" of {usd(state.cap_usd)}" if state.cap_usd is not None else ""
        print(f"{alive} (process {state.pid}), {state.phase}, model {state.model}")
        print(f"calls {state.calls_done}/{state.calls_planned}, from cache {share}, spent {usd(state.spent_usd)}{cap}")
