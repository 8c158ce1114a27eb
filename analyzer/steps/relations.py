"""Folds claims, details and votes into relations; every rule at the door is here, named and counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from analyzer.bible import Bible
from analyzer.models.facts import (
    RELATION_KINDS,
    Affinity,
    ClaimFact,
    Evidence,
    Fact,
    RelationFact,
    Status,
    Visibility,
    VoteFact,
    VoteValue,
)
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.text import Place
from analyzer.steps._confirm import by_mark_alone, nearest_kind
from analyzer.steps._relations import fits, pair_of
from analyzer.steps._scope import Mentions, cast_mentions, offset_of
from analyzer.steps._step import ComputeStep, Effects, Unit

EVIDENCE_REACH = 1500
"""Code points within which an evidence sentence must have a mention of one end. Source: every core relation of the
six gold chapters holds within it; a sentence farther off cannot be about the two."""
MAX_EVIDENCE = 4
EXAMPLE_PLACES = frozenset({Place(12, 3), Place(14, 1)})
"""The sentences of the answer format's illustration in prompts/format.lines.md."""
ANCESTRY = frozenset({"parent_of", "grandparent_of"})
"""Kinds in which nobody comes round to themselves."""
EXCLUSIVE = frozenset({"parent_of", "sibling_of", "spouse_of", "grandparent_of", "aunt_uncle_of", "cousin_of"})
"""Blood and marriage ties of which two can hold only one."""
OPPOSED = (frozenset({"friend_of", "ally_of"}), frozenset({"enemy_of"}))
"""Kinds that the same words cannot show at once."""


@dataclass(frozen=True)
class Verdict:
    """A claim after its votes: relation and ends as they now stand, the votes in order, how many are for it.

    `cited` are the sentences its votes named for it (the claim's own where they named none): a claim picked together with
    another shares its sentences with it, a vote does not.
    """

    claim: ClaimFact
    subject: str
    relation: str
    object: str
    votes: tuple[VoteValue, ...]
    evidence: tuple[Evidence, ...]
    cited: frozenset[Place]

    @property
    def n_for(self) -> int:
        """Votes for it."""
        return sum(vote == "for" for vote in self.votes)

    @property
    def triple(self) -> tuple[str, str, str]:
        """Subject, relation, object."""
        return self.subject, self.relation, self.object


def decide(votes: Sequence[VoteValue]) -> VoteValue | None:
    """Return what the votes make of a claim: for, reverse, nearest, deny, or None where they settle nothing.

    A claim falls only on two denials; a majority may turn it round or name the nearest kind; otherwise it stands if any vote
    is for it. Votes that could not be read count neither way.
    """
    read: list[VoteValue] = [vote for vote in votes if vote != "unparsed"]
    turned: tuple[VoteValue, ...] = ("deny", "reverse", "nearest")
    for value in turned:
        if read.count(value) >= 2:
            return value
    return "for" if "for" in read else None


def verdict_of(claim: ClaimFact, votes: Sequence[VoteFact], bible: Bible) -> Verdict | None:
    """Return the claim as its votes leave it, or None where it falls, stays undecided, or is about nobody in the cast."""
    values = tuple(vote.vote for vote in votes)
    decided = decide(values)
    if decided is None or decided == "deny" or not _in_cast(claim, bible):
        return None
    subject, target, relation = bible.root(claim.subject), bible.root(claim.object), claim.relation
    if decided == "reverse":
        subject, target = target, subject
    elif decided == "nearest":
        kinds = (bible.cast[subject].entity.entity_kind, bible.cast[target].entity.entity_kind)
        relation = nearest_kind(claim, *kinds) or relation
    if RELATION_KINDS[relation].symmetric:
        subject, target = pair_of(subject, target, bible)
    voted = [e for vote in votes if vote.vote == decided for e in vote.evidence]
    evidence = tuple({e.place: e for e in (*voted, *claim.evidence)}.values())[:MAX_EVIDENCE]
    cited = frozenset(e.place for e in (voted or claim.evidence))
    return Verdict(claim, subject, relation, target, values, evidence, cited)


def _issue(code: IssueCode, claim: ClaimFact, detail: str) -> Issue:
    return Issue(
        code=code,
        step=STEP.name,
        chapter=claim.chapter,
        about=(claim.subject, claim.relation, claim.object),
        detail=detail,
    )


def _far(verdict: Verdict, unit: Unit, mentions: Mentions) -> bool:
    spots = [s.offset for end in (verdict.subject, verdict.object) for s in mentions.spots.get(end, ())]
    cited = [offset_of(unit, e.place) for e in verdict.evidence]
    return not any(abs(spot - at) <= EVIDENCE_REACH for spot in spots for at in cited)


def door(verdict: Verdict, unit: Unit, bible: Bible, mentions: Mentions) -> tuple[IssueCode, str] | None:
    """Return the rule that keeps a single claim out, with its reason, or None."""
    subject, target = bible.cast[verdict.subject], bible.cast[verdict.object]
    if verdict.subject == verdict.object:
        return "self_relation", "both ends are the same"
    if not fits(verdict.relation, subject.entity.entity_kind, target.entity.entity_kind):
        return "wrong_entity_kinds", f"{subject.entity.entity_kind} {verdict.relation} {target.entity.entity_kind}"
    if not verdict.evidence:
        return "no_evidence", "no words of the chapter show it"
    if any(unit.chapter.sentence_text(e.place) != e.text for e in verdict.evidence):
        return "evidence_not_in_chapter", "the words cited are not those of the chapter"
    if _far(verdict, unit, mentions):
        only_example = {e.place for e in verdict.evidence} <= EXAMPLE_PLACES
        if only_example:
            return "example_only", "only the illustration of the answer format could have supplied it"
        return (
            "evidence_not_in_chapter",
            f"neither end is mentioned within {EVIDENCE_REACH} characters of the words cited",
        )
    return None


def _weaker(a: Verdict, b: Verdict) -> Verdict | None:
    return None if a.n_for == b.n_for else min(a, b, key=lambda v: v.n_for)


def _opposed(a: Verdict, b: Verdict) -> IssueCode | None:
    """Return why two relations of one pair cannot both stand, or None."""
    if a.relation == b.relation:
        return "both_directions"
    same_words = a.cited == b.cited
    blood = a.relation in EXCLUSIVE and b.relation in EXCLUSIVE
    sides = (a.relation in OPPOSED[0] and b.relation in OPPOSED[1]) or (
        a.relation in OPPOSED[1] and b.relation in OPPOSED[0]
    )
    return "contradictory_kinds" if same_words and (blood or sides) else None


MUTUAL = frozenset(
    {"loves", "harms", "deceives", "suspects", "betrays", "owes", "protects", "rescues", "blackmails", "confidant_of"}
)
"""Directed kinds that may hold both ways at once: each is then a relation of its own."""


Fallen = tuple[Verdict, IssueCode, str]


def settle(verdicts: Sequence[Verdict]) -> tuple[list[Verdict], list[Fallen]]:
    """Return what stands after duplicates, both directions, contradictions and cycles of parents, and what fell."""
    fallen: list[Fallen] = []
    by_triple: dict[tuple[str, str, str], Verdict] = {}
    for verdict in verdicts:
        if by_triple.setdefault(verdict.triple, verdict) is not verdict:
            fallen.append((verdict, "duplicate_relation", "the same relation of the same two was already stated"))
    by_pair: dict[frozenset[str], list[Verdict]] = {}
    for verdict in by_triple.values():
        by_pair.setdefault(frozenset({verdict.subject, verdict.object}), []).append(verdict)
    for group in by_pair.values():
        fallen += _contradicted(group)
    cyclic = _cyclic(_standing(by_triple, fallen))
    fallen += [(v, "parent_cycle", "would make somebody their own ancestor") for v in cyclic]
    return _standing(by_triple, fallen), fallen


def _standing(by_triple: dict[tuple[str, str, str], Verdict], fallen: Sequence[Fallen]) -> list[Verdict]:
    gone = {id(verdict) for verdict, _, _ in fallen}
    return [verdict for verdict in by_triple.values() if id(verdict) not in gone]


def _contradicted(group: Sequence[Verdict]) -> list[Fallen]:
    """Return what falls among the relations of one pair: the weaker of two that exclude each other, or both."""
    fallen: list[Fallen] = []
    gone: set[int] = set()
    for i, a in enumerate(group):
        for b in group[i + 1 :]:
            code = _opposed(a, b)
            if code is None or id(a) in gone or id(b) in gone or (code == "both_directions" and a.relation in MUTUAL):
                continue
            weaker = _weaker(a, b)
            for loser, other in ((a, b), (b, a)):
                if weaker is None or weaker is loser:
                    gone.add(id(loser))
                    fallen.append((loser, code, f"against {' '.join(other.triple)}"))
    return fallen


def _cyclic(verdicts: Iterable[Verdict]) -> list[Verdict]:
    children: dict[str, set[str]] = {}
    found: list[Verdict] = []
    ranked = sorted((v for v in verdicts if v.relation in ANCESTRY), key=lambda v: -v.n_for)
    for verdict in ranked:
        queue, seen = [verdict.object], {verdict.object}
        while queue:
            for child in children.get(queue.pop(), ()):
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
        if verdict.subject in seen:
            found.append(verdict)
        else:
            children.setdefault(verdict.subject, set()).add(verdict.object)
    return found


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return the relations of the chapter and an issue for every claim that fell, with the rule that felled it."""
    mentions = cast_mentions(unit, bible)
    votes: dict[str, list[VoteFact]] = {}
    for vote in bible.votes(unit.chapter.no):
        votes.setdefault(vote.claim, []).append(vote)
    details: dict[tuple[str, str], str] = {(d.claim, d.attribute): d.value for d in bible.details(unit.chapter.no)}
    issues: list[Issue] = []
    passed: list[Verdict] = []
    for claim in bible.claims(unit.chapter.no):
        cast_votes = sorted(votes.get(claim.claim, ()), key=lambda v: ("first", "second", "third").index(v.wording))
        verdict = verdict_of(claim, cast_votes, bible)
        if verdict is None:
            shut: tuple[IssueCode, str] | None = _unheard(claim, cast_votes, bible)
        elif by_mark_alone(claim, cast_votes, unit, bible):
            shut = "undecided", f"the same mark in every order: {' '.join(verdict.votes)}"
        else:
            shut = door(verdict, unit, bible, mentions)
        if shut is not None:
            issues.append(_issue(shut[0], claim, shut[1]))
        elif verdict is not None:
            passed.append(verdict)
    kept, fallen = settle(passed)
    issues += [_issue(code, verdict.claim, detail) for verdict, code, detail in fallen]
    facts: list[tuple[Fact, tuple[str, ...]]] = [(_relation(verdict, details, unit), ()) for verdict in kept]
    return Effects(tuple(facts), tuple(issues))


def _unheard(claim: ClaimFact, votes: Sequence[VoteFact], bible: Bible) -> tuple[IssueCode, str]:
    """Return why a claim without a verdict has none."""
    if not _in_cast(claim, bible):
        return "unknown_handle", "an end that is nobody in the cast"
    said = [vote.vote for vote in votes]
    code: IssueCode = "undecided" if decide(said) is None else "denied_twice"
    return code, " ".join(said) or "no vote could be read"


def _in_cast(claim: ClaimFact, bible: Bible) -> bool:
    return bible.root(claim.subject) in bible.cast and bible.root(claim.object) in bible.cast


def _relation(verdict: Verdict, details: dict[tuple[str, str], str], unit: Unit) -> RelationFact:
    claim = verdict.claim.claim
    return RelationFact(
        claim=claim,
        chapter=unit.chapter.no,
        subject=verdict.subject,
        relation=verdict.relation,
        object=verdict.object,
        status=cast("Status", details.get((claim, "status"), "current")),
        affinity=cast("Affinity", details.get((claim, "affinity"), "0")),
        visibility=cast("Visibility", details.get((claim, "visibility"), "public")),
        evidence=verdict.evidence,
        votes=verdict.votes,
    )


STEP = ComputeStep(
    name="relations",
    reads=frozenset({"entity", "name", "same", "claim", "detail", "vote"}),
    writes=frozenset({"relation"}),
    compute=compute,
)
