"""What tests of readers look at in a source: its paragraphs, its headings with their levels, what was taken out of it."""

from __future__ import annotations

from analyzer.text.readers._reader import SourceText


def words(source: SourceText) -> list[str]:
    return source.text.rstrip("\n").split("\n\n")


def levels(source: SourceText) -> list[tuple[int, str]]:
    for hint in source.headings:
        assert source.text[hint.start : hint.end] == hint.text
    return [(hint.level, hint.text) for hint in source.headings]


def removed(source: SourceText, kind: str) -> list[str]:
    return [words for found, words in source.removed if found == kind]
