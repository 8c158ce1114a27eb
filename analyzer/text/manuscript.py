"""Manuscripts: a file to chapters, blocks and sentences with offsets into the author's own text."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256
from analyzer.models.text import Block, Chapter, ChapterKind, Manuscript
from analyzer.text.blocks import Layout, Line, block_spans, layout_of, lines_of, measure_of
from analyzer.text.chapters import ChapterPlan, PlannedChapter, explain, split_chapters
from analyzer.text.detect import detect_language
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.numbers import value_of
from analyzer.text.readers._folder import bind_folder
from analyzer.text.readers._folder_files import Folder, read_folder_files
from analyzer.text.readers._reader import SourceText, readers
from analyzer.text.sentences import split_sentences

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; the longest serials known have about 30 MB of text."""


def read_manuscript(path: Path, *, language: str | None = None) -> Manuscript:
    """Return the manuscript in a file or in a folder of files, cut into chapters, blocks and sentences.

    `language` is a tag with a table; without it the language is detected. Raises InputError where the file is missing,
    empty, over 64 MB, of an unknown format, binary, or not in its encoding, and for a folder with nothing to read;
    ConfigError for a language without a table.
    """
    if path.is_dir():
        return _read_folder(read_folder_files(path, frozenset(readers())), path, language)
    return _read(path.suffix.lower(), _bytes_of(path), path, language)


def read_source(path: Path) -> SourceText:
    """Return the text of a file or folder, decoded but not cut; raises InputError like `read_manuscript`."""
    if path.is_dir():
        return bind_folder(path, read_folder_files(path, frozenset(readers())))
    return readers()[path.suffix.lower()](_bytes_of(path), path)


def _bytes_of(path: Path) -> bytes:
    """Return the bytes of a file a reader knows, at most 64 MB."""
    where = str(path)
    if not path.exists():
        raise InputError(f"{where} does not exist", where=where, hint="check the path of the manuscript")
    if path.suffix.lower() not in readers():
        known = ", ".join(readers())
        raise InputError(
            f"{where} ends in {path.suffix.lower()!r}, which no reader knows; known are {known}",
            where=where,
            hint=f"pass one file ({known}), or a folder with one file for each chapter",
        )
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise InputError(
                f"{where} has {size:,} bytes, at most {LARGEST_FILE:,} are read",
                where=where,
                hint="split the manuscript",
            )
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{where} cannot be read: {error.strerror}", where=where, hint="check its permissions"
        ) from error


@lru_cache(maxsize=1)
def _read(suffix: str, data: bytes, path: Path, language: str | None) -> Manuscript:
    """Return the manuscript in these bytes; the last one is remembered, since several verbs in a row read the same book."""
    return _manuscript(readers()[suffix](data, path), language)


@lru_cache(maxsize=1)
def _read_folder(folder: Folder, path: Path, language: str | None) -> Manuscript:
    """Return the manuscript in these files; the last one is remembered, as with one file."""
    return _manuscript(bind_folder(path, folder, language), language)


def manuscript_from_text(text: str, *, title: str, language: str | None) -> Manuscript:
    """Return the manuscript of a text in memory; raises InputError for an empty one or lone surrogates."""
    if not text.strip():
        raise InputError(f"the text of {title!r} is empty", where=title, hint="pass a manuscript with words in it")
    lone = re.search("[\ud800-\udfff]", text)
    if lone:
        raise InputError(
            f"the text of {title!r} holds a lone surrogate at offset {lone.start()}", where=title, hint="decode it anew"
        )
    return _manuscript(SourceText(title, text.replace("\r\n", "\n").replace("\r", "\n")), language)


def _manuscript(source: SourceText, language: str | None) -> Manuscript:
    tag = language or detect_language(source.text)[0]
    table = language_table(tag)
    plan = split_chapters(source, table)
    lines = lines_of(source.text)
    layout = layout_of(lines, table)
    measure = measure_of(lines, layout)
    cutter = _Cutter(source.text, lines, [line.start for line in lines], layout, measure, table)
    chapters = tuple(cutter.chapter(no, planned, tag) for no, planned in enumerate(plan.chapters, 1))
    return Manuscript(
        title=_title(source, plan),
        language=tag,
        text=source.text,
        sha256=bytes_sha256(source.text.encode()),
        chapters=chapters,
        dropped=plan.dropped,
    )


TITLE_CHARS = 80
"""A longer line before the first chapter is no title. Source: the longest title of the public texts has 44 characters."""


def _title(source: SourceText, plan: ChapterPlan) -> str:
    """Return the one short line that stands alone before the first chapter, else the title the reader found."""
    first = min((chapter.start for chapter in plan.chapters), default=0)
    parts = [gap for gap in plan.dropped if gap.reason == "part heading" and gap.end <= first]
    before = source.text[: min((gap.start for gap in parts), default=first)]
    lines = [line.strip() for line in before.split("\n") if line.strip()]
    return lines[0] if len(lines) == 1 and len(lines[0]) <= TITLE_CHARS else source.title


class _Cutter(NamedTuple):
    """Cuts planned chapters into blocks and sentences."""

    text: str
    lines: Sequence[Line]
    starts: list[int]
    layout: Layout
    measure: int
    table: LanguageTable

    def chapter(self, no: int, planned: PlannedChapter, tag: str) -> Chapter:
        """Return chapter `no` with its blocks."""
        first = bisect.bisect_left(self.starts, planned.body_start)
        last = bisect.bisect_left(self.starts, planned.end)
        spans = block_spans(self.lines[first:last], self.layout, self.measure, self.table)
        blocks = tuple(self._block(i, span.start, span.end) for i, span in enumerate(spans, 1))
        return Chapter(
            no=no,
            kind=planned.kind,
            label=planned.label,
            title=planned.title,
            heading=planned.heading,
            start=planned.start,
            body_start=planned.body_start,
            end=planned.end,
            language=tag,
            blocks=blocks,
        )

    def _block(self, no: int, start: int, end: int) -> Block:
        words = self.text[start:end]
        return Block(no=no, start=start, text=words, sentences=split_sentences(words, self.table))


class PreviewRow(NamedTuple):
    """One chapter as `chapters` shows it: `n_words` are words, or characters in scripts without spaces."""

    no: int
    kind: ChapterKind
    label: str
    title: str
    n_blocks: int
    n_sentences: int
    n_words: int
    reason: str
    confidence: float
    first_words: str


def preview(manuscript: Manuscript) -> tuple[PreviewRow, ...]:
    """Return one row per chapter, in order; costs a pass over the text."""
    table = language_table(manuscript.language)
    rows = []
    previous: int | None = None
    for chapter in manuscript.chapters:
        reason, confidence = explain(chapter.kind, chapter.heading, previous, table)
        number = value_of(chapter.label, table) if chapter.label else None
        previous = number if number is not None else previous
        rows.append(
            PreviewRow(
                chapter.no,
                chapter.kind,
                chapter.label,
                chapter.title,
                len(chapter.blocks),
                sum(len(block.sentences) for block in chapter.blocks),
                sum(count_words(block.text, table) for block in chapter.blocks),
                reason,
                confidence,
                _first_words(chapter),
            )
        )
    return tuple(rows)


def count_words(text: str, table: LanguageTable) -> int:
    """Return how long `text` is: words between spaces, or letters and digits where the script has no spaces."""
    if table.script["counted"] == "characters":
        return sum(1 for ch in text if ch.isalnum())
    return len(text.split())


def _first_words(chapter: Chapter) -> str:
    """Return the first 60 code points of the first block on one line."""
    text = " ".join(chapter.blocks[0].text[:120].split()) if chapter.blocks else ""
    return text if len(text) <= 60 else text[:59].rstrip() + "…"
