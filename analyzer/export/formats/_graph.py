"""The graph of an export: the cast as nodes, relations as edges, dated by chapters; text that XML may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from analyzer.export.columns import Table, Value

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold, escaped or not. Source: production 2 (Char) of the XML 1.0 specification."""
Record = dict[str, Value]


class Graph(NamedTuple):
    """`nodes` by handle; `edges` by relation, with the two handles they lead from and to; `presence` by handle."""

    nodes: dict[str, Record]
    edges: dict[str, Record]
    presence: dict[str, list[tuple[int, str]]]
    affinities: dict[str, list[tuple[int, str]]]


def xml_text(text: str) -> str:
    """Return text that XML may hold: a sign that it may not becomes U+FFFD."""
    return _ILLEGAL.sub("\ufffd", text)


def graph_of(tables: Mapping[str, Table]) -> Graph:
    """Return the graph of the tables; both ends of every edge are nodes."""
    words: dict[str, str] = {}
    for row in tables["relation_words"].records():
        words.setdefault(str(row["relation"]), str(row["text"]))
    names: dict[str, list[str]] = {}
    for row in tables["names"].records():
        names.setdefault(str(row["entity"]), []).append(str(row["name"]))
    presence: dict[str, list[tuple[int, str]]] = {}
    for row in tables["presence"].records():
        presence.setdefault(str(row["entity"]), []).append((_no(row["chapter"]), str(row["presence"])))
    affinities: dict[str, list[tuple[int, str]]] = {}
    for row in tables["relation_affinities"].records():
        affinities.setdefault(str(row["relation"]), []).append((_no(row["chapter"]), str(row["affinity"])))
    nodes = {
        str(row["entity"]): {key: row[key] for key in ("name", "kind", "is_named", "since", "chapters", "mentions")}
        | {"also_called": "; ".join(n for n in names.get(str(row["entity"]), ()) if n != row["name"])}
        for row in tables["cast"].records()
    }
    shown = (
        "kind",
        "family",
        "is_symmetric",
        "inverse",
        "status",
        "affinity",
        "visibility",
        "since",
        "until",
        "is_faint",
    )
    edges = {
        str(row["relation"]): {key: row[key] for key in ("subject", "object", *shown)}
        | {"words": words.get(str(row["relation"]), "")}
        for row in tables["relations"].records()
    }
    return Graph(nodes, edges, presence, affinities)


def _no(value: Value) -> int:
    assert isinstance(value, int)
    return value
