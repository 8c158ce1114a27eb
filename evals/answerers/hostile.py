"""An adversary who knows the cast: truth where people are told apart, an adversary's lines about what holds between them.

Who copies one mark for everything is caught at the first long question about the cast and says nothing of relations, so that
the rules at their door would stand untried.
"""

from __future__ import annotations

from collections.abc import Callable

from analyzer.llm.transports.gold import GoldAnswers
from analyzer.llm.transports.scripted import Adversary, Hostile
from analyzer.models.question import Pack
from analyzer.models.run import AnsweredBy, Reply
from analyzer.text.manuscript import read_manuscript
from evals.goldset.cases import Case

CAST = "cast_"
"""Begins the names of the steps that decide who is who."""


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
