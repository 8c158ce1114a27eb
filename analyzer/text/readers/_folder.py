"""A folder of files as one manuscript: each file a chapter, or several where it has several headings; folders are parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from analyzer.errors import InputError
from analyzer.models.text import ChapterKind, Span
from analyzer.text.chapters import split_chapters
from analyzer.text.detect import detect_language
from analyzer.text.headings import Heading, match_heading
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.readers._folder_files import Folder, FolderFile, is_notes_name
from analyzer.text.readers._reader import HeadingHint, Removed, SourceText, text_of

_SHORT = 400
"""Letters below which a file without a number between numbered ones is a note."""

_LONGEST_TITLE = 60
"""Code points of a first line that may be a chapter's title."""

_NUMBER_FIRST = re.compile(r"^(\D{0,20}\d{1,4})[\s\-–—]+(?=\w)")

_SORT_KEY = re.compile(r"(?:\d{1,4}|[A-Za-z]{1,2})[\s\-–—.)]+(?=\w)")
"""What a file's name begins with so that it is listed in its place: 00, zz."""

_ENDS = ".,;:!?。，！？…、；：”’」』\"'"

_OUTER: dict[ChapterKind, int] = {"front": -2, "prologue": -1, "epilogue": 1, "back": 2}
"""Kinds that are put before and behind the numbered files."""


class _Sheet(NamedTuple):
    """A file that was read; `name` is its name as it would be printed, `heading` what that says."""

    file: FolderFile
    source: SourceText
    name: str
    heading: Heading | None


class _Section(NamedTuple):
    """A heading in a file: `[start, end)` of its text, or words to put in at `start` where both are equal."""

    start: int
    end: int
    words: str
    part: bool = False


def bind_folder(path: Path, folder: Folder, language: str | None = None, encoding: str | None = None) -> SourceText:
    """Return the text of the files in order, a heading for each, notes of all at the end.

    A file's own heading is its first line where that is one; otherwise its name is put in as the heading. Raises
    InputError where a file cannot be read as what its ending says, or all of them are notes. `encoding` is the one named
    for files of bare text.
    """
    removed = list(folder.removed)
    sources = [text_of(file.data, path / file.name, encoding) for file in folder.files]
    tag = language or detect_language("\n".join(source.text[:20_000] for source in sources[:20]))[0]
    table = language_table(tag)
    sheets = [
        _Sheet(file, source, name := _name(file.stem, table), match_heading(name, table))
        for file, source in zip(folder.files, sources, strict=True)
    ]
    kept = _without_notes(sheets, removed)
    if not kept:
        raise InputError(
            f"{path} is a folder with nothing to read but notes", where=str(path), hint="pass a folder with chapters"
        )
    kept = _in_order(kept)
    titled = _first_lines_are_titles(kept, table)
    sections = [_sections(sheet, table, titled) for sheet in kept]
    removed += [piece for sheet in kept for piece in sheet.source.removed]
    return _bound(path, kept, sections, removed)


def _words(stem: str) -> str:
    return " ".join(stem.replace("_", " ").split())


def _name(stem: str, table: LanguageTable) -> str:
    """Return a file's name as it would be printed: "chapter_02_the_well" as "chapter 02. the well".

    What only sorts the file goes where a named kind is left: "00 prologue" as "prologue", which is written with a capital.
    """
    words = _words(stem)
    key = _SORT_KEY.match(words)
    left = words[key.end() if key else 0 :]
    capital = left[:1].upper() + left[1:]
    named = match_heading(capital, table)
    if named is not None and named.style == "kind":
        return capital
    parted = _NUMBER_FIRST.sub(r"\1. ", words, count=1)
    return parted if match_heading(words, table) is None and match_heading(parted, table) is not None else words


def _without_notes(sheets: Sequence[_Sheet], removed: list[Removed]) -> list[_Sheet]:
    """Return the sheets that are chapters; the others are added to `removed` with their words."""
    named = {sheet.file.name for sheet in sheets if len(sheets) > 1 and is_notes_name(sheet.file.stem)}
    numbered = [s for s in sheets if s.file.name not in named and any(map(str.isdecimal, s.file.stem))]
    mostly = len(numbered) >= 3 and len(numbered) * 10 >= (len(sheets) - len(named)) * 6
    kept: list[_Sheet] = []
    for sheet in sheets:
        size = sum(map(str.isalnum, sheet.source.text))
        if sheet.file.name in named:
            removed.append(Removed(f"notes file {sheet.file.name}", sheet.source.text))
        elif mostly and sheet not in numbered and sheet.heading is None and size < _SHORT:
            removed.append(Removed(f"short file without a number {sheet.file.name}", sheet.source.text))
        else:
            kept.append(sheet)
    return kept


def _in_order(sheets: Sequence[_Sheet]) -> list[_Sheet]:
    """Return the sheets in natural order; a prologue first, an epilogue last, spelled-out numbers by their value.

    A folder keeps its place among folders.
    """
    found: list[_Sheet] = []
    for folder in dict.fromkeys(sheet.file.folder for sheet in sheets):
        here = [sheet for sheet in sheets if sheet.file.folder == folder]
        inner = [sheet for sheet in here if not _outer(sheet)]
        numbers = [sheet.heading.number if sheet.heading else None for sheet in inner]
        known = [n for n in numbers if n is not None]
        spelled = not any(sheet.file.stem[:1].isdecimal() for sheet in inner)
        by_value = spelled and len(known) == len(inner) and len(set(known)) == len(known)
        order = {sheet.file.name: n for sheet, n in zip(inner, known, strict=True)} if by_value else {}
        found += sorted(here, key=lambda sheet: (_outer(sheet), order.get(sheet.file.name, 0)))
    return found


def _outer(sheet: _Sheet) -> int:
    heading = sheet.heading
    if heading is None or heading.style != "kind" or _SORT_KEY.match(_words(sheet.file.stem)):
        return 0
    return _OUTER.get(heading.kind, 0)


def _first_lines_are_titles(sheets: Sequence[_Sheet], table: LanguageTable) -> bool:
    """Say whether files without a heading begin with a title: two in three do, and at least two."""
    bare = [sheet for sheet in sheets if not sheet.source.headings and not _own(sheet, table)]
    titles = [sheet for sheet in bare if _title_line(sheet.source.text)]
    return len(titles) >= 2 and len(titles) * 3 >= len(bare) * 2


def _title_line(text: str) -> str:
    """Return the first line where it stands alone and is no sentence, otherwise ""."""
    first, _, rest = text.lstrip().partition("\n")
    words = first.strip()
    alone = rest.startswith(("\n", "\r", " \n", "\t\n")) and rest.strip() != ""
    return words if alone and words and len(words) <= _LONGEST_TITLE and words[-1] not in _ENDS else ""


def _own(sheet: _Sheet, table: LanguageTable) -> Heading | None:
    """Return what the first line of a file says if it is a heading."""
    line = sheet.source.text.lstrip().partition("\n")[0].strip()
    return match_heading(line, table) if line else None


def _sections(sheet: _Sheet, table: LanguageTable, titled: bool) -> list[_Section]:
    """Return the headings of a file, the first one at its beginning."""
    text = sheet.source.text
    begin = len(text) - len(text.lstrip())
    several = _several(sheet, table)
    if several:
        opening = text[begin : several[0].start].strip()
        return several if not opening else [_Section(begin, begin, sheet.name), *several]
    hints = sheet.source.headings
    if hints and hints[0].start <= begin:
        return [_Section(hints[0].start, hints[0].end, _numbered(hints[0].text, sheet, table))]
    line = text[begin:].partition("\n")[0].rstrip()
    own = _own(sheet, table)
    if own is not None and (own.style != "number" or len(line) <= _LONGEST_TITLE):
        return [_Section(begin, begin + len(line), line)]
    if titled and _title_line(text):
        return [_Section(begin, begin + len(line), _numbered(line, sheet, table))]
    return [_Section(begin, begin, sheet.name)]


def _numbered(words: str, sheet: _Sheet, table: LanguageTable) -> str:
    """Return a title with the number of the file's name before it where it has none itself."""
    name = sheet.heading
    if match_heading(words, table) is not None or name is None or name.number is None or not name.label:
        return words
    return f"{name.label}. {words}"


def _several(sheet: _Sheet, table: LanguageTable) -> list[_Section]:
    """Return the headings of a file that has at least two chapters by words or by its format; bare numbers are scenes."""
    plan = split_chapters(sheet.source, table)
    starts = {hint.start for hint in sheet.source.headings}
    found: list[_Section] = []
    n_chapters = 0
    for chapter in plan.chapters:
        heading = match_heading(chapter.heading.partition("\n")[0].strip(), table) if chapter.heading else None
        if chapter.heading and (chapter.start in starts or (heading is not None and heading.style != "number")):
            n_chapters += 1
            end = chapter.start + len(chapter.heading)
            words = " ".join(chapter.heading.split("\n"))
            found.append(_Section(chapter.start, end, words))
    parts = [gap for gap in plan.dropped if gap.reason == "part heading"]
    for gap in parts:
        words = sheet.source.text[gap.start : gap.end].strip()
        start = sheet.source.text.index(words, gap.start)
        found.append(_Section(start, start + len(words), " ".join(words.split()), part=True))
    return sorted(found) if n_chapters >= 2 else []


def _bound(
    path: Path, sheets: Sequence[_Sheet], sections: Sequence[list[_Section]], removed: Sequence[Removed]
) -> SourceText:
    folders = any(sheet.file.folder for sheet in sheets)
    level = 2 if folders or any(section.part for found in sections for section in found) else 1
    pieces: list[str] = []
    hints: list[HeadingHint] = []
    size = 0
    inside = ""
    for sheet, found in zip(sheets, sections, strict=True):
        if sheet.file.folder != inside:
            inside = sheet.file.folder
            words = _words(Path(inside).name)
            if words:
                hints.append(HeadingHint(size, size + len(words), 1, words))
                pieces.append(words + "\n\n")
                size += len(pieces[-1])
        text, marks = _sheet_text(sheet, found)
        hints += [HeadingHint(size + a, size + b, 1 if part else level, words) for a, b, words, part in marks]
        pieces.append(text + "\n\n")
        size += len(pieces[-1])
    spans: list[Span] = []
    for note in (sheet.source.text[a:b].strip("\n") for sheet in sheets for a, b in sheet.source.notes):
        spans.append(Span(size, size + len(note)))
        pieces.append(note + "\n\n")
        size += len(pieces[-1])
    encodings = Counter(sheet.source.encoding for sheet in sheets)
    return SourceText(
        title=path.name or path.resolve().name,
        text="".join(pieces).rstrip("\n") + "\n",
        headings=tuple(hints),
        notes=tuple(spans),
        encoding=encodings.most_common(1)[0][0],
        encoding_certainty=min(sheet.source.encoding_certainty for sheet in sheets),
        language=next((sheet.source.language for sheet in sheets if sheet.source.language), ""),
        author=next((sheet.source.author for sheet in sheets if sheet.source.author), ""),
        removed=tuple(removed),
        chapter_level=level,
        filed=True,
    )


def _sheet_text(sheet: _Sheet, sections: Sequence[_Section]) -> tuple[str, list[_Section]]:
    """Return the text of a file without its notes, headings put in, and where the headings are in it."""
    source = sheet.source
    stop = source.notes[0].start if source.notes else len(source.text)
    pieces: list[str] = []
    marks: list[_Section] = []
    at = size = 0
    for section in sections:
        start = min(section.start, stop)
        pieces.append(source.text[at:start])
        size += len(pieces[-1])
        words = source.text[start : min(section.end, stop)] if section.end > section.start else section.words + "\n\n"
        marks.append(section._replace(start=size, end=size + len(words.rstrip("\n"))))
        pieces.append(words)
        size += len(words)
        at = max(start, min(section.end, stop))
    pieces.append(source.text[at:stop])
    return "".join(pieces).rstrip(), marks
