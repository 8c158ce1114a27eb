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
from pathlib import Path
from typing import Any, NamedTuple

from analyzer import pipeline
from analyzer.hashing import canonical_json
from analyzer.llm.asker import Asker
from analyzer.llm.profiles import DECISIONS, OPENAI
from analyzer.llm.transports.decisions import Decisions
from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.facts import Fact
from analyzer.models.question import NONE_MARK, Answer, Pack, Question
from analyzer.models.run import Reply
from analyzer.storage.store import Store
from evals.command import command, show, show_table
from tests.simulator import Leaning, Row, Simulator

SERIAL = Path("goldsets/dark-of-the-gullick")
MODEL = "gpt-6-luna"
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

    async def _send(self, pack: Pack, body: dict[str, Any]) -> object:
        self.left[_known_by(body)] = pack, self.truth.answers(pack)
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


def run(name: str, serial: Path, chapters: str, folder: Path) -> Found:
    """Run chapters of a serial with its gold, by `chat` or by `decisions`, against a new simulator."""
    book = pipeline.init(serial / "serial.txt", book=folder / name)
    truth = GoldAnswers.open(serial / "gold", pipeline.manuscript_of(book))
    with Simulator() as sim:
        chat = TruthfulChat(MODEL, base_url=sim.base_url, profile=OPENAI)
        chat.truth, chat.left = truth, {}
        sim.answer_with(chat.answer)
        asker: Asker = chat
        if name == "decisions":
            decisions = TruthfulDecisions(chat, DECISIONS)
            decisions.truth, decisions.left = truth, {}
            sim.decide_with(decisions.decide)
            asker = decisions
        prepared = pipeline.prepare(book, pipeline.RunRequest(asker=asker, chapters=chapters))
        outcome = pipeline.start(prepared)
        if outcome.error is not None:
            show(f"{name}: {outcome.error}")
        rows = tuple(sim.rows())
    with Store.open(book) as store:
        facts = tuple(stored.fact for stored in store.facts())
        n_questions = len(store.all_answers())
    likely = prepared.estimate.likely_usd
    return Found(name, outcome.exit_code, outcome.n_calls, rows, facts, outcome.spent_usd, likely, n_questions)


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


@command
def main(arguments: Sequence[str]) -> int:
    """Run both ways and print the comparison; returns 1 where a run fails or the facts differ in more than their evidence."""
    parser = argparse.ArgumentParser(prog="python -m evals.decided")
    parser.add_argument("--serial", type=Path, default=SERIAL, help="a folder with serial.txt and gold/")
    parser.add_argument("--chapters", default="1")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(name, options.serial, options.chapters, Path(folder)) for name in ("chat", "decisions")]
    show(f"simulated: {options.serial.name}, chapters {options.chapters}, answered truly, {MODEL} prices", "")
    show_table(("", *(found.name for found in runs)), table_of(runs), right=(1, 2))
    bare, full = ([known_facts(found, evidence=whole) for found in runs] for whole in (False, True))
    same = bare[0] == bare[1]
    show(
        "",
        f"same facts: {'yes' if same else 'no'} ({sum((bare[0] - bare[1]).values())} only by chat, "
        f"{sum((bare[1] - bare[0]).values())} only by decisions); with the same sentences: "
        f"{sum((full[0] & full[1]).values())} of {len(runs[0].facts)}",
    )
    for more in list((bare[0] - bare[1]) | (bare[1] - bare[0]))[:6] if not same else ():
        show(f"  {more[:150]}")
    return 0 if same and not any(found.exit_code for found in runs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
