"""How every item of a chapter came to stand or where it was lost, with the votes on what was claimed about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from analyzer.models.facts import ClaimFact, FormFact, RelationFact
from evals.records import Outcome, SaidEntity, SaidItem, SaidRelation, Side, Traced
from evals.scoring.outcomes import Thing, gold_outcomes, relation_key, said_outcomes, shown_names
from evals.scoring.relations import PairFamily, Triple, family_of, stated
from evals.tracing import REASONS, Lost, lost_claim, lost_entity, lost_relation
from evals.tracing_story import door_of, lost_item
from evals.trail import Trail

CAME = {
    "accepted": "asked about, and accepted",
    "known": "known since an earlier chapter",
    "stands": "claimed, and passed its votes and the rules",
    "otherwise": "found, and said in another way",
    "not_said": "not said, and never claimed",
}
"""Why something stands, the counterpart of `REASONS`; and why something wrong is not said."""
WORDS: Mapping[str, str] = {str(reason): told for reason, told in REASONS.items()} | CAME
"""Every reason of a `Traced` in words."""
STEPS = {"first": "relation_confirm", "second": "relation_confirm_again", "third": "relation_third"}
"""The step that asks for each vote."""
Of = Side | Literal["claim"]
_HANDLE = re.compile(r"@\d+")
_OF_CLAIMS = frozenset({"turned", "refused", "unexplained"})
"""Reasons whose details name people by handle alone."""


def traced_name(side: Of, key: str) -> str:
    """Return under what a chapter's `traced` holds an outcome, or a claim that fell and would have had this key."""
    return f"{side} {key}"


def traces_of(trail: Trail) -> dict[str, Traced]:
    """Return for every item of gold, every entity and relation said, and every claim that fell, how it came or was lost."""
    _, names = shown_names(trail.wanted, trail.said, trail.matched)
    return dict(_traces(trail, names))


def _traces(trail: Trail, names: Mapping[str, str]) -> Iterator[tuple[str, Traced]]:
    for thing, outcome in gold_outcomes(trail.wanted, trail.said, trail.matched):
        if isinstance(thing, SaidRelation):
            yield traced_name("gold", outcome.key), _gold_relation(thing, outcome, trail, names)
        elif isinstance(thing, SaidEntity):
            yield traced_name("gold", outcome.key), _gold_entity(thing, outcome, trail)
        else:
            yield traced_name("gold", outcome.key), _gold_item(thing, outcome, trail)
    for thing, outcome in said_outcomes(trail.wanted, trail.said, trail.matched):
        found = _said(thing, trail, names)
        if found is not None:
            yield traced_name("said", outcome.key), found
    for claim in trail.claims:
        lost = lost_claim(claim, trail)
        if lost.code != "duplicate_relation" and lost.reason != "unexplained":
            ends = [names.get(trail.bible.root(end), end) for end in (claim.subject, claim.object)]
            votes = _votes(trail, names, _is(claim))
            yield traced_name("claim", relation_key(ends[0], claim.relation, ends[1])), _of_lost(lost, votes, names)


def _is(claim: ClaimFact) -> Callable[[ClaimFact], bool]:
    return lambda other: other.claim == claim.claim


def _gold_entity(entity: SaidEntity, outcome: Outcome, trail: Trail) -> Traced:
    if not any(outcome.hits.get(measure) for measure in ("named", "described")):
        return _of_lost(lost_entity(entity, trail))
    first = trail.matched.first.get(entity.id)
    handle = first or next(iter(trail.handles(entity.id)), "")
    return _came(handle, trail)


def _came(handle: str, trail: Trail) -> Traced:
    """Return by what somebody of the cast came into it: a name of this chapter, an earlier chapter, a description."""
    entry = trail.bible.cast.get(handle)
    if entry is None:
        return Traced(step="", reason="unexplained")
    new = {f.surface for f in trail.facts if isinstance(f, FormFact)}
    accepted = [surface for surface in entry.surfaces if surface in new]
    if entry.entity.chapter < trail.wanted.chapter:
        away = any(e.id == handle and e.presence == "absent" for e in trail.said.entities)
        here = ", said to be elsewhere in this one" if away else ""
        detail = f"chapter {entry.entity.chapter}, as {entry.entity.label}{here}"
        return Traced(step="cast_presence" if away else "", reason="known", detail=detail)
    if accepted:
        return Traced(step="cast_forms", reason="accepted", detail=" / ".join(dict.fromkeys(accepted)))
    return Traced(step="cast_unnamed", reason="accepted", detail=entry.entity.label)


def _gold_relation(relation: SaidRelation, outcome: Outcome, trail: Trail, names: Mapping[str, str]) -> Traced:
    triples = stated(relation, trail.matched.root)
    votes = _votes(trail, names, _about({family_of(t) for t in triples}, trail))
    if not outcome.hits.get("kind"):
        lost = _of_lost(lost_relation(relation, trail), votes, names)
        near = f"found as {outcome.match}" if outcome.match in ("family", "pair") else ""
        return lost.model_copy(update={"detail": "; ".join(word for word in (near, lost.detail) if word)})

    def is_it(fact: RelationFact) -> bool:
        return trail.triple(fact.subject, fact.relation, fact.object) in triples

    return _stands(is_it, trail, votes)


def _gold_item(item: SaidItem, outcome: Outcome, trail: Trail) -> Traced:
    if not outcome.hits.get("found"):
        return _of_lost(lost_item(item, trail))
    door = door_of(item.cls)
    return Traced(step=door.name if door is not None else "", reason="accepted")


def _about(families: set[PairFamily], trail: Trail) -> Callable[[ClaimFact], bool]:
    def is_about(claim: ClaimFact) -> bool:
        triple = trail.triple(claim.subject, claim.relation, claim.object)
        return triple is not None and family_of(triple) in families

    return is_about


def _stands(is_it: Callable[[RelationFact], bool], trail: Trail, votes: tuple[str, ...]) -> Traced:
    if any(map(is_it, trail.standing.values())):
        return Traced(step="relations", reason="stands", votes=votes)
    before = [fact.chapter for fact in trail.bible.relations if is_it(fact)]
    if before:
        return Traced(step="", reason="known", detail=f"chapter {min(before)}", votes=votes)
    return Traced(step="relations", reason="unexplained", votes=votes)


def _said(thing: Thing, trail: Trail, names: Mapping[str, str]) -> Traced | None:
    if isinstance(thing, SaidEntity):
        return _came(thing.id, trail)
    if not isinstance(thing, SaidRelation):
        return None
    wanted: PairFamily = family_of((thing.subject, thing.kind, thing.object))
    triple: Triple = (thing.subject, thing.kind, thing.object)

    def is_about(claim: ClaimFact) -> bool:
        ends = (trail.bible.root(claim.subject), claim.relation, trail.bible.root(claim.object))
        return family_of(ends) == wanted

    def is_it(fact: RelationFact) -> bool:
        ends = (trail.bible.root(fact.subject), fact.relation, trail.bible.root(fact.object))
        return ends == triple or (ends[::-1] == triple and family_of(ends) == wanted)

    return _stands(is_it, trail, _votes(trail, names, is_about))


def _votes(trail: Trail, names: Mapping[str, str], is_about: Callable[[ClaimFact], bool]) -> tuple[str, ...]:
    found = []
    for claim in filter(is_about, trail.claims):
        given = [f"{STEPS[v.wording]} {v.vote}" for v in trail.votes if v.claim == claim.claim]
        ends = [names.get(trail.bible.root(end), end) for end in (claim.subject, claim.object)]
        found.append(f"{ends[0]} {claim.relation} {ends[1]}: {', '.join(given) or 'no vote'}")
    return tuple(sorted(found))


def _of_lost(lost: Lost, votes: tuple[str, ...] = (), names: Mapping[str, str] | None = None) -> Traced:
    detail = lost.detail
    if names is not None and lost.reason in _OF_CLAIMS:
        detail = _HANDLE.sub(lambda found: names.get(found[0], found[0]), detail)
    return Traced(step=lost.step, reason=lost.reason, code=lost.code, detail=detail, votes=votes)
