"""Running heads and page numbers go, the sentence across two pages stays whole."""

from __future__ import annotations

from pathlib import Path

from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers._pages import without_furniture


def pages(n: int) -> str:
    odd = "THE SALT ROAD   {}\n\nThe rope sang over their heads, and\nthe far bank came nearer on side {}, so\nslowly that she\n"
    even = "A. WEAVER   {}\n\ncounted her coins again on side {}.\nNobody was waiting.\n\n- {} -\n"
    return "\f".join((odd if i % 2 else even).format(i, i, i) for i in range(1, n + 1))


def test_running_heads_and_page_numbers_are_in_no_block(tmp_path: Path) -> None:
    path = tmp_path / "salt.txt"
    path.write_text("Chapter 1\n\n" + pages(8) + "\n\f\nChapter 2\n\nShe slept.\n", encoding="utf-8")
    manuscript = read_manuscript(path, language="en")
    words = " ".join(block.text for chapter in manuscript.chapters for block in chapter.blocks)
    assert [chapter.label for chapter in manuscript.chapters] == ["1", "2"]
    assert "SALT ROAD" not in words.replace("THE SALT ROAD   1", "")
    assert "WEAVER" not in words
    assert "- 2 -" not in words
    assert "slowly that she\n\ncounted" not in manuscript.text
    assert all(f"side {i}" in words for i in range(1, 9))


def test_a_text_of_two_pages_is_left_alone() -> None:
    assert without_furniture(pages(2)) == (pages(2), ())


def test_pages_without_furniture_keep_every_line() -> None:
    text = "\f".join(f"She rowed past tower {word}.\nThe bell rang." for word in ("one", "two", "three", "four"))
    assert without_furniture(text)[0].split() == text.replace("\f", " ").split()
