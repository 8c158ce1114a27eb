"""Reading a file: what is read, what is refused and how the refusal is worded, and that no character is lost."""

from __future__ import annotations

import codecs
import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import ConfigError, InputError
from analyzer.models.text import Manuscript
from analyzer.text import manuscript as module
from analyzer.text.blocks import is_scene_break
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text, preview, read_manuscript

NOVEL = """The Salt Road

by A. Weaver


Chapter 1. The Ferry

Ilse counted the coins twice. “Not enough,” she said.

The ferryman shrugged.

* * *

By noon the river had risen.


Chapter 2

Nobody asked her name.
"""


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def assert_lossless(manuscript: Manuscript) -> None:
    """Chapters and dropped stretches tile the text; blocks are slices; whatever is in no block is space or a scene break."""
    stretches = sorted([(c.start, c.end) for c in manuscript.chapters] + [(d.start, d.end) for d in manuscript.dropped])
    assert [start for start, _ in stretches] == [0, *(end for _, end in stretches[:-1])]
    assert stretches[-1][1] == len(manuscript.text)
    table = language_table(manuscript.language)
    for chapter in manuscript.chapters:
        assert chapter.start <= chapter.body_start <= chapter.end
        at = chapter.body_start
        for block in chapter.blocks:
            assert manuscript.text[block.start : block.start + len(block.text)] == block.text
            assert block.text == block.text.strip() != ""
            between = manuscript.text[at : block.start]
            assert all(not line.strip() or is_scene_break(line.strip(), table) for line in between.split("\n"))
            at = block.start + len(block.text)
            cut = 0
            for span in block.sentences:
                assert not block.text[cut : span.start].strip()
                assert span.start < span.end
                cut = span.end
            assert not block.text[cut:].strip()
        rest = manuscript.text[at : chapter.end]
        assert all(not line.strip() or is_scene_break(line.strip(), table) for line in rest.split("\n"))


def test_a_novel_becomes_chapters_blocks_and_sentences(tmp_path: Path) -> None:
    manuscript = read_manuscript(write(tmp_path, "salt.txt", NOVEL.encode()))
    assert manuscript.language == "en"
    assert [(c.no, c.label, c.title, len(c.blocks)) for c in manuscript.chapters] == [
        (1, "1", "The Ferry", 3),
        (2, "2", "", 1),
    ]
    first = manuscript.chapters[0].blocks[0]
    assert [first.text[s.start : s.end] for s in first.sentences] == [
        "Ilse counted the coins twice.",
        "“Not enough,” she said.",
    ]
    assert [d.reason for d in manuscript.dropped] == ["title page"]
    assert_lossless(manuscript)


def test_the_hash_is_of_the_decoded_text_whatever_the_encoding_and_line_ends(tmp_path: Path) -> None:
    expected = hashlib.sha256(NOVEL.encode()).hexdigest()
    forms = [
        NOVEL.encode(),
        codecs.BOM_UTF8 + NOVEL.encode(),
        NOVEL.replace("\n", "\r\n").encode(),
        NOVEL.replace("\n", "\r").encode(),
        codecs.BOM_UTF16_LE + NOVEL.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + NOVEL.encode("utf-16-be"),
    ]
    for i, data in enumerate(forms):
        manuscript = read_manuscript(write(tmp_path, f"{i}.txt", data))
        assert manuscript.sha256 == expected
        assert manuscript.text == NOVEL


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("none.txt", b"", "is empty"),
        ("spaces.txt", b" \n\n\t ", "is empty"),
        ("bom.txt", codecs.BOM_UTF8 + b"\n", "is empty"),
        ("image.txt", b"\x89PNG\r\n\x1a\n\x00\x00", "image.txt is a picture (PNG), though it ends in .txt"),
        ("latin-bom.txt", codecs.BOM_UTF8 + b"Caf\xe9", "byte 0xe9 at offset 6"),
        ("odd.txt", codecs.BOM_UTF16_LE + b"a\x00b", "UTF-16LE"),
        ("book.pdf", b"%PDF", "'.pdf'"),
        ("book", b"words", "no ending that names its format"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    path = write(tmp_path, name, data)
    with pytest.raises(InputError) as caught:
        read_manuscript(path)
    assert words in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_manuscript(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="is a folder with nothing to read"):
        read_manuscript(tmp_path)


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 10)
    with pytest.raises(InputError, match="has 11 bytes, at most 10"):
        read_manuscript(write(tmp_path, "big.txt", b"x" * 11))


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no language table"):
        read_manuscript(write(tmp_path, "salt.txt", NOVEL.encode()), language="tlh")


def test_a_language_given_is_kept_with_its_subtag() -> None:
    manuscript = manuscript_from_text("第一章 渡口\n\n她數了兩遍銅錢。\n", title="鹽路", language="zh-Hant")
    assert manuscript.language == manuscript.chapters[0].language == "zh-Hant"


def test_text_in_memory_with_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(InputError, match="lone surrogate at offset 3"):
        manuscript_from_text("abc\ud800", title="x", language="en")
    with pytest.raises(InputError, match="empty"):
        manuscript_from_text(" \n", title="x", language=None)


def test_control_characters_and_odd_spaces_survive_as_the_author_wrote_them() -> None:
    text = "Chapter 1\n\nShe\u00a0waited\x1b[31m a while.\u200b\n\n\u3000Then left.\u2028Quietly.\n"
    manuscript = manuscript_from_text(text, title="x", language="en")
    assert manuscript.text == text
    assert_lossless(manuscript)


def test_the_preview_says_what_each_chapter_is_and_why() -> None:
    rows = preview(manuscript_from_text(NOVEL, title="Salt", language="en"))
    assert [(r.no, r.label, r.title, r.n_blocks, r.n_sentences, r.n_words) for r in rows] == [
        (1, "1", "The Ferry", 3, 4, 18),
        (2, "2", "", 1, 1, 4),
    ]
    assert rows[0].reason == "chapter word and number, in sequence"
    assert rows[0].confidence > 0.9
    assert rows[0].first_words.startswith("Ilse counted the coins")


def test_the_preview_counts_characters_where_words_have_no_spaces() -> None:
    chinese = preview(manuscript_from_text("第一章\n\n她走了。天黑了。\n", title="x", language="zh"))[0]
    korean = preview(manuscript_from_text("제1장\n\n그녀는 떠났다. 밤이 왔다.\n", title="x", language="ko"))[0]
    assert (chinese.n_words, chinese.n_sentences) == (6, 2)
    assert (korean.n_words, korean.n_sentences) == (4, 2)


LINES = st.sampled_from(
    [
        "",
        "",
        "Chapter 1",
        "Chapter 2. The Well",
        "CHAPTER TWELVE",
        "PART TWO",
        "Prologue",
        "THE END",
        "CONTENTS",
        "3",
        "IV",
        "1848",
        "* * *",
        "“Stay,” he said. “Stay.”",
        "    Indented words that go on",
        "she said, and the water rose until it reached the lowest step of the stair.",
        "第二回　雨夜",
        "「走吧……」他說。她沒有動！",
        "\t",
        "—",
        "…",
        "x",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=40), st.sampled_from(["en", "zh", "ko", "fr", "und"]))
def test_no_character_is_lost_whatever_the_lines(lines: list[str], language: str) -> None:
    text = "\n".join(lines)
    if text.strip():
        assert_lossless(manuscript_from_text(text, title="x", language=language))


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1, max_size=300))
def test_any_text_is_cut_without_loss(text: str) -> None:
    if text.strip():
        assert_lossless(manuscript_from_text(text, title="x", language=None))
