"""Two results side by side: facts gained and lost with where and why, cost, significance, and whose answers stand.

*Ablation by replay*: of B's questions those that A asked in the same words keep their answer; new and changed ones have none,
and it is said which calls they need and at what price. Nothing is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from analyzer.models.base import Record
from analyzer.wording import counted
from evals.baselines import FIGURES
from evals.moved import Moved, fact_lines, moved_facts
from evals.needs import Needs, needs
from evals.records import Asked, ChapterResult, RunResult
from evals.scoring.difference import Difference, difference
from evals.scoring.figures import whole


class Cost(Record):
    """What a chapter cost on average; tokens are all input, and output."""

    n_chapters: int = 0
    calls: float = 0.0
    questions: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    cents: float = 0.0


class Standing(Record):
    """Of B's questions: asked by A in the same words, in others, not at all; and of A's those B no longer asks.

    `unanswered` are those of B that have no answer of their own (a replay's), `to_ask` is what these would take.
    """

    same: int
    changed: int
    new: int
    gone: int
    by_step: dict[str, tuple[int, int, int, int]]
    unanswered: int
    to_ask: Needs


class Comparison(Record):
    """A to B over the chapters both scored."""

    a: str
    b: str
    label_a: str
    label_b: str
    n_chapters: int
    figures: dict[str, Difference]
    moved: tuple[Moved, ...]
    cost_a: Cost
    cost_b: Cost
    standing: Standing
    trouble: dict[str, tuple[int, int]]


class _Place(NamedTuple):
    case: str
    chapter: int


def compare(a: RunResult, b: RunResult, *, price_model: str, seed: int = 0) -> Comparison:
    """Compare two results; only chapters that both scored, and read to their end, are looked at."""
    both = _places(a) & _places(b)
    old, new = _only(a, both), _only(b, both)
    figures = {name: difference(old.chapters, new.chapters, pick, seed=seed) for name, pick in FIGURES.items()}
    return Comparison(
        a=a.name,
        b=b.name,
        label_a=f"{a.label}, {a.answers}",
        label_b=f"{b.label}, {b.answers}",
        n_chapters=len(both),
        figures=figures,
        moved=tuple(moved_facts(figures, old, new)),
        cost_a=_cost(old.chapters),
        cost_b=_cost(new.chapters),
        standing=standing(old, new, price_model=price_model),
        trouble=_trouble(old.chapters, new.chapters),
    )


def _places(run: RunResult) -> set[_Place]:
    return {_Place(row.case, row.chapter) for row in whole(run.chapters)}


def _only(run: RunResult, places: set[_Place]) -> RunResult:
    chapters = tuple(row for row in run.chapters if (row.case, row.chapter) in places)
    asked = tuple(one for one in run.asked if (one.case, one.chapter) in places)
    return run.model_copy(update={"chapters": chapters, "asked": asked})


def _cost(rows: Sequence[ChapterResult]) -> Cost:
    n = len(rows)
    if not n:
        return Cost()
    return Cost(
        n_chapters=n,
        calls=sum(row.n_calls for row in rows) / n,
        questions=sum(row.n_questions for row in rows) / n,
        input_tokens=sum(row.usage.total_input for row in rows) / n,
        output_tokens=sum(row.usage.output for row in rows) / n,
        cents=sum(row.usd for row in rows) * 100 / n,
    )


def _trouble(old: Iterable[ChapterResult], new: Iterable[ChapterResult]) -> dict[str, tuple[int, int]]:
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for rows, total in ((old, before), (new, after)):
        for row in rows:
            total.update(row.trouble)
    return {name: (before[name], after[name]) for name in sorted(before | after) if before[name] != after[name]}


def standing(a: RunResult, b: RunResult, *, price_model: str) -> Standing:
    """Say whose answers stand from A to B, and what asking the rest would take at a model's price.

    What would be asked is what changed or is new where B was answered by something else than a recording, and what has no
    recorded answer where it was.
    """
    old, new = _by_key(a.asked), _by_key(b.asked)
    states = {key: _state(old.get(key), one) for key, one in new.items()}
    gone = [one for key, one in old.items() if key not in new]
    steps: dict[str, list[int]] = {}
    for key, state in states.items():
        steps.setdefault(new[key].step, [0, 0, 0, 0])[("same", "changed", "new").index(state)] += 1
    for one in gone:
        steps.setdefault(one.step, [0, 0, 0, 0])[3] += 1
    unanswered = [one for one in b.asked if one.status in ("unrecorded", "stale")]
    moved = [new[key] for key, state in states.items() if state != "same"]
    to_ask = {(one.case, one.chapter, one.step, one.key): one for one in [*moved, *unanswered]}
    n = Counter(states.values())
    return Standing(
        same=n["same"],
        changed=n["changed"],
        new=n["new"],
        gone=len(gone),
        by_step={step: (row[0], row[1], row[2], row[3]) for step, row in sorted(steps.items())},
        unanswered=len(unanswered),
        to_ask=needs(b, to_ask.values(), price_model),
    )


_Key = tuple[str, int, str]


def _by_key(asked: Iterable[Asked]) -> dict[_Key, Asked]:
    return {(one.case, one.chapter, one.key): one for one in asked}


def _state(before: Asked | None, now: Asked) -> str:
    if before is None:
        return "new"
    return "same" if before.wording == now.wording else "changed"


def shown(found: Comparison, *, most: int = 40) -> Iterator[str]:
    """Yield a comparison as lines; `most` facts of each figure and direction."""
    yield f"A  {found.a} [{found.label_a}]"
    yield f"B  {found.b} [{found.label_b}]"
    yield f"{counted(found.n_chapters, 'chapter')} that both scored"
    yield ""
    for name, row in found.figures.items():
        yield _figure_line(name, row)
    yield ""
    yield from fact_lines(found.moved, most=most)
    yield from _cost_lines(found)
    yield from _standing_lines(found.standing)


def _figure_line(name: str, row: Difference) -> str:
    if row.difference is None:
        return f"{name:22} no share"
    spread = f"[{row.low:+.1%}, {row.high:+.1%}]" if row.low is not None and row.high is not None else ""
    real = "" if row.p_draws >= 0.05 or not row.difference else "  beyond chance"
    return (
        f"{name:22} {row.before:.1%} -> {row.after:.1%}  {row.difference:+.1%} {spread}"
        f"  +{len(row.gained)} -{len(row.lost)}  p {row.p_items:.3f} (items), {row.p_draws:.3f} (draws){real}"
    )


def _cost_lines(found: Comparison) -> Iterator[str]:
    a, b = found.cost_a, found.cost_b
    yield ""
    yield "a chapter costs"
    for name, before, after in (
        ("calls", a.calls, b.calls),
        ("questions", a.questions, b.questions),
        ("tokens in", a.input_tokens, b.input_tokens),
        ("tokens out", a.output_tokens, b.output_tokens),
        ("cents", a.cents, b.cents),
    ):
        change = f"  {after / before - 1:+.1%}" if before else ""
        yield f"  {name:10} {before:,.4g} -> {after:,.4g}{change}"
    for name, (before_n, after_n) in found.trouble.items():
        yield f"  {name}: {before_n} -> {after_n}"


def _standing_lines(row: Standing) -> Iterator[str]:
    yield ""
    yield (
        f"answers that stand: {counted(row.same, 'question')} put in the same words, {row.changed:,} in others, {row.new:,} new, "
        f"{row.gone:,} no longer asked"
    )
    for step, (same, changed, new, gone) in row.by_step.items():
        if changed or new or gone:
            yield f"  {step}: {same} same, {changed} changed, {new} new, {gone} gone"
    if row.to_ask.n_questions:
        yield f"to ask the changed and new ones for real ({counted(row.to_ask.n_questions, 'question')}): {row.to_ask.words}"
    if row.unanswered:
        yield f"{counted(row.unanswered, 'question')} of B without a recorded answer in these words; none was made up"
