"""Markdown: the words without the markup; headings become hints, footnotes go to the end, comments go.

Struck words stay, as in every format: that is a look; what stands in `<del>` is out, as elsewhere. Kept as they stand: list
marks (a dash may open dialogue), rules that part scenes, lines of code.
"""

from __future__ import annotations

import bisect
import html
import re
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.models.text import Span
from analyzer.text.readers._decode import decoded
from analyzer.text.readers._letters import tidied
from analyzer.text.readers._reader import HeadingHint, Removed, SourceText

SUFFIXES = (".md", ".markdown")
TAKES_ENCODING = True

_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_HIDE = {mark: chr(0xFDD0 + i) for i, mark in enumerate(_PUNCTUATION)}
"""Escaped punctuation waits in Unicode's noncharacters (there are exactly as many) while markup is taken away."""
_SHOW = str.maketrans({code: mark for mark, code in _HIDE.items()})

_COMMENT = re.compile(r"^[ \t]*<!--.*?-->[ \t]*\n?|<!--.*?-->", re.DOTALL | re.MULTILINE)
_DELETED = re.compile(r"(</?del(?:\s[^<>\n]*)?>)", re.IGNORECASE)
_FRONT = re.compile(r"---[ \t]*\n(?P<body>(?:.*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FRONT_TITLE = re.compile(r"^title:[ \t]*(?P<title>\S.*?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_ATX = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<words>.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_SETEXT = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*\Z")
_ATTRIBUTES = re.compile(
    r"[ \t]*\{[ \t]*(?:(?:[#.][\w:.\-]+|-|[\w:\-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'{}]+))[ \t]*)+\}[ \t]*\Z"
)
"""Name, classes and values that Pandoc and others let a heading end with: {#ferry .unnumbered}."""

_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_NOTE = re.compile(r" {0,3}\[\^[^\]\n]+\]:[ \t]*(?P<words>.*)\Z")
_INLINE = (
    (re.compile(r"\[\^[^\]\n]+\]"), ""),
    (re.compile(r"!\[([^\]]*)\]\([^)\n]*\)"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\((?:[^()\n]|\([^()\n]*\))*\)"), r"\1"),
    (re.compile(r"(`+)(.+?)\1", re.DOTALL), r"\2"),
    (
        re.compile(
            r"</?(?:i|b|em|strong|u|s|strike|ins|br|span|p|div|center|sup|sub|small|a|hr)(?:\s[^<>\n]*)?/?>", re.I
        ),
        "",
    ),
    (re.compile(r"~~(?=[^\s~])(.+?)(?<=[^\s~])~~", re.DOTALL), r"\1"),
    (re.compile(r"(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*])\1", re.DOTALL), r"\2"),
    (re.compile(r"(?<![^\W_])(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_])\1(?![^\W_])", re.DOTALL), r"\2"),
    (re.compile(r"(?:\\|[ \t]{2,})$", re.MULTILINE), ""),
)


@dataclass
class _Page:
    """What has been read so far: lines for the text, headings by line, footnotes."""

    lines: list[str] = field(default_factory=list)
    headings: list[tuple[int, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    paragraph: list[str] = field(default_factory=list)

    def flush(self) -> None:
        """End the paragraph."""
        if self.paragraph:
            self.lines.extend(_plain("\n".join(self.paragraph)).split("\n"))
            self.paragraph.clear()

    def heading(self, level: int, words: str) -> None:
        """Add a heading with a blank line above and below."""
        self.flush()
        if self.lines and self.lines[-1].strip():
            self.lines.append("")
        stated = _ATTRIBUTES.search(words) if words.endswith("}") else None
        if stated:
            self.attributes.append(stated[0].strip())
            words = words[: stated.start()]
        if words:
            self.headings.append((len(self.lines), level))
            self.lines += [_plain(words), ""]


def read(data: bytes, path: Path) -> SourceText:
    """Return the words of a Markdown file; raises InputError where it is no text."""
    found = decoded(data, str(path))
    raw, removed = tidied(found.text)
    removed += tuple(Removed("comment", comment[0]) for comment in _COMMENT.finditer(raw))
    title = path.stem
    front = _FRONT.match(raw)
    if front:
        removed += (Removed("front matter", front[0]),)
        named = _FRONT_TITLE.search(front["body"])
        title = named["title"].strip("\"'") if named else title
        raw = raw[front.end() :]
    raw, deleted = _without_deleted(_COMMENT.sub("", raw))
    removed += tuple(Removed("deleted text", words) for words in deleted)
    page = _read_lines(raw.split("\n"))
    removed += tuple(Removed("heading attribute", one) for one in page.attributes)
    text = "\n".join(page.lines)
    starts, at = [], 0
    for line in page.lines:
        starts.append(at)
        at += len(line) + 1
    hints = tuple(HeadingHint(starts[i], starts[i] + len(page.lines[i]), n, page.lines[i]) for i, n in page.headings)
    outermost = [hint for hint in hints if hint.level == 1]
    if not (front and _FRONT_TITLE.search(front["body"])) and len(outermost) == 1 and hints[0] is outermost[0]:
        title = outermost[0].text.strip() if len(hints) > 1 else title
    notes: tuple[Span, ...] = ()
    if page.notes:
        text = text.rstrip("\n") + "\n\n"
        start = len(text)
        text += "\n\n".join(page.notes) + "\n"
        notes = (Span(start, len(text)),)
    return SourceText(
        title, text, hints, notes, encoding=found.encoding, encoding_certainty=found.certainty, removed=removed
    )


def _without_deleted(raw: str) -> tuple[str, list[str]]:
    """Return the text without what stands between the marks of a deletion, and what stood there; an open mark is text."""
    pieces = _DELETED.split(raw)
    closed = [at for at in range(1, len(pieces), 2) if pieces[at].startswith("</")]
    kept, gone, at = [pieces[0]], [], 1
    while at < len(pieces):
        end = closed[bisect.bisect(closed, at)] if not pieces[at].startswith("</") and closed and closed[-1] > at else 0
        gone += ["".join(pieces[at : end + 1])] if end else []
        kept += [pieces[end + 1]] if end else [pieces[at], pieces[at + 1]]
        at = max(at, end) + 2
    return "".join(kept), gone


def _read_lines(raw: list[str]) -> _Page:
    page = _Page()
    fenced = False
    i = 0
    while i < len(raw):
        line = raw[i]
        i += 1
        if _FENCE.match(line):
            page.flush()
            fenced = not fenced
        elif fenced:
            page.lines.append(line)
        elif note := _NOTE.match(line):
            page.flush()
            i = _read_note(page, note["words"], raw, i)
        else:
            _read_line(page, line)
    page.flush()
    return page


def _read_note(page: _Page, words: str, raw: list[str], i: int) -> int:
    """Take a footnote and its indented lines out of the text; return the next line's index."""
    lines = [words]
    while i < len(raw) and raw[i].startswith(("    ", "\t")):
        lines.append(raw[i].strip())
        i += 1
    page.notes.append(_plain("\n".join(lines)).strip())
    return i


def _read_line(page: _Page, line: str) -> None:
    quoted = _QUOTE.match(line)
    bare = line[quoted.end() :] if quoted else line
    atx = _ATX.match(bare)
    if atx and quoted:
        page.paragraph.append(atx["words"] or "")
    elif atx:
        page.heading(len(atx["marks"]), (atx["words"] or "").strip())
    elif not quoted and len(page.paragraph) == 1 and _SETEXT.match(bare):
        words = page.paragraph.pop()
        page.heading(1 if "=" in bare else 2, words.strip())
    elif not bare.strip():
        page.flush()
        page.lines.append("")
    elif _RULE.match(bare):
        page.flush()
        page.lines.append(bare.strip())
    else:
        page.paragraph.append(bare)


def _plain(words: str) -> str:
    """Return a paragraph without inline markup."""
    words = re.sub(r"\\([!-/:-@\[-`{-~])", lambda found: _HIDE[found[1]], words)
    for pattern, kept in _INLINE:
        words = pattern.sub(kept, words)
    if "&" in words:
        words = re.sub(
            r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});", lambda found: html.unescape(found[0]), words
        )
    return words.translate(_SHOW)
