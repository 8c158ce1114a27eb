"""`analyzer show`: cast, relations, one chapter; the classes of the story are in `_story`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli._app import AsJson, AsOf, Book, Plane
from analyzer.cli._screen import print_json, print_table, safe, say
from analyzer.cli._story import add

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.export.show import CastRow, RelationRow

Hidden = Annotated[bool, typer.Option("--all", help="Also the kinds hidden by default (acquaintance_of, suspects).")]
QUOTE_CHARS = 90


def register(app: typer.Typer) -> None:
    """Add the commands."""
    shown = typer.Typer(
        help="Show the bible: cast, relations, chapter, changes, looks, secrets and the rest.", no_args_is_help=True
    )
    app.add_typer(shown, name="show")

    @shown.command()
    def cast(book: Book, as_of: AsOf = None, plane: Plane = "author", as_json: AsJson = False) -> None:
        """Show who and what is in the book, under which names, since when."""
        from analyzer import pipeline

        rows = pipeline.show_cast(book, as_of=as_of, plane=plane, tell=say)
        if as_json:
            print_json(list(rows))
        elif rows:
            print_cast(rows)

    @shown.command()
    def relations(
        book: Book, as_of: AsOf = None, plane: Plane = "author", as_json: AsJson = False, hidden: Hidden = False
    ) -> None:
        """Show how they are related, with the words that show it."""
        from analyzer import pipeline

        rows = pipeline.show_relations(book, as_of=as_of, hidden=hidden, plane=plane, tell=say)
        if as_json:
            print_json(list(rows))
        elif rows:
            print_relations(rows)

    @shown.command()
    def chapter(
        book: Book,
        number: Annotated[
            int | None, typer.Argument(metavar="N", help="The chapter's number (without it: that of --as-of, else 1).")
        ] = None,
        as_of: AsOf = None,
        plane: Plane = "author",
        as_json: AsJson = False,
    ) -> None:
        """Show one chapter: who is there, what relations it shows, what was odd."""
        from analyzer import pipeline

        wanted = number if number is not None else as_of if as_of is not None else 1
        view = pipeline.show_chapter(book, wanted, as_of=as_of, plane=plane, tell=say)
        if as_json:
            print_json(view)
            return
        print(safe(_heading(view.no, view.label, view.title)))
        print_cast(view.cast)
        print_relations(view.relations)
        for code, n in sorted(view.issues.items()):
            print(f"{n} x {code}")

    add(shown)


def _heading(no: int, label: str, title: str) -> str:
    """Return how a chapter is headed: its number, the printed one where that is another, its title where it has one."""
    printed = f" ({label})" if label not in ("", str(no)) else ""
    return f"Chapter {no}{printed}" + (f": {title}" if title not in ("", label, str(no)) else "")


def print_cast(rows: Iterable[CastRow]) -> None:
    """Print the cast as a table."""
    print_table(
        ("handle", "kind", "name", "also called", "since", "chapters", "mentions"),
        (
            (
                r.handle,
                r.kind,
                r.name,
                ", ".join(n for n in r.names if n != r.name)[:80] if r.named else "(no name)",
                r.first_chapter,
                ",".join(str(c) for c in sorted(r.presence))[:30],
                r.n_mentions,
            )
            for r in rows
        ),
        right=(4, 6),
    )


def _quote(row: RelationRow) -> str:
    if not row.evidence:
        return ""
    first = row.evidence[0]
    text = " ".join(first.text.split())
    return f"{first.chapter}:{first.place} {text if len(text) <= QUOTE_CHARS else text[: QUOTE_CHARS - 1] + '…'}"


def print_relations(rows: Iterable[RelationRow]) -> None:
    """Print relations as a table with the first quote of each."""
    print_table(
        ("who", "relation", "whom", "status", "", "since", "votes", "words"),
        (
            (
                f"{r.subject} {r.subject_name}",
                r.relation,
                f"{r.object} {r.object_name}",
                r.status + (" secret" if r.visibility == "secret" else ""),
                r.affinity,
                r.since,
                r.votes,
                _quote(r),
            )
            for r in rows
        ),
        right=(5,),
        clip=(7,),
    )
