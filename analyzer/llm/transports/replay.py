"""Replay: recorded answers by question key; nothing is asked, a question without a recording is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from analyzer.errors import ReplayMissError
from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.profiles import OFFLINE
from analyzer.models.question import NONE, Answer, Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage


class Replay:
    """Answers from `recorded`: `QuestionKey.text` to the answers given, in order; the last one stands for any further ask.

    Answers hold option keys, so a recording outlives a new order of options. What was unparsed stays so, what was missing or
    refused has no line.
    """

    answered_by: AnsweredBy = "replay"

    def __init__(self, recorded: Mapping[str, Sequence[Answer]], *, profile: Profile = OFFLINE) -> None:
        self.model = "replay"
        self.profile = profile
        self.params: dict[str, object] = {}
        self._recorded = {key: tuple(answers) for key, answers in recorded.items()}
        self._used: dict[str, int] = {}

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return the recorded lines; raises ReplayMissError at the first question without a recording that fits."""
        found = [(question, self._answer(question)) for question in pack.questions]
        lines = [line for number, (q, a) in enumerate(found, 1) if (line := _line(number, q, a))]
        if on_first_event is not None:
            on_first_event()
        return Reply(
            text="\n".join(lines),
            usage=Usage(),
            model=self.model,
            answered_by="replay",
            refused=bool(found) and all(answer.status == "refused" for _, answer in found),
            confidences=tuple(answer.confidence for _, answer in found),
        )

    def _answer(self, question: Question) -> Answer:
        key = question.key.text
        answers = self._recorded.get(key, ())
        if not answers:
            raise ReplayMissError(f"no answer to {key!r} was recorded", where=question.key.step)
        at = self._used.get(key, 0)
        answer = answers[min(at, len(answers) - 1)]
        gone = [picked for picked in answer.picked if picked != NONE and question.option_by_key(picked) is None]
        if gone:
            message = f"the recorded answer to {key!r} picks {gone[0]!r}, which is not offered now"
            raise ReplayMissError(message, where=question.key.step)
        self._used[key] = at + 1
        return answer

    async def close(self) -> None:
        """Nothing to release."""


def _line(number: int, question: Question, answer: Answer) -> str:
    if answer.status in ("answered", "none"):
        return write_line(number, question, answer)
    return f"{number} ?" if answer.status == "unparsed" else ""
