"""At which step an item of the story was lost: noticed, said, doubted, let in at the door; told by question keys and issues.

One search for all classes, since every part has the same four stages. What differs by class is in two small tables: which fact
is its notice, and which fact is let in at the end. A question is about a notice where its key names the notice's id, or one of
the same people and one of the same sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact
from analyzer.models.issue import Issue
from analyzer.models.rows import AnswerRow
from analyzer.models.story import (
    KnowledgeNoticeFact,
    MaskFact,
    SecretNoticeFact,
    StateNoticeFact,
    ThreadNoticeFact,
)
from analyzer.models.text import Span
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep, ComputeStep, Part, Step
from evals.answerers.errors import DENIALS
from evals.records import ItemClass, SaidItem
from evals.scoring.items import people_of, statements
from evals.scoring.places import near
from evals.tracing import Lost, lost_entity
from evals.trail import Trail

LET_IN: Mapping[ItemClass, str] = {
    "change": "change",
    "appearance": "change",
    "identity": "reveal",
    "secret": "secret",
    "knowledge": "knowledge",
    "plant": "thread",
}
"""The class of fact that a class of items becomes at its door."""
LOOK = "appearance."
DENIED = frozenset({"state_denied", "state_already_so", "denied_twice", "not_kept"})
UNSETTLED = frozenset({"undecided", "looks_apart"})
"""Codes of a door by which answers, not rules, kept something out: denied, or left open."""
LINKS = ("same:", "thread:")
"""Begin the picks of a doubt by which a notice is one with another, or belongs to what is known."""


class Notice(NamedTuple):
    """Something noticed: its id ("" where it has none yet), of whom, of which kind ("" of any), and where."""

    id: str
    who: tuple[str, ...]
    kind: str
    evidence: tuple[Evidence, ...]

    @property
    def places(self) -> frozenset[str]:
        """Its sentences as keys and issues write them."""
        return frozenset(str(e.place) for e in self.evidence)


def _state(fact: Fact, cls: ItemClass) -> Notice | None:
    if isinstance(fact, StateNoticeFact) and fact.attribute.startswith(LOOK) == (cls == "appearance"):
        return Notice("", (fact.entity,), fact.attribute, fact.evidence)
    return None


def _secret(fact: Fact, _cls: ItemClass) -> Notice | None:
    return Notice(fact.secret, (fact.holder,), "", fact.evidence) if isinstance(fact, SecretNoticeFact) else None


def _piece(fact: Fact, _cls: ItemClass) -> Notice | None:
    return Notice(fact.piece, (fact.knower,), "", fact.evidence) if isinstance(fact, KnowledgeNoticeFact) else None


def _thread(fact: Fact, _cls: ItemClass) -> Notice | None:
    return Notice(fact.thread, (), "", fact.evidence) if isinstance(fact, ThreadNoticeFact) else None


def _mask(fact: Fact, _cls: ItemClass) -> Notice | None:
    if isinstance(fact, MaskFact):
        return Notice("", tuple(dict.fromkeys((fact.behind, fact.persona))), "", fact.evidence)
    return None


NOTICES: Mapping[ItemClass, Callable[[Fact, ItemClass], Notice | None]] = {
    "change": _state,
    "appearance": _state,
    "identity": _mask,
    "secret": _secret,
    "knowledge": _piece,
    "plant": _thread,
}


@lru_cache(maxsize=16)
def door_of(cls: ItemClass) -> Step | None:
    """Return the step at whose door a class of items is let in, None where no step makes it."""
    wanted = LET_IN.get(cls, "")
    return next((s for s in load_steps() if isinstance(s, ComputeStep) and wanted in s.writes), None)


def part_of(cls: ItemClass) -> Part | None:
    """Return the part of the bible whose steps make a class of items, None where none does."""
    if cls in ("entity", "relation"):
        return "cast" if cls == "entity" else "relations"
    door = door_of(cls)
    return door.part if door is not None else None


@lru_cache(maxsize=16)
def _asking(part: Part, cls: ItemClass) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of a part's steps that look for items of a class, and of those that ask about what was found."""
    steps = [s for s in load_steps() if isinstance(s, AskStep) and s.part == part]
    finding = [s.name for s in steps if _finds(s)]
    asking = tuple(s.name for s in steps if s.name not in finding)
    looks = cls == "appearance"
    return tuple(n for n in finding if part != "state" or n.startswith("look_") == looks), asking


def _finds(step: AskStep) -> bool:
    return any(c.endswith(("_notice", "_touch")) or c == "mask" for c in step.writes)


@lru_cache(maxsize=128)
def stage_of(step: str) -> Literal["notice", "say", "doubt", "door"]:
    """Return the stage of a step of the story: it looks for something, puts it into words, doubts it, or lets it in.

    Whoever asks about people of what was noticed (who keeps it, who learns it) says something of it.
    """
    found = next((one for one in load_steps() if one.name == step), None)
    if not isinstance(found, AskStep):
        return "door"
    if _finds(found):
        return "notice"
    return "say" if step.endswith(SAYING) else "doubt"


SAYING = ("_say", "_value", "_holders", "_from", "_to")
"""End the names of the steps that say something of what was noticed."""


def lost_item(item: SaidItem, trail: Trail) -> Lost:
    """Return where an item nothing said matches was lost: its people, notices, doubts, the door, in this order."""
    door, part = door_of(item.cls), part_of(item.cls)
    if door is None or part is None:
        return Lost("", "no_step")
    wanted = statements(item, trail.matched.canonical, alternates=True)
    if any(wanted & _said_of(other, trail) for other in _said_near(item, trail)):
        return Lost(door.name, "taken")
    people = _people(item, trail)
    if people_of(item) and not people:
        return _lost_person(item, trail)
    notices = list(_notices(item, people, trail))
    if not notices:
        return _unnoticed(item, people, part, trail)
    return _after_notice(item, notices, part, door, trail)


def _people(item: SaidItem, trail: Trail) -> frozenset[str]:
    """Return the handles of those an item is about, alternates too; of several people one is enough."""
    ids = {row[0] for row in statements(item, trail.matched.canonical, alternates=True) if row}
    return frozenset(handle for gold_id in ids for handle in trail.handles(gold_id))


def _lost_person(item: SaidItem, trail: Trail) -> Lost:
    by_id = {e.id: e for e in trail.wanted.entities}
    entity = next((by_id[i] for i in people_of(item) if i in by_id), None)
    lost = lost_entity(entity, trail) if entity is not None else Lost("cast_forms", "never_a_candidate")
    return Lost(lost.step, "end_missing", lost.reason, lost.detail)


def _spans(evidence: Iterable[Evidence], trail: Trail) -> tuple[Span, ...]:
    starts = trail.said.block_starts
    return tuple(
        Span(starts[e.block - 1] + e.start, starts[e.block - 1] + e.end)
        for e in evidence
        if e.chapter == trail.wanted.chapter and 1 <= e.block <= len(starts)
    )


def _said_near(item: SaidItem, trail: Trail) -> Iterator[SaidItem]:
    """Yield what is said of the class near an item."""
    for other in trail.said.items:
        if other.cls == item.cls and near(trail.wanted, item.spans, other.spans):
            yield other


def _said_of(other: SaidItem, trail: Trail) -> frozenset[tuple[str, ...]]:
    return statements(other, trail.matched.who, alternates=False)


def _notices(item: SaidItem, people: frozenset[str], trail: Trail) -> Iterator[Notice]:
    """Yield the notices that mean an item: one of its people, its kind or an alternate, near its words."""
    kinds = _kinds(item, trail)
    for fact in trail.facts:
        one = NOTICES[item.cls](fact, item.cls)
        if one is None or (people and not people & {trail.bible.root(h) for h in one.who}):
            continue
        if (not kinds or not one.kind or one.kind.removeprefix(LOOK) in kinds) and near(
            trail.wanted, item.spans, _spans(one.evidence, trail)
        ):
            yield one


def _kinds(item: SaidItem, trail: Trail) -> frozenset[str]:
    """Return the attributes or features under which an item of states and looks is right."""
    if item.cls not in ("change", "appearance"):
        return frozenset()
    return frozenset(row[1] for row in statements(item, trail.matched.canonical, alternates=True) if len(row) > 1)


def _tokens(row: AnswerRow) -> frozenset[str]:
    """Return the pieces of a question's detail and its sentences, as they are written."""
    return frozenset((*row.question.key.detail.split(":"), *map(str, row.question.sentences)))


def _about(row: AnswerRow, trail: Trail) -> frozenset[str]:
    return frozenset(trail.bible.root(ref.handle) for ref in row.question.key.about if ref.handle)


def _unnoticed(item: SaidItem, people: frozenset[str], part: Part, trail: Trail) -> Lost:
    """Return why nothing was noticed: nobody was asked, no answer came, or the answers do not name it."""
    finding, _ = _asking(part, item.cls)
    kinds = _kinds(item, trail)
    rows = [row for step in finding for row in trail.of_step(step)]
    asked = [row for row in rows if not people or people & (_about(row, trail) | _offered(row, trail))]
    for step in finding:
        for issue in trail.unanswered(step):
            if not people or people & set(map(trail.bible.root, issue.about)) or kinds & set(issue.detail.split(":")):
                return Lost(step, "unanswered", detail=issue.detail[:80])
    if not asked:
        return Lost(finding[0] if finding else "", "never_asked", detail=" ".join(sorted(people)))
    return Lost(asked[0].step, "not_noticed", detail=" ".join(sorted(kinds) or sorted(people)))


def _offered(row: AnswerRow, trail: Trail) -> frozenset[str]:
    return frozenset(trail.bible.root(option.key) for option in row.question.options if option.key.startswith("@"))


def _after_notice(item: SaidItem, notices: Sequence[Notice], part: Part, door: Step, trail: Trail) -> Lost:
    """Return what kept a noticed item out: the door's word, else a question that denied it or was not answered."""
    _, asking = _asking(part, item.cls)
    rows = [row for step in asking for row in trail.of_step(step)]
    notices = _with_links(notices, rows, trail)
    about = [row for row in rows if any(_is_about(row, one, trail) for one in notices)]
    denying = [row for row in about if _denies(row)]
    issue = next((i for i in trail.issues if i.step == door.name and _is_of(i, notices, trail)), None)
    silent = _silent(notices, asking, trail)
    if issue is not None:
        step = next((row.step for row in reversed(denying or about)), silent.step if silent is not None else door.name)
        return _by_door(issue, step, door)
    if denying:
        return Lost(denying[0].step, "answered_no", detail=denying[0].question.key.detail)
    if silent is not None:
        return silent
    told = next(_said_near(item, trail), None)
    if told is not None:
        return Lost(door.name, "said_otherwise", detail=_brief(told))
    return Lost(door.name, "unexplained")


def _with_links(notices: Sequence[Notice], rows: Sequence[AnswerRow], trail: Trail) -> list[Notice]:
    """Return the notices, and what a doubt made one with them: another notice, something known."""
    found = list(notices)
    for row in rows:
        if any(_is_about(row, one, trail) for one in notices):
            ids = [key.partition(":")[2] for key in row.answer.picked if key.startswith(LINKS)]
            found += [Notice(linked, (), "", ()) for linked in ids]
    return found


def _is_about(row: AnswerRow, one: Notice, trail: Trail) -> bool:
    tokens = _tokens(row)
    if one.id and one.id in tokens:
        return True
    who = {trail.bible.root(h) for h in one.who}
    about = _about(row, trail)
    if not who & about:
        return False
    if one.places & tokens:
        return not one.kind or one.kind in tokens
    return len(who) > 1 and who == about


def _is_of(issue: Issue, notices: Iterable[Notice], trail: Trail) -> bool:
    """Say whether a door's issue is about one of the notices: by id, or by somebody with kind or sentence."""
    about = {trail.bible.root(word) for word in issue.about}
    words = about | {word.strip(":") for word in issue.detail.split()[:2]}
    return any(
        (one.id and one.id in words)
        or ({trail.bible.root(h) for h in one.who} & about and (one.kind in about if one.kind else one.places & words))
        for one in notices
    )


def _denies(row: AnswerRow) -> bool:
    return row.answer.status == "none" or row.answer.pick in DENIALS.get(row.question.key.ask, ())


def _silent(notices: Sequence[Notice], asking: Sequence[str], trail: Trail) -> Lost | None:
    """Return the first question about one of the notices that got no usable answer, None where all did."""
    places = {place for one in notices for place in one.places}
    ids = {one.id for one in notices if one.id}
    for step in asking:
        for left in trail.unanswered(step):
            if any(word in left.detail for word in (*places, *ids)):
                return Lost(step, "unanswered", detail=left.detail[:80])
    return None


def _by_door(issue: Issue, step: str, door: Step) -> Lost:
    """Return what a door says: denied or left open by answers, the last of them at `step`, or refused by a rule."""
    if issue.code in DENIED:
        return Lost(step, "denied", issue.code, issue.detail)
    if issue.code in UNSETTLED:
        return Lost(step, "undecided", issue.code, issue.detail)
    return Lost(door.name, "refused", issue.code, issue.detail)


def _brief(item: SaidItem) -> str:
    return " ".join(str(v) for v in item.fields.values() if isinstance(v, str))[:80]
