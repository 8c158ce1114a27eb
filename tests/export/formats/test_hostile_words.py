"""Whatever a manuscript calls somebody, an export holds it as data: nothing escapes into paths, links, markup, keys or cells."""

from __future__ import annotations

import csv as csv_reader
import io
import json
import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

import networkx as nx
import pytest
import yaml  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt
from pyld import jsonld  # type: ignore[import-untyped]

from analyzer.export.columns import BookView
from analyzer.export.formats import csv
from analyzer.export.formats._file_names import LONGEST_BYTES, file_names, safe_name
from analyzer.export.formats._graph import xml_text
from analyzer.export.formats._markup import inline, label
from analyzer.export.formats._markup import yaml as in_yaml
from analyzer.export.tables import tables_of
from analyzer.models.facts import EntityFact, Fact, NameFact, PresenceFact, RelationFact
from analyzer.models.rows import ChapterRow
from analyzer.models.story import CardFact, ChangeFact, ThreadEventFact, ThreadFact
from analyzer.models.text import Place
from tests.export.formats.making import TEXTS, files_of, viewed
from tests.export.formats.vaults import notes_of
from tests.export.story_tale import stored
from tests.export.test_spoilers import told

HOSTILE = (
    "</script><script>alert(1)</script>", "../../x", "..", ".", "/etc/passwd", "C:\\x", "CON", "con.md", "NUL", "COM¹", "lpt9.txt",
    ".hidden", "trailing. ", "\u202eevil\u202c", "\u200f\u05d0\u200f", "x" * 10_000, "가" * 10_000, "e\u0301" * 300,
    "😀👩‍👩‍👧‍👦", "a\nb\r\nc", "\0\x07\x1b[31m",
    "Oda", "ODA", "oda", "Ｏｄａ", "ß", "SS", "é", "e\u0301", "[[Other]]", "]]", "]", "a|b", "a#b^c", "#tag", "%%hidden%%", "$$x$$",
    "=cmd()", "+1", "-1", "@SUM(1)", "\t=1", "---", "- a: b", "'\"", '"', "{{x}}", "<% tp.x %>", "`= this.x`", "***", "# h", "> q",
    "1. x", "| a | b |", "@id", "@type", "@context", "@7", "urn:x", "_:b0", "\ufffe\uffff\ufdd0", "\u2028\u2029\x85", "&lt;", "&#91;",
    "http://x.example", "![x](y)", "key:: v", "Story bible", "Secrets", "Chapter 1", "", " ", "\\", "true", "null", "~", "!!python/x",
)  # fmt: skip
"""Names somebody could bear."""
WORDS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20))
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)


def book(names: Sequence[str], title: str = "") -> BookView:
    """A book in which everything is called so: cast, names, chapter, words, notes, threads."""
    facts: list[Fact] = []
    for no, name in enumerate(names, 1):
        handle = f"@{no}"
        words = told(1, 1)[0].model_copy(update={"text": name})
        kind = ("character", "group", "place")[no % 3]
        facts.append(
            EntityFact(entity=handle, entity_kind=kind, label=name, anchor=handle, chapter=1, evidence=(words,))
        )
        facts.append(NameFact(entity=handle, surface=name[::-1], name_kind="nickname", chapter=1))
        facts.append(PresenceFact(entity=handle, chapter=1, presence="on_page", n_mentions=1, first=Place(1, 1)))
        facts.append(
            ChangeFact(
                change=f"c{no}", chapter=1, entity=handle, attribute="mood", op="set", to=name, evidence=(words,)
            )
        )
        facts.append(
            ThreadFact(thread=f"t{no}", chapter=1, kind="fear", statement=name, about=(handle,), evidence=(words,))
        )
        facts.append(ThreadEventFact(thread=f"t{no}", chapter=1, event="plant", evidence=(words,)))
        facts.append(
            RelationFact(claim=f"r{no}", chapter=1, subject="@1", relation="protects", object=handle, evidence=(words,))
        )
    first = names[0] if names else "x"
    facts.append(CardFact(chapter=1, summary=first, people=("@1",), time=first, point_of_view=first))
    row = ChapterRow(no=1, kind="chapter", label=first, title=names[-1] if names else "", text_sha256="x", n_blocks=1)
    return viewed(stored(facts), 1, rows=(row,), title=title or first)


def check_paths(files: dict[str, bytes]) -> None:
    for name in files:
        parts = PurePosixPath(name).parts
        assert len(parts) in (1, 2) and not {"..", "."} & set(parts)
        for part in parts:
            stem = part.partition(".")[0].casefold().rstrip(" ")
            assert part == part.strip(" .") and not re.search(r'[\x00-\x1f\x7f\\/:*?"<>|#^\[\]]', part)
            assert stem not in ("con", "prn", "aux", "nul") and not re.fullmatch(r"(com|lpt)[0-9¹²³]", stem)
            assert len(part.encode()) <= 255 and not part.startswith(".")
            assert not re.search("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", part)


def check(made: BookView) -> None:
    """Every format of a book is what its tables say, to a reader of its own."""
    tables = tables_of(made)
    files = {name: files_of(made, name, tables) for name in TEXTS}
    vault = files["obsidian"]
    check_paths(vault)
    notes = notes_of(vault)
    by_handle = {note.matter["handle"]: note.matter for note in notes.values() if "handle" in note.matter}
    for row in tables["cast"].records():
        assert by_handle[row["entity"]]["aliases"][0] == row["name"]
    for name, data in files["csv"].items():
        if name.endswith(".csv"):
            rows = list(csv_reader.reader(io.StringIO(data.decode(), newline="")))
            assert {len(cells) for cells in rows} == {len(tables[name[:-4]].columns)}
            for cells, expected in zip(rows[1:], tables[name[:-4]].rows, strict=True):
                assert not [cell for cell in cells if cell.startswith(tuple("=\t\r＝＋－＠"))]
                for cell, value in zip(cells, expected, strict=True):
                    assert not isinstance(value, str) or csv.unguarded(cell) == value
    check_graphs(made, files["graphml"][""], files["gexf"][""])
    check_linked(made, files["jsonld"][""])
    check_markdown(files["markdown"][""].decode())


def check_graphs(made: BookView, graphml: bytes, gexf: bytes) -> None:
    names = {h: xml_text(str(r["name"])) for r in tables_of(made)["cast"].records() for h in [str(r["entity"])]}
    static = nx.read_graphml(io.BytesIO(graphml))
    found = {data["entity"]: data.get("name", "") or "" for _, data in static.nodes(data=True)}
    assert {h: _spaced(n) for h, n in found.items()} == {h: _spaced(n) for h, n in names.items()}
    dynamic = nx.read_gexf(io.BytesIO(gexf), version="1.3")
    assert set(dynamic.nodes) == set(names)
    labels = {node.get("id"): node.get("label") for node in etree.fromstring(gexf).iter("{http://gexf.net/1.3}node")}
    assert labels == names


def _spaced(text: str) -> str:
    return " ".join(text.split())


def check_linked(made: BookView, data: bytes) -> None:
    assert b"<" not in data
    document: Any = json.loads(data)
    nodes = jsonld.expand(document)
    people = {
        node["@id"]: node["https://schema.org/name"][0]["@value"]
        for node in nodes
        if "urn:analyzer:story:Cast" in node["@type"]
    }
    assert list(people.values()) == [row["name"] for row in tables_of(made)["cast"].records()]
    assert all(node["@id"].startswith("urn:analyzer:book:") for node in nodes)


def check_markdown(text: str) -> None:
    """No words become markup: no links, code, HTML; lists and headings are those of the page."""
    kinds: set[str] = set()
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        kinds.add(token.type)
        kinds |= {child.type for child in token.children or ()}
    assert not kinds & {
        "html_block",
        "html_inline",
        "link_open",
        "image",
        "code_inline",
        "fence",
        "code_block",
        "table_open",
    }
    assert not kinds & {"em_open", "strong_open", "hr", "ordered_list_open", "s_open", "hardbreak"}, kinds


def test_hostile_names_stay_names_in_every_format() -> None:
    check(book(HOSTILE))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_title_alone_breaks_nothing(name: str) -> None:
    made = book([name[:200]], title=name[:200])
    check_markdown(files_of(made, "markdown")[""].decode())
    notes_of(files_of(made, "obsidian"))


@settings(max_examples=12, deadline=None, suppress_health_check=SLOW)
@given(st.lists(WORDS, min_size=1, max_size=3))
def test_any_names_stay_names_in_every_format(names: list[str]) -> None:
    check(book(names))


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=8))
def test_file_names_are_safe_and_differ_on_every_system(names: list[str]) -> None:
    found = file_names((name, "Unnamed") for name in names)
    check_paths({f"{name}.md": b"" for name in found})
    assert len({name.casefold() for name in found}) == len(names)
    assert all(len(name.encode()) <= LONGEST_BYTES + 12 for name in found)


@settings(max_examples=150, deadline=None)
@given(WORDS)
def test_words_are_one_line_in_yaml_links_and_markdown(words: str) -> None:
    assert "\n" not in in_yaml(words) and yaml.safe_load(f"x: {in_yaml(words)}") == {"x": words}
    assert not re.search(r"[\n\r\[\]|<>`\\]", label(words))
    check_markdown(f"- {inline(words)}\n\n# {inline(words)}\n\n> {inline(words)}\n\n{inline(words)}\n")


def test_a_name_of_a_file_keeps_what_is_harmless() -> None:
    assert (
        safe_name("Oda  Marrin-O'Neill") == "Oda Marrin-O'Neill" and safe_name("오다 베짜는 사람") == "오다 베짜는 사람"
    )
    assert safe_name("../../x") == "x" and safe_name("CON") == "_CON" and safe_name(".. ..") == ""
    assert file_names([("Oda", ""), ("ODA", ""), ("Ｏｄａ", ""), ("", "Unnamed"), ("Oda (2)", "")]) == [
        "Oda", "ODA (2)", "Ｏｄａ (3)", "Unnamed", "Oda (2) (2)",
    ]  # fmt: skip
