"""`analyzer wiki` and `analyzer report`: the readers' site and the author's page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli._app import AsJson, Book, given
from analyzer.cli._screen import print_json, print_path, say
from analyzer.wording import counted

if TYPE_CHECKING:
    from analyzer.publishing import Published

Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", parser=given, help="The folder of the site (default: wiki in the book's folder)."
    ),
]
OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", parser=given, help="The file to write (default: report.html in the book's folder)."
    ),
]
Through = Annotated[
    int | None,
    typer.Option("--through", metavar="N", help="Leave out everything after chapter N (default: the last one read)."),
]
Write = Annotated[
    bool, typer.Option("--write", help="Write the book's wiki.toml, to be edited: title, theme, what is hidden.")
]
MayTellAhead = Annotated[
    bool,
    typer.Option(
        "--may-tell-ahead",
        help="Write for readers even what rules answered: they weigh the whole book, so early chapters may show later things.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""

    @app.command()
    def wiki(
        book: Book,
        out: Out = None,
        through: Through = None,
        may_tell_ahead: MayTellAhead = False,
        write: Write = False,
        as_json: AsJson = False,
    ) -> None:
        """Write the readers' wiki: a folder of files for any host, which shows as much as they have read."""
        from analyzer import pipeline

        if write:
            print_path(pipeline.write_wiki_settings(book))
            say("edit it, then run: analyzer wiki BOOK")
            return
        _say(pipeline.wiki(book, out, through=through, may_tell_ahead=may_tell_ahead, tell=say), as_json=as_json)

    @app.command()
    def report(book: Book, out: OutFile = None, as_json: AsJson = False) -> None:
        """Write the author's report: one file with everything, what waits and what it cost."""
        from analyzer import pipeline

        _say(pipeline.report(book, out, tell=say), as_json=as_json)


def _say(made: Published, *, as_json: bool) -> None:
    if as_json:
        print_json(made)
        return
    print_path(Path(made.path))
    if made.n_files > 1:
        say(
            f"{counted(made.chapters, 'chapter')} in {made.n_files} files, {_kb(made.n_bytes)}: a first view loads "
            f"{_kb(made.first_view_bytes)}, a further chapter at most {_kb(made.largest_piece_bytes)}; it works from this folder and "
            "from any host of files"
        )
    else:
        say(
            f"{counted(made.chapters, 'chapter')} in one file, {_kb(made.n_bytes)}, for the author alone: it tells everything"
        )


def _kb(n: int) -> str:
    return f"{n / 1000:,.0f} KB"
