"""The classes of the story under `analyzer show`: one command each, all with the same options."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import typer

from analyzer.cli._app import AsJson, AsOf, Book, Plane
from analyzer.cli._screen import print_json, say


class _Shown(NamedTuple):
    """One command: `name` is its word, that of `pipeline.show_NAME` and of `_story_tables.print_NAME`."""

    name: str
    help: str


SHOWN = (
    _Shown("changes", "Show what changed in everybody's state, and what of it still holds."),
    _Shown("looks", "Show how everybody looks, since where."),
    _Shown("secrets", "Show who keeps what from whom, and what has come out."),
    _Shown("knowledge", "Show who came to know, believe or suspect what, how and from whom."),
    _Shown("threads", "Show what was set up, how it does, and what was paid."),
    _Shown("reveals", "Show who turns out to be whom; the author sees proposals too."),
    _Shown("turns", "Show how relations of earlier chapters end, turn, or come out."),
    _Shown("speech", "Show who says each quotation to whom."),
    _Shown("cards", "Show each chapter on a card."),
)


def add(shown: typer.Typer) -> None:
    """Add the commands."""
    for one in SHOWN:
        shown.command(one.name, help=one.help)(_command(one.name))


def _command(name: str) -> Callable[..., None]:
    def command(book: Book, as_of: AsOf = None, plane: Plane = "author", as_json: AsJson = False) -> None:
        from analyzer import pipeline
        from analyzer.cli import _story_tables

        rows = getattr(pipeline, f"show_{name}")(book, as_of=as_of, plane=plane, tell=say)
        if as_json:
            print_json(list(rows))
        elif rows:
            getattr(_story_tables, f"print_{name}")(rows)

    return command
