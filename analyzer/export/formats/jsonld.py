"""JSON-LD: the bible as linked data, with schema.org's terms where they say the same and an own vocabulary for the rest.

The book, its chapters, its cast and the author's words are schema.org's; so are relations that hold and that its terms mean
exactly. Every row of every table is there beside that in the own vocabulary, a node a row, its columns by their names. Values of
the manuscript are string values and never keys or ids, so none can be taken for a keyword. `<` is written as an escape: the file
may stand inside a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.export.columns import BookView, Table, Value
from analyzer.hashing import content_hash

IS_FOLDER = False
SCHEMA = "https://schema.org/"
VOCABULARY = "urn:analyzer:story:"
"""The prefix of the own vocabulary: a class a table, a property a column (docs/exports.md)."""
TYPES = {
    "character": "schema:Person",
    "group": "schema:Organization",
    "place": "schema:Place",
    "event": "schema:Event",
    "text": "schema:CreativeWork",
    "object": "schema:Thing",
    "lore": "schema:Thing",
}
"""The type of each kind of entity."""
_BOTH_PERSONS = ("character", "character")
RELATIONS: dict[str, tuple[tuple[str, str], str, str]] = {
    "parent_of": (_BOTH_PERSONS, "children", "parent"),
    "sibling_of": (_BOTH_PERSONS, "sibling", "sibling"),
    "spouse_of": (_BOTH_PERSONS, "spouse", "spouse"),
    "grandparent_of": (_BOTH_PERSONS, "relatedTo", "relatedTo"),
    "aunt_uncle_of": (_BOTH_PERSONS, "relatedTo", "relatedTo"),
    "cousin_of": (_BOTH_PERSONS, "relatedTo", "relatedTo"),
    "in_law_of": (_BOTH_PERSONS, "relatedTo", "relatedTo"),
    "friend_of": (_BOTH_PERSONS, "knows", "knows"),
    "companion_of": (_BOTH_PERSONS, "knows", "knows"),
    "acquaintance_of": (_BOTH_PERSONS, "knows", "knows"),
    "neighbour_of": (_BOTH_PERSONS, "knows", "knows"),
    "confidant_of": (_BOTH_PERSONS, "knows", "knows"),
    "ally_of": (_BOTH_PERSONS, "knows", "knows"),
    "colleague_of": (_BOTH_PERSONS, "colleague", "colleague"),
    "member_of": (("character", "group"), "memberOf", "member"),
    "employs": (("group", "character"), "employee", "worksFor"),
    "lives_in": (("character", "place"), "homeLocation", ""),
}
"""What a relation is in schema.org: the kinds of entity its ends must be, the term from subject to object, and back ("" none)."""
_OWN_ID = re.compile(r"@[1-9][0-9]*(?: [a-z_]+ @[1-9][0-9]*)?|fact:[0-9a-f]+|[a-z0-9_]{1,20}")
Node = dict[str, Any]


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write one file with its context inside; ids are URNs of the book's title and the keys of the tables."""
    base = f"urn:analyzer:book:{content_hash('title', [book.title, book.language]).partition(':')[2][:12]}:"
    graph = [_book(book, tables, base), *_known(tables, base)]
    text = json.dumps({"@context": _context(), "@graph": graph}, ensure_ascii=False, indent=1)
    out.write_bytes((text.replace("<", "\\u003c") + "\n").encode("utf-8"))
    return (out.name,)


def _context() -> Node:
    """Return the context: two prefixes, and which of schema.org's terms refer to other nodes; nothing is loaded from anywhere."""
    terms: Node = {"@version": 1.1, "schema": SCHEMA, "story": VOCABULARY}
    used = {term for _, there, back in RELATIONS.values() for term in (there, back) if term}
    for term in sorted(used | {"isPartOf", "hasPart", "character", "about", "spokenByCharacter"}):
        terms[f"schema:{term}"] = {"@id": f"{SCHEMA}{term}", "@type": "@id"}
    return terms


def _book(book: BookView, tables: Mapping[str, Table], base: str) -> Node:
    cast = tables["cast"].records()
    people = [_id(base, "cast", row["entity"]) for row in cast if row["kind"] == "character"]
    others = [_id(base, "cast", row["entity"]) for row in cast if row["kind"] != "character"]
    chapters = [_id(base, "chapters", row["chapter"]) for row in tables["chapters"].records()]
    return {
        "@id": f"{base}book",
        "@type": "schema:Book",
        "schema:name": book.title,
        "schema:inLanguage": book.language,
        "story:as_of": book.seen.through,
        "story:plane": book.plane,
        "schema:hasPart": chapters,
        "schema:character": people,
        "schema:about": others,
    }


def _known(tables: Mapping[str, Table], base: str) -> list[Node]:
    """Return a node for each row of each table; those of the cast and the chapters have schema.org's terms too."""
    more = {"chapters": _chapters(tables, base), "cast": _cast(tables, base)}
    found = []
    for table in tables.values():
        for row in table.records():
            own = _id(base, table.name, *(row[name] for name in table.key))
            node: Node = {"@id": own, "@type": [f"story:{class_of(table.name)}"]}
            for column in table.columns:
                value = row[column.name]
                if value is None or value == "":
                    continue
                of, _, key = column.of.partition(".")
                refers = of and tables[of].key == (key,)
                node[f"story:{column.name}"] = {"@id": _id(base, of, value)} if refers else value
            given = more[table.name].get(own, {}) if table.name in more else _quotation(table, row, base)
            node["@type"] += given.pop("@type", [])
            found.append(node | given)
    return found


def class_of(table: str) -> str:
    """Return the class of a table's rows: `secret_events` is `SecretEvents`."""
    return "".join(part.capitalize() for part in table.split("_"))


def _chapters(tables: Mapping[str, Table], base: str) -> dict[str, Node]:
    found: dict[str, Node] = {}
    cards = {row["chapter"]: row["summary"] for row in tables["cards"].records()}
    for row in tables["chapters"].records():
        node = {"@type": ["schema:Chapter"], "schema:position": row["chapter"], "schema:isPartOf": f"{base}book"}
        told = {"schema:name": row["title"] or row["label"], "schema:abstract": cards.get(row["chapter"])}
        found[_id(base, "chapters", row["chapter"])] = node | {term: value for term, value in told.items() if value}
    return found


def _cast(tables: Mapping[str, Table], base: str) -> dict[str, Node]:
    kinds = {row["entity"]: str(row["kind"]) for row in tables["cast"].records()}
    found: dict[str, Node] = {}
    for row in tables["cast"].records():
        kind = TYPES.get(str(row["kind"]), "schema:Thing")
        found[_id(base, "cast", row["entity"])] = {"@type": [kind], "schema:name": row["name"]}
    for row in tables["names"].records():
        node = found[_id(base, "cast", row["entity"])]
        if row["name"] != node["schema:name"]:
            node.setdefault("schema:alternateName", []).append(row["name"])
    for row in tables["relations"].records():
        ends, there, back = RELATIONS.get(str(row["kind"]), (("", ""), "", ""))
        if row["status"] == "current" and (kinds[row["subject"]], kinds[row["object"]]) == ends:
            subject, target = (_id(base, "cast", row[end]) for end in ("subject", "object"))
            _tie(found[subject], there, target)
            _tie(found[target], back, subject)
    return found


def _tie(node: Node, term: str, other: str) -> None:
    if term:
        known = node.setdefault(f"schema:{term}", [])
        if other not in known:
            known.append(other)


def _quotation(table: Table, row: Mapping[str, Value], base: str) -> Node:
    """Return the author's words as schema.org has them: quotations, with who says them where that is known."""
    if table.name.endswith("_words"):
        part = _id(base, "chapters", row["chapter"])
        return {"@type": ["schema:Quotation"], "schema:text": row["text"], "schema:isPartOf": part}
    if table.name == "speech":
        speaker = {"schema:spokenByCharacter": _id(base, "cast", row["speaker"])} if row["speaker"] else {}
        return {"@type": ["schema:Quotation"], "schema:isPartOf": _id(base, "chapters", row["chapter"])} | speaker
    return {}


def _id(base: str, table: str, *key: Value) -> str:
    """Return the id of a row: a part of its key that is none of code's own ids (a name, say) stands as a hash."""
    return base + ":".join((table, *map(_part, key)))


def _part(value: Value) -> str:
    text = str(value)
    if _OWN_ID.fullmatch(text):
        return text.replace(" ", ".")
    return "h-" + content_hash("part", text).partition(":")[2]
