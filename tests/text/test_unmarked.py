"""Among headings that a format marks: kinds, numbers and lines behind the book's name that it leaves unmarked; what is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.models.text import Manuscript
from analyzer.text.manuscript import preview, read_manuscript
from tests.office import docx, p, style
from tests.text.test_chapters import PROSE
from tests.text.whole import gaps_in

CHAPTER = {
    "en": "Chapter {}",
    "ko": "{}화",
    "zh": "第{}章",
    "ja": "第{}話",
    "de": "Kapitel {}",
    "fr": "Chapitre {}",
    "ru": "Глава {}",
}
KINDS = {
    "en": ("Prologue", "Interlude", "Epilogue", "Afterword"),
    "ko": ("프롤로그", "외전", "에필로그", "작가의 말"),
    "zh": ("楔子", "番外", "尾声", "后记"),
    "ja": ("プロローグ", "幕間", "終章", "あとがき"),
    "de": ("Prolog", "Zwischenspiel", "Epilog", "Nachwort"),
    "fr": ("Prologue", "Interlude", "Épilogue", "Postface"),
    "ru": ("Пролог", "Интерлюдия", "Эпилог", "Послесловие"),
}
BOOK = {
    "en": "Salt Road",
    "ko": "소금길",
    "zh": "盐路",
    "ja": "塩の道",
    "de": "Salzstraße",
    "fr": "La Route",
    "ru": "Соль",
}
TITLE = {"en": "Salt", "ko": "소금", "zh": "盐", "ja": "塩", "de": "Salz", "fr": "Sel", "ru": "Соль"}
LANGUAGES = sorted(CHAPTER)
HEADINGS = style("H1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>')
FORMATS = ["md", "html", "docx"]


def made(folder: Path, ending: str, language: str, heads: list[str]) -> Manuscript:
    """The manuscript of these headings over prose, those with a hash marked by the format; LF parts the lines of a heading."""
    prose = PROSE[language].replace("\ufeff", "").split("\n")[0].strip()
    rows = [(head.startswith("# "), head.removeprefix("# ")) for head in heads]
    if ending == "md":
        text = "".join(f"{'# ' * marked}{words}\n\n{prose}\n\n" for marked, words in rows)
    else:
        pairs = [(f"h1>{words}</h1" if marked else f"p>{words}</p").replace("\n", "<br/>") for marked, words in rows]
        text = "<html><body>" + "".join(f"<{pair}><p>{prose}</p>" for pair in pairs) + "</body></html>"
    path = folder / f"x.{ending}"
    path.write_bytes(in_word(rows, prose) if ending == "docx" else text.encode())
    read = read_manuscript(path, language=language)
    assert not gaps_in(read)
    return read


def in_word(rows: list[tuple[bool, str]], prose: str) -> bytes:
    """A DOCX file of headings over prose."""
    body = ""
    for marked, words in rows:
        broken = words.replace("\n", "</w:t><w:br/><w:t>")
        body += p(broken, style="H1" if marked else "") + p(prose)
    return docx(body, styles=HEADINGS)


def kinds(read: Manuscript) -> list[tuple[str, str]]:
    return [(row.kind, row.label) for row in preview(read)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", FORMATS)
def test_kinds_alone_that_a_format_does_not_mark_are_chapters_with_doubt(
    tmp_path: Path, language: str, ending: str
) -> None:
    first, between, last, behind = KINDS[language]
    one, two = (f"# {CHAPTER[language].format(n)}" for n in (1, 2))
    read = made(tmp_path, ending, language, [first, one, between, two, last, behind])
    side = "side_story" if language in ("ko", "zh") else "interlude"
    expected = [("prologue", ""), ("chapter", "1"), (side, ""), ("chapter", "2"), ("epilogue", ""), ("back", "")]
    assert kinds(read) == expected
    assert [row.confidence for row in preview(read)] == [0.6, 0.98, 0.6, 0.98, 0.6, 0.6]
    assert [c.title for c in read.chapters if c.kind != "chapter"] == [first, between, last, behind]
    assert any(repr(first) in said and "not marked like the others" in said for said in read.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", FORMATS)
def test_a_kind_where_none_of_it_stands_is_named_with_its_place(tmp_path: Path, language: str, ending: str) -> None:
    _, _, last, _ = KINDS[language]
    one, two = (f"# {CHAPTER[language].format(n)}" for n in (1, 2))
    read = made(tmp_path, ending, language, [one, last, two])
    assert kinds(read) == [("chapter", "1"), ("chapter", "2")]
    line = read.text[: read.text.index(last)].count("\n") + 1
    place = f"(line {line}, in {one.removeprefix('# ')!r})"
    assert any(said.startswith(f"{last!r} looks like a heading") and place in said for said in read.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_of_the_author_below_every_chapter_are_no_part_of_the_chapters(tmp_path: Path, language: str) -> None:
    note = KINDS[language][3]
    heads = [head for n in (1, 2, 3) for head in (f"# {CHAPTER[language].format(n)}", note)]
    read = made(tmp_path, "md", language, heads)
    assert [c.label for c in read.chapters if c.kind == "chapter"] == ["1", "2", "3"]
    assert [c.title for c in read.chapters if c.kind in ("front", "back")] == [note] * 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_of_chapters_that_nothing_marks_holds_no_chapter(tmp_path: Path, language: str) -> None:
    first, between, last, behind = KINDS[language]
    heads = [first, CHAPTER[language].format(1), between, CHAPTER[language].format(2), last, behind]
    prose = PROSE[language].replace("\ufeff", "").strip()
    listed = "\n\n".join(heads) + "\n\n" + "".join(f"# {head}\n\n{prose}\n\n" for head in heads)
    path = tmp_path / "x.md"
    path.write_text(listed, encoding="utf-8")
    read = read_manuscript(path, language=language)
    assert [c.title or c.label for c in read.chapters] == [first, "1", between, "2", last, behind]
    assert not any("looks like" in said or "look like" in said for said in read.remarks)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Extra!"),
        ("en", "“Epilogue”"),
        ("en", "Notes were all she had left of him"),
        ("en", "epilogue"),
        ("en", "The epilogue was short"),
        ("de", "»Epilog!«"),
        ("de", "Anhang und Nachwort schrieb er selbst"),
        ("ko", "외전은 없다."),
        ("ko", "“에필로그?”"),
        ("zh", "番外的人都走了。"),
        ("zh", "“尾声！”"),
        ("ja", "終章はまだ遠い。"),
        ("ja", "「終章」"),
        ("en", "3–1"),
        ("en", "1912"),
        ("en", "3 men came"),
        ("ko", "3 대 1"),
        ("zh", "3:1"),
        ("ja", "三人が来た。"),
    ],
)
def test_prose_scores_and_years_among_marked_chapters_stay_prose(tmp_path: Path, language: str, line: str) -> None:
    one, two = (f"# {CHAPTER[language].format(n)}" for n in (2, 4))
    read = made(tmp_path, "md", language, [one, line, two])
    assert [c.label for c in read.chapters] == ["2", "4"]
    assert line in read.chapters[0].text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("form", ["{n}. {t}", "{n}", "{c}\n{t}"])
def test_the_number_that_is_missing_between_marked_ones_is_a_chapter(
    tmp_path: Path, language: str, ending: str, form: str
) -> None:
    title = TITLE[language]
    heads = [form.format(n=n, t=title, c=CHAPTER[language].format(n)) for n in (1, 2, 3, 4)]
    marked = [heads[2] if i == 2 else "# " + head.replace("\n", " – ") for i, head in enumerate(heads)]
    read = made(tmp_path, ending, language, marked)
    assert kinds(read) == [("chapter", str(n)) for n in (1, 2, 3, 4)]
    assert [row.confidence == 0.6 for row in preview(read)] == [False, False, True, False]
    assert read.chapters[2].title == ("" if form == "{n}" else title)
    assert not any("not in sequence" in said for said in read.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", FORMATS)
def test_a_number_that_stands_nowhere_is_named_between_its_neighbours(
    tmp_path: Path, language: str, ending: str
) -> None:
    heads = [CHAPTER[language].format(n) for n in (1, 2, 4)]
    read = made(tmp_path, ending, language, [f"# {head}" for head in heads])
    assert any(f"3 is missing between {heads[1]!r} and {heads[2]!r}" in said for said in read.remarks)


def test_a_number_out_of_order_is_blamed_itself(tmp_path: Path) -> None:
    read = made(tmp_path, "md", "en", [f"# Chapter {n}" for n in (1, 2, 20, 3, 4)])
    assert any("'Chapter 20' (" in said and "missing" not in said for said in read.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("missing", [3, 4])
def test_the_items_of_a_list_between_marked_numbers_are_no_chapters(
    tmp_path: Path, language: str, missing: int
) -> None:
    title = TITLE[language]
    prose = PROSE[language].replace("\ufeff", "").strip()
    items = "".join(f"{n}. {title}\n\n" for n in (1, 2, 3, 4))
    text = f"# 1. {title}\n\n{prose}\n\n# 2. {title}\n\n{prose}\n\n{items}{prose}\n\n# {missing}. {title}\n\n{prose}\n"
    path = tmp_path / "x.md"
    path.write_text(text, encoding="utf-8")
    assert [c.label for c in read_manuscript(path, language=language).chapters] == ["1", "2", str(missing)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("gap", [" ", " - ", ": "])
def test_the_name_of_the_book_before_the_number_is_no_part_of_the_title(
    tmp_path: Path, language: str, ending: str, gap: str
) -> None:
    heads = [f"{BOOK[language]}{gap}{CHAPTER[language].format(n)}" for n in (1, 2, 3, 4)]
    heads.append(f"{BOOK[language]}{gap}{KINDS[language][2]}")
    marked = [head if i in (2, 4) else f"# {head}" for i, head in enumerate(heads)]
    read = made(tmp_path, ending, language, marked)
    assert kinds(read) == [*(("chapter", str(n)) for n in (1, 2, 3, 4)), ("epilogue", "")]
    assert [c.title for c in read.chapters] == ["", "", "", "", KINDS[language][2]]
    assert [row.confidence for row in preview(read)] == [0.85, 0.85, 0.6, 0.85, 0.6]


def test_a_title_that_speaks_of_a_chapter_once_stays_a_title(tmp_path: Path) -> None:
    read = made(tmp_path, "md", "en", ["# The Ferry", "# The Road to Chapter 9", "# Home"])
    assert [c.label for c in read.chapters] == ["", "", ""]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", FORMATS)
def test_numbers_above_9999_are_chapters_beside_their_neighbours(tmp_path: Path, language: str, ending: str) -> None:
    heads = ["# 9998", "# 9999", "10000", "# 10001", "# 10002"]
    assert [c.label for c in made(tmp_path, ending, language, heads).chapters] == [h.strip("# ") for h in heads]
    lone = made(tmp_path, ending, language, ["# 1", "# 2", "10115", "# 3"])
    assert [c.label for c in lone.chapters] == ["1", "2", "3"]
