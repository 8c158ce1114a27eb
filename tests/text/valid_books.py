"""One small valid book in every format, with what the format offers: notes, styles, contents lists, changes, tables, ruby."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import NamedTuple

from tests import epubs, office
from tests.epubs import item, nav, ncx, page, point
from tests.office import flat_odt, odt, p, r, rtf, style

ENGLISH = (
    "Chapter 1: Rain\n\n“We sail at dawn,” said Mara Venn. She lied.\n\n* * *\n\nChapter 2\n\nNobody came that night."
)
KOREAN = "제1장 비\n\n“새벽에 떠난다.” 마라가 말했다. 거짓말이었다.\n\n제2장\n\n그날 밤에는 아무도 오지 않았다."
CHINESE = "第一章　雨\n\n“天亮就走。”阿舟說。她在撒謊。\n\n第二章\n\n那天夜裡誰也沒有來。"
JAPANESE = (
    "第一章　雨\n\n「夜明けに出る」と真帆《まほ》は言った。嘘だった。\n\n第二章\n\nその夜は誰も来なかった。［＃改頁］"
)

_MARKDOWN = (
    '---\ntitle: "Salt"\n---\n# Chapter 1: Rain\n\n*We* sail,[^1] **said** `Mara`.\n\n***\n\nDusk\n----\n\n> A [letter](x.md)\n'
    "\n```\nkept\n```\n<!-- gone -->\n\n[^1]: At dawn.\n"
)
_BODY = (
    '<header><h1>Salt</h1></header><nav><ul><li><a href="#a">One</a></li></ul></nav><h2 id="a">Chapter 1</h2>'
    '<p><span class="dropcap">S</span>he rowed&nbsp;on.<sup><a href="#n" id="m">1</a></sup></p><hr>'
    "<p hidden>gone</p><table><tr><td>a</td><td>b</td></tr></table><pre>kept\nlines</pre>"
    '<h2>第二章</h2><p><ruby>真帆<rt>まほ</rt></ruby>は<br>漕いだ。</p><p id="n"><a href="#m">1</a> A note.</p>'
)
_HEAD = '<meta charset="utf-8"><title>Salt</title><style>.x{display:none}</style>'
_HTML = f'<!DOCTYPE html><html lang="en"><head>{_HEAD}</head><body>{_BODY}</body></html>'
_PAGES = {
    "a.xhtml": page(
        '<section epub:type="chapter"><h2 id="c1">Chapter 1</h2><p class="x">Salt.<a epub:type="noteref" href="#n">*</a>'
        '</p><aside epub:type="footnote" id="n">A note.</aside></section>'
    ),
    "b.xhtml": page(
        '<h2 id="c2">제2장</h2><p><span class="dropcap">S</span>he<br/>rowed.</p><table><tr><td>Sea</td></tr></table>'
        '<p>漢<ruby>字<rt>じ</rt></ruby>&eacute;<img src="x.png" alt="a boat"/></p>'
    ),
}
_OUTLINE = style("H1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>') + style("Mine", "Mine", based_on="H1")
_DOCX = (
    p("Part One", style="H1")
    + p("Chapter 1", style="Mine")
    + f"<w:tbl><w:tr><w:tc>{p('cell')}</w:tc><w:tc>{p('셀')}</w:tc></w:tr></w:tbl>"
    + f'<w:p>{r("Late")}<w:del>{r("gone")}</w:del><w:ins>{r("came")}</w:ins><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    + p("hidden", run="<w:vanish/>")
    + p("Two", properties='<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
    + p("She rowed on, and nobody came that night.")
)
_NUMBERING = (
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/>'
    '<w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)
_ODT = (
    '<text:h text:outline-level="1">Dusk</text:h><text:p>One<text:note><text:note-body><text:p>note</text:p></text:note-body>'
    '</text:note> two<text:s text:c="3"/>three<text:line-break/>four</text:p><table:table><table:table-row><table:table-cell>'
    '<text:p>a</text:p></table:table-cell></table:table-row></table:table><text:p text:style-name="P1">마라는 노를 저었다.</text:p>'
)
_RTF = (
    r"{\info{\title Salt}}{\header HEAD\par}\pard\s1 Chapter 1\par\pard One{\footnote two}{\deleted x}\par\trowd\intbl a\cell"
    r" b\cell\row\pard{\field{\*\fldinst TOC}{\fldrslt x}}{\v hidden}\u1064?\'e9 She rowed on.\par"
)


class Valid(NamedTuple):
    """A file of some format: its ending, its bytes, and the members to damage where it is an archive."""

    suffix: str
    data: bytes
    parts: tuple[str, ...] = ()


def valid_books() -> dict[str, Valid]:
    """Return the books by a name for each."""
    contents = nav(item("Chapter 1", "a.xhtml#c1") + f"<li>Part<ol>{item('제2장', 'b.xhtml#c2')}</ol></li>")
    old = ncx(point("Chapter 1", "a.xhtml#c1", point("제2장", "b.xhtml#c2")))
    sheet: Mapping[str, bytes | str] = {"OPS/s.css": ".x { white-space: pre } #n { display: none }"}
    texts = {"txt en": ENGLISH, "txt ko": KOREAN, "txt zh": CHINESE, "txt ja": JAPANESE}
    books = {name: Valid(".txt", text.encode()) for name, text in texts.items()}
    books |= {
        "txt cp949": Valid(".txt", KOREAN.encode("cp949")),
        "txt utf-16": Valid(".txt", JAPANESE.encode("utf-16")),
        "md": Valid(".md", _MARKDOWN.encode()),
        "html": Valid(".html", _HTML.encode()),
        "epub 3": _archive(".epub", epubs.book(_PAGES, contents=contents, extra=sheet)),
        "epub 2": _archive(".epub", epubs.book(_PAGES, old=old, guide='<reference type="text" href="a.xhtml"/>')),
        "docx": _archive(
            ".docx",
            office.docx(
                _DOCX,
                styles=_OUTLINE,
                parts={
                    "footnotes": f'<w:footnote w:id="2">{p("note")}</w:footnote>',
                    "header": p("head"),
                    "numbering": _NUMBERING,
                },
                core="<dc:title>Salt</dc:title>",
            ),
        ),
        "odt": _archive(
            ".odt",
            odt(
                _ODT,
                automatic="<style:style style:name='P1' style:family='paragraph' style:parent-style-name='Mine'/>",
                styles="<text:outline-style><text:outline-level-style text:level='1' style:num-format='I'/></text:outline-style>",
                meta="<dc:title>Salt</dc:title>",
            ),
        ),
        "fodt": Valid(".fodt", flat_odt(_ODT)),
        "rtf": Valid(".rtf", rtf(_RTF, head=r"{\stylesheet{\s1\outlinelevel0 heading 1;}}")),
    }
    return books


def _archive(suffix: str, data: bytes) -> Valid:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return Valid(suffix, data, tuple(opened.namelist()))


def with_part(data: bytes, name: str, content: bytes | None) -> bytes:
    """Return an archive with other content in one of its members, or without it."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        members: dict[str, str | bytes | None] = {n: content if n == name else old.read(n) for n in old.namelist()}
    return office.zipped({n: kept for n, kept in members.items() if kept is not None})


def part_of(data: bytes, name: str) -> bytes:
    """Return a member of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return opened.read(name)
