"""What the probabilities of an answer decide: a tie is abstained from, a second look may be spared. Rules are data, with their sources."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from analyzer.errors import DefinitionError
from analyzer.llm.formats import ParsedReply
from analyzer.models.base import Record
from analyzer.models.question import Answer, Question
from analyzer.models.run import Reply


class Spare(Record):
    """A second look that is left out: `step` does not ask about what `after` answered with a probability of `at_least`.

    It holds for answers of `model` alone, and rests on the evaluation named in `source`.
    """

    step: str
    after: str
    model: str
    at_least: float
    source: str
    date: str


class Certainty(NamedTuple):
    """The rules in force: the margin within which two options are a tie, and the second looks that are spared."""

    margin: float
    spares: tuple[Spare, ...] = ()


def read_certainty(raw: Mapping[str, Any]) -> Certainty:
    """Return the rules of a table; raises DefinitionError for a bound outside its range or a rule without a source."""
    margin = raw["tie"]["margin"]
    spares = tuple(Spare(**row) for row in raw.get("spare", ()))
    if not 0 <= margin < 1:
        raise DefinitionError(f"certainty.toml: the margin is {margin!r}, 0 to 1 was expected")
    for rule in spares:
        if not HALF < rule.at_least <= 1 or not rule.source or rule.step == rule.after:
            raise DefinitionError(
                f"certainty.toml: {rule.step!r} cannot be spared from {rule.at_least!r} on",
                hint=f"give a probability above {HALF}, another step before it, and the evaluation as its source",
            )
    return Certainty(margin, spares)


HALF = 0.5
"""A second look is never spared by an answer that is not likelier than all others together."""


@lru_cache(maxsize=1)
def certainty() -> Certainty:
    """Return the rules of certainty.toml."""
    return read_certainty(tomllib.loads(files("analyzer.llm").joinpath("certainty.toml").read_text("utf-8")))


def judged(
    parsed: ParsedReply, questions: Sequence[Question], reply: Reply, *, margin: float | None = None
) -> ParsedReply:
    """Return what was read with single refusals, and with the probabilities kept and ties abstained from.

    `margin` None is that of certainty.toml. A reply without either is returned as it is, and so is one that was withdrawn.
    """
    if parsed.degenerate or not (reply.refusals or reply.probabilities):
        return parsed
    answers = list(parsed.answers)
    if len(reply.probabilities) == len(answers):
        within = certainty().margin if margin is None else margin
        told = zip(questions, answers, reply.probabilities, strict=True)
        answers = [_weighed(question, answer, dict(row), within) for question, answer, row in told]
    for at in reply.refusals:
        answers[at] = Answer(status="refused")
    lines = {f"line {at + 1}" for at in reply.refusals}
    issues = tuple(issue for issue in parsed.issues if issue[1] not in lines)
    return replace(parsed, answers=tuple(answers), issues=issues)


def _weighed(question: Question, answer: Answer, spread: Mapping[str, float], margin: float) -> Answer:
    if not spread or answer.status not in ("answered", "none"):
        return answer
    kept = answer.model_copy(update={"probabilities": tuple(spread.items())})
    if question.type == "select":
        return _without_ties(kept, spread, margin)
    best, *rest = sorted(spread.values(), reverse=True)
    return _abstained(kept) if rest and best - rest[0] < margin else kept


def _without_ties(answer: Answer, spread: Mapping[str, float], margin: float) -> Answer:
    """Return a select without options near even odds: left out where others are picked, else the answer abstains."""
    near = {key for key, p in spread.items() if abs(2 * p - 1) < margin}
    picked = tuple(key for key in answer.picked if key not in near)
    if not near or (picked == answer.picked and picked):
        return answer
    if not picked:
        return _abstained(answer)
    own = tuple(answer.sentences_of(key) for key in picked)
    places = tuple(dict.fromkeys(place for part in own for place in part))
    return answer.model_copy(
        update={"picked": picked, "sentences": places, "by_pick": own if answer.by_pick and len(picked) > 1 else ()}
    )


def _abstained(answer: Answer) -> Answer:
    return answer.model_copy(update={"status": "abstained", "picked": (), "sentences": (), "by_pick": ()})


def sure_of(answer: Answer) -> float | None:
    """Return the probability of an answer's picks as the answerer gave it; None where it picks nothing or gave none."""
    return answer.confidence if answer.status == "answered" and answer.probabilities else None
