"""`decisions:MODEL`: OpenAI's decisions endpoint, and any server that speaks it; notes go to the chat beside it.

One pack is one or a few requests over the same input: what is picked, then the sentences that show it. All of them are one call of the
bill. A later request that fails takes nothing along: its questions have no line and are asked again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyzer.errors import ModelError
from analyzer.focus import places_shown
from analyzer.hashing import content_hash
from analyzer.llm.asker import Profile
from analyzer.llm.decisions import (
    ALSO,
    FEW,
    Asked,
    Hunt,
    Verdict,
    advanced,
    answer_of,
    asked_of,
    evidence_texts,
    first_round,
    hunts_of,
    predicates_for,
    takes,
    verdicts_in,
    weight,
    with_evidence,
)
from analyzer.llm.formats import storable, write_line
from analyzer.llm.transports.chat_shape import NO_USAGE, REFUSED_BODY, marked_messages, plain_messages, unreadable
from analyzer.llm.transports.failures import said_no
from analyzer.llm.transports.openai_chat import BREAKPOINT, OpenAIChat
from analyzer.llm.usage import WORST_FACTOR, count_tokens, normalise, worst_usage
from analyzer.models.question import Answer, Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage
from analyzer.models.text import Place
from analyzer.prompts import instructions_in, listed_once, prompt_text

SPEC = "decisions:"
"""What a model's name begins with where its decisions are asked: in `--model`, in the bill, in the price table."""
FRAME_TOKENS = 32
"""Room for the name, type and braces of a question, should the provider count them. Source: such JSON without texts, o200k: 25."""
CHOICE_TOKENS = 8
"""The same for one choice: 5 to 8."""
MOST_HUNTS = 100
"""Picks of a pack whose sentences are looked for, the surest first; bounds what a pack can cost where an answerer picks everything.
Source: a choice; true answers to the bundled serials pick at most 60 a pack."""
UNREAD = "?"
"""Stands in the line of a question whose verdict could not be read: unparsed."""


@dataclass
class _Told:
    """What a pack has come to so far."""

    answers: list[Answer]
    found: dict[tuple[int, str], tuple[Place, ...]] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    usage: Usage = field(default_factory=Usage)
    flags: list[str] = field(default_factory=list)


class Decisions:
    """A decisions endpoint beside the chat of the same server. Spends money where its profile is priced.

    `chat` is the connection and who answers what the endpoint cannot; `profile` bounds its requests. Questions do not see each
    other there, so nothing depends on how a pack is cut.
    """

    answered_by: AnsweredBy = "model"

    def __init__(self, chat: OpenAIChat, profile: Profile) -> None:
        self.beside = chat
        self.model = f"{SPEC}{chat.model}"
        self.profile = profile
        how = content_hash("part", prompt_text("decisions"))
        self.params: dict[str, object] = {"format": "decisions", "how": how, "few": FEW, "also": ALSO}

    def takes(self, question: Question) -> bool:
        """Say whether the endpoint can answer the question."""
        return takes(question, self.profile)

    def weight(self, question: Question) -> int:
        """Return how many decisions the question needs."""
        return weight(question)

    def request(self, pack: Pack, asked: Sequence[Asked]) -> dict[str, Any]:
        """Return the body of one request: the prefix parts with their breakpoints, the task once, the questions."""
        told = pack.model_copy(update={"tail": _task(pack)})
        marked = self.profile.cache_marks
        given = marked_messages(told, BREAKPOINT, part_type="input_text") if marked else plain_messages(told)
        body = {"model": self.beside.model, "input": given, "questions": [one.body for one in asked]}
        return {**body, "prompt_cache_options": {"mode": "explicit"}} if marked else body

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Decide `pack` and return the answers as ordinary lines; raises TransientModelError or PermanentModelError. Can spend.

        Calls `on_first_event` when the first request has ended. Only the first request raises.
        """
        told = _Told([])
        _, listed = listed_once(pack.questions)
        first = await self._decided(pack, first_round(pack.questions, listed), told)
        if on_first_event is not None:
            on_first_event()
        if first is None:
            return Reply(text="", usage=told.usage, model=self.model, refused=True, finish="content_filter")
        await self._selects(pack, first, listed, told)
        await self._evidence(pack, told)
        return self._reply(pack, told)

    async def _selects(self, pack: Pack, first: Mapping[str, Verdict], listed: Collection[int], told: _Told) -> None:
        """Put the options of the selects that are open, and know all answers but for their evidence."""
        rows = [
            predicates_for(at, question, first[f"q{at + 1}"], listed=at in listed)
            for at, question in enumerate(pack.questions)
        ]
        verdicts = {**first, **await self._later(pack, [one for row in rows for one in row], told)}
        told.answers = [
            answer_of(at, question, verdicts, row)
            for at, (question, row) in enumerate(zip(pack.questions, rows, strict=True))
        ]

    async def _later(self, pack: Pack, asked: Sequence[Asked], told: _Told) -> dict[str, Verdict]:
        """Return the verdicts on further questions of a pack, in as many requests as they need; what fails is missing."""
        found: dict[str, Verdict] = {}
        for at in range(0, len(asked), self.profile.max_decisions):
            part = asked[at : at + self.profile.max_decisions]
            try:
                verdicts = await self._decided(pack, part, told)
            except ModelError as error:
                # what was paid for is kept; who turned the request away billed nothing for it
                told.usage += Usage() if said_no(error) else self._worst(pack, part)
                told.flags.append("broke_off")
                verdicts = {}
            found |= {one.name: (verdicts or {}).get(one.name, Verdict("missing")) for one in part}
        return found

    async def _evidence(self, pack: Pack, told: _Told) -> None:
        every, told.found = hunts_of(pack.questions, told.answers, places_shown(pack.parts))
        hunts = sorted(every, key=lambda hunt: -dict(told.answers[hunt.at].probabilities).get(hunt.key, 1.0))[
            :MOST_HUNTS
        ]
        told.lost = {hunt.at for hunt in every} - {hunt.at for hunt in hunts}
        while hunts:
            asked = [asked_of(hunt, pack.questions[hunt.at]) for hunt in hunts]
            hunts = _hunted(hunts, asked, await self._later(pack, asked, told), pack, told)

    async def _decided(self, pack: Pack, asked: Sequence[Asked], told: _Told) -> dict[str, Verdict] | None:
        """Send one request and return its verdicts by name, None where it was refused as a whole."""
        body = await self._send(pack, self.request(pack, asked))
        if body is REFUSED_BODY:
            return None
        answers = body.get("answers") if isinstance(body, Mapping) else None
        if not isinstance(body, Mapping) or not isinstance(answers, list):
            raise unreadable(self.model, "something else than decisions")
        report = body.get("usage")
        usage, flags = normalise(report if isinstance(report, Mapping) else None)
        told.usage += usage or self._worst(pack, asked)
        told.flags += flags if usage else (NO_USAGE,)
        return verdicts_in(answers, asked)

    async def _send(self, pack: Pack, body: dict[str, Any]) -> object:
        """Send one request of a pack; a seam for whoever must know what it is about."""
        return await self.beside.decide(body)

    def _reply(self, pack: Pack, told: _Told) -> Reply:
        lines, answers = [], []
        for at, (question, answer) in enumerate(zip(pack.questions, told.answers, strict=True)):
            found = {key: places for (of, key), places in told.found.items() if of == at}
            answer = with_evidence(question, answer, found)
            answers.append(answer)
            if answer.status in ("answered", "none") and at not in told.lost:
                lines.append(write_line(at + 1, question, answer))
            elif answer.status == "unparsed":
                lines.append(f"{at + 1} {UNREAD}")
        return Reply(
            text=storable("\n".join(lines)),
            usage=told.usage,
            model=self.model,
            finish=" ".join(dict.fromkeys(["stop", *told.flags])),
            confidences=tuple(answer.confidence for answer in answers),
            probabilities=tuple(answer.probabilities for answer in answers),
            refusals=tuple(at for at, answer in enumerate(answers) if answer.status == "refused"),
        )

    def _worst(self, pack: Pack, asked: Sequence[Asked]) -> Usage:
        """Return the most one request can have used."""
        texts = [text for one in asked for text in _texts(one.body)]
        return self._request_worst(pack, texts, len(asked), sum(len(one.meanings) for one in asked))

    def _request_worst(self, pack: Pack, texts: Sequence[str], n_asked: int, n_choices: int) -> Usage:
        told = pack.model_copy(update={"tail": _task(pack)})
        usage = worst_usage(told, max_output_tokens=n_asked, writes_cache=self.profile.cache_marks)
        tokens = math.ceil(sum(map(count_tokens, texts)) * WORST_FACTOR)
        return usage + Usage(input=tokens + FRAME_TOKENS * n_asked + CHOICE_TOKENS * n_choices)

    def worst_usage(self, pack: Pack, *, writes_cache: bool) -> Usage:
        """Return the most that deciding `pack` can use over all its requests: every select open, every pick made, its evidence sought."""
        _, listed = listed_once(pack.questions)
        total = self._worst(pack, first_round(pack.questions, listed))
        selects = [(at, q) for at, q in enumerate(pack.questions) if q.type == "select"]
        every = [
            one for at, q in selects for one in predicates_for(at, q, Verdict("read"), listed=at in listed, every=True)
        ]
        rounds: list[list[str]] = [[one.body["instructions"] for one in every]]
        places = places_shown(pack.parts)
        for question in pack.questions:
            picks = question.max_picks if question.type == "select" else 1
            for at, text in enumerate(evidence_texts(question, places), 1):
                rounds += [[]] * (at + 1 - len(rounds))
                rounds[at] = rounds[at] + [text] * picks
        for at, texts in enumerate(rounds):
            sent = sorted(texts, key=len)[-MOST_HUNTS:] if at else texts
            total += self._round_worst(pack, sent, n_choices=FEW + 1 if at else 0)
        return total if writes_cache else Usage(input=total.total_input, output=total.output)

    def _round_worst(self, pack: Pack, texts: Sequence[str], *, n_choices: int) -> Usage:
        total = Usage()
        for at in range(0, len(texts), self.profile.max_decisions):
            part = texts[at : at + self.profile.max_decisions]
            total += self._request_worst(pack, part, len(part), n_choices * len(part))
        return total

    async def close(self) -> None:
        """Close the connections; the chat beside it shares them."""
        await self.beside.close()


def _task(pack: Pack) -> str:
    """Return what follows the prefix, the same for every request of a pack: the step's instructions, options listed once, how to decide."""
    once, _ = listed_once(pack.questions)
    return "\n\n".join(filter(None, (instructions_in(pack.tail, pack.questions), once, prompt_text("decisions"))))


def _texts(body: Mapping[str, Any]) -> list[str]:
    choices = body.get("choices", ())
    return [body["instructions"], *(f"{choice['value']} {choice.get('description', '')}" for choice in choices)]


def _hunted(
    hunts: Sequence[Hunt], asked: Sequence[Asked], verdicts: Mapping[str, Verdict], pack: Pack, told: _Told
) -> list[Hunt]:
    """Take in what a request for evidence brought and return the hunts that go on; questions whose hunt broke off are lost."""
    going: list[Hunt] = []
    for hunt, one in zip(hunts, asked, strict=True):
        next_ = advanced(hunt, verdicts[one.name], pack.questions[hunt.at])
        if next_ is None:
            told.lost.add(hunt.at)
        elif isinstance(next_, Hunt):
            going.append(next_)
        else:
            told.found[hunt.at, hunt.key] = next_
    return going
