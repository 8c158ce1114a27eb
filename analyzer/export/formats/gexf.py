"""GEXF 1.3, dynamic: the cast as nodes, relations as edges, dated by chapters.

Time is counted in chapters (`timeformat="integer"`), both ends of an interval belong to it. A node begins with the chapter that
brings it; its `presence` has a value for every chapter it is in. An edge is there from the chapter that first tells the
relation to the one by whose end it is over, and to the end where none is; its `affinity` changes by chapter. Parallel edges are
told apart by `kind`, which GEXF has for that since 1.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lxml import etree

from analyzer.export.columns import BookView, Table, Value
from analyzer.export.formats._graph import Graph, Record, graph_of, xml_text

IS_FOLDER = False
_NAMESPACE = "http://gexf.net/1.3"
_NODE = {
    "kind": "string",
    "is_named": "boolean",
    "also_called": "string",
    "chapters": "integer",
    "mentions": "integer",
}
_EDGE = {
    "relation": "string",
    "family": "string",
    "is_symmetric": "boolean",
    "inverse": "string",
    "status": "string",
    "visibility": "string",
    "is_faint": "boolean",
    "words": "string",
}


def write(book: BookView, tables: Mapping[str, Table], out: Path) -> tuple[str, ...]:
    """Write one file; node ids are handles, edge ids relations."""
    known, last = graph_of(tables), book.seen.through
    spaces: dict[str | None, str] = {None: _NAMESPACE}
    root = etree.Element(f"{{{_NAMESPACE}}}gexf", {"version": "1.3"}, nsmap=spaces)  # type: ignore[arg-type]
    meta = _under(root, "meta")
    _under(meta, "creator").text = "analyzer"
    _under(meta, "description").text = xml_text(f"{book.title}, as of chapter {last}, plane {book.plane}")
    graph = _under(
        root,
        "graph",
        mode="dynamic",
        defaultedgetype="directed",
        timeformat="integer",
        start="1",
        end=str(max(last, 1)),
    )
    _attributes(graph, "node", "static", _NODE)
    _attributes(graph, "node", "dynamic", {"presence": "string"})
    _attributes(graph, "edge", "static", _EDGE)
    _attributes(graph, "edge", "dynamic", {"affinity": "string"})
    _nodes(graph, known)
    _edges(graph, known, last)
    etree.indent(root)
    out.write_bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n")
    return (out.name,)


def _nodes(graph: etree._Element, known: Graph) -> None:
    nodes = _under(graph, "nodes")
    for handle, node in known.nodes.items():
        one = _under(nodes, "node", id=handle, label=str(node["name"]), start=str(node["since"]))
        values = _static(one, node, _NODE)
        for chapter, there in known.presence.get(handle, ()):
            _under(values, "attvalue", **{"for": "presence"}, value=there, start=str(chapter), end=str(chapter))


def _edges(graph: etree._Element, known: Graph, last: int) -> None:
    edges = _under(graph, "edges")
    for relation, edge in known.edges.items():
        until = {} if edge["until"] is None else {"end": str(edge["until"])}
        ends = {"source": str(edge["subject"]), "target": str(edge["object"])}
        kind = str(edge["kind"])
        one = _under(
            edges,
            "edge",
            id=relation,
            **ends,
            kind=kind,
            label=kind,
            type="directed",
            start=str(edge["since"]),
            **until,
        )
        values = _static(one, edge | {"relation": kind}, _EDGE)
        for start, end, affinity in _steps(known.affinities.get(relation, ()), edge, last):
            _under(values, "attvalue", **{"for": "affinity"}, value=affinity, start=str(start), end=str(end))


def _steps(told: Iterable[tuple[int, str]], edge: Record, last: int) -> list[tuple[int, int, str]]:
    """Return the affinities with the chapters from and to which they are told; of two of a chapter the later counts.

    Each has an end, the last chapter where none is known: readers of GEXF ask for both.
    """
    by_chapter = dict(told)
    since, until = edge["since"], edge["until"]
    assert isinstance(since, int) and (until is None or isinstance(until, int))
    end = last if until is None else until
    if not by_chapter:
        return [(since, max(since, end), str(edge["affinity"]))]
    starts = sorted(by_chapter)
    ends = [*(start - 1 for start in starts[1:]), max(end, starts[-1])]
    return [(start, stop, by_chapter[start]) for start, stop in zip(starts, ends, strict=True)]


def _attributes(graph: etree._Element, of: str, mode: str, kinds: Mapping[str, str]) -> None:
    attributes = _under(graph, "attributes", **{"class": of}, mode=mode)
    for name, kind in kinds.items():
        _under(attributes, "attribute", id=name, title=name, type=kind)


def _static(of: etree._Element, record: Record, kinds: Mapping[str, str]) -> etree._Element:
    values = _under(of, "attvalues")
    for name in kinds:
        _under(values, "attvalue", **{"for": name}, value=_value(record[name]))
    return values


def _value(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _under(parent: etree._Element, tag: str, **attributes: str) -> etree._Element:
    return etree.SubElement(
        parent, f"{{{_NAMESPACE}}}{tag}", {key: xml_text(value) for key, value in attributes.items()}
    )
