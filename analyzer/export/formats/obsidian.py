"""An Obsidian vault: a note for everybody and everything of the cast, for each chapter and thread, with an index.

Notes have front matter (`aliases`, `tags`, `kind`, `since`, `handle` …) and link each other by file name; names of files differ from
each other on every system, wherever in the vault they are, so that each link means one note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from analyzer.export.columns import BookView, Table, Value
from analyzer.export.formats._file_names import file_names
from analyzer.export.formats._markup import inline, label, one_line, yaml
from analyzer.export.formats._pages import Pages, Record, joined

IS_FOLDER = True
INDEX, SECRETS = "Story bible", "Secrets"
FOLDERS = {
    "character": "People",
    "group": "Groups",
    "place": "Places",
    "object": "Objects",
    "event": "Events",
    "lore": "Lore",
    "text": "Texts",
}
"""The folder of each kind of entity."""
LONGEST_STATEMENT = 60
"""Characters of a thread's statement in the name of its note."""


class _Note(NamedTuple):
    """A note: `name` is that of its file, by which links name it."""

    folder: str
    name: str
    title: str


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write the vault: `Story bible.md`, `Secrets.md`, and a folder for each kind of note."""
    notes = _notes(tables)

    def link(table: str, key: Value, words: str) -> str:
        note = notes.get((table, key))
        return f"[[{note.name}|{label(words) or note.name}]]" if note else inline(words)

    pages = Pages(book, tables, link)
    files: dict[str, list[str]] = {f"{INDEX}.md": _index(pages, notes), f"{SECRETS}.md": _secrets(pages)}
    made = {"cast": (_entity_matter, pages.entity), "chapters": (_chapter_matter, pages.chapter)}
    made["threads"] = (_thread_matter, pages.thread)
    for table, (matter, page) in made.items():
        for row in tables[table].records():
            note = notes[table, row[tables[table].key[0]]]
            head = ["---", *matter(pages, row), "---", "", f"# {inline(note.title) or note.name}", ""]
            files[f"{note.folder}/{note.name}.md"] = [*head, *page(row)]
    for name, lines in files.items():
        file = out / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(joined(lines))
    return tuple(files)


def _notes(tables: Mapping[str, Table]) -> dict[tuple[str, Value], _Note]:
    """Return the note of each page, by table and key."""
    found: list[tuple[tuple[str, Value], str, str, tuple[str, str]]] = []
    for row in tables["chapters"].records():
        title = str(row["title"] or row["label"] or "")
        name = f"Chapter {row['chapter']}" + (f" {one_line(title)}" if title and title != str(row["chapter"]) else "")
        found.append((("chapters", row["chapter"]), "Chapters", name, (name, f"Chapter {row['chapter']}")))
    for row in tables["cast"].records():
        folder = FOLDERS.get(str(row["kind"]), "Things")
        found.append((("cast", row["entity"]), folder, str(row["name"]), (str(row["name"]), f"Unnamed {row['kind']}")))
    for row in tables["threads"].records():
        title = one_line(str(row["statement"]))
        found.append(
            (("threads", row["thread"]), "Threads", title, (title[:LONGEST_STATEMENT], f"Thread {row['kind']}"))
        )
    names = file_names([(INDEX, INDEX), (SECRETS, SECRETS), *(called for *_, called in found)])[2:]
    return {key: _Note(folder, name, title) for (key, folder, title, _), name in zip(found, names, strict=True)}


def _index(pages: Pages, notes: Mapping[tuple[str, Value], _Note]) -> list[str]:
    book, tables = pages.book, pages.tables
    head = {
        "title": yaml(book.title),
        "as_of": book.seen.through,
        "plane": yaml(book.plane),
        "tags": _listed(["story-bible"]),
    }
    lines = [*_matter(head), f"# {inline(book.title) or INDEX}", ""]
    lines += [f"As of chapter {book.seen.through}, plane {inline(book.plane)}.", "", f"[[{SECRETS}]]"]
    for kind, folder in FOLDERS.items():
        some = [row for row in tables["cast"].records() if row["kind"] == kind]
        lines += ["", f"## {folder}", ""] if some else []
        lines += [f"- {pages.who(row['entity'], row['name'])}" for row in some]
    if notes:
        lines += ["", "## Chapters", ""]
    for row in tables["chapters"].records():
        lines.append(f"- {pages.link('chapters', row['chapter'], pages.heading_of(row))}")
    threads = [pages.thread_line(row) for row in tables["threads"].records()]
    return [*lines, *(["", "## Threads", "", *threads] if threads else [])]


def _secrets(pages: Pages) -> list[str]:
    lines = [line for row in pages.tables["secrets"].records() for line in pages.secret(row)]
    return [*_matter({"tags": _listed(["story-bible"])}), "# Secrets", "", *(lines or ["None are known."])]


def _matter(fields: Mapping[str, object]) -> list[str]:
    return ["---", *(f"{key}: {value}" for key, value in fields.items()), "---", ""]


def _listed(words: Iterable[str]) -> str:
    return f"[{', '.join(yaml(one) for one in words)}]"


def _entity_matter(pages: Pages, row: Record) -> list[str]:
    names = dict.fromkeys((str(row["name"]), *(str(n["name"]) for n in pages.rows("names", "entity", row["entity"]))))
    return [
        f"aliases: {_listed(names)}",
        f"kind: {yaml(str(row['kind']))}",
        f"handle: {yaml(str(row['entity']))}",
        f"since: {row['since']}",
        f"mentions: {row['mentions']}",
        f"tags: {_listed(['story-bible', 'story-bible/' + str(row['kind'])])}",
    ]


def _chapter_matter(pages: Pages, row: Record) -> list[str]:
    return [
        f"aliases: {_listed([pages.heading_of(row)])}",
        f"chapter: {row['chapter']}",
        f"kind: {yaml(str(row['kind']))}",
        f"tags: {_listed(['story-bible', 'story-bible/chapter'])}",
    ]


def _thread_matter(pages: Pages, row: Record) -> list[str]:
    return [
        f"aliases: {_listed([str(row['statement'])])}",
        f"kind: {yaml(str(row['kind']))}",
        f"status: {yaml(str(row['status']))}",
        f"health: {yaml(str(row['health']))}",
        f"since: {row['chapter']}",
        f"tags: {_listed(['story-bible', 'story-bible/thread'])}",
    ]
