"""`analyzer verify`: is the store whole."""

from __future__ import annotations

import typer

from analyzer.cli._app import AsJson, Book
from analyzer.cli._screen import print_json, safe, say


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def verify(book: Book, as_json: AsJson = False) -> None:
        """Check the store: every integrity query must return no rows; exit code 6 otherwise."""
        from analyzer import pipeline

        found = pipeline.verify(book)
        if as_json:
            print_json(found)
        else:
            for line in found:
                print(safe(line))
        if not found:
            say("the store is whole")
        raise typer.Exit(6 if found else 0)
