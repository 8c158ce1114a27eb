"""Warm first: every level of a prefix is written by one call, and nobody reads before it can be read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from analyzer.errors import TransientModelError
from analyzer.llm.asker import Release
from analyzer.llm.usage import count_tokens
from analyzer.models.question import Pack, Part
from analyzer.models.run import Reply, Usage
from analyzer.scheduler.events import Event, RunOptions
from analyzer.scheduler.warm import Warm, levels_of
from analyzer.storage.store import Store
from tests.scheduler.tiny import PRICE, PRICED, STEPS, TEXTS, Teller, analyse, book_of, honest, numbered_step

NIGHT = book_of([["Night fell."]])
STEP = numbered_step(6, pack_size=1)


class Cache(Teller):
    """A provider with a prompt cache: an entry is readable once its writer's prefill (`release`) is over."""

    def __init__(self, release: Release, *, broken: bool = False) -> None:
        super().__init__(profile=PRICED.model_copy(update={"release": release, "min_prefix_tokens": 1}))
        self.readable: set[bytes] = set()
        self.written: list[bytes] = []
        self.broken = broken

    async def ask(self, pack: Pack, *, max_output_tokens: int, on_first_event=None):  # type: ignore[no-untyped-def]
        levels = levels_of(pack.parts)
        cold = [level for level in levels if level not in self.readable]
        self.written += cold
        for _ in range(3):
            await asyncio.sleep(0)
        if on_first_event is not None:
            self.readable.update(levels)
            on_first_event()
        for _ in range(5):
            await asyncio.sleep(0)
        reply = await super().ask(pack, max_output_tokens=max_output_tokens)
        self.readable.update(() if self.broken else levels)
        sizes = [count_tokens(part.text) for part in pack.parts]
        read = 0 if self.broken else sum(sizes[: len(sizes) - len(cold)])
        usage = Usage(cache_write=sum(sizes) - read, cache_read=read, input=count_tokens(pack.tail), output=1)
        return reply.model_copy(update={"usage": usage})


@pytest.mark.parametrize("release", ["first_end", "first_event", "prewarm"])
async def test_each_part_of_every_prefix_is_written_exactly_once(tmp_path: Path, release: Release) -> None:
    cache = Cache(release)
    outcome = await analyse(tmp_path, cache, steps=[*STEPS, STEP], manuscript=book_of(TEXTS), prices=lambda _m: PRICE)
    assert outcome.exit_code == 0
    assert len(cache.written) == len(set(cache.written))
    assert len(set(cache.written)) == 1 + 3 * 3
    assert outcome.n_cache_misses == 0


async def test_at_once_sends_everything_at_once(tmp_path: Path) -> None:
    cache = Cache("at_once")
    await analyse(tmp_path, cache, steps=[STEP], manuscript=NIGHT, prices=lambda _m: PRICE)
    assert cache.most_open == 6


async def test_readers_start_while_the_writer_still_streams(tmp_path: Path) -> None:
    second = asyncio.Event()

    async def until_another_started(_pack: Pack) -> None:
        if cache.most_open > 1:
            second.set()
        await asyncio.wait_for(second.wait(), 10)

    cache = Cache("first_event")
    cache.wait = until_another_started
    outcome = await analyse(tmp_path, cache, steps=[STEP], manuscript=NIGHT, prices=lambda _m: PRICE)
    assert (outcome.exit_code, outcome.n_answers) == (0, 6)


async def test_readers_start_after_the_writer_ended_where_nothing_is_known(tmp_path: Path) -> None:
    open_at_start: list[int] = []

    async def look(_pack: Pack) -> None:
        open_at_start.append(cache.n_open)

    cache = Cache("first_end")
    cache.wait = look
    await analyse(tmp_path, cache, steps=[STEP], manuscript=NIGHT, prices=lambda _m: PRICE)
    assert open_at_start[0] == 1
    assert len(cache.written) == len(set(cache.written))


async def test_where_the_writer_fails_the_next_that_waits_writes(tmp_path: Path) -> None:
    cache = Cache("first_end")
    sent: list[Pack] = []

    def tell(pack: Pack) -> str | Exception:
        sent.append(pack)
        return TransientModelError("down", retry_after_s=0.0) if len(sent) == 1 else honest(pack)

    cache.tell = tell
    outcome = await analyse(tmp_path, cache, steps=[STEP], manuscript=NIGHT, prices=lambda _m: PRICE)
    assert outcome.exit_code == 0
    assert sent[1].questions != sent[0].questions
    assert cache.most_open > 1
    assert len(cache.written) == 2 * len(set(cache.written))


def _parts(*texts: str) -> tuple[Part, ...]:
    names = ("system", "cast", "chapter", "added")
    return tuple(Part(name=name, text=text) for name, text in zip(names, texts, strict=False))


class Prewarming(Cache):
    """A provider that writes a prefix without asking anything."""

    def __init__(self) -> None:
        super().__init__("prewarm")
        self.prewarmed: list[Pack] = []

    async def prewarm(self, pack: Pack) -> Reply:
        self.prewarmed.append(pack)
        levels = levels_of(pack.parts)
        self.written += [level for level in levels if level not in self.readable]
        await asyncio.sleep(0)
        self.readable.update(levels)
        return Reply(text="", usage=Usage(cache_write=300), model=self.model)


async def test_a_prewarm_writes_the_prefix_and_every_question_only_reads_it(tmp_path: Path) -> None:
    cache = Prewarming()
    outcome = await analyse(tmp_path, cache, steps=[STEP], manuscript=NIGHT, prices=lambda _m: PRICE)
    assert (outcome.exit_code, outcome.n_calls, outcome.n_answers) == (0, 7, 6)
    assert [(pack.tail, pack.questions) for pack in cache.prewarmed] == [("", ())]
    assert outcome.usage.cache_write == 300
    assert cache.most_open > 1
    with Store.open(tmp_path) as store:
        assert sorted(call.n_questions for call in store.calls()) == [0] + [1] * 6
        assert store.spent_usd() == pytest.approx(outcome.spent_usd)


async def test_a_longer_prefix_is_a_new_write_of_what_is_added_and_a_shorter_one_is_read() -> None:
    warm = Warm("first_end")
    first = await warm.enter(levels_of(_parts("s", "c", "x")))
    first.ready()
    longer = await warm.enter(levels_of(_parts("s", "c", "x", "a")))
    assert (first.writes, longer.writes, longer.reads) == (False, True, False)
    shorter = await asyncio.wait_for(warm.enter(levels_of(_parts("s", "c", "x"))), 1)
    assert shorter.reads
    waiting = asyncio.create_task(warm.enter(levels_of(_parts("s", "c", "x", "a"))))
    await asyncio.sleep(0)
    assert not waiting.done()
    longer.failed()
    assert (await waiting).writes


async def test_an_entry_that_ended_well_cannot_fail_afterwards() -> None:
    warm = Warm("first_end")
    entry = await warm.enter(levels_of(_parts("s")))
    entry.ready()
    entry.failed()
    assert (await warm.enter(levels_of(_parts("s")))).reads


@pytest.mark.parametrize(("policy", "exit_code"), [("warn", 0), ("stop", 5)])
async def test_a_cache_that_is_not_read_is_told_at_once_and_stops_the_run_by_policy(
    tmp_path: Path, policy: str, exit_code: int
) -> None:
    told: list[Event] = []
    cache = Cache("first_end", broken=True)
    outcome = await analyse(
        tmp_path,
        cache,
        steps=[STEP],
        manuscript=NIGHT,
        prices=lambda _m: PRICE,
        options=RunOptions(cache_policy=policy, concurrency=1),  # type: ignore[arg-type]
        events=told.append,
    )
    warnings = [event for event in told if event.kind == "warning"]
    assert outcome.exit_code == exit_code
    assert len(cache.asked) == (6 if policy == "warn" else 2)
    assert (len(warnings), outcome.n_cache_misses) == ((3, 5) if policy == "warn" else (1, 1))
    assert "did not read the prefix" in warnings[0].text
    assert warnings[0].progress.n_calls_done == 2
    assert outcome.n_answers == len(cache.asked)


async def test_a_prefix_too_short_for_the_cache_is_no_warning(tmp_path: Path) -> None:
    cache = Cache("first_end", broken=True)
    cache.profile = cache.profile.model_copy(update={"min_prefix_tokens": 10_000})
    outcome = await analyse(tmp_path, cache, steps=[STEP], manuscript=NIGHT, prices=lambda _m: PRICE)
    assert (outcome.exit_code, outcome.n_cache_misses) == (0, 0)


async def test_a_confirming_model_of_another_name_has_a_cache_of_its_own(tmp_path: Path) -> None:
    cache, confirm = Cache("first_end"), Cache("first_end")
    confirm.model = "other"
    outcome = await analyse(tmp_path, cache, confirm_asker=confirm, prices=lambda _m: PRICE)
    assert outcome.exit_code == 0
    assert {pack.step for pack in confirm.asked} == {"confirm"}
    assert "confirm" not in {pack.step for pack in cache.asked}
    assert len(confirm.written) == len(set(confirm.written)) > 0
