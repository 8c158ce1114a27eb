"""Manuscripts: a file to chapters, blocks and sentences with offsets into the author's own text."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from analyzer.collector import rare_collections
from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256
from analyzer.models.text import Block, Chapter, ChapterKind, Manuscript
from analyzer.text.blocks import Layout, Line, block_spans, layout_of, lines_of, measure_of
from analyzer.text.chapters import ChapterPlan, PlannedChapter, split_chapters
from analyzer.text.chapters_file import LARGEST as LARGEST_LIST
from analyzer.text.chapters_file import chapters_toml, plan_of, read_entries
from analyzer.text.detect import detect_language, primary
from analyzer.text.foreign import heading_languages, other_languages, with_languages
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.readers._folder import bind_folder
from analyzer.text.readers._folder_files import Folder, is_text, read_folder_files
from analyzer.text.readers._reader import SourceText, named_suffixes, readers, takes_encoding, text_of
from analyzer.text.remarks import remarks_of
from analyzer.text.sentences import split_sentences
from analyzer.text.shapes import title_before_part

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; the longest serials known have about 30 MB of text."""


def read_manuscript(
    path: Path, *, language: str | None = None, encoding: str | None = None, chapters_file: Path | None = None
) -> Manuscript:
    """Return the manuscript in a file or in a folder of files, cut into chapters, blocks and sentences.

    `language` is a tag with a table; without it the language is detected. `encoding` is the name of one; without it the
    encoding is that of the byte order mark or guessed; in a folder it is that of every file of bare text. `chapters_file` is
    the author's own list of chapters, which wins over what is found where it exists. Raises InputError where the file is
    missing, neither file nor folder, empty, without a letter, over 64 MB, of an unknown format, binary, or not in its
    encoding, for a folder with nothing to read, and for a fault in the list; ConfigError for a language without a table.
    """
    _refuse_name(path)
    folder = read_folder_files(path, frozenset(readers())) if path.is_dir() else None
    data = b"" if folder else _file_bytes(path, encoding)
    listed: bytes | None = None
    if chapters_file is not None and chapters_file.exists():
        if not chapters_file.is_file():
            raise InputError(f"{chapters_file} is no file", where=str(chapters_file), hint="remove it")
        listed = _bytes_of(chapters_file, LARGEST_LIST, "delete it to have the chapters found anew")
    with rare_collections():  # tens of thousands of small lasting values
        return _read(data, folder, path, language, encoding, listed, str(chapters_file))


def read_source(path: Path, *, encoding: str | None = None) -> SourceText:
    """Return the text of a file or folder, decoded but not cut; raises InputError like `read_manuscript`."""
    if path.is_dir():
        return bind_folder(path, read_folder_files(path, frozenset(readers())), encoding=encoding)
    return text_of(_file_bytes(path, encoding), path, encoding)


def _refuse_name(path: Path) -> None:
    """Raise InputError for a name that is no text, and so can be neither a title nor written down."""
    if not is_text(path.name):
        raise InputError(f"the name of {path} is not UTF-8", where=str(path), hint="rename it")


def _file_bytes(path: Path, encoding: str | None) -> bytes:
    """Return the bytes of a file a reader knows, at most 64 MB; raises InputError where it takes no encoding but one is named."""
    suffix = path.suffix.lower()
    where = str(path)
    known = ", ".join(named_suffixes())
    pass_one = f"pass one file ({known}), or a folder with one file for each chapter"
    if not path.exists():
        raise InputError(f"{where} does not exist", where=where, hint="check the path of the manuscript")
    if not path.is_file():
        raise InputError(f"{where} is no regular file but a device or a pipe", where=where, hint=pass_one)
    if suffix not in readers():
        ends = f"ends in {suffix!r}, which no reader knows" if suffix else "has no ending that names its format"
        named = f"give it a name before the ending: text{path.name.lower()}; or " * (path.name.lower() in readers())
        raise InputError(f"{where} {ends}; known are {known}", where=where, hint=named + pass_one)
    data = _bytes_of(path, LARGEST_FILE, "split the manuscript")
    if encoding is not None and not takes_encoding(suffix):
        raise InputError(
            f"{where} states its own encoding: none can be named for {suffix} files",
            where=where,
            hint="leave --encoding out, or the encoding out of the book's settings",
        )
    return data


def _bytes_of(path: Path, most: int, hint: str) -> bytes:
    """Return the bytes of a file of at most so many; raises InputError."""
    where = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise InputError(
                f"{where} has {path.stat().st_size:,} bytes, at most {most:,} are read", where=where, hint=hint
            )
    except OSError as error:
        raise InputError(
            f"{where} cannot be read: {error.strerror}", where=where, hint="check its permissions"
        ) from error
    return data


@lru_cache(maxsize=1)
def _read(
    data: bytes,
    folder: Folder | None,
    path: Path,
    language: str | None,
    encoding: str | None,
    listed: bytes | None,
    list_name: str,
) -> Manuscript:
    """Return the manuscript in these bytes or files; the last one is remembered: several verbs in a row read the same book."""
    source = bind_folder(path, folder, language, encoding) if folder else text_of(data, path, encoding)
    if not any(map(str.isalpha, source.text)):
        raise InputError(f"{path} holds no letter", where=str(path), hint="pass a manuscript with words in it")
    return _manuscript(source, language, listed, list_name, named=encoding is not None)


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


def _manuscript(
    source: SourceText, language: str | None, listed: bytes | None = None, list_name: str = "", *, named: bool = False
) -> Manuscript:
    guess, certainty = detect_language(source.text)
    tag = language or guess
    table = language_table(tag)
    known = {primary(tag), primary(guess)}  # a guess the author set aside is no exception either
    lines = lines_of(source.text)
    tags = {*other_languages(source.text, known), *heading_languages(source.text, lines, table, known)}
    others = [language_table(other) for other in sorted(tags)]
    found = split_chapters(source, table, others, lines)
    stated = None if listed is None else plan_of(read_entries(listed, list_name), source.text, list_name)
    plan = with_languages(stated or found, source.text, known)
    layout = layout_of(lines, table)
    measure = measure_of(lines, layout)
    cutter = _Cutter(source.text, lines, [line.start for line in lines], layout, measure, table)
    chapters = tuple(cutter.chapter(no, planned, tag) for no, planned in enumerate(plan.chapters, 1))
    return Manuscript(
        title=_title(source, plan, table),
        language=tag,
        language_certainty=1.0 if language else certainty,
        text=source.text,
        sha256=bytes_sha256(source.text.encode()),
        chapters=chapters,
        dropped=plan.dropped,
        encoding=source.encoding,
        encoding_certainty=source.encoding_certainty,
        remarks=remarks_of(source, found, stated, (table, *others), named=named, lines=lines),
        chapters_file=stated is not None,
    )


TITLE_CHARS = 80
"""A longer line before the first chapter is no title. Source: the longest title of the public texts has 44 characters."""


def _title(source: SourceText, plan: ChapterPlan, table: LanguageTable) -> str:
    """Return the one short line that stands alone before the first chapter, or its words before the first volume; else the reader's."""
    first = min((chapter.start for chapter in plan.chapters), default=0)
    parts = [gap for gap in plan.dropped if gap.reason == "part heading" and gap.end <= first]
    before = source.text[: min((gap.start for gap in parts), default=first)]
    lines = [line.strip() for line in before.split("\n") if line.strip()]
    if parts and not lines and not source.headings:
        return title_before_part(source.text[parts[0].start : parts[0].end].strip(), table) or source.title
    return lines[0] if len(lines) == 1 and len(lines[0]) <= TITLE_CHARS else source.title


class _Cutter(NamedTuple):
    """Cuts planned chapters into blocks and sentences, each by the table of its own language."""

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
        table = language_table(planned.language) if planned.language else self.table
        spans = block_spans(self.lines[first:last], self.layout, self.measure, table)
        blocks = tuple(self._block(i, span.start, span.end, table) for i, span in enumerate(spans, 1))
        return Chapter(
            no=no,
            kind=planned.kind,
            label=planned.label,
            title=planned.title,
            heading=planned.heading,
            start=planned.start,
            body_start=planned.body_start,
            end=planned.end,
            language=planned.language or tag,
            blocks=blocks,
            reason=planned.reason,
            confidence=planned.confidence,
        )

    def _block(self, no: int, start: int, end: int, table: LanguageTable) -> Block:
        words = self.text[start:end]
        return Block(no=no, start=start, text=words, sentences=split_sentences(words, table))


class DroppedRow(NamedTuple):
    """A stretch that belongs to no chapter: the 1-based line it begins at, its code points, why, its first words, `[start, end)`."""

    line: int
    n_chars: int
    reason: str
    first_words: str
    start: int = 0
    end: int = 0


class PreviewRow(NamedTuple):
    """One chapter as `chapters` shows it: `n_words` are words, or characters in scripts without spaces.

    `language` is the tag it is read by. `[start, end)` is where it stands in the text, in code points; `left_out_before` is what
    belongs to no chapter between the chapter before and this one, `left_out_after` what does behind the last: with these all
    chapters tile the text from 0 to its end.
    """

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
    language: str = ""
    start: int = 0
    end: int = 0
    left_out_before: tuple[DroppedRow, ...] = ()
    left_out_after: tuple[DroppedRow, ...] = ()


def preview(manuscript: Manuscript) -> tuple[PreviewRow, ...]:
    """Return one row per chapter, in order; costs a pass over the text."""
    rows = []
    gaps = _dropped_rows(manuscript)
    last = manuscript.chapters[-1].start if manuscript.chapters else 0
    above = -1
    for chapter in manuscript.chapters:
        table = language_table(chapter.language)
        rows.append(
            PreviewRow(
                chapter.no,
                chapter.kind,
                chapter.label,
                chapter.title,
                len(chapter.blocks),
                sum(len(block.sentences) for block in chapter.blocks),
                sum(count_words(block.text, table) for block in chapter.blocks),
                chapter.reason,
                chapter.confidence,
                _first_words(chapter),
                chapter.language,
                chapter.start,
                chapter.end,
                tuple(gap for gap in gaps if above < gap.start < chapter.start),
                tuple(gap for gap in gaps if gap.start > chapter.start) if chapter.start == last else (),
            )
        )
        above = chapter.start
    return tuple(rows)


def preview_dropped(manuscript: Manuscript) -> tuple[DroppedRow, ...]:
    """Return one row per stretch with words that belongs to no chapter, in order."""
    return tuple(row for row in _dropped_rows(manuscript) if row.first_words)


def _dropped_rows(manuscript: Manuscript) -> tuple[DroppedRow, ...]:
    """Return one row per stretch that belongs to no chapter, those of white space too."""
    rows, line, at = [], 1, 0
    for one in manuscript.dropped:
        words = manuscript.text[one.start : one.end]
        line += manuscript.text.count("\n", at, one.start)
        at = one.start
        blank = words[: len(words) - len(words.lstrip())].count("\n") if words.strip() else 0
        rows.append(
            DroppedRow(line + blank, one.end - one.start, one.reason, _shortened(words[:400]), one.start, one.end)
        )
    return tuple(rows)


def chapters_list(manuscript: Manuscript) -> str:
    """Return a chapters.toml that says what the chapters of the manuscript are now, with reason and confidence of each."""
    rows = preview(manuscript)
    planned = tuple(
        PlannedChapter(
            c.kind,
            c.label,
            c.title,
            c.heading,
            c.start,
            c.body_start,
            c.end,
            row.reason,
            row.confidence,
            language=c.language if c.language != manuscript.language else "",
        )
        for c, row in zip(manuscript.chapters, rows, strict=True)
    )
    return chapters_toml(manuscript.text, ChapterPlan(planned, manuscript.dropped))


def count_words(text: str, table: LanguageTable) -> int:
    """Return how long `text` is: words between spaces, or letters and digits where the script has no spaces."""
    if table.script["counted"] == "characters":
        return sum(1 for ch in text if ch.isalnum())
    return len(text.split())


def _first_words(chapter: Chapter) -> str:
    """Return the first 60 code points of the first block on one line."""
    return _shortened(chapter.blocks[0].text[:120]) if chapter.blocks else ""


def _shortened(words: str) -> str:
    text = " ".join(words.split())
    return text if len(text) <= 60 else text[:59].rstrip() + "…"
