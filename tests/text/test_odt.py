"""ODT becomes words: headings by outline, changes accepted, notes apart, nothing of the story lost or doubled."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers import odt as reader
from analyzer.text.readers._reader import BY_LOOKS, SourceText
from tests.office import docx, flat_odt, odt, zipped
from tests.sources import levels, removed, words

PROSE = "The harbour master counted the masts twice, because one of them had not been there when the light was lit."
KO = "항구지기는 등불을 켤 때만 해도 없던 돛대가 하나 더 서 있는 것을 보고 두 번이나 다시 세어 보았다."
ZH = "港务长把桅杆数了两遍，因为点灯的时候那里还没有其中的一根，海面上也没有一条船靠过岸来。"
FR = "Le maître du port compta deux fois les mâts, car l'un d'eux n'était pas là quand on avait allumé la lampe."


def read(data: bytes, name: str = "book.odt") -> SourceText:
    return reader.read(data, Path(name))


def p(inner: str = "", style: str = "") -> str:
    return f"<text:p text:style-name='{style}'>{inner}</text:p>"


def h(inner: str, level: int = 1, more: str = "") -> str:
    return f"<text:h text:outline-level='{level}' {more}>{inner}</text:h>"


@pytest.mark.parametrize(
    ("language", "labels", "prose"),
    [
        ("en", ("Chapter 1", "Chapter 2"), PROSE),
        ("ko", ("제1장", "제2장"), KO),
        ("zh-Hans", ("第一章", "第二章"), ZH),
        ("fr", ("Chapitre premier", "Chapitre II"), FR),
    ],
)
def test_headings_are_chapters_by_their_outline_level(
    tmp_path: Path, language: str, labels: tuple[str, str], prose: str
) -> None:
    body = p("The Extra Mast", "Title") + "".join(h(label, 2) + p(prose) for label in labels)
    path = tmp_path / "book.odt"
    path.write_bytes(odt(body))
    found = read_manuscript(path, language=language)
    assert [c.heading for c in found.chapters] == list(labels)
    assert [[b.text for b in c.blocks] for c in found.chapters] == [[prose], [prose]]
    assert found.title == "The Extra Mast"


def test_white_space_of_the_xml_is_one_space_and_elements_are_the_rest() -> None:
    inner = "\n   Two\n  <text:span>  words</text:span><text:s text:c='3'/>x<text:tab/>y<text:line-break/>z<text:soft-page-break/> e\u0301"
    assert words(read(odt(f"\n{p(inner)}\n"))) == ["Two words   x\ty\nz é"]


def test_a_paragraph_style_with_an_outline_level_is_a_heading_and_names_may_be_coded() -> None:
    automatic = "<style:style style:name='P1' style:family='paragraph' style:parent-style-name='Mine'/>"
    styles = (
        "<style:style style:name='Mine' style:family='paragraph' style:default-outline-level='3'/>"
        "<style:style style:name='Loop' style:family='paragraph' style:parent-style-name='Loop'/>"
    )
    body = p("Dusk", "P1") + p("Dawn", "Heading_20_2") + p("Noon", "Loop")
    assert levels(read(odt(body, automatic=automatic, styles=styles))) == [(3, "Dusk"), (2, "Dawn")]


def test_an_authors_own_style_and_bold_centred_lines_are_hints_of_lower_standing() -> None:
    styles = "<style:style style:name='S' style:display-name='Chapter Title' style:family='paragraph'/>"
    assert levels(read(odt(p("Dusk", "S") + p(PROSE), styles=styles))) == [(2, "Dusk")]
    automatic = (
        "<style:style style:name='C' style:family='paragraph'><style:paragraph-properties fo:text-align='center'/>"
        "</style:style><style:style style:name='B' style:family='text'><style:text-properties fo:font-weight='bold'/>"
        "</style:style>"
    )
    body = p(PROSE) + p("<text:span text:style-name='B'>Dusk</text:span>", "C") + p(PROSE) + p("plain", "C")
    assert levels(read(odt(body, automatic=automatic))) == [(BY_LOOKS, "Dusk")]


def test_changes_are_accepted_and_deletions_listed() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Ed</dc:creator>"
        f"<dc:date>2026</dc:date></office:change-info>{p('gone one')}{p('gone two')}</text:deletion></text:changed-region>"
        "<text:changed-region><text:insertion><office:change-info><dc:creator>Ed</dc:creator></office:change-info>"
        "</text:insertion></text:changed-region></text:tracked-changes>"
    ) + p("It was <text:change text:change-id='a'/><text:change-start text:change-id='b'/>late<text:change-end/>.")
    source = read(odt(body))
    assert words(source) == ["It was late."]
    assert removed(source, "deleted text") == ["gone one", "gone two"]


def test_notes_stand_at_the_end_and_comments_are_listed() -> None:
    def note(said: str, kind: str) -> str:
        return (
            f"<text:note text:note-class='{kind}'><text:note-citation>1</text:note-citation>"
            f"<text:note-body>{p(said)}{p('more')}</text:note-body></text:note>"
        )

    comment = f"<office:annotation><dc:creator>Ed</dc:creator><dc:date>2026</dc:date>{p('REMARK')}</office:annotation>"
    source = read(odt(p(f"One{note('F', 'footnote')} two{comment} three{note('E', 'endnote')}.")))
    assert words(source) == ["One two three.", "F\nmore", "E\nmore"]
    assert [source.text[s:e].strip() for s, e in source.notes] == ["F\nmore", "E\nmore"]
    assert removed(source, "comment") == ["REMARK"]


def test_hidden_words_go_however_they_are_hidden() -> None:
    automatic = (
        "<style:style style:name='H' style:family='text'><style:text-properties text:display='none'/></style:style>"
        "<style:style style:name='HP' style:family='paragraph'><style:text-properties text:display='none'/></style:style>"
    )
    body = (
        p("Seen<text:span text:style-name='H'>HID1</text:span>.")
        + p("HID2", "HP")
        + p("HID3<text:hidden-paragraph text:is-hidden='true'/>")
        + p("A<text:hidden-text text:is-hidden='true'>HID4</text:hidden-text><text:hidden-text>B</text:hidden-text>")
        + f"<text:section text:display='none'>{p('HID5')}</text:section>"
    )
    source = read(odt(body, automatic=automatic))
    assert words(source) == ["Seen.", "AB"]
    assert removed(source, "hidden text") == ["HID1", "HID2", "HID3", "HID4", "HID5"]


def test_indexes_ruby_readings_heads_and_page_numbers_are_listed() -> None:
    body = (
        "<text:table-of-content><text:table-of-content-source><text:index-title-template>Template"
        "</text:index-title-template></text:table-of-content-source><text:index-body><text:index-title>"
        f"{p('Contents')}</text:index-title>{p('Dusk<text:tab/>7')}</text:index-body></text:table-of-content>"
        + h("Dusk")
        + p(
            "<text:ruby><text:ruby-base>港</text:ruby-base><text:ruby-text>みなと</text:ruby-text></text:ruby>の"
            "<text:page-number>7</text:page-number>"
        )
    )
    master = f"<style:master-page><style:header>{p('RUNNING')}</style:header></style:master-page>"
    source = read(odt(body, master=master))
    assert words(source) == ["Dusk", "港の"]
    assert removed(source, "contents list") == ["Contents", "Dusk\t7"]
    assert removed(source, "ruby reading") == ["みなと"]
    assert removed(source, "running head") == ["RUNNING"]
    assert removed(source, "page number") == ["7"]


def test_tables_lists_and_boxes_are_kept() -> None:
    def cell(inner: str) -> str:
        return f"<table:table-cell>{inner}</table:table-cell>"

    body = (
        f"<table:table><table:table-row>{cell(p('a'))}{cell(p('b'))}</table:table-row>"
        f"<table:table-row>{cell(p(PROSE) + p('c'))}{cell(p('d'))}</table:table-row></table:table>"
        f"<text:list><text:list-item><text:number>1.</text:number>{p('one')}</text:list-item></text:list>"
        + p(
            f"Anchor.<draw:frame><draw:text-box>\n{p('Boxed.')}\n</draw:text-box><svg:desc>A PICTURE</svg:desc></draw:frame> End."
        )
        + p("", "Horizontal_20_Line")
    )
    assert words(read(odt(body))) == ["a\tb", PROSE, "c", "d", "one", "Anchor. End.", "Boxed.", "---"]


def test_numbers_that_the_outline_counts_stand_before_the_headings() -> None:
    styles = (
        "<text:outline-style><text:outline-level-style text:level='1' style:num-format='I' style:num-prefix='Part '/>"
        "<text:outline-level-style text:level='2' style:num-format='1' style:num-prefix='Chapter ' style:num-suffix='.'/>"
        "<text:outline-level-style text:level='3' style:num-format=''/></text:outline-style>"
    )
    body = h("Water") + h("Dusk", 2) + h("Dawn", 2) + h("Scene", 3) + h("Fire") + h("", 2)
    body += h("Notes", 2, "text:is-list-header='true'")
    assert [text for _, text in levels(read(odt(body, styles=styles)))] == [
        "Part I  Water",
        "Chapter 1.  Dusk",
        "Chapter 2.  Dawn",
        "Scene",
        "Part II  Fire",
        "Chapter 1.",
        "Notes",
    ]


def test_author_language_and_title_are_those_of_the_description_only() -> None:
    meta = (
        "<dc:title>The Extra Mast</dc:title><meta:initial-creator>Nobody</meta:initial-creator>"
        "<dc:creator>Editor</dc:creator><dc:language>fr</dc:language>"
    )
    source = read(odt(p(PROSE), meta=meta))
    assert (source.title, source.author, source.language) == ("The Extra Mast", "Nobody", "fr")
    comment = f"<office:annotation><dc:creator>Ed</dc:creator>{p('x')}</office:annotation>"
    assert read(odt(p(PROSE + comment))).author == ""


def test_a_flat_file_is_read_too() -> None:
    assert words(read(flat_odt(h("Dusk") + p(PROSE)), "book.fodt")) == ["Dusk", PROSE]


ENCRYPTED = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (odt(p(PROSE), manifest=ENCRYPTED), "is protected by a password"),
        (odt(p(PROSE))[:-30], "is cut off or damaged"),
        (b"words", "is no ZIP archive"),
        (docx("<w:p/>"), "is no ODT: it has no content in it"),
        (odt(p()), "is empty: it holds no text"),
        (zipped({"content.xml": "<a/>"}), "is no text document"),
        (odt("<text:p>"), "is no well-formed XML"),
        (zipped({"content.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}), "declares entities of its own"),
        (zipped({"content.xml": "<a>" + "x" * 9_000_000 + "</a>"}), "times its packed size"),
        (zipped({"../content.xml": "<a/>"}), "would lie outside the archive"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(data)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


FULL = odt(
    h("Dusk")
    + p("One<text:note><text:note-body>" + p("note") + "</text:note-body></text:note> two")
    + f"<table:table><table:table-row><table:table-cell>{p('a')}</table:table-cell></table:table-row></table:table>"
    + p(f"x<draw:frame><draw:text-box>{p('box')}</draw:text-box></draw:frame>"),
    automatic="<style:style style:name='P1' style:family='paragraph' style:parent-style-name='Mine'/>",
    styles="<text:outline-style><text:outline-level-style text:level='1' style:num-format='I'/></text:outline-style>",
)
CONTENT = zipfile.ZipFile(io.BytesIO(FULL)).read("content.xml").decode()


def with_content(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(FULL)) as old:
        return zipped({n: content if n == "content.xml" else old.read(n) for n in old.namelist()})


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=6), st.integers(0, 300), st.booleans()
)
def test_damaged_files_are_read_or_refused(changes: list[tuple[int, int]], cut: int, inside: bool) -> None:
    raw = bytearray(CONTENT.encode() if inside else FULL)
    for at, byte in changes:
        raw[at % len(raw)] = byte
    data = bytes(raw[: len(raw) - cut]) if cut else bytes(raw)
    try:
        source = read(with_content(data) if inside else data)
    except InputError:
        return
    assert source.text.strip()


NAMES = (
    "text:p text:h text:span text:note-body table:table-cell table:table-row office:annotation draw:frame text:number"
)
PIECES = st.sampled_from(NAMES.split())


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(PIECES, st.integers(0, 3)), min_size=1, max_size=30))
def test_elements_in_any_order_are_read_and_no_word_is_lost(pieces: list[tuple[str, int]]) -> None:
    body, opened = "", []
    for n, (name, closing) in enumerate(pieces):
        body += f"<{name}>w{n:02}x"
        opened.append(name)
        for _ in range(min(closing, len(opened))):
            body += f"</{opened.pop()}>"
    body += "".join(f"</{name}>" for name in reversed(opened))
    source = read(odt(body + p("end")))
    everything = source.text + "".join(words for _, words in source.removed)
    for n in range(len(pieces)):
        assert everything.count(f"w{n:02}x") == 1
