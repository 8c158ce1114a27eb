"""The estimate: what a run would ask and cost, per step, without a single call.

What a chapter asks is predicted from what code sees in it (scheduler/signs.py), by rates measured on gold chapters
(calibration.toml). Calls, cache writes and reads follow from pack sizes and the prefix, money from the price.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
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


class _Sum:
    def __init__(self) -> None:
        self.questions = self.calls = 0
        self.usage = Usage()
        self.beside = Usage()
        """What goes by the chat beside a decisions endpoint."""

    @property
    def both(self) -> Usage:
        """All that is used, at whatever price."""
        return self.usage + self.beside


class _Prices(NamedTuple):
    """The price of who is asked (None: unknown), and of the chat beside where that is a decisions endpoint."""

    price: Price | None
    beside: Price | None
    decides: bool

    def usd(self, found: _Sum) -> float:
        """Return what a step costs; 0 where no price is known."""
        own = self.price.cost_usd(found.usage) if self.price else 0.0
        return own + (self.beside.cost_usd(found.beside) if self.beside else 0.0)


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
    steps = [step for step in switched(load_steps(), off) if isinstance(step, AskStep)]
    used = measured or calibration()
    prices = _prices(model, price)
    system = count_tokens(system_text("lines"))
    read = sorted({*chapters, *(n for _, n in done if n <= len(manuscript.chapters))})
    signs, tokens = signs_by_chapter(manuscript, read), tokens_by_chapter(manuscript, chapters)
    prefixes = {number: system + CAST_TOKENS + tokens[number] for number in chapters}
    sums = _sums(signs, prefixes, steps, used.rates, done, prices.decides)
    rows = tuple(_row(name, found, prices, used) for name, found in sums.items())
    likely = sum(r.likely_usd for r in rows if r.likely_usd is not None) if price else None
    again = sorted({number for _, number in maybe} & prefixes.keys())
    most = _sums(signs, prefixes, steps, used.rates, set(done) - set(maybe), prices.decides) if again else sums
    more = _more(sums, most, prices, used)
    return Estimate(
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


def _more(
    sums: Mapping[str, _Sum], most: Mapping[str, _Sum], prices: _Prices, used: Calibration
) -> tuple[int, float | None]:
    """Return the calls and dollars of `most` beyond those of `sums`, at the upper bound."""
    calls = sum(found.calls for found in most.values()) - sum(found.calls for found in sums.values())
    if prices.price is None:
        return math.ceil(calls * used.high), None
    usd = sum(map(prices.usd, most.values())) - sum(map(prices.usd, sums.values()))
    return math.ceil(calls * used.high), max(0.0, usd) * used.high


def _sums(
    signs: Mapping[int, Signs],
    prefixes: Mapping[int, int],
    steps: Sequence[AskStep],
    rates: dict[str, Rate],
    done: Collection[tuple[str, int]],
    decides: bool,
) -> dict[str, _Sum]:
    """Return what the chapters of `prefixes` (number -> tokens) ask by step, but for what is done."""
    sums = {step.name: _Sum() for step in steps}
    add = _add_decided if decides else _add_chapter
    for number, prefix in prefixes.items():
        add(number, signs[number], prefix, steps, rates, sums, done)
    return sums


def _prices(model: str, price: Price | None) -> _Prices:
    """Return the prices of `model`; where it decides and its chat has none, everything counts at the price given."""
    decides = model.startswith(DECISIONS)
    beside = (price_of(model.removeprefix(DECISIONS)) or price) if decides and price else None
    return _Prices(price, beside, decides)


def _add_decided(
    number: int,
    signs: Signs,
    prefix: int,
    steps: Sequence[AskStep],
    rates: dict[str, Rate],
    sums: dict[str, _Sum],
    done: Collection[tuple[str, int]],
) -> None:
    """Add a chapter asked of a decisions endpoint and the chat beside it: each writes the prefix once."""
    cold, cold_chat = prefix, prefix
    for step in steps:
        rate = rates.get(step.name)
        if rate is None or (step.name, number) in done:
            continue
        own = decided_rates().get(step.name) or Decided(UNMEASURED * rate.tail, 2.0, 0.0)
        questions = rate.questions(signs)
        by_chat = round(questions * own.chat)
        found = sums[step.name]
        found.questions += questions
        if by_chat:
            calls = max(math.ceil(by_chat / step.pack_size), min(step.n_groups, by_chat))
            found.calls += calls
            found.beside += _used(by_chat * rate.tail, prefix * calls, cold_chat, by_chat * rate.output)
            cold_chat = 0
        if decided := questions - by_chat:
            calls = max(math.ceil(decided / DECISIONS_PACK), min(step.n_groups, decided))
            found.calls += calls
            found.usage += _used(decided * own.tail, round(prefix * calls * own.requests), cold, 0)
            cold = 0


def _used(tail: float, shown: int, write: int, output: float) -> Usage:
    """Return the usage of calls that show `shown` tokens of prefix in all, `write` of them for the first time."""
    return Usage(input=round(tail), cache_write=write, cache_read=max(0, shown - write), output=round(output))


def _add_chapter(
    number: int,
    signs: Signs,
    prefix: int,
    steps: Sequence[AskStep],
    rates: dict[str, Rate],
    sums: dict[str, _Sum],
    done: Collection[tuple[str, int]],
) -> None:
    written = False
    for step in steps:
        rate = rates.get(step.name)
        if rate is None or (step.name, number) in done:
            continue
        questions = rate.questions(signs)
        if not questions:
            continue
        calls = max(math.ceil(questions / step.pack_size), min(step.n_groups, questions))
        write = 0 if written else prefix
        written = True
        found = sums[step.name]
        found.questions += questions
        found.calls += calls
        found.usage += _used(questions * rate.tail, prefix * calls, write, questions * rate.output)


def _row(name: str, found: _Sum, prices: _Prices, used: Calibration) -> EstimateRow:
    likely = prices.usd(found) if prices.price else None
    usage = found.both
    return EstimateRow(
        step=name,
        n_questions=found.questions,
        n_calls=found.calls,
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
