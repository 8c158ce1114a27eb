"""The questions of one task: looked up in the store, asked where they are not there, settled pack by pack."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.errors import AnalyzerError, ModelError
from analyzer.llm.transports.inbox import AnswerPendingError
from analyzer.models.issue import Issue
from analyzer.models.rows import AnswerRow
from analyzer.scheduler.calls import Caller, Side, Stopping, Unreached
from analyzer.scheduler.keys import Shown, request_hash, strict_key
from analyzer.scheduler.questions import PackPlan
from analyzer.scheduler.settle import Got, PackLife, Settled
from analyzer.scheduler.slots import Urgency
from analyzer.scheduler.stop import Stop
from analyzer.scheduler.tasks import Task
from analyzer.storage.writer import Writer

GIVE_UP_AFTER = 3
"""Calls given up in a row, without a reply between them, after which the provider counts as gone. Source: a choice."""


@dataclass(frozen=True)
class Asked:
    """What came of a task's questions: `settled` in order, or None where some pack has no answer in this run.

    `waiting` counts packs left for another run; `n_reused` answers that were in the store.
    """

    settled: tuple[Settled, ...] | None
    issues: tuple[Issue, ...] = ()
    waiting: int = 0
    n_reused: int = 0


@dataclass
class Desk:
    """Where the tasks of a run ask. `known` are ids of answers that were in the store when the run began.

    `pending` gathers the answer files people have still to write, `unread` what is wrong with those they wrote.
    """

    writer: Writer
    caller: Caller
    stop: Stop
    known: frozenset[str]
    strict: bool
    pending: set[Path] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)

    async def lives(
        self, task: Task, plans: Sequence[PackPlan], prefix: Shown, side: Side, urgency: Urgency
    ) -> list[PackLife]:
        """Return the packs of a task with the answers the store has."""
        wanted = [i for plan in plans for asked in plan.asked for i in asked.ids]
        if self.strict:
            wanted += [strict_key(i, prefix=prefix) for i in wanted]
        wanted = [i for i in wanted if i in self.known]
        rows = await self.writer.do(lambda store: store.answers_for(wanted)) if wanted else {}
        return [self._life(task, plan, prefix, side.of(plan.asker), urgency, rows) for plan in plans]

    def _life(
        self,
        task: Task,
        plan: PackPlan,
        prefix: Shown,
        side: Side,
        urgency: Urgency,
        rows: Mapping[str, AnswerRow],
    ) -> PackLife:
        sent = [self._sent(plan, prefix, side, wording) if self.strict and rows else "" for wording in (0, 1)]
        ids = []
        got: tuple[dict[int, Got], dict[int, Got]] = ({}, {})
        for i, asked in enumerate(plan.asked):
            own = [self._id(asked.ids[w], prefix, rows, sent[w]) for w in (0, 1)]
            ids.append((own[0], own[1]))
            for wording in (0, 1):
                if own[wording] in rows:
                    got[wording][i] = Got(rows[own[wording]].answer, own[wording])
        return PackLife(plan, prefix, task.open.chapter, side, urgency, tuple(ids), got)

    def _id(self, plain: str, prefix: Shown, rows: Mapping[str, AnswerRow], sent: str) -> str:
        """Return the id to look up and store under; a strict run takes a plain answer only to the very same request."""
        if not self.strict or (plain in rows and rows[plain].request_hash == sent):
            return plain
        return strict_key(plain, prefix=prefix)

    def _sent(self, plan: PackPlan, prefix: Shown, side: Side, wording: int) -> str:
        pack = plan.pack(range(len(plan.asked)), prefix, wording=wording)
        return request_hash(pack, model=side.asker.model, params=side.asker.params)

    async def settle(self, lives: Sequence[PackLife]) -> Asked:
        """Settle all packs of a task, side by side. Spends. Errors stop the run; what is in flight ends first."""
        n_reused = sum(len(got) for life in lives for got in life.got)
        done = await asyncio.gather(*(self._settle(life) for life in lives))
        settled = [s for pack in done if pack is not None for s in pack]
        waiting = sum(pack is None for pack in done)
        issues = tuple(issue for life in lives for issue in life.issues)
        return Asked(None if waiting else tuple(settled), issues, waiting, n_reused)

    async def _settle(self, life: PackLife) -> tuple[Settled, ...] | None:
        try:
            return await life.settle(self.caller)
        except Stopping:
            return None
        except AnswerPendingError as not_there:
            self.pending.add(not_there.path)
            return None
        except Unreached as given_up:
            self._gave_up(given_up.error)
            return None
        except AnalyzerError as error:
            self.stop.fail(error)
            return None
        finally:
            self.unread.extend(life.unread)

    def _gave_up(self, error: ModelError) -> None:
        tally = self.caller.tally
        if tally.n_failed_in_row >= GIVE_UP_AFTER or not tally.n_done:
            self.stop.fail(error)
