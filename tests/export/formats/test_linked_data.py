"""JSON-LD as PyLD reads it, without a network."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyld import jsonld  # type: ignore[import-untyped]

from analyzer.export.columns import BookView
from analyzer.export.formats.jsonld import RELATIONS, SCHEMA, VOCABULARY, class_of
from analyzer.export.planes import Plane
from analyzer.export.tables import tables_of
from analyzer.models.facts import RELATION_KINDS
from tests.export.formats.making import PLANES, files_of, tale, viewed
from tests.export.story_tale import LANGUAGES, LAST, stored, story

SCHEMA_TERMS = {
    "Book", "Chapter", "Person", "Organization", "Place", "Event", "CreativeWork", "Thing", "Quotation", "name", "alternateName",
    "inLanguage", "hasPart", "isPartOf", "position", "abstract", "character", "about", "text", "spokenByCharacter", "knows",
    "parent", "children", "sibling", "spouse", "relatedTo", "colleague", "memberOf", "member", "employee", "worksFor",
    "homeLocation",
}  # fmt: skip
"""What docs/exports.md says is used of schema.org."""


@pytest.fixture(autouse=True)
def _no_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(url: str, options: Any) -> Any:
        raise AssertionError(f"asked for {url}")

    monkeypatch.setattr(jsonld, "get_document_loader", lambda: refuse)


def expanded(book: BookView) -> dict[str, dict[str, Any]]:
    document = json.loads(files_of(book, "jsonld")[""])
    nodes = {node["@id"]: node for node in jsonld.expand(document)}
    assert len(nodes) == len(document["@graph"]), "an id that two rows share"
    return nodes


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plane", PLANES)
def test_every_row_is_a_node_with_its_values(language: str, plane: Plane) -> None:
    book = tale(LAST, plane, language)
    nodes, tables = expanded(book), tables_of(book)
    for table in tables.values():
        typed = [node for node in nodes.values() if f"{VOCABULARY}{class_of(table.name)}" in node["@type"]]
        assert len(typed) == len(table.rows)
        for node, row in zip(typed, table.records(), strict=True):
            for name, value in row.items():
                if value is not None and value != "":
                    [found] = node[f"{VOCABULARY}{name}"]
                    assert found.get("@value") == value or found["@id"] in nodes


def test_people_places_and_things_are_schema_orgs_with_their_names() -> None:
    nodes = expanded(tale())
    typed = {
        node[f"{SCHEMA}name"][0]["@value"]: node["@type"][-1] for node in nodes.values() if f"{SCHEMA}name" in node
    }
    assert typed["Oda Marrin"] == f"{SCHEMA}Person" and typed["Sallow Mill"] == f"{SCHEMA}Place"
    assert typed["Tale"] == f"{SCHEMA}Book" and typed["the sealed letter"] == f"{SCHEMA}Thing"
    oda = next(n for n in nodes.values() if n.get(f"{SCHEMA}name") == [{"@value": "Oda Marrin"}])
    [sibling] = oda[f"{SCHEMA}sibling"]
    assert nodes[sibling["@id"]][f"{SCHEMA}name"] == [{"@value": "Ludo Marrin"}]
    hesk = next(n for n in nodes.values() if n.get(f"{SCHEMA}name") == [{"@value": "Captain Hesk"}])
    assert hesk[f"{SCHEMA}alternateName"] == [{"@value": "Barnaby Hesk"}]


def test_the_rdf_of_the_tale_has_no_term_of_schema_org_that_is_not_documented() -> None:
    document = json.loads(files_of(tale(), "jsonld")[""])
    quads = jsonld.to_rdf(document)["@default"]
    used = {part["value"] for quad in quads for part in (quad["predicate"], quad["object"]) if part["type"] == "IRI"}
    assert {iri.removeprefix(SCHEMA) for iri in used if iri.startswith(SCHEMA)} <= SCHEMA_TERMS
    assert {term for _, there, back in RELATIONS.values() for term in (there, back) if term} <= SCHEMA_TERMS
    assert set(RELATIONS) <= set(RELATION_KINDS)
    subjects = {quad["subject"]["value"] for quad in quads}
    urns = {iri for iri in used if iri.startswith("urn:analyzer:book:")}
    assert urns <= subjects, "a link to a node that is not there"


def test_a_parent_has_children_and_the_child_a_parent_and_a_former_spouse_none() -> None:
    from analyzer.models.facts import RelationFact
    from tests.export.story_tale import said

    def tie(kind: str, subject: str, target: str, **more: Any) -> RelationFact:
        evidence = said(LANGUAGES["en"], 1, 7)
        return RelationFact(
            claim=f"{kind}{subject}",
            chapter=1,
            subject=subject,
            relation=kind,
            object=target,
            evidence=evidence,
            **more,
        )

    facts = [tie("parent_of", "@3", "@1"), tie("spouse_of", "@1", "@2", status="former"), tie("lives_in", "@1", "@4")]
    nodes = expanded(viewed(stored([*story(LANGUAGES["en"]), *facts])))
    by_name = {n[f"{SCHEMA}name"][0]["@value"]: n for n in nodes.values() if f"{SCHEMA}Person" in n["@type"]}
    oda, hesk = by_name["Oda Marrin"], by_name["Captain Hesk"]
    assert oda[f"{SCHEMA}parent"] == [{"@id": hesk["@id"]}] and hesk[f"{SCHEMA}children"] == [{"@id": oda["@id"]}]
    assert f"{SCHEMA}spouse" not in oda and f"{SCHEMA}homeLocation" in oda


def test_nothing_in_the_file_could_end_a_script_it_stands_in() -> None:
    assert b"<" not in files_of(tale(), "jsonld")[""]
