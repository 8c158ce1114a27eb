"""The same paragraphs in every format: every character of them is in the text or among what was removed, once."""

from __future__ import annotations

import html
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.text.manuscript import read_manuscript, read_source
from analyzer.text.readers._reader import readers
from tests import epubs, office
from tests.office import ascii_rtf, r, style
from tests.text.whole import gaps_in


class Piece(NamedTuple):
    """A paragraph and what it is: formats without such a thing have it as plain text."""

    shape: str
    words: str


SHAPES = st.sampled_from(["plain", "plain", "heading", "note", "hidden", "deleted", "table", "ruby"])
WORDS = st.text(
    st.sampled_from(
        "aZéßñ e\u0301o\u0308 Жё 가각힣 \u1112\u1161\u11ab 渡船々 はカﾞが\u3099 １２ “”‘’,.!?…— 。「」 \u00ad\u2060\u00a0x"
    ),
    min_size=1,
    max_size=30,
).filter(lambda words: any(map(str.isalpha, words)) and words.strip("\u00ad\u2060 ")[:1].isalpha())
BOOKS = st.lists(st.builds(Piece, SHAPES, WORDS), min_size=1, max_size=10)


def as_text(pieces: Sequence[Piece]) -> bytes:
    return "\n\n".join(["x", *(piece.words for piece in pieces)]).encode()


def as_markdown(pieces: Sequence[Piece]) -> bytes:
    forms = {"heading": "## {}", "hidden": "<!-- {} -->", "table": "> {}"}
    body = [forms.get(piece.shape, "{}").format(piece.words) for piece in pieces if piece.shape != "note"]
    notes = [(f"x[^{n}]", f"[^{n}]: {piece.words}") for n, piece in enumerate(pieces) if piece.shape == "note"]
    return "\n\n".join(["x", *body, *(mark for mark, _ in notes), *(note for _, note in notes)]).encode()


_TAGS = {
    "heading": "<h2>{}</h2>",
    "hidden": '<p style="display:none">{}</p>',
    "deleted": "<p><del>{}</del></p>",
    "table": "<table><tr><td>{}</td></tr></table>",
    "note": '<aside epub:type="footnote">{}</aside>',
    "ruby": "<p><ruby><rt>{}</rt></ruby></p>",
}


def tags_of(pieces: Sequence[Piece]) -> str:
    return "<p>x</p>" + "".join(
        _TAGS.get(piece.shape, "<p>{}</p>").format(html.escape(piece.words)) for piece in pieces
    )


def as_html(pieces: Sequence[Piece]) -> bytes:
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{tags_of(pieces)}</body></html>'.encode()


def as_epub(pieces: Sequence[Piece]) -> bytes:
    half = len(pieces) // 2
    pages = {"a.xhtml": epubs.page(tags_of(pieces[:half])), "b.xhtml": epubs.page(tags_of(pieces[half:]))}
    return epubs.book(pages, contents=epubs.nav(epubs.item("", "a.xhtml") + epubs.item("", "b.xhtml")))


def as_docx(pieces: Sequence[Piece]) -> bytes:
    forms = {
        "heading": '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr>{}</w:p>',
        "deleted": "<w:p><w:del>{}</w:del></w:p>",
        "table": "<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>",
        "ruby": "<w:p><w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase/></w:ruby></w:r></w:p>",
    }
    body, notes = office.p("x"), ""
    for n, piece in enumerate(pieces):
        run = r(piece.words, "<w:vanish/>" if piece.shape == "hidden" else "")
        if piece.shape == "note":
            notes += f'<w:footnote w:id="{n}"><w:p>{run}</w:p></w:footnote>'
            run = f'<w:r><w:footnoteReference w:id="{n}"/></w:r>'
        body += forms.get(piece.shape, "<w:p>{}</w:p>").format(run)
    return office.docx(body, styles=style("H1", "heading 1"), parts={"footnotes": notes})


_ODT = {
    "heading": '<text:h text:outline-level="1">{}</text:h>',
    "note": "<text:p><text:note><text:note-body><text:p>{}</text:p></text:note-body></text:note></text:p>",
    "hidden": "<text:p><office:annotation><text:p>{}</text:p></office:annotation></text:p>",
    "table": "<table:table><table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row></table:table>",
    "ruby": "<text:p><text:ruby><text:ruby-text>{}</text:ruby-text></text:ruby></text:p>",
}


def odf_of(pieces: Sequence[Piece]) -> str:
    return "<text:p>x</text:p>" + "".join(
        _ODT.get(piece.shape, "<text:p>{}</text:p>").format(piece.words) for piece in pieces
    )


def as_rtf(pieces: Sequence[Piece]) -> bytes:
    forms = {
        "heading": (r"{\pard\s1 ", r"\par}"),
        "note": (r"{\footnote ", "}"),
        "hidden": (r"{\v ", r"}\par "),
        "deleted": (r"{\deleted ", r"}\par "),
        "table": (r"\trowd\intbl ", r"\cell\row\pard "),
    }
    body = r"x\par "
    for piece in pieces:
        before, after = forms.get(piece.shape, ("", r"\par "))
        body += before + ascii_rtf(piece.words).decode() + after
    return office.rtf(body, head=r"{\stylesheet{\s1\outlinelevel0 heading 1;}}")


FORMATS: dict[str, tuple[str, Callable[[Sequence[Piece]], bytes]]] = {
    "txt": (".txt", as_text),
    "md": (".md", as_markdown),
    "html": (".html", as_html),
    "epub": (".epub", as_epub),
    "docx": (".docx", as_docx),
    "odt": (".odt", lambda pieces: office.odt(odf_of(pieces))),
    "fodt": (".fodt", lambda pieces: office.flat_odt(odf_of(pieces))),
    "rtf": (".rtf", as_rtf),
}


def visible(words: str) -> Counter[str]:
    return Counter(ch for ch in unicodedata.normalize("NFD", words) if not ch.isspace())


def accounted(path: Path, pieces: Sequence[Piece]) -> tuple[Counter[str], Counter[str]]:
    """Return the characters a reader has of a file, in the text or removed, and those put in; the x's only keep a place."""
    source = read_source(path)
    kept = visible(source.text) + visible("".join(one.text for one in source.removed))
    put = visible("".join(piece.words for piece in pieces))
    kept.pop("x", None)
    put.pop("x", None)
    if path.suffix == ".md":
        kept -= visible("<!---->" * sum(piece.shape == "hidden" for piece in pieces))
        put -= Counter()
    return kept, put


def test_every_reader_is_among_the_formats() -> None:
    known = readers()
    assert {known[suffix] for suffix, _ in FORMATS.values()} == set(known.values())


QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.mark.parametrize("name", FORMATS)
@QUICK
@given(BOOKS)
def test_every_character_is_in_the_text_or_removed_in_every_format(
    tmp_path_factory: pytest.TempPathFactory, name: str, pieces: list[Piece]
) -> None:
    suffix, made = FORMATS[name]
    path = tmp_path_factory.mktemp("any") / f"book{suffix}"
    path.write_bytes(made(pieces))
    kept, put = accounted(path, pieces)
    assert kept == put
    assert gaps_in(read_manuscript(path)) == []


@QUICK
@given(st.lists(st.tuples(st.sampled_from(list(FORMATS)), BOOKS), min_size=1, max_size=4))
def test_every_character_of_a_folder_of_files_is_in_the_text_or_removed(
    tmp_path_factory: pytest.TempPathFactory, files: list[tuple[str, list[Piece]]]
) -> None:
    folder = tmp_path_factory.mktemp("folder")
    for n, (name, pieces) in enumerate(files, 1):
        suffix, made = FORMATS[name]
        (folder / f"{n:02}{suffix}").write_bytes(made(pieces))
    source = read_source(folder)
    kept = visible(source.text) + visible("".join(one.text for one in source.removed))
    for ch, n in visible("".join(piece.words for _, pieces in files for piece in pieces)).items():
        assert ch == "x" or kept[ch] >= n
