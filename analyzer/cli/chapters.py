"""`analyzer chapters`: how the manuscript is cut."""

from __future__ import annotations

import typer

from analyzer.cli._app import AsJson, Book
from analyzer.cli._screen import print_json, print_table


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def chapters(book: Book, as_json: AsJson = False) -> None:
        """Show the chapters as they were found, with the reason and confidence of each."""
        from analyzer import pipeline

        rows = pipeline.chapters(book)
        if as_json:
            print_json(list(rows))
            return
        columns = ("no", "kind", "label", "title", "lang", "blocks", "sentences", "words", "sure", "reason", "begins")
        print_table(
            columns,
            (
                (
                    r.no,
                    r.kind,
                    r.label,
                    r.title,
                    r.language,
                    r.n_blocks,
                    r.n_sentences,
                    r.n_words,
                    f"{r.confidence:.2f}",
                    r.reason,
                    r.first_words,
                )
                for r in rows
            ),
            right=(0, 5, 6, 7, 8),
        )
