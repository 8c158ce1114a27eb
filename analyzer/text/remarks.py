"""What the author should be told about how a manuscript was read, in sentences."""

from __future__ import annotations

from collections import Counter

from analyzer.text.chapters import DOUBTED, ChapterPlan
from analyzer.text.chapters_file import CHAPTERS_FILE
from analyzer.text.readers._reader import SourceText

SURE = 0.95
"""Certainty from which a guessed encoding is not doubted. Source: of 2,355 guesses above it on excerpts of eleven novels in all
encodings that hold them, one was wrong; see docs/encodings.md."""

_COUNTED_BY_SIGN = ("invisible character", "hyphen at a line end")
_HEADING = 0.85
"""Confidence from which a heading that chapters.toml does not know is worth a remark."""


def remarks_of(source: SourceText, found: ChapterPlan, stated: ChapterPlan | None, *, named: bool) -> tuple[str, ...]:
    """Return the remarks on a manuscript: its encoding, what was taken out, its headings; empty where all is plain.

    `found` are the chapters as detected, `stated` those of the author's own list; `named` says the author named the encoding.
    """
    said = [
        _on_encoding(source, named),
        _on_removed(source),
        _on_unlisted(found, stated) if stated else _on_none(found),
        "" if stated else _on_front(found),
        "" if stated else _on_sequence(found),
    ]
    return tuple(one for one in said if one)


def _on_encoding(source: SourceText, named: bool) -> str:
    if not source.encoding or (source.encoding == "UTF-8" and source.encoding_certainty >= SURE):
        return ""
    if named:
        return f"read as {source.encoding}, as named"
    sure = f"read as {source.encoding}, {min(source.encoding_certainty, 0.999):.1%} sure"
    if source.encoding_certainty == 1.0:
        sure = f"read as {source.encoding}"
    doubt = "look at the letters: " if source.encoding_certainty < SURE else ""
    return f"{sure}; {doubt}another one can be named with --encoding"


def _on_removed(source: SourceText) -> str:
    counts: Counter[str] = Counter()
    for one in source.removed:
        counts[one.kind] += len(one.text) if one.kind in _COUNTED_BY_SIGN else 1
    if not counts:
        return ""
    return "taken out of the text: " + ", ".join(f"{kind} ({n:,})" for kind, n in counts.most_common())


def _on_none(found: ChapterPlan) -> str:
    if any(chapter.heading for chapter in found.chapters):
        return ""
    return (
        "no chapter headings were found: the whole text is one chapter; "
        f"where it has some, list them: analyzer chapters BOOK --write makes {CHAPTERS_FILE}"
    )


def _on_front(found: ChapterPlan) -> str:
    first = found.chapters[0]
    if first.heading or first.kind != "front":
        return ""
    return f"the text before the first heading ({first.end - first.start:,} characters) is kept as front matter"


def _on_sequence(found: ChapterPlan) -> str:
    """Say which numbers of chapters do not follow on the one before; each is a chapter nevertheless."""
    odd = [c for c in found.chapters if c.label and c.confidence <= DOUBTED]
    if not odd:
        return ""
    heading = " ".join(odd[0].heading.split())[:60]
    more = f", and {len(odd) - 1} more" if len(odd) > 1 else ""
    return f"chapter numbers are not in sequence: {heading!r} ({odd[0].reason}){more}; see them: analyzer chapters BOOK"


def _on_unlisted(found: ChapterPlan, stated: ChapterPlan) -> str:
    """Say which headings stand in the text behind the last chapter of the author's list."""
    last = stated.chapters[-1]
    end = min([one.start for one in stated.dropped if one.start > last.start], default=last.end)
    known = last.start
    new = [c for c in found.chapters if known < c.start < end and c.heading and c.confidence >= _HEADING]
    new = [c for c in new if c.start >= last.body_start]
    if not new:
        return ""
    more = f" and {len(new) - 1} more" if len(new) > 1 else ""
    heading = " ".join(new[0].heading.split())[:60]
    return f"{CHAPTERS_FILE} does not list the heading {heading!r}{more}: that text belongs to its last chapter now"
