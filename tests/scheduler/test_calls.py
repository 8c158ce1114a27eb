"""Calls that fail: what is tried again, how long is waited, and what stops the run."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from analyzer.errors import AnalyzerError, PermanentModelError, ReplayMissError, TransientModelError
from analyzer.llm.transports.inbox import Inbox
from analyzer.models.question import Pack
from analyzer.scheduler.events import Event, RunOptions
from analyzer.scheduler.slots import Slots
from analyzer.storage.status import read_status
from analyzer.storage.store import Store
from tests.scheduler.tiny import QUICK, STEPS, Teller, analyse, book_of, contents, honest, no_wait, numbered_step

NIGHT = book_of([["Night fell."]])


def failing(n: int, error: AnalyzerError) -> tuple[Teller, list[Pack]]:
    """Return an asker whose first `n` calls fail."""
    failed: list[Pack] = []

    def tell(pack: Pack) -> str | Exception:
        if len(failed) < n:
            failed.append(pack)
            return error
        return honest(pack)

    return Teller(tell), failed


async def waits_of(folder: Path, asker: Teller, *, jitter: float) -> tuple[list[float], int]:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0)

    machine = replace(QUICK, sleep=sleep, jitter=lambda: jitter)
    outcome = await analyse(folder, asker, steps=[numbered_step(3)], manuscript=NIGHT, machine=machine)
    return waits, outcome.exit_code


async def test_transient_failures_wait_twice_as_long_each_time_with_jitter(tmp_path: Path) -> None:
    asker, _ = failing(5, TransientModelError("down"))
    waits, exit_code = await waits_of(tmp_path, asker, jitter=0.5)
    assert (waits, exit_code) == ([1.5, 3.0, 6.0, 12.0, 24.0], 0)


async def test_the_providers_wish_is_respected(tmp_path: Path) -> None:
    asker, _ = failing(2, TransientModelError("slow down", retry_after_s=17.0))
    waits, exit_code = await waits_of(tmp_path, asker, jitter=0.25)
    assert (waits, exit_code) == ([17.25, 17.25], 0)


async def test_a_call_is_tried_six_times_and_a_dead_provider_ends_the_run(tmp_path: Path) -> None:
    asker, failed = failing(100, TransientModelError("down"))
    waits, exit_code = await waits_of(tmp_path, asker, jitter=0.0)
    assert (len(failed), len(waits), exit_code) == (6, 5, 4)
    with Store.open(tmp_path) as store:
        assert [(call.attempt, call.status) for call in store.calls()] == [(n, "transient") for n in range(6)]


async def test_one_pack_that_always_fails_does_not_keep_the_others_from_being_answered(tmp_path: Path) -> None:
    def tell(pack: Pack) -> str | Exception:
        if pack.questions[0].key.detail == "2":
            return TransientModelError("the server of 'm' answered 500")
        return honest(pack)

    step = numbered_step(4, pack_size=1)
    outcome = await analyse(tmp_path, Teller(tell), steps=[step], manuscript=NIGHT)
    assert (outcome.exit_code, outcome.waiting, outcome.n_answers) == (7, (("numbers", 1),), 3)
    outcome = await analyse(tmp_path, again := Teller(), steps=[step], manuscript=NIGHT)
    assert (outcome.exit_code, again.n_questions, outcome.n_reused) == (0, 1, 3)


@pytest.mark.parametrize(
    "error", [PermanentModelError("quota is used up", hint="add credit"), ReplayMissError("no recording")]
)
async def test_quota_key_and_replay_errors_stop_at_once_and_what_is_in_flight_is_saved(
    tmp_path: Path, error: AnalyzerError
) -> None:
    async def wait(pack: Pack) -> None:
        for _ in range(0 if pack.questions[0].key.detail == "0" else 30):
            await asyncio.sleep(0)

    asker = Teller(lambda p: error if p.questions[0].key.detail == "0" else honest(p), wait=wait)
    options = RunOptions(concurrency=4)
    outcome = await analyse(tmp_path, asker, steps=[numbered_step(20, pack_size=1)], manuscript=NIGHT, options=options)
    assert (outcome.exit_code, outcome.error) == (4, error)
    assert len(asker.asked) == 4
    assert outcome.n_answers == 3
    with Store.open(tmp_path) as store:
        assert len(store.all_answers()) == 3
        assert store.runs()[-1].outcome == "failed"


async def test_concurrency_is_bounded_by_the_option_else_by_the_profile(tmp_path: Path) -> None:
    async def wait(_pack: Pack) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    step = numbered_step(20, pack_size=1)
    few, many = Teller(wait=wait), Teller(wait=wait)
    await analyse(tmp_path / "a", few, steps=[step], manuscript=NIGHT, options=RunOptions(concurrency=3))
    await analyse(tmp_path / "b", many, steps=[step], manuscript=NIGHT)
    assert (few.most_open, many.most_open) == (3, 8)


async def test_what_the_next_chapter_waits_for_is_asked_first() -> None:
    slots, order = Slots(1), []

    async def hold(name: str, urgency: tuple[int, int, int]) -> None:
        async with slots.take(urgency):
            order.append(name)
            await asyncio.sleep(0)

    asks = [("first", (1, 1, 0)), ("fan", (1, 1, 1)), ("chain", (0, 2, 0)), ("later fan", (1, 2, 0))]
    await asyncio.gather(*(hold(*ask) for ask in asks))
    assert order == ["first", "chain", "fan", "later fan"]


async def test_a_cancelled_wait_gives_its_slot_on() -> None:
    slots, held = Slots(1), []

    async def hold(name: str) -> None:
        async with slots.take((0, 0, 0)):
            held.append(name)
            await asyncio.sleep(0)
            assert held[-1] == name, "two hold the one slot"

    async with slots.take((0, 0, 0)):
        lost = asyncio.create_task(hold("lost"))
        next_one = asyncio.create_task(hold("next"))
        await asyncio.sleep(0)
        assert held == []
        lost.cancel()
        await asyncio.sleep(0)
        assert lost.cancelled() and not next_one.done()
    await asyncio.wait_for(next_one, 1)
    await asyncio.wait_for(asyncio.gather(hold("third"), hold("fourth")), 1)
    assert held == ["next", "third", "fourth"]


async def test_a_slot_given_to_somebody_who_is_cancelled_that_moment_goes_on_to_the_next() -> None:
    slots, held = Slots(1), []

    async def hold(name: str) -> None:
        async with slots.take((0, 0, 0)):
            held.append(name)

    async with slots.take((0, 0, 0)):
        lost, next_one = asyncio.create_task(hold("lost")), asyncio.create_task(hold("next"))
        await asyncio.sleep(0)
    lost.cancel()
    await asyncio.wait_for(next_one, 1)
    assert lost.cancelled() and held == ["next"]


async def test_ctrl_c_finishes_what_is_in_flight_saves_it_and_sends_nothing_new(tmp_path: Path) -> None:
    async def wait(_pack: Pack) -> None:
        if len(asker.asked) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        for _ in range(20):
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)

    asker = Teller(wait=wait)
    before = signal.getsignal(signal.SIGINT)
    options = RunOptions(concurrency=2, sigint=True)
    told: list[Event] = []
    outcome = await analyse(
        tmp_path,
        asker,
        steps=[numbered_step(20, pack_size=1)],
        manuscript=NIGHT,
        options=options,
        events=told.append,
    )
    assert (outcome.exit_code, len(asker.asked), outcome.n_answers) == (130, 2, 2)
    assert [event.kind for event in told].count("stopping") == 1
    assert signal.getsignal(signal.SIGINT) is before
    with Store.open(tmp_path) as store:
        assert store.runs()[-1].outcome == "interrupted"
        assert len(store.all_answers()) == 2


async def test_a_second_ctrl_c_gives_up_what_is_in_flight(tmp_path: Path) -> None:
    async def wait(_pack: Pack) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(600)

    options = RunOptions(concurrency=1, sigint=True)
    outcome = await asyncio.wait_for(
        analyse(tmp_path, Teller(wait=wait), steps=[numbered_step(2)], manuscript=NIGHT, options=options), 20
    )
    assert (outcome.exit_code, outcome.n_answers) == (130, 0)


async def test_ctrl_c_ends_a_long_wait_before_the_next_try(tmp_path: Path) -> None:
    async def sleep(_seconds: float) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(600)

    asker, _ = failing(9, TransientModelError("slow down", retry_after_s=3600.0))
    outcome = await asyncio.wait_for(
        analyse(
            tmp_path,
            asker,
            steps=[numbered_step(2)],
            manuscript=NIGHT,
            options=RunOptions(sigint=True),
            machine=replace(QUICK, sleep=sleep),
        ),
        20,
    )
    assert outcome.exit_code == 130


async def test_answers_by_hand_may_come_later_and_the_rest_goes_on(tmp_path: Path) -> None:
    folder, book = tmp_path / "inbox", tmp_path / "book"
    step = numbered_step(6, pack_size=3)
    outcome = await analyse(book, Inbox(folder), steps=[step], manuscript=NIGHT)  # type: ignore[arg-type]
    assert (outcome.exit_code, outcome.waiting, outcome.n_answers) == (7, (("numbers", 1),), 0)
    prompts = sorted(folder.glob("*.prompt.md"))
    assert len(prompts) == 2
    prompts[1].with_name(prompts[1].name.replace(".prompt.md", ".answer.txt")).write_text("1 a\n2 b\n3 -\n")
    outcome = await analyse(book, Inbox(folder), steps=[step], manuscript=NIGHT)  # type: ignore[arg-type]
    assert (outcome.exit_code, outcome.n_answers) == (7, 3)
    prompts[0].with_name(prompts[0].name.replace(".prompt.md", ".answer.txt")).write_text("1 a\n2 b\n3 c\n")
    outcome = await analyse(book, Inbox(folder), steps=[step], manuscript=NIGHT)  # type: ignore[arg-type]
    assert (outcome.exit_code, outcome.n_answers, outcome.n_reused) == (0, 3, 3)
    assert len(list(folder.glob("*.prompt.md"))) == 2
    with Store.open(book) as store:
        assert {row.answered_by for row in store.all_answers()} == {"hand"}
        assert len(store.calls()) == 2


async def test_the_status_file_says_how_far_the_run_is_and_how_it_ended(tmp_path: Path) -> None:
    seen = []

    async def wait(_pack: Pack) -> None:
        seen.append(read_status(tmp_path))
        await no_wait(0)

    options = RunOptions(cap_usd=1.0, folder=tmp_path)
    await analyse(tmp_path, Teller(wait=wait), options=options)
    assert seen[0] is not None
    assert (seen[0].status.phase, seen[0].is_running, seen[0].status.cap_usd) == ("asking", True, 1.0)
    last = read_status(tmp_path)
    assert last is not None
    assert last.status.phase == "finished"
    assert last.status.n_calls_done == last.status.n_calls_planned == sum(s.n_done for s in last.status.steps)


async def test_progress_is_told_at_most_twice_a_second_and_ends_complete(tmp_path: Path) -> None:
    told: list[Event] = []
    clock = iter(range(10_000))
    machine = replace(QUICK, monotonic=lambda: next(clock) / 1000)
    await analyse(tmp_path, Teller(), events=told.append, machine=machine)
    progress = [event.progress for event in told if event.kind == "progress"]
    assert len(progress) < 10
    assert progress[-1].n_tasks_done == progress[-1].n_tasks == 3 * len(STEPS)
    assert progress[-1].n_calls_done == progress[-1].n_calls_expected
    assert [event.chapter for event in told if event.kind == "chapter"] == [1, 2, 3]


async def test_a_crash_of_a_step_is_raised_after_what_is_in_flight_is_saved(tmp_path: Path) -> None:
    def crash(*_args: object) -> object:
        raise ZeroDivisionError

    steps = [numbered_step(2), numbered_step(2, name="crashing", effects=crash)]
    with pytest.raises(ZeroDivisionError):
        await analyse(tmp_path, Teller(), steps=steps, manuscript=NIGHT)
    with Store.open(tmp_path) as store:
        assert store.runs()[-1].outcome == "crashed"
    await analyse(tmp_path, again := Teller(), steps=steps[:1], manuscript=NIGHT)
    assert again.asked == []
    assert contents(tmp_path)["answers"]
