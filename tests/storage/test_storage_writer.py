from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from storage_rows import answer_row, call, ended, entity, stored, task

from analyzer.errors import IntegrityError, StoreError
from analyzer.storage.store import Store
from analyzer.storage.writer import Writer, run_group


def adding(*numbers: int) -> Callable[[Store], int]:
    def operation(store: Store) -> int:
        store.add_answers([answer_row(f"reuse:{number}") for number in numbers])
        return numbers[0]

    return operation


def failing(number: int) -> Callable[[Store], int]:
    def operation(store: Store) -> int:
        store.add_answers([answer_row(f"reuse:{number}")])
        raise IntegrityError(f"failed {number}")

    return operation


def ids(store: Store) -> list[int]:
    return sorted(int(row.answer_id.partition(":")[2]) for row in store.all_answers())


async def test_operations_queued_together_are_stored_in_few_groups(store: Store) -> None:
    async with Writer(store) as writer:
        values = await asyncio.gather(*(writer.do(adding(number)) for number in range(200)))
        assert writer.n_operations == 200
        assert writer.n_groups <= 3
    assert values == list(range(200))
    assert ids(store) == list(range(200))


async def test_what_arrives_while_a_group_is_stored_makes_the_next_group(store: Store) -> None:
    writing, go_on = threading.Event(), threading.Event()

    def slow(_store: Store) -> None:
        writing.set()
        assert go_on.wait(10)

    async with Writer(store) as writer:
        first = asyncio.create_task(writer.do(slow))
        await asyncio.get_running_loop().run_in_executor(None, writing.wait, 10)
        later = [asyncio.create_task(writer.do(adding(number))) for number in range(50)]
        await asyncio.gather(*(asyncio.wait([t], timeout=0) for t in later))
        assert not any(t.done() for t in later)
        go_on.set()
        await asyncio.gather(first, *later)
        assert writer.n_groups == 2


async def test_a_value_is_returned_only_after_its_group_is_committed(tmp_path: Path) -> None:
    """A connection of its own sees what is committed and nothing else."""
    with Store.open(tmp_path, create=True) as store:
        other = store._db._connection.cursor()
        other.execute("use book")
        async with Writer(store) as writer:

            async def add(number: int) -> int:
                await writer.do(adding(number))
                found = other.execute(
                    "select count(*) from answers where answer_id = ?", [f"reuse:{number}"]
                ).fetchone()
                assert found is not None
                return int(found[0])

            assert await asyncio.gather(*(add(number) for number in range(30))) == [1] * 30
        other.close()


async def test_operations_run_in_one_thread_in_the_order_queued(store: Store) -> None:
    seen: list[tuple[int, int]] = []
    async with Writer(store) as writer:
        await asyncio.gather(*(writer.do(lambda _s, n=n: seen.append((n, threading.get_ident()))) for n in range(100)))
    assert [n for n, _ in seen] == list(range(100))
    assert {thread for _, thread in seen} & {threading.get_ident()} == set()
    assert len({thread for _, thread in seen}) == 1


async def test_a_later_operation_sees_what_an_earlier_one_of_its_group_stored(store: Store) -> None:
    async with Writer(store) as writer:
        _, found, _, _, facts = await asyncio.gather(
            writer.do(adding(1)),
            writer.do(lambda s: list(s.answers_for(["reuse:1", "reuse:2"]))),
            writer.do(lambda s: s.commit_task(task("a", 1, 1), stored("a", 1, [entity()]), [], {"Ilse": "@1"})),
            writer.do(lambda s: s.reserve(call())),
            writer.do(lambda s: (len(s.facts()), s.handles(), s.spent_usd())),
        )
        assert writer.n_groups == 1
    assert found == ["reuse:1"]
    assert facts == (1, {"Ilse": "@1"}, 0.5)


async def test_a_failing_operation_loses_nothing_but_itself(store: Store) -> None:
    bad = {3, 17, 18, 39}
    async with Writer(store) as writer:
        outcomes = await asyncio.gather(
            *(writer.do(failing(n) if n in bad else adding(n)) for n in range(40)), return_exceptions=True
        )
    assert {n for n, outcome in enumerate(outcomes) if isinstance(outcome, IntegrityError)} == bad
    assert [outcome for outcome in outcomes if isinstance(outcome, int)] == [n for n in range(40) if n not in bad]
    assert ids(store) == [n for n in range(40) if n not in bad]
    assert store.verify() == []


async def test_a_failure_of_any_kind_reaches_the_one_who_waits(store: Store) -> None:
    async with Writer(store) as writer:
        with pytest.raises(ZeroDivisionError):
            await writer.do(lambda _s: 1 // 0)
        with pytest.raises(StoreError, match="refused"):
            await writer.do(lambda s: s._db.execute("selec"))
        assert await writer.do(adding(1)) == 1


async def test_an_operation_is_done_though_its_caller_stopped_waiting(store: Store) -> None:
    async with Writer(store) as writer:
        waiting = asyncio.create_task(writer.do(adding(1)))
        other = asyncio.create_task(writer.do(adding(2)))
        await asyncio.wait([waiting], timeout=0)
        waiting.cancel()
        assert await other == 2
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert ids(store) == [1, 2]


async def test_closing_stores_what_is_queued_and_then_takes_nothing_more(store: Store) -> None:
    writer = Writer(store)
    queued = [asyncio.create_task(writer.do(adding(n))) for n in range(20)]
    await asyncio.wait(queued, timeout=0)
    await writer.close()
    assert ids(store) == list(range(20))
    assert [await t for t in queued] == list(range(20))
    await writer.close()
    with pytest.raises(StoreError, match="writer is closed"):
        await writer.do(adding(99))


async def test_a_torn_down_loop_leaves_nobody_waiting_and_what_was_begun_is_stored(store: Store) -> None:
    writing, go_on = threading.Event(), threading.Event()

    def slow(inner: Store) -> None:
        adding(1)(inner)
        writing.set()
        assert go_on.wait(10)

    writer = Writer(store)
    waiting = [asyncio.create_task(writer.do(slow))]
    await asyncio.get_running_loop().run_in_executor(None, writing.wait, 10)
    waiting.append(asyncio.create_task(writer.do(adding(2))))
    await asyncio.wait(waiting, timeout=0)
    assert writer._drain is not None
    writer._drain.cancel()
    assert all(isinstance(e, asyncio.CancelledError) for e in await asyncio.gather(*waiting, return_exceptions=True))
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writer.close()
    assert ids(store) == [1]


async def test_a_writer_never_used_closes_leaves_no_thread_and_the_store_open(store: Store) -> None:
    before = threading.active_count()
    writer = Writer(store)
    await writer.close()
    assert threading.active_count() == before
    with pytest.raises(StoreError, match="writer is closed"):
        await writer.do(adding(1))
    assert ids(store) == []
    adding(2)(store)
    assert ids(store) == [2]


async def test_reading_beside_the_writer_never_mixes_with_its_transaction(store: Store) -> None:
    async with Writer(store) as writer:
        pending = [asyncio.create_task(writer.do(adding(*range(n * 10, n * 10 + 10)))) for n in range(30)]
        while not all(t.done() for t in pending):
            assert len(store.all_answers()) % 10 == 0
            await asyncio.wait(pending, timeout=0)
    assert len(ids(store)) == 300


async def test_calls_of_many_workers_are_reserved_before_and_settled_after(store: Store) -> None:
    async with Writer(store) as writer:

        async def work(number: int) -> None:
            opened = call(f"call-{number}", reserved_usd=0.25)
            await writer.do(lambda s: s.reserve(opened))
            await writer.do(lambda s: (s.add_answers([answer_row(f"reuse:{number}")]), s.settle(ended(opened, 0.125))))

        await asyncio.gather(*(work(number) for number in range(64)))
        assert await writer.do(lambda s: s.spent_usd()) == 8.0
        assert writer.n_groups < 20


@settings(max_examples=15, deadline=None)
@given(kinds=st.lists(st.sampled_from(["add", "fail", "again"]), max_size=24))
def test_any_mix_of_operations_ends_as_if_each_had_been_done_alone(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str]
) -> None:
    makers = {"add": adding, "fail": failing, "again": lambda n: adding(max(0, n - 1), n)}
    operations = [makers[kind](number) for number, kind in enumerate(kinds)]
    exported, outcomes = [], []
    for grouped in (True, False):
        with Store.open(tmp_path_factory.mktemp("book"), create=True) as store:
            if grouped:
                found = run_group(store, operations)
            else:
                found = [outcome for operation in operations for outcome in run_group(store, [operation])]
            outcomes.append([outcome.value if outcome.error is None else str(outcome.error) for outcome in found])
            exported.append(store.export_rows("answers"))
    assert exported[0] == exported[1]
    assert outcomes[0] == outcomes[1]
