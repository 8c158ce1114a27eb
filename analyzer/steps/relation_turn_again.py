"""Puts every turn a second time, from the other end, beside what it may be taken for; must not find new relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Evidence, Fact, RelationFact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import Look, TurnVoteFact
from analyzer.steps._options import lettered
from analyzer.steps._relations import statement
from analyzer.steps._scope import brief, evidence_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._turns import TURNS, can_turn, tie_refs, ties_before, votes_here
from analyzer.turns import Tie, Triple

HAPPENS = "happens"
OPTIONS = lettered(
    (
        ("same", "all stays as it was between them", None),
        ("before", "that had come about before this chapter", None),
        ("planned", "it is only feared, wished, planned or announced", None),
        ("other", "it is true of something else between them, or of other people", None),
        ("open", "it stays open", None),
        (HAPPENS, "just that comes about here", None),
    )
)
"""In an order in which no mark of the first look says yes."""
WORDS = {
    "over": "broken off, ended",
    "warm": "warmer than before",
    "cold": "cold or hostile now",
    "known": "out in the open",
    "sham": "a sham all along",
}


@dataclass(frozen=True)
class TurnAgain:
    """A relation and a turn somebody saw, with the sentences named for it."""

    triple: Triple
    turn: str
    look: Look
    evidence: tuple[Evidence, ...]


def candidates(unit: Unit, bible: Bible) -> Sequence[TurnAgain]:
    """Return each turn the first look saw, and those that this chapter's own statement of a relation speaks for."""
    before = ties_before(unit, bible)
    found: dict[tuple[Triple, str], TurnAgain] = {}
    for vote in votes_here(unit, bible):
        triple = (vote.subject, vote.relation, vote.object)
        if triple in before and vote.turn in TURNS:
            found.setdefault((triple, vote.turn), TurnAgain(triple, vote.turn, vote.look, vote.evidence))
    for fact in bible.relations:
        triple = (fact.subject, fact.relation, fact.object)
        if fact.chapter == unit.chapter.no and triple in before and can_turn(before[triple]):
            for turn in _stated_turns(before[triple], fact):
                found.setdefault((triple, turn), TurnAgain(triple, turn, "code", fact.evidence))
    return tuple(found.values())


def _stated_turns(tie: Tie, fact: RelationFact) -> list[str]:
    """Return the turns that a statement of this chapter amounts to beside how the relation stood before."""
    found = []
    if fact.status == "former" and tie.status not in ("former", "pretended"):
        found.append("over")
    if fact.status == "pretended" and tie.status not in ("former", "pretended"):
        found.append("sham")
    if fact.visibility == "public" and tie.visibility == "secret":
        found.append("known")
    if {fact.affinity, tie.affinity} == {"+", "-"}:
        found.append("warm" if fact.affinity == "+" else "cold")
    return found


def question(candidate: TurnAgain, unit: Unit, bible: Bible) -> Question:
    """Return the relation from its other end and what is thought to have become of it; the options are shared by the pack."""
    subject, target = bible.cast[candidate.triple[0]], bible.cast[candidate.triple[2]]
    words = statement(candidate.triple[1], brief(subject, bible), brief(target, bible), again=True)
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="relation.turn_again",
            chapter=unit.chapter.no,
            about=tie_refs(candidate.triple, bible),
            detail=f"{candidate.triple[1]}:{candidate.turn}",
        ),
        type="choice",
        text=f"{words}: {WORDS[candidate.turn]}",
        options=OPTIONS,
        evidence="may",
        sentences=tuple(e.place for e in candidate.evidence[:2]),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return a second vote for each turn that comes about here, and code's own where it saw it."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        seen: TurnAgain = item.candidate
        if item.answer.status != "answered" or item.answer.pick != HAPPENS:
            continue
        looks: list[tuple[Look, tuple[Evidence, ...]]] = [("second", evidence_of(unit, item.answer))]
        if seen.look == "code":
            looks.insert(0, ("code", seen.evidence))
        for look, evidence in looks:
            vote = TurnVoteFact(
                chapter=unit.chapter.no,
                subject=seen.triple[0],
                relation=seen.triple[1],
                object=seen.triple[2],
                look=look,
                turn=seen.turn,
                evidence=evidence,
            )
            facts.append((vote, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="relation_turn_again",
    reads=frozenset({"entity", "name", "same", "relation", "turn_vote"}),
    writes=frozenset({"turn_vote"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="relation_turn_again",
    past=frozenset({"relation"}),
    pack_size=60,
    confirms=True,
)
