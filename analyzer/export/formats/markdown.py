"""Markdown: the whole bible in one file that can be read from top to bottom, quotations as block quotations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from analyzer.export.columns import BookView, Table, Value
from analyzer.export.formats._markup import inline
from analyzer.export.formats._pages import Pages, joined

IS_FOLDER = False
_PARTS = (
    ("character", "People"),
    ("group", "Groups"),
    ("place", "Places"),
    ("object", "Objects"),
    ("event", "Events"),
    ("lore", "Lore"),
    ("text", "Texts"),
)


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write one file: chapters, the cast by kind, threads, secrets."""
    pages = Pages(book, tables, _plain)
    lines = [
        f"# {inline(book.title) or 'Story bible'}",
        "",
        f"As of chapter {book.seen.through}, plane {inline(book.plane)}.",
    ]
    lines += _part("Chapters", ((pages.heading_of(row), pages.chapter(row)) for row in tables["chapters"].records()))
    for kind, title in _PARTS:
        rows = [row for row in tables["cast"].records() if row["kind"] == kind]
        lines += _part(title, ((str(row["name"]), pages.entity(row)) for row in rows))
    threads = tables["threads"].records()
    lines += _part("Threads", ((str(row["statement"]), pages.thread(row)) for row in threads))
    secrets = [line for row in tables["secrets"].records() for line in pages.secret(row)]
    lines += ["", "## Secrets", "", *secrets] if secrets else []
    out.write_bytes(joined(lines))
    return (out.name,)


def _plain(table: str, key: Value, words: str) -> str:
    """Return a name as it stands: one file needs no links to be read."""
    return inline(words)


def _part(title: str, sections: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Return a part with its sections, nothing where there are none; headings of a section go two levels down."""
    lines: list[str] = []
    for heading, body in sections:
        lines += ["", f"### {inline(heading) or '…'}", ""]
        lines += [f"##{line}" if line.startswith("## ") else line for line in body]
    return ["", f"## {title}", *lines] if lines else []
