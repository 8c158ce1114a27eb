"""`analyzer review` and `analyzer decide`: what waits for the author, and what he decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli._app import AsJson, Book
from analyzer.cli._screen import print_json, safe, say
from analyzer.errors import ConfigError
from analyzer.wording import typed

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.pipeline import DecisionRead, ReviewRow

What = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[VERB WHAT…]",
        help="confirm WHAT, reject WHAT, rename @7 NAME, merge @2 @9, split @3 NAME…, never-merge @1 @2, reveal @5 @1; "
        "WHAT is '@1 parent_of @2', '@7', '@3 = @9', '@5 is @1', '@3 called NAME' or an id.",
    ),
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="5:12.3", help="The sentence (chapter:block.sentence) that shows it to readers."),
]
IsRejected = Annotated[bool, typer.Option("--reject", help="With reveal: it is not true.")]
IsUndone = Annotated[bool, typer.Option("--undo", help="Undo a decision by its id, without one the last in force.")]
Listed = Annotated[bool, typer.Option("--list", help="Show all decisions as they stand.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""

    @app.command()
    def review(book: Book, as_json: AsJson = False) -> None:
        """Show what waits for you: reveals, thin merges, doubtful facts, decisions that wait; each with the command to type."""
        from analyzer import pipeline

        rows = pipeline.review(book)
        if as_json:
            print_json(list(rows))
            return
        for row in rows:
            _print_review(row)
        if not rows:
            say("nothing waits")

    @app.command()
    def decide(
        book: Book,
        what: What = None,
        at: At = None,
        rejected: IsRejected = False,
        undone: IsUndone = False,
        listed: Listed = False,
        as_json: AsJson = False,
    ) -> None:
        """Decide what the book gets wrong; your word outlives every analysis and edit, and feeds the next run."""
        words = what or []
        if (listed or undone) and ((listed and (undone or words)) or len(words) > 1 or at or rejected):
            raise ConfigError("--list and --undo go alone", hint=typed("decide", book, "--undo", "d7"))
        rows = _listed(book) if listed else (_undone(book, words) if undone else _decided(book, words, at, rejected),)
        if as_json:
            print_json(list(rows) if listed else rows[0])
            return
        for row in rows:
            _print(row)
        if not listed:
            say(f"later chapters follow with the next run: {typed('run', book)}")


def _listed(book: Path) -> tuple[DecisionRead, ...]:
    from analyzer import pipeline

    return pipeline.decisions(book)


def _undone(book: Path, words: list[str]) -> DecisionRead:
    from analyzer import pipeline

    return pipeline.undo(book, words[0] if words else None)


def _decided(book: Path, words: list[str], at: str | None, rejected: bool) -> DecisionRead:
    from analyzer import pipeline

    if not words:
        raise ConfigError("nothing is decided", hint=f"see: {typed('review', book)}, {typed('decide', '--help')}")
    return pipeline.decide(book, words[0], words[1:], at=at, rejected=rejected)


def _print_review(row: ReviewRow) -> None:
    where = f", chapter {row.chapter}" if row.chapter else ""
    votes = f" [{row.votes}]" if row.votes else ""
    print(safe(f"{row.kind}{where}: {row.what}: {row.why}{votes}"))
    for quote in row.words:
        print(safe(f"  {quote.chapter}:{quote.place} {quote.text}"))
    for command in row.commands:
        print(safe(f"  {command}"))


def _print(row: DecisionRead) -> None:
    seen = f"; readers see it from chapter {row.since}" if row.since else ""
    state = "undone: " if row.undone else f"overruled by {row.overruled_by}: " if row.overruled_by else ""
    print(safe(f"{row.id} {state}{row.kind.replace('_', '-')}: {row.what}{seen}"))
    for words in row.told:
        print(safe(f"  {words}"))
