"""Bibles as steps see them: only what a step declared, shared between tasks that see the same cast."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from analyzer.bible import Bible, CastEntry
from analyzer.errors import DefinitionError
from analyzer.models.facts import (
    CLASS_OF,
    FACT_CLASSES,
    ClaimFact,
    DetailFact,
    Fact,
    FormFact,
    ProposalFact,
    RelationFact,
    VoteFact,
)

SHOWN_CLASSES = frozenset({"entity", "name", "same", "presence"})
"""What `Bible.cast` is folded from."""


def _nothing() -> Bible:
    return Bible(0)


@dataclass(frozen=True)
class GuardedBible(Bible):
    """A bible that raises DefinitionError when its step reads a class it did not declare.

    `facts` hold declared classes only. `cast_source` folds the cast; it is shared by all tasks that see the same cast.
    """

    step: str = ""
    declared: frozenset[str] = frozenset(FACT_CLASSES)
    cast_source: Callable[[], Bible] = field(default=_nothing, compare=False, repr=False)

    def _need(self, *classes: str) -> None:
        missing = [c for c in classes if c not in self.declared]
        if missing:
            raise DefinitionError(
                f"step {self.step!r} reads {missing[0]!r}, which it did not declare",
                where=self.step,
                hint=f"add {missing[0]!r} to the reads of {self.step!r}",
            )

    def of(self, *classes: type) -> tuple[Fact, ...]:
        """Return the facts of these declared classes, in order."""
        self._need(*(CLASS_OF[c] for c in classes))
        return super().of(*classes)

    @cached_property
    def same(self) -> dict[str, str]:
        """Merged handle -> the handle it became, as far as merges were declared."""
        return self.cast_source().same

    @cached_property
    def cast(self) -> dict[str, CastEntry]:
        """The cast by root handle; entity and name must be declared. This chapter's merges show where same is declared."""
        self._need("entity", "name")
        return self.cast_source().cast

    @cached_property
    def relations(self) -> tuple[RelationFact, ...]:
        """Relations with merged handles resolved; relation must be declared."""
        self._need("relation")
        return self._resolved()

    def forms(self, chapter: int) -> tuple[FormFact, ...]:
        """Surface forms judged new in this chapter."""
        self._need("form")
        return super().forms(chapter)

    def proposals(self, chapter: int) -> tuple[ProposalFact, ...]:
        """Pairs proposed in this chapter."""
        self._need("proposal")
        return super().proposals(chapter)

    def claims(self, chapter: int) -> tuple[ClaimFact, ...]:
        """Claims of this chapter."""
        self._need("claim")
        return super().claims(chapter)

    def details(self, chapter: int) -> tuple[DetailFact, ...]:
        """Details of this chapter's claims."""
        self._need("detail")
        return super().details(chapter)

    def votes(self, chapter: int) -> tuple[VoteFact, ...]:
        """Votes on this chapter's claims."""
        self._need("vote")
        return super().votes(chapter)


def check_written(step: str, declared: frozenset[str], chapter: int, facts: Iterable[Fact]) -> None:
    """Raise DefinitionError where a step wrote a class it did not declare, or a fact of another chapter."""
    for fact in facts:
        if fact.fact not in declared:
            raise DefinitionError(
                f"step {step!r} wrote {fact.fact!r}, which it did not declare",
                where=f"{step}, chapter {chapter}",
                hint=f"add {fact.fact!r} to the writes of {step!r}",
            )
        if fact.chapter != chapter:
            raise DefinitionError(
                f"step {step!r} wrote a fact of chapter {fact.chapter} in chapter {chapter}",
                where=f"{step}, chapter {chapter}",
                hint="a task writes facts of its own chapter only, so that the bible can be read as of any chapter",
            )
