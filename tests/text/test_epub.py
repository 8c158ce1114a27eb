"""EPUB: the contents list decides, in the order of the spine; notes, matter and what is not shown stay out of chapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.models.text import Chapter, Manuscript
from analyzer.text.manuscript import read_manuscript
from tests.epubs import archive, book, item, nav, ncx, page, point, read

LONG = (
    "The ferry went out before dawn, and Ilse counted the lanterns on the other bank until the fog had them all. " * 4
)
TEXTS = {
    "en": LONG,
    "ko": "나룻배는 동이 트기 전에 떠났고, 일세는 안개가 등불을 모두 삼킬 때까지 건너편 강둑의 등불을 세었다. " * 6,
    "zh": "天還沒亮渡船就開了，伊爾莎數著對岸的燈籠，直到霧把它們全都吞沒。" * 8,
    "ja": "夜明け前に渡し船は出て、イルゼは霧が灯りをすっかり呑み込むまで、向こう岸の灯りを数えていた。" * 6,
    "fr": "Le bac partit avant l’aube, et Ilse compta les lanternes de l’autre rive jusqu’à ce que la brume les prît. "
    * 4,
}


def manuscript(folder: Path, data: bytes) -> Manuscript:
    path = folder / "book.epub"
    path.write_bytes(data)
    return read_manuscript(path)


def told(chapters: tuple[Chapter, ...]) -> list[tuple[str, str, str]]:
    return [(chapter.kind, chapter.label, chapter.title) for chapter in chapters]


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["Chapter 1", "Chapter 2"]),
        ("ko", ["제1장", "제2장"]),
        ("zh", ["第一章", "第二章"]),
        ("ja", ["第一話", "第二話"]),
        ("fr", ["Chapitre 1", "Chapitre 2"]),
    ],
)
def test_entries_at_anchors_begin_chapters_in_the_middle_of_a_page(
    tmp_path: Path, language: str, labels: list[str]
) -> None:
    text = TEXTS[language]
    body = "".join(f'<section id="c{n}"><h2>{label}</h2><p>{text}</p></section>' for n, label in enumerate(labels))
    entries = "".join(item(label, f"a.xhtml#c{n}") for n, label in enumerate(labels))
    read = manuscript(tmp_path, book({"a.xhtml": page(body)}, contents=nav(entries), language=language))
    assert [chapter.heading for chapter in read.chapters] == labels
    assert [chapter.text for chapter in read.chapters] == [text.strip(), text.strip()]
    assert all(chapter.label for chapter in read.chapters)


def test_a_page_without_an_entry_goes_on_with_the_chapter_before(tmp_path: Path) -> None:
    pages = {f"c{n}.xhtml": page(f"<p>{n} {LONG}</p>") for n in range(4)}
    read = manuscript(tmp_path, book(pages, contents=nav(item("The Gate", "c0.xhtml") + item("The Well", "c2.xhtml"))))
    assert told(read.chapters) == [("chapter", "", "The Gate"), ("chapter", "", "The Well")]
    assert [len(chapter.blocks) for chapter in read.chapters] == [2, 2]
    assert read.chapters[0].heading == "The Gate"


def test_the_spine_orders_the_pages_and_not_the_manifest_or_the_contents(tmp_path: Path) -> None:
    pages = {name: page(f"<h1>{name[0].upper()} side</h1><p>{LONG}</p>") for name in ("c.xhtml", "a.xhtml", "b.xhtml")}
    entries = item("B side", "b.xhtml") + item("A side", "a.xhtml") + item("C side", "c.xhtml")
    data = book(pages, contents=nav(entries), spine=("a.xhtml", "b.xhtml", "c.xhtml"))
    assert [chapter.title for chapter in manuscript(tmp_path, data).chapters] == ["A side", "B side", "C side"]


def test_the_navigation_page_is_preferred_to_the_ncx(tmp_path: Path) -> None:
    pages = {f"c{n}.xhtml": page(f"<p>{LONG}</p>") for n in range(3)}
    old = ncx("".join(point(f"Old {n}", f"c{n}.xhtml") for n in range(3)))
    data = book(pages, contents=nav(item("New one", "c0.xhtml") + item("New two", "c1.xhtml")), old=old)
    assert [chapter.title for chapter in manuscript(tmp_path, data).chapters] == ["New one", "New two"]


def test_parts_hold_chapters_whether_they_lead_somewhere_or_not(tmp_path: Path) -> None:
    pages = {f"c{n}.xhtml": page(f'<p class="t">The {n}th night</p><p>{LONG}</p>') for n in range(4)}
    night = [f"The {n}th night" for n in range(4)]
    linked = ncx(
        point("Part One", "c0.xhtml", point(night[0], "c0.xhtml") + point(night[1], "c1.xhtml"))
        + point("Part Two", "c2.xhtml", point(night[2], "c2.xhtml") + point(night[3], "c3.xhtml"))
    )
    unlinked = nav(
        f"<li><span>Part One</span><ol>{item(night[0], 'c0.xhtml')}{item(night[1], 'c1.xhtml')}</ol></li>"
        f"<li><span>Part Two</span><ol>{item(night[2], 'c2.xhtml')}{item(night[3], 'c3.xhtml')}</ol></li>"
    )
    for data in (book(pages, old=linked), book(pages, contents=unlinked)):
        read = manuscript(tmp_path, data)
        assert [chapter.title for chapter in read.chapters] == night
        assert [gap.reason for gap in read.dropped] == ["part heading", "part heading"]
        assert read.title == "The Salt Road"
        assert [len(chapter.blocks) for chapter in read.chapters] == [1, 1, 1, 1]


def test_a_prologue_beside_parts_is_a_chapter_and_sections_of_a_chapter_are_none(tmp_path: Path) -> None:
    body = f'<h2>The Mill</h2><p>{LONG}</p><h3 id="s">Later</h3><p>{LONG}</p>'
    pages = {
        "p.xhtml": page(f"<h2>Prologue</h2><p>{LONG}</p>"),
        "m.xhtml": page(body),
        "w.xhtml": page(f"<p>{LONG}</p>"),
    }
    inner = f'<li><a href="m.xhtml">The Mill</a><ol>{item("Later", "m.xhtml#s")}</ol></li>' + item(
        "The Weir", "w.xhtml"
    )
    read = manuscript(
        tmp_path, book(pages, contents=nav(item("Prologue", "p.xhtml") + f"<li>Part I<ol>{inner}</ol></li>"))
    )
    assert told(read.chapters) == [
        ("prologue", "", "Prologue"),
        ("chapter", "", "The Mill"),
        ("chapter", "", "The Weir"),
    ]
    assert [block.text for block in read.chapters[1].blocks][1] == "Later"


def test_a_heading_in_plain_paragraphs_is_known_by_its_label(tmp_path: Path) -> None:
    pages = {
        "a.xhtml": page(f'<div><p class="n">I.</p><p class="x"><b>The Gate</b></p></div><p>{LONG}</p>'),
        "b.xhtml": page(f"<p>CHAPTER II</p><p>The Well</p><p>{LONG}</p>"),
        "c.xhtml": page(f"<h2>III</h2><h3>The Sea</h3><p>{LONG}</p>"),
    }
    entries = item("I. The Gate", "a.xhtml") + item("The Well", "b.xhtml") + item("Chapter III: The Sea", "c.xhtml")
    read = manuscript(tmp_path, book(pages, contents=nav(entries)))
    assert [(chapter.label, chapter.title) for chapter in read.chapters] == [
        ("I", "The Gate"),
        ("II", "The Well"),
        ("III", "The Sea"),
    ]
    assert [chapter.heading for chapter in read.chapters] == ["I.\nThe Gate", "CHAPTER II\nThe Well", "III\nThe Sea"]
    assert [chapter.text for chapter in read.chapters] == [LONG.strip()] * 3


def test_a_chapter_that_begins_with_a_picture_gets_its_label(tmp_path: Path) -> None:
    pages = {f"{n}.xhtml": page(f'<img src="h{n}.png" alt="ornament"/><p>{LONG}</p>') for n in (1, 2)}
    data = book(pages, contents=nav(item("Chapter 1", "1.xhtml") + item("Chapter 2", "2.xhtml")))
    assert [chapter.heading for chapter in manuscript(tmp_path, data).chapters] == ["Chapter 1", "Chapter 2"]
    assert [piece for piece in read(data).removed if piece.kind == "picture"]


def test_the_contents_page_in_the_spine_is_no_chapter(tmp_path: Path) -> None:
    pages = {f"c{n}.xhtml": page(f"<h1>Chapter {n}</h1><p>{LONG}</p>") for n in (1, 2, 3)}
    links = "".join(f'<p><a href="c{n}.xhtml">Chapter {n}</a></p>' for n in (1, 2, 3))
    pages["toc.xhtml"] = page(f"<h2>What is in it</h2>{links}")
    contents = nav(item("What is in it", "toc.xhtml") + "".join(item(f"Chapter {n}", f"c{n}.xhtml") for n in (1, 2, 3)))
    data = book(pages, contents=contents, spine=("nav.xhtml", "toc.xhtml", "c1.xhtml", "c2.xhtml", "c3.xhtml"))
    found = manuscript(tmp_path, data)
    assert [chapter.label for chapter in found.chapters] == ["1", "2", "3"]
    assert "What is in it" not in found.text
    assert [piece.kind for piece in read(data).removed] == ["contents list"] * 5


def test_title_page_cover_and_imprint_are_removed_by_type_landmark_or_guide(tmp_path: Path) -> None:
    pages = {
        "cover.xhtml": page("<p>COVERWORD</p>"),
        "t.xhtml": page('<section epub:type="titlepage"><h1>TITLEWORD</h1></section>'),
        "a.xhtml": page(f"<h2>Chapter 1</h2><p>{LONG}</p>", ' epub:type="bodymatter"'),
        "b.xhtml": page(f"<h2>Chapter 2</h2><p>{LONG}</p>"),
        "i.xhtml": page("<h2>Legal</h2><p>IMPRINTWORD</p>"),
        "j.xhtml": page("<p>COLOPHONWORD. ISBN 000-0</p>"),
    }
    entries = "".join(item(name, f"{name}.xhtml") for name in ("cover", "t", "a", "b", "i", "j"))
    landmarks = '<li><a epub:type="copyright-page" href="i.xhtml">x</a></li>'
    data = book(pages, contents=nav(entries, landmarks), guide='<reference type="cover" href="cover.xhtml"/>')
    found = manuscript(tmp_path, data)
    assert [chapter.label for chapter in found.chapters] == ["1", "2"]
    kinds = {piece.text: piece.kind for piece in read(data).removed}
    assert kinds["COVERWORD"] == "cover" and kinds["TITLEWORD"] == "title page"
    assert kinds["IMPRINTWORD"] == "imprint" and kinds["COLOPHONWORD. ISBN 000-0"] == "imprint"
    assert "WORD" not in found.text


def test_front_and_back_matter_keep_their_kind_whatever_their_title(tmp_path: Path) -> None:
    pages = {
        "f.xhtml": page(f'<section epub:type="foreword"><h2>How it came about</h2><p>{LONG}</p></section>'),
        "a.xhtml": page(f"<h2>The Gate</h2><p>{LONG}</p>"),
        "b.xhtml": page(f"<h2>The Well</h2><p>{LONG}</p>"),
        "z.xhtml": page(f'<section epub:type="afterword"><h2>Thanks to all</h2><p>{LONG}</p></section>'),
        "y.xhtml": page("<p>ABOUTWORD the author.</p>", ' epub:type="backmatter"'),
    }
    entries = item("How it came about", "f.xhtml") + item("The Gate", "a.xhtml") + item("The Well", "b.xhtml")
    data = book(pages, contents=nav(entries + item("Thanks to all", "z.xhtml")))
    assert [chapter.kind for chapter in manuscript(tmp_path, data).chapters] == ["front", "chapter", "chapter", "back"]


def test_back_matter_without_an_entry_does_not_end_the_last_chapter(tmp_path: Path) -> None:
    pages = {
        "a.xhtml": page(f"<h2>The Gate</h2><p>{LONG}</p>"),
        "b.xhtml": page(f"<h2>The Well</h2><p>{LONG}</p>"),
        "y.xhtml": page("<p>ABOUTWORD the author.</p>", ' epub:type="backmatter"'),
    }
    data = book(pages, contents=nav(item("The Gate", "a.xhtml") + item("The Well", "b.xhtml")))
    assert "ABOUTWORD" not in manuscript(tmp_path, data).text
    assert ("back matter", "ABOUTWORD the author.") in read(data).removed


def test_popup_notes_and_endnotes_stand_apart_and_their_marks_are_gone(tmp_path: Path) -> None:
    body = (
        f'<h2>Chapter 1</h2><p>Salt.<a epub:type="noteref" href="#f1">*</a> Sea.</p><aside epub:type="footnote" id="f1" '
        f'hidden="hidden"><p>POPUPNOTE one.</p></aside><p>Fog<sup><a id="r2" href="notes.xhtml#n2">2</a></sup> rose.</p><p>{LONG}</p>'
    )
    notes = '<h2>Notes</h2><p id="n2"><a href="a.xhtml#r2">2</a> ENDNOTE two.</p><p id="n3"><a href="b.xhtml#r3">3</a> ENDNOTE three.</p>'
    pages = {
        "a.xhtml": page(body),
        "b.xhtml": page(f'<h2>Chapter 2</h2><p>Rain [<a id="r3" href="notes.xhtml#n3">3</a>] fell.</p><p>{LONG}</p>'),
        "notes.xhtml": page(notes),
    }
    entries = item("Chapter 1", "a.xhtml") + item("Chapter 2", "b.xhtml") + item("Notes", "notes.xhtml")
    for aside in ((), ("notes.xhtml",)):
        data = book(pages, contents=nav(entries), aside=aside)
        source = read(data)
        found = manuscript(tmp_path, data)
        assert [chapter.label for chapter in found.chapters] == ["1", "2"]
        assert [block.text for block in found.chapters[0].blocks][:2] == ["Salt. Sea.", "Fog rose."]
        assert found.chapters[1].blocks[0].text == "Rain fell." or found.chapters[1].blocks[0].text == "Rain  fell."
        notes_text = " ".join(source.text[a:b] for a, b in source.notes)
        assert "POPUPNOTE one." in notes_text and "ENDNOTE two." in notes_text and "ENDNOTE three." in notes_text
        assert not any("NOTE" in chapter.text for chapter in found.chapters)
        assert [piece.text for piece in source.removed if piece.kind == "note mark"] == ["*", "2", "[3]"]


def test_links_of_headings_to_a_contents_page_are_no_notes(tmp_path: Path) -> None:
    pages = {
        f"c{n}.xhtml": page(f'<p class="n"><a id="h{n}" href="toc.xhtml#t{n}">{n}</a></p><p>{LONG}</p>')
        for n in (1, 2, 3)
    }
    pages["toc.xhtml"] = page(
        "".join(f'<p id="t{n}"><a href="c{n}.xhtml#h{n}">{n}</a> of the ferry</p>' for n in (1, 2, 3))
    )
    data = book(pages, contents=nav("".join(item(f"{n}", f"c{n}.xhtml#h{n}") for n in (1, 2, 3))))
    assert [chapter.label for chapter in manuscript(tmp_path, data).chapters] == ["1", "2", "3"]
    assert read(data).notes == ()


def test_pages_out_of_the_order_of_reading_are_listed_as_removed() -> None:
    pages = {"a.xhtml": page(f"<h2>Chapter 1</h2><p>{LONG}</p>"), "map.xhtml": page("<p>MAPWORD</p>")}
    source = read(book(pages, aside=("map.xhtml",)))
    assert "MAPWORD" not in source.text
    assert ("outside the order of reading", "MAPWORD") in source.removed


def test_without_a_contents_list_heading_elements_decide(tmp_path: Path) -> None:
    pages = {"a.xhtml": page(f"<h2>One</h2><p>{LONG}</p><h2>Two</h2><p>{LONG}</p>"), "b.xhtml": page(f"<p>{LONG}</p>")}
    found = manuscript(tmp_path, book(pages))
    assert len(found.chapters) == 2 and len(found.chapters[1].blocks) == 2


def test_what_style_sheets_hide_is_hidden_and_line_ends_they_keep_are_kept() -> None:
    css = (
        ".x { color: red } .gone, p.away{display : none} @media print { .y { display:none } } .v{white-space:pre-line}"
    )
    body = '<p>a <span class="gone">GONE</span>b</p><p class="away">AWAY</p><p class="y">shown</p><p class="v">one\ntwo</p>'
    source = read(book({"a.xhtml": page(body)}, extra={"OPS/s.css": css}))
    assert source.text == "a b\n\nshown\n\none\ntwo\n"
    assert [piece.text for piece in source.removed] == ["GONE", "AWAY"]


def test_names_with_blanks_other_case_and_folders_are_found(tmp_path: Path) -> None:
    pages = {
        "Text/A b.xhtml": page(f"<h2>Chapter 1</h2><p>{LONG}</p>"),
        "Text/c.xhtml": page(f"<h2>Chapter 2</h2><p>{LONG}</p>"),
    }
    contents = nav(item("Chapter 1", "text/a%20b.xhtml") + item("Chapter 2", "./Text/../Text/c.xhtml"))
    assert [chapter.label for chapter in manuscript(tmp_path, book(pages, contents=contents)).chapters] == ["1", "2"]


def test_metadata_and_named_entities_are_read() -> None:
    source = read(book({"a.xhtml": page("<p>Sea&mdash;salt&nbsp;&hellip; &amp;mdash;</p>")}, language="en-GB"))
    assert source.text == "Sea—salt\u00a0… &mdash;\n"
    assert (source.title, source.author, source.language, source.encoding) == (
        "The Salt Road",
        "A. Weaver",
        "en-GB",
        "UTF-8",
    )


def test_a_page_that_is_no_xml_is_read_as_html() -> None:
    assert read(book({"a.xhtml": page("<p>One<br>two <b>three</p><p>four")})).text == "One\ntwo three\n\nfour\n"


ENCRYPTED = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">'
    '<EncryptionMethod Algorithm="{}"/><CipherData><CipherReference URI="OPS/{}"/></CipherData></EncryptedData></encryption>'
)


def test_a_locked_book_is_refused_and_one_with_obfuscated_fonts_is_read() -> None:
    pages = {"a.xhtml": page("<p>Salt.</p>")}
    locked = ENCRYPTED.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "a.xhtml")
    with pytest.raises(InputError, match="is locked"):
        read(book(pages, extra={"META-INF/encryption.xml": locked}))
    fonts = ENCRYPTED.format("http://www.idpf.org/2008/embedding", "font.otf")
    assert read(book(pages, extra={"META-INF/encryption.xml": fonts})).text == "Salt.\n"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no ZIP archive"),
        (b"PK\x03\x04 cut", "cut off or damaged"),
        (archive({"a": "b"}), "it has no package file"),
        (archive({"x.opf": "<package><manifest/></package>"}), "no order of reading"),
        (archive({"x.opf": "<package><manifest><item/></manifest><spine/></package>"}), "no page to read"),
        (book({"a.xhtml": page("<p></p>")}), "is empty"),
        (book({"a.xhtml": page("<div>" * 300 + "x" + "</div>" * 300)}), "too deeply nested"),
        (book({"a.xhtml": b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'}), "declares entities"),
        (book({"a.xhtml": page("<p>a</p>")}, extra={"../b": "c"}), "outside the archive"),
        (book({"a.xhtml": page("<p>a</p>")}, extra={"META-INF/container.xml": "<a"}), "no well-formed XML"),
        (book({"a.xhtml": page("<p>" + "a" * 11_000_000 + "</p>")}), "refused"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_is_no_book_is_refused_in_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(data)
    assert words in str(caught.value) and "book.epub" in str(caught.value)
    assert "\n" not in str(caught.value) and caught.value.hint


def test_a_page_the_spine_names_and_the_archive_lacks_is_an_error() -> None:
    package = (
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    with pytest.raises(InputError, match=r"'a\.xhtml', which is not there"):
        read(archive({"x.opf": package}))


def test_a_format_that_states_its_own_encoding_takes_none_and_says_nothing_of_it(tmp_path: Path) -> None:
    path = tmp_path / "book.epub"
    path.write_bytes(book({"a.xhtml": page(f"<h1>Chapter 1</h1><p>{LONG}</p>")}))
    read = read_manuscript(path)
    assert read.encoding == "" and not any("read as" in remark for remark in read.remarks)
    with pytest.raises(InputError, match="states its own encoding"):
        read_manuscript(path, encoding="koi8-r")


STORY = {
    "en": "She walked down to the quay and waited there for a long while, until the lamps were lit.",
    "ko": "소라는 부두로 내려가서 등불이 켜질 때까지 오랫동안 거기서 기다렸다. 아무도 오지 않았다.",
    "zh": "她走到碼頭上，在那裡等了很久，一直等到燈都點亮了，可是沒有人來。",
    "fr": "Elle descendit sur le quai et attendit longtemps, jusqu'à ce que les lampes fussent allumées.",
}


@pytest.mark.parametrize("language", ["en", "ko", "zh", "fr"])
@pytest.mark.parametrize("sign", ["© 1899 Hale &amp; Sons", "ISBN 000-0", "All rights reserved"])
def test_a_short_page_of_the_story_that_mentions_an_imprints_sign_stays(
    tmp_path: Path, language: str, sign: str
) -> None:
    words, heading = (
        STORY[language],
        {"en": "Chapter {}", "ko": "제{}화", "zh": "第{}章", "fr": "Chapitre {}"}[language],
    )
    pages = {
        "a.xhtml": page(f"<h1>{heading.format(1)}</h1><p>{words}</p>"),
        "b.xhtml": page(f"<h1>{heading.format(2)}</h1><p>KEPT {sign}.</p>"),
        "c.xhtml": page(f"<p>{words}</p><p>{words}</p><p>KEPT too: {sign}.</p>"),
        "d.xhtml": page(f"<h1>{heading.format(3)}</h1><p>{words}</p>"),
    }
    entries = "".join(item(heading.format(n), f"{name}.xhtml") for n, name in ((1, "a"), (2, "b"), (3, "d")))
    for data in (book(pages, contents=nav(entries), language=language), book(pages, language=language)):
        found = manuscript(tmp_path, data)
        assert [chapter.label for chapter in found.chapters] == ["1", "2", "3"]
        assert found.text.count("KEPT") == 2


@pytest.mark.parametrize(
    "words",
    [
        "<p>Copyright © 1899 A. Weaver</p><p>All rights reserved. No part of it may be reproduced without permission.</p>",
        "<h1>The Salt Road</h1><p>© A. Weaver</p><p>First published in a harbour town by people who liked it.</p>",
        "<h2>Impressum</h2><p>© A. Weaver, Verlag am Kai</p><p>Alle Rechte vorbehalten, auch die der Übersetzung.</p>",
        "<h2>판권</h2><p>© 에이 위버</p><p>이 책의 내용을 무단으로 복제하거나 옮겨 싣는 것을 금합니다.</p>",
        "<h2>版权页</h2><p>ISBN 000-0</p><p>版权所有，未经许可，不得以任何方式翻印本书的任何部分内容。</p>",
        "<h1>Mentions légales</h1><p>© A. Weaver</p><p>Tous droits de traduction réservés pour tous les pays du monde.</p>",
    ],
)
def test_an_imprint_with_a_heading_and_whole_sentences_is_still_one(tmp_path: Path, words: str) -> None:
    pages = {
        "a.xhtml": page(words),
        "b.xhtml": page(f"<h2>Chapter 1</h2><p>{LONG}</p>"),
        "c.xhtml": page(f"<h2>Chapter 2</h2><p>{LONG}</p>"),
    }
    entries = item("Copyright", "a.xhtml") + item("Chapter 1", "b.xhtml") + item("Chapter 2", "c.xhtml")
    for data in (book(pages, contents=nav(entries)), book(pages)):
        assert [chapter.label for chapter in manuscript(tmp_path, data).chapters] == ["1", "2"]
        assert {piece.kind for piece in read(data).removed} >= {"imprint"}
