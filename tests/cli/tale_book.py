"""A book whose store holds the tale of `tests.export.story_tale`, as a run would have left it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analyzer import pipeline
from analyzer.models.issue import Issue
from evals.made_book import as_if_run, put_facts
from tests.export.story_tale import LAST, Words, stored, story


def tale_book(folder: Path, words: Words, *, through: int = LAST, issues: Sequence[Issue] = ()) -> Path:
    """Make a book of five chapters and put the facts of the first `through` into its store; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join(f"Chapter {no}\n\n{words.sentence.format(no)} {words.oda}." for no in range(1, LAST + 1))
    (folder / "tale.txt").write_text(text, encoding="utf-8")
    book = pipeline.init(folder / "tale.txt")
    put_facts(book, [fact for fact in stored(story(words)) if fact.chapter <= through], issues)
    as_if_run(book, through)
    return book
