"""The decisions endpoint through the real SDK: bounds, probabilities, refusals, cache, money, faults."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from openai import APIStatusError, BadRequestError, NotFoundError

from tests.simulator import Fault, FaultPlan, Leaning, Simulator, preset
from tests.simulator.faults import DECISION_FAULTS
from tests.simulator_tests.calls import MESSAGE, MODEL, REPLY, client_of, words

PREDICATE = {"type": "predicate", "name": "p", "instructions": "It rains."}
CHOICE = {
    "type": "choice",
    "name": "c",
    "instructions": "Who?",
    "choices": [{"value": "a", "description": "the miller"}, {"value": "b"}, {"value": "-"}],
}
SCORE = {"type": "score", "name": "s", "instructions": "How?", "levels": [{"label": "low"}, {"label": "high"}]}
MARK = {"prompt_cache_breakpoint": {"mode": "explicit"}}


def marked_input(*texts: str) -> list[dict[str, Any]]:
    parts = [{"type": "input_text", "text": text, **MARK} for text in texts]
    return [
        {"role": "system", "content": parts},
        {"role": "user", "content": [{"type": "input_text", "text": words(5)}]},
    ]


async def decide(sim: Simulator, questions: list[Any], given: Any = "It rains.", **more: Any) -> Any:
    async with client_of(sim) as client:
        return await client.decisions.create(model=more.pop("model", MODEL), input=given, questions=questions, **more)


async def test_each_type_gets_its_own_shape_in_question_order() -> None:
    said: list[Leaning] = [0.25, {"a": 0.5, "b": 0.3, "-": 0.2}, "high", None]
    with Simulator(decider=lambda _body: said) as sim:
        found = await decide(sim, [PREDICATE, CHOICE, SCORE, {**PREDICATE, "name": "q"}])
    predicate, choice, score, refusal = found.answers
    assert (predicate.type, predicate.name, predicate.probability) == ("predicate", "p", 0.25)
    assert (choice.choice, choice.confidence) == ("a", 0.5)
    assert [(row.value, row.probability) for row in choice.probabilities] == [("a", 0.5), ("b", 0.3), ("-", 0.2)]
    assert (score.score, [row.label for row in score.probabilities]) == (pytest.approx(0.9), ["low", "high"])
    assert (refusal.type, refusal.name) == ("refusal", "q")


async def test_a_prefix_is_written_once_and_read_and_output_costs_nothing() -> None:
    given, explicit = marked_input(words(1500)), {"mode": "explicit"}
    predicate = {**PREDICATE, "instructions": words(6)}
    choices = [{"value": "a", "description": words(8)}, {"value": "b"}, {"value": "-"}]
    choice = {**CHOICE, "instructions": words(7), "choices": choices}
    with Simulator() as sim:
        first = await decide(sim, [predicate], given, prompt_cache_options=explicit)
        second = await decide(sim, [predicate, choice], given, prompt_cache_options=explicit)
        rows = sim.rows()
    prefix = MESSAGE + 1500
    assert (first.usage.input_tokens_details.cache_write_tokens, first.usage.output_tokens) == (prefix, 1)
    assert second.usage.input_tokens_details.cached_tokens == prefix
    fresh = MESSAGE + 5 + REPLY + 4 + 6
    assert rows[0].input == fresh
    assert rows[1].input == fresh + 4 + 7 + 3 * (2 + 1) + 8, "a frame, the words, three values, one description"
    assert rows[1].cost_nano == prefix * 10 + rows[1].input * 100


@pytest.mark.parametrize(
    "questions",
    [
        [],
        [{**PREDICATE, "name": str(n)} for n in range(401)],
        [PREDICATE, PREDICATE],
        [{**CHOICE, "choices": [{"value": "a"}]}],
        [{**CHOICE, "choices": [{"value": str(n)} for n in range(256)]}],
        [{**CHOICE, "choices": [{"value": "a"}, {"value": "a"}]}],
        [{**SCORE, "levels": [{"label": "one"}]}],
        [{"type": "note", "instructions": "Say it."}],
        [{"type": "predicate", "instructions": ""}],
        [{**PREDICATE, "choices": []}],
    ],
)
async def test_questions_out_of_bounds_are_refused(questions: list[Any]) -> None:
    with Simulator() as sim:
        with pytest.raises(BadRequestError):
            await decide(sim, questions)
        assert not sim.rows()[0].billed


async def test_a_string_and_a_boolean_of_one_text_are_two_choices() -> None:
    with Simulator(decider="last") as sim:
        found = await decide(sim, [{**CHOICE, "choices": [{"value": "True"}, {"value": True}]}])
    assert found.answers[0].choice is True


async def test_other_models_streams_and_servers_without_the_endpoint_are_refused() -> None:
    with Simulator() as sim:
        with pytest.raises(BadRequestError, match="does not support decisions"):
            await decide(sim, [PREDICATE], model="gpt-6.1-terra")
        with pytest.raises(BadRequestError, match="stream"):
            await decide(sim, [PREDICATE], extra_body={"stream": True})
        with pytest.raises(BadRequestError, match="temperature"):
            await decide(sim, [PREDICATE], extra_body={"temperature": 0})
    with Simulator(preset("llama")) as sim, pytest.raises(NotFoundError):
        await decide(sim, [PREDICATE])


async def test_a_vllm_like_server_takes_fewer_questions_and_choices_and_text_alone() -> None:
    with Simulator(preset("vllm")) as sim:
        await decide(sim, [{**PREDICATE, "name": str(n)} for n in range(200)], model="any")
        with pytest.raises(BadRequestError, match="1 and 200"):
            await decide(sim, [{**PREDICATE, "name": str(n)} for n in range(201)], model="any")
        with pytest.raises(BadRequestError, match="2 and 26"):
            await decide(sim, [{**CHOICE, "choices": [{"value": str(n)} for n in range(27)]}], model="any")
        image: Any = [{"role": "user", "content": [{"type": "input_image", "image_url": "data:,"}]}]
        with pytest.raises(BadRequestError, match="not served here"):
            await decide(sim, [PREDICATE], image, model="any")


@pytest.mark.parametrize("kind", sorted(DECISION_FAULTS | {"half", "duplicated", "strangers", "empty", "refusal"}))
async def test_a_content_fault_spoils_the_answers_and_is_billed(kind: str) -> None:
    with Simulator(faults=FaultPlan(by_index={0: Fault(kind)})) as sim:
        found = (await decide(sim, [PREDICATE, CHOICE, SCORE])).answers
        assert sim.rows()[0].billed
    names = [getattr(answer, "name", None) for answer in found]
    holds: dict[str, Callable[[], bool]] = {
        "not_one": lambda: found[0].probability > 1 and sum(r.probability for r in found[1].probabilities) > 1.1,
        "nan": lambda: math.isnan(found[0].probability) and math.isnan(found[1].confidence),
        "nameless": lambda: names == [None] * 3,
        "wrong_order": lambda: names == ["s", "c", "p"],
        "one_refused": lambda: [answer.type for answer in found] == ["refusal", "choice", "score"],
        "half": lambda: names == ["p"],
        "duplicated": lambda: len(found) == 6,
        "strangers": lambda: found[1].choice == "zz",
        "empty": lambda: found == [],
        "refusal": lambda: {answer.type for answer in found} == {"refusal"},
    }
    assert holds[kind]()


@pytest.mark.parametrize(("kind", "status"), [("rate_limit", 429), ("server_error", 500)])
async def test_a_status_fault_is_not_billed(kind: str, status: int) -> None:
    with Simulator(faults=FaultPlan(by_index={0: Fault(kind)})) as sim:
        with pytest.raises(APIStatusError) as raised:
            await decide(sim, [PREDICATE])
        assert (raised.value.status_code, sim.rows()[0].billed) == (status, False)
