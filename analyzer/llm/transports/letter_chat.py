"""Drives the letter format over chat completions: one question a call, its options turned, the first token's probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.errors import DefinitionError
from analyzer.llm.asker import Profile
from analyzer.llm.formats import NOTE_CHARS, storable, write_line
from analyzer.llm.letters import (
    NOTE_TOKENS,
    PREFILL,
    SELECT_TOKENS,
    Shown,
    answer_from,
    answer_value,
    letter_probabilities,
    mean_probabilities,
    parse_keys,
    render,
    render_places,
)
from analyzer.llm.transports.chat_shape import plain_messages, reply_from
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.question import Answer, Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage
from analyzer.models.text import Place, parse_place

TURNS = 3
"""Option orders asked: a majority of three was right in 78 %, one order in 68 to 72 % (32 questions)."""
TOP_LOGPROBS = 20
MAX_PLACES = 5
"""Most candidate sentences offered in the follow-up question."""


class LetterChat:
    """An `OpenAIChat` asked in the letter format. Packs hold one question; the reply is an ordinary answer line.

    `turns` option orders are asked and their probabilities averaged (without probabilities: the majority, ties to the first
    order). Where evidence must be given, one candidate sentence is taken as it is, of several one is asked for.
    """

    answered_by: AnsweredBy = "model"

    def __init__(self, chat: OpenAIChat, *, turns: int = TURNS) -> None:
        if turns < 1:
            raise DefinitionError(f"turns is {turns}, at least 1 was expected")
        self._chat = chat
        self._turns = turns
        self.model = chat.model
        self.profile: Profile = chat.profile
        self.params: dict[str, object] = {**chat.params, "turns": turns, "format": "letter_json"}

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Ask the one question of `pack`; raises DefinitionError for a larger pack, and as `OpenAIChat.ask` does."""
        if len(pack.questions) != 1:
            raise DefinitionError(f"the letter format asks one question a call, got a pack of {len(pack.questions)}")
        question = pack.questions[0]
        if question.type == "note":
            return await self._note(pack)
        several = question.type == "select" and question.max_picks > 1
        turns: list[tuple[tuple[str, ...] | None, dict[str, float]]] = []
        replies: list[Reply] = []
        for turn in range(1 if several else self._turns):
            shown = render(pack, turn=turn, turns=self._turns)
            reply, choice = await self._send(pack, shown, SELECT_TOKENS if several else 2)
            replies.append(reply)
            turns.append((parse_keys(reply.text, shown, several=several), letter_probabilities(choice, shown)))
        answer = _decide(turns, several=several)
        if answer is None:
            return _joined(replies, "\n".join(f"? {reply.text}" for reply in replies), None)
        answer, more = await self._with_evidence(pack, question, answer)
        return _joined([*replies, *more], write_line(1, question, answer), answer.confidence)

    async def _note(self, pack: Pack) -> Reply:
        reply, _ = await self._send(pack, render(pack), NOTE_TOKENS)
        words = " ".join((answer_value(reply.text) or "").split())[:NOTE_CHARS]
        return _joined([reply], f"1 = {words}" if words else f"? {reply.text}", None)

    async def _with_evidence(self, pack: Pack, question: Question, answer: Answer) -> tuple[Answer, list[Reply]]:
        places = list(question.sentences[:MAX_PLACES])
        if question.evidence == "no" or answer.status != "answered" or not places:
            return answer, []
        if len(places) == 1 or question.evidence == "may":
            return answer.model_copy(update={"sentences": tuple(places[:1])}), []
        shown = render_places(question, places)
        reply, _ = await self._send(pack, shown, 2)
        picked = parse_keys(reply.text, shown) or ()
        found: list[Place] = [place for place in map(parse_place, picked) if place is not None]
        return answer.model_copy(update={"sentences": tuple(found)}), [reply]

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


def _decide(turns: Sequence[tuple[tuple[str, ...] | None, Mapping[str, float]]], *, several: bool) -> Answer | None:
    """Return the answer of all turns, or None where none of them can be read."""
    picks = [picked for picked, _ in turns if picked]
    if several:
        return answer_from(picks[0]) if picks else None
    mean = mean_probabilities([probabilities for _, probabilities in turns])
    if mean:
        best = max(mean, key=lambda key: mean[key])
        return answer_from((best,), round(min(1.0, mean[best]), 6))
    if not picks:
        return None
    return answer_from(Counter(picks).most_common(1)[0][0])


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
