"""Folds votes on turns into turns of relations; every rule at the door is here, named and counted."""

from __future__ import annotations

from analyzer.bible import Bible
from analyzer.models.facts import Evidence, Fact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.story import TurnFact, TurnVoteFact
from analyzer.steps._identities import apart, told_at
from analyzer.steps._scope import Mentions, cast_mentions, offset_of
from analyzer.steps._step import ComputeStep, Effects, Unit
from analyzer.steps._turns import BLOOD, DEEDS, TURNS, ties_before, votes_here
from analyzer.turns import Tie, Triple

REACH_CHARS = 1500
"""Code points within which the words cited must have a mention of one end, as for relations."""
Shut = tuple[IssueCode, str]


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return the turns that two looks agree on, and an issue for each that was seen and fell."""
    mentions = cast_mentions(unit, bible)
    before = ties_before(unit, bible, turned=True)
    votes: dict[tuple[Triple, str], list[TurnVoteFact]] = {}
    for vote in votes_here(unit, bible):
        votes.setdefault(((vote.subject, vote.relation, vote.object), vote.turn), []).append(vote)
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    issues: list[Issue] = []
    for (triple, seen), cast in votes.items():
        evidence = told_at(*(vote.evidence for vote in cast))
        tie = before.get(triple)
        if len({vote.look for vote in cast}) < 2:
            shut: Shut | None = ("undecided", "the two looks do not agree")
        elif {"warm", "cold"} <= {turn for other, turn in votes if other == triple and seen in ("warm", "cold")}:
            shut = "contradictory_turns", "said to turn warm and cold at once"
        elif apart(unit, *(vote.evidence for vote in cast)):
            shut = "looks_apart", "the two looks name sentences of different scenes"
        else:
            shut = _door(tie, seen, evidence, unit, mentions)
        if shut is not None:
            issues.append(
                Issue(code=shut[0], step=STEP.name, chapter=unit.chapter.no, about=(*triple, seen), detail=shut[1])
            )
            continue
        turn, affinity = TURNS[seen]
        fact = TurnFact(
            chapter=unit.chapter.no,
            subject=triple[0],
            relation=triple[1],
            object=triple[2],
            turn=turn,
            affinity=affinity,
            evidence=evidence,
        )
        facts.append((fact, ()))
    return Effects(tuple(facts), tuple(issues))


def _door(tie: Tie | None, seen: str, evidence: tuple[Evidence, ...], unit: Unit, mentions: Mentions) -> Shut | None:
    """Return the rule that keeps a turn out, with its reason, or None."""
    if tie is None or seen not in TURNS:
        return "turn_of_nothing", "no earlier chapter states the relation"
    if seen == "over" and tie.relation in BLOOD | DEEDS:
        return "turn_impossible", f"{tie.relation} does not end"
    if seen == "known" and all(fact.visibility == "public" for fact in tie.stated):
        return "turn_impossible", "it was no secret"
    if _is_so(tie, seen):
        return "turn_already_so", f"it has stood so since chapter {tie.until or tie.since}"
    if not evidence:
        return "no_evidence", "no words of the chapter show it"
    if any(unit.chapter.sentence_text(e.place) != e.text for e in evidence) or _far(tie, evidence, unit, mentions):
        return "evidence_not_in_chapter", f"neither end is mentioned within {REACH_CHARS} characters of the words cited"
    return None


def _is_so(tie: Tie, seen: str) -> bool:
    """Say whether a turn would change nothing."""
    match seen:
        case "over":
            return tie.status in ("former", "pretended")
        case "sham":
            return tie.status == "pretended"
        case "known":
            return tie.visibility == "public"
        case _:
            return tie.affinity == TURNS[seen][1]


def _far(tie: Tie, evidence: tuple[Evidence, ...], unit: Unit, mentions: Mentions) -> bool:
    spots = [s.offset for end in (tie.subject, tie.object) for s in mentions.spots.get(end, ())]
    return not any(abs(spot - offset_of(unit, e.place)) <= REACH_CHARS for spot in spots for e in evidence)


STEP = ComputeStep(
    name="relation_turns",
    reads=frozenset({"entity", "name", "same", "turn_vote"}),
    writes=frozenset({"turn"}),
    compute=compute,
    past=frozenset({"relation", "turn"}),
)
