"""`analyzer init`: make a book for a manuscript."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer.cli._app import Encoding, KeptIn, ToRead
from analyzer.cli._screen import print_path, say
from analyzer.wording import counted, typed


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def init(
        manuscript: ToRead,
        book: KeptIn = None,
        language: Annotated[
            str | None,
            typer.Option("--language", metavar="L", help="The manuscript's language tag, if the guess is wrong."),
        ] = None,
        encoding: Encoding = None,
    ) -> None:
        """Make a book for a manuscript; changes nothing if it already is one."""
        from analyzer import pipeline

        folder = pipeline.init(manuscript, book=book, language=language, encoding=encoding)
        read = pipeline.manuscript_of(folder)
        shown = _language(read.language, read.language_certainty)
        say(f"{read.title}: {counted(len(read.chapters), 'chapter')}, {shown}; book in {folder}")
        for remark in pipeline.remarks(folder):
            say(remark)
        say(f"look at the chapters with: {typed('chapters', folder)}")
        print_path(folder)


def _language(tag: str, certainty: float) -> str:
    """Return a language and its certainty in words; 1 is what the author named or nothing speaks against."""
    if tag == "und":
        return "read without a language" if certainty >= 1 else "no language recognised; --language names one"
    return f"language {tag} ({'certain' if certainty >= 1 else f'{certainty:.0%} sure; --language names another'})"
