"""`analyzer timeline`: what happens, chapter by chapter."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer.cli._app import AsJson, AsOf, Book, Plane
from analyzer.cli._screen import print_json, say

Of = Annotated[str, typer.Option("--of", metavar="@7", help="Only what is about this one of the cast.")]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def timeline(book: Book, of: Of = "", as_of: AsOf = None, plane: Plane = "author", as_json: AsJson = False) -> None:
        """Show entrances, changes, reveals, secrets exposed, threads and turns, each with its chapter and sentence."""
        from analyzer import pipeline
        from analyzer.cli._story_tables import print_events

        rows = pipeline.timeline(book, of=of, as_of=as_of, plane=plane, tell=say)
        if as_json:
            print_json(list(rows))
        elif rows:
            print_events(rows)
