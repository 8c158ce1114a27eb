"""`python -m evals.decided [--serial FOLDER] [--chapters 1]`: the same chapters by chat and by decisions, in simulation.

Both runs use the real client against the provider simulator, answered truly (gold). The table compares requests, tokens by class and
money by the simulator's own books, and says whether both stored the same facts. What decisions cost in truth rests on how a provider
counts a question, which is documented nowhere; the simulator's assumption stands in its README.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from analyzer import pipeline
from analyzer.hashing import canonical_json
from analyzer.llm.asker import Asker
from analyzer.llm.profiles import DECISIONS, DECISIONS_CHOICES, OPENAI
from analyzer.llm.transports.decisions import Decisions
from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.facts import Fact
from analyzer.models.question import NONE_MARK, Answer, Pack, Question
from analyzer.models.run import CallRecord, Reply
from analyzer.storage.store import Store
from evals.command import command, show, show_table
from tests.simulator import Leaning, Row, Simulator

SERIAL = Path("goldsets/dark-of-the-gullick")
MODEL = "gpt-6-luna"
WAYS = {"decisions": DECISIONS, "choices": DECISIONS_CHOICES}
SURE = 0.96
"""What the truthful decider gives to what is so. Source: a choice; far from the margin of a tie."""


class TruthfulChat(OpenAIChat):
    """The real client; beforehand it leaves the true reply where the simulator finds it."""

    truth: GoldAnswers

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return what the client gets from the simulator."""
        true = await self.truth.ask(pack, max_output_tokens=max_output_tokens)
        self.left[canonical_json(self.request(pack, max_output_tokens=0)["messages"])] = true.text
        return await super().ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)

    left: dict[str, str]

    def answer(self, body: dict[str, Any]) -> str:
        """Return the reply left for a request; the simulator's answerer."""
        return self.left[canonical_json(body["messages"])]


class TruthfulDecisions(Decisions):
    """The real client of the decisions endpoint; beforehand it leaves the truth about a pack where the simulator finds it."""

    truth: GoldAnswers
    left: dict[str, tuple[Pack, tuple[Answer, ...]]]
    n_requests: Counter[str]

    async def _send(self, pack: Pack, body: dict[str, Any]) -> object:
        self.left[_known_by(body)] = pack, self.truth.answers(pack)
        self.n_requests[pack.step] += 1
        return await super()._send(pack, body)

    def decide(self, body: dict[str, Any]) -> Sequence[Leaning]:
        """Return how the truth leans on every question of a request; the simulator's decider."""
        pack, answers = self.left[_known_by(body)]
        return [leaning(question, pack, answers) for question in body["questions"]]


def _known_by(body: Mapping[str, Any]) -> str:
    return canonical_json([body["input"], body["questions"]])


def leaning(asked: Mapping[str, Any], pack: Pack, answers: Sequence[Answer]) -> Leaning:
    """Return what is true of one question of a request, which its name ties to a question of the pack."""
    at, *rest = str(asked["name"]).removeprefix("q").split("_")
    question, answer = pack.questions[int(at) - 1], answers[int(at) - 1]
    if not rest:
        marks = [o.mark for o in question.options if o.key in answer.picked] or [NONE_MARK]
        return _shared(asked, marks)
    key = _options(question)[int(rest[0]) - 1]
    if rest[1:]:
        return _shown(asked, [str(place) for place in answer.sentences_of(key)] if key in answer.picked else [])
    return SURE if key in answer.picked else 1 - SURE


def _options(question: Question) -> list[str]:
    return [option.key for option in question.options]


def _shown(asked: Mapping[str, Any], places: Sequence[str]) -> Leaning:
    """Return the probabilities of sentences or stretches, shared by those that hold a true one."""
    values = [choice["value"] for choice in asked["choices"] if choice["value"] != NONE_MARK]
    return _shared(asked, [v for v in values if any(_holds(v, place) for place in places)] or [NONE_MARK])


def _shared(asked: Mapping[str, Any], right: Sequence[str]) -> Leaning:
    """Return the probabilities of a choice, shared by what is right."""
    values = [choice["value"] for choice in asked["choices"]]
    return {value: SURE / len(right) if value in right else (1 - SURE) / (len(values) - len(right)) for value in values}


def _holds(span: str, place: str) -> bool:
    """Say whether a stretch as offered (`12.3`, `12-14`, `12.3-12.9`) holds a sentence."""
    first, _, last = span.partition("-")
    where = tuple(map(int, place.split(".")))
    ends = [tuple(map(int, end.split("."))) for end in (first, last or first)]
    return ends[0] <= where[: len(ends[0])] and where[: len(ends[1])] <= ends[1]


class Found(NamedTuple):
    """One run: how it ended, the provider's books, the facts."""

    name: str
    exit_code: int
    n_calls: int
    rows: tuple[Row, ...]
    facts: tuple[Fact, ...]
    spent_usd: float
    likely_usd: float | None
    n_questions: int
    n_requests: Counter[str]
    calls: tuple[CallRecord, ...]


def run(name: str, serial: Path, chapters: str, folder: Path) -> Found:
    """Run chapters of a serial with its gold, by `chat` or one of `WAYS`, against a new simulator."""
    book = pipeline.init(serial / "serial.txt", book=folder / name)
    truth = GoldAnswers.open(serial / "gold", pipeline.manuscript_of(book))
    with Simulator() as sim:
        chat = TruthfulChat(MODEL, base_url=sim.base_url, profile=OPENAI)
        chat.truth, chat.left = truth, {}
        sim.answer_with(chat.answer)
        asker: Asker = chat
        n_requests: Counter[str] = Counter()
        if name in WAYS:
            decisions = TruthfulDecisions(chat, WAYS[name])
            decisions.truth, decisions.left, decisions.n_requests = truth, {}, n_requests
            sim.decide_with(decisions.decide)
            asker = decisions
        prepared = pipeline.prepare(book, pipeline.RunRequest(asker=asker, chapters=chapters))
        # four times an estimate is no bound for what is measured here
        outcome = pipeline.start(replace(prepared, whole_usd=None))
        if outcome.error is not None:
            show(f"{name}: {outcome.error}")
        rows = tuple(sim.rows())
    with Store.open(book) as store:
        facts = tuple(stored.fact for stored in store.facts())
        n_questions, bill = len(store.all_answers()), tuple(store.calls())
    likely = prepared.estimate.likely_usd
    return Found(
        name, outcome.exit_code, outcome.n_calls, rows, facts, outcome.spent_usd, likely, n_questions, n_requests, bill
    )


def known_facts(found: Found, *, evidence: bool) -> Counter[str]:
    """Return the facts of a run, counted, in a form that can be compared; without `evidence` whatever shows them is left out."""
    left_out = set() if evidence else {"evidence", "places", "where"}
    return Counter(
        json.dumps(fact.model_dump(mode="json", exclude=left_out & set(type(fact).model_fields)), sort_keys=True)
        for fact in found.facts
    )


def table_of(runs: Sequence[Found]) -> list[tuple[str, ...]]:
    """Return the rows of the comparison, one a figure and one column a run."""
    figures: tuple[tuple[str, Callable[[Found], float], str], ...] = (
        ("questions answered", lambda f: f.n_questions, ",.0f"),
        ("calls of the bill", lambda f: f.n_calls, ",.0f"),
        ("requests", lambda f: len(f.rows), ",.0f"),
        ("  of them chat", lambda f: sum(r.api == "chat" for r in f.rows), ",.0f"),
        ("input tokens", lambda f: sum(r.input for r in f.rows), ",.0f"),
        ("cache reads", lambda f: sum(r.read for r in f.rows), ",.0f"),
        ("cache writes", lambda f: sum(r.write for r in f.rows), ",.0f"),
        ("output tokens, charged", lambda f: sum(r.output for r in f.rows if r.api == "chat"), ",.0f"),
        ("US cents", lambda f: sum(r.cost_nano for r in f.rows) / 1e7, ".4f"),
        ("US cents by the bill", lambda f: f.spent_usd * 100, ".4f"),
        ("US cents estimated", lambda f: (f.likely_usd or 0) * 100, ".4f"),
        ("facts", lambda f: len(f.facts), ",.0f"),
    )
    return [(label, *(format(figure(found), shape) for found in runs)) for label, figure, shape in figures]


def rates_of(found: Found) -> list[str]:
    """Return a run's rates a step as lines of analyzer/scheduler/decisions.toml."""
    lines = []
    for step in dict.fromkeys(call.step for call in found.calls):
        own = [call for call in found.calls if call.step == step and call.usage is not None]
        here = [call for call in own if call.model.startswith("decisions:")]
        n, n_all = sum(call.n_questions for call in here), sum(call.n_questions for call in own)
        tail = sum(call.usage.input for call in here if call.usage) / n if n else 0.0
        requests = found.n_requests[step] / len(here) if here else 0.0
        lines.append(f"{step} = {{ tail = {tail:.1f}, requests = {requests:.2f}, chat = {1 - n / n_all:.2f} }}")
    return sorted(lines)


@command
def main(arguments: Sequence[str]) -> int:
    """Run both ways and print the comparison; returns 1 where a run fails."""
    parser = argparse.ArgumentParser(prog="python -m evals.decided")
    parser.add_argument("--serial", type=Path, default=SERIAL, help="a folder with serial.txt and gold/")
    parser.add_argument("--chapters", default="1")
    parser.add_argument("--rates", action="store_true", help="print the rates of a run by decisions, for the estimate")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        if options.rates:
            show(*rates_of(run("decisions", options.serial, options.chapters, Path(folder))))
            return 0
        runs = [run(name, options.serial, options.chapters, Path(folder)) for name in ("chat", *WAYS)]
    show(f"simulated: {options.serial.name}, chapters {options.chapters}, answered truly, {MODEL} prices", "")
    show_table(("", *(found.name for found in runs)), table_of(runs), right=(1, 2, 3))
    bare, full = ([known_facts(found, evidence=whole) for found in runs] for whole in (False, True))
    for at, found in enumerate(runs[1:], 1):
        only = [sum((one - other).values()) for one, other in ((bare[0], bare[at]), (bare[at], bare[0]))]
        show(
            f"{found.name}: {sum((bare[0] & bare[at]).values())} facts as by chat, {only[0]} only by chat, {only[1]} only here; "
            f"{sum((full[0] & full[at]).values())} with the very same sentences"
        )
    return 1 if any(found.exit_code for found in runs) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
