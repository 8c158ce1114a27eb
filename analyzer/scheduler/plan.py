"""The estimate: what a run would ask and cost, per step, without a single call.

What a chapter asks is predicted from what code sees in it (scheduler/signs.py), by rates measured on gold chapters
(calibration.toml). Calls, cache writes and reads follow from pack sizes and the prefix, money from the price.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from analyzer.llm.prices import DECISIONS, price_of
from analyzer.llm.usage import count_tokens
from analyzer.models.base import Record
from analyzer.models.run import Price, Usage
from analyzer.models.text import Manuscript
from analyzer.prompts import system_text
from analyzer.scheduler.rates import Calibration, Decided, Rate, calibration, decided_rates
from analyzer.scheduler.signs import Signs, signs_by_chapter, tokens_by_chapter
from analyzer.steps._registry import load_steps, switched
from analyzer.steps._step import AskStep


class EstimateRow(Record):
    """One step over all chapters; money None where the model has no price. `input_tokens` are those not read from cache."""

    step: str
    n_questions: int
    n_calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    low_usd: float | None
    likely_usd: float | None
    high_usd: float | None


class Estimate(Record):
    """The whole run; `price_note` names model, price and its source.

    What may come on top of all other figures: at most `more_calls` and `more_usd`, where what is shown in `more_chapters`
    (numbers) turns out to be another cast than the one answered about.
    """

    model: str
    price_note: str
    n_chapters: int
    n_questions: int
    n_calls: int
    low_usd: float | None
    likely_usd: float | None
    high_usd: float | None
    rows: tuple[EstimateRow, ...]
    more_calls: int = 0
    more_usd: float | None = None
    more_chapters: tuple[int, ...] = ()


CAST_TOKENS = 350
"""Tokens of the cast in scope. Source: prefixes less text and instructions, mean over the gold chapters (-600 to 780)."""


UNMEASURED = 3.7
"""How many times the tokens of chat a question of a step without a rate takes. Source: the median of those with one."""
DECISIONS_PACK = 250
"""Questions of a step in one pack at a decisions endpoint: 400 choices, or 100 selects, whichever there are; between the two."""


class Cell(NamedTuple):
    """What one step is likely to ask of one chapter.

    `candidates` is the count of the chapter's `sign` (a field of Signs) that the questions are told from. `packs` are the most
    questions of a call, one figure for each way they go (at a decisions endpoint also the chat beside it). `beside` is what goes by
    that chat, `usage` all else.
    """

    step: str
    chapter: int
    sign: str
    candidates: int
    questions: int
    packs: tuple[int, ...]
    calls: int
    usage: Usage
    beside: Usage

    @property
    def both(self) -> Usage:
        """All that is used, at whatever price."""
        return self.usage + self.beside


class Prices(NamedTuple):
    """The price of who is asked (None: unknown), and of the chat beside where that is a decisions endpoint."""

    price: Price | None
    beside: Price | None
    decides: bool

    def usd(self, cells: Iterable[Cell]) -> float:
        """Return what these cells cost; 0 where no price is known."""
        usage, beside = Usage(), Usage()
        for cell in cells:
            usage, beside = usage + cell.usage, beside + cell.beside
        own = self.price.cost_usd(usage) if self.price else 0.0
        return own + (self.beside.cost_usd(beside) if self.beside else 0.0)


class Planned(NamedTuple):
    """An estimate and the cells it is the sum of, chapter by chapter in the order of steps."""

    estimate: Estimate
    cells: tuple[Cell, ...]
    prices: Prices


def estimate(
    manuscript: Manuscript,
    chapters: Sequence[int],
    *,
    model: str,
    price: Price | None,
    done: Collection[tuple[str, int]] = (),
    maybe: Collection[tuple[str, int]] = (),
    off: Collection[str] = (),
    measured: Calibration | None = None,
) -> Estimate:
    """Return the estimate for these chapters; tasks in `done` are left out, and what their chapters name is known already.

    `maybe` are those of `done` that are asked anew where what they show has changed: a bound of theirs stands beside.
    Pure but for the tokenizer's file. `measured` stands in for the bundled calibration.
    `off` are the parts and steps the book has switched off.
    """
    made = planned(manuscript, chapters, model=model, price=price, done=done, maybe=maybe, off=off, measured=measured)
    return made.estimate


def planned(
    manuscript: Manuscript,
    chapters: Sequence[int],
    *,
    model: str,
    price: Price | None,
    done: Collection[tuple[str, int]] = (),
    maybe: Collection[tuple[str, int]] = (),
    off: Collection[str] = (),
    measured: Calibration | None = None,
) -> Planned:
    """Return the same estimate with its cells; what is done has none."""
    steps = [step for step in switched(load_steps(), off) if isinstance(step, AskStep)]
    used = measured or calibration()
    prices = _prices(model, price)
    system = count_tokens(system_text("lines"))
    read = sorted({*chapters, *(n for _, n in done if n <= len(manuscript.chapters))})
    signs, tokens = signs_by_chapter(manuscript, read), tokens_by_chapter(manuscript, chapters)
    prefixes = {number: system + CAST_TOKENS + tokens[number] for number in chapters}
    cells = tuple(_cells(signs, prefixes, steps, used.rates, done, prices.decides))
    rows = tuple(_row(name, found, prices, used) for name, found in _by_step(cells, steps).items())
    likely = sum(r.likely_usd for r in rows if r.likely_usd is not None) if price else None
    again = sorted({number for _, number in maybe} & prefixes.keys())
    left = set(done) - set(maybe)
    most = tuple(_cells(signs, prefixes, steps, used.rates, left, prices.decides)) if again else cells
    more = _more(_by_step(cells, steps), _by_step(most, steps), prices, used)
    made = Estimate(
        model=model,
        price_note=_note(model, price),
        n_chapters=len(chapters),
        n_questions=sum(r.n_questions for r in rows),
        n_calls=sum(r.n_calls for r in rows),
        low_usd=likely * used.low if likely is not None else None,
        likely_usd=likely,
        high_usd=likely * used.high if likely is not None else None,
        rows=rows,
        more_calls=more[0],
        more_usd=more[1],
        more_chapters=tuple(again) if more[0] else (),
    )
    return Planned(made, cells, prices)


def _by_step(cells: Iterable[Cell], steps: Sequence[AskStep]) -> dict[str, list[Cell]]:
    found: dict[str, list[Cell]] = {step.name: [] for step in steps}
    for cell in cells:
        found[cell.step].append(cell)
    return found


def _more(
    sums: Mapping[str, Sequence[Cell]], most: Mapping[str, Sequence[Cell]], prices: Prices, used: Calibration
) -> tuple[int, float | None]:
    """Return the calls and dollars of `most` beyond those of `sums`, at the upper bound."""
    asked = [sum(cell.calls for cells in of.values() for cell in cells) for of in (most, sums)]
    calls = math.ceil((asked[0] - asked[1]) * used.high)
    if prices.price is None:
        return calls, None
    usd = sum(map(prices.usd, most.values())) - sum(map(prices.usd, sums.values()))
    return calls, max(0.0, usd) * used.high


def _prices(model: str, price: Price | None) -> Prices:
    """Return the prices of `model`; where it decides and its chat has none, everything counts at the price given."""
    decides = model.startswith(DECISIONS)
    beside = (price_of(model.removeprefix(DECISIONS)) or price) if decides and price else None
    return Prices(price, beside, decides)


class _Portion(NamedTuple):
    """Those of a step's questions that go one way: tokens in and out of each, requests of a pack, and whether by the chat beside."""

    questions: int
    pack: int
    tail: float
    output: float
    requests: float
    beside: bool


def _portions(step: AskStep, rate: Rate, questions: int, decides: bool) -> Iterator[_Portion]:
    """Yield the ways a step's questions go that are taken at all: one, or at a decisions endpoint up to two."""
    by_chat, own = questions, None
    if decides:
        own = decided_rates().get(step.name) or Decided(UNMEASURED * rate.tail, 2.0, 0.0)
        by_chat = round(questions * own.chat)
    if by_chat:
        yield _Portion(by_chat, step.pack_size, rate.tail, rate.output, 1.0, decides)
    if own and by_chat < questions:
        yield _Portion(questions - by_chat, DECISIONS_PACK, own.tail, 0.0, own.requests, False)


def _cells(
    signs: Mapping[int, Signs],
    prefixes: Mapping[int, int],
    steps: Sequence[AskStep],
    rates: Mapping[str, Rate],
    done: Collection[tuple[str, int]],
    decides: bool,
) -> Iterator[Cell]:
    """Yield what the chapters of `prefixes` (number -> tokens) ask, but for what is done.

    Who is asked first of a chapter writes its prefix; at a decisions endpoint the chat beside it writes its own.
    """
    for number, prefix in prefixes.items():
        cold = {False: prefix, True: prefix}
        for step in steps:
            rate = rates.get(step.name)
            if rate is None or (step.name, number) in done:
                continue
            questions = rate.questions(signs[number])
            used = {False: Usage(), True: Usage()}
            calls, packs = 0, []
            for part in _portions(step, rate, questions, decides):
                n = max(math.ceil(part.questions / part.pack), min(step.n_groups, part.questions))
                shown, write = round(prefix * n * part.requests), cold[part.beside]
                used[part.beside] += Usage(
                    input=round(part.questions * part.tail),
                    cache_write=write,
                    cache_read=max(0, shown - write),
                    output=round(part.questions * part.output),
                )
                cold[part.beside] = 0
                calls += n
                packs.append(part.pack)
            seen: int = getattr(signs[number], rate.sign)
            yield Cell(step.name, number, rate.sign, seen, questions, tuple(packs), calls, used[False], used[True])


def _row(name: str, cells: Sequence[Cell], prices: Prices, used: Calibration) -> EstimateRow:
    likely = prices.usd(cells) if prices.price else None
    usage = sum((cell.both for cell in cells), Usage())
    return EstimateRow(
        step=name,
        n_questions=sum(cell.questions for cell in cells),
        n_calls=sum(cell.calls for cell in cells),
        input_tokens=usage.input + usage.cache_write,
        cached_tokens=usage.cache_read,
        output_tokens=usage.output,
        low_usd=likely * used.low if likely is not None else None,
        likely_usd=likely,
        high_usd=likely * used.high if likely is not None else None,
    )


def _note(model: str, price: Price | None) -> str:
    if price is None:
        return f"{model}: no price known"
    rates = f"{price.input:g}/{price.cache_read:g}/{price.cache_write:g}/{price.output:g}"
    beside = f"; notes by {model.removeprefix(DECISIONS)} in chat" if model.startswith(DECISIONS) else ""
    return f"{model}, ${rates} a million tokens (fresh/read/written/out), prices of {price.date}{beside}"
