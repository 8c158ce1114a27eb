"""At which step a gold item was lost, from what the run left: each search goes the item's way and stops where it ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from analyzer.models.facts import ClaimFact, FormFact, ProposalFact
from analyzer.models.rows import AnswerRow
from evals.records import SaidEntity, SaidRelation
from evals.scoring.entities import wording
from evals.scoring.names import NARRATORS, plain
from evals.scoring.relations import Triple, family_of, pair_of, stated
from evals.trail import Trail, family, names_of

Reason = Literal[
    "no_step",
    "never_a_candidate",
    "answered_no",
    "unanswered",
    "merged",
    "end_missing",
    "never_offered",
    "not_picked",
    "kind_not_offered",
    "kind_lost",
    "denied",
    "undecided",
    "turned",
    "refused",
    "never_asked",
    "not_noticed",
    "taken",
    "said_otherwise",
    "unexplained",
]
REASONS: dict[Reason, str] = {
    "no_step": "no step writes this class yet",
    "never_a_candidate": "code never asked about a name or description of it",
    "answered_no": "asked, and answered that it is none",
    "unanswered": "asked, and no usable answer came",
    "merged": "put together with somebody else",
    "end_missing": "one of the two is not in the cast",
    "never_offered": "the pair was never offered in this family",
    "not_picked": "the pair was offered and not picked",
    "kind_not_offered": "the pair was proposed, its kind was not among the options",
    "kind_lost": "the pair was proposed, another kind or direction was picked",
    "denied": "claimed, and denied by votes",
    "undecided": "claimed, and the votes settled nothing",
    "turned": "claimed, and turned into something else by votes",
    "refused": "claimed, and refused by a rule",
    "never_asked": "nobody was asked about it",
    "not_noticed": "asked, and not noticed there",
    "taken": "said once where gold has two",
    "said_otherwise": "noticed, and said in another way",
    "unexplained": "nothing the run left says why",
}
VOTES = "confirmation"
"""Stands for the three confirming steps where their votes together decide."""


class Lost(NamedTuple):
    """The step, why, the rule's code (or the reason an end is missing), and details for people."""

    step: str
    reason: Reason
    code: str = ""
    detail: str = ""


def lost_entity(entity: SaidEntity, trail: Trail) -> Lost:
    """Return where an entity nobody of the cast is was lost: by its names, or by its descriptions where it has none."""
    return _lost_named(entity, trail) if names_of(entity) else _lost_described(entity, trail)


def _lost_named(entity: SaidEntity, trail: Trail) -> Lost:
    names = names_of(entity)
    exact = {plain(n) for n in names}
    for handle, entry in trail.bible.cast.items():
        shared = [s for s in entry.surfaces if plain(s) in exact]
        if shared:
            return Lost("cast_same", "merged", detail=f"{shared[0]!r} is {_called(handle, trail)}")
    accepted = [f.surface for f in trail.facts if isinstance(f, FormFact)]
    asked = [row.question.key.about[0].names[0] for row in trail.of_step("cast_forms")]
    silent = [issue.about[0] for issue in trail.unanswered("cast_forms") if issue.about]
    for form in (_same_form, trail.alike):
        if any(form(s, names) for s in accepted):
            found = next(s for s in accepted if form(s, names))
            return Lost("cast_same", "merged", detail=f"{found!r} is {_called(_bearer(found, trail), trail)}")
        if any(form(s, names) for s in silent):
            return Lost("cast_forms", "unanswered", detail=next(s for s in silent if form(s, names)))
        if any(form(s, names) for s in asked):
            return _turned_away(next(s for s in asked if form(s, names)), trail)
    return Lost("cast_forms", "never_a_candidate", detail=" / ".join(names))


def _same_form(surface: str, names: Iterable[str]) -> bool:
    return plain(surface) in {plain(n) for n in names}


def _turned_away(surface: str, trail: Trail) -> Lost:
    codes = [i.code for i in trail.issues if i.step == "cast_forms" and i.about == (surface,)]
    if "name_not_in_text" in codes:
        return Lost("cast_forms", "refused", "name_not_in_text", surface)
    return Lost("cast_forms", "answered_no", detail=surface)


def _bearer(surface: str, trail: Trail) -> str:
    return next((h for h, entry in trail.bible.cast.items() if surface in entry.surfaces), "")


def _called(handle: str, trail: Trail) -> str:
    entry = trail.bible.cast.get(handle)
    return f"{handle} {entry.entity.label}" if entry is not None else "nobody"


def _lost_described(entity: SaidEntity, trail: Trail) -> Lost:
    tells = bool({plain(d) for d in entity.descriptors} & NARRATORS)
    ask = "cast.narrator" if tells else "cast.who"
    rows = [row for row in trail.of_step("cast_unnamed") if row.question.key.ask == ask]
    if not tells:
        rows = _best_worded(entity, rows)
    shown = " / ".join(entity.descriptors)
    for row in sorted(rows, key=lambda r: r.answer.status != "answered"):
        if row.answer.status != "answered":
            return Lost("cast_unnamed", "answered_no", detail=shown)
        if row.answer.pick.startswith("is:"):
            return Lost("cast_unnamed", "merged", detail=f"{shown} is {_called(row.answer.pick[3:], trail)}")
        return Lost("cast_unnamed_same", "merged", detail=f"{shown} was made somebody, and is somebody else's now")
    silent = trail.unanswered("cast_unnamed", ask)
    if tells and silent:
        return Lost("cast_unnamed", "unanswered", detail=shown)
    if any(issue.about and wording(issue.about[:1], entity.descriptors) for issue in silent):
        return Lost("cast_unnamed", "unanswered", detail=shown)
    return Lost("cast_unnamed", "never_a_candidate", detail=shown)


def _best_worded(entity: SaidEntity, rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    ranked = [(wording(row.question.key.about[0].names, entity.descriptors), row) for row in rows]
    top = max((rank for rank, _ in ranked), default=0)
    return [row for rank, row in ranked if rank == top > 0]


def lost_relation(relation: SaidRelation, trail: Trail) -> Lost:
    """Return where a relation that is not in the bible by its kind was lost: ends, pair, kind, votes, rules, in this order."""
    triples = stated(relation, trail.matched.root)
    there = frozenset(t for t in triples if trail.handles(t[0]) and trail.handles(t[2]))
    if not there:
        return _lost_end(relation, trail)
    claims = [c for c in trail.claims if trail.triple(c.subject, c.relation, c.object) in there]
    if claims:
        return min((lost_claim(c, trail) for c in claims), key=_lateness)
    proposals = [p for p in trail.facts if isinstance(p, ProposalFact) and _is_of(p, there, trail)]
    return _lost_kind(proposals, there, trail) if proposals else _lost_pair(there, trail)


def _lost_end(relation: SaidRelation, trail: Trail) -> Lost:
    by_id = {e.id: e for e in trail.wanted.entities}
    for end in (relation.subject, relation.object):
        if not trail.handles(end):
            entity = by_id.get(end)
            lost = lost_entity(entity, trail) if entity is not None else Lost("cast_forms", "never_a_candidate")
            return Lost(lost.step, "end_missing", lost.reason, lost.detail)
    return Lost("relation_select", "unexplained")


_LATEST: tuple[Reason, ...] = ("unexplained", "turned", "refused", "undecided", "denied")
"""Of several claims of one item the one that came farthest speaks."""


def _lateness(lost: Lost) -> int:
    return _LATEST.index(lost.reason)


def lost_claim(claim: ClaimFact, trail: Trail) -> Lost:
    """Return why a claim does not stand as it was made: turned or felled by its votes, or refused by a rule."""
    votes = " ".join(v.vote for v in trail.votes if v.claim == claim.claim)
    stands = trail.standing.get(claim.claim)
    if stands is not None:
        turned = (stands.subject, stands.relation, stands.object)
        same = trail.triple(*turned) == trail.triple(claim.subject, claim.relation, claim.object)
        return Lost(VOTES, "unexplained" if same else "turned", detail=f"{' '.join(turned)}: {votes}")
    issue = trail.fallen.get(claim.claim)
    if issue is None:
        return Lost("relations", "unexplained", detail=votes)
    if issue.code == "denied_twice":
        return Lost(VOTES, "denied", issue.code, votes)
    if issue.code == "undecided":
        return Lost(VOTES, "undecided", issue.code, issue.detail or votes)
    return Lost("relations", "refused", issue.code, issue.detail)


def _is_of(proposal: ProposalFact, triples: frozenset[Triple], trail: Trail) -> bool:
    ends = {trail.who(proposal.first), trail.who(proposal.second)}
    return any(ends == pair_of(t) and proposal.family == family(t[1]) for t in triples)


def _lost_kind(proposals: Sequence[ProposalFact], triples: frozenset[Triple], trail: Trail) -> Lost:
    refused = [
        i
        for i in trail.issues
        if i.step == "relation_kind"
        and i.code == "no_evidence"
        and len(i.about) == 3
        and trail.triple(*i.about) in triples
    ]
    if refused:
        return Lost("relation_kind", "refused", "no_evidence", " ".join(refused[0].about))
    pairs = {(frozenset((p.first, p.second)), str(p.family)) for p in proposals}
    rows = [
        row
        for row in trail.of_step("relation_kind")
        if (frozenset(ref.handle for ref in row.question.key.about), row.question.key.detail) in pairs
    ]
    if not rows:
        return Lost("relation_kind", "unanswered")
    offered = [row for row in rows if any(_says(row, o.key, trail) in triples for o in row.question.options)]
    if not offered:
        return Lost("relation_kind", "kind_not_offered")
    picked = [row for row in offered if row.answer.status == "answered"]
    if not picked:
        return Lost("relation_kind", "answered_no")
    return Lost("relation_kind", "kind_lost", detail=" ".join(picked[0].answer.picked))


def _says(row: AnswerRow, pick: str, trail: Trail) -> Triple | None:
    kind, _, order = pick.partition(":")
    first, second = (ref.handle for ref in row.question.key.about)
    return trail.triple(first, kind, second) if order == "ab" else trail.triple(second, kind, first)


def _lost_pair(triples: frozenset[Triple], trail: Trail) -> Lost:
    wanted = {family_of(t) for t in triples}
    for row in trail.of_step("relation_select"):
        me, fam = trail.who(row.question.key.about[0].handle), row.question.key.detail
        others = (trail.who(option.key) for option in row.question.options)
        if any((frozenset((me, other)), fam) in wanted for other in others if me and other):
            return Lost("relation_select", "not_picked", detail=fam)
    for issue in trail.unanswered("relation_select"):
        me = trail.who(issue.about[0]) if issue.about else None
        fam = issue.detail.partition("relation.select:")[2].partition(" ")[0]
        if any(me in pair and fam == name for pair, name in wanted):
            return Lost("relation_select", "unanswered", detail=fam)
    return Lost("relation_select", "never_offered", detail=", ".join(sorted({fam for _, fam in wanted})))
