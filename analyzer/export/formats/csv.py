"""CSV: one file a table (UTF-8, commas, quotes where needed), with the data dictionary for machines and for people.

A spreadsheet runs a cell that begins like a formula. Such a beginning gets an apostrophe before it, at the start of a cell and
behind a semicolon or a line end (where a spreadsheet set to semicolons sees a cell begin); `unguarded` takes it off again.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.export.columns import BookView, Table, Value
from analyzer.export.tables import dictionary

IS_FOLDER = True
SIGNS = r"=+\-@＝＋－＠|"
"""What spreadsheets take for the beginning of a formula, in the full-width letters of Chinese, Japanese and Korean ones too."""
_START = rf"(?:^|(?<=[;\t\r\n]))[ \"]*'*(?=[{SIGNS}])|^'*(?=[\t\r])"
_GUARD = re.compile(_START)
_UNGUARD = re.compile(rf"((?:^|(?<=[;\t\r\n]))[ \"]*'*)'(?=[{SIGNS}])|^('*)'(?=[\t\r])")
_HARMLESS = re.compile(r"@[1-9][0-9]*(?: [a-z_]+ @[1-9][0-9]*)?|[+-]")
"""Handles, relations of handles, affinities: code's own words, none of which is a formula."""
_HEAD = """# The tables of this export

One file a table: UTF-8, commas between cells, a first line of column names, true and false in words. Dates are numbers of
chapters. An empty cell is nothing known, or words that are empty.

A text cell that begins like a formula (also behind a semicolon or a line end) has an apostrophe before its first sign, so that
no spreadsheet runs it: take one apostrophe off to have the text.
"""


def guarded(text: str) -> str:
    """Return a cell that no spreadsheet runs; `unguarded` gives the text back, whatever it is."""
    return text if _HARMLESS.fullmatch(text) else _GUARD.sub(lambda found: f"{found[0]}'", text)


def unguarded(cell: str) -> str:
    """Return the text of a cell."""
    return cell if _HARMLESS.fullmatch(cell) else _UNGUARD.sub(lambda found: found[1] or found[2] or "", cell)


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write a file a table, `datapackage.json` (a Tabular Data Package) and `DICTIONARY.md`."""
    files = {f"{name}.csv": _csv(table) for name, table in tables.items()}
    files["datapackage.json"] = json.dumps(_package(book, tables), ensure_ascii=False, indent=2) + "\n"
    files["DICTIONARY.md"] = _HEAD + "\n" + dictionary()
    for name, text in files.items():
        (out / name).write_bytes(text.encode("utf-8"))
    return tuple(files)


def _csv(table: Table) -> str:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow([column.name for column in table.columns])
    for row in table.rows:
        lines.writerow([_cell(value) for value in row])
    return text.getvalue()


def _cell(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return guarded(value)
        case _:
            return str(value)


def _package(book: BookView, tables: Mapping[str, Table]) -> dict[str, Any]:
    """Return what a Tabular Data Package says of its files."""
    return {
        "profile": "tabular-data-package",
        "name": "story-bible",
        "title": book.title,
        "description": f"A story bible as of chapter {book.seen.through}, plane {book.plane}; dates are numbers of chapters.",
        "resources": [_resource(table, tables) for table in tables.values()],
    }


def _resource(table: Table, tables: Mapping[str, Table]) -> dict[str, Any]:
    fields = []
    for column in table.columns:
        field: dict[str, Any] = {"name": column.name, "type": column.kind, "description": column.meaning}
        fields.append(
            field if column.optional or column.kind == "string" else field | {"constraints": {"required": True}}
        )
    schema: dict[str, Any] = {"fields": fields, "primaryKey": list(table.key), "missingValues": [""]}
    foreign = [_foreign(column.name, column.of) for column in table.columns if column.of and _alone(column.of, tables)]
    return {
        "profile": "tabular-data-resource",
        "name": table.name.replace("_", "-"),
        "path": f"{table.name}.csv",
        "title": table.name,
        "description": table.meaning,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "doubleQuote": True},
        "schema": schema | ({"foreignKeys": foreign} if foreign else {}),
    }


def _alone(of: str, tables: Mapping[str, Table]) -> bool:
    """Say whether a column alone tells the rows of its table apart."""
    name, _, column = of.partition(".")
    return tables[name].key == (column,)


def _foreign(name: str, of: str) -> dict[str, Any]:
    table, _, column = of.partition(".")
    return {"fields": name, "reference": {"resource": table.replace("_", "-"), "fields": column}}
