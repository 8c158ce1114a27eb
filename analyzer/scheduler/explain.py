"""What an estimate is made of, step by step and chapter by chapter, and why a step is asked the way it is.

Every figure is a sum of the estimate's own cells; every reason is read from where it is decided (the step, the order of steps, what
was measured, what is switched off, what is answered), never told a second time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal

from analyzer.models.base import Record
from analyzer.models.run import Price, Usage
from analyzer.models.text import Manuscript
from analyzer.scheduler.plan import DECISIONS_PACK, Cell, Estimate, Planned, planned
from analyzer.steps._registry import load_steps, switched
from analyzer.steps._step import AskStep
from analyzer.wording import in_rows

Source = Literal["step", "profile", "measured", "order", "settings", "store", "text"]
"""Where a reason stands: the step's own declaration, the endpoint's limits, what was measured, the order of steps, the parts
switched off, what the store holds already, the words of the chapters."""


class Why(Record):
    """One reason in a few words, and where it stands."""

    words: str
    source: Source


class Figures(Record):
    """What is asked; tokens by class are disjoint, `usd` is the likely figure (None: no price).

    `packs` are the most questions of a call: one figure, or at a decisions endpoint also that of the chat beside it, which comes first.
    """

    candidates: int
    questions: int
    packs: tuple[int, ...]
    calls: int
    cache_read: int
    cache_write: int
    input: int
    output: int
    usd: float | None


class ExplainedChapter(Figures):
    """One step in one chapter."""

    chapter: int


class ExplainedStep(Figures):
    """One step over all chapters: the sums of `chapters`. `sign` says what is counted as `candidates` ("" where nothing is asked)."""

    step: str
    sign: str
    why: tuple[Why, ...]
    chapters: tuple[ExplainedChapter, ...]


class Explanation(Record):
    """The estimate, and the steps it is the sum of; those switched off stand last."""

    estimate: Estimate
    steps: tuple[ExplainedStep, ...]


def explained(
    manuscript: Manuscript,
    chapters: Sequence[int],
    *,
    model: str,
    price: Price | None,
    done: Collection[tuple[str, int]] = (),
    maybe: Collection[tuple[str, int]] = (),
    off: Collection[str] = (),
) -> Explanation:
    """Return the estimate that `estimate` returns for the same, with its steps and chapters and why."""
    made = planned(manuscript, chapters, model=model, price=price, done=done, maybe=maybe, off=off)
    every = [step for step in load_steps() if isinstance(step, AskStep)]
    kept = {step.name for step in switched(load_steps(), off)}
    steps = [
        _step(step, made, sorted(n for name, n in done if name == step.name and n in chapters))
        for step in every
        if step.name in kept
    ]
    named = {step.part for step in every} | {step.name for step in every}
    for step in every:
        if step.name not in kept:
            by = next((name for name in (step.part, step.name) if name in off and name in named), "")
            words = f"left out: {by} is off" if by else "left out: what it stands on is off"
            steps.append(_row(step.name, (), made, (Why(words=words, source="settings"),)))
    return Explanation(estimate=made.estimate, steps=tuple(steps))


def _step(step: AskStep, made: Planned, answered: Sequence[int]) -> ExplainedStep:
    cells = [cell for cell in made.cells if cell.step == step.name]
    return _row(step.name, cells, made, tuple(_whys(step, cells, answered, made.prices.decides)))


def _whys(step: AskStep, cells: Sequence[Cell], answered: Sequence[int], decides: bool) -> list[Why]:
    """Return the reasons: what is not asked, who writes the prefix, the packs, the order."""
    found: list[Why] = []
    if answered:
        found.append(Why(words=f"answered already: {in_rows(answered)}", source="store"))
    asked = [cell for cell in cells if cell.questions]
    if not asked:
        if cells:
            some = any(cell.candidates for cell in cells)
            words = "too rarely asked to be counted on" if some else "nothing in the text to ask about"
            found.append(Why(words=words, source="measured" if some else "text"))
        return found
    return [*found, *_prefix_whys(asked), *_pack_whys(step, asked, decides), *_order_whys(step)]


def _prefix_whys(asked: Sequence[Cell]) -> Iterator[Why]:
    writes = sorted(cell.chapter for cell in asked if cell.usage.cache_write)
    if writes:
        yield Why(words=f"asked first: writes the prefix of {in_rows(writes)}", source="order")
    beside = sorted(cell.chapter for cell in asked if cell.beside.cache_write)
    if beside:
        yield Why(words=f"first by chat: writes its prefix of {in_rows(beside)}", source="order")


def _pack_whys(step: AskStep, asked: Sequence[Cell], decides: bool) -> Iterator[Why]:
    if decides and any(cell.usage.total_input for cell in asked):
        yield Why(words=f"whole packs, about {DECISIONS_PACK} questions", source="profile")
    if any(step.pack_size in cell.packs for cell in asked):
        cut = not decides and any(cell.questions > step.pack_size for cell in asked)
        yield Why(words=f"{'cut at' if cut else 'at most'} {step.pack_size} a call", source="step")
    if step.n_groups > 1:
        yield Why(words=f"{step.n_groups} groups that share no call", source="step")


def _order_whys(step: AskStep) -> Iterator[Why]:
    if step.confirms:
        yield Why(words="asked again to confirm what was found", source="step")
    if step.carries:
        yield Why(words="along the book: the next chapter waits for it", source="step")
    elif step.past:
        yield Why(words="along the book: needs all chapters before", source="step")


def _figures(cells: Sequence[Cell], made: Planned) -> dict[str, Any]:
    """Return the fields of `Figures`."""
    usage = sum((cell.both for cell in cells), Usage())
    return {
        "candidates": sum(cell.candidates for cell in cells),
        "questions": sum(cell.questions for cell in cells),
        "packs": max((cell.packs for cell in cells), key=len, default=()),
        "calls": sum(cell.calls for cell in cells),
        **usage.model_dump(include={"cache_read", "cache_write", "input", "output"}),
        "usd": made.prices.usd(cells) if made.prices.price else None,
    }


def _row(name: str, cells: Sequence[Cell], made: Planned, why: tuple[Why, ...]) -> ExplainedStep:
    parts = tuple(ExplainedChapter(chapter=cell.chapter, **_figures((cell,), made)) for cell in cells)
    return ExplainedStep(
        step=name, sign=cells[0].sign if cells else "", why=why, chapters=parts, **_figures(cells, made)
    )
