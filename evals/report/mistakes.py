"""The list of errors: every missed core item and every wrong statement, with the questions asked about it and the votes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from analyzer.steps._registry import load_steps
from evals.records import Asked, ChapterResult, ItemClass, Outcome, RunResult
from evals.report.wording import CLASS_NAMES, shown
from evals.scoring.figures import CLASSES, HEADLINE, counted, precision_of, recall_of
from evals.scoring.names import plain
from evals.tracing_story import part_of

MistakeKind = Literal["missed", "wrong", "other kind", "duplicate", "debatable"]
KIND_TITLES: dict[MistakeKind, str] = {
    "missed": "missed",
    "wrong": "wrong",
    "other kind": "found, with another kind",
    "duplicate": "said twice",
    "debatable": "debatable",
}
MAX_QUESTIONS = 8
"""Shown of one error; what else was asked is counted."""
_VOTE = "relation.confirm"
_HANDLE = re.compile(r"@\d+")
_NUMBERED = re.compile(r" #\d+\Z")


class Exchange(NamedTuple):
    """A question with what came back, ready to print.

    `ask` is the decision with what narrows it, `vote` what a confirming question's answer counted as, else "".
    """

    step: str
    ask: str
    question: str
    picked: str
    cited: str
    vote: str


class Mistake(NamedTuple):
    """One error: `text` the item, `why` what is known of it, `exchanges` what was asked, `n_more` how much more was."""

    case: str
    chapter: int
    cls: ItemClass
    kind: MistakeKind
    text: str
    why: str
    exchanges: tuple[Exchange, ...] = ()
    n_more: int = 0


def mistakes(result: RunResult) -> tuple[Mistake, ...]:
    """Return the errors of a run by case, chapter, class and kind; a class of which nothing was ever said is all missed."""
    asked: dict[tuple[str, int], list[Asked]] = {}
    for one in result.asked:
        asked.setdefault((one.case, one.chapter), []).append(one)
    found = []
    for chapter in result.chapters:
        if not chapter.unscored:
            desk = _Desk(chapter, asked.get((chapter.case, chapter.chapter), ()))
            found += [_mistake(desk, outcome, kind) for outcome, kind in _errors(chapter.outcomes)]
    order = list(KIND_TITLES)
    return tuple(sorted(found, key=lambda m: (m.case, m.chapter, CLASSES.index(m.cls), order.index(m.kind), m.text)))


def _errors(outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, MistakeKind]]:
    for outcome in outcomes:
        kind = _kind(outcome)
        if kind is not None:
            yield outcome, kind


def _kind(outcome: Outcome) -> MistakeKind | None:
    cls = outcome.cls
    if outcome.side == "gold":
        hit = counted(outcome, recall_of(cls, judged=True))
        if hit is False:
            return "missed"
        return "other kind" if hit and not outcome.judged and outcome.hits.get("kind") is False else None
    if outcome.judged == "debatable" and HEADLINE[cls] in outcome.hits:
        return "debatable"
    if counted(outcome, precision_of(cls, judged=True)) is False:
        return "wrong"
    return "duplicate" if outcome.hits.get("single") is False else None


class _Desk:
    """The questions of one chapter, found again by whom they are about."""

    def __init__(self, chapter: ChapterResult, asked: Sequence[Asked]) -> None:
        self.chapter = chapter
        self.asked = asked
        self.handles = chapter.handles
        self.about = [(one, frozenset(self._names(about_of(one)))) for one in asked]

    def _names(self, words: Iterable[str]) -> Iterator[str]:
        for word in words:
            yield plain(word)
            if word in self.handles:
                yield plain(self.handles[word])

    def on(self, outcome: Outcome) -> list[Asked]:
        """Return what was asked about an item: about both ends first, then whom an end was picked for."""
        if outcome.cls == "entity":
            name = {plain(self._entity_name(outcome))}
            return [one for one, about in self.about if one.step.startswith("cast_") and name & about]
        if outcome.cls != "relation":
            return self._on_story(outcome)
        ends = ends_of(outcome)
        kind = _NUMBERED.sub("", outcome.key).split(" | ")[2:3]
        both = [one for one, about in self.about if _is_pair(one, *kind) and ends and ends <= about]
        both.sort(key=lambda one: not {*kind, outcome.group} & {*_ask(one).split(":")})
        return both + [one for one, about in self.about if _selects(one, outcome.group) and ends & about]

    def _on_story(self, outcome: Outcome) -> list[Asked]:
        """Return what the steps of an item's part asked about its people, that of its own kind first; of a plant nothing."""
        part, people = part_of(outcome.cls), people_in(outcome)
        own = [(one, about) for one, about in self.about if _part_of_step(one.step) == part and people & about]
        return [
            one for one, _ in sorted(own, key=lambda row: bool(outcome.group) and outcome.group not in _ask(row[0]))
        ]

    def _entity_name(self, outcome: Outcome) -> str:
        return _NUMBERED.sub("", outcome.key).removeprefix("entity | ")


def _mistake(desk: _Desk, outcome: Outcome, kind: MistakeKind) -> Mistake:
    asked = desk.on(outcome)
    told = tuple(dict.fromkeys(exchange(one, desk.handles) for one in asked))
    exchanges = told[:MAX_QUESTIONS]
    return Mistake(
        case=shown(desk.chapter.case, 60),
        chapter=desk.chapter.chapter,
        cls=outcome.cls,
        kind=kind,
        text=shown(outcome.text),
        why=_why(desk, outcome, kind),
        exchanges=exchanges,
        n_more=len(told) - len(exchanges),
    )


def _why(desk: _Desk, outcome: Outcome, kind: MistakeKind) -> str:
    if kind == "missed":
        if outcome.judged == "wrong":
            return f"a judge called wrong what matched it: {_spoken(outcome.partner)}"
        if outcome.partner:
            return f"nearest statement: {_spoken(outcome.partner)}"
        return _unasked(desk, outcome)
    if kind == "other kind":
        return f"said: {_spoken(outcome.partner)}"
    if kind == "wrong":
        near = f"; nearest in gold: {_spoken(outcome.partner)}" if outcome.partner else ""
        return ("a judge called it wrong" if outcome.judged else "not in gold, not judged") + near
    return "true for one reader, not for another" if kind == "debatable" else f"same as {_spoken(outcome.partner)}"


def _spoken(key: str) -> str:
    """Return an outcome's key as words: "relation | A | serves | B" is "A serves B"."""
    return shown(" ".join(_NUMBERED.sub("", key).split(" | ")[1:]) or key)


def _unasked(desk: _Desk, outcome: Outcome) -> str:
    if outcome.cls not in ("entity", "relation") or not desk.asked:
        return ""
    if outcome.cls == "entity":
        return "" if desk.on(outcome) else "no question was asked about this name"
    known = {plain(name) for name in desk.handles.values()}
    absent = sorted(end for end in ends_of(outcome) if end not in known)
    return f"not in the cast: {shown(', '.join(absent))}" if absent and known else ""


def people_in(outcome: Outcome) -> frozenset[str]:
    """Return those in the key of an item of the story, as names are compared; the key of a plant names nobody."""
    parts = _NUMBERED.sub("", outcome.key).split(" | ")
    named = parts[1].split(", ") if len(parts) > 2 and outcome.cls != "plant" else []
    return frozenset(map(plain, named))


@lru_cache(maxsize=128)
def _part_of_step(step: str) -> str:
    return next((one.part for one in load_steps() if one.name == step), "")


def ends_of(outcome: Outcome) -> frozenset[str]:
    """Return the two ends of a relation's key, as names are compared."""
    parts = _NUMBERED.sub("", outcome.key).split(" | ")
    return frozenset(plain(parts[i]) for i in (1, 3)) if len(parts) == 4 else frozenset()


def about_of(asked: Asked) -> tuple[str, ...]:
    """Return whom a question is about: as recorded, else from the brackets of its key."""
    if asked.about:
        return asked.about
    inside = asked.key.partition("[")[2].rpartition("]")[0]
    words = []
    for who in inside.split(" + "):
        handle, equals, name = who.partition("=")
        words += [handle, name] if equals and _HANDLE.fullmatch(handle) else [re.sub(r" at \d+\.\d+\Z", "", who)]
    return tuple(word for word in words if word)


def _ask(asked: Asked) -> str:
    """Return the decision a key names with what narrows it: "relation.confirm:first:friend_of"."""
    return asked.key.partition(" [")[0]


def _is_pair(asked: Asked, kind: str = "") -> bool:
    """Whether a question is about two people; of the details only those of this kind."""
    if asked.step == "relation_detail":
        return _ask(asked).endswith(f":{kind}")
    return asked.step == "relation_kind" or asked.key.startswith(_VOTE)


def _selects(asked: Asked, family: str) -> bool:
    return asked.step == "relation_select" and (not family or _ask(asked).endswith(f":{family}"))


def exchange(asked: Asked, handles: Mapping[str, str]) -> Exchange:
    """Return a question with its answer in words; handles are shown with their names."""

    def named(text: str) -> str:
        return _HANDLE.sub(
            lambda at: f"{at.group()} {handles[at.group()]}" if at.group() in handles else at.group(), text
        )

    picks = []
    for key in asked.picked:
        words = asked.options.get(key, "")
        picks.append(f"{key}: {words}" if words else named(key))
    status = "none of the options" if asked.status == "none" else asked.status
    return Exchange(
        step=shown(asked.step, 40),
        ask=shown(_ask(asked), 80),
        question=shown(asked.line or asked.key),
        picked=shown("; ".join(picks) or status),
        cited=shown(", ".join(asked.cited), 80),
        vote=_vote(asked),
    )


def _vote(asked: Asked) -> str:
    if not asked.key.startswith(_VOTE):
        return ""
    return shown(f"{_ask(asked).rpartition(':')[2]}: {asked.picked[0] if asked.picked else asked.status}", 60)


def votes_of(mistake: Mistake) -> str:
    """Return the votes on an item's pair, those on its own kind first ("" for none)."""
    return ", ".join(one.vote for one in mistake.exchanges if one.vote)


def class_title(cls: ItemClass, kind: MistakeKind) -> str:
    """Return how a group of errors is called."""
    return f"{CLASS_NAMES[cls]}: {KIND_TITLES[kind]}"
