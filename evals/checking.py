"""What every checking step let through and what it dropped, true and false apart, by gold of any level.

| step | an item is | true when | dropped when |
|---|---|---|---|
| cast_forms | a new form asked about | gold calls somebody so | it was given no kind |
| cast_same | two forms, or a form and one known, offered as one | they are one in gold | they were not joined |
| cast_unnamed | a description asked about | gold describes somebody so | it means nobody |
| cast_presence | somebody gold knows | gold has them on the page | they are elsewhere |
| relation_select | a pair offered in a family | gold relates them in that family | nobody picked it |
| relation_kind | a proposed pair in a family | same | no claim came of it |
| relation_confirm, _again, _third | a claim with a vote that could be read | gold states it, kind and direction | the vote was not for it |
| confirmation | a claim | same | its votes denied, turned or settled nothing |
| relations | a claim that its votes left standing | same | a rule at the door refused it |
| relations:CODE | a claim a rule refused | same | always |

A pair that gold has in a family only as another way to say something is an item where it was kept. A duplicate that falls because
the same was stated before is no item. Recall is over true items alone, so a step that lets everything pass has recall 1;
precision says what that costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from analyzer.models.base import Record
from analyzer.models.facts import ClaimFact, FormFact, PresenceFact, ProposalFact
from analyzer.models.rows import AnswerRow
from evals.scoring.entities import wording
from evals.scoring.names import NARRATORS, plain
from evals.scoring.relations import PairFamily
from evals.tracing import VOTES
from evals.trail import Trail, family

_SAME_WORDS = 3
"""Likeness of descriptions from which one is meant: equal but for determiners."""


class Check(Record):
    """A step's items: true ones that came in and those dropped, false ones likewise."""

    step: str
    true_in: int = 0
    true_dropped: int = 0
    false_in: int = 0
    false_dropped: int = 0

    @property
    def recall(self) -> float | None:
        """Share of the true items that were let through; None of none."""
        return 1 - self.true_dropped / self.true_in if self.true_in else None

    @property
    def precision(self) -> float | None:
        """Share of what was let through that is true; None of nothing."""
        kept = self.true_in - self.true_dropped
        through = kept + self.false_in - self.false_dropped
        return kept / through if through else None

    @property
    def precision_before(self) -> float | None:
        """Share of what came in that is true; None of nothing."""
        n = self.true_in + self.false_in
        return self.true_in / n if n else None


class _Item(NamedTuple):
    true: bool
    kept: bool


def checks_of(trail: Trail) -> tuple[Check, ...]:
    """Return the checks of one chapter, step by step, then the rules at the door one by one."""
    rows = [(step, list(items(trail))) for step, items in _STEPS]
    codes = sorted({issue.code for issue in trail.fallen.values()} - _BY_VOTE - {"duplicate_relation"})
    rows += [(f"relations:{code}", list(_refused(trail, code))) for code in codes]
    return tuple(_check(step, items) for step, items in rows)


def pooled_checks(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return one check for each step, in order of first appearance, rules last."""
    found: dict[str, Check] = {}
    for check in checks:
        had = found.get(check.step, Check(step=check.step))
        found[check.step] = Check(
            step=check.step,
            true_in=had.true_in + check.true_in,
            true_dropped=had.true_dropped + check.true_dropped,
            false_in=had.false_in + check.false_in,
            false_dropped=had.false_dropped + check.false_dropped,
        )
    return tuple(sorted(found.values(), key=lambda c: ":" in c.step))


def _check(step: str, items: Iterable[_Item]) -> Check:
    rows = list(items)
    return Check(
        step=step,
        true_in=sum(i.true for i in rows),
        true_dropped=sum(i.true and not i.kept for i in rows),
        false_in=sum(not i.true for i in rows),
        false_dropped=sum(not i.true and not i.kept for i in rows),
    )


def _forms(trail: Trail) -> Iterator[_Item]:
    kept = {f.surface for f in trail.facts if isinstance(f, FormFact)}
    asked = [row.question.key.about[0].names[0] for row in trail.of_step("cast_forms")]
    silent = [issue.about[0] for issue in trail.unanswered("cast_forms") if issue.about]
    for surface in dict.fromkeys((*asked, *silent)):
        yield _Item(bool(trail.named(surface)), surface in kept)


def _same(trail: Trail) -> Iterator[_Item]:
    bearer = {s: h for h, entry in trail.bible.cast.items() for s in entry.surfaces}
    seen: set[frozenset[str]] = set()
    for row in trail.of_step("cast_same"):
        surface = row.question.key.about[0].names[0]
        for option in row.question.options:
            pair = frozenset((f"form:{surface}", option.key))
            if len(pair) == 1 or pair in seen or option.ref is None:
                continue
            seen.add(pair)
            if option.key.startswith("@"):
                known = trail.who(option.key)
                yield _Item(known in trail.named(surface), bearer.get(surface) == trail.bible.root(option.key))
            else:
                other = option.key.removeprefix("form:")
                joined = surface in bearer and bearer[surface] == bearer.get(other)
                yield _Item(bool(trail.named(surface) & trail.named(other)), joined)


def _unnamed(trail: Trail) -> Iterator[_Item]:
    for row in trail.of_step("cast_unnamed"):
        yield _Item(_is_somebody(row, trail), row.answer.status == "answered")
    for issue in trail.unanswered("cast_unnamed", "cast.who"):
        yield _Item(_described(issue.about[:1], trail), False)


def _is_somebody(row: AnswerRow, trail: Trail) -> bool:
    if row.question.key.ask == "cast.narrator":
        return any({plain(d) for d in e.descriptors} & NARRATORS for e in trail.wanted.entities)
    return _described(row.question.key.about[0].names, trail)


def _described(words: Iterable[str], trail: Trail) -> bool:
    told = tuple(words)
    return any(wording(told, e.descriptors) >= _SAME_WORDS for e in trail.wanted.entities)


def _presence(trail: Trail) -> Iterator[_Item]:
    there = {e.id for e in trail.wanted.entities if e.presence == "on_page"}
    by_id = {e.id for e in trail.wanted.entities if e.presence != "absent"}
    for fact in trail.facts:
        who = trail.matched.of.get(trail.bible.root(fact.entity)) if isinstance(fact, PresenceFact) else None
        if isinstance(fact, PresenceFact) and who in by_id:
            yield _Item(who in there, fact.presence == "on_page")


def _select(trail: Trail) -> Iterator[_Item]:
    proposed = {
        (frozenset((trail.bible.root(p.first), trail.bible.root(p.second))), str(p.family))
        for p in trail.facts
        if isinstance(p, ProposalFact)
    }
    offered = {
        (
            frozenset((trail.bible.root(row.question.key.about[0].handle), trail.bible.root(o.key))),
            row.question.key.detail,
        )
        for row in trail.of_step("relation_select")
        for o in row.question.options
    }
    for pair, name in offered:
        if len(pair) == 2:
            yield from _related(pair, name, trail, (pair, name) in proposed)


def _related(pair: Iterable[str], name: str, trail: Trail, kept: bool) -> Iterator[_Item]:
    """Yield a pair in a family; one that gold only has as another way to say something is no item where it is dropped."""
    ends = frozenset(who for handle in pair if (who := trail.who(handle)))
    found: PairFamily = (ends, name)
    if found in trail.main_families or kept or found not in trail.true_families:
        yield _Item(len(ends) == 2 and found in trail.true_families, kept)


def _kind(trail: Trail) -> Iterator[_Item]:
    claimed = {(frozenset((c.subject, c.object)), family(c.relation)) for c in trail.claims}
    for fact in trail.facts:
        if isinstance(fact, ProposalFact):
            pair = frozenset((fact.first, fact.second))
            yield from _related(pair, fact.family, trail, (pair, str(fact.family)) in claimed)


def _is_true(claim: ClaimFact, trail: Trail) -> bool:
    return trail.triple(claim.subject, claim.relation, claim.object) in trail.true_triples


def _votes(wording: str) -> Callable[[Trail], Iterator[_Item]]:
    def items(trail: Trail) -> Iterator[_Item]:
        by_id = {c.claim: c for c in trail.claims}
        for vote in trail.votes:
            if vote.wording == wording and vote.vote != "unparsed" and vote.claim in by_id:
                yield _Item(_is_true(by_id[vote.claim], trail), vote.vote == "for")

    return items


_BY_VOTE = frozenset({"denied_twice", "undecided"})


def _confirmed(trail: Trail) -> Iterator[_Item]:
    for claim in trail.claims:
        yield _Item(_is_true(claim, trail), _survived(claim, trail))


def _survived(claim: ClaimFact, trail: Trail) -> bool:
    stands, fell = trail.standing.get(claim.claim), trail.fallen.get(claim.claim)
    if stands is not None:
        said = trail.triple(stands.subject, stands.relation, stands.object)
        return stands.relation == claim.relation and said == trail.triple(claim.subject, claim.relation, claim.object)
    return fell is not None and fell.code not in _BY_VOTE


def _rules(trail: Trail) -> Iterator[_Item]:
    for claim in trail.claims:
        fell = trail.fallen.get(claim.claim)
        if fell is not None and fell.code not in _BY_VOTE and fell.code != "duplicate_relation":
            yield _Item(_is_true(claim, trail), False)
        stands = trail.standing.get(claim.claim)
        if stands is not None:
            said = trail.triple(stands.subject, stands.relation, stands.object)
            yield _Item(said in trail.true_triples, True)


def _refused(trail: Trail, code: str) -> Iterator[_Item]:
    for claim in trail.claims:
        if claim.claim in trail.fallen and trail.fallen[claim.claim].code == code:
            yield _Item(_is_true(claim, trail), False)


_STEPS: tuple[tuple[str, Callable[[Trail], Iterator[_Item]]], ...] = (
    ("cast_forms", _forms),
    ("cast_same", _same),
    ("cast_unnamed", _unnamed),
    ("cast_presence", _presence),
    ("relation_select", _select),
    ("relation_kind", _kind),
    ("relation_confirm", _votes("first")),
    ("relation_confirm_again", _votes("second")),
    ("relation_third", _votes("third")),
    (VOTES, _confirmed),
    ("relations", _rules),
)
