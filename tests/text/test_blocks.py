"""Paragraphs in every layout: a line each, blank lines, indents, or nothing but a short last line."""

from __future__ import annotations

import textwrap

import pytest

from analyzer.models.text import Manuscript
from analyzer.text.blocks import is_scene_break, layout_of, lines_of
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text

PARAGRAPHS = [
    "The ferryman had never learned to swim, and he told this to everyone who crossed with him, laughing, as if the "
    "river were a neighbour whose temper he alone could judge. Ilse did not laugh; she had seen the river take a cart.",
    "“You will want to sit in the middle,” he said. “The boards at the stern are rotten, and I have not had the money "
    "to mend them since my brother went to the salt works in the spring.”",
    "She sat in the middle. The rope sang over their heads, and the far bank came nearer so slowly that she had time to "
    "count the coins again and find that one of them was not a coin at all but a button with an anchor on it.",
    "Nobody was waiting.",
    "At the landing stood a post with a bell, and a board on which someone had painted the price of the crossing, and "
    "below it, smaller, the price of turning back, which was twice as much and had been painted over several times.",
]


def texts(manuscript: Manuscript) -> list[str]:
    return [" ".join(block.text.split()) for block in manuscript.chapters[0].blocks]


def layout(text: str, language: str = "en") -> str:
    return layout_of(lines_of(text), language_table(language))


def test_one_paragraph_a_line_with_or_without_blank_lines() -> None:
    for joint in ("\n", "\n\n", "\n\n\n"):
        text = joint.join(PARAGRAPHS)
        assert layout(text) == "lines"
        assert texts(manuscript_from_text(text, title="x", language="en")) == PARAGRAPHS


@pytest.mark.parametrize("width", [50, 66, 76, 100])
def test_hard_wrapped_paragraphs_parted_by_blank_lines(width: int) -> None:
    text = "\n\n".join(textwrap.fill(p, width) for p in PARAGRAPHS)
    assert layout(text) == "wrapped"
    manuscript = manuscript_from_text(text, title="x", language="en")
    assert texts(manuscript) == PARAGRAPHS
    assert "\n" in manuscript.chapters[0].blocks[0].text
    assert len(manuscript.chapters[0].blocks[0].sentences) == 2


def test_hard_wrapped_paragraphs_parted_by_indents() -> None:
    text = "\n".join(textwrap.fill(p, 60, initial_indent="     ") for p in PARAGRAPHS * 2)
    assert layout(text) == "indented"
    assert texts(manuscript_from_text(text, title="x", language="en")) == PARAGRAPHS * 2


def test_hard_wrapped_paragraphs_parted_by_a_short_last_line_only() -> None:
    text = "\n".join(textwrap.fill(p, 60) for p in PARAGRAPHS * 3)
    assert layout(text) == "ragged"
    found = texts(manuscript_from_text(text, title="x", language="en"))
    assert "Nobody was waiting." in found
    assert len(found) >= 12


def test_hard_wrapped_text_without_spaces_keeps_its_paragraphs() -> None:
    paragraph = "渡船的人從來不會游泳他對每一個過河的客人都這樣說一邊說一邊笑好像這條河只是他的鄰居脾氣只有他一個人懂得"
    wrapped = "\n".join(paragraph[i : i + 30] for i in range(0, len(paragraph), 30)) + "。"
    manuscript = manuscript_from_text("\n\n".join([wrapped] * 4), title="x", language="zh")
    assert len(manuscript.chapters[0].blocks) == 4


def test_dialogue_lines_in_a_row_are_blocks_of_their_own() -> None:
    text = "“Is it far?”\n“No.”\n“How far?”\n“Two bridges.”\n“And then?”\n“Then you ask again.”"
    assert len(manuscript_from_text(text, title="x", language="en").chapters[0].blocks) == 6


def test_verse_in_wrapped_text_stays_one_block() -> None:
    verse = "The bell is cold,\n    the rope is long,\nand who goes over\n    sings no song."
    text = "\n\n".join(
        [textwrap.fill(p, 70) for p in PARAGRAPHS] + [verse] + [textwrap.fill(p, 70) for p in PARAGRAPHS]
    )
    manuscript = manuscript_from_text(text, title="x", language="en")
    assert verse in [block.text for block in manuscript.chapters[0].blocks]


@pytest.mark.parametrize(
    "line", ["***", "* * *", "＊＊＊", "---", "———", "#", "⁂", "◇ ◇ ◇", "~~~~~", "※", "_____", "=-=-=", "●"]
)
def test_scene_breaks_are_no_blocks(line: str) -> None:
    text = f"She slept.\n\n{line}\n\nMorning came.\n"
    manuscript = manuscript_from_text(text, title="x", language="en")
    assert [b.text for b in manuscript.chapters[0].blocks] == ["She slept.", "Morning came."]
    assert manuscript.text[manuscript.chapters[0].start : manuscript.chapters[0].end] == text


@pytest.mark.parametrize("line", ["…", "……", '"…"', "?", "!!", "「……」", "—", "“—”", "7"])
def test_lines_that_somebody_says_are_blocks(line: str) -> None:
    assert not is_scene_break(line, language_table("en"))


def test_marks_of_layout_in_japanese_transcriptions_are_no_blocks() -> None:
    manuscript = manuscript_from_text("雨だった。\n［＃改頁］\n朝になった。\n", title="x", language="ja")
    assert len(manuscript.chapters[0].blocks) == 2


def test_offsets_skip_indents_of_any_width() -> None:
    text = "　　雨だった。\n\t　朝になった。  \n"
    blocks = manuscript_from_text(text, title="x", language="ja").chapters[0].blocks
    assert [(b.start, b.text) for b in blocks] == [(2, "雨だった。"), (10, "朝になった。")]
