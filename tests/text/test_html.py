"""HTML: headings, notes, ruby, tables, verse, scene breaks; every letter is in the text or listed as removed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers import html
from analyzer.text.readers._decode import codec_of, shown
from analyzer.text.readers._reader import SourceText


def read(source: str | bytes, name: str = "book.html") -> SourceText:
    return html.read(source if isinstance(source, bytes) else source.encode(), Path(name))


def test_a_named_encoding_wins_over_what_the_page_declares(tmp_path: Path) -> None:
    page = tmp_path / "book.html"
    page.write_bytes('<meta charset="iso-8859-1"><p>Паром ушёл до рассвета.'.encode("koi8-r"))
    assert read_manuscript(page, encoding="koi8-r").text == "Паром ушёл до рассвета.\n"
    assert read_manuscript(page, encoding="koi8-r").encoding == "KOI8-R"


def text(source: str) -> str:
    return read(source).text


def test_heading_elements_are_hints_with_their_level_and_their_lines() -> None:
    found = read("<h1>The Salt Road</h1><h2>I<br>The <i>Gate</i></h2><p>Salt.</p><h2>II</h2><p>Sea.</p>")
    assert found.text == "The Salt Road\n\nI\nThe Gate\n\nSalt.\n\nII\n\nSea.\n"
    assert [(hint.level, hint.text, found.text[hint.start : hint.end]) for hint in found.headings] == [
        (1, "The Salt Road", "The Salt Road"),
        (2, "I. The Gate", "I\nThe Gate"),
        (2, "II", "II"),
    ]
    assert found.title == "The Salt Road"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>a   b\n c</p>", "a b c"),
        ("<p>渡し\n 船が<i>出</i>た</p>", "渡し船が出た"),
        ("<p>나룻배가\n떠났다</p>", "나룻배가 떠났다"),
        ('<p><span class="dropcap">T</span>he ferry</p>', "The ferry"),
        ('<p><span class="drop-cap">T</span> he ferry</p>', "The ferry"),
        ('<p><span class="initial">I</span> Ilse</p>', "I Ilse"),
        ('<div class="dropcap">T</div><p>he ferry</p>', "The ferry"),
        ('<p><img src="t.png" alt="T">he ferry</p>', "The ferry"),
        ("<p>so&shy;ft w&#x2060;ord e&#x301; 가&#x200b;</p>", "soft word é 가"),
        ("<p>\u1112\u1161\u11ab \u304b\u3099</p>", "한 が"),
        ("<p>one</p><hr><p>two</p>", "one\n\n* * *\n\ntwo"),
        ("<p>one</p><p>***</p><p>two</p>", "one\n\n***\n\ntwo"),
        ("<p>A line<br>\n and a second<br/>third</p>", "A line\nand a second\nthird"),
        ("<pre>A line\n  and a second</pre>", "A line\nand a second"),
        ("<table><tr><td>Ilse<td>two</tr><tr><td><p>Odo</p></td><td>three</td></tr></table>", "Ilse\ttwo\nOdo\tthree"),
        ("<table><tr><td><p>One.</p><p>Two.</p></td></tr></table>", "One.\n\nTwo."),
        ("<ul><li>one<li>two</ul>", "one\n\ntwo"),
        ("<p>a<b>b</b><i>c</i> d</p>", "abc d"),
        ("<div>one<p>two</p>three</div>", "one\n\ntwo\n\nthree"),
        ("<p>\u3000渡船</p>", "\u3000渡船"),
    ],
)
def test_paragraphs_stand_as_a_reader_sees_them(source: str, expected: str) -> None:
    assert text(source) == expected + "\n"


def test_ruby_is_the_base_in_the_text_and_the_reading_in_what_was_removed() -> None:
    found = read("<p><ruby>潮<rp>(</rp><rt>しお</rt><rp>)</rp></ruby>の<ruby><rb>道</rb><rt>みち</rt></ruby></p>")
    assert found.text == "潮の道\n"
    assert "".join(piece.text for piece in found.removed) == "(しお)みち"
    assert {piece.kind for piece in found.removed} == {"ruby reading"}


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("<p hidden>GONE</p>", "hidden text"),
        ('<p style="color:red; display : none">GONE</p>', "hidden text"),
        ("<style>.x{display:none}</style><p class='y x'>GONE</p>", "hidden text"),
        ("<nav>GONE</nav>", "contents list"),
        ("<p>a<del>GONE</del></p>", "deleted text"),
        ('<p>a<img alt="GONE">b</p>', "picture"),
        ("<svg><text>GONE</text></svg>", "picture"),
        ('<section role="doc-colophon">GONE</section>', "imprint"),
        ('<p>a<span role="doc-pagebreak">GONE</span>b</p>', "page number"),
        ("<p><button>GONE</button></p>", "form"),
    ],
)
def test_what_is_not_shown_or_no_text_is_removed_with_its_reason(source: str, kind: str) -> None:
    found = read(source + "<p>Salt.</p>")
    assert "GONE" not in found.text and "Salt." in found.text
    assert [(piece.kind, piece.text) for piece in found.removed] == [(kind, "GONE")]


def test_scripts_comments_and_the_head_are_no_words() -> None:
    found = read(
        "<head><title>T</title><meta name=author content='A. Weaver'></head><script>x()</script><!-- c --><p>Salt.</p>"
    )
    assert (found.text, found.removed, found.title, found.author) == ("Salt.\n", (), "T", "A. Weaver")


def test_notes_go_to_the_end_and_numbers_that_only_look_like_marks_stay() -> None:
    found = read(
        '<p>Salt<sup><a href="#n1" id="r1">1</a></sup> in <a href="#n9">7</a> ships [<a href="#n2">2</a>].</p>'
        '<p id="n9">Seven ships.</p><ol><li id="n1"><p>Sea salt. <a href="#r1">↩</a></p><li id="n2">2. Small ships.</ol>'
    )
    assert found.text == "Salt in 7 ships .\n\nSeven ships.\n\nSea salt.\n\n2. Small ships.\n"
    assert [found.text[a:b] for a, b in found.notes] == ["Sea salt.", "2. Small ships."]
    assert [piece.text for piece in found.removed] == ["1", "[2]", "↩"]


def test_a_contents_list_on_the_page_gives_chapters_where_no_heading_does(tmp_path: Path) -> None:
    prose = "The ferry went out before dawn, and Ilse counted the lanterns on the other bank. " * 5
    names = ("The Gate", "The Well", "The Sea")
    links = "".join(f'<p><a href="#c{i}">{name}</a></p>' for i, name in enumerate(names))
    body = "".join(f'<p><a name="c{i}"></a><b>{name}</b></p><p>{prose}</p>' for i, name in enumerate(names))
    path = tmp_path / "book.html"
    path.write_text(f"<h5></h5><p>Contents</p>{links}{body}")
    found = read_manuscript(path)
    assert [chapter.title for chapter in found.chapters] == list(names)
    assert [len(chapter.blocks) for chapter in found.chapters] == [1, 1, 1]


@pytest.mark.parametrize(
    ("charset", "encoding", "words"),
    [
        ("gb2312", "gb18030", "渡船來了镕"),
        ("Shift_JIS", "cp932", "夜明け前①"),
        ("euc-kr", "cp949", "나룻배 똠"),
        ("iso-8859-1", "cp1252", "“Salt” – é"),
        ("windows-1251", "windows-1251", "Паром ушёл"),
        ("big5", "big5hkscs", "渡船"),
    ],
)
def test_the_declared_charset_is_used_in_its_larger_form(charset: str, encoding: str, words: str) -> None:
    found = read(f'<meta http-equiv="Content-Type" content="text/html; charset={charset}"><p>{words}'.encode(encoding))
    assert (found.text, found.encoding) == (words + "\n", shown(codec_of(encoding)))


def test_utf8_is_read_as_such_whatever_it_declares_and_utf16_by_its_mark() -> None:
    assert text('<meta charset="iso-8859-1"><p>é鹽</p>') == "é鹽\n"
    assert read('<meta charset="utf-8"><p>é鹽</p>'.encode("utf-16")).text == "é鹽\n"


def test_xhtml_with_empty_anchors_is_read_as_xml() -> None:
    source = '<html xmlns="http://www.w3.org/1999/xhtml" lang="fr"><body><h2><a id="x"/>Un</h2><p>Le&nbsp;bac.</p></body></html>'
    found = read(source, "book.xhtml")
    assert (found.text, found.language) == ("Un\n\nLe\u00a0bac.\n", "fr")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"<p> </p><img>", "empty"),
        (b"\x00\x01\x02", "control byte 0x01"),
        (b"<div>" * 400 + b"x", "deeply nested"),
        (b"<b>" * 100_000 + b"x", "deeply nested"),
        (b"<p>" + b"x" * 11_000_000, "too large"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><p>&x;', "entities of its own"),
    ],
    ids=["empty", "blank", "binary", "deep", "deeper", "long", "entities"],
)
def test_what_is_no_page_is_refused_in_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(data)
    assert words in str(caught.value) and "book.html" in str(caught.value) and "\n" not in str(caught.value)


def test_one_paragraph_of_five_megabytes_is_read() -> None:
    assert len(text("<p>" + "salt and sea " * 400_000 + "</p>")) > 5_000_000


LEAVES = st.sampled_from(
    ["salt", "Ilse 12", "渡船", "나룻배", "é", "Соль", "<br>", "<hr>", " ", "\n", "&mdash;", "<img alt=map>"]
)
TAGS = st.sampled_from(
    [
        "p",
        "div",
        "span",
        "b",
        "h2",
        "h3",
        "li",
        "td",
        "tr",
        "table",
        "ruby",
        "rt",
        "section",
        "aside",
        "pre",
        "sup",
        "del",
    ]
)
MEANING = st.sampled_from(
    [
        "nav",
        "p hidden",
        "a href=#n",
        "a href=#n id=n",
        "span class=dropcap",
        "section role=doc-endnotes",
        "a role=doc-noteref",
    ]
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split()[0]}>", TAGS | MEANING, st.lists(inner, max_size=4)
    ),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(TREES, min_size=1, max_size=6).map("".join))
def test_every_letter_of_a_page_is_in_the_text_or_removed(body: str) -> None:
    from lxml import etree

    source = f"<body><p>begin</p>{body}<p>end</p></body>"
    root = etree.fromstring(source, etree.HTMLParser())
    found = read(source)
    alts = "".join(image.get("alt", "") for image in root.iter("img"))
    there = Counter(filter(str.isalnum, "".join(map(str, root.itertext())) + alts))
    kept = Counter(filter(str.isalnum, found.text + "".join(piece.text for piece in found.removed)))
    assert kept == there
    for hint in found.headings:
        assert 0 <= hint.start < hint.end <= len(found.text) and hint.text


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300), st.text(alphabet="<>/!-[]&;#\"'= abhpnav0123\n\0é渡", max_size=300).map(str.encode)
    )
)
def test_any_bytes_are_read_or_refused_in_one_sentence(data: bytes) -> None:
    try:
        assert any(map(str.isalnum, read(data).text))
    except InputError as error:
        assert "\n" not in str(error) and "book.html" in str(error)
