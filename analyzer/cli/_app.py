"""The typer app and the options several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analyzer.errors import InputError

app = typer.Typer(
    name="analyzer",
    help="Read a serial novel chapter by chapter and keep a story bible true.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def given(words: str) -> Path:
    """Return a path as it was typed; raises InputError for an empty one, which is no name of the folder one is in."""
    if not words:
        raise InputError("the path given is empty", hint="name a manuscript or the folder of a book; . is this folder")
    return Path(words)


Book = Annotated[
    Path,
    typer.Argument(metavar="BOOK", parser=given, help="The book's folder, or the manuscript it was made from."),
]
ToRead = Annotated[
    Path,
    typer.Argument(
        metavar="MANUSCRIPT", parser=given, help="A text, Markdown, HTML, EPUB … file, or a folder of them."
    ),
]
KeptIn = Annotated[
    Path | None,
    typer.Option("--book", metavar="DIR", parser=given, help="Where the book is kept (default: beside it)."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
AsOf = Annotated[
    int | None,
    typer.Option("--as-of", metavar="N", help="As the book stood after chapter N (default: the last one read)."),
]
Plane = Annotated[
    str,
    typer.Option(
        "--plane",
        metavar="P",
        help="Whose eyes: author (all of it), reader (no spoilers), or character:@7 (what @7 knows).",
    ),
]
Chapters = Annotated[str | None, typer.Option("--chapters", metavar="1-6", help="Only these chapters: 1-6,9.")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="M",
        help="Who answers: gpt-6-luna (default), anthropic/…, gemini/…, deepseek/…, local:FILE.gguf, rules, gold:DIR, inbox:DIR.",
    ),
]
Off = Annotated[
    list[str] | None,
    typer.Option(
        "--off",
        metavar="PART",
        help="Leave a part or a step out (again for more); off = [] in analyzer.toml keeps it so.",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding", metavar="E", help="The manuscript's encoding, if the guess is wrong; the book keeps it."
    ),
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="Any OpenAI-compatible server.")]
