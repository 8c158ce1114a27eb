r"""RTF becomes words: code pages and \u, styles and outline levels, notes apart, changes accepted, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers import rtf as reader
from analyzer.text.readers._reader import BY_LOOKS, SourceText
from tests.office import ascii_rtf, rtf
from tests.sources import levels, removed, words

PROSE = "The lock keeper wrote down every barge that passed, and on the ninth page the handwriting was no longer his."
KO = "갑문지기는 지나가는 배를 빠짐없이 적었는데 아홉째 장부터는 글씨가 더 이상 그의 것이 아니었다."
ZH = "守闸人把每一条过闸的船都记了下来，到了第九页，字迹已经不再是他的了，墨水却还是同一瓶。"
RU = "Смотритель шлюза записывал каждую баржу, и на девятой странице почерк был уже не его, хотя чернила те же."


def read(data: bytes) -> SourceText:
    return reader.read(data, Path("book.rtf"))


def escaped(said: str, encoding: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in said.encode(encoding))


@pytest.mark.parametrize(
    ("page", "charset", "said"),
    [
        (1252, 0, "Ärger—café"),
        (1251, 204, "Шлюз и река"),
        (932, 128, "表紙のソ連と能力"),
        (936, 134, "守闸人与河水"),
        (949, 129, "갑문지기와 강물"),
        (950, 136, "守閘人與許功蓋"),
        (1250, 238, "Łódź ěščř"),
        (1253, 161, "ποτάμι"),
    ],
)
def test_bytes_are_read_in_the_code_page_of_the_document_or_of_the_font(page: int, charset: int, said: str) -> None:
    stated = f"{{\\rtf1\\ansi\\ansicpg{page} {escaped(said, f'cp{page}')}\\par}}"
    assert words(read(stated.encode())) == [said]
    fonts = f"{{\\fonttbl{{\\f0\\fcharset0 Serif;}}{{\\f7\\fnil\\fcharset{charset}{{\\*\\falt Other}} Local;}}}}"
    by_font = f"{{\\rtf1\\ansi\\ansicpg1252\\deff0{fonts}{{\\f7 {escaped(said, f'cp{page}')}}} \\'e9\\par}}"
    assert words(read(by_font.encode())) == [f"{said} é"]


def test_a_letter_may_be_the_second_byte_of_a_character_and_raw_bytes_are_read() -> None:
    data = b"{\\rtf1\\ansi\\ansicpg932 " + b"\\'83A\\'83\\'5c" + "港".encode("cp932") + b"\\par}"
    assert words(read(data)) == ["アソ港"]


def test_units_stand_for_the_bytes_that_follow_and_pairs_are_one_character() -> None:
    body = r"\uc1\u1064?\uc2\u26684\'8a\'69\uc0\u233 x\uc1{\u-10179?\u-8704?}\u8217\'92s {\uc0\u233}?"
    assert words(read(rtf(body + r"\par"))) == ["Ш格éx😀’s é?"]


def test_a_lone_surrogate_is_marked_and_lowers_the_certainty() -> None:
    source = read(rtf(r"ab\u-10179?c\par"))
    assert words(source) == ["ab\ufffdc"]
    assert 0.7 < source.encoding_certainty < 1
    assert read(rtf(PROSE)).encoding_certainty == 1


def test_signs_and_named_characters_are_characters() -> None:
    body = r"\ldblquote a\rdblquote\emdash b\~c\_d\-e\tab f\line g\{h\}\\i\bullet\lquote j\rquote\endash\par"
    assert words(read(rtf(body))) == ["“a”—b\u00a0c-de\tf\ng{h}\\i•‘j’–"]


STYLES = (
    r"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0\sbasedon0\b heading 1;}{\s2\sbasedon1\outlinelevel1 heading 2;}"
    r"{\s3\sbasedon2 Mine;}{\s4 toc 1;}{\s5 Title;}{\*\cs10 \additive Default;}{\s6 \u220?berschrift 3;}{\s7\sbasedon7 Loop;}}"
)


@pytest.mark.parametrize(
    ("language", "labels", "prose"),
    [
        ("en", ("Chapter 1", "Chapter 2"), PROSE),
        ("ko", ("제1장", "제2장"), KO),
        ("zh-Hans", ("第一章", "第二章"), ZH),
        ("ru", ("Глава 1", "Глава 2"), RU),
    ],
)
def test_headings_are_chapters_by_style(tmp_path: Path, language: str, labels: tuple[str, str], prose: str) -> None:
    body = r"\pard\s5 The Ninth Page\par"
    body += "".join(rf"\pard\plain\s2 {label}\par\pard\plain\s0 {prose}\par" for label in labels)
    path = tmp_path / "book.rtf"
    path.write_bytes(rtf(body, head=STYLES))
    found = read_manuscript(path, language=language)
    assert [c.heading for c in found.chapters] == list(labels)
    assert [[b.text for b in c.blocks] for c in found.chapters] == [[prose], [prose]]
    assert found.title == "The Ninth Page"


def test_levels_come_from_the_paragraph_the_style_and_its_base() -> None:
    body = (
        r"\pard\s1 One\par\pard\s3 Two\par\pard\outlinelevel2 Three\par\pard\s1\outlinelevel9 Four\par"
        r"\pard\s6 Five\par\pard\s7 Six\par\pard Seven\par{\pard\s1 Eight\par}"
    )
    assert levels(read(rtf(body, head=STYLES))) == [(1, "One"), (2, "Two"), (3, "Three"), (3, "Five"), (1, "Eight")]


def test_bold_centred_lines_are_hints_of_lower_standing() -> None:
    body = rf"{PROSE}\par\pard\qc{{\b CHAP}}{{\b TER ONE\line Dusk}}\par\pard {PROSE}\par\pard\qc no\par"
    assert levels(read(rtf(body))) == [(BY_LOOKS, "CHAPTER ONE")]


def test_changes_are_accepted_and_hidden_words_listed() -> None:
    body = (
        r"It was {\deleted late}{\revised early}.{\v HID}\par Joined{\deleted \par} again.\par"
        r"{\v HID2\par}Then\v  gone\v0  more.\par"
    )
    source = read(rtf(body))
    assert words(source) == ["It was early.", "Joined again.", "Then more."]
    assert removed(source, "deleted text") == ["late"]
    assert removed(source, "hidden text") == ["HID", "HID2", "gone"]


def test_notes_stand_at_the_end_and_what_is_no_text_is_listed() -> None:
    body = (
        r"{\header\pard RUNNING\par}{\footerl FOOT\par}{\info{\title The \u201?Ninth}{\author Nobody}{\creatim\yr2026}}"
        r"One{\super\chftn}{\footnote\pard\plain{\super\chftn} F one\par F two} two{\*\annotation REMARK} three"
        r"{\footnote\ftnalt E one}{\deleted{\footnote\pard\plain F gone}}.{\*\unknown SECRET}{\xe{\v entry}}"
        r"{\*\bkmkstart b1}{\pict\pngblip 8950}{\field{\*\fldinst PAGE}{\fldrslt 12}}\par"
    )
    source = read(rtf(body))
    assert words(source) == ["One two three.", "F one\nF two", "E one"]
    assert [source.text[s:e].strip() for s, e in source.notes] == ["F one\nF two", "E one"]
    assert (source.title, source.author) == ("The ÉNinth", "Nobody")
    assert removed(source, "running head") == ["RUNNING", "FOOT"]
    assert removed(source, "comment") == ["REMARK"]
    assert removed(source, "deleted text") == ["F gone"]
    assert removed(source, "page number") == ["12"]


def test_contents_by_field_or_style_are_no_text() -> None:
    body = (
        r"{\field{\*\fldinst{ TOC \\o }}{\fldrslt \pard\s4 Dusk\tab 7\par Dawn\tab 9\par}}\pard\s4 Noon\tab 11\par"
        rf"\pard\s1 Dusk\par\pard See {{\field{{\*\fldinst HYPERLINK x}}{{\fldrslt there}}}}. {PROSE}\par"
    )
    source = read(rtf(body, head=STYLES))
    assert words(source) == ["Dusk", f"See there. {PROSE}"]
    assert removed(source, "contents list") == ["Dusk\t7", "Dawn\t9", "Noon\t11"]


def test_ruby_in_a_field_keeps_the_base() -> None:
    body = r"{\field{\*\fldinst EQ \\* jc2 \\o\\ad(\\s\\up 9(すいもん),水門)}{\fldrslt }}の番\par"
    source = read(rtf(body))
    assert words(source) == ["水門の番"]
    assert removed(source, "ruby reading") == ["すいもん"]


def test_tables_boxes_lists_and_drop_capitals_are_kept() -> None:
    body = (
        r"Before.\par\trowd\pard\intbl a\cell b\cell\row\trowd\pard\intbl c\par d\cell e\cell\row"
        r"\pard{\pntext 1.\tab}one\par{\listtext\pard Chapter 4}\pard\s1 Dusk\par\pard\dropcapli2 T\par\pard he end."
        r"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt\pard Boxed.\par}}{\shprslt{\*\do{\dptxbxtext Boxed.\par}}}}\par "
        r"A\page B\par\f1 \'ab\f0\par"
    )
    source = read(rtf(body, head=STYLES))
    assert words(source) == [
        "Before.",
        "a\tb",
        "c",
        "d",
        "e",
        "one",
        "Chapter 4  Dusk",
        "The end.",
        "Boxed.",
        "A",
        "B",
        "★",
    ]
    assert removed(source, "list number") == ["1."]


def test_a_choice_of_ansi_and_unicode_is_read_once_and_binary_is_passed_over() -> None:
    data = rtf(r"{\upr{ansi}{\*\ud{\u233?x}}} y{\*\blob\binBIN}z\par").replace(b"\\binBIN", b"\\bin4 }}\\{")
    assert words(read(data)) == ["éx yz"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"words", "is no RTF"),
        (b"PK\x03\x04", "is no RTF"),
        (b"\x00\x01\x02", "is no RTF"),
        (rtf(PROSE)[:-1], "is cut off"),
        (b"{\\rtf1 " + b"{" * 3000, "nest deeper"),
        (rtf(r"\par"), "is empty"),
        (b"{\\rtf1\\ansi\\ansicpg99999 x}", "in code page 99999"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(data)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_a_paragraph_of_hundreds_of_thousands_of_letters_is_read_in_bounded_time() -> None:
    source = read(ascii_rtf("{\\rtf1\\ansi " + "река " * 40_000 + "\\par}"))
    assert len(source.text) > 190_000


PIECES = st.sampled_from(
    [
        "{}",
        r"\par ",
        r"{{\deleted {}}}",
        r"{{\v {}}}",
        r"{{\footnote {}}}",
        r"{{\header {}\par}}",
        r"\pard\s1 {}\par\pard ",
        r"\trowd\pard\intbl {}\cell {}\cell\row\pard ",
        r"{{\field{{\*\fldinst TOC}}{{\fldrslt {}\par {}}}}}",
        r"{{\shp{{\*\shpinst{{\shptxt {}\par}}}}}}",
        r"{{\deleted {}\par {}}}",
        r"{{\pard\s4 {}\par}}",
        r"{{\listtext {}}}",
    ]
)


@settings(max_examples=80, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=14))
def test_every_word_is_in_the_text_or_among_the_removed(pieces: list[str]) -> None:
    n, body = 0, ""
    for piece in pieces:
        count = piece.count("{}")
        body += piece.format(*(f"w{n + i:03}x" for i in range(count))) if count else piece
        n += count
    source = read(rtf(body + r"\par end\par", head=STYLES))
    everything = source.text + "".join(words for _, words in source.removed)
    for i in range(n):
        assert everything.count(f"w{i:03}x") == 1


FULL = rtf(
    r"{\header HEAD\par}\pard\s1 Dusk\par\pard One{\footnote two}{\deleted x}\par\trowd\intbl a\cell b\cell\row\pard"
    r"{\field{\*\fldinst TOC}{\fldrslt x}}{\shp{\*\shpinst{\shptxt y\par}}}\u1064?\'e9\bin2 ab\par",
    head=STYLES,
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), max_size=8),
    st.integers(0, 200),
    st.lists(
        st.tuples(st.integers(0, 1 << 16), st.sampled_from([b"{", b"}", b"\\cell ", b"\\row ", b"\\*", b"\\ud "]))
    ),
)
def test_damaged_files_are_read_or_refused(
    changes: list[tuple[int, int]], cut: int, pieces: list[tuple[int, bytes]]
) -> None:
    raw = bytearray(FULL)
    for at, byte in changes:
        raw[at % len(raw)] = byte
    for at, piece in pieces:
        place = at % len(raw)
        raw[place:place] = piece
    try:
        source = read(bytes(raw[: len(raw) - cut]) if cut else bytes(raw))
    except InputError:
        return
    assert source.text.strip()


@pytest.mark.parametrize("stated", [r"\uc99999999", r"\uc9", r"\uc-5", r"\uc8", r"\uc"])
def test_what_stands_in_for_a_character_never_swallows_the_story(stated: str) -> None:
    text = read(
        rb"{\rtf1\ansi " + stated.encode() + rb" One\par She \u233? left early.\par He stayed.\par \u50500?\par}"
    ).text
    assert "She é" in text and "He stayed." in text and "아" in text
