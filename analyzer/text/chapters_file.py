"""chapters.toml: the author's own list of chapters, which overrides all that was found.

An entry says where a stretch begins by quoting the line (`at`) and which of the lines that read so it is (`nth`); it goes on
to the next entry. `[[chapter]]` is a chapter or front or back matter, `[[dropped]]` belongs to none. Every character stands in
one entry; what comes before the first one is dropped with that reason.
"""

from __future__ import annotations

import bisect
import difflib
import json
import re
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, cast, get_args

from analyzer.errors import ConfigError, InputError
from analyzer.models.text import ChapterKind, Dropped
from analyzer.text.blocks import lines_of
from analyzer.text.chapters import ChapterPlan, PlannedChapter
from analyzer.text.languages import language_table

CHAPTERS_FILE = "chapters.toml"
LARGEST = 4 * 1024 * 1024
"""Bytes; a list of 10,000 chapters has about 2 MB."""

STATED = f"stated in {CHAPTERS_FILE}"
BEFORE = f"before the first entry of {CHAPTERS_FILE}"
"""Why what stands before the first entry belongs to no chapter."""

QUOTED = 100
"""Code points of a longer line that are quoted, an ellipsis behind them."""

_KINDS: tuple[str, ...] = get_args(ChapterKind)
_KEYS = {
    "chapter": {
        "kind": str,
        "label": str,
        "title": str,
        "language": str,
        "at": str,
        "nth": int,
        "heading_lines": int,
        "includes": list,
    },
    "dropped": {"reason": str, "at": str, "nth": int},
}
_CALLED = {str: "text in quotes", int: "a whole number", list: "a list of texts in quotes"}
_HEADER = re.compile(r"\s*\[\[\s*(chapter|dropped)\s*\]\]")

_HEAD = """# The chapters of this book, in the order of the text. While this file exists it alone says what a chapter is; delete it
# to have them found anew. An entry begins at a line and goes on to the next entry:
#   at             the line it begins with, as it stands in the text; a long one may end in … after its first words
#   nth            which of the lines that read so, counted from the top (1 if left out)
#   heading_lines  how many lines with words are heading and no text (1 if left out, 0 for none)
#   kind           {kinds}
#   label, title   the printed number and the title, as they shall be shown
#   language       tag of the language it is in, where that is not the book's
#   includes       headings inside of it that begin no chapter: ["Chapter 3"]; nothing is said of them then
# [[dropped]] entries belong to no chapter; their reason is free.
"""


class Entry(NamedTuple):
    """One entry as written: `line` is that of its header in the file (0: not known), `reason` only where dropped."""

    dropped: bool
    at: str
    nth: int
    heading_lines: int
    kind: ChapterKind
    label: str
    title: str
    language: str
    reason: str
    line: int
    at_line: int
    includes: tuple[str, ...] = ()
    includes_line: int = 0


def chapters_toml(text: str, plan: ChapterPlan) -> str:
    """Return a chapters.toml that says what `plan` says of `text`: reasons and confidence stand in comments."""
    places = _Places(text)
    pieces = [_HEAD.format(kinds=", ".join(_KINDS))]
    stretches: list[PlannedChapter | Dropped] = sorted((*plan.chapters, *plan.dropped), key=lambda one: one.start)
    for one in stretches:
        index = places.first_words(one.start, one.end)
        if index is None:
            continue
        at, nth = places.quote(index)
        if isinstance(one, Dropped):
            pieces.append(_table("dropped", {"reason": one.reason, "at": at, "nth": nth}))
            continue
        n_heading = sum(1 for line in one.heading.split("\n") if line.strip())
        begins = " ".join(text[one.body_start : min(one.end, one.body_start + 200)].split())[:60]
        pieces.append(f"# {_comment(one.reason)} ({one.confidence:.2f}); begins: {_comment(begins)}")
        known: dict[str, str | int] = {"kind": one.kind, "label": one.label, "title": one.title, "at": at, "nth": nth}
        if one.language:
            known["language"] = one.language
        pieces.append(_table("chapter", {**known, "heading_lines": n_heading}))
    return "\n".join(pieces)


def quoted(line: str) -> str:
    """Return a line as an entry quotes it."""
    return line if len(line) <= QUOTED + 20 else line[:QUOTED].rstrip() + "…"


def _table(name: str, values: dict[str, str | int]) -> str:
    rows = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f") for key, value in values.items()
    ]
    return "\n".join([f"[[{name}]]", *rows, ""])


def _comment(words: str) -> str:
    return "".join(ch if ch.isprintable() else " " for ch in words)


def read_entries(raw: bytes, where: str) -> tuple[Entry, ...]:
    """Return the entries of a chapters.toml, in order of the file, those dropped last; raises InputError naming the line."""
    source, read = _parsed(raw, where)
    lines = source.split("\n")
    headers = {
        name: [i for i, line in enumerate(lines) if (h := _HEADER.match(line)) and h[1] == name] for name in _KEYS
    }
    for key in read:
        if key not in _KEYS:
            raise _fault(
                where, _line_of(lines, 0, key), f"{key!r} is not known", "expected [[chapter]] and [[dropped]]"
            )
    found: list[Entry] = []
    for name in _KEYS:
        tables = read.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise _fault(where, _line_of(lines, 0, name), f"{name} is no list of tables", f"write [[{name}]]")
        known = headers[name] if len(headers[name]) == len(tables) else [-1] * len(tables)
        found += [_entry(name, table, lines, at, where) for table, at in zip(tables, known, strict=True)]
    if all(entry.dropped for entry in found):
        raise _fault(
            where, 0, "it names no chapter", "expected at least one [[chapter]]; delete the file to have them found"
        )
    return tuple(found)


def _parsed(raw: bytes, where: str) -> tuple[str, dict[str, object]]:
    """Return the text of a chapters.toml and what it says."""
    if len(raw) > LARGEST:
        raise _fault(where, 0, f"it has {len(raw):,} bytes, at most {LARGEST:,} are read")
    try:
        source = raw.decode("utf-8-sig")
        return source, tomllib.loads(source)
    except UnicodeDecodeError as error:
        raise _fault(where, raw[: error.start].count(b"\n") + 1, "it is not UTF-8", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise _fault(where, 0, f"it is not valid TOML: {error}", "mend the place named") from error
    except RecursionError as error:
        raise _fault(where, 0, "it is nested too deep", "write [[chapter]] tables only") from error


def _line_of(lines: Sequence[str], header: int, key: str) -> int:
    """Return the 1-based line that sets `key` below a header, that of the header where none does, 0 where unknown."""
    if header < 0:
        return 0
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=\].]")
    for i in range(header, len(lines)):
        if i > header and _HEADER.match(lines[i]):
            break
        if pattern.match(lines[i]):
            return i + 1
    return header + 1


def _entry(name: str, table: dict[str, object], lines: Sequence[str], header: int, where: str) -> Entry:
    expected = _KEYS[name]
    for key, value in table.items():
        line = _line_of(lines, header, key)
        if key not in expected:
            raise _fault(where, line, f"{key!r} is no key of [[{name}]]", f"expected {', '.join(expected)}")
        kind = expected[key]
        strings = not isinstance(value, list) or all(isinstance(one, str) for one in value)
        if not isinstance(value, kind) or isinstance(value, bool) or not strings:
            raise _fault(where, line, f"{key} is {value!r:.60}", f"expected {_CALLED[kind]}")
    at, nth, n_heading = str(table.get("at", "")).strip(), table.get("nth", 1), table.get("heading_lines", 1)
    if not at:
        raise _fault(where, header + 1, f"this [[{name}]] has no 'at'", "expected the line it begins with, in quotes")
    for key, value, least in (("nth", nth, 1), ("heading_lines", n_heading, 0)):
        if isinstance(value, int) and not least <= value <= 10_000_000:
            raise _fault(where, _line_of(lines, header, key), f"{key} is {value}", f"expected {least} or more")
    kind_name = str(table.get("kind", "chapter"))
    if kind_name not in _KINDS:
        raise _fault(
            where, _line_of(lines, header, "kind"), f"kind {kind_name!r} is not known", f"expected {', '.join(_KINDS)}"
        )
    return Entry(
        name == "dropped",
        at,
        cast(int, nth),
        cast(int, n_heading),
        cast(ChapterKind, kind_name),
        str(table.get("label", "")),
        str(table.get("title", "")),
        _language(str(table.get("language", "")).strip(), _line_of(lines, header, "language"), where),
        str(table.get("reason", "")) or f"left out by {CHAPTERS_FILE}",
        header + 1,
        _line_of(lines, header, "at"),
        tuple(one.strip() for one in cast("list[str]", table.get("includes", []))),
        _line_of(lines, header, "includes"),
    )


def _language(tag: str, line: int, where: str) -> str:
    """Return a tag that has a table, or "" as it is; raises InputError."""
    if tag:
        try:
            language_table(tag)
        except ConfigError as error:
            raise _fault(where, line, str(error), "write a tag with a table, or leave it out") from error
    return tag


def _fault(where: str, line: int, what: str, hint: str = "") -> InputError:
    place = f" line {line}" if line > 0 else ""
    return InputError(f"{where}{place}: {what}", where=where, hint=hint or f"mend {CHAPTERS_FILE}, or delete it")


def plan_of(entries: Sequence[Entry], text: str, where: str) -> ChapterPlan:
    """Return the chapters the entries say; together with what is dropped they tile `text`.

    Raises InputError naming the line of an entry whose `at` is not in the text, stands out of order or twice.
    """
    places = _Places(text)
    found: list[tuple[int, Entry]] = []
    for entry in entries:
        index = places.find(entry, where)
        last = found[-1] if found and found[-1][1].dropped == entry.dropped else None
        if last and index <= last[0]:
            raise places.out_of_order(entry, index, last[0], where)
        found.append((index, entry))
    found.sort(key=lambda one: one[0])
    for (before, _), (index, entry) in pairwise(found):
        if before == index:
            raise _fault(where, entry.at_line, f"{entry.at!r:.80} begins two entries", "leave one of them out")
    chapters: list[PlannedChapter] = []
    dropped: list[Dropped] = []
    starts = [places.start(index, entry) for index, entry in found]
    if starts[0]:
        blank = not text[: starts[0]].strip()
        reason = "white space" if blank else BEFORE
        dropped.append(Dropped(start=0, end=starts[0], reason=reason))
    for i, (index, entry) in enumerate(found):
        end = starts[i + 1] if i + 1 < len(starts) else len(text)
        if entry.dropped:
            dropped.append(Dropped(start=starts[i], end=end, reason=entry.reason))
        else:
            places.check_includes(entry, starts[i], end, where)
            chapters.append(places.chapter(entry, index, starts[i], end, where))
    return ChapterPlan(tuple(chapters), tuple(sorted(dropped, key=lambda one: one.start)))


class _Places:
    """The lines of a text by their words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = lines_of(text)
        self.starts = [line.start for line in self.lines]
        self.by_words: dict[str, list[int]] = {}
        for i, line in enumerate(self.lines):
            if line.text:
                self.by_words.setdefault(line.text, []).append(i)
        self.sorted_words = sorted(self.by_words)

    def first_words(self, start: int, end: int) -> int | None:
        """Return the first line with words that begins in `[start, end)`, or None."""
        for i in range(bisect.bisect_left(self.starts, start), len(self.lines)):
            if self.lines[i].start >= end:
                return None
            if self.lines[i].text:
                return i
        return None

    def quote(self, index: int) -> tuple[str, int]:
        """Return how an entry names a line: its words and the how-manieth of these it is."""
        words = self.lines[index].text
        at = quoted(words)
        return at, self.matching(at).index(index) + 1

    def matching(self, at: str) -> list[int]:
        """Return the lines that read so, or begin so where it ends in an ellipsis, in order."""
        found = list(self.by_words.get(at, ()))
        if at.endswith("…") and len(at) > 1:
            head = at[:-1]
            for words in self.sorted_words[bisect.bisect_left(self.sorted_words, head) :]:
                if not words.startswith(head):
                    break
                found += self.by_words[words] if words != at else []
        return sorted(found)

    def find(self, entry: Entry, where: str) -> int:
        """Return the line an entry names; raises InputError with what is there instead."""
        found = self.matching(entry.at)
        if not found:
            near = difflib.get_close_matches(entry.at, [w for w in self.sorted_words if len(w) <= 120][:20_000], 1)
            hint = f"nearest is {near[0]!r}" if near else "quote a line as it stands in the text"
            raise _fault(where, entry.at_line, f"no line of the text reads {entry.at!r:.80}", hint)
        if entry.nth > len(found):
            raise _fault(
                where,
                entry.at_line,
                f"nth is {entry.nth}, but {len(found)} of the text's lines {'reads' if len(found) == 1 else 'read'} {entry.at!r:.80}",
                f"expected 1 to {len(found)}" if len(found) > 1 else "expected 1, or leave nth out",
            )
        return found[entry.nth - 1]

    def out_of_order(self, entry: Entry, index: int, above: int, where: str) -> InputError:
        """Return the fault of an entry that begins in line `index`, not below line `above`, where the entry above it does."""
        twice = "begins at the same line as" if index == above else "stands in the text before"
        alike = self.matching(entry.at)
        below = next((n for n, line in enumerate(alike, 1) if line > above), 0)
        what, hint = f"{entry.at!r:.80} {twice} the entry above it", "put them in order"
        if len(alike) > 1 and below:
            what = f"{what}: {len(alike)} lines of the text read so, and nth {entry.nth} is one above"
            hint = (
                f"expected nth = {below}, if this is the chapter meant: nth counts such lines from the top, so one that was "
                "put in or taken out above moves it; look at the entries above too, or put them in order"
            )
        return _fault(where, entry.at_line, what, hint)

    def start(self, index: int, entry: Entry) -> int:
        """Return where an entry begins: at the words of its heading, or with the indent where it has none."""
        start = self.lines[index].start
        return start if entry.dropped or entry.heading_lines else self.text.rfind("\n", 0, start) + 1

    def check_includes(self, entry: Entry, start: int, end: int, where: str) -> None:
        """Raise InputError where an entry includes a line that does not stand between its beginning and the next entry."""
        for words in entry.includes:
            found = self.matching(words)
            if any(start <= self.starts[i] < end for i in found):
                continue
            inside = [line.text for line in self.lines if start <= line.start < end and 0 < len(line.text) <= QUOTED]
            near = difflib.get_close_matches(words, inside, 1)
            hint = f"the nearest line of it is {near[0]!r}" if near else "leave it out"
            if found:
                line = self.text.count("\n", 0, self.starts[found[0]]) + 1
                hint = f"such a line stands at line {line} of the text: put it into the entry it belongs to, or leave it out"
            raise _fault(
                where,
                entry.includes_line,
                f"includes has {words!r:.80}, but no line of the chapter that begins at {entry.at!r:.80} reads so",
                f"expected lines as they stand in that chapter; {hint}",
            )

    def chapter(self, entry: Entry, index: int, start: int, end: int, where: str) -> PlannedChapter:
        """Return the chapter an entry says, `heading_lines` of it its heading."""
        last, n_left = index, entry.heading_lines
        while n_left and last < len(self.lines) and self.lines[last].start < end:
            n_left -= 1 if self.lines[last].text else 0
            last += 1
        if n_left:
            raise _fault(
                where,
                entry.line,
                f"heading_lines is {entry.heading_lines}, but the entry has fewer lines with words",
                f"expected at most {entry.heading_lines - n_left}",
            )
        body = self.first_words(self.lines[last].start, end) if last < len(self.lines) else None
        body_start = end if body is None else max(start, self.text.rfind("\n", 0, self.lines[body].start) + 1)
        heading = "\n".join(line.text for line in self.lines[index:last])
        return PlannedChapter(
            entry.kind,
            entry.label,
            entry.title,
            heading,
            start,
            body_start,
            end,
            STATED,
            1.0,
            language=entry.language,
            includes=entry.includes,
        )
