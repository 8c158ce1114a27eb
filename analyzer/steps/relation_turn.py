"""Decides which relations of earlier chapters take a turn in this one; must not find new relations."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import TurnVoteFact
from analyzer.steps._options import lettered
from analyzer.steps._relations import statement
from analyzer.steps._scope import brief, evidence_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._turns import TurnCandidate, tie_refs, ties_here

MAX_PICKS = 2
OPTIONS = lettered(
    (
        ("over", "is over by the end", None),
        ("warm", "they come closer or are reconciled", None),
        ("cold", "turns cold or hostile", None),
        ("known", "was kept from others, who learn of it", None),
        ("sham", "proves to have been only acted", None),
    )
)


def candidates(unit: Unit, bible: Bible) -> Sequence[TurnCandidate]:
    """Return the relations that stood before, whose two ends stand near each other here."""
    return ties_here(unit, bible)


def question(candidate: TurnCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the relation in words; the options are shared by the pack."""
    tie = candidate.tie
    subject, target = bible.cast[tie.subject], bible.cast[tie.object]
    kept = ", in secret" if tie.visibility == "secret" else ""
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="relation.turn",
            chapter=unit.chapter.no,
            about=tie_refs(tie.triple, bible),
            detail=tie.relation,
        ),
        type="select",
        text=statement(tie.relation, brief(subject, bible), brief(target, bible)) + kept,
        options=OPTIONS,
        evidence="must",
        max_picks=MAX_PICKS,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return a vote for each turn picked."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        tie = item.candidate.tie
        for turn in item.answer.picked if item.answer.status == "answered" else ():
            vote = TurnVoteFact(
                chapter=unit.chapter.no,
                subject=tie.subject,
                relation=tie.relation,
                object=tie.object,
                look="first",
                turn=turn,
                evidence=evidence_of(unit, item.answer, turn),
            )
            facts.append((vote, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="relation_turn",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"turn_vote"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="relation_turn",
    past=frozenset({"relation"}),
    pack_size=60,
)
