"""Manuscripts made hard to read on purpose, and eleven whole novels, against what is known of them.

Runs where ANALYZER_DATA names a folder with `dirty/expected.json` and `texts/SLUG/book.txt`, `chapters.json`; the format of
both is in their README.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from analyzer.models.text import Chapter, Manuscript
from analyzer.text.manuscript import read_manuscript

DATA = Path(os.environ.get("ANALYZER_DATA", "no data"))
EXPECTED = DATA / "dirty" / "expected.json"
CASES: list[dict[str, Any]] = json.loads(EXPECTED.read_text("utf-8")) if EXPECTED.is_file() else []
SLUGS = sorted(path.parent.name for path in DATA.glob("texts/*/chapters.json"))

pytestmark = pytest.mark.skipif(not CASES, reason="ANALYZER_DATA names no folder with dirty/expected.json")

_RUBY = re.compile("《[^》]*》|［＃[^］]*］|｜")


def letters(text: str) -> str:
    """The letters and digits of a text, whatever their form."""
    return "".join(ch for ch in unicodedata.normalize("NFKC", text).casefold() if ch.isalnum())


def story(read: Manuscript) -> list[Chapter]:
    return [chapter for chapter in read.chapters if chapter.kind not in ("front", "back")]


def body(read: Manuscript, chapter: Chapter) -> str:
    return read.text[chapter.body_start : chapter.end]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_a_dirty_manuscript_is_read_as_expected(case: dict[str, Any]) -> None:
    path = DATA / "dirty" / case["file"]
    read = read_manuscript(path)
    chapters = story(read)
    assert len(chapters) in (case["chapter_count"], *case.get("accept_counts", ()))
    for chapter, known in zip(chapters, case["chapters"], strict=False):
        words = letters(body(read, chapter))
        assert words.startswith(letters(known["first"])), known["n"]
        assert words.endswith(letters(known["last"])), known["n"]
        assert abs(len(words) - known["letters"]) <= known["letters"] * 0.01, known["n"]
        if known["title"]:
            assert letters(chapter.title) == letters(known["title"]), known["n"]
    for words in case.get("must_not_appear", ()):
        assert not any(words in body(read, chapter) for chapter in chapters), words
    for words in case.get("notes", ()):
        assert words in read.text
        assert not any(words in body(read, chapter) for chapter in chapters), words


@pytest.mark.parametrize("slug", SLUGS)
def test_a_whole_novel_has_the_chapters_it_has(slug: str) -> None:
    folder = DATA / "texts" / slug
    read = read_manuscript(folder / "book.txt")
    known = json.loads((folder / "chapters.json").read_text("utf-8"))["chapters"]
    text = (folder / "book.txt").read_text("utf-8")
    assert [chapter.kind for chapter in read.chapters] == [row["kind"] for row in known]
    for chapter, row in zip(read.chapters, known, strict=True):
        words = text[row["body_start"] : row["end"]]
        expected = letters(_RUBY.sub("", words) if read.language == "ja" else words)
        assert letters(body(read, chapter)).startswith(expected[:60])
        assert letters(body(read, chapter)).endswith(expected[-15:])
    stretches = sorted([(c.start, c.end) for c in read.chapters] + [(d.start, d.end) for d in read.dropped])
    assert [start for start, _ in stretches] == [0, *(end for _, end in stretches[:-1])]
    assert stretches[-1][1] == len(read.text)
