"""EPUB: no letter of a page is lost whatever its markup, and no damage to a book crashes or hangs the reader."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.text.chapters import split_chapters
from analyzer.text.languages import language_table
from tests.epubs import book, item, nav, page, read

INLINE = st.sampled_from(
    ["salt", "Ilse 12", "渡船", "나룻배", "Соль", "<br/>", "<img alt='map'/>", "<b>b</b>", "<rt>r</rt>", "<i>x</i>y"]
)
MARKS = st.sampled_from(
    [
        '<a href="b.xhtml#n1">1</a>',
        '<sup><a id="r1" href="b.xhtml#n1">1</a></sup>',
        '<a epub:type="noteref" href="a.xhtml#n2">*</a>',
        '<a href="a.xhtml">link</a>',
        '<span hidden="">gone</span>',
    ]
)
PLAIN = st.sampled_from(["p", "h2", "h3", "div", 'p id="n1"', "nav", "li", 'blockquote class="title"', 'div id="c1"'])
TYPED = st.sampled_from(
    [
        'aside epub:type="footnote" id="n2"',
        'section epub:type="copyright-page"',
        'section id="c2" epub:type="afterword"',
    ]
)
BLOCKS = st.builds(
    lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split()[0]}>",
    PLAIN | TYPED,
    st.lists(INLINE | MARKS, min_size=1, max_size=5),
)
BODIES = st.lists(BLOCKS, min_size=1, max_size=8).map("".join)
PROSE = "salt and sea, " * 5
"""Longer than the caption of a contents list, so that a page is never nothing but such a list."""
ENTRIES = st.lists(
    st.sampled_from(
        ["a.xhtml", "b.xhtml", "c.xhtml", "a.xhtml#c1", "b.xhtml#c2", "c.xhtml#n1", "a.xhtml#lost", "gone.xhtml"]
    ),
    max_size=5,
    unique=True,
)


def letters_of(body: bytes) -> Counter[str]:
    from lxml import etree

    root = etree.fromstring(body, etree.XMLParser(load_dtd=False, resolve_entities=False))
    words = "".join("".join(map(str, part.itertext())) for part in root.iter("{*}body"))
    return Counter(filter(str.isalnum, words + "".join(image.get("alt", "") for image in root.iter("{*}img"))))


@settings(max_examples=120, deadline=None)
@given(BODIES, BODIES, BODIES, ENTRIES, st.sampled_from([(), ("b.xhtml",)]))
def test_every_letter_of_every_page_is_in_the_text_or_removed(
    one: str, two: str, three: str, entries: list[str], aside: tuple[str, ...]
) -> None:
    pages = {
        f"{name}.xhtml": page(f"<p>{PROSE}</p>{body}") for name, body in zip("abc", (one, two, three), strict=True)
    }
    there = sum((letters_of(data) for data in pages.values()), Counter[str]())
    source = read(book(pages, contents=nav("".join(item("", href) for href in entries)), aside=aside))
    kept = Counter(filter(str.isalnum, source.text + "".join(piece.text for piece in source.removed)))
    assert there == kept
    assert all(source.text[hint.start : hint.end].strip() for hint in source.headings)
    plan = split_chapters(source, language_table("en"))
    stretches = sorted([(c.start, c.end) for c in plan.chapters] + [(d.start, d.end) for d in plan.dropped])
    assert [start for start, _ in stretches] == [0, *(end for _, end in stretches[:-1])]
    assert stretches[-1][1] == len(source.text)


NOTE = '<aside epub:type="footnote" id="n">N</aside>'
WHOLE = {
    "a.xhtml": page(f'<h2 id="c1">Chapter 1</h2><p>Salt.<a epub:type="noteref" href="#n">*</a></p>{NOTE}'),
    "b.xhtml": page('<section><h2 id="c2">Chapter 2</h2><table><tr><td>Sea</td></tr></table></section>'),
}


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_book_is_read_or_refused_in_one_sentence(seed: int) -> None:
    chance = random.Random(seed)
    contents = nav(item("Chapter 1", "a.xhtml#c1") + f"<li>Part<ol>{item('Chapter 2', 'b.xhtml#c2')}</ol></li>")
    for _ in range(40):
        parts = {name: bytearray(data) for name, data in {**WHOLE, "nav": contents}.items()}
        for _ in range(chance.randint(1, 6)):
            part = chance.choice(list(parts.values()))
            at = chance.randrange(len(part))
            part[at : at + chance.randint(0, 9)] = chance.choice(
                [b"", b"<", b">", b"&", b"\xff", b"</p>", b"<nav>", b"]]>", b"\0"]
            )
        pages = {name: bytes(parts[name]) for name in WHOLE}
        try:
            assert read(book(pages, contents=bytes(parts["nav"]))).text.strip()
        except InputError as error:
            assert "\n" not in str(error) and "book.epub" in str(error)
