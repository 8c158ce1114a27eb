"""Quotations: what stands between quote marks or after a dialogue dash, and whose kind of words a sentence is.

Straight quotes have one glyph for both ends; a mark opens after a space, an opening bracket or a dash and closes
otherwise. Apostrophes between letters are no quote marks. A quotation left open runs to the end of its block; across
blocks it goes on only if its closing mark comes before the next opening one (`chapter_sources`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from analyzer.models.facts import Source
from analyzer.models.text import Chapter, Span
from analyzer.text.languages import LanguageTable

_FARTHEST = 40
"""Blocks an open quotation may run on; longer speeches open a mark at every paragraph in all books looked at."""

_NEAR = {True: 80, False: 15}
"""Code points around a quotation in which a cue word is looked for (a clause), with spaces and without."""

_DEEPEST = 8
"""Quotations inside one another; more are stray marks."""

_TERM = 30
"""Code points up to which words between marks in mid-sentence, without a stop, are a term and not speech."""

_ITALIC = re.compile(r"(?<!\w)([_*])(?=\S)([^_*\n]{3,}?)(?<=\S)\1(?!\w)")
_DASH = "—"
"""Stands for whatever dash opened a quotation."""

_ELISIONS = "'’"


class _Marks(NamedTuple):
    closers: dict[str, str]
    closing_glyphs: frozenset[str]
    scan: re.Pattern[str]
    dash: re.Pattern[str] | None
    incise: bool
    near: int
    thought: frozenset[str]
    thought_cues: re.Pattern[str] | None
    document_cues: re.Pattern[str] | None
    salutation: re.Pattern[str] | None
    closing: re.Pattern[str] | None


@lru_cache(maxsize=32)
def _marks(table: LanguageTable) -> _Marks:
    rules = table.quotes
    closers: dict[str, str] = {}
    for opener, closer in [*rules["pairs"], *rules["thought_pairs"]]:
        closers[opener] = closers.get(opener, "") + closer
    glyphs = re.escape("".join(dict.fromkeys("".join([*closers, *closers.values()]))))
    dashes = "|".join(map(re.escape, rules["dashes"]))
    spaced = bool(table.sentences["spaced"])
    words = spaced and bool(table.script.get("cased", False))
    return _Marks(
        closers,
        frozenset("".join(closers.values())),
        re.compile(f"[{glyphs}]"),
        re.compile(rf"(?:{dashes})\s*") if dashes else None,
        bool(rules["incise"]),
        _NEAR[spaced],
        frozenset(pair[0] for pair in rules["thought_pairs"]),
        _cues(rules["thought_cues"], words),
        _cues(rules["document_cues"], words),
        _cues(rules["salutations"], words, start=True),
        _cues(rules["closings"], words, start=True),
    )


def _cues(cues: list[str], words: bool, *, start: bool = False) -> re.Pattern[str] | None:
    if not cues:
        return None
    any_of = "|".join(re.escape(cue) for cue in sorted(cues, key=len, reverse=True))
    border = r"(?<!\w)" if words else ""
    after = r"(?!\w)" if words else ""
    pattern = rf"[\W_]*(?:{any_of}){after}" if start else rf"{border}(?:{any_of}){after}"
    return re.compile(pattern, re.IGNORECASE)


class _Found(NamedTuple):
    start: int
    end: int
    opener: str
    closed: bool


def quotation_spans(block_text: str, table: LanguageTable) -> tuple[Span, ...]:
    """Return the quotations of a block, quote marks included, in order of their start, outer before inner.

    One left open runs to the end of the block. After a dialogue dash the words spoken are a quotation; where the
    language's dashes also set off the narrator's words (Russian, Spanish) these are left out.
    """
    return tuple(Span(found.start, found.end) for found in _quotations(block_text, _marks(table)))


def _quotations(text: str, marks: _Marks) -> list[_Found]:
    done: list[_Found] = []
    stack: list[tuple[int, str]] = []
    for match in marks.scan.finditer(text):
        at, glyph = match.start(), match.group()
        if _is_elision(text, at):
            continue
        level = _closes(stack, glyph, text, at, marks)
        if level is not None:
            start, opener = stack[level]
            del stack[level:]
            done.append(_Found(start, at + 1, opener, True))
        elif _may_open(text, at, glyph, marks) and len(stack) < _DEEPEST and not (stack and stack[-1][1] == glyph):
            stack.append((at, glyph))
    done += [_Found(start, len(text), opener, False) for start, opener in stack]
    dashed = _dashed(text, marks) if not any(found.start == 0 for found in done) else []
    return sorted(dashed + done, key=lambda found: (found.start, -found.end))


def _is_elision(text: str, at: int) -> bool:
    """Say whether a mark stands between two letters of a script with capitals."""
    if text[at] not in _ELISIONS or not 0 < at < len(text) - 1:
        return False
    return _is_cased(text[at - 1]) and _is_cased(text[at + 1])


def _is_cased(ch: str) -> bool:
    return ch.lower() != ch.upper()


def _closes(stack: list[tuple[int, str]], glyph: str, text: str, at: int, marks: _Marks) -> int | None:
    """Return which open quotation (index into `stack`) a mark closes, or None."""
    if glyph not in marks.closing_glyphs:
        return None
    for level in range(len(stack) - 1, -1, -1):
        start, opener = stack[level]
        if glyph in marks.closers[opener] and at > start:
            if glyph in marks.closers and opener != glyph and level == len(stack) - 1 and _leads_in(text, at):
                return None
            return level
    return None


def _leads_in(text: str, at: int) -> bool:
    """Say whether a mark stands where one opens: at the start or after a space, an opening mark or a dash."""
    return at == 0 or text[at - 1].isspace() or text[at - 1] in "([{（［—–-“‘«‹„‚「『《〈"


def _may_open(text: str, at: int, glyph: str, marks: _Marks) -> bool:
    if glyph not in marks.closers:
        return False
    if glyph in marks.closers[glyph] or glyph in _ELISIONS:
        return _leads_in(text, at) or not text[at - 1].isalnum()
    return True


def _dashed(text: str, marks: _Marks) -> list[_Found]:
    """Return the words spoken in a block that opens with a dialogue dash."""
    first = marks.dash.match(text) if marks.dash else None
    if first is None or marks.dash is None:
        return []
    if not marks.incise:
        return [_Found(0, len(text), _DASH, True)]
    found, start, spoken = [], 0, True
    for match in marks.dash.finditer(text, first.end()):
        before, after = text[match.start() - 1], text[match.end() : match.end() + 1]
        attached = not text[match.end() - 1].isspace()
        stopped = text[max(0, match.start() - 8) : match.start()].rstrip()[-1:] in ",.!?…»"
        if spoken and before.isspace() and after.islower() and (attached or stopped):
            found.append(_Found(start, match.start(), _DASH, True))
            spoken = False
        elif not spoken and (before.isspace() or not attached or after in ".,;"):
            start, spoken = match.start(), True
    return [*found, _Found(start, len(text), _DASH, True)] if spoken else found


class Stretch(NamedTuple):
    """Code points `[start, end)` of a block that are not the narrator's."""

    start: int
    end: int
    source: Source


def chapter_sources(chapter: Chapter, table: LanguageTable) -> tuple[tuple[Stretch, ...], ...]:
    """Return for each block its speech, thoughts and documents, in order and apart; the rest is narration.

    A quotation left open goes on through the following blocks up to its closing mark if that comes before another
    opening one. Kept for the chapters last asked for; costs one pass over the chapter.
    """
    return _sources(chapter.text, chapter.block_offsets, table)


def source_of(chapter: Chapter, block_no: int, span: Span, table: LanguageTable) -> Source:
    """Return whose kind of words most of a span of block `block_no` (1-based) is; "narration" by default.

    `span` counts code points of the block. Where several stretches share it the longest share decides.
    """
    if not 1 <= block_no <= len(chapter.blocks):
        return "narration"
    shares: dict[Source, int] = {}
    for stretch in chapter_sources(chapter, table)[block_no - 1]:
        shared = min(span.end, stretch.end) - max(span.start, stretch.start)
        if shared > 0:
            shares[stretch.source] = shares.get(stretch.source, 0) + shared
    narrated = span.end - span.start - sum(shares.values())
    best: Source = max(shares, key=lambda source: shares[source], default="narration")
    return best if shares and shares[best] >= narrated else "narration"


@lru_cache(maxsize=64)
def _sources(text: str, offsets: tuple[int, ...], table: LanguageTable) -> tuple[tuple[Stretch, ...], ...]:
    ends = [at - 1 for at in offsets[1:]] + [len(text)] * bool(offsets)
    blocks = [text[start:end] for start, end in zip(offsets, ends, strict=True)]
    marks = _marks(table)
    quoted = [_quotations(block, marks) for block in blocks]
    carried = _carried(blocks, quoted, marks)
    letters = _letters(blocks, quoted, marks)
    found: list[tuple[Stretch, ...]] = []
    for i, block in enumerate(blocks):
        other: Source = "document" if i in letters else "speech"
        stretches = [Stretch(0, carried[i], other)] if i in carried else []
        for quotation in _outermost(quoted[i], carried.get(i, 0)):
            source = "document" if i in letters else _source(block, quotation, marks)
            if source != "narration":
                stretches.append(Stretch(quotation.start, quotation.end, source))
        if i in letters and not stretches:
            stretches = [Stretch(0, len(block), "document")]
        found.append(tuple(sorted(stretches + _italics(block, stretches))))
    return tuple(found)


def _outermost(quotations: list[_Found], after: int) -> list[_Found]:
    kept: list[_Found] = []
    for quotation in quotations:
        if quotation.start >= after:
            kept.append(quotation)
            after = quotation.end
    return kept


def _carried(blocks: list[str], quoted: list[list[_Found]], marks: _Marks) -> dict[int, int]:
    """Return how far into each block a quotation left open before reaches, for the blocks where one does."""
    carried: dict[int, int] = {}
    for i, quotations in enumerate(quoted):
        opener = next((q.opener for q in quotations if not q.closed), "")
        if not opener or i in carried:
            continue
        closer = marks.closers[opener]  # several where a language closes one opening mark in more than one way
        for j in range(i + 1, min(len(blocks), i + 1 + _FARTHEST)):
            at = _first_mark(blocks[j], opener, closer)
            if at < 0:
                continue
            if blocks[j][at] in closer and not (opener in closer and _leads_in(blocks[j], at)):
                carried.update({k: len(blocks[k]) for k in range(i + 1, j)})
                carried[j] = at + 1
            break
    return carried


def _first_mark(block: str, opener: str, closer: str) -> int:
    places = [at for at, glyph in enumerate(block) if glyph in opener + closer and not _is_elision(block, at)]
    return places[0] if places else -1


def _letters(blocks: list[str], quoted: list[list[_Found]], marks: _Marks) -> set[int]:
    """Return the blocks that are a letter, note or other document.

    One starts after a block that names it and ends in a colon, or with a line of address. Quoted, it goes on while each
    block opens a mark; unquoted, up to its closing formula, or for one block where none comes within `_FARTHEST`.
    """
    found: set[int] = set()
    for i, block in enumerate(blocks):
        before = blocks[i - 1] if i else ""
        if i in found or not _starts_document(block, before, marks):
            continue
        last = i
        if quoted[i] and quoted[i][0].start == 0:
            while last + 1 < len(blocks) and not quoted[last][0].closed and quoted[last + 1][:1]:
                if quoted[last + 1][0].start:
                    break
                last += 1
        elif marks.closing is not None:
            reach = range(i + 1, min(len(blocks), i + 1 + _FARTHEST))
            last = next((j for j in reach if marks.closing.match(blocks[j])), i)
        found.update(range(i, last + 1))
    return found


def _starts_document(block: str, before: str, marks: _Marks) -> bool:
    announced = before.rstrip(" —–-")[-1:] in (":", "：") and _has_cue(marks.document_cues, before[-marks.near :])
    if announced:
        return True
    if marks.salutation is None or not marks.salutation.match(block):
        return False
    address = len(block) <= marks.near and block.rstrip("—–- ")[-1:] in (",", ":", "!", "，", "：", "！")
    return address or _has_cue(marks.document_cues, before[-marks.near :])


def _has_cue(cues: re.Pattern[str] | None, text: str) -> bool:
    return cues is not None and cues.search(text) is not None


def _source(block: str, quotation: _Found, marks: _Marks) -> Source:
    """Return whose words a quotation is; "narration" for a single term between marks."""
    dashed = quotation.opener == _DASH
    words = block[quotation.start + 1 : quotation.end - (quotation.closed and not dashed)].strip()
    said = dashed or words[-1:] in tuple(".,!?…—–-。！？，、～~") or any(ch in ".!?…。！？" for ch in words)
    if quotation.opener in marks.thought:
        return "thought" if said else "narration"
    near = block[max(0, quotation.start - marks.near) : quotation.start]
    if near.rstrip()[-1:] in (":", "：") and _has_cue(marks.document_cues, near):
        return "document"
    before = near.rstrip()[-1:]
    alone = quotation.start == 0 or before in (":", "：", ",", "，", "、", "—", "道", "曰")
    if before in tuple(".!?…") and block[quotation.end : quotation.end + 2].lstrip()[:1] in tuple(",—–"):
        alone = True  # a comma or dash behind the mark (« Oui », dit-il; «Да», — сказал он) opens who says it
    if before in tuple(".!?…。！？") and not block[quotation.end :].strip():
        alone = True  # a sentence of its own at the end of a paragraph; CJK sets no full stop before a closing mark
    if not said and not alone and len(words) <= _TERM:
        return "narration"
    beyond = block[quotation.end : quotation.end + marks.near // 2]
    if _has_cue(marks.thought_cues, near[-marks.near // 2 :]) or _has_cue(marks.thought_cues, beyond):
        return "thought"
    return "speech"


def _italics(block: str, stretches: list[Stretch]) -> list[Stretch]:
    """Return whole sentences in italics (_…_ or *…*) outside the stretches: thoughts."""
    return [
        Stretch(match.start(), match.end(), "thought")
        for match in _ITALIC.finditer(block)
        if match[2][-1] in ".!?…。！？" and not any(s.start < match.end() and match.start() < s.end for s in stretches)
    ]
