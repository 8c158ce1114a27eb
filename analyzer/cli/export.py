"""`analyzer export`: the bible in the formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analyzer.cli._app import AsJson, AsOf, Book, Plane, given
from analyzer.cli._screen import print_json, say
from analyzer.cli.publish import MayTellAhead

FORMATS = ("csv", "gexf", "graphml", "jsonld", "markdown", "obsidian", "parquet")
"""What the help names; the formats themselves are found where they are (a test holds the two together)."""
Format = Annotated[str, typer.Option("--format", metavar="F", help=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}.")]
Out = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="PATH",
        parser=given,
        help="A folder for csv, obsidian and parquet, a file for the others; written whole or not at all.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def export(
        book: Book,
        format: Format,
        out: Out,
        as_of: AsOf = None,
        plane: Plane = "author",
        may_tell_ahead: MayTellAhead = False,
        as_json: AsJson = False,
    ) -> None:
        """Write the bible for other programs: a vault, graphs, tables, linked data, one readable file."""
        from analyzer import pipeline
        from analyzer.cli._screen import safe
        from analyzer.wording import counted

        made = pipeline.export(
            book, format=format, out=out, as_of=as_of, plane=plane, may_tell_ahead=may_tell_ahead, tell=say
        )
        if as_json:
            print_json(made)
            return
        for name in made.files:
            print(safe(name))
        rows = counted(sum(made.rows.values()), "row")
        say(
            f"{counted(len(made.files), 'file')}, {made.n_bytes:,} bytes, {rows}, as of chapter {made.as_of}, plane {made.plane}"
        )
