"""Decides of two of the cast whether this chapter tells that they are one; must not join them."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import MaskFact
from analyzer.steps._identities import VOTE_OF, MaskPair, mask_pairs, mask_refs
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, evidence_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

OPTIONS = lettered(
    (
        ("told", "one person: this chapter tells or shows the reader so", None),
        ("known", "one person, as the reader knew: somebody in the story learns it here", None),
        ("hinted", "only hints that they may be one", None),
        ("apart", "plainly two people", None),
    )
)


def candidates(unit: Unit, bible: Bible) -> Sequence[MaskPair]:
    """Return the pairs in which a mask may fall."""
    return mask_pairs(unit, bible)


def question(candidate: MaskPair, unit: Unit, bible: Bible) -> Question:
    """Return the two; the options are shared by the pack."""
    persona, behind = bible.cast[candidate.persona], bible.cast[candidate.behind]
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="mask.same",
            chapter=unit.chapter.no,
            about=mask_refs(candidate.persona, candidate.behind, bible),
            detail="first",
        ),
        type="choice",
        text=f"{brief(persona, bible)}, {brief(behind, bible)}",
        options=OPTIONS,
        evidence="may",
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return what may be a mask, and what could not be read; of two who are plainly two nothing is kept."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        pair: MaskPair = item.candidate
        vote = VOTE_OF.get(item.answer.pick, "apart") if item.answer.status in ("answered", "none") else "unparsed"
        if vote == "apart":
            continue
        mask = MaskFact(
            chapter=unit.chapter.no,
            persona=pair.persona,
            behind=pair.behind,
            cues=pair.cues,
            vote=vote,
            evidence=evidence_of(unit, item.answer),
        )
        facts.append((mask, () if vote == "unparsed" else (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="mask_ask",
    reads=frozenset({"entity", "name", "same", "presence"}),
    writes=frozenset({"mask"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="mask_ask",
    part="identities",
    pack_size=60,
)
