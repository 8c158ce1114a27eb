"""Who says what: what code told of a book's quotations and what was asked, as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analyzer.models.facts import StoredFact
from analyzer.models.story import SpeakerFact, SpeechFact

_Spot = tuple[int, int, int]
"""Chapter, block and first code point of a quotation."""


def with_asked(stored: Sequence[StoredFact]) -> list[StoredFact]:
    """Return stored facts with the speakers that were asked for filled into their quotations (`by` is then "asked").

    Such a quotation rests on that answer too, and in its conversation the hearers of each are all others known there, nobody where
    the speaker is unknown. A speaker code told is never replaced; conversations nobody was asked about stay as they are, and
    handles as they are stored.
    """
    asked: dict[_Spot, tuple[str, tuple[str, ...]]] = {
        (s.fact.chapter, s.fact.block, s.fact.start): (s.fact.speaker, s.because)
        for s in stored
        if isinstance(s.fact, SpeakerFact) and s.fact.speaker
    }
    filled = [_filled(one, asked) for one in stored]
    there: dict[tuple[int, int], dict[str, None]] = {
        (s.fact.chapter, s.fact.conversation): {}
        for s, before in zip(filled, stored, strict=True)
        if s is not before and isinstance(s.fact, SpeechFact)
    }
    for one in filled:
        if isinstance(one.fact, SpeechFact):
            known = there.get((one.fact.chapter, one.fact.conversation), {})
            known.update(dict.fromkeys((one.fact.speaker, *one.fact.hearers)))
    return [_heard(one, there) for one in filled]


def _filled(one: StoredFact, asked: Mapping[_Spot, tuple[str, tuple[str, ...]]]) -> StoredFact:
    fact = one.fact
    if not isinstance(fact, SpeechFact) or fact.speaker or (fact.chapter, fact.block, fact.start) not in asked:
        return one
    speaker, because = asked[fact.chapter, fact.block, fact.start]
    said = fact.model_copy(update={"speaker": speaker, "by": "asked"})
    return one.model_copy(update={"fact": said, "because": (*one.because, *because)})


def _heard(one: StoredFact, there: Mapping[tuple[int, int], Iterable[str]]) -> StoredFact:
    fact = one.fact
    if not isinstance(fact, SpeechFact) or (fact.chapter, fact.conversation) not in there:
        return one
    others = (h for h in there[fact.chapter, fact.conversation] if h and h != fact.speaker)
    return one.model_copy(update={"fact": fact.model_copy(update={"hearers": tuple(others) if fact.speaker else ()})})
