"""Second looks left out: what a first look answered surely enough is not asked again, where a rule of certainty.toml says so.

A rule names two steps that ask about the same matters. The second waits for the first, its questions about what is sure are
dropped before they are packed, and what is dropped is part of its input hash. Without rules nothing here does anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from analyzer.errors import DefinitionError
from analyzer.hashing import content_hash
from analyzer.llm.asker import Asker, asker_of
from analyzer.llm.certainty import Spare, sure_of
from analyzer.models.facts import StoredFact
from analyzer.models.question import Answer, QuestionKey
from analyzer.models.rows import AnswerRow
from analyzer.scheduler.questions import PackPlan
from analyzer.scheduler.settle import Settled


def matter_of(key: QuestionKey) -> str:
    """Return what is asked of whom, apart from the step and the wording (the first word of the detail)."""
    about = " + ".join(ref.handle or (ref.names[0] if ref.names else ref.tie) for ref in key.about)
    return f"{key.ask}:{key.detail.partition(':')[2] or key.detail} [{about}]"


@dataclass
class Sparing:
    """The rules in force and how sure the first looks of this run are. `stored` are answers of those steps from earlier runs, by id."""

    rules: tuple[Spare, ...] = ()
    stored: dict[str, AnswerRow] = field(default_factory=dict)
    n_spared: int = 0
    _sure: dict[tuple[str, int], dict[str, tuple[str, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._first = frozenset(rule.after for rule in self.rules)

    def note(self, step: str, chapter: int, settled: Sequence[Settled], asker: Asker) -> None:
        """Take in the answers of a task that was asked in this run."""
        if step in self._first:
            told = ((s.asked.question.key, s.got.answer, asker_of(asker, s.asked.question).model) for s in settled)
            self._take(step, chapter, told)

    def note_stored(self, step: str, chapter: int, facts: Iterable[StoredFact]) -> None:
        """Take in the answers on which the facts of an unchanged task rest."""
        if step in self._first:
            rows = (self.stored[i] for fact in facts for i in fact.because if i in self.stored)
            self._take(step, chapter, ((row.question.key, row.answer, row.model) for row in rows))

    def _take(self, step: str, chapter: int, told: Iterable[tuple[QuestionKey, Answer, str]]) -> None:
        known = self._sure.setdefault((step, chapter), {})
        for key, answer, model in told:
            sure = sure_of(answer)
            if sure is not None:
                known[matter_of(key)] = model, sure

    def _matters(self, step: str, chapter: int) -> frozenset[str]:
        return frozenset(
            matter
            for rule in self.rules
            if rule.step == step
            for matter, (model, sure) in self._sure.get((rule.after, chapter), {}).items()
            if model == rule.model and sure >= rule.at_least
        )

    def mark(self, step: str, chapter: int) -> str:
        """Return what the input hash of a task says of its spared questions: "" where no rule is about the step."""
        if not any(rule.step == step for rule in self.rules):
            return ""
        return " " + content_hash("spared", sorted(self._matters(step, chapter)))

    def left(self, step: str, chapter: int, plans: Sequence[PackPlan]) -> tuple[PackPlan, ...]:
        """Return the packs without the questions that are spared; counts these."""
        spared = self._matters(step, chapter) if self.rules else frozenset[str]()
        if not spared:
            return tuple(plans)
        kept = [replace(p, asked=tuple(a for a in p.asked if matter_of(a.question.key) not in spared)) for p in plans]
        self.n_spared += sum(len(plan.asked) for plan in plans) - sum(len(plan.asked) for plan in kept)
        return tuple(plan for plan in kept if plan.asked)


def rules_for(rules: Iterable[Spare], steps: Sequence[str]) -> tuple[Spare, ...]:
    """Return the rules both of whose steps are asked, `steps` in order; raises DefinitionError where the second comes first."""
    place = {name: at for at, name in enumerate(steps)}
    found = tuple(rule for rule in rules if rule.step in place and rule.after in place)
    for rule in found:
        if place[rule.after] > place[rule.step]:
            raise DefinitionError(
                f"{rule.step!r} cannot be spared by {rule.after!r}, which comes after it", where="certainty.toml"
            )
    return found
