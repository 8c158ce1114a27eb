"""`analyzer chapters`: how the manuscript is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli._app import AsJson, Book, Encoding
from analyzer.cli._screen import print_json, print_path, print_table, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.text.manuscript import PreviewRow

Write = Annotated[
    bool, typer.Option("--write", help="Write them into the book's chapters.toml, to be edited: it then overrides all.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def chapters(book: Book, as_json: AsJson = False, write: Write = False, encoding: Encoding = None) -> None:
        """Show the chapters as they were found, with the reason and confidence of each, and what belongs to none."""
        from analyzer import pipeline

        if write:
            print_path(pipeline.write_chapters(book, encoding=encoding))
            say("edit it: while it is there it alone says what the chapters are")
            return
        rows = pipeline.chapters(book, encoding=encoding)
        for remark in pipeline.remarks(book, encoding=encoding, shown=True):
            say(remark)
        if as_json:
            print_json(list(rows))
            return
        _print_chapters(rows)
        dropped = pipeline.left_out(book, encoding=encoding)
        if dropped:
            print()
            columns = ("line", "characters", "in no chapter because it is", "begins")
            print_table(columns, ((d.line, d.n_chars, d.reason, d.first_words) for d in dropped), right=(0, 1))


def _print_chapters(rows: Sequence[PreviewRow]) -> None:
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
