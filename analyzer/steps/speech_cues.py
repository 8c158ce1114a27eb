"""Decides who says a quotation where the words around it or the taking of turns tell; must not guess where they do not."""

from __future__ import annotations

from analyzer.bible import Bible
from analyzer.models.story import SpeechFact
from analyzer.models.text import Place
from analyzer.steps._speech import cast_of
from analyzer.steps._step import ComputeStep, Effects, Unit
from analyzer.steps._talk import heard


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return every quotation of the chapter with its conversation, the speaker where code can tell, and the others in it.

    Nobody is known to hear words of whom nobody knows who says them: any of the others may be the one.
    """
    found = heard(unit, cast_of(unit, bible))
    facts: list[SpeechFact] = []
    for number, turn in enumerate(found.turns, 1):
        there = [t for t in found.turns if t.conversation == turn.conversation]
        others = dict.fromkeys(h for t in there for h in (t.speaker, *sorted(t.called)) if h and h != turn.speaker)
        hearers = sorted(others, key=lambda h: bible.arrival.get(h, len(bible.arrival))) if turn.speaker else ()
        for at in turn.quotations:
            quotation = found.quotations[at]
            block = unit.chapter.blocks[quotation.block - 1]
            facts.append(
                SpeechFact(
                    chapter=unit.chapter.no,
                    block=quotation.block,
                    start=quotation.start,
                    end=quotation.end,
                    place=Place(quotation.block, block.sentence_at(quotation.start)),
                    conversation=turn.conversation,
                    turn=number,
                    speaker=turn.speaker,
                    hearers=tuple(hearers),
                    by=turn.by,
                )
            )
    return Effects(tuple((fact, ()) for fact in facts))


STEP = ComputeStep(
    name="speech_cues",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"speech"}),
    compute=compute,
    part="speech",
)
