"""Scripted answerers: what a test says, and the adversaries every run must survive."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from analyzer.errors import ReplayMissError
from analyzer.llm.asker import Profile
from analyzer.llm.formats import write_line
from analyzer.llm.profiles import OFFLINE
from analyzer.models.question import NONE, NONE_MARK, Answer, Option, Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage

Script = Mapping[str, Answer] | Callable[[Question], Answer]
"""Answers by `QuestionKey.text`, or a function of the question."""
Adversary = Literal["first", "none", "yes", "repeat", "half", "invent", "examples"]
"""Always the first option; always none; always yes with every sentence offered; one line over and over; half of the lines;
handles and marks that do not exist; the answer lines of the prompt's own examples."""
ADVERSARIES: tuple[Adversary, ...] = ("first", "none", "yes", "repeat", "half", "invent", "examples")
_EXAMPLE = re.compile(
    r"^\W{0,3}[0-9]{1,3}[ \t]+(?:=[ \t]*\S.*|-|@?[0-9]+\b.*|[a-z](?:[ \t]+[a-z0-9@.]+)*)[ \t]*`?$", re.MULTILINE
)
REPEATS = 200


class Scripted:
    """Answers from a script; `missing` stands for a key the mapping lacks, without it that raises ReplayMissError."""

    answered_by: AnsweredBy = "scripted"

    def __init__(self, script: Script, *, missing: Answer | None = None, profile: Profile = OFFLINE) -> None:
        self.model = "scripted"
        self.profile = profile
        self.params: dict[str, object] = {}
        self.asked: list[Pack] = []
        self._script = script
        self._missing = missing

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return one line for each question; an answer that is neither answered nor none leaves its line out."""
        self.asked.append(pack)
        if on_first_event is not None:
            on_first_event()
        lines = []
        for number, question in enumerate(pack.questions, 1):
            answer = self._answer(question)
            if answer.status in ("answered", "none"):
                lines.append(write_line(number, question, answer))
        return _reply("\n".join(lines), self.model)

    def _answer(self, question: Question) -> Answer:
        if not isinstance(self._script, Mapping):
            return self._script(question)
        answer = self._script.get(question.key.text, self._missing)
        if answer is None:
            raise ReplayMissError(f"the script has no answer to {question.key.text!r}", where=question.key.step)
        return answer

    async def close(self) -> None:
        """Nothing to release."""


class Hostile:
    """One of the named adversaries, as an ordinary transport."""

    answered_by: AnsweredBy = "scripted"

    def __init__(self, kind: Adversary, *, profile: Profile = OFFLINE) -> None:
        self.model = f"scripted:{kind}"
        self.profile = profile
        self.params: dict[str, object] = {}
        self._kind = kind

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return the adversary's text; never fails."""
        if on_first_event is not None:
            on_first_event()
        finish = "length" if self._kind in ("repeat", "half") else "stop"
        return _reply(hostile_text(self._kind, pack), self.model, finish)

    async def close(self) -> None:
        """Nothing to release."""


def hostile_text(kind: Adversary, pack: Pack) -> str:
    """Return what the adversary `kind` writes for `pack`."""
    numbered = list(enumerate(pack.questions, 1))
    if kind == "none":
        return "\n".join(f"{number} {NONE_MARK}" for number, _ in numbered)
    if kind == "examples":
        return "\n".join(_examples(pack))
    if kind == "invent":
        return "\n".join(_invented(number, question) for number, question in numbered)
    lines = [_line(number, question, yes=kind == "yes") for number, question in numbered]
    if kind == "repeat":
        return "\n".join(lines[:1] * REPEATS)
    return "\n".join(lines[: len(lines) // 2] if kind == "half" else lines)


def _line(number: int, question: Question, *, yes: bool) -> str:
    """Return the line that picks the first option (`yes`: all a select allows), with the sentences offered."""
    if question.type == "note":
        return f"{number} = yes"
    real: list[Option] = [option for option in question.options if option.key != NONE]
    several = question.max_picks if yes and question.type == "select" else 1
    sentences = question.sentences if yes else question.sentences[:1]
    picked = tuple(option.key for option in real[:several])
    answer = Answer(
        status="answered" if picked else "none",
        picked=picked,
        sentences=sentences if question.evidence != "no" else (),
    )
    return write_line(number, question, answer)


def _invented(number: int, question: Question) -> str:
    offered = {option.mark for option in question.options}
    if question.type == "note":
        return f"{number} = @99991 told @99992 in 999.9"
    if any(mark.startswith("@") for mark in offered):
        return f"{number} @{99990 + number} 999.{number}"
    letter = next((ch for ch in "zyxwvutsrqponm" if ch not in offered), "zz")
    return f"{number} {letter} 999.{number}"


def _examples(pack: Pack) -> list[str]:
    text = "\n".join([*(part.text for part in pack.parts if part.name == "system"), pack.tail])
    return [found.group().strip(" \t`") for found in _EXAMPLE.finditer(text)]


def _reply(text: str, model: str, finish: str = "stop") -> Reply:
    return Reply(text=text, usage=Usage(), model=model, answered_by="scripted", finish=finish)
