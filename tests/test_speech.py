from __future__ import annotations

from analyzer.models.facts import Fact, StoredFact
from analyzer.models.story import SpeakerFact, SpeechFact
from analyzer.models.text import Place
from analyzer.speech import with_asked


def said(block: int, start: int, end: int, speaker: str = "", *hearers: str, conversation: int = 1) -> SpeechFact:
    return SpeechFact(
        chapter=1,
        block=block,
        start=start,
        end=end,
        place=Place(block, 1),
        conversation=conversation,
        speaker=speaker,
        hearers=hearers,
        by="tag" if speaker else "unknown",
    )


def named(block: int, start: int, speaker: str, chapter: int = 1) -> SpeakerFact:
    return SpeakerFact(chapter=chapter, place=Place(block, 1), block=block, start=start, speaker=speaker)


def speeches(*facts: Fact) -> list[SpeechFact]:
    """Return the quotations as they are with who was asked for."""
    stored = [StoredFact(fact_id=f"f{n}", step="speech", chapter=1, fact=fact) for n, fact in enumerate(facts)]
    return [one.fact for one in with_asked(stored) if isinstance(one.fact, SpeechFact)]


def test_an_asked_speaker_fills_what_code_left_open_and_is_heard_by_the_others() -> None:
    found = speeches(said(1, 0, 9, "@1"), said(2, 0, 9), named(2, 0, "@2"))
    assert [(f.speaker, f.by, f.hearers) for f in found] == [("@1", "tag", ("@2",)), ("@2", "asked", ("@1",))]


def test_what_code_decided_stays() -> None:
    [fact] = speeches(said(1, 0, 9, "@1"), named(1, 0, "@2"))
    assert (fact.speaker, fact.by) == ("@1", "tag")


def test_nobody_is_known_to_hear_an_unknown_speaker() -> None:
    found = speeches(said(1, 0, 9), said(2, 0, 9, "", "@1", "@2"), said(3, 0, 9, "@2"), named(1, 0, "@1"))
    assert [f.hearers for f in found] == [("@2",), (), ("@1",)]


def test_conversations_and_chapters_are_kept_apart() -> None:
    facts = (said(1, 0, 9, "@1"), said(5, 0, 9, conversation=2), named(5, 0, "@2"), named(1, 0, "@3", chapter=2))
    assert [(f.speaker, f.hearers) for f in speeches(*facts)] == [("@1", ()), ("@2", ())]


def test_stored_quotations_take_in_who_was_named_and_rest_on_that_answer() -> None:
    facts = [said(1, 0, 9), said(2, 0, 9, "@2"), said(9, 0, 9, conversation=2), named(1, 0, "@1"), named(2, 0, "@3")]
    stored = [
        StoredFact(fact_id=f"f{n}", step="speech_cues", chapter=1, fact=fact, because=(f"a{n}",))
        for n, fact in enumerate(facts)
    ]
    filled = with_asked(stored)
    first, second, other = (s.fact for s in filled[:3])
    assert isinstance(first, SpeechFact) and isinstance(second, SpeechFact)
    assert (first.speaker, first.by, first.hearers) == ("@1", "asked", ("@2",))
    assert filled[0].because == ("a0", "a3")
    assert (second.speaker, second.by, second.hearers) == ("@2", "tag", ("@1",)) and other == facts[2]
    assert with_asked(stored[:3]) == stored[:3]
