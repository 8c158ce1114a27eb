"""Speech on a plane: who says each quotation to whom, and how that is known."""

from __future__ import annotations

from typing import Literal

from analyzer.export.naming import Who, who, whos
from analyzer.export.planes import Seen
from analyzer.models.base import Record
from analyzer.models.story import SpeechFact


class SpeechRow(Record):
    """A quotation: `[start, end)` are code points of its block, `speaker` is None where nobody knows, `hearers` nobody then."""

    chapter: int
    where: str
    conversation: int
    speaker: Who | None
    hearers: tuple[Who, ...]
    by: Literal["tag", "turn", "single", "asked", "unknown"]
    block: int
    start: int
    end: int
    fact_id: str


def speech_rows(view: Seen) -> tuple[SpeechRow, ...]:
    """Return the quotations up to the view's chapter, in the order of the book."""
    rows = []
    for fact, fact_id in view.each(SpeechFact):
        speaker = who(view, fact.speaker) if fact.speaker else None
        hearers = tuple(one for one in whos(view, fact.hearers) if one != speaker) if speaker else ()
        rows.append(
            SpeechRow(
                chapter=fact.chapter,
                where=f"{fact.chapter}:{fact.place}",
                conversation=fact.conversation,
                speaker=speaker,
                hearers=hearers,
                by=fact.by,
                block=fact.block,
                start=fact.start,
                end=fact.end,
                fact_id=fact_id,
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.chapter, row.block, row.start)))
