"""What a chapter of an open story costs: each step, each part, and what the whole costs without a part.

The chapter of the project's promise (Monte Cristo 6, with a folder of texts; else the last chapter of an own serial) is run
alone, with its cast known and open threads and secrets from before. Answers are the truth in answers of usual length: what gold
cannot know (whether a made-up thread is touched, a note gold has no words for) is filled in.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from analyzer import pipeline
from analyzer.llm.prices import price_of
from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.question import Answer, Pack, Question
from analyzer.models.run import Usage
from analyzer.models.text import Place
from analyzer.steps._registry import load_steps
from analyzer.storage.store import Store
from evals.answerers.errors import DENIALS, share
from evals.bench import Row
from evals.gate import PRICE_MODEL
from evals.goldset.cases import Case, by_chapter, find_cases
from evals.known_cast import put_known_cast
from evals.open_story import put_open_story
from evals.runs import STORY

PUBLIC, OWN = "monte-cristo-006", "goose-in-the-paper"
N_THREADS, N_SECRETS = 40, 8
TOUCHED = 0.25
"""Share of the open threads and secrets that a chapter touches. Source: a choice; gold chapters of the own serials touch one in five."""
BLOCKS = 4
"""From how many of the first blocks the words come that touch a thread."""
TOUCH = frozenset({"thread.touch", "secret.touch"})
NOTE = "a sum of money and whom it was meant for"
"""A note of usual length (nine words), where gold has none."""
BUDGET: Mapping[str, float] = {
    "state": 0.30, "knowledge": 0.25, "threads": 0.25, "secrets": 0.10, "identities": 0.08, "speech": 0.05, "card": 0.04,
}  # fmt: skip
"""US cents a part may cost in this chapter."""
MOST_CENTS = 2.0
"""US cents for the whole chapter, cast and relations included. Source: the project's promise."""


class Usual(GoldAnswers):
    """Gold's answers, filled up to what an answerer would usually write."""

    def answers(self, pack: Pack) -> tuple[Answer, ...]:
        """Return the true answers; where gold says nothing of a note or an open thread, some are given one all the same."""
        return tuple(_usual(q, a) for q, a in zip(pack.questions, super().answers(pack), strict=True))


def _usual(question: Question, answer: Answer) -> Answer:
    untouched = answer.status != "answered" or answer.pick in DENIALS.get(question.key.ask, ())
    if question.key.ask in TOUCH and untouched and question.options:
        drawn = share("touched", question.key.detail.rpartition(":")[2])
        if drawn >= TOUCHED:
            return answer
        key = next((o.key for o in question.options if o.key in ("reinforce", "touched")), question.options[0].key)
        place = Place(1 + int(drawn / TOUCHED * BLOCKS), 1)
        return Answer(status="answered", picked=(key,), sentences=(place,))
    if question.type == "note" and answer.status != "answered":
        return Answer(status="answered", text=NOTE)
    return answer


class Spent(NamedTuple):
    """What a step asked and used."""

    n_calls: int
    n_questions: int
    usage: Usage

    @property
    def cents(self) -> float:
        """US cents at the price of the promise."""
        price = price_of(PRICE_MODEL)
        return 100 * price.cost_usd(self.usage) if price is not None else 0.0


def spent_on(case: Case, folder: Path, *, off: tuple[str, ...] = ()) -> dict[str, Spent]:
    """Run one chapter of a case with its cast known and an open story before it; return what each step spent.

    Raises what stopped the run.
    """
    [gold] = load_gold(case.gold).values()
    book = pipeline.init(case.text(), book=folder / f"{case.name}-{'-'.join(off) or 'all'}", language=case.language)
    manuscript = pipeline.manuscript_of(book)
    with Store.open(book) as store:
        put_known_cast(store, gold)
        put_open_story(store, manuscript.chapters[gold.number - 2], n_threads=N_THREADS, n_secrets=N_SECRETS)
    asker = Usual.open(case.gold, manuscript)
    outcome = pipeline.run(book, asker=asker, chapters=str(gold.number), allow_unpriced=True, off=off)
    if outcome.error is not None:
        raise outcome.error
    found: dict[str, Spent] = {}
    with Store.open(book) as store:
        for call in store.calls():
            had = found.get(call.step, Spent(0, 0, Usage()))
            usage = had.usage + (call.usage or Usage())
            found[call.step] = Spent(had.n_calls + 1, had.n_questions + call.n_questions, usage)
    return found


def bench_money(data: Path | None) -> list[Row]:
    """Return thousandths of a US cent by step (tokens too), by part beside its budget, in all, and in all without each part."""
    with tempfile.TemporaryDirectory() as folder:
        case = case_of(data)
        spent = spent_on(case, Path(folder))
        total = cents(spent)
        without = {part: cents(spent_on(case, Path(folder), off=(part,))) for part in STORY}
        bare = cents(spent_on(case, Path(folder), off=STORY))
    return [*_by_step(spent), *_by_part(case, total, bare, without)]


def case_of(data: Path | None) -> Case:
    """Return the chapter that is run: the one of the promise, or without a folder the last one of an own serial."""
    name = PUBLIC.rpartition("-")[0] if data is not None else OWN
    chapters = by_chapter(next(case for case in find_cases(data) if case.name == name))
    return next(one for one in chapters if one.name == PUBLIC) if data is not None else chapters[-1]


def cents(spent: Mapping[str, Spent]) -> float:
    """Return US cents of all steps together."""
    return sum(one.cents for one in spent.values())


def _by_step(spent: Mapping[str, Spent]) -> list[Row]:
    rows = []
    for step in (one.name for one in load_steps() if one.name in spent):
        one = spent[step]
        used = f"{one.n_calls} x, {one.n_questions} asked, {one.usage.input}+{one.usage.output} tokens"
        rows.append(Row(f"money: {step} ({used})"[:80], one.cents * 1000, "cent/1000"))
    return rows


def _by_part(case: Case, total: float, bare: float, without: Mapping[str, float]) -> list[Row]:
    rows = [
        Row(f"money: {part}, by leaving it out", (total - left) * 1000, "cent/1000", (total - left) / BUDGET[part])
        for part, left in without.items()
        if part in BUDGET
    ]
    return [
        *rows,
        Row(f"money: {case.name}, cast and relations", bare * 1000, "cent/1000"),
        Row(f"money: {case.name}, all of it", total * 1000, "cent/1000", total / MOST_CENTS),
    ]
