"""The decisions endpoint: what it refuses, what its questions weigh, who decides, and the JSON it sends.

One input, many questions; a predicate gets a probability, a choice a distribution over its values, a score one over its
levels, and any of them may be refused alone. Shapes as in the parameter types of the openai package, 3.57.0.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tests.simulator.faults import Fault
from tests.simulator.prompt import Body, RefusedError
from tests.simulator.settings import DecisionsRule, Settings

Value = str | bool
Leaning = float | Value | Mapping[Value, float] | None
"""What is said to one question: a probability (predicate), a value or label, a distribution over them; None refuses it."""
Decider = Callable[[dict[str, Any]], Sequence[Leaning]]
QUESTION_TOKENS = 4
CHOICE_TOKENS = 2
"""Billed tokens that frame a question and each of its choices or levels. Nobody documents the true figures."""
SURE = 0.9
TOLD = {"predicate": {"type", "name", "instructions"}, "choice": {"type", "name", "instructions", "choices"}}
TOLD["score"] = {"type", "name", "instructions", "levels"}


def check_decisions(body: Body, settings: Settings) -> DecisionsRule:
    """Return the rule in force; raises RefusedError 404 where the endpoint is not served, 400 for a question that is none."""
    rule = settings.decisions
    if rule is None:
        raise RefusedError(404, "Invalid URL (POST /v1/decisions)")
    if rule.models and body["model"] not in rule.models:
        raise RefusedError(400, f"Model {body['model']!r} does not support decisions.", param="model")
    if body.get("stream"):
        raise RefusedError(400, "Unknown parameter: 'stream'.", code="unknown_parameter", param="stream")
    questions = body.get("questions")
    if not isinstance(questions, list) or not 1 <= len(questions) <= rule.questions:
        raise RefusedError(400, f"Between 1 and {rule.questions} questions are required.", param="questions")
    names = [q["name"] for q in questions if isinstance(q, dict) and q.get("name") is not None]
    if len(set(names)) != len(names):
        raise RefusedError(400, "Question names must be unique.", param="questions")
    for place, question in enumerate(questions):
        _check_question(question, f"questions[{place}]", rule)
    return rule


def _check_question(question: Any, where: str, rule: DecisionsRule) -> None:
    told = TOLD.get(str(question.get("type"))) if isinstance(question, dict) else None
    if told is None or set(question) - told or not _texts(question.get("instructions"), where):
        raise RefusedError(400, f"Invalid question: {question!r:.200}", param=where)
    if question["type"] == "choice":
        values = [(type(c.get("value")).__name__, c.get("value")) for c in question.get("choices") or ()]
        right = all(kind in {"str", "bool"} for kind, _ in values) and len(set(values)) == len(values)
        if not 2 <= len(values) <= rule.choices or not right:
            raise RefusedError(400, f"Between 2 and {rule.choices} unique choices are required.", param=where)
    if question["type"] == "score" and not 2 <= len(question.get("levels") or ()) <= rule.levels:
        raise RefusedError(400, f"Between 2 and {rule.levels} levels are required.", param=where)


def _texts(instructions: Any, where: str) -> list[str]:
    if isinstance(instructions, str):
        return [instructions] if instructions else []
    found = []
    for part in instructions or ():
        if part.get("type") == "input_text":
            found.append(str(part["text"]))
        elif part.get("type") == "input_json":
            found.append(json.dumps(part["data"], ensure_ascii=False))
        else:
            raise RefusedError(400, f"parts of type {part.get('type')!r} are not served here", param=where)
    return found


def question_texts(body: Body) -> Iterator[tuple[str, int]]:
    """Yield every text of the questions that is billed, each with the framing before it."""
    for question in body["questions"]:
        framing = QUESTION_TOKENS
        for text in _texts(question["instructions"], "questions"):
            yield text, framing
            framing = 0
        for choice in question.get("choices") or question.get("levels") or ():
            yield str(choice.get("value", choice.get("label"))), CHOICE_TOKENS
            if choice.get("description"):
                yield str(choice["description"]), 0


def offered(question: Body) -> list[Value]:
    """Return the values or labels of a question in order; none for a predicate."""
    if question["type"] == "choice":
        return [choice["value"] for choice in question["choices"]]
    return [level["label"] for level in question.get("levels") or ()]


def built_in_decider(name: str) -> Decider:
    """Return the decider of this name: `first`, `last` (also yes and no), `even` (ties everywhere), `refuse`."""

    def leaning(question: Body) -> Leaning:
        values = offered(question)
        if name == "refuse":
            return None
        if name == "even":
            return {value: 1 / len(values) for value in values} if values else 0.5
        if not values:
            return SURE if name == "first" else 1 - SURE
        return values[0 if name == "first" else -1]

    if name not in {"first", "last", "even", "refuse"}:
        raise KeyError(name)
    return lambda body: [leaning(question) for question in body["questions"]]


def answers_to(body: Body, leanings: Sequence[Leaning]) -> list[dict[str, Any]]:
    """Return the answers in question order; raises ValueError where the decider said too few or something impossible."""
    return [_answer(question, said) for question, said in zip(body["questions"], leanings, strict=True)]


def _answer(question: Body, said: Leaning) -> dict[str, Any]:
    name, kind = question.get("name"), question["type"]
    if said is None:
        return {"name": name, "type": "refusal"}
    if kind == "predicate":
        return {"name": name, "type": kind, "probability": float(said)}  # type: ignore[arg-type]
    values = offered(question)
    spread = _spread(values, said)
    if kind == "choice":
        rows = [{"value": value, "probability": spread[value]} for value in values]
        best = max(values, key=lambda value: spread[value])
        return {"name": name, "type": kind, "choice": best, "confidence": spread[best], "probabilities": rows}
    rows = [{"label": label, "value": at, "probability": spread[label]} for at, label in enumerate(values)]
    score = sum(at * spread[label] for at, label in enumerate(values))
    return {"name": name, "type": kind, "score": score, "confidence": max(spread.values()), "probabilities": rows}


def _spread(values: Sequence[Value], said: Leaning) -> dict[Value, float]:
    if isinstance(said, Mapping):
        return {value: float(said.get(value, 0.0)) for value in values}
    if said not in values:
        raise ValueError(f"{said!r} is not among {values!r}")
    rest = (1 - SURE) / (len(values) - 1)
    return {value: SURE if value == said else rest for value in values}


def _not_one(answer: dict[str, Any]) -> dict[str, Any]:
    if answer["type"] == "predicate":
        return {**answer, "probability": 1.7}
    rows = [{**row, "probability": row["probability"] * 1.7} for row in answer.get("probabilities") or ()]
    return {**answer, "probabilities": rows} if rows else answer


def _nan(answer: dict[str, Any]) -> dict[str, Any]:
    if answer["type"] == "predicate":
        return {**answer, "probability": math.nan}
    rows = [{**row, "probability": math.nan} for row in answer.get("probabilities") or ()]
    return {**answer, "confidence": math.nan, "probabilities": rows} if rows else answer


def _stranger(answer: dict[str, Any]) -> dict[str, Any]:
    if answer["type"] != "choice":
        return {**answer, "type": "verdict"}
    return {**answer, "choice": "zz", "probabilities": [{"value": "zz", "probability": 1.0}]}


def spoil_answers(fault: Fault | None, answers: list[dict[str, Any]]) -> Any:
    """Return the answers as a content fault leaves them."""
    kind = fault.kind if fault else ""
    each: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "not_one": _not_one,
        "nan": _nan,
        "strangers": _stranger,
        "nameless": lambda answer: {**answer, "name": None},
        "refusal": lambda answer: {"name": answer["name"], "type": "refusal"},
    }
    if kind in each:
        return [each[kind](answer) for answer in answers]
    whole: Mapping[str, Any] = {
        "empty": [],
        "null": None,
        "half": answers[: len(answers) // 2],
        "half_line": answers[:-1],
        "duplicated": [answer for answer in answers for _ in range(2)],
        "wrong_order": answers[::-1],
        "one_refused": [{"name": answers[0]["name"], "type": "refusal"}, *answers[1:]],
    }
    return whole.get(kind, answers)
