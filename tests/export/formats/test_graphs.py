"""GraphML and GEXF as networkx and lxml read them."""

from __future__ import annotations

import io
import re
from typing import Any

import networkx as nx
import pytest
from lxml import etree

from analyzer.export.columns import BookView
from analyzer.export.planes import AUTHOR, Plane
from analyzer.export.tables import tables_of
from analyzer.models.facts import RelationFact, StoredFact
from tests.export.formats.making import PLANES, READERS, files_of, tale, viewed
from tests.export.story_tale import LANGUAGES, LAST, said, stored, story

GEXF = "{http://gexf.net/1.3}"
NMTOKEN = re.compile(r"[\w.:-]+")


def gexf(book: BookView) -> tuple[Any, etree._Element]:
    data = files_of(book, "gexf")[""]
    return nx.read_gexf(io.BytesIO(data), version="1.3"), etree.fromstring(data)


def graphml(book: BookView) -> Any:
    return nx.read_graphml(io.BytesIO(files_of(book, "graphml")[""]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("through", [0, 2, LAST])
def test_both_graphs_have_the_cast_and_its_relations(language: str, plane: Plane, through: int) -> None:
    if through == 0 and plane.handle:
        return
    book = tale(through, plane, language)
    tables = tables_of(book)
    dynamic, _ = gexf(book)
    static = graphml(book)
    names = {row["entity"]: row["name"] for row in tables["cast"].records()}
    assert {handle: data["label"] for handle, data in dynamic.nodes(data=True)} == names
    assert {data["entity"]: data["name"] for _, data in static.nodes(data=True)} == names
    ties = {(row["subject"], row["kind"], row["object"], row["since"]) for row in tables["relations"].records()}
    assert {(a, data["relation"], b, data["start"]) for a, b, data in dynamic.edges(data=True)} == ties
    assert {("@" + a[1:], data["kind"], "@" + b[1:], data["since"]) for a, b, data in static.edges(data=True)} == ties
    assert static.graph["as_of"] == through and static.graph["plane"] == book.plane


def test_a_relation_is_there_from_its_first_chapter_to_the_one_by_which_it_is_over() -> None:
    _, root = gexf(tale())
    edges = {edge.get("id"): (edge.get("start"), edge.get("end")) for edge in root.iter(f"{GEXF}edge")}
    assert edges == {"@1 sibling_of @6": ("1", None), "@3 employs @2": ("2", "4"), "@3 deceives @1": ("2", None)}
    _, before = gexf(tale(3))
    assert [edge.get("end") for edge in before.iter(f"{GEXF}edge")] == [None, None, None]
    [graph] = root.iter(f"{GEXF}graph")
    told = {key: graph.get(key) for key in ("mode", "timeformat", "start", "end", "defaultedgetype")}
    assert told == {"mode": "dynamic", "timeformat": "integer", "start": "1", "end": "5", "defaultedgetype": "directed"}


def test_somebody_has_a_presence_in_every_chapter_they_are_in() -> None:
    graph, root = gexf(tale())
    assert graph.nodes["@3"]["presence"] == [("on_page", 1, 1), ("on_page", 2, 2), ("on_page", 4, 4)]
    assert graph.nodes["@6"]["presence"] == [("mentioned", 1, 1)]
    for node in root.iter(f"{GEXF}node"):
        starts = [int(v.get("start") or 0) for v in node.iter(f"{GEXF}attvalue") if v.get("for") == "presence"]
        assert all(start >= int(node.get("start") or 0) for start in starts)


def warm(chapter: int, affinity: str, status: str = "current") -> RelationFact:
    return RelationFact(
        claim=f"claim{chapter}", chapter=chapter, subject="@1", relation="friend_of", object="@2", affinity=affinity,
        status=status, evidence=said(LANGUAGES["en"], chapter, 7),
    )  # fmt: skip


def friends(*facts: RelationFact) -> tuple[StoredFact, ...]:
    return stored([*story(LANGUAGES["en"]), *facts])


@pytest.mark.parametrize(
    ("facts", "steps"),
    [
        ((warm(1, "+"), warm(3, "-")), [("+", 1, 2), ("-", 3, 5)]),
        ((warm(1, "0"),), [("0", 1, 5)]),
        ((warm(2, "+"), warm(4, "-", "former")), [("+", 2, 3), ("-", 4, 4)]),
        ((warm(5, "+", "former"),), [("+", 5, 5)]),
    ],
)
def test_affinity_changes_by_chapter(facts: tuple[RelationFact, ...], steps: list[tuple[str, int, int]]) -> None:
    graph, _ = gexf(viewed(friends(*facts), plane=AUTHOR))
    assert graph.edges["@1", "@2"]["affinity"] == steps


def test_parallel_relations_stay_apart() -> None:
    more = RelationFact(
        claim="more", chapter=2, subject="@3", relation="protects", object="@2", evidence=said(LANGUAGES["en"], 2, 7)
    )
    book = viewed(stored([*story(LANGUAGES["en"]), more]), plane=READERS)
    _, root = gexf(book)
    kinds = [e.get("kind") for e in root.iter(f"{GEXF}edge") if (e.get("source"), e.get("target")) == ("@3", "@2")]
    assert sorted(kinds, key=str) == ["employs", "protects"]
    assert graphml(book).number_of_edges("n3", "n2") == 2


def test_ids_of_graphml_are_what_its_schema_allows() -> None:
    root = etree.fromstring(files_of(tale(), "graphml")[""])
    ids = [one.get("id") for one in root.iter() if one.get("id") is not None]
    assert len(set(ids)) == len(ids) and all(NMTOKEN.fullmatch(str(one)) for one in ids)
    data = root.iter("{http://graphml.graphdrawing.org/xmlns}data")
    assert {one.text for one in data if one.get("key") == "node.is_named"} == {"true"}
