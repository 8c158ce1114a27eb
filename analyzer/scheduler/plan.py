"""The estimate: what a run would ask and cost, per step, without a single call.

What a chapter asks is predicted from the names code finds in it, by rates measured on gold chapters (calibration.toml):
the cast of a chapter, not its length, decides how many pairs there are to ask about. Calls, cache writes and reads follow
from pack sizes and the prefix, money from the price.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from analyzer.llm.usage import count_tokens
from analyzer.models.base import Record
from analyzer.models.run import Price, Usage
from analyzer.models.text import Chapter, Manuscript
from analyzer.prompts import system_text
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.forms import new_forms
from analyzer.text.languages import language_table

LOW, HIGH = 0.55, 2.2
"""Bounds around the likely figure. Source: cost against estimate over the bundled serial and the gold chapters."""


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
    """The whole run; `price_note` names model, price and its source."""

    model: str
    price_note: str
    n_chapters: int
    n_questions: int
    n_calls: int
    low_usd: float | None
    likely_usd: float | None
    high_usd: float | None
    rows: tuple[EstimateRow, ...]


class Rate(NamedTuple):
    """What a step asks: questions per name found in the chapter, and tokens in and out per question."""

    questions: float
    tail: float
    output: float


@lru_cache(maxsize=1)
def calibration() -> dict[str, dict[str, Rate]]:
    """Return rates by kind of script, then step; measured, with their source in the file."""
    raw = tomllib.loads(files("analyzer.scheduler").joinpath("calibration.toml").read_text("utf-8"))
    return {
        script: {step: Rate(row["questions"], row["tail"], row["output"]) for step, row in rows.items()}
        for script, rows in raw.items()
    }


def script_of(language: str) -> str:
    """Return the calibration row of a language."""
    primary = language.split("-")[0].lower()
    return {"zh": "han", "ja": "kana", "ko": "hangul"}.get(primary, "spaced")


def chapter_tokens(chapter: Chapter) -> int:
    """Return the tokens of a chapter's part of the prefix: its text and about four for every sentence mark."""
    return count_tokens(chapter.text) + 4 * sum(len(b.sentences) for b in chapter.blocks)


CAST_TOKENS = 600
"""A cast of some 50 entities in scope. Source: median over the bundled serial and the gold chapters."""
SAMPLED = {"spaced": 60, "hangul": 30, "kana": 30, "han": 30}
"""Chapters in which names are looked for; the rest of a longer book follows by length. Source: 117 chapters are promised in
5 s; names take 17 ms a chapter in English, 40 ms in Chinese."""
COUNTED = 12
"""Chapters whose tokens are counted; the rest of a longer book follows by length. Source: the same promise."""
FIRST_FORMS = 0.35
"""Share of a chapter's names that are new once the book has begun. Source: the bundled serial after its first chapter."""


class Names(NamedTuple):
    """Names code finds in a chapter: all, and those no earlier chapter of the estimate had."""

    n: int
    n_new: int


def tokens_by_chapter(manuscript: Manuscript, chapters: Sequence[int]) -> dict[int, int]:
    """Return the tokens of each chapter's part of the prefix; counted in a sample of a long book."""
    sample = chapters[:: max(1, math.ceil(len(chapters) / COUNTED))]
    found = {number: chapter_tokens(manuscript.chapters[number - 1]) for number in sample}
    ratio = sum(found.values()) / (sum(len(manuscript.chapters[n - 1].text) for n in sample) or 1)
    return {n: found.get(n) or round(ratio * len(manuscript.chapters[n - 1].text)) for n in chapters}


def names_by_chapter(manuscript: Manuscript, chapters: Sequence[int]) -> dict[int, Names]:
    """Return how many names each chapter seems to hold; counted in a sample of long books without capital letters."""
    table = language_table(manuscript.language)
    step = math.ceil(len(chapters) / SAMPLED[script_of(manuscript.language)])
    book = BookStats.of(manuscript, table)
    seen: set[str] = set()
    found: dict[int, Names] = {}
    for number in chapters[:: max(1, step)]:
        chapter = manuscript.chapters[number - 1]
        forms = {form.surface for form in new_forms(chapter, language_table(chapter.language), (), book)}
        found[number] = Names(len(forms), len(forms - seen))
        seen |= forms
    n_chars = sum(len(manuscript.chapters[n - 1].text) for n in found) or 1
    density = sum(names.n for names in found.values()) / n_chars
    for number in chapters:
        if number not in found:
            n = density * len(manuscript.chapters[number - 1].text)
            found[number] = Names(round(n), round(n * FIRST_FORMS))
    return found


class _Sum:
    def __init__(self) -> None:
        self.questions = self.calls = 0
        self.usage = Usage()


def estimate(
    manuscript: Manuscript,
    chapters: Sequence[int],
    *,
    model: str,
    price: Price | None,
    done: Collection[tuple[str, int]] = (),
) -> Estimate:
    """Return the estimate for these chapters; tasks in `done` are left out. Pure but for the tokenizer's file."""
    steps = [step for step in load_steps() if isinstance(step, AskStep)]
    sums = {step.name: _Sum() for step in steps}
    rates = calibration()
    system = count_tokens(system_text("lines"))
    names, tokens = names_by_chapter(manuscript, chapters), tokens_by_chapter(manuscript, chapters)
    for number in chapters:
        chapter = manuscript.chapters[number - 1]
        prefix = system + CAST_TOKENS + tokens[number]
        _add_chapter(number, names[number], prefix, steps, rates[script_of(chapter.language)], sums, done)
    rows = tuple(_row(name, found, price) for name, found in sums.items())
    likely = sum(r.likely_usd for r in rows if r.likely_usd is not None) if price else None
    return Estimate(
        model=model,
        price_note=_note(model, price),
        n_chapters=len(chapters),
        n_questions=sum(r.n_questions for r in rows),
        n_calls=sum(r.n_calls for r in rows),
        low_usd=likely * LOW if likely is not None else None,
        likely_usd=likely,
        high_usd=likely * HIGH if likely is not None else None,
        rows=rows,
    )


NEW_ONLY = frozenset({"cast_forms", "cast_same"})
"""Steps that ask about new names alone."""


def _add_chapter(
    number: int,
    names: Names,
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
        questions = round(rate.questions * (names.n_new if step.name in NEW_ONLY else names.n))
        if not questions:
            continue
        calls = max(math.ceil(questions / step.pack_size), min(step.n_groups, questions))
        write = 0 if written else prefix
        written = True
        found = sums[step.name]
        found.questions += questions
        found.calls += calls
        found.usage += Usage(
            input=round(questions * rate.tail),
            cache_write=write,
            cache_read=prefix * calls - write,
            output=round(questions * rate.output),
        )


def _row(name: str, found: _Sum, price: Price | None) -> EstimateRow:
    likely = price.cost_usd(found.usage) if price else None
    return EstimateRow(
        step=name,
        n_questions=found.questions,
        n_calls=found.calls,
        input_tokens=found.usage.input + found.usage.cache_write,
        cached_tokens=found.usage.cache_read,
        output_tokens=found.usage.output,
        low_usd=likely * LOW if likely is not None else None,
        likely_usd=likely,
        high_usd=likely * HIGH if likely is not None else None,
    )


def _note(model: str, price: Price | None) -> str:
    if price is None:
        return f"{model}: no price known"
    rates = f"{price.input:g}/{price.cache_read:g}/{price.cache_write:g}/{price.output:g}"
    return f"{model}, ${rates} a million tokens (fresh/read/written/out), prices of {price.date}"
