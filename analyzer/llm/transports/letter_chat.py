"""Drives the letter format over chat completions: one question a call, its options turned, the first token's probabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.errors import DefinitionError
from analyzer.focus import focused, narrowed, without_itself
from analyzer.llm.asker import Profile
from analyzer.llm.formats import NOTE_CHARS, storable, write_line
from analyzer.llm.letters import (
    NOTE_TOKENS,
    PREFILL,
    Shown,
    answer_from,
    answer_value,
    letter_probabilities,
    mean_probabilities,
    parse_key,
    render,
    render_places,
    settled,
)
from analyzer.llm.transports.chat_shape import plain_messages, reply_from
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.question import NONE, Answer, Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage
from analyzer.models.text import parse_place

TURNS = 3
"""Option orders asked: a majority of three was right in 78 %, one order in 68 to 72 % (32 questions)."""
TOP_LOGPROBS = 20
MAX_PLACES = 5
"""Most candidate sentences offered in the follow-up question."""


def letter_params(profile: Profile, turns: int) -> dict[str, object]:
    """Return what of the format decides the bytes sent beside the pack."""
    bounds = {"max_options": profile.max_options, "context_chars": profile.context_chars}
    return {"format": profile.answer_format, "turns": turns, **bounds}


class LetterChat:
    """An `OpenAIChat` asked in the letter format. Packs hold one question; the reply is an ordinary answer line.

    Up to `turns` option orders are asked, no more once most of them favour one option, and their probabilities averaged
    (without probabilities: the majority, ties to the first order).
    Where evidence must be given, one candidate sentence is taken as it is, of several one is asked for.
    """

    answered_by: AnsweredBy = "model"

    def __init__(self, chat: OpenAIChat, *, turns: int = TURNS) -> None:
        if turns < 1:
            raise DefinitionError(f"turns is {turns}, at least 1 was expected")
        self._chat = chat
        self._turns = turns
        self.model = chat.model
        self.profile: Profile = chat.profile
        self.params: dict[str, object] = {**chat.params, **letter_params(chat.profile, turns)}

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Ask the one question of `pack`; raises DefinitionError for a larger pack, and as `OpenAIChat.ask` does."""
        if len(pack.questions) != 1:
            raise DefinitionError(f"the letter format asks one question a call, got a pack of {len(pack.questions)}")
        pack = self._smaller(pack)
        if pack.questions[0].type == "note":
            return await self._note(pack)
        replies: list[Reply] = []
        mean = await self._probabilities(pack, replies)
        if not mean:
            return _joined(replies, "\n".join(f"? {reply.text}" for reply in replies), None)
        question = pack.questions[0]
        answer = await self._with_evidence(pack, question, answer_from(question, mean), replies)
        return _joined(replies, write_line(1, question, answer), answer.confidence)

    def _smaller(self, pack: Pack) -> Pack:
        """Return the pack with the people offered, and the chapter around the question, as the profile bounds them."""
        most, chars = self.profile.max_options, self.profile.context_chars
        question = narrowed(without_itself(pack.questions[0]), pack.parts, most - 1)
        return pack.model_copy(update={"questions": (question,), "parts": focused(pack.parts, question, chars)})

    async def _probabilities(self, pack: Pack, replies: list[Reply]) -> dict[str, float]:
        """Return the mean probability of each option over all orders; of many options the winners of rounds only.

        {} where no reply could be read.
        """
        question = pack.questions[0]
        real = [option for option in question.options if option.key != NONE]
        none = [option for option in question.options if option.key == NONE]
        size = self.profile.max_options - 1
        while 1 <= size < len(real):
            winners = []
            for at in range(0, len(real), size):
                some = question.model_copy(update={"options": (*real[at : at + size], *none)})
                mean = await self._asked(pack, some, 1, replies)
                best = max(mean, key=lambda key: mean[key], default=NONE)
                winners += [option for option in some.options if option.key == best != NONE]
            if not winners:
                return {NONE: 1.0}
            real = winners if len(winners) < len(real) else winners[:size]
        return await self._asked(pack, question.model_copy(update={"options": (*real, *none)}), self._turns, replies)

    async def _asked(self, pack: Pack, question: Question, turns: int, replies: list[Reply]) -> dict[str, float]:
        found: list[Mapping[str, float]] = []
        for turn in range(turns):
            shown = render(pack.model_copy(update={"questions": (question,)}), turn=turn, turns=turns)
            reply, choice = await self._send(pack, shown, 2)
            replies.append(reply)
            key = parse_key(reply.text, shown)
            found.append(letter_probabilities(choice, shown) or ({key: 1.0} if key is not None else {}))
            if settled(found, turns):
                break
        return mean_probabilities(found)

    async def _note(self, pack: Pack) -> Reply:
        reply, _ = await self._send(pack, render(pack), NOTE_TOKENS)
        words = " ".join((answer_value(reply.text) or "").split())[:NOTE_CHARS]
        return _joined([reply], f"1 = {words}" if words else f"? {reply.text}", None)

    async def _with_evidence(self, pack: Pack, question: Question, answer: Answer, replies: list[Reply]) -> Answer:
        places = list(question.sentences[:MAX_PLACES])
        if question.evidence == "no" or answer.status != "answered" or not places:
            return answer
        if len(places) == 1 or question.evidence == "may":
            return answer.model_copy(update={"sentences": tuple(places[:1])})
        option = question.option_by_key(answer.pick)
        said = option.text if option is not None and option.text else question.text
        shown = render_places(pack, f"{question.text}: {said}", places)
        reply, _ = await self._send(pack, shown, 2)
        replies.append(reply)
        place = parse_place(parse_key(reply.text, shown) or "")
        return answer.model_copy(update={"sentences": (place,) if place is not None else ()})

    async def _send(self, pack: Pack, shown: Shown, max_tokens: int) -> tuple[Reply, Mapping[str, Any]]:
        sent = pack.model_copy(update={"tail": shown.tail})
        body = {
            "model": self.model,
            "messages": [*plain_messages(sent), {"role": "assistant", "content": PREFILL}],
            "max_tokens": max_tokens,
            "logprobs": True,
            "top_logprobs": TOP_LOGPROBS,
            **self._chat.params,
        }
        found = await self._chat.complete(body)
        reply = reply_from(found, sent, model=self.model, max_output_tokens=max_tokens, writes_cache=False)
        choices = found.get("choices") if isinstance(found, Mapping) else None
        choice = choices[0] if isinstance(choices, list) and choices else {}
        return reply, choice if isinstance(choice, Mapping) else {}

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()


def _joined(replies: Sequence[Reply], text: str, confidence: float | None) -> Reply:
    usage = Usage()
    for reply in replies:
        usage = usage + reply.usage
    return replies[-1].model_copy(
        update={
            "text": storable(text),
            "usage": usage,
            "refused": any(reply.refused for reply in replies),
            "confidences": (confidence,),
        }
    )
