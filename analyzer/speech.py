"""Who says what in a chapter: what code told of its quotations and what was asked, as one view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.bible import Bible
from analyzer.models.story import SpeakerFact, SpeechFact


def speeches(bible: Bible, chapter: int) -> tuple[SpeechFact, ...]:
    """Return the quotations of a chapter in order, speakers filled in that were asked for (`by` is then "asked").

    Handles are those that stand after merges; the hearers of each are all others known in its
    conversation, nobody where its speaker is unknown. A speaker code told is
    never replaced. Reads speech, speaker and the cast.
    """
    asked = {
        (f.block, f.start): bible.root(f.speaker)
        for f in bible.of(SpeakerFact)
        if isinstance(f, SpeakerFact) and f.chapter == chapter
    }
    found = [f for f in bible.of(SpeechFact) if isinstance(f, SpeechFact) and f.chapter == chapter]
    said = [_resolved(fact, asked.get((fact.block, fact.start), ""), bible) for fact in found]
    there: dict[int, dict[str, None]] = {}
    for fact in said:
        there.setdefault(fact.conversation, {}).update(dict.fromkeys((fact.speaker, *fact.hearers)))
    return tuple(
        fact.model_copy(update={"hearers": _hearers(fact, there[fact.conversation])})
        for fact in sorted(said, key=lambda f: (f.block, f.start))
    )


def _hearers(fact: SpeechFact, there: Iterable[str]) -> tuple[str, ...]:
    return tuple(h for h in there if h and h != fact.speaker) if fact.speaker else ()


def _resolved(fact: SpeechFact, asked: str, bible: Bible) -> SpeechFact:
    """Return a quotation with handles as they stand, and its speaker as asked where code knew none."""
    speaker = bible.root(fact.speaker) if fact.speaker else asked
    by = "asked" if asked and not fact.speaker else fact.by
    hearers = tuple(dict.fromkeys(bible.root(h) for h in fact.hearers))
    return fact.model_copy(update={"speaker": speaker, "by": by, "hearers": hearers})


def who_says(speeches: Sequence[SpeechFact], block: int, offset: int) -> str:
    """Return who says the word at code point `offset` of block `block`; "" in narration and where nobody knows."""
    return next((f.speaker for f in speeches if f.block == block and f.start <= offset < f.end), "")
