"""What it would take to ask some questions for real: calls, tokens and money, from what the run itself sent."""

from __future__ import annotations

import math
from collections.abc import Iterable

from analyzer.llm.prices import price_of
from analyzer.llm.usage import count_tokens
from analyzer.models.base import Record
from analyzer.models.run import Usage
from analyzer.prompts import prompt_text
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from analyzer.wording import counted
from evals.records import Asked, ChapterResult, RunResult

LINE_TOKENS = 8
"""Tokens of an answer's line where none is known. Source: the mean over truthful answers is 4 to 9 a step."""


class Needs(Record):
    """`usd` None: no price is known for `model`."""

    n_questions: int
    n_calls: int
    usage: Usage
    usd: float | None
    model: str

    @property
    def words(self) -> str:
        """One line for people."""
        tokens = f"{self.usage.total_input:,} tokens in, {self.usage.output:,} out"
        money = "no known price" if self.usd is None else f"${self.usd:.4f}"
        return f"{counted(self.n_calls, 'call')}, {tokens}, {money} at {self.model}"


def needs(result: RunResult, asked: Iterable[Asked], model: str) -> Needs:
    """Return what asking these questions of a run would take: its packs, its prefixes, written once a chapter."""
    groups: dict[tuple[str, int, str], list[Asked]] = {}
    for one in asked:
        groups.setdefault((one.case, one.chapter, one.step), []).append(one)
    steps = {step.name: step for step in load_steps() if isinstance(step, AskStep)}
    rows = {(row.case, row.chapter): row for row in result.chapters}
    usage, n_calls, warm = Usage(), 0, set()
    for (case, chapter, name), group in sorted(groups.items()):
        step, prefix = steps.get(name), _prefix(rows.get((case, chapter)))
        calls = max(math.ceil(len(group) / step.pack_size), min(step.n_groups, len(group))) if step else 1
        n_calls += calls
        written = 0 if (case, chapter) in warm else prefix
        warm.add((case, chapter))
        told = count_tokens(prompt_text(step.prompt)) if step else 0
        usage += Usage(
            input=calls * told + sum(one.tokens[0] for one in group),
            cache_write=written,
            cache_read=calls * prefix - written,
            output=sum(one.tokens[1] or LINE_TOKENS for one in group),
        )
    price = price_of(model)
    n = sum(map(len, groups.values()))
    return Needs(n_questions=n, n_calls=n_calls, usage=usage, usd=price.cost_usd(usage) if price else None, model=model)


def _prefix(row: ChapterResult | None) -> int:
    """Return the tokens of a chapter's prefix: what its calls read or wrote of it, a call."""
    if row is None or not row.n_calls:
        return 0
    return (row.usage.cache_read + row.usage.cache_write) // row.n_calls
