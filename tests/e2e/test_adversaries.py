"""Answerers that do not read: nothing false is stored that a rule could know, what is lost is named, the exit code says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.bible import fold
from analyzer.llm.transports.scripted import ADVERSARIES, Adversary, Hostile, hostile_text
from analyzer.models.facts import RELATION_KINDS, ClaimFact, RelationFact
from analyzer.models.issue import Issue
from analyzer.models.question import Pack, Question
from analyzer.models.run import Reply
from analyzer.scheduler.events import RunOutcome
from analyzer.steps._relations import fits
from analyzer.storage.store import Store
from tests.e2e.tiny import analyse, make_book, simulated, without

SERIAL = Path(__file__).parents[2] / "goldsets" / "dark-of-the-gullick" / "serial.txt"


class Marked(Hostile):
    """Writes one mark on every line, whatever it stands for."""

    def __init__(self, mark: str) -> None:
        super().__init__("first")
        self.model = f"scripted:{mark}"
        self._mark = mark

    async def ask(self, pack: Pack, **more: object) -> Reply:  # type: ignore[override]
        """Return the mark with the first sentence offered."""
        return Reply(
            text="\n".join(self._line(n, q) for n, q in enumerate(pack.questions, 1)),
            usage=(await super().ask(pack, max_output_tokens=1)).usage,
            model=self.model,
            answered_by="scripted",
        )

    def _line(self, number: int, question: Question) -> str:
        if any(option.mark.startswith("@") for option in question.options):
            return f"{number} {question.options[0].mark}"
        places = " ".join(map(str, question.sentences[:1])) if question.evidence != "no" else ""
        return f"{number} {self._mark} {places}".strip()


def _checked(book: Path, outcome: RunOutcome) -> list[RelationFact]:
    """Check all that a rule can know of a book, and return its relations."""
    manuscript = pipeline.manuscript_of(book)
    with Store.open(book) as store:
        assert store.verify() == []
        facts = [stored.fact for stored in store.facts()]
        issues = [issue for _, issue in store.issues()]
        handles = store.handles()
    bible = fold(facts, through=len(manuscript.chapters), handles=handles)
    relations = [fact for fact in facts if isinstance(fact, RelationFact)]
    for relation in relations:
        chapter = manuscript.chapters[relation.chapter - 1]
        subject, target = bible.cast[bible.root(relation.subject)], bible.cast[bible.root(relation.object)]
        assert subject.handle != target.handle
        assert fits(relation.relation, subject.entity.entity_kind, target.entity.entity_kind)
        assert relation.evidence
        assert all(chapter.sentence_text(e.place) == e.text for e in relation.evidence)
    for fact in facts:
        for handle in (getattr(fact, name, "") for name in ("entity", "subject", "object", "first", "second")):
            assert not isinstance(handle, str) or not handle or handle in handles.values()
    triples = [(r.chapter, r.subject, r.relation, r.object) for r in relations]
    assert len(set(triples)) == len(triples)
    _named(outcome, issues)
    _every_claim_is_accounted_for(facts, issues)
    return relations


def _named(outcome: RunOutcome, issues: list[Issue]) -> None:
    """Every question without an answer is an issue, and the exit code says that there are some."""
    details = " ".join(issue.detail for issue in issues if issue.code in ("unanswered", "refused"))
    assert all(key in details for key in outcome.unanswered)
    assert outcome.exit_code == (7 if outcome.unanswered else 0)


def _every_claim_is_accounted_for(facts: list[object], issues: list[Issue]) -> None:
    """A claim became a relation, or an issue says which rule felled it."""
    kept = {fact.claim for fact in facts if isinstance(fact, RelationFact)}
    fallen = {(issue.chapter, issue.about) for issue in issues if issue.step == "relations"}
    for claim in facts:
        if isinstance(claim, ClaimFact) and claim.claim not in kept:
            assert (claim.chapter, (claim.subject, claim.relation, claim.object)) in fallen


def _book(folder: Path) -> Path:
    return without(pipeline.init(SERIAL, book=folder / "serial", language="en"))


@pytest.mark.parametrize("kind", ADVERSARIES)
def test_no_adversary_gets_anything_false_past_the_rules(tmp_path: Path, kind: Adversary) -> None:
    book = _book(tmp_path)
    outcome = pipeline.run(book, asker=Hostile(kind), chapters="1" if kind == "yes" else "1-2")
    relations = _checked(book, outcome)
    if kind in ("first", "none", "repeat", "invent", "examples", "half"):
        assert relations == []
    if kind in ("repeat", "half", "invent", "examples", "first"):
        assert outcome.exit_code == 7


@pytest.mark.parametrize("mark", ["a", "b", "c", "d"])
def test_a_mark_that_is_copied_confirms_nothing(tmp_path: Path, mark: str) -> None:
    book = _book(tmp_path)
    outcome = pipeline.run(book, asker=Marked(mark), chapters="1-2")
    assert _checked(book, outcome) == []


def _said(book: Path) -> set[tuple[str, str, str]]:
    """Return the relations in names; a symmetric one from either end is the same, whoever has the older handle."""
    found = {(r.subject_name, r.relation, r.object_name) for r in pipeline.show_relations(book)}
    return {(min(a, b), kind, max(a, b)) if RELATION_KINDS[kind].symmetric else (a, kind, b) for a, kind, b in found}


def test_what_an_adversary_leaves_is_asked_again_and_the_truth_replaces_it(tmp_path: Path) -> None:
    book = _book(tmp_path)
    gold = SERIAL.parent / "gold"
    assert pipeline.run(book, asker=Hostile("half"), chapters="1-2").exit_code == 7
    assert pipeline.run(book, model=f"gold:{gold}", chapters="1-2").exit_code == 0
    other = _book(tmp_path / "other")
    pipeline.run(other, model=f"gold:{gold}", chapters="1-2")
    known = [_said(book), _said(other)]
    assert known[0] == known[1] != set()


@pytest.mark.parametrize("kind", ["first", "none", "yes", "repeat", "half", "invent", "examples"])
def test_the_same_holds_through_the_real_client(tmp_path: Path, kind: str) -> None:
    book = make_book(tmp_path / "tiny")
    with simulated(kind) as sim:
        outcome = analyse(book, sim, chapters="1")
        n_sent = len(sim.rows())
    relations = _checked(book, outcome)
    if kind not in ("yes", "first"):
        assert relations == []
    assert n_sent < 150


def test_every_adversary_says_something_else(tmp_path: Path) -> None:
    asked: list[Pack] = []

    class Listening(Hostile):
        async def ask(self, pack: Pack, **more: object) -> Reply:  # type: ignore[override]
            asked.append(pack)
            return await super().ask(pack, max_output_tokens=1)

    pipeline.run(_book(tmp_path), asker=Listening("first"), chapters="1")
    pack = max(asked, key=lambda p: len(p.questions))
    assert len({hostile_text(kind, pack) for kind in ADVERSARIES}) >= len(ADVERSARIES) - 1
