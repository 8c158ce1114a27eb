"""The bytes of the shared prefix; the only place that decides them.

Parts in order, each ended by a cache breakpoint: system, cast (in scope at the chapter's start), chapter (numbered
sentences), added (the cast this chapter brought, once its cast steps are done).
"""

from __future__ import annotations

import re
import unicodedata

from analyzer.bible import Bible, CastEntry
from analyzer.models.question import Part
from analyzer.models.text import Chapter
from analyzer.prompts import system_text

RECENT_CHAPTERS = 3
"""An entity stays in scope this many chapters after it was last there. Source: a choice, to be settled by evaluation."""

_GAP = r"[\s\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]*"
"""Blanks and signs no screen shows, with which a mark still looks like one."""
_OPEN = "([{⁅⁽₍⌈⌊❨❪❲❴⟅⟦⟬⟮⦃⦅⦋⦍⦏⦗⸢⸤⸨【〔〖〘〚︗︵︷︹︻﹇﹙﹛﹝（［｛｟"
_CLOSE = ")]}⁆⁾₎⌉⌋❩❫❳❵⟆⟧⟭⟯⦄⦆⦌⦎⦐⦘⸣⸥⸩】〕〗〙〛︘︶︸︺︼﹈﹚﹜﹞）］｝｠"
"""Signs that look like the brackets of our marks; quotation marks and brackets of titles are none of them."""
_MARK = re.compile(
    rf"[{re.escape(_OPEN)}]{_GAP}([\d⁰¹²³⁴-⁹₀-₉](?:{_GAP}[\d⁰¹²³⁴-⁹₀-₉])*){_GAP}[{re.escape(_CLOSE)}]|([⑴-⒇])"
)
_AT = re.compile(rf"[@＠﹫]{_GAP}(?=\d)")
"""How handles begin."""
_TURN = re.compile(
    rf"[<＜﹤]{_GAP}[|｜][^<>＜＞\n]{{0,80}}[|｜]{_GAP}[>＞﹥]"
    r"|[<＜﹤]{1,2}\s*/?\s*(?:s|bos|eos|pad|unk|sys|system|user|human|model|assistant|think|tool_call|tool_response|start_of_turn"
    r"|end_of_turn|start_of_image|endoftext)\s*[>＞﹥]{1,2}"
    r"|[\[［]\s*/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|IMG|PREFIX|SUFFIX)\s*[\]］]",
    re.IGNORECASE,
)
"""What known chat templates put between turns; servers that read a prompt's text for such marks take them wherever they stand."""
_PLAIN = str.maketrans("<＜﹤>＞﹥[［]］", "‹‹‹›››‹‹››")
_ODD = re.compile(rf"[<＜﹤@＠﹫⑴-⒇{re.escape(_OPEN)}]")
"""Without one of these nothing in a text looks like a mark, a handle or a turn."""
_SINGLE = str.maketrans("“”", "‘’")
_SPACE = re.compile(r"\s+")
_TURNS_ROUND = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Signs that show text in another order than it has, and tags that no screen shows: nobody's words."""


def shown(text: str) -> str:
    """Return author text as it may stand in a prompt: one line, no control characters, nothing that reads as a mark of ours.

    What looks like a sentence mark, a handle or the end of a turn of a chat (blanks and unseen signs inside, digits of any script,
    brackets of any shape) is shown as ‹7›, ⓐ7 and ‹|end|›; all other text stays as it is.
    What would show the words in another order, or not at all, is left out; signs set inside words (soft hyphens, joiners) stay.
    """
    if not text.isprintable():
        text = _TURNS_ROUND.sub("", text)
        text = "".join(" " if unicodedata.category(ch) in {"Cc", "Zl", "Zp"} else ch for ch in text)
    flat = _SPACE.sub(" ", text)
    if _ODD.search(flat):
        flat = _TURN.sub(lambda m: m[0].translate(_PLAIN), flat)
        flat = _AT.sub("ⓐ", _MARK.sub(_number, flat))
    return flat.strip()


def _number(mark: re.Match[str]) -> str:
    digits = mark[1] if mark[1] else unicodedata.normalize("NFKC", mark[2])[1:-1]
    return f"‹{digits}›"


def quoted(text: str) -> str:
    """Return author text in the quotation marks that fence it on a question's line; none inside ends them early."""
    flat, depth = shown(text), 0
    for ch in flat:
        depth += (ch == "“") - (ch == "”")
        if depth < 0:
            break
    return f"“{flat}”" if depth == 0 else f"“{flat.translate(_SINGLE)}”"


def chapter_part(chapter: Chapter) -> Part:
    """Return the chapter with a number on every block and sentence; its own number is left out, so that it may move."""
    lines = ["CHAPTER" + (f": {shown(chapter.title)}" if chapter.title else "")]
    for block in chapter.blocks:
        pieces = [shown(block.text[s.start : s.end]) for s in block.sentences]
        lines.append(f"[{block.no}] " + " ".join(p if i == 0 else f"({i + 1}) {p}" for i, p in enumerate(pieces)))
    return Part(name="chapter", text="\n".join(lines) + "\n\n")


CALLED = "unnamed, called "
"""Stands before the words an unnamed one is called by; a question's line has the words alone."""


def described(entry: CastEntry, bible: Bible) -> str:
    """Return how an entity is shown: its names, or what ties an unnamed one to a named one."""
    fact = entry.entity
    names = entry.called[:6]
    if names:
        head = " / ".join(shown(n) for n in names)
    elif fact.narrator:
        head = f"the narrator ({shown(fact.label)})"
    else:
        head = unnamed_label(fact.label, fact.tie, fact.tied_to, bible)
    if names and entry.narrates:
        head += " (the narrator)"
    return head


def unnamed_label(label: str, tie: str, tied_to: str, bible: Bible) -> str:
    """Return `father of @3 Edmond`, never a bare "my father"; a role without a tie is quoted as printed."""
    if not tied_to:
        return f"{CALLED}{quoted(label)}"
    other = bible.cast.get(bible.root(tied_to))
    name = shown(other.called[0]) if other and other.called else ""
    return f"unnamed, {shown(tie)} of {bible.root(tied_to)} {name}".rstrip()


def cast_line(entry: CastEntry, bible: Bible) -> str:
    """Return one line of the cast: handle, kind, names."""
    return f"{entry.handle} {entry.entity.entity_kind}: {described(entry, bible)}"


def in_scope(bible: Bible, chapter: Chapter, named_here: frozenset[str]) -> tuple[CastEntry, ...]:
    """Return the cast in scope at the chapter's start, in order of arrival: named here, recent, or related to one of those."""
    near = {
        handle
        for handle, entry in bible.cast.items()
        if handle in named_here or any(p.chapter >= chapter.no - RECENT_CHAPTERS for p in entry.presences)
    }
    tied = {e.entity.tied_to for e in bible.cast.values() if e.handle in near and e.entity.tied_to}
    related = {r.object for r in bible.relations if r.subject in named_here} | {
        r.subject for r in bible.relations if r.object in named_here
    }
    wanted = near | {bible.root(h) for h in tied} | related
    return tuple(entry for handle, entry in bible.cast.items() if handle in wanted)


def cast_part(bible: Bible, entries: tuple[CastEntry, ...]) -> Part:
    """Return the cast known before the chapter."""
    lines = [cast_line(entry, bible) for entry in entries] or ["(nobody yet)"]
    return Part(name="cast", text="CAST BEFORE THIS CHAPTER\n" + "\n".join(lines) + "\n\n")


def added_part(start: Bible, full: Bible, entries: tuple[CastEntry, ...]) -> Part:
    """Return what this chapter's cast steps brought: new entities, and new names of known ones."""
    known = {entry.handle: set(entry.surfaces) for entry in entries}
    lines = []
    for handle, entry in full.cast.items():
        if handle not in known and (
            handle not in start.cast or any(p.chapter == full.through for p in entry.presences)
        ):
            lines.append(cast_line(entry, full))
        elif handle in known and set(entry.surfaces) - known[handle]:
            fresh = [s for s in entry.surfaces if s not in known[handle]]
            lines.append(f"{handle} also: " + " / ".join(shown(s) for s in fresh))
    return Part(name="added", text="CAST THIS CHAPTER ADDS\n" + "\n".join(lines or ["(nobody)"]) + "\n\n")


def prefix_parts(
    chapter: Chapter,
    start: Bible,
    named_here: frozenset[str],
    *,
    full: Bible | None = None,
    answer_format: str = "lines",
) -> tuple[Part, ...]:
    """Return the parts every call of this chapter shares.

    `start` is the bible before the chapter; `named_here` the handles whose names stand in it; `full`, once the cast
    steps are done, the bible with this chapter's cast (adds the fourth part).
    """
    entries = in_scope(start, chapter, named_here)
    parts = (
        Part(name="system", text=system_text(answer_format) + "\n\n"),
        cast_part(start, entries),
        chapter_part(chapter),
    )
    return parts if full is None else (*parts, added_part(start, full, entries))
