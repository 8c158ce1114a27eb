"""The readers against books outside of the project: run where ANALYZER_DATA names the folder that holds them.

`dirty/expected.json` says what each file must become; `texts/*/book.epub` must have the chapters of `chapters.json`.
"""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from analyzer.text.manuscript import read_manuscript, read_source

DATA = Path(os.environ.get("ANALYZER_DATA", ""))
pytestmark = pytest.mark.skipif("ANALYZER_DATA" not in os.environ, reason="ANALYZER_DATA names no folder of books")

FORMATS = ("09", "18", "19", "20", "21")


def letters(words: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", words).casefold()))


def cases() -> list[Any]:
    if "ANALYZER_DATA" not in os.environ:
        return []
    return [case for case in json.loads((DATA / "dirty/expected.json").read_text()) if case["file"][:2] in FORMATS]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["file"])
def test_a_dirty_manuscript_becomes_what_is_expected(case: dict[str, Any]) -> None:
    read = read_manuscript(DATA / "dirty" / case["file"])
    chapters = [chapter for chapter in read.chapters if chapter.kind not in ("front", "back")]
    assert len(chapters) == case["chapter_count"]
    for chapter, expected in zip(chapters, case["chapters"], strict=True):
        body = letters("".join(block.text for block in chapter.blocks))
        assert body.startswith(expected["first"]) and body.endswith(expected["last"])
        assert abs(len(body) - expected["letters"]) <= 0.01 * expected["letters"]
        assert letters(expected["title"] or "") in ("", letters(chapter.title))
    bodies = "\n".join(chapter.text for chapter in read.chapters)
    assert not [words for words in case.get("must_not_appear", ()) if words in bodies]
    source = read_source(DATA / "dirty" / case["file"])
    kept = source.text + "".join(piece.text for piece in source.removed)
    assert all(note in kept for note in case.get("notes", ()))


@pytest.mark.parametrize("name", ["count-of-monte-cristo-en", "pride-and-prejudice-en", "time-machine-en"])
def test_the_epub_of_a_text_has_its_chapters(name: str) -> None:
    expected = json.loads((DATA / "texts" / name / "chapters.json").read_text())["chapters"]
    text = (DATA / "texts" / name / "book.txt").read_text("utf-8")
    read = read_manuscript(DATA / "texts" / name / "book.epub")
    assert len(read.chapters) == len(expected)
    for chapter, known in zip(read.chapters, expected, strict=True):
        assert letters(known["title"] or "") in ("", letters(chapter.title))
        body = letters(text[known["body_start"] : known["end"]])
        assert abs(len(letters(chapter.text)) - len(body)) <= 0.01 * len(body)
