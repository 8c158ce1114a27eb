"""`python -m evals.simulated --data FOLDER`: what gold chapters cost against the provider simulator, by its own books.

Runs the whole pipeline with the real client on chapters whose cast is known, answered truly. Shows that every part of the
prefix is written once and read by all later calls, and compares the provider's bill with `P(w+(n-1)r) + q i + o out`, summed
over the parts of the prefix. Exit code 1 where a bound fails. Run it from the repository's root.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from analyzer import pipeline
from analyzer.llm.asker import Asker
from analyzer.llm.connect import connect
from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.question import Pack
from analyzer.models.run import AnsweredBy, Reply
from analyzer.scheduler.events import RunOutcome
from analyzer.storage.store import Store
from evals.command import command, show
from evals.goldset.cases import Case, by_chapter, find_cases
from evals.known_cast import put_known_cast
from tests.simulator import Clock, Row, Simulator, preset

MODEL = "gpt-6-luna"
MAX_CALLS = 40
MAX_CENTS = {3: 0.9, 6: 1.0}
"""Most US cents a chapter may cost, by its number."""
MAX_RATIO = 1.03
BOOK = "monte-cristo"
SLOW = {"cache.readable": "end", "latency.base_s": 0.4, "latency.prefill_tps": 20_000.0, "latency.output_tps": 120.0}
"""A provider whose cache can be read only when its writer has ended: the least favourable of those documented."""
SPEED = 20.0
"""Simulated seconds in a real one."""


class Truthful:
    """Puts every pack to the real client; beforehand it leaves the true reply where the simulator's answerer finds it."""

    answered_by: AnsweredBy = "model"

    def __init__(self, client: Asker, truth: Asker) -> None:
        self.model, self.profile, self.params = client.model, client.profile, client.params
        self.replies: dict[str, str] = {}
        self._client, self._truth = client, truth

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return what the client gets from the simulator."""
        true = await self._truth.ask(pack, max_output_tokens=max_output_tokens)
        self.replies[_told(part.text for part in pack.parts) + pack.tail] = true.text
        return await self._client.ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)

    def answer(self, body: dict[str, Any]) -> str:
        """Return the reply left for a request; the simulator's answerer. Raises KeyError for a request nobody made."""
        return self.replies[_told(_texts(body))]

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()


def _told(texts: Iterable[str]) -> str:
    return "".join(texts)


def _texts(body: Mapping[str, Any]) -> list[str]:
    contents = [message["content"] for message in body["messages"]]
    return [part["text"] for content in contents for part in content]


class PartCost(NamedTuple):
    """One part of a prefix at the provider: its tokens, how many calls carried it, how often it was written."""

    tokens: int
    n_calls: int
    n_writes: int


@dataclass(frozen=True)
class Bill:
    """A provider's books over some calls: `parts` of prefixes, `tail` and `output` tokens, what it charged."""

    n_calls: int
    parts: tuple[PartCost, ...]
    tail: int
    output: int
    cost_nano: int
    cached_share: float
    flags: tuple[str, ...]
    unread: int

    @property
    def due_nano(self) -> int:
        """`P(w+(n-1)r) + q i + o out` at the simulator's own rates, in nano-dollars."""
        price = preset("openai").models[0].price
        prefix = sum(p.tokens * (price.write + (p.n_calls - 1) * price.read) for p in self.parts)
        return prefix + self.tail * price.fresh + self.output * price.output

    @property
    def ratio(self) -> float:
        """What was charged over what was due."""
        return self.cost_nano / self.due_nano

    @property
    def cents(self) -> float:
        """What was charged, in US cents."""
        return self.cost_nano / 1e7


def bill_of(rows: Sequence[Row]) -> Bill:
    """Return the books over `rows`; `unread` counts marked parts that a call after their writer did not read."""
    parts: dict[str, list[int]] = {}
    tail = unread = 0
    for row in rows:
        for part in row.parts:
            if not part.mark:
                tail += part.tokens
                continue
            found = parts.setdefault(part.prefix, [part.tokens, 0, 0])
            unread += found[1] > 0 and part.outcome != "read"
            found[1] += 1
            found[2] += part.outcome == "write"
        tail += row.prompt_tokens - sum(part.tokens for part in row.parts)
    total = sum(row.prompt_tokens for row in rows)
    return Bill(
        n_calls=len(rows),
        parts=tuple(PartCost(*found) for found in parts.values()),
        tail=tail,
        output=sum(row.output for row in rows),
        cost_nano=sum(row.cost_nano for row in rows),
        cached_share=sum(row.read for row in rows) / total if total else 0.0,
        flags=tuple(flag for row in rows for flag in row.flags),
        unread=unread,
    )


@dataclass
class Found:
    """One run: which chapters, the books, how it ended and which bounds failed."""

    title: str
    numbers: tuple[int, ...]
    bill: Bill
    outcome: RunOutcome
    n_cast: int
    failures: list[str] = field(default_factory=list)


def measure(cases: Sequence[Case], folder: Path) -> Found:
    """Run the chapters of `cases` (one manuscript, one folder of gold) against a new simulator; return its books."""
    gold = [chapter for case in cases for chapter in load_gold(case.gold).values()]
    numbers = tuple(chapter.number for chapter in gold)
    shown = ",".join(map(str, numbers))
    book = pipeline.init(cases[0].text(), book=folder / shown, language=cases[0].language)
    with Store.open(book) as store:
        n_cast = sum(put_known_cast(store, chapter, before=gold[:at]) for at, chapter in enumerate(gold))
    with Simulator(preset("openai", SLOW), clock=Clock(speed=SPEED)) as sim:
        client = connect(MODEL, base_url=sim.base_url, profile="openai")
        truth = GoldAnswers.open(cases[0].gold.parent, pipeline.manuscript_of(book))
        asker = Truthful(client, truth)
        sim.answer_with(asker.answer)
        outcome = pipeline.run(book, asker=asker, chapters=shown, concurrency=8)
        found = Found(f"chapter {shown}", numbers, bill_of(sim.rows()), outcome, n_cast)
    found.failures = failures(found)
    return found


def failures(found: Found) -> list[str]:
    """Return every bound that fails, in words."""
    bill, n = found.bill, len(found.numbers)
    cents = sum(MAX_CENTS[no] for no in found.numbers)
    twice = sum(part.n_writes != 1 for part in bill.parts)
    checks = (
        (bill.n_calls <= MAX_CALLS * n, f"{bill.n_calls} calls, at most {MAX_CALLS * n}"),
        (bill.cents < cents, f"{bill.cents:.4f} cents, fewer than {cents:g} allowed"),
        (bill.ratio <= MAX_RATIO, f"{bill.ratio:.4f} of what is due, at most {MAX_RATIO}"),
        (not twice, f"{twice} parts of a prefix were not written exactly once"),
        (not bill.unread, f"{bill.unread} parts that stood in the cache were not read"),
        (not bill.flags, f"flags in the books: {', '.join(sorted(set(bill.flags)))}"),
        (found.outcome.exit_code == 0, f"the run ended with {found.outcome.exit_code}: {found.outcome.error}"),
        (not found.outcome.unanswered, f"{len(found.outcome.unanswered)} questions without an answer"),
    )
    return [words for holds, words in checks if not holds]


def print_found(found: Found) -> None:
    """Print one run."""
    bill = found.bill
    show(f"{found.title}  (known cast: {found.n_cast})")
    show("  P per part of the prefix, tokens x calls: " + ", ".join(f"{p.tokens} x {p.n_calls}" for p in bill.parts))
    show(
        f"  n {bill.n_calls} calls   q {bill.tail} tail tokens   o {bill.output} output tokens"
        f"   answers {found.outcome.n_answers}"
    )
    show(
        f"  {bill.cached_share:.1%} of all input from cache   charged {bill.cents:.4f} cents"
        f"   due {bill.due_nano / 1e7:.4f}   ratio {bill.ratio:.4f}"
    )
    for failure in found.failures:
        show(f"  FAILS: {failure}")


@command
def main(arguments: Sequence[str]) -> int:
    """Run every chapter alone, then all in one run; print and judge. Returns 1 where a bound fails."""
    parser = argparse.ArgumentParser(prog="python -m evals.simulated")
    parser.add_argument("--data", type=Path, required=True, help="a folder with the texts of public editions")
    options = parser.parse_args(arguments)
    wanted = {f"{BOOK}-{no:03}" for no in MAX_CENTS}
    here = [case for case in find_cases(options.data) if case.manuscript is not None]
    cases = [one for case in here for one in by_chapter(case) if one.name in wanted]
    if len(cases) != len(wanted):
        parser.error(f"{options.data} does not hold the text of {', '.join(sorted(wanted))}")
    failed = 0
    for group in (*([case] for case in cases), cases):
        with tempfile.TemporaryDirectory() as folder:
            found = measure(group, Path(folder))
        print_found(found)
        failed += len(found.failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
