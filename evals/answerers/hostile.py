"""Adversaries who know what the rules at a door stand on, so that these rules are tried.

*About relations*: truth where people are told apart, an adversary's lines about all else. Who copies one mark for everything is
caught at the first long question about the cast and says nothing of relations, so that the rules at their door would stand
untried. *About the story*: truth about cast and relations, hostile lines about states, secrets, threads and the like; every
line can be read, names what was offered and cites sentences that exist, so that nothing but the rules stands in its way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from analyzer.llm.formats import write_line
from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.scripted import Adversary, Hostile
from analyzer.models.question import NONE, Answer, Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage
from analyzer.models.text import Chapter, Place
from analyzer.steps._registry import load_steps
from analyzer.text.manuscript import read_manuscript
from evals.answerers.errors import share
from evals.goldset.cases import Case

CAST = "cast_"
"""Begins the names of the steps that decide who is who."""
StoryAdversary = Literal["first", "last", "all", "random", "none", "eager"]
"""Always the first option; always the last; everything a select allows; any of them, drawn from the key; always none;
everything where something is looked for, the truth where it is doubted or put into words."""
STORY_ADVERSARIES: tuple[StoryAdversary, ...] = get_args(StoryAdversary)
KNOWN_PARTS = frozenset({"cast", "relations"})
MAX_CITED = 3
"""Sentences behind a pick."""
PICKED = 0.5
"""Share of a select's options that a random answer picks."""


class HostileAboutRelations:
    """A transport: gold answers what is asked by the steps of the cast, the adversary all else."""

    answered_by: AnsweredBy = "scripted"

    def __init__(self, kind: Adversary, truth: GoldAnswers) -> None:
        self._truth, self._hostile = truth, Hostile(kind)
        self.model = self._hostile.model
        self.profile = self._hostile.profile
        self.params: dict[str, object] = {}

    @classmethod
    def of(cls, kind: Adversary, case: Case) -> HostileAboutRelations:
        """Return the adversary for a case with its text at hand; raises InputError where gold is of another text."""
        manuscript = read_manuscript(case.text(), language=case.language)
        return cls(kind, GoldAnswers.open(case.gold, manuscript))

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return true lines about the cast, the adversary's about anything else."""
        who = self._truth if pack.step.startswith(CAST) else self._hostile
        return await who.ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)

    async def close(self) -> None:
        """Hold nothing."""


class HostileAboutStory:
    """A transport: gold answers about cast and relations, the adversary about every other part.

    Equal questions get equal answers, whatever the pack; another `seed` draws others.
    """

    answered_by: AnsweredBy = "scripted"

    def __init__(self, kind: StoryAdversary, truth: GoldAnswers, chapters: Sequence[Chapter], seed: int = 0) -> None:
        self.model = f"scripted:story-{kind}"
        self.profile = Hostile("first").profile
        self.params: dict[str, object] = {}
        self._kind, self._truth, self._seed = kind, truth, seed
        self._places = {chapter.no: _places(chapter) for chapter in chapters}
        self._parts = {step.name: step.part for step in load_steps()}

    @classmethod
    def of(cls, kind: StoryAdversary, case: Case, seed: int = 0) -> HostileAboutStory:
        """Return the adversary for a case with its text at hand; raises InputError where gold is of another text."""
        manuscript = read_manuscript(case.text(), language=case.language)
        return cls(kind, GoldAnswers.open(case.gold, manuscript), manuscript.chapters, seed)

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return a line for every question: true about cast and relations, hostile about the story."""
        if self._parts.get(pack.step, "cast") in KNOWN_PARTS and not _is_turn(pack):
            return await self._truth.ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)
        if on_first_event is not None:
            on_first_event()
        truth = self._truth.answers(pack) if self._kind == "eager" else (None,) * len(pack.questions)
        rows = zip(pack.questions, truth, strict=True)
        lines = [write_line(n, q, self._answer(q, true)) for n, (q, true) in enumerate(rows, 1)]
        return Reply(text="\n".join(lines), usage=Usage(), model=self.model, answered_by="scripted")

    def _answer(self, question: Question, truth: Answer | None) -> Answer:
        if truth is not None and not (question.type == "select" and question.evidence == "must"):
            return truth
        if self._kind == "none" or (self._kind == "random" and self._share(question, "none") < 1 / 6):
            return Answer(status="none")
        if question.type == "note":
            words = [ref.names[0] for ref in question.key.about if ref.names]
            return Answer(status="answered", text=" ".join((*words, question.key.detail or "nothing")))
        picked = self._picked(question, [o.key for o in question.options if o.key != NONE])
        if not picked:
            return Answer(status="none")
        cited = tuple(self._cited(question, key) for key in picked) if question.evidence != "no" else ()
        together = tuple(dict.fromkeys(place for own in cited for place in own))
        by_pick = cited if len(picked) > 1 and question.type == "select" else ()
        return Answer(status="answered", picked=picked, sentences=together, by_pick=by_pick)

    def _picked(self, question: Question, keys: Sequence[str]) -> tuple[str, ...]:
        most = question.max_picks if question.type == "select" else 1
        match self._kind:
            case "last":
                return tuple(keys[-1:])
            case "random" if most > 1:
                return tuple(key for key in keys if self._share(question, key) < PICKED)[:most]
            case "random":
                return tuple(sorted(keys, key=lambda key: self._share(question, key))[:1])
            case "all" | "eager":
                return tuple(keys[:most])
            case _:
                return tuple(keys[:1])

    def _cited(self, question: Question, pick: str) -> tuple[Place, ...]:
        """Return the sentences behind a pick: those offered, else some of the chapter, drawn from question and pick."""
        if question.sentences:
            return question.sentences[:MAX_CITED]
        ranked = sorted(
            self._places.get(question.key.chapter, ()), key=lambda place: self._share(question, pick, str(place))
        )
        return tuple(ranked[: min(MAX_CITED, question.max_sentences)])

    def _share(self, question: Question, *parts: str) -> float:
        return share(self._seed, self._kind, question.key.text, *parts)

    def recall(self, questions: Sequence[Question]) -> None:
        """Find out anew whom the unnamed of earlier runs were taken for."""
        self._truth.recall(questions)

    async def close(self) -> None:
        """Hold nothing."""


def _is_turn(pack: Pack) -> bool:
    """Say whether a step of the relations asks how relations of earlier chapters turn, which is the story's."""
    return pack.step.startswith("relation_turn")


def _places(chapter: Chapter) -> tuple[Place, ...]:
    return tuple(Place(block.no, n) for block in chapter.blocks for n in range(1, len(block.sentences) + 1))
