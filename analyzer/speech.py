"""Who says what in a chapter: what code told of its quotations and what was asked, as one view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analyzer.bible import Bible
from analyzer.models.facts import StoredFact
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


def with_asked(stored: Sequence[StoredFact]) -> list[StoredFact]:
    """Return stored facts with the speakers that were asked for filled into their quotations, which rest on those answers then.

    Where nobody was asked nothing changes; a speaker code told is never replaced. Handles stay as they are stored.
    """
    asked = {(s.fact.chapter, s.fact.block, s.fact.start): s for s in stored if isinstance(s.fact, SpeakerFact)}
    if not asked:
        return list(stored)
    there: dict[tuple[int, int], dict[str, None]] = {}
    for one in stored:
        fact = one.fact
        if isinstance(fact, SpeechFact):
            own = there.setdefault((fact.chapter, fact.conversation), {})
            own.update(dict.fromkeys((_speaker(fact, asked), *fact.hearers)))
    return [_filled(one, asked, there) for one in stored]


_Asked = Mapping[tuple[int, int, int], StoredFact]


def _speaker(fact: SpeechFact, asked: _Asked) -> str:
    answer = asked.get((fact.chapter, fact.block, fact.start))
    return fact.speaker or (answer.fact.speaker if answer and isinstance(answer.fact, SpeakerFact) else "")


def _filled(one: StoredFact, asked: _Asked, there: Mapping[tuple[int, int], Iterable[str]]) -> StoredFact:
    fact = one.fact
    if not isinstance(fact, SpeechFact) or fact.speaker or not _speaker(fact, asked):
        return one
    said = fact.model_copy(update={"speaker": _speaker(fact, asked), "by": "asked"})
    said = said.model_copy(update={"hearers": _hearers(said, there[fact.chapter, fact.conversation])})
    because = (*one.because, *asked[fact.chapter, fact.block, fact.start].because)
    return one.model_copy(update={"fact": said, "because": because})


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
