"""DOCX becomes words: headings by outline, changes accepted, notes apart, nothing of the story lost or doubled."""

from __future__ import annotations

import io
import json
import os
import struct
import unicodedata
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.models.text import Manuscript
from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers import docx as reader
from analyzer.text.readers._reader import BY_LOOKS, SourceText
from tests.office import STRICT, docx, p, r, rtf, style, zipped
from tests.sources import levels, removed, words

PROSE = "The ferry had been late for so long that the two sisters no longer looked up when a bell rang on the water."
KO = "나루터의 등불이 꺼진 뒤로도 두 자매는 오래도록 강 건너를 바라보며 아무 말도 하지 않고 서 있었다."
ZH = "渡口的灯熄灭之后，姐妹俩仍旧站在石阶上望着对岸，谁也没有说话，只听见水声一阵一阵地拍着木桩。"
RU = "Когда фонарь на пристани погас, обе сестры ещё долго стояли на ступенях и смотрели на другой берег реки."
HEADINGS = style("H1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>') + style(
    "H2", "heading 2", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
)
BOLD_CENTRED = {"properties": '<w:jc w:val="center"/>', "run": "<w:b/>"}


def read(data: bytes, name: str = "book.docx") -> SourceText:
    return reader.read(data, Path(name))


def manuscript(folder: Path, data: bytes, language: str = "en") -> Manuscript:
    path = folder / "book.docx"
    path.write_bytes(data)
    return read_manuscript(path, language=language)


def test_words_split_over_runs_are_whole_and_breaks_are_characters() -> None:
    body = (
        f"<w:p>{r('The fer')}{r('ry', '<w:i/>')}{r(' was')}<w:r><w:tab/><w:t>late</w:t><w:br/><w:t>again</w:t>"
        "<w:noBreakHyphen/><w:t>ish</w:t><w:softHyphen/><w:cr/><w:t>e\u0301t\u00ade\u2060</w:t></w:r></w:p>"
    )
    assert words(read(docx(body))) == ["The ferry was\tlate\nagain-ish\néte"]


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("heading 1", 1),
        ("Heading 3", 3),
        ("Überschrift 1", 1),
        ("제목 1", 1),
        ("标题 2", 2),
        ("見出し 1", 1),
        ("Titre 1", 1),
        ("Título 1", 1),
        ("Заголовок 1", 1),
        ("Chapter body", 0),
        ("Normal", 0),
    ],
)
def test_a_style_is_a_heading_by_its_name_in_any_language(name: str, level: int) -> None:
    source = read(docx(p("Dusk", style="x1") + p(PROSE), styles=style("x1", name)))
    assert levels(source) == ([(level, "Dusk")] if level else [])


def test_the_outline_level_counts_before_the_name_and_comes_down_from_the_base_style() -> None:
    styles = HEADINGS + style("Mine", "My chapters", based_on="H2") + style("Own", "heading 3", based_on="Own")
    body = (
        p("One", style="Mine")
        + p("Two", properties='<w:outlineLvl w:val="2"/>')
        + p("Three", style="H1", properties='<w:outlineLvl w:val="9"/>')
        + p("Four", style="Own")
        + p("Five", style="Heading4")
    )
    assert levels(read(docx(body, styles=styles))) == [(2, "One"), (3, "Two"), (3, "Four"), (4, "Five")]


def test_parts_and_chapters_keep_their_levels_and_the_title_style_names_the_work(tmp_path: Path) -> None:
    styles = HEADINGS + style("T", "Title") + style("S", "Subtitle")
    body = (
        p("The Late Ferry", style="T")
        + p("by Nobody", style="S")
        + p("Part One", style="H1")
        + p("Chapter 1: Dusk", style="H2")
        + p(PROSE)
        + p("Chapter 2: Dawn", style="H2")
        + p(PROSE)
    )
    found = manuscript(tmp_path, docx(body, styles=styles, core="<dc:title>Draft 7</dc:title>"))
    assert found.title == "The Late Ferry"
    assert [(c.label, c.title, [b.text for b in c.blocks]) for c in found.chapters] == [
        ("1", "Dusk", [PROSE]),
        ("2", "Dawn", [PROSE]),
    ]


@pytest.mark.parametrize("second", ["H1", "H2", "S"])
def test_a_title_in_a_paragraph_of_its_own_belongs_to_the_number_above(tmp_path: Path, second: str) -> None:
    body = "".join(
        p(f"Chapter {n}", style="H1") + p(name, style=second) + p(PROSE) for n, name in enumerate(("Dusk", "Dawn"), 1)
    )
    found = manuscript(tmp_path, docx(body, styles=HEADINGS + style("S", "Subtitle")))
    assert [(c.label, c.title, [b.text for b in c.blocks]) for c in found.chapters] == [
        ("1", "Dusk", [PROSE]),
        ("2", "Dawn", [PROSE]),
    ]


def test_a_title_style_used_for_every_chapter_is_a_heading() -> None:
    body = "".join(p(name, style="Title") + p(PROSE) for name in ("Dusk", "Dawn", "Noon"))
    source = read(docx(body, styles=style("Title", "Title"), core="<dc:title>The Late Ferry</dc:title>"))
    assert levels(source) == [(1, "Dusk"), (1, "Dawn"), (1, "Noon")]
    assert source.title == "The Late Ferry"


@pytest.mark.parametrize("name", ["Chapter Title", "ChapterHeading", "章标题", "Kapitelüberschrift", "장 제목"])
def test_an_authors_own_heading_style_counts_where_no_outline_does(name: str) -> None:
    assert levels(read(docx(p("Dusk", style="x") + p(PROSE), styles=style("x", name)))) == [(2, "Dusk")]


@pytest.mark.parametrize(
    ("language", "first", "second", "prose"),
    [
        ("en", "CHAPTER ONE", "CHAPTER TWO", PROSE),
        ("ko", "제1장", "제2장", KO),
        ("zh-Hans", "第一章", "第二章", ZH),
        ("ru", "Глава первая", "Глава вторая", RU),
    ],
)
def test_bold_centred_lines_leave_it_to_the_words_which_of_them_are_chapters(
    tmp_path: Path, language: str, first: str, second: str, prose: str
) -> None:
    def head(label: str, title: str) -> str:
        half = len(label) // 2
        runs = r(label[:half], "<w:b/>") + r(label[half:], "<w:b/>") + "<w:r><w:br/></w:r>" + r(title, "<w:b/>")
        return f'<w:p><w:pPr><w:jc w:val="center"/></w:pPr>{runs}</w:p>'

    body = (
        head(first, "Aa")
        + p(prose)
        + p("#", **BOLD_CENTRED)
        + p(prose)
        + p("Letter", **BOLD_CENTRED)
        + head(second, "Bb")
    )
    source = read(docx(body + p(prose)))
    assert {hint.level for hint in source.headings} == {BY_LOOKS}
    found = manuscript(tmp_path, docx(body + p(prose)), language)
    assert [(c.heading, c.title) for c in found.chapters] == [(f"{first}\nAa", "Aa"), (f"{second}\nBb", "Bb")]
    assert [b.text for b in found.chapters[0].blocks] == [prose, prose, "Letter"]


def test_bold_centred_titles_without_numbers_are_chapters_and_the_work_title_is_none(tmp_path: Path) -> None:
    body = p("The Late Ferry", **BOLD_CENTRED) + p("Nobody", **BOLD_CENTRED)
    body += "".join(p(name, **BOLD_CENTRED) + p(PROSE) for name in ("Dusk", "Dawn", "Noon"))
    found = manuscript(tmp_path, docx(body))
    assert [c.title for c in found.chapters] == ["Dusk", "Dawn", "Noon"]


def test_changes_are_accepted_and_what_was_deleted_is_listed() -> None:
    body = (
        f"<w:p>{r('It was ')}<w:del><w:r><w:delText>late</w:delText></w:r></w:del><w:ins>{r('early')}</w:ins>"
        f"<w:moveFrom>{r(' today')}</w:moveFrom>{r('.')}<w:moveTo>{r(' Now.')}</w:moveTo></w:p>"
        f'<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>{r("Joined ")}</w:p>{p("again.")}'
        "<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>gone row</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        f'<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="H1"/></w:pPr></w:pPrChange></w:pPr>{r("Plain.")}</w:p>'
    )
    source = read(docx(body, styles=HEADINGS))
    assert words(source) == ["It was early. Now.", "Joined again.", "Plain."]
    assert removed(source, "deleted text") == ["late", "today", "gone row"]
    assert not source.headings


def test_hidden_words_go_whether_run_or_style_hides_them() -> None:
    styles = style("C", "Secret", "<w:rPr><w:vanish/></w:rPr>", kind="character") + style(
        "P", "Notes to self", "<w:rPr><w:vanish/></w:rPr>"
    )
    secret = '<w:rStyle w:val="C"/>'
    shown = secret + '<w:vanish w:val="0"/>'
    body = f"<w:p>{r('Seen')}{r('HID1', '<w:vanish/>')}{r('HID2', secret)}{r('.', shown)}</w:p>" + p("HID3", style="P")
    source = read(docx(body, styles=styles))
    assert words(source) == ["Seen."]
    assert removed(source, "hidden text") == ["HID1HID2", "HID3"]


def test_notes_stand_at_the_end_in_the_order_of_their_marks() -> None:
    body = (
        f'<w:p>{r("One")}<w:r><w:footnoteReference w:id="3"/></w:r>{r(" two")}<w:r><w:endnoteReference w:id="1"/></w:r>'
        f'{r(" three")}<w:r><w:footnoteReference w:id="2" w:customMarkFollows="1"/><w:t>*</w:t></w:r>{r(".")}'
        '<w:del><w:r><w:footnoteReference w:id="5"/></w:r></w:del></w:p>'
    )

    def note(kind: str, n: int, said: str) -> str:
        return f'<w:{kind} w:id="{n}">{p(said)}</w:{kind}>'

    foot = '<w:footnote w:id="0" w:type="separator"><w:p><w:r><w:t>---</w:t></w:r></w:p></w:footnote>'
    foot += note("footnote", 2, "F two") + note("footnote", 3, "F three") + note("footnote", 5, "F gone")
    source = read(docx(body, parts={"footnotes": foot, "endnotes": note("endnote", 1, "E one")}))
    assert words(source) == ["One two three.", "F three", "E one", "F two"]
    assert [source.text[s:e].strip() for s, e in source.notes] == ["F three", "E one", "F two"]
    assert removed(source, "deleted text") == ["F gone"]
    assert removed(source, "note mark") == ["*"]


def test_headers_footers_and_comments_are_listed_and_no_text() -> None:
    parts = {"header": p("RUNNING"), "footer": p("FOOT"), "comments": f'<w:comment w:id="1">{p("REMARK")}</w:comment>'}
    source = read(docx(p(PROSE), parts=parts))
    assert words(source) == [PROSE]
    assert removed(source, "running head") == ["RUNNING", "FOOT"]
    assert removed(source, "comment") == ["REMARK"]


def field(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def instruction(said: str) -> str:
    return f"<w:r><w:instrText>{said}</w:instrText></w:r>"


@pytest.mark.parametrize("shape", ["style", "control", "field", "simple", "typed"])
def test_a_table_of_contents_is_no_text(shape: str) -> None:
    line1, line2 = r("Dusk") + "<w:r><w:tab/></w:r>" + r("7"), r("Dawn") + "<w:r><w:tab/></w:r>" + r("21")
    contents = {
        "style": f'<w:p><w:pPr><w:pStyle w:val="t1"/></w:pPr>{line1}</w:p><w:p><w:pPr><w:pStyle w:val="t1"/></w:pPr>{line2}</w:p>',
        "control": '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent><w:p>{line1}</w:p><w:p>{line2}</w:p></w:sdtContent></w:sdt>",
        "field": f"<w:p>{field('begin')}{instruction(' TOC')}{instruction(' 1-3 ')}{field('separate')}{line1}</w:p>"
        f"<w:p>{field('begin')}{instruction('HYPERLINK x')}{field('separate')}{line2}{field('end')}{field('end')}</w:p>",
        "simple": '<w:p><w:fldSimple w:instr=" TOC \\o "><w:r><w:t>Dusk 7 Dawn 21</w:t></w:r></w:fldSimple></w:p>',
        "typed": f"<w:p>{line1}</w:p><w:p>{line2}</w:p>",
    }[shape]
    body = contents + p("Dusk", style="H1") + p(PROSE) + p("Dawn", style="H1") + p(PROSE)
    source = read(docx(body, styles=HEADINGS + style("t1", "toc 1")))
    assert words(source) == ["Dusk", PROSE, "Dawn", PROSE]
    assert "".join(removed(source, "contents list")).replace("\t", "").replace(" ", "") == "Dusk7Dawn21"


def test_lines_with_numbers_that_name_no_headings_stay() -> None:
    lines = "".join(f"<w:p>{r(name)}<w:r><w:tab/></w:r>{r('12')}</w:p>" for name in ("Herring", "Cod"))
    assert words(read(docx(p("Dusk", style="H1") + lines, styles=HEADINGS))) == ["Dusk", "Herring\t12", "Cod\t12"]


def test_a_field_that_never_ends_takes_no_text_away() -> None:
    body = f"<w:p>{field('begin')}{instruction('TOC')}{field('separate')}{r('Dusk')}</w:p>{p(PROSE)}"
    assert words(read(docx(body))) == ["Dusk", PROSE]


def test_results_of_fields_stay_and_page_numbers_go() -> None:
    body = (
        f"<w:p>{r('See ')}{field('begin')}{instruction('HYPERLINK')}{field('separate')}{r('there')}{field('end')}"
        f"{field('begin')}{instruction(' PAGE ')}{field('separate')}{r('12')}{field('end')}{r('.')}</w:p>"
    )
    source = read(docx(body))
    assert words(source) == ["See there."]
    assert removed(source, "page number") == ["12"]


def test_ruby_keeps_the_base_and_lists_the_reading() -> None:
    ruby = instruction(" EQ \\* jc2 \\o\\ad(\\s\\up 9(ふね),舟)")
    body = (
        f"<w:p><w:r><w:ruby><w:rubyPr/><w:rt>{r('わたし')}</w:rt><w:rubyBase>{r('渡し')}</w:rubyBase></w:ruby></w:r>{r('の')}"
        f"{field('begin')}{ruby}{field('end')}{r('。')}</w:p>"
    )
    source = read(docx(body))
    assert words(source) == ["渡しの舟。"]
    assert removed(source, "ruby reading") == ["わたし", "ふね"]


def test_a_text_box_is_read_once_beside_its_paragraph() -> None:
    box = f"<w:txbxContent>{p('Boxed.')}</w:txbxContent>"
    body = (
        f"<w:p>{r('Anchor.')}<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:posOffset>9</wp:posOffset>"
        f"<wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict>"
        f"</mc:Fallback></mc:AlternateContent></w:r></w:p>{p('Next.')}"
    )
    assert words(read(docx(body))) == ["Anchor.", "Boxed.", "Next."]
    titled = body.replace(
        '<w:pPr></w:pPr><w:r><w:rPr></w:rPr><w:t xml:space="preserve">Boxed',
        '<w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Boxed',
    )
    assert words(read(docx(titled, styles=HEADINGS))) == ["Boxed.", "Anchor.", "Next."]


def test_tables_are_kept_row_by_row_and_cells_of_prose_as_paragraphs() -> None:
    def cell(*inner: str) -> str:
        return f"<w:tc><w:tcPr/>{''.join(inner)}</w:tc>"

    body = (
        f"<w:tbl><w:tblPr/><w:tr>{cell(p('a'))}{cell(p('b'))}</w:tr><w:tr>{cell(p('c'), p())}{cell(p())}</w:tr></w:tbl>"
        f"<w:tbl><w:tr>{cell(p('Dusk', style='H1'), p(PROSE))}</w:tr></w:tbl>"
    )
    source = read(docx(body, styles=HEADINGS))
    assert words(source) == ["a\tb", "c", "Dusk", PROSE]
    assert levels(source) == [(1, "Dusk")]


def test_a_drop_capital_belongs_to_its_word_and_a_page_break_parts() -> None:
    body = (
        p("T", properties='<w:framePr w:dropCap="drop" w:lines="3"/>')
        + p("he ferry was late.")
        + f'<w:p>{r("End.")}<w:r><w:br w:type="page"/></w:r>{r("New.")}</w:p>'
        + '<w:p><w:pPr><w:pBdr><w:bottom/></w:pBdr></w:pPr></w:p><w:p><w:r><w:pict><v:rect o:hr="t"/></w:pict></w:r></w:p>'
    )
    assert words(read(docx(body))) == ["The ferry was late.", "End.", "New.", "---", "---"]


def test_symbol_fonts_become_characters() -> None:
    body = (
        '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0AB"/><w:sym w:font="Symbol" w:char="F061"/>'
        '<w:sym w:font="Zapf Dingbats" w:char="F021"/><w:sym w:font="Serif" w:char="zz"/></w:r></w:p>'
    )
    assert words(read(docx(body))) == ["★α❖"]


def test_numbers_that_word_counts_stand_before_the_headings(tmp_path: Path) -> None:
    def level(n: int, form: str, text: str, named: str) -> str:
        return (
            f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:pStyle w:val="{named}"/>'
            f'<w:lvlText w:val="{text}"/></w:lvl>'
        )

    numbering = (
        f'<w:abstractNum w:abstractNumId="4">{level(0, "upperRoman", "Part %1", "H1")}{level(1, "decimal", "Chapter %2", "H2")}'
        '</w:abstractNum><w:num w:numId="2"><w:abstractNumId w:val="4"/></w:num>'
    )
    listed = '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr><w:outlineLvl w:val="{}"/></w:pPr>'
    styles = style("H1", "heading 1", listed.format(0)) + style("H2", "heading 2", listed.format(1))
    body = (
        p("Water", style="H1")
        + p(style="H2")
        + p(PROSE)
        + p("Dawn", style="H2")
        + p(PROSE)
        + p("Fire", style="H1")
        + p("Noon", style="H2")
        + p(PROSE)
    )
    data = docx(body, styles=styles, parts={"numbering": numbering})
    assert [text for _, text in levels(read(data))] == [
        "Part I  Water",
        "Chapter 1",
        "Chapter 2  Dawn",
        "Part II  Fire",
        "Chapter 1  Noon",
    ]
    assert [(c.label, c.title) for c in manuscript(tmp_path, data).chapters] == [
        ("1", ""),
        ("2", "Dawn"),
        ("1", "Noon"),
    ]


def test_the_strict_namespace_and_another_name_of_the_main_part_are_read() -> None:
    body = p("Dusk", style="H1") + p(PROSE)
    source = read(docx(body, styles=HEADINGS, space=STRICT, main="doc/main.xml"))
    assert levels(source) == [(1, "Dusk")]


def test_author_and_language_are_those_of_the_properties() -> None:
    source = read(docx(p(PROSE), core="<dc:creator>Nobody</dc:creator><dc:language>ko-KR</dc:language>"))
    assert (source.title, source.author, source.language) == ("book", "Nobody", "ko-KR")
    assert read(docx(p(PROSE), core="<dc:creator>python-docx</dc:creator>")).author == ""


def test_ideographs_that_look_alike_stay_what_they_are() -> None:
    assert words(read(docx(p("神\uf9d3か\u3099한글")))) == ["神\uf9d3が한글"]


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (OLE + "EncryptedPackage".encode("utf-16-le"), "is protected by a password"),
        (OLE + "WordDocument".encode("utf-16-le"), "of before 2007"),
        (docx(p(PROSE))[:-40], "is cut off or damaged"),
        (b"plain words", "is no ZIP archive"),
        (b"", "is no ZIP archive"),
        (zipped({"a.txt": "x"}), "is no DOCX: it has no document in it"),
        (docx(p()), "is empty: it holds no text"),
        (docx("<w:p><w:r><w:t>x"), "is no well-formed XML"),
        (docx('<w:altChunk w:id="1"/>'), "keeps its text in another file"),
        (docx("<w:p>" * 300 + "</w:p>" * 300), "is no well-formed XML"),
        (
            zipped({"word/document.xml": '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}),
            "declares entities of its own",
        ),
        (zipped({"word/document.xml": "<a>" + " " * 3_000_000 + "</a>"}), "times its packed size"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(data)
    assert said in str(caught.value)
    assert str(caught.value).startswith("book.docx")
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_a_doc_file_in_a_later_format_is_read_by_what_it_is() -> None:
    assert words(read(docx(p(PROSE)), "book.doc")) == [PROSE]
    assert words(read(rtf(PROSE), "book.doc")) == [PROSE]


MARKUP = st.sampled_from(
    [
        "<w:p>{}</w:p>",
        "<w:p><w:pPr><w:pStyle w:val='H1'/></w:pPr>{}</w:p>",
        "<w:p><w:del>{}</w:del></w:p>",
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{}</w:p>",
        "<w:p><w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r></w:p>",
        "<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>",
        "<w:p>{}<w:r><w:pict><w:txbxContent><w:p>{}</w:p></w:txbxContent></w:pict></w:r>{}</w:p>",
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/><w:instrText>TOC</w:instrText><w:fldChar w:fldCharType='separate'/>"
        "</w:r>{}<w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>",
        "<w:sdt><w:sdtContent><w:p>{}</w:p></w:sdtContent></w:sdt>",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(MARKUP, min_size=1, max_size=12))
def test_every_character_is_in_the_text_or_among_the_removed(shapes: list[str]) -> None:
    n = 0

    def said() -> str:
        nonlocal n
        n += 1
        return r(f"w{n:03}x")

    body = "".join(shape.format(*(said() for _ in range(shape.count("{}")))) for shape in shapes)
    source = read(docx(body + p("end"), styles=HEADINGS))
    everything = source.text + "".join(words for _, words in source.removed)
    for i in range(1, n + 1):
        assert everything.count(f"w{i:03}x") == 1


def rezipped(data: bytes, name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(info.filename, content if info.filename == name else old.read(info))
    return out.getvalue()


def mutated(data: bytes, changes: list[tuple[int, int]], cut: int) -> bytes:
    raw = bytearray(data)
    for at, byte in changes:
        raw[at % len(raw)] = byte
    return bytes(raw[: len(raw) - cut % len(raw)]) if cut else bytes(raw)


FULL = docx(
    p("Part One", style="H1")
    + f"<w:tbl><w:tr><w:tc>{p('cell')}</w:tc><w:tc>{p('cell')}</w:tc></w:tr></w:tbl>"
    + f'<w:p>{r("Late")}<w:del>{r("gone")}</w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    + f"<w:p>{field('begin')}{instruction('TOC')}{field('separate')}{r('x')}{field('end')}</w:p>"
    + f"<w:p><w:r><w:pict><w:txbxContent>{p('box')}</w:txbxContent></w:pict></w:r></w:p>",
    styles=HEADINGS + style("Mine", "Mine", based_on="H2"),
    parts={"footnotes": f'<w:footnote w:id="2">{p("note")}</w:footnote>', "header": p("head")},
)
BODY = zipfile.ZipFile(io.BytesIO(FULL)).read("word/document.xml")
CHANGES = st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=6)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CHANGES, st.integers(0, 400), st.booleans())
def test_damaged_files_are_read_or_refused(changes: list[tuple[int, int]], cut: int, inside: bool) -> None:
    data = rezipped(FULL, "word/document.xml", mutated(BODY, changes, cut)) if inside else mutated(FULL, changes, cut)
    try:
        source = read(data)
    except InputError:
        return
    assert source.text.strip()


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.integers(0, 1 << 20), st.sampled_from(["</w:p>", "<w:p>", "<w:tc>", "</w:tr>"])), max_size=4)
)
def test_elements_in_the_wrong_place_are_read_or_refused(changes: list[tuple[int, str]]) -> None:
    body = BODY.decode()
    for at, piece in changes:
        place = body.find("<", at % len(body))
        body = body[:place] + piece + body[place:]
    try:
        source = read(rezipped(FULL, "word/document.xml", body.encode()))
    except InputError:
        return
    assert source.text.strip()


def test_a_bomb_that_lies_about_its_size_is_refused() -> None:
    data = bytearray(zipped({"word/document.xml": "<a>" + "x" * 5_000_000 + "</a>"}))
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 100)
    with pytest.raises(InputError):
        read(bytes(data))


def letters(said: str) -> str:
    return "".join(ch for ch in unicodedata.normalize("NFC", said).casefold() if ch.isalnum())


@pytest.mark.skipif("ANALYZER_DATA" not in os.environ, reason="ANALYZER_DATA names no folder of public texts")
@pytest.mark.parametrize("file", ["16-styled-footnotes.docx", "17-unstyled-tracked.docx"])
def test_the_dirty_manuscripts_are_read_as_expected(file: str) -> None:
    folder = Path(os.environ["ANALYZER_DATA"]) / "dirty"
    wanted = next(w for w in json.loads((folder / "expected.json").read_text("utf-8")) if w["file"] == file)
    found = read_manuscript(folder / file)
    assert len(found.chapters) == wanted["chapter_count"]
    for chapter, row in zip(found.chapters, wanted["chapters"], strict=True):
        body = letters(" ".join(block.text for block in chapter.blocks))
        assert body.startswith(row["first"])
        assert body.endswith(row["last"])
        assert abs(len(body) - row["letters"]) <= row["letters"] / 100
        assert letters(chapter.title) == letters(row["title"] or "")
    bodies = "\n".join(block.text for chapter in found.chapters for block in chapter.blocks)
    for gone in (*wanted.get("must_not_appear", ()), *wanted.get("notes", ())):
        assert gone not in bodies
    for note in wanted.get("notes", ()):
        assert note in found.text
