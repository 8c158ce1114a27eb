"""GraphML: the cast as nodes, relations as directed edges, everything known of them as data.

Ids may hold no `@` in GraphML (they are NMTOKENs): the node of `@7` is `n7`, the edge of `@1 employs @2` is `n1.employs.n2`; the data
`entity` and `relation` have them as everywhere else. Chapters are numbers; what is not known is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lxml import etree

from analyzer.export.columns import BookView, Table, Value
from analyzer.export.formats._graph import graph_of, xml_text

IS_FOLDER = False
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_GRAPH = {"title": "string", "language": "string", "as_of": "int", "plane": "string"}
_NODE = {
    "entity": "string",
    "name": "string",
    "kind": "string",
    "is_named": "boolean",
    "also_called": "string",
    "since": "int",
    "chapters": "int",
    "mentions": "int",
}
_EDGE = {
    "relation": "string",
    "kind": "string",
    "family": "string",
    "is_symmetric": "boolean",
    "inverse": "string",
    "status": "string",
    "affinity": "string",
    "visibility": "string",
    "since": "int",
    "until": "int",
    "is_faint": "boolean",
    "words": "string",
}


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write one file."""
    known = graph_of(tables)
    spaces: dict[str | None, str] = {None: _NAMESPACE}
    root = etree.Element(f"{{{_NAMESPACE}}}graphml", nsmap=spaces)  # type: ignore[arg-type]
    for of, kinds in (("graph", _GRAPH), ("node", _NODE), ("edge", _EDGE)):
        for name, kind in kinds.items():
            _under(root, "key", **{"id": f"{of}.{name}", "for": of, "attr.name": name, "attr.type": kind})
    graph = _under(root, "graph", id="bible", edgedefault="directed")
    about: dict[str, Value] = {
        "title": book.title,
        "language": book.language,
        "as_of": book.seen.through,
        "plane": book.plane,
    }
    _data(graph, "graph", _GRAPH, about)
    for handle, node in known.nodes.items():
        _data(_under(graph, "node", id=_id(handle)), "node", _NODE, node | {"entity": handle})
    for relation, edge in known.edges.items():
        ends = {"source": _id(str(edge["subject"])), "target": _id(str(edge["object"]))}
        one = _under(graph, "edge", id=_id(relation), **ends)
        _data(one, "edge", _EDGE, edge | {"relation": relation})
    etree.indent(root)
    out.write_bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n")
    return (out.name,)


def _id(key: str) -> str:
    return key.replace("@", "n").replace(" ", ".")


def _data(of: etree._Element, part: str, kinds: Mapping[str, str], values: Mapping[str, Value]) -> None:
    for name in kinds:
        value = values[name]
        if value is not None:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            _under(of, "data", key=f"{part}.{name}").text = xml_text(text)


def _under(parent: etree._Element, tag: str, **attributes: str) -> etree._Element:
    return etree.SubElement(parent, f"{{{_NAMESPACE}}}{tag}", attributes)
