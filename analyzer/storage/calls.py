"""Calls: the bill. A reservation is a row before its call is sent; how it ended is another row, never a change."""

from __future__ import annotations

from typing import Any

from analyzer.errors import IntegrityError
from analyzer.models.run import CallRecord, Usage
from analyzer.storage.money import to_nano, to_usd
from analyzer.storage.section import Section
from analyzer.storage.tables import CALL_ENDS, CALL_STARTS


class Calls(Section):
    """Verbs over calls and the money they spent."""

    _ended: dict[str, bool] | None

    def _forget(self) -> None:
        self._ended = None

    def reserve(self, call: CallRecord) -> None:
        """Book the worst case of a call about to be sent; raises IntegrityError where its id was used before."""
        known = self._known_calls()
        if call.call_id in known:
            raise IntegrityError(f"call {call.call_id!r} is reserved already", where=call.call_id)
        with self._db.transaction():
            self._db.append(
                CALL_STARTS,
                [
                    (
                        call.call_id,
                        call.run_id,
                        call.step,
                        call.chapter,
                        call.model,
                        call.answered_by,
                        call.n_questions,
                        call.attempt,
                        to_nano(call.reserved_usd),
                        call.started_at,
                    )
                ],
            )
            known[call.call_id] = False

    def settle(self, call: CallRecord) -> None:
        """Say how a reserved call ended; with `settled` false it counts in full. Raises IntegrityError where none is open."""
        known = self._known_calls()
        if known.get(call.call_id, True):
            raise IntegrityError(f"call {call.call_id!r} was not reserved, or ended before", where=call.call_id)
        usage = call.usage or Usage()
        with self._db.transaction():
            self._db.append(
                CALL_ENDS,
                [
                    (
                        call.call_id,
                        call.model,
                        call.answered_by,
                        call.status,
                        call.settled,
                        call.usage is not None,
                        usage.input,
                        usage.cache_read,
                        usage.cache_write,
                        usage.output,
                        usage.reasoning,
                        None if call.cost_usd is None else to_nano(call.cost_usd),
                        call.ended_at,
                        call.detail,
                    )
                ],
            )
            known[call.call_id] = True

    def close_open_calls(self, run_id: str | None = None) -> int:
        """Mark open calls (of a dead run, or of all) as lost, counted in full, and return how many there were."""
        with self._db.transaction():
            found = self._db.query(
                "select call_id, model, answered_by\n"
                "from calls\n"
                "where is_open\n"
                "and ($1::varchar is null or run_id = $1)\n"
                "order by started_at, call_id",
                [run_id],
                of=(CALL_STARTS, CALL_ENDS),
            )
            lost = "the run ended before the call did; counted in full"
            self._db.append(
                CALL_ENDS,
                [
                    (call_id, model, by, "lost", False, False, 0, 0, 0, 0, 0, None, None, lost)
                    for call_id, model, by in found
                ],
            )
            self._known_calls().update((call_id, True) for call_id, _, _ in found)
        return len(found)

    def calls(self, run_id: str | None = None) -> list[CallRecord]:
        """Return the calls of a run (None: of all), in the order started; open ones show as lost and not settled."""
        rows = self._db.query(
            "select call_id, run_id, step, chapter, model, answered_by, n_questions, attempt, status, settled, has_usage,\n"
            "  input, cache_read, cache_write, output, reasoning, cost_nano, reserved_nano, started_at, ended_at, detail\n"
            "from calls\n"
            "where ($1::varchar is null or run_id = $1)\n"
            "order by started_at, call_id",
            [run_id],
            of=(CALL_STARTS, CALL_ENDS),
        )
        return [_call(row) for row in rows]

    def spent_usd(self, since: float | None = None) -> float:
        """Return US dollars of calls started at or after `since` (None: ever): costs, and reservations in full where unsettled."""
        rows = self._db.query(
            "select coalesce(sum(counted_nano), 0)::hugeint\nfrom calls\nwhere ($1::double is null or started_at >= $1)",
            [since],
            of=(CALL_STARTS, CALL_ENDS),
        )
        return to_usd(int(rows[0][0]))

    def _known_calls(self) -> dict[str, bool]:
        """Every call ever reserved, and whether it ended."""
        if self._ended is None:
            rows = self._db.query("select call_id, not is_open\nfrom calls", of=(CALL_STARTS, CALL_ENDS))
            self._ended = dict(rows)
        return self._ended


def _call(values: tuple[Any, ...]) -> CallRecord:
    call_id, run_id, step, chapter, model, by, n_questions, attempt, status, settled, has_usage = values[:11]
    fresh, cache_read, cache_write, output, reasoning, cost_nano, reserved_nano, started_at, ended_at, detail = values[
        11:
    ]
    usage = Usage(
        input=fresh or 0,
        cache_read=cache_read or 0,
        cache_write=cache_write or 0,
        output=output or 0,
        reasoning=reasoning or 0,
    )
    return CallRecord(
        call_id=call_id,
        run_id=run_id,
        step=step,
        chapter=chapter,
        model=model,
        answered_by=by,
        n_questions=n_questions,
        attempt=attempt,
        status=status,
        settled=settled,
        usage=usage if has_usage else None,
        cost_usd=None if cost_nano is None else to_usd(cost_nano),
        reserved_usd=to_usd(reserved_nano),
        started_at=started_at,
        ended_at=ended_at,
        detail=detail,
    )
