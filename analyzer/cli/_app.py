"""The typer app and the options several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="analyzer",
    help="Read a serial novel chapter by chapter and keep a story bible true.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Book = Annotated[Path, typer.Argument(metavar="BOOK", help="The book's folder, or the manuscript it was made from.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
AsOf = Annotated[int | None, typer.Option("--as-of", metavar="N", help="As the book stood after chapter N.")]
Chapters = Annotated[str | None, typer.Option("--chapters", metavar="1-6", help="Only these chapters: 1-6,9.")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="M",
        help="Who answers: gpt-6-luna (default), anthropic/…, gemini/…, deepseek/…, local:FILE.gguf, rules, gold:DIR, inbox:DIR.",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding", metavar="E", help="The manuscript's encoding, if the guess is wrong; the book keeps it."
    ),
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="Any OpenAI-compatible server.")]
