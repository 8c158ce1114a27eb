"""What a run left of one chapter, put beside its gold: who of the cast is whom, what was asked, what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from analyzer import pipeline
from analyzer.bible import Bible, fold
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.facts import RELATION_KINDS, ClaimFact, Fact, RelationFact, VoteFact
from analyzer.models.issue import Issue
from analyzer.models.rows import AnswerRow
from analyzer.storage.store import Store
from evals.compared import compared_chapters
from evals.goldset.cases import Case
from evals.records import Reading, SaidEntity
from evals.scoring.entities import Matched
from evals.scoring.names import loose, plain, stem
from evals.scoring.relations import PairFamily, Triple, family_of, stated


@dataclass(frozen=True)
class Trail:
    """One chapter: gold's reading, the bible's, who is who, and what the store holds of this chapter.

    `answers` are settled ones, one for each question (the other wording's where that is what counted); a question that got no
    usable answer is only among `issues`.
    """

    wanted: Reading
    said: Reading
    matched: Matched
    bible: Bible
    facts: tuple[Fact, ...]
    answers: tuple[AnswerRow, ...]
    issues: tuple[Issue, ...]

    def who(self, handle: str) -> str | None:
        """Return the gold id that a handle of any time stands for, behind any persona."""
        return self.matched.who(self.bible.root(handle))

    def handles(self, gold_id: str) -> tuple[str, ...]:
        """Return the handles of the cast that stand for a gold id."""
        wanted = self.matched.canonical(gold_id)
        return tuple(h for h in self.matched.of if self.matched.who(h) == wanted)

    def of_step(self, step: str) -> list[AnswerRow]:
        """Return a step's settled answers."""
        return [row for row in self.answers if row.step == step]

    def unanswered(self, step: str, ask: str = "") -> list[Issue]:
        """Return the questions of a step (and kind) that got no usable answer."""
        found = [i for i in self.issues if i.step == step and i.code in ("unanswered", "refused")]
        return [i for i in found if i.detail.startswith(ask)]

    def triple(self, subject: str, kind: str, target: str) -> Triple | None:
        """Return a statement about handles in gold's ids; None where an end is a stranger."""
        first, last = self.who(subject), self.who(target)
        return (first, kind, last) if first and last and first != last else None

    @cached_property
    def true_triples(self) -> frozenset[Triple]:
        """Everything gold of any level states, in all its ways."""
        rows = (stated(r, self.matched.root) for r in self.wanted.relations)
        return frozenset(t for row in rows for t in row)

    @cached_property
    def true_families(self) -> frozenset[PairFamily]:
        """Every pair and family gold of any level states."""
        return frozenset(map(family_of, self.true_triples))

    @cached_property
    def main_families(self) -> frozenset[PairFamily]:
        """The pair and family of every gold relation as it is written, alternates left out."""
        rows = (replace(r, alternates=(), alternate_triples=()) for r in self.wanted.relations)
        return frozenset(family_of(t) for r in rows for t in stated(r, self.matched.root))

    @cached_property
    def claims(self) -> tuple[ClaimFact, ...]:
        """The chapter's claims."""
        return tuple(f for f in self.facts if isinstance(f, ClaimFact))

    @cached_property
    def votes(self) -> tuple[VoteFact, ...]:
        """The chapter's votes."""
        return tuple(f for f in self.facts if isinstance(f, VoteFact))

    @cached_property
    def standing(self) -> dict[str, RelationFact]:
        """The chapter's relations by claim."""
        return {f.claim: f for f in self.facts if isinstance(f, RelationFact)}

    @cached_property
    def fallen(self) -> dict[str, Issue]:
        """By claim, the issue of the rules at the door that says why it fell."""
        by_about = {issue.about: issue for issue in self.issues if issue.step == "relations"}
        rows = ((c.claim, by_about.get((c.subject, c.relation, c.object))) for c in self.claims)
        return {claim: issue for claim, issue in rows if issue is not None and claim not in self.standing}

    def named(self, surface: str) -> frozenset[str]:
        """Return the gold ids that bear a printed form: exactly, else without title and particle."""
        exact = {e.id for e in self.wanted.entities if plain(surface) in {plain(n) for n in names_of(e)}}
        found = exact or {e.id for e in self.wanted.entities if self.alike(surface, names_of(e))}
        return frozenset(map(self.matched.canonical, found))

    def alike(self, surface: str, names: Iterable[str]) -> bool:
        """Say whether a form is one of the names, titles and particles aside."""
        tag = self.wanted.language
        mine = loose(surface, tag) | {stem(surface, tag)}
        return any(mine & (loose(name, tag) | {stem(name, tag)}) for name in names)


def names_of(entity: SaidEntity) -> tuple[str, ...]:
    """Return an entity's names, those of earlier chapters last."""
    return (*entity.names, *entity.former_names)


def family(kind: str) -> str:
    """Return a kind's family; an unknown kind is its own."""
    rule = RELATION_KINDS.get(kind)
    return rule.family if rule is not None else kind


def trails(case: Case, book: Path) -> Iterator[Trail]:
    """Yield the chapters of a case's book that have gold, in order."""
    gold = load_gold(case.gold)
    manuscript = pipeline.manuscript_of(book)
    with Store.open(book) as store:
        answers, issues = store.all_answers(), [issue for _, issue in store.issues()]
        facts = [row.fact for row in store.facts()]
        handles = store.handles()

    def bible_at(number: int) -> Bible:
        return fold(facts, through=number, handles=handles)

    for number, wanted, said, matched in compared_chapters(gold, manuscript, bible_at):
        yield Trail(
            wanted,
            said,
            matched,
            bible_at(number),
            tuple(f for f in facts if f.chapter == number),
            _settled([row for row in answers if row.chapter == number]),
            tuple(issue for issue in issues if issue.chapter == number),
        )


def _settled(rows: Sequence[AnswerRow]) -> tuple[AnswerRow, ...]:
    """Return one answer for each question: the second wording's where it says something, else the first's."""
    found: dict[tuple[str, str], AnswerRow] = {}
    for row in sorted(rows, key=lambda r: r.wording):
        name = (row.step, row.key)
        if name not in found or row.answer.status == "answered":
            found[name] = row
    return tuple(found.values())
