"""Facts gained and lost between two results: how each stands or was lost in both, and what was answered otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from analyzer.models.base import Record
from evals.baselines import FIGURES
from evals.records import Asked, Outcome, RunResult, Side, Traced
from evals.scoring.difference import Difference
from evals.scoring.figures import counted
from evals.traces import CAME, WORDS, traced_name

MOST_QUESTIONS = 6
"""Questions shown for one fact; half as many where it is recorded how it came or was lost."""
FACT_FIGURES = ("entities named", "entities right", "relations of family", "relations of kind", "relations right")
"""Figures whose facts are listed, the others only counted."""
NOT_RECORDED = "reason not recorded"
"""Said of a result from before reasons were kept, or of a fact such a result does not know."""
Sort = tuple[str, bool, bool]
"""Figure, gained or not, false or not."""


class Moved(Record):
    """A fact gained or lost; where `false`, something wrong that is said now (`gained`) or no longer.

    `a` and `b` say how it stands or where it was lost on each side, None where that was not recorded; `reasons` are the questions
    about it that were answered or put otherwise.
    """

    figure: str
    gained: bool
    case: str
    chapter: int
    key: str
    text: str
    false: bool = False
    a: Traced | None = None
    b: Traced | None = None
    reasons: tuple[str, ...] = ()

    @property
    def sort(self) -> Sort:
        """Under what it is listed."""
        return self.figure, self.gained, self.false

    @property
    def cause(self) -> Traced | None:
        """The side that says why it is missing: B of what was lost, A of what was gained."""
        return self.a if self.gained else self.b


class _Side:
    """One result, by chapter."""

    def __init__(self, run: RunResult) -> None:
        self.chapters = {(row.case, row.chapter): row for row in run.chapters}
        self.outcomes = {(row.case, row.chapter, o.side, o.key): o for row in run.chapters for o in row.outcomes}
        self.asked: dict[tuple[str, int], list[Asked]] = {}
        for one in run.asked:
            self.asked.setdefault((one.case, one.chapter), []).append(one)

    def traced(self, case: str, chapter: int, side: Side, key: str, partner: str) -> Traced | None:
        """Return what is recorded of an item: of one not said here what became of the claim, else of the gold item it means."""
        row = self.chapters.get((case, chapter))
        if row is None or not row.traced:
            return None
        own = row.traced.get(traced_name(side, key))
        if own is not None or side != "said":
            return own
        meant = row.traced.get(traced_name("gold", partner))
        if meant is not None and meant.reason in CAME:
            meant = meant.model_copy(update={"reason": "otherwise"})
        return row.traced.get(traced_name("claim", key)) or meant or Traced(step="", reason="not_said")


def moved_facts(figures: Mapping[str, Difference], a: RunResult, b: RunResult) -> Iterator[Moved]:
    """Yield the facts gained and lost figure by figure, then what is wrong and said by one side alone."""
    old, new = _Side(a), _Side(b)
    for name in FACT_FIGURES:
        for gained, items in ((True, figures[name].gained), (False, figures[name].lost)):
            for case, chapter, key in items:
                yield _moved(old, new, name, (case, chapter, key), gained=gained)
        if FIGURES[name].side == "said":
            before, after = _false(a, name), _false(b, name)
            for gained, places in ((True, after - before), (False, before - after)):
                other = old if gained else new
                for case, chapter, key in sorted(places):
                    if (case, chapter, "said", key) not in other.outcomes:
                        yield _moved(old, new, name, (case, chapter, key), gained=gained, false=True)


def _false(run: RunResult, name: str) -> set[tuple[str, int, str]]:
    pick = FIGURES[name]
    return {(row.case, row.chapter, o.key) for row in run.chapters for o in row.outcomes if counted(o, pick) is False}


def _moved(
    old: _Side, new: _Side, name: str, item: tuple[str, int, str], *, gained: bool, false: bool = False
) -> Moved:
    case, chapter, key = item
    side = FIGURES[name].side
    place = (case, chapter, side, key)
    there: list[Outcome] = [s.outcomes[place] for s in ((new, old) if gained else (old, new)) if place in s.outcomes]
    partner = next((o.partner for o in there if o.partner), "")
    a, b = (side_of.traced(case, chapter, side, key, partner) for side_of in (old, new))
    questions = _otherwise(key, old.asked.get((case, chapter), []), new.asked.get((case, chapter), []))
    return Moved(
        figure=name,
        gained=gained,
        false=false,
        case=case,
        chapter=chapter,
        key=key,
        text=there[0].text if there else key,
        a=a,
        b=b,
        reasons=tuple(islice(questions, MOST_QUESTIONS // (1 if a is None or b is None else 2))),
    )


def _otherwise(key: str, old: Iterable[Asked], new: Iterable[Asked]) -> Iterator[str]:
    """Yield what was asked about the people of a fact and came out otherwise, the questions that name all of them first."""
    names = [part for part in key.split(" | ")[1:] if part]
    ends = [names[0], names[-1]] if names else []
    before, after = {one.key: one for one in old}, {one.key: one for one in new}
    about = [k for k in before.keys() | after.keys() if any(end in k for end in ends)]
    about.sort(key=lambda k: (-sum(end in k for end in ends), k))
    for k in about:
        a, b = before.get(k), after.get(k)
        line = _changed(a, b)
        if line:
            yield f"{(b or a or before[k]).step}: {k}: {line}"


def _changed(a: Asked | None, b: Asked | None) -> str:
    """Return in words how a question and its answer changed, "" where both are as they were."""
    if a is None or b is None:
        return f"only B asks it, {_said(b)}" if b else f"B does not ask it (A: {_said(a)})"
    if (a.picked, a.status) != (b.picked, b.status):
        changed = ", and it is put otherwise" if a.wording != b.wording else ""
        return f"{_said(a)}, then {_said(b)}{changed}"
    return "put otherwise, the same answer" if a.wording != b.wording else ""


def _said(one: Asked | None) -> str:
    if one is None:
        return "nothing"
    return " ".join(one.picked) or one.status


_HEADINGS = {(True, False): "gained", (False, False): "lost", (True, True): "false now", (False, True): "false no more"}


def fact_lines(moved: Sequence[Moved], *, most: int) -> Iterator[str]:
    """Yield what moved as lines, `most` facts of each sort, each sort with a count of where its facts were lost."""
    for sort in dict.fromkeys(one.sort for one in moved):
        rows = [one for one in moved if one.sort == sort]
        figure, gained, false = sort
        yield f"{_HEADINGS[gained, false]} ({figure}): {len(rows)}"
        yield f"    {'before' if gained else 'now'}: {_tally(rows)}"
        for one in rows[:most]:
            yield f"  {one.case} {one.chapter}: {one.text}"
            yield from (f"      {line}" for line in reason_lines(one))
        if len(rows) > most:
            yield f"  and {len(rows) - most} more"


def _tally(rows: Iterable[Moved]) -> str:
    counts = Counter(short(one.cause) for one in rows)
    return ", ".join(f"{n} {where}" for where, n in sorted(counts.items(), key=lambda row: (-row[1], row[0])))


def reason_lines(one: Moved) -> Iterator[str]:
    """Yield how a fact stands in A and in B with the votes, then the questions answered or put otherwise."""
    if one.a is None and one.b is None:
        yield NOT_RECORDED
    else:
        yield f"A: {told(one.a)}"
        yield f"B: {told(one.b)}"
    yield from one.reasons


def short(traced: Traced | None) -> str:
    """Return step and reason as a few words."""
    if traced is None:
        return NOT_RECORDED
    words = (traced.step, traced.reason.replace("_", " "), f"({traced.code.replace('_', ' ')})" if traced.code else "")
    return " ".join(word for word in words if word)


def told(traced: Traced | None) -> str:
    """Return in words at which step an item came or was lost, by which rule, and what the votes were."""
    if traced is None:
        return NOT_RECORDED
    step = f"{traced.step}: " if traced.step else ""
    code = f" [{traced.code}]" if traced.code else ""
    detail = f" ({traced.detail})" if traced.detail else ""
    votes = f"; votes: {'; '.join(traced.votes)}" if traced.votes else ""
    return f"{step}{WORDS.get(traced.reason, traced.reason)}{code}{detail}{votes}"
