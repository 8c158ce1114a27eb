"""`analyzer knows`: how somebody stands to everything as of a chapter."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer.cli._app import AsJson, AsOf, Book, Plane
from analyzer.cli._screen import print_json, say


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def knows(
        book: Book,
        who: Annotated[str, typer.Argument(metavar="@7", help="A handle of the cast, or `reader`.")],
        as_of: AsOf = None,
        plane: Plane = "author",
        as_json: AsJson = False,
    ) -> None:
        """Show what somebody knows, believes, suspects and does not know; since when, how, from whom, in which words."""
        from analyzer import pipeline
        from analyzer.cli._story_tables import print_known

        rows = pipeline.known_to(book, who, as_of=as_of, plane=plane, tell=say)
        if as_json:
            print_json(list(rows))
        elif rows:
            print_known(rows)
