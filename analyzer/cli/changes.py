"""`analyzer changes`: everything one chapter changes."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer.cli._app import AsJson, AsOf, Book, Plane
from analyzer.cli._screen import print_json, say


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def changes(
        book: Book,
        chapter: Annotated[int, typer.Argument(metavar="CHAPTER", help="The chapter's number.")],
        as_of: AsOf = None,
        plane: Plane = "author",
        as_json: AsJson = False,
    ) -> None:
        """Show everything a chapter changes: cast, names, relations, states, looks, secrets, knowledge, threads."""
        from analyzer import pipeline
        from analyzer.cli._story_tables import print_events

        rows = pipeline.what_changes(book, chapter, as_of=as_of, plane=plane, tell=say)
        if as_json:
            print_json(list(rows))
        elif rows:
            print_events(rows)
