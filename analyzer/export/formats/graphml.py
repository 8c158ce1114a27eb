"""GraphML: the cast as nodes, relations as directed edges, everything known of them as data."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx as nx

from analyzer.export.columns import BookView, Table, Value
from analyzer.export.formats._graph import Record, graph_of, xml_text

IS_FOLDER = False


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write one file; node ids are handles, edge ids relations. Chapters are numbers, `until` is left out while none is known."""
    known = graph_of(tables)
    graph: Any = nx.MultiDiGraph(
        title=xml_text(book.title), language=xml_text(book.language), as_of=book.seen.through, plane=book.plane
    )
    for handle, node in known.nodes.items():
        graph.add_node(handle, **_data(node))
    for relation, edge in known.edges.items():
        data = {key: value for key, value in edge.items() if key not in ("subject", "object")}
        graph.add_edge(edge["subject"], edge["object"], key=relation, **_data(data))
    text = io.BytesIO()
    nx.write_graphml_lxml(graph, text, encoding="utf-8", prettyprint=True, named_key_ids=True)
    out.write_bytes(text.getvalue())
    return (out.name,)


def _data(record: Record) -> dict[str, Value]:
    """Return the data of a node or edge that is known, as XML may hold it."""
    return {
        key: xml_text(value) if isinstance(value, str) else value for key, value in record.items() if value is not None
    }
