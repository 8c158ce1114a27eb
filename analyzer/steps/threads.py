"""Folds notices, doubts, statements and looks into threads and their events; every rule at the door is here, named and counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from analyzer.bible import Bible
from analyzer.models.facts import Evidence, Fact
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.story import Look, ThreadEvent, ThreadEventFact, ThreadFact, ThreadTouchFact
from analyzer.models.text import Place
from analyzer.steps._scope import Mentions, cast_mentions, offset_of
from analyzer.steps._step import ComputeStep, Effects, Unit
from analyzer.steps._story import near
from analyzer.steps._thread_touch import UNPARSED, UNTOUCHED, touches_of
from analyzer.steps._threads import (
    Noticed,
    checks_of,
    clean_statement,
    named_in,
    noticed,
    standing_in,
    statements_of,
    threads_before,
)
from analyzer.text.wordbags import word_bag
from analyzer.threads import CLOSING, Thread

MAX_EVIDENCE, MAX_ABOUT = 4, 6
MAX_BESIDES = 12
"""Most sentences kept of those in which a chapter recalls a thread apart from what becomes of it."""
EVENT_OF: Mapping[str, ThreadEvent] = {"new": "plant", "kept": "reinforce", "answer": "payoff"}
"""The first event of a thread by what the doubt made of it."""
STRENGTH: Sequence[str] = ("reinforce", "trigger", "partial_payoff", "abandon", "subvert", "payoff")
"""Events by how far they take a thread; where looks differ the weaker is kept."""
LOOKS: Sequence[Look] = ("first", "second", "third")
REACH = 600
"""Code points around an event's sentences within which somebody or something of the thread must stand, or one of its rare words."""


@dataclass(frozen=True)
class Group:
    """A candidate with those that are one with it: what the doubt made of it, and all its sentences."""

    first: Noticed
    check: str
    evidence: tuple[Evidence, ...]
    looks: tuple[str, ...]


@dataclass
class _Door:
    """What is let in, and why the rest is not."""

    unit: Unit
    facts: list[Fact] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)

    def shut(self, code: IssueCode, about: str, detail: str) -> None:
        self.issues.append(
            Issue(code=code, step=STEP.name, chapter=self.unit.chapter.no, about=(about,), detail=detail)
        )


def groups_of(found: Sequence[Noticed], checks: Mapping[str, str]) -> tuple[list[Group], list[tuple[Noticed, str]]]:
    """Return the candidates that stand, each with what is one with it, and those that fall with their check.

    Of candidates that are one with each other the first stands, as new. What is one with one that falls, falls with it.
    """
    names = {one.thread: one for one in found}
    root = {name: _root(name, checks, names) for name in names}
    members: dict[str, list[Noticed]] = {}
    for one in found:
        members.setdefault(root[one.thread], []).append(one)
    kept: list[Group] = []
    fallen: list[tuple[Noticed, str]] = []
    for name, rows in members.items():
        check = checks.get(name, "missing")
        check = "new" if check.startswith("same:") else check
        if check in EVENT_OF or check.startswith("thread:"):
            ordered = [names[name], *(row for row in rows if row.thread != name)]
            evidence = tuple({e.place: e for row in ordered for e in row.evidence}.values())[:MAX_EVIDENCE]
            looks = tuple(dict.fromkeys(look for row in ordered for look in row.looks))
            kept.append(Group(names[name], check, evidence, looks))
        else:
            fallen += [(row, check) for row in rows]
    return sorted(kept, key=lambda g: g.first.place), fallen


def _root(name: str, checks: Mapping[str, str], names: Mapping[str, Noticed]) -> str:
    """Return the candidate that `name` is one with in the end; in a circle the first of it in the text."""
    path = [name]
    while (other := checks.get(path[-1], "").removeprefix("same:")) != checks.get(path[-1], "") and other in names:
        if other in path:
            circle = path[path.index(other) :]
            return min(circle, key=lambda n: (names[n].place, n))
        path.append(other)
    return path[-1]


def decide(looks: Mapping[Look, ThreadTouchFact]) -> str | None:
    """Return what the looks make of a thread: an event, untouched, or None where they settle nothing.

    Two that agree decide. Of several that differ but all find it touched, the weaker of the two nearest stands, and never a
    closing event: that takes two. One look alone settles nothing.
    """
    said = [looks[look].event for look in LOOKS if look in looks and looks[look].event != UNPARSED]
    for event in said:
        if said.count(event) >= 2:
            return event
    touched = sorted((e for e in said if e in STRENGTH), key=STRENGTH.index)
    if len(touched) >= 2:
        return touched[0] if touched[0] not in CLOSING else "partial_payoff"
    return None


def touched_by(event: str, looks: Mapping[Look, ThreadTouchFact]) -> tuple[Evidence, ...]:
    """Return the sentences named by the looks that are for an event, else by all that find the thread touched."""
    alike = [fact for look in LOOKS if (fact := looks.get(look)) and fact.event == event]
    rows = alike or [fact for look in LOOKS if (fact := looks.get(look)) and fact.evidence]
    return tuple({e.place: e for fact in rows for e in fact.evidence}.values())[:MAX_EVIDENCE]


def scattered(event: str, looks: Mapping[Look, ThreadTouchFact], unit: Unit) -> bool:
    """Say whether a thread would be closed by looks that agree in the word alone: no two of them cite places near each other."""
    alike = [looks[look].evidence for look in LOOKS if look in looks and looks[look].event == event]
    pairs = ((a, b) for i, a in enumerate(alike) for b in alike[i + 1 :])
    return event in CLOSING and not any(near(unit, a, b, REACH) for a, b in pairs)


def far_from(thread: Thread, evidence: Sequence[Evidence], unit: Unit, bible: Bible, mentions: Mentions) -> bool:
    """Say whether nothing of a thread stands near the sentences: none of its people or things, none of its words."""
    about = {bible.root(handle) for handle in thread.fact.about}
    offsets = [offset_of(unit, e.place) for e in evidence]
    if mentions.near(offsets, about, 1, REACH):
        return False
    words = word_bag(thread.fact.statement).union(*(word_bag(e.text) for e in thread.evidence))
    around = (b.text for e in evidence for b in unit.chapter.blocks[max(0, e.block - 2) : e.block + 1])
    return not words & frozenset().union(*(word_bag(text) for text in around))


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return the threads this chapter brings and the events of those before it, and an issue for all that fell."""
    before, found, door = threads_before(unit, bible), noticed(unit, bible), _Door(unit)
    groups, fallen = groups_of(found, checks_of(unit, bible))
    for one, check in fallen:
        if check in ("unparsed", "missing"):
            door.shut("undecided", one.thread, f"{one.kind} in {one.place}: the doubt was not answered")
    statements = statements_of(unit, bible)
    own, linked = _sorted_out(groups, statements, before, door)
    events = _events(unit, bible, before, linked, door)
    taken = {e.place: name for name, fact in events.items() for e in fact.evidence}
    own, more = _answered_by(own, taken)
    facts: list[Fact] = []
    for group in own:
        facts += _thread(group, statements, unit, bible)
    for name, event in events.items():
        facts += _of_known(before[name], event, [*linked.get(name, ()), *more.get(name, ())], unit)
    return Effects(tuple((fact, ()) for fact in (*door.facts, *facts)), tuple(door.issues))


def _sorted_out(
    groups: Iterable[Group], statements: Mapping[str, str], before: Mapping[str, Thread], door: _Door
) -> tuple[list[Group], dict[str, list[Group]]]:
    """Return the groups that are threads of their own, and by thread those that belong to a known one."""
    own: dict[tuple[str, str], Group] = {}
    linked: dict[str, list[Group]] = {}
    known = {(t.fact.kind, t.fact.statement.casefold()): name for name, t in before.items()}
    for group in groups:
        name = group.first.thread
        words = _words(group, statements)
        signature = (group.first.kind, words.casefold())
        target = group.check.removeprefix("thread:") if group.check.startswith("thread:") else known.get(signature, "")
        if name in before and not target:
            target = name
        if target in before:
            linked.setdefault(target, []).append(group)
        elif target:
            door.shut("undecided", name, f"{group.first.kind} in {group.first.place}: {target} is not known here")
        elif not words:
            door.shut("no_statement", name, f"{group.first.kind} in {group.first.place}: nothing was said of it")
        elif signature in own:
            door.shut("duplicate_thread", name, f"{group.first.kind} in {group.first.place}: {words}")
        else:
            own[signature] = group
    return list(own.values()), linked


def _words(group: Group, statements: Mapping[str, str]) -> str:
    """Return what is said of a group, else its sentence; "" where nothing was to be said of what one look alone noticed."""
    words = statements.get(group.first.thread)
    unsaid = words == "" and len(group.looks) < 2
    return "" if unsaid else words or clean_statement(group.first.evidence[0].text)


def _events(
    unit: Unit, bible: Bible, before: Mapping[str, Thread], linked: Mapping[str, Sequence[Group]], door: _Door
) -> dict[str, ThreadEventFact]:
    """Return what happens to each known thread as its looks decide, within the rules.

    Of a thread that only its own words brought up again (nobody was asked about it) no more is said than that.
    """
    mentions = cast_mentions(unit, bible)
    looks = touches_of(unit, bible)
    found: dict[str, ThreadEventFact] = {}
    for name in (n for n in before if n in looks or n in linked):
        own = looks.get(name, {})
        votes = tuple(own[look].event for look in LOOKS if look in own)
        event = decide(own) if own else "reinforce" if name in linked else None
        if event is None or (event == UNTOUCHED and name in linked):
            if name in linked or any(vote not in (UNTOUCHED, UNPARSED) for vote in votes):
                code: IssueCode = "denied_twice" if event == UNTOUCHED else "undecided"
                door.shut(code, name, " ".join(votes) or "no look could be read")
            continue
        if event == UNTOUCHED:
            continue
        evidence = touched_by(event, own) or tuple(e for g in linked.get(name, ()) for e in g.evidence)[:MAX_EVIDENCE]
        shut = _shut(before[name], event, evidence, name in linked, (unit, bible, mentions))
        shut = shut or (
            ("undecided", f"{event}: the looks cite places far apart") if scattered(event, own, unit) else None
        )
        if shut is not None:
            door.shut(shut[0], name, shut[1])
            continue
        found[name] = ThreadEventFact(
            thread=name, chapter=unit.chapter.no, event=cast("ThreadEvent", event), evidence=evidence, votes=votes
        )
    return found


def _shut(
    thread: Thread, event: str, evidence: Sequence[Evidence], is_linked: bool, where: tuple[Unit, Bible, Mentions]
) -> tuple[IssueCode, str] | None:
    """Return the rule that keeps an event of a known thread out, with its reason, or None."""
    unit, bible, mentions = where
    if not evidence:
        return "no_evidence", f"{event} without a sentence"
    if any(unit.chapter.sentence_text(e.place) != e.text for e in evidence):
        return "evidence_not_in_chapter", "the words cited are not those of the chapter"
    if not is_linked and far_from(thread, evidence, unit, bible, mentions):
        return "thread_not_there", f"{event}: nothing of the thread stands near {evidence[0].place}"
    return None


def _answered_by(own: Sequence[Group], taken: Mapping[Place, str]) -> tuple[list[Group], dict[str, list[Group]]]:
    """Return the groups without those whose sentence already shows a known thread, and these by thread; new ones all stay."""
    left: list[Group] = []
    more: dict[str, list[Group]] = {}
    for group in own:
        name = taken.get(group.first.place)
        if name is None or group.check == "new":
            left.append(group)
        else:
            more.setdefault(name, []).append(group)
    return left, more


def _thread(group: Group, statements: Mapping[str, str], unit: Unit, bible: Bible) -> list[Fact]:
    """Return a thread that enters the book here, and its first event."""
    one = group.first
    words = _words(group, statements)
    mentions = cast_mentions(unit, bible)
    about = (*named_in(words, unit, bible), *standing_in(group.evidence, unit, mentions))
    evidence = _in_order(group.evidence, one.place)
    thread = ThreadFact(
        thread=one.thread,
        chapter=unit.chapter.no,
        kind=one.kind,
        statement=words,
        about=tuple(dict.fromkeys(about))[:MAX_ABOUT],
        evidence=evidence,
    )
    event = ThreadEventFact(
        thread=one.thread,
        chapter=unit.chapter.no,
        event=EVENT_OF[group.check],
        evidence=evidence,
        votes=(group.check, *group.looks),
    )
    return [thread, event]


def _of_known(thread: Thread, event: ThreadEventFact, groups: Sequence[Group], unit: Unit) -> list[Fact]:
    """Return the event the looks decided with the candidates near it, and one more for all that stand elsewhere.

    However often a chapter comes back to a thread, two events say it: what became of the thread, and that it was recalled besides.
    """
    evidence = {e.place: e for e in event.evidence}
    apart: list[Group] = []
    for group in groups:
        if near(unit, group.evidence, event.evidence):
            evidence.update((e.place, e) for e in group.evidence)
        else:
            apart.append(group)
    facts: list[Fact] = [event.model_copy(update={"evidence": tuple(evidence.values())[:MAX_EVIDENCE]})]
    if apart:
        besides = sorted({e.place: e for group in apart for e in group.evidence}.items())
        facts.append(
            ThreadEventFact(
                thread=thread.fact.thread,
                chapter=unit.chapter.no,
                event="reinforce",
                evidence=tuple(e for _, e in besides)[:MAX_BESIDES],
                votes=tuple(dict.fromkeys(vote for group in apart for vote in (group.check, *group.looks))),
            )
        )
    return facts


def _in_order(evidence: Sequence[Evidence], first: Place) -> tuple[Evidence, ...]:
    return tuple(sorted(evidence, key=lambda e: (e.place != first, e.place)))


STEP = ComputeStep(
    name="threads",
    part="threads",
    reads=frozenset({"entity", "name", "same", "thread_notice", "thread_say", "thread_touch"}),
    past=frozenset({"thread", "thread_event"}),
    writes=frozenset({"thread", "thread_event"}),
    compute=compute,
)
