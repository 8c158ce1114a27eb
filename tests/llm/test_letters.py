from __future__ import annotations

import json
import math
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import DefinitionError
from analyzer.llm.formats import parse_reply
from analyzer.llm.letters import (
    PREFILL,
    Shown,
    answer_from,
    answer_value,
    letter_probabilities,
    mean_probabilities,
    parse_key,
    render,
    turned,
)
from analyzer.llm.profiles import LOCAL_SMALL
from analyzer.llm.transports.letter_chat import LetterChat
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.question import NONE, Answer, Option, Question
from analyzer.models.run import Usage
from analyzer.models.text import Place
from analyzer.prompts.leads import lead, leads

from .build import chapter, handles, note, pack, question

SHOWN = Shown("", ("k_person", "k_place", NONE))


@pytest.mark.parametrize("text", ['B"}', ' b"}', '{"answer": "B"}', '```json\n{ "answer":"B" }```', PREFILL + "B", "B"])
def test_a_letter_is_read_with_or_without_the_prefill(text: str) -> None:
    assert parse_key(text, SHOWN) == "k_place"


@pytest.mark.parametrize("text", ["", '"}', "Z", "A B", "person", '{"answer": 2}', "{}", "E", "\\"])
def test_what_is_no_offered_letter_is_not_told(text: str) -> None:
    assert parse_key(text, SHOWN) is None


def test_a_select_also_picks_what_is_likelier_than_none_and_a_choice_never_does() -> None:
    mean = {"k_person": 0.4, "k_place": 0.3, NONE: 0.2, "k_group": 0.1}
    select = question("person", "place", "group", type="select", max_picks=3)
    assert answer_from(select, mean).picked == ("k_person", "k_place")
    assert answer_from(select.model_copy(update={"max_picks": 1}), mean).picked == ("k_person",)
    assert answer_from(question("person", "place"), mean).picked == ("k_person",)
    none_second = {"k_person": 0.4, NONE: 0.35, "k_place": 0.25}
    assert answer_from(select, none_second).picked == ("k_person",)
    assert answer_from(select, {NONE: 0.5, "k_person": 0.5}).status == "none"


def test_none_is_always_offered_once_and_the_options_turn() -> None:
    asked = question("person", "place", "group")
    rows = [[option.key for option in turned(asked, turn, 4)] for turn in range(4)]
    assert rows[0] == ["k_person", "k_place", "k_group", NONE]
    assert sorted({row[0] for row in rows}) == sorted(rows[0])
    own = asked.model_copy(update={"options": (Option(mark="z", key=NONE, text="keiner"), *asked.options)})
    assert [option.text for option in turned(own, 0, 1)].count("keiner") == 1


def test_many_options_never_push_none_out() -> None:
    assert turned(handles(*range(1, 60)), 0, 1)[-1].key == NONE


def test_the_rendered_question_has_its_lead_and_drops_the_steps_words_and_marks() -> None:
    asked = pack(question("person", "place"), tail="Decide the kind.\n1 What is Mara?\n a person\n b place\n")
    shown = render(asked)
    assert shown.tail.splitlines()[1:4] == ["What is Mara?", "A) person", "B) place"]
    assert shown.tail.splitlines()[0] == leads()["cast.kind"]
    assert shown.keys == ("k_person", "k_place", NONE)


def test_an_ask_without_a_lead_keeps_the_steps_words_and_a_lead_may_hold_their_first_line() -> None:
    assert lead("card.note", "TASK: say it.\nBriefly.") == "TASK: say it.\nBriefly."
    assert lead("relation.select", "TASK: kin.\nMore.") == leads()["relation.select"].replace("{task}", "kin.")


def test_no_rendered_question_shows_a_letter_to_copy() -> None:
    tail = render(pack(question("person", "place"))).tail
    assert '"answer": "A"' not in tail and tail.count("A)") == 1


def test_handles_show_with_their_names() -> None:
    assert "A) @1 Jonas Vel" in render(pack(handles(1, 2))).tail


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_garbage_picks_only_what_was_offered(text: str) -> None:
    assert parse_key(text, SHOWN) in {None, *SHOWN.keys}
    answer_value(text)


def logprobs(**shares: float) -> dict[str, Any]:
    rows = [{"token": token, "logprob": math.log(share)} for token, share in shares.items()]
    return {"logprobs": {"content": [{"token": "A", "top_logprobs": rows}]}}


def test_probabilities_are_scaled_to_the_letters_offered_and_averaged_over_orders() -> None:
    one = letter_probabilities(logprobs(A=0.6, B=0.2, Z=0.2), SHOWN)
    assert one["k_person"] == pytest.approx(0.75)
    two = {"k_place": 1.0}
    mean = mean_probabilities([one, {}, two])
    assert mean["k_place"] == pytest.approx((0.25 + 1) / 2)


@pytest.mark.parametrize(
    "choice",
    [{}, {"logprobs": None}, {"logprobs": {"content": []}}, {"logprobs": {"content": [{"top_logprobs": [5]}]}}],
)
def test_without_probabilities_there_are_none(choice: dict[str, Any]) -> None:
    assert letter_probabilities(choice, SHOWN) == {}


class Server:
    """Picks, in every order, the letter that stands before the wanted words; with probabilities on request."""

    def __init__(self, *wanted: str, share: float | None = None) -> None:
        self.bodies: list[dict[str, Any]] = []
        self._wanted, self._share = wanted, share

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        self.bodies.append(body)
        shown = body["messages"][-2]["content"]
        rows = [line.split(") ", 1) for line in shown.splitlines() if line[1:3] == ") "]
        letters = [letter for wanted in self._wanted for letter, words in rows if words == wanted][:1]
        choice: dict[str, Any] = {"message": {"content": " ".join(letters) + '"}'}, "finish_reason": "stop"}
        if self._share is not None:
            others = {letter: (1 - self._share) / (len(rows) - 1) for letter, _ in rows}
            choice.update(logprobs(**{**others, letters[0]: self._share}))
        usage = {"prompt_tokens": 50, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 40}}
        return httpx2.Response(200, json={"model": "q", "choices": [choice], "usage": usage})


def asker(server: Server, turns: int = 3) -> LetterChat:
    chat = OpenAIChat("q", base_url="http://127.0.0.1:1", profile=LOCAL_SMALL, transport=httpx2.MockTransport(server))
    return LetterChat(chat, turns=turns)


async def answer_of(server: Server, asked: Question, turns: int = 3) -> tuple[Answer, Any]:
    reply = await asker(server, turns).ask(pack(asked), max_output_tokens=24)
    return parse_reply(reply.text, [asked], chapter(), reply.confidences).answers[0], reply


async def test_each_order_is_asked_on_the_same_prefix_with_the_answer_begun() -> None:
    server = Server("place")
    answer, reply = await answer_of(server, question("person", "place", "group"))
    assert answer.picked == ("k_place",)
    assert len({json.dumps(body["messages"][-2]) for body in server.bodies}) == 2, "the third cannot change it"
    assert {body["messages"][-1]["content"] for body in server.bodies} == {PREFILL}
    starts = {body["messages"][-2]["content"].partition("What is Mara?")[0] for body in server.bodies}
    assert len(starts) == 1
    assert reply.usage == Usage(input=20, cache_read=80, output=4)


async def test_orders_that_differ_are_all_asked() -> None:
    server = Server("place")
    firsts = iter(("A", "A", "A"))

    def always_the_first_letter(request: httpx2.Request) -> httpx2.Response:
        server(request)
        choice = {"message": {"content": next(firsts) + '"}'}, "finish_reason": "stop"}
        return httpx2.Response(200, json={"choices": [choice], "usage": {"prompt_tokens": 1}})

    await answer_of(always_the_first_letter, question("person", "place", "group"))  # type: ignore[arg-type]
    assert len({json.dumps(body["messages"][-2]) for body in server.bodies}) == 3


async def test_the_mean_probability_is_the_confidence() -> None:
    answer, _ = await answer_of(Server("group", share=0.7), question("person", "place", "group"))
    assert answer.picked == ("k_group",) and answer.confidence == pytest.approx(0.7)


async def test_none_and_select_and_note_come_back_as_ordinary_lines() -> None:
    none, _ = await answer_of(Server("none of these, or the text does not say"), question("person", "place"))
    assert none.status == "none"
    several = question("person", "place", "group", type="select", max_picks=2)
    both, _ = await answer_of(Server("group", share=0.7), several)
    assert both.picked == ("k_group",)

    def words(request: httpx2.Request) -> httpx2.Response:
        message = {"content": 'he \\"sells\\" bread"}'}
        return httpx2.Response(200, json={"choices": [{"message": message}], "usage": {"prompt_tokens": 1}})

    told, _ = await answer_of(words, note())  # type: ignore[arg-type]
    assert told.text == 'he "sells" bread'


async def test_one_candidate_sentence_is_taken_and_of_several_one_is_asked_for() -> None:
    one, _ = await answer_of(Server("place"), question("person", "place", evidence="must", sentences=[(2, 1)]))
    assert one.sentences == (Place(2, 1),)
    server = Server("place", "3.1")
    asked = question("person", "place", evidence="must", sentences=[(2, 1), (3, 1)])
    several, _ = await answer_of(server, asked)
    assert several.sentences == (Place(3, 1),) and len(server.bodies) == 3


async def test_an_unreadable_completion_is_missing_or_unparsed_and_never_none() -> None:
    answer, _ = await answer_of(Server("nothing offered"), question("person", "place"))
    assert answer.status in ("missing", "unparsed")


async def test_a_larger_pack_is_our_own_fault() -> None:
    with pytest.raises(DefinitionError):
        await asker(Server("x")).ask(pack(note(), note()), max_output_tokens=9)


async def test_many_options_go_through_rounds_and_only_winners_meet() -> None:
    server = Server("k7", "none of these, or the text does not say")
    asked = question(*(f"k{n}" for n in range(11)))

    answer, _ = await answer_of(server, asked, turns=2)
    assert answer.picked == ("k_k7",)
    offered = [
        sum(line[1:3] == ") " for line in body["messages"][-2]["content"].splitlines()) for body in server.bodies
    ]
    assert offered == [5, 5, 4, 2, 2]


async def test_rounds_without_a_winner_are_none() -> None:
    answer, _ = await answer_of(
        Server("none of these, or the text does not say"), question(*(f"k{n}" for n in range(9)))
    )
    assert answer.status == "none"


async def test_of_many_people_only_those_near_are_offered() -> None:
    server = Server("@3 Jonas Vel")
    asked = handles(*range(1, 12))
    answer, _ = await answer_of(server, asked, turns=1)
    assert answer.picked == ("@3",)
    assert server.bodies[0]["messages"][-2]["content"].count(") @") == LOCAL_SMALL.max_options - 1
