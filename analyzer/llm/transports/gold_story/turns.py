"""How gold answers what becomes of relations of earlier chapters.

Gold lists a relation again in each chapter that touches it, with the state at that chapter's end. A turn is the difference
between two listings of one pair and kind: to former (over), to pretended (sham), from secret to public (known), from one
affinity to the other or from neutral to hostile. From warm or hostile to neutral, and from neutral to warm, is no turn:
a chapter that shows no warmth says neutral.
"""

from __future__ import annotations

from analyzer.llm.transports.gold_book import GoldView, triples
from analyzer.llm.transports.gold_story._items import id_of, picked
from analyzer.models.gold import GoldChapter, GoldRelation
from analyzer.models.question import Answer, Question


def stated(gold: GoldChapter, subject: str, kind: str, target: str) -> GoldRelation | None:
    """Return what a chapter states of a pair and kind: as it is written, else in other words that are right too."""
    found = [r for r in gold.relations if (subject, kind, target) in triples(r)]
    return next((r for r in found if r.kind == kind), next(iter(found), None))


def turns_between(before: GoldRelation, now: GoldRelation) -> tuple[str, ...]:
    """Return what became of a relation, the most telling first."""
    found = []
    if now.status == "pretended" != before.status:
        found.append("sham")
    if now.status == "former" and before.status not in ("former", "pretended"):
        found.append("over")
    if before.visibility == "secret" and now.visibility == "public":
        found.append("known")
    if (before.affinity, now.affinity) == ("-", "+"):
        found.append("warm")
    if before.affinity != "-" and now.affinity == "-":
        found.append("cold")
    return tuple(found)


def _turned(question: Question, view: GoldView, kind: str) -> dict[str, GoldRelation]:
    subject, target = (id_of(ref, view) for ref in question.key.about)
    now = stated(view.gold, subject, kind, target) if subject and target else None
    past = (stated(gold, subject, kind, target) for gold in reversed(view.earlier))
    before = next((relation for relation in past if relation is not None), None)
    return dict.fromkeys(turns_between(before, now), now) if before is not None and now is not None else {}


def _turn(question: Question, view: GoldView) -> Answer:
    found = _turned(question, view, question.key.detail)
    return picked({turn: view.places(relation) for turn, relation in found.items()}, question)


def _again(question: Question, view: GoldView) -> Answer:
    kind, _, turn = question.key.detail.partition(":")
    relation = _turned(question, view, kind).get(turn)
    if relation is None:
        return Answer(status="answered", picked=("same",))
    return Answer(status="answered", picked=("happens",), sentences=view.places(relation)[:3])


ANSWERERS = {"relation.turn": _turn, "relation.turn_again": _again}
