"""Markdown becomes words: markup gone, headings by level, footnotes apart, nothing of the story lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.manuscript import Manuscript, preview, read_manuscript, read_source
from analyzer.text.readers import markdown
from analyzer.text.readers._reader import readers

PROSE = "The lamp went out and nobody in the long room moved, because each of them had heard the step on the stair."


def read(folder: Path, text: str, *, language: str = "en") -> Manuscript:
    path = folder / "book.md"
    path.write_text(text, encoding="utf-8")
    return read_manuscript(path, language=language)


def plain(text: str) -> str:
    return markdown.read(text.encode(), Path("x.md")).text


def test_the_suffixes_have_one_reader_each() -> None:
    assert {".markdown", ".md", ".text", ".txt"} <= readers().keys()
    assert list(readers()) == sorted(readers())


def test_chapters_are_the_level_whose_headings_are_numbered(tmp_path: Path) -> None:
    text = f"---\ntitle: 'Salt'\ntags: [draft]\n---\n# Salt\n\n## Chapter 1: Dusk\n{PROSE}\n### A scene\n{PROSE}\n## Chapter 2\n{PROSE}\n"
    manuscript = read(tmp_path, text)
    assert manuscript.title == "Salt"
    assert [(c.label, c.title) for c in manuscript.chapters] == [("1", "Dusk"), ("2", "")]
    assert [b.text for b in manuscript.chapters[0].blocks] == [PROSE, "A scene", PROSE]
    assert "draft" not in manuscript.text


def test_headings_without_numbers_are_chapters_of_the_outermost_level_that_has_several(tmp_path: Path) -> None:
    manuscript = read(tmp_path, f"# Salt\n\n## Dusk\n\n{PROSE}\n\n### Scene\n\n{PROSE}\n\n## Dawn\n\n{PROSE}\n")
    assert [c.title for c in manuscript.chapters] == ["Dusk", "Dawn"]
    assert preview(manuscript)[0].reason == "heading marked by the format"
    assert manuscript.title == "Salt"


def test_parts_above_chapters_and_named_kinds_beside_them(tmp_path: Path) -> None:
    text = f"# Prologue\n\n{PROSE}\n\n# 第一部\n\n## 第一章 雨\n\n{PROSE}\n\n# 第二部\n\n## 第二章 雪\n\n{PROSE}\n"
    manuscript = read(tmp_path, text.replace("Prologue", "楔子"), language="zh")
    assert [(c.kind, c.title) for c in manuscript.chapters] == [
        ("prologue", "楔子"),
        ("chapter", "雨"),
        ("chapter", "雪"),
    ]
    assert [d.reason for d in manuscript.dropped] == ["part heading", "part heading"]


def test_chapters_of_plain_lines_are_found_where_the_only_heading_is_the_title(tmp_path: Path) -> None:
    manuscript = read(tmp_path, f"# Salt\n\nChapter 1\n\n{PROSE}\n\nChapter 2\n\n{PROSE}\n")
    assert [c.label for c in manuscript.chapters] == ["1", "2"]


def test_footnotes_are_kept_apart_and_not_glued_into_sentences(tmp_path: Path) -> None:
    text = f"## Chapter 1\n\nShe left.[^1] He stayed.\n\n[^1]: Check the date.\n    Twice.\n\n## Chapter 2\n\n{PROSE}\n"
    manuscript = read(tmp_path, text)
    assert [b.text for b in manuscript.chapters[0].blocks] == ["She left. He stayed."]
    assert [(d.reason, manuscript.text[d.start : d.end].strip()) for d in manuscript.dropped] == [
        ("notes", "Check the date.\nTwice.")
    ]


def test_comments_vanish_and_a_comment_alone_leaves_no_block(tmp_path: Path) -> None:
    manuscript = read(tmp_path, "## Chapter 1\n\nOne.\n\n<!-- rewrite\nthis -->\n\nTwo <!-- no -->three.\n")
    assert [b.text for b in manuscript.chapters[0].blocks] == ["One.", "Two three."]


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("She *ran* and **ran** and ***ran***.", "She ran and ran and ran."),
        ("The _Anchor_ and snake_case_words stay.", "The Anchor and snake_case_words stay."),
        (r"\*Not a list\* and \_this\_", "*Not a list* and _this_"),
        ("> “Where?”\n> she asked.", "“Where?”\nshe asked."),
        ("A [link](http://example.org/a_(b)) and ![art](x.png).", "A link and art."),
        ("`code` stays", "code stays"),
        ("Tom &amp; Ida &mdash; both", "Tom & Ida — both"),
        ("A <i>ship</i><br/> 3 < 4 > 2", "A ship 3 < 4 > 2"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
        ("- Кто там?", "- Кто там?"),
        ("그는 *정말로* 갔다.", "그는 정말로 갔다."),
        ("She ~~ran~~ walked.", "She ran walked."),
        ("그는 ~~뛰었다~~ 걸었다. 네~~ 그래~~", "그는 뛰었다 걸었다. 네~~ 그래~~"),
        ("她~~跑~~走了～～", "她跑走了～～"),
        ("Er \\~~lief\\~~, ~~über\nzwei Zeilen~~.", "Er ~~lief~~, über\nzwei Zeilen."),
        ("<s>kept</s> <strike>kept</strike> <ins>new</ins>", "kept kept new"),
        ("hard  \nbreak\\\nhere", "hard\nbreak\nhere"),
    ],
)
def test_inline_markup_is_taken_away(marked: str, words: str) -> None:
    assert plain(marked) == words


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("Ilse <del>ran</del>walked.", "Ilse walked.", ["<del>ran</del>"]),
        ("그는 <DEL class='x'>뛰었다</DEL>걸었다.", "그는 걸었다.", ["<DEL class='x'>뛰었다</DEL>"]),
        ("她<del>跑\n\n了</del>走了。", "她走了。", ["<del>跑\n\n了</del>"]),
        ("Er <del>lief", "Er <del>lief", []),
        ("a</del> <del>b</del> c", "a</del>  c", ["<del>b</del>"]),
    ],
)
def test_what_is_marked_as_deleted_is_out_and_kept_beside(
    tmp_path: Path, text: str, kept: str, gone: list[str]
) -> None:
    path = tmp_path / "x.md"
    path.write_text(text + "\n", encoding="utf-8")
    source = read_source(path)
    assert source.text.strip() == kept
    assert [one.text for one in source.removed if one.kind == "deleted text"] == gone


def test_emphasis_over_two_lines_of_a_paragraph_is_taken_away() -> None:
    assert plain("She *ran\nand ran*.") == "She ran\nand ran."


def test_a_rule_is_a_scene_break_and_an_underlined_line_a_heading() -> None:
    source = markdown.read(b"Salt\n====\n\nDusk\n----\n\nOne.\n\n---\n\n* * *\n\nTwo.\n", Path("x.md"))
    assert [(h.level, h.text, source.text[h.start : h.end]) for h in source.headings] == [
        (1, "Salt", "Salt"),
        (2, "Dusk", "Dusk"),
    ]
    assert "\n---\n" in source.text
    assert "* * *" in source.text


def test_code_fences_keep_their_lines() -> None:
    assert plain("```\n# no *heading*\n```\nEnd.") == "# no *heading*\nEnd."


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab*_`#>[]()!\\-<& \n~1.^:"), min_size=1, max_size=80))
def test_any_markup_gives_hints_inside_the_text(text: str) -> None:
    if not text.strip():
        return
    source = markdown.read(text.encode(), Path("x.md"))
    for hint in source.headings:
        assert source.text[hint.start : hint.end] == hint.text


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("abc déж說 ,.“”\n"), min_size=1, max_size=80))
def test_text_without_markup_is_left_as_it_is(text: str) -> None:
    if text.strip():
        assert [line.rstrip() for line in plain(text).split("\n")] == [line.rstrip() for line in text.split("\n")]
