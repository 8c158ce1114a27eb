"""`analyzer threads`: what was set up and how it does."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer.cli._app import AsJson, AsOf, Book, Plane
from analyzer.cli._screen import print_json, say

IsOpen = Annotated[bool, typer.Option("--open", help="Only those that nothing has closed yet.")]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def threads(
        book: Book, is_open: IsOpen = False, as_of: AsOf = None, plane: Plane = "author", as_json: AsJson = False
    ) -> None:
        """Show threads: fresh, active, dormant for how many chapters, overdue, paid, paid without a plant."""
        from analyzer import pipeline
        from analyzer.cli._story_tables import print_threads

        rows = pipeline.show_threads(book, is_open=is_open, as_of=as_of, plane=plane, tell=say)
        if as_json:
            print_json(list(rows))
        elif rows:
            print_threads(rows)
