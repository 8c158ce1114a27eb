"""The life of a pack: asked, read, asked again where the reply was no use, until every question is settled.

    missing or unparsed line    asked again in packs of half the size, at most `MORE_TRIES` times
    pattern, loop, run-on       the whole pack again in halves, once
    one mark on every line      again with the options turned; only what agrees in both is kept
    empty or none throughout    once more in the other wording, where the step says so; what is not none wins
    refused                     refused, not asked again in this run

Only answered, none and abstained are stored as answers; every bad reply is stored as an attempt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.llm.certainty import judged
from analyzer.llm.formats import ParsedReply, parse_reply
from analyzer.models.issue import Issue
from analyzer.models.question import Answer, Pack
from analyzer.models.rows import AnswerRow, AttemptRow
from analyzer.models.text import Chapter
from analyzer.scheduler.calls import Caller, Judged, Received, Side
from analyzer.scheduler.keys import Shown
from analyzer.scheduler.questions import Asked, PackPlan
from analyzer.scheduler.slots import Urgency
from analyzer.wording import counted

SAMPLE = 12
"""Questions of a longer pack that are asked with the options turned before all of them are. Source: a choice; twelve that
agree by chance, with two options, are one in 4,000."""
MORE_TRIES = 2
"""How often a question without a usable line is asked again. Source: the product's brief; a third repeat brought nothing."""


class Got(NamedTuple):
    """An answer with its id; the id is only in the store where the answer is answered or none."""

    answer: Answer
    answer_id: str

    @property
    def usable(self) -> bool:
        """Whether the answer can stay: answered, none, or abstained, which asking again would not mend."""
        return self.answer.status in ("answered", "none", "abstained")


class Settled(NamedTuple):
    """A question of a task and what it came to."""

    asked: Asked
    got: Got


class _Read(NamedTuple):
    parsed: ParsedReply
    refused: bool
    held: bool
    """A uniform reply: nothing of it was stored yet."""


@dataclass
class PackLife:
    """One pack on its way. `ids[i]` are the answer ids of question i by wording; `got[wording][i]` what is known of it."""

    plan: PackPlan
    prefix: Shown
    chapter: Chapter
    side: Side
    urgency: Urgency
    ids: tuple[tuple[str, str], ...]
    got: tuple[dict[int, Got], dict[int, Got]] = field(default_factory=lambda: ({}, {}))
    issues: list[Issue] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """What in files people wrote was no answer, one sentence a file."""

    async def settle(self, caller: Caller) -> tuple[Settled, ...]:
        """Ask until every question is settled and return all in order. Spends; raises what `Caller.ask` raises."""
        await self._cycle(caller, 0)
        if self._suspicious():
            await self._cycle(caller, 1)
        return tuple(Settled(asked, self._final(i)) for i, asked in enumerate(self.plan.asked))

    @property
    def is_settled(self) -> bool:
        """Whether stored answers alone settle the pack, so that nothing needs to be sent."""
        return not self._open(0) and not (self._suspicious() and self._open(1))

    def _open(self, wording: int) -> list[int]:
        return [i for i in range(len(self.plan.asked)) if i not in self.got[wording]]

    def _suspicious(self) -> bool:
        first = self.got[0]
        statuses = {first[i].answer.status if i in first else "open" for i in range(len(self.plan.asked))}
        one_by_one = self.side.asker.profile.max_pack == 1
        return self.plan.step.suspicious_none and not one_by_one and statuses <= {"none", "missing"}

    def _final(self, i: int) -> Got:
        first, again = self.got[0][i], self.got[1].get(i)
        if again is None or (first.usable and again.answer.status != "answered"):
            return first
        return again if again.usable else first

    async def _cycle(self, caller: Caller, wording: int) -> None:
        """Ask what is open; what is left of a pack goes as the first repeat did, so that a resumed run asks the same."""
        n_all, which = len(self.plan.asked), self._open(wording)
        size = n_all if len(which) == n_all else (n_all + 1) // 2
        for part in _chunks(which, size):
            await self._ask(caller, part, wording, tries=1 + MORE_TRIES)

    async def _ask(
        self, caller: Caller, which: Sequence[int], wording: int, *, tries: int, halved: bool = False
    ) -> None:
        pack = self.plan.pack(which, self.prefix, wording=wording)
        read = await caller.ask(pack, self.side, self.urgency, lambda r: self._judge(r, pack, which, wording))
        half = max(1, (len(which) + 1) // 2)
        if read.parsed.degenerate:
            if not halved:
                for part in _chunks(which, half):
                    await self._ask(caller, part, wording, tries=tries - 1, halved=True)
                return
            self._note_degenerate(read.parsed)
        elif read.held:
            await self._turned(caller, which, wording, read.parsed)
        elif not read.refused:
            await self._again(caller, which, wording, tries=tries, halved=halved)

    async def _again(self, caller: Caller, which: Sequence[int], wording: int, *, tries: int, halved: bool) -> None:
        """Ask once more what came back without a usable line; an empty reply goes straight to the other wording."""
        got = self.got[wording]
        bad = [i for i in which if not got[i].usable and got[i].answer.status != "refused"]
        whole_empty = wording == 0 and len(bad) == len(self.plan.asked) and self._suspicious()
        if tries > 1 and not whole_empty:
            for part in _chunks(bad, max(1, (len(which) + 1) // 2)):
                await self._ask(caller, part, wording, tries=tries - 1, halved=halved)

    async def _turned(self, caller: Caller, which: Sequence[int], wording: int, first: ParsedReply) -> None:
        """Ask with the options turned and keep what agrees; the rest is unparsed, for a model that copies a mark.

        Of a long pack a sample is asked first: where that agrees throughout, the one mark was meant, and all of it is kept.
        """
        sampled = range(0, len(which), max(1, len(which) // SAMPLE))
        rest = [at for at in range(len(which)) if at not in sampled]
        if await self._turned_part(caller, which, wording, first, sampled, rest) and rest:
            await self._turned_part(caller, which, wording, first, rest, ())

    async def _turned_part(
        self,
        caller: Caller,
        which: Sequence[int],
        wording: int,
        first: ParsedReply,
        part: Sequence[int],
        along: Sequence[int],
    ) -> bool:
        """Ask the questions at `part` of `which` turned; where all agree those at `along` are kept too. Return whether some differ."""
        asked = [which[at] for at in part]
        pack = self.plan.pack(asked, self.prefix, wording=wording, turn=True)

        def judge(received: Received) -> tuple[Judged, bool]:
            second = _parsed(received, pack, self.chapter)
            before = [first.answers[at] for at in part]
            pairs = zip(asked, before, second.answers, strict=True)
            kept = [
                i for i, a, b in pairs if a.status == b.status in ("answered", "abstained") and a.picked == b.picked
            ]
            for i, answer in zip(asked, before, strict=True):
                lost = Answer(status="unparsed", raw=answer.raw)
                self.got[wording][i] = Got(answer if i in kept else lost, self.ids[i][wording])
            if len(kept) == len(asked):
                return Judged(self._rows([*kept, *(which[at] for at in along)], wording, received), ()), False
            problem = (
                f"{len(asked) - len(kept)} of {counted(len(asked), 'answer')} changed with the order of the options"
            )
            return Judged(self._rows(kept, wording, received), (_attempt(received, pack, problem),)), True

        return await caller.ask(pack, self.side, self.urgency, judge)

    def _judge(self, received: Received, pack: Pack, which: Sequence[int], wording: int) -> tuple[Judged, _Read]:
        """Take in a reply: what of it is stored, and as what."""
        if received.reply.refused:
            for i in which:
                self.got[wording][i] = Got(Answer(status="refused"), self.ids[i][wording])
            return Judged((), (_attempt(received, pack, "refused"),)), _Read(ParsedReply(()), True, False)
        parsed = _parsed(received, pack, self.chapter)
        held = parsed.uniform and all(q.type in ("choice", "predicate") for q in pack.questions)
        for i, answer in zip(which, parsed.answers, strict=True):
            self.got[wording][i] = Got(answer, self.ids[i][wording])
        if received.reply.source and not held:
            self._note_unread(received.reply.source, parsed, len(pack.questions))
        if held:
            return Judged((), (_attempt(received, pack, "the same mark on every line"),)), _Read(parsed, False, True)
        good = [i for i in which if self.got[wording][i].usable and not parsed.degenerate]
        problem = "; ".join(f"{code}: {detail}" for code, detail in parsed.issues)[:_PROBLEM_CHARS]
        attempts = () if len(good) == len(which) else (_attempt(received, pack, problem),)
        return Judged(self._rows(good, wording, received), attempts), _Read(parsed, False, False)

    def _rows(self, which: Sequence[int], wording: int, received: Received) -> tuple[AnswerRow, ...]:
        return tuple(
            AnswerRow(
                answer_id=self.got[wording][i].answer_id,
                request_hash=received.request_hash,
                call_id=received.call_id,
                step=self.plan.step.name,
                chapter=self.plan.chapter,
                key=self.plan.asked[i].question.key.text,
                question=self.plan.asked[i].question,
                answer=self.got[wording][i].answer,
                model=self.side.asker.model,
                answered_by=received.reply.answered_by,
                wording=wording,
            )
            for i in which
        )

    def _note_unread(self, file: str, parsed: ParsedReply, n: int) -> None:
        """Say which lines of a file are no answers; where none is one the file is read again, else what is missing is asked anew."""
        bad = [(at, answer.raw) for at, answer in enumerate(parsed.answers, 1) if not Got(answer, "").usable]
        if not bad:
            return
        shown = "; ".join(
            f"{at} is {raw[:_RAW_CHARS]!r}" if raw else f"{at} has no line" for at, raw in bad[:_SHOWN_LINES]
        )
        more = f"; and {len(bad) - _SHOWN_LINES} more" if len(bad) > _SHOWN_LINES else ""
        next_step = "mend the file" if len(bad) == n else "answer the prompt that asks for these again"
        self.unread.append(
            f"{file}: {len(bad)} of {counted(n, 'question')} {'has' if len(bad) == 1 else 'have'} no usable line "
            f"({shown}{more}): {next_step}, and run again"
        )

    def _note_degenerate(self, parsed: ParsedReply) -> None:
        detail = "; ".join(detail for code, detail in parsed.issues if code == "degenerate_reply")
        name, chapter = self.plan.step.name, self.plan.chapter
        self.issues.append(Issue(code="degenerate_reply", step=name, chapter=chapter, detail=detail))


_SHOWN_LINES = 3
_RAW_CHARS = 40
"""How many faulty lines of a file are shown, and how much of each."""
_PROBLEM_CHARS = 500
"""Longest reason kept with an attempt; the reply itself stands beside it."""


def _parsed(received: Received, pack: Pack, chapter: Chapter) -> ParsedReply:
    if received.reply.refused:
        return ParsedReply(tuple(Answer(status="refused") for _ in pack.questions))
    reply = received.reply
    parsed = parse_reply(reply.text, pack.questions, chapter, reply.confidences, cut=reply.is_cut)
    return judged(parsed, pack.questions, reply)


def _attempt(received: Received, pack: Pack, problem: str) -> AttemptRow:
    return AttemptRow(
        call_id=received.call_id,
        request_hash=received.request_hash,
        step=pack.step,
        chapter=pack.chapter,
        pack_size=len(pack.questions),
        reply_text=received.reply.text,
        problem=problem,
    )


def _chunks(which: Sequence[int], size: int) -> list[Sequence[int]]:
    return [which[at : at + size] for at in range(0, len(which), size)]
