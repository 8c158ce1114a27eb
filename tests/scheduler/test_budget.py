"""Money: never overshot, never stopped by open reservations alone."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import BudgetReachedError, ConfigError, TransientModelError
from analyzer.llm.usage import worst_usage
from analyzer.models.question import Pack
from analyzer.models.run import Reply, Usage
from analyzer.scheduler.budget import Budget, cap_in_force
from analyzer.scheduler.events import RunOptions
from analyzer.scheduler.questions import max_output_tokens
from analyzer.scheduler.run import run_book
from analyzer.storage.store import Store
from tests.scheduler.tiny import PRICE, PRICED, Teller, analyse, book_of, honest, numbered_step

NIGHTS = book_of([["Night fell."]] * 2)
STEP = numbered_step(20, pack_size=1)


def worst_usd(pack: Pack) -> float:
    limit = max_output_tokens(pack.questions, PRICED)
    return PRICE.cost_usd(worst_usage(pack, max_output_tokens=limit, writes_cache=True))


class Biller(Teller):
    """A server that keeps its own books: random latency, in any order; random usage up to the worst case, the same for a pack."""

    def __init__(self, seed: int, *, least: float = 0.0) -> None:
        super().__init__(profile=PRICED.model_copy(update={"release": "at_once"}))
        self.seed = seed
        self.dice = random.Random(seed)
        self.billed_usd = 0.0
        self.least = least
        self.wait = self._late

    async def _late(self, _pack: Pack) -> None:
        for _ in range(self.dice.randrange(12)):
            await asyncio.sleep(0)

    async def ask(self, pack: Pack, *, max_output_tokens: int, on_first_event: object = None) -> Reply:
        reply = await super().ask(pack, max_output_tokens=max_output_tokens)
        worst = worst_usage(pack, max_output_tokens=max_output_tokens, writes_cache=True)
        share = random.Random(f"{self.seed}:{pack.tail}").uniform(self.least, 1.0)
        usage = Usage(cache_write=int(worst.cache_write * share), output=int(worst.output * share))
        self.billed_usd += PRICE.cost_usd(usage)
        return reply.model_copy(update={"usage": usage})


@given(
    costs=st.lists(st.tuples(st.integers(1, 50), st.floats(0, 1), st.integers(0, 6)), min_size=1, max_size=60),
    cap=st.integers(0, 900),
    concurrency=st.sampled_from([1, 3, 32]),
)
@settings(max_examples=80, deadline=None)
def test_whatever_calls_cost_and_however_they_overlap_spending_stays_under_the_cap(
    costs: list[tuple[int, float, int]], cap: int, concurrency: int
) -> None:
    async def spend() -> tuple[int, list[int]]:
        budget, turns, billed, refused = Budget(cap_usd=cap * 1e-9), asyncio.Semaphore(concurrency), [0], []

        async def call(worst: int, share: float, late: int) -> None:
            async with turns:
                try:
                    await budget.reserve(worst)
                except BudgetReachedError:
                    refused.append(worst)
                    return
                for _ in range(late):
                    await asyncio.sleep(0)
                cost = int(worst * share)
                billed[0] += cost
                assert billed[0] <= cap
                budget.settle(worst, cost)

        await asyncio.gather(*(call(*cost) for cost in costs))
        assert (budget.open_nano, budget.spent_nano) == (0, billed[0])
        return billed[0], refused

    total, refused = asyncio.run(spend())
    if sum(worst for worst, _, _ in costs) <= cap:
        assert refused == []
    assert all(total + worst > cap for worst in refused)


async def one_call_usd(folder: Path) -> float:
    """Return the worst case of one call of `STEP`."""
    dry = Teller()
    await analyse(folder, dry, steps=[STEP], manuscript=NIGHTS)
    return max(map(worst_usd, dry.asked))


@pytest.mark.parametrize(("seed", "n_calls"), [(1, 8), (2, 14)])
async def test_no_cap_is_overshot_with_32_calls_in_flight(tmp_path: Path, seed: int, n_calls: int) -> None:
    biller = Biller(seed)
    cap = n_calls * await one_call_usd(tmp_path / "dry")
    options = RunOptions(cap_usd=cap, concurrency=32)
    outcome = await analyse(
        tmp_path / "wet", biller, steps=[STEP], manuscript=NIGHTS, options=options, prices=lambda _m: PRICE
    )
    assert biller.most_open > 4
    assert n_calls < len(biller.asked) < 40
    assert 0 < biller.billed_usd <= cap
    assert outcome.spent_usd == pytest.approx(biller.billed_usd, abs=1e-7)
    assert outcome.exit_code == 5
    assert biller.billed_usd + max(map(worst_usd, biller.asked)) > cap


@pytest.mark.parametrize("concurrency", [1, 32])
async def test_a_run_that_fits_the_cap_is_not_stopped_by_open_reservations(tmp_path: Path, concurrency: int) -> None:
    dry = Biller(3)
    await analyse(tmp_path / "dry", dry, steps=[STEP], manuscript=NIGHTS, prices=lambda _m: PRICE)
    cap = dry.billed_usd + max(map(worst_usd, dry.asked))
    open_worst = 32 * max(map(worst_usd, dry.asked))
    assert cap < dry.billed_usd + open_worst
    options = RunOptions(cap_usd=cap, concurrency=concurrency)
    outcome = await analyse(
        tmp_path / "wet",
        Biller(3, least=0.0),
        steps=[STEP],
        manuscript=NIGHTS,
        options=options,
        prices=lambda _m: PRICE,
    )
    assert outcome.exit_code == 0


async def test_a_cap_counts_what_earlier_runs_spent_since_it_was_set(tmp_path: Path) -> None:
    first = Biller(1, least=1.0)
    outcome = await analyse(tmp_path, first, steps=[STEP], manuscript=NIGHTS, chapters=[1], prices=lambda _m: PRICE)
    options = RunOptions(cap_usd=outcome.spent_usd + 1e-5)
    again = Biller(2)
    outcome = await analyse(tmp_path, again, steps=[STEP], manuscript=NIGHTS, options=options, prices=lambda _m: PRICE)
    assert (outcome.exit_code, again.asked) == (5, [])
    assert "cap" in str(outcome.error)
    later = RunOptions(cap_usd=options.cap_usd, cap_set_at=4e9)
    outcome = await analyse(
        tmp_path, Biller(2), steps=[STEP], manuscript=NIGHTS, options=later, prices=lambda _m: PRICE
    )
    assert outcome.n_calls > 0


@pytest.mark.parametrize(
    ("limit", "share", "name"),
    [
        ("likely_usd", 0.25, "4 times the likely estimate"),
        ("balance_usd", 1.0, "the balance"),
        ("cap_usd", 1.0, "the cap"),
    ],
)
async def test_each_limit_stops_the_run_with_everything_saved(
    tmp_path: Path, limit: str, share: float, name: str
) -> None:
    biller = Biller(5)
    most = 4 * await one_call_usd(tmp_path / "dry")
    options = RunOptions(**{limit: most * share})  # type: ignore[arg-type]
    outcome = await analyse(tmp_path, biller, steps=[STEP], manuscript=NIGHTS, options=options, prices=lambda _m: PRICE)
    assert outcome.exit_code == 5
    assert isinstance(outcome.error, BudgetReachedError)
    assert name in str(outcome.error)
    assert 0 < biller.billed_usd <= most
    with Store.open(tmp_path) as store:
        assert len(store.all_answers()) == len(biller.asked)
        assert store.spent_usd() == pytest.approx(biller.billed_usd, abs=1e-7)
        assert store.runs()[-1].outcome == "budget"
    rest = Biller(6)
    outcome = await analyse(tmp_path, rest, steps=[STEP], manuscript=NIGHTS, prices=lambda _m: PRICE)
    assert outcome.exit_code == 0
    assert len(rest.asked) + len(biller.asked) == 40


async def test_a_reservation_is_in_the_store_before_its_call_is_sent(tmp_path: Path) -> None:
    seen: list[int] = []
    with Store.open(tmp_path, create=True) as store:

        async def look(_pack: Pack) -> None:
            seen.append(len([call for call in store.calls() if not call.settled]))

        asker = Teller(profile=PRICED, wait=look, usage=lambda _p: Usage(input=10, output=1))
        await run_book(store=store, manuscript=NIGHTS, steps=[numbered_step(1)], asker=asker, prices=lambda _m: PRICE)
    assert len(seen) == 2
    assert min(seen) >= 1


async def test_a_reply_without_usage_counts_as_its_worst_case(tmp_path: Path) -> None:
    asker = Teller(profile=PRICED)
    outcome = await analyse(tmp_path, asker, steps=[numbered_step(1)], manuscript=NIGHTS, prices=lambda _m: PRICE)
    assert outcome.spent_usd == pytest.approx(sum(map(worst_usd, asker.asked)), abs=1e-8)
    with Store.open(tmp_path) as store:
        assert {call.settled for call in store.calls()} == {False}
        assert store.spent_usd() == pytest.approx(outcome.spent_usd, abs=1e-8)


@pytest.mark.parametrize(
    ("error", "counts"),
    [
        (TransientModelError("slow down", retry_after_s=0.0), False),
        (TransientModelError("'m' is rate limited (429)"), False),
        (TransientModelError("the server of 'm' answered 503"), False),
        (TransientModelError("the server of 'm' could not be reached or read (ReadError)"), True),
    ],
)
async def test_a_failed_call_counts_in_full_unless_the_server_itself_said_no(
    tmp_path: Path, error: TransientModelError, counts: bool
) -> None:
    failed: list[Pack] = []

    def tell(pack: Pack) -> str | Exception:
        if failed:
            return honest(pack)
        failed.append(pack)
        return error

    asker = Teller(tell, profile=PRICED, usage=lambda _p: Usage(input=10, output=1))
    outcome = await analyse(
        tmp_path, asker, steps=[numbered_step(1)], manuscript=NIGHTS, chapters=[1], prices=lambda _m: PRICE
    )
    true_cost = PRICE.cost_usd(Usage(input=10, output=1))
    assert outcome.spent_usd == pytest.approx(true_cost + (worst_usd(failed[0]) if counts else 0.0), abs=1e-8)


async def test_a_call_lost_in_a_crash_counts_in_full_in_the_next_run(tmp_path: Path) -> None:
    async def die(_pack: Pack) -> None:
        raise asyncio.CancelledError

    dead = Teller(profile=PRICED, wait=die)
    with pytest.raises(asyncio.CancelledError):
        await analyse(
            tmp_path, dead, steps=[numbered_step(1)], manuscript=NIGHTS, chapters=[1], prices=lambda _m: PRICE
        )
    lost = worst_usd(dead.asked[0])
    options = RunOptions(cap_usd=lost + 1e-6)
    alive = Teller(profile=PRICED)
    outcome = await analyse(
        tmp_path, alive, steps=[numbered_step(1)], manuscript=NIGHTS, options=options, prices=lambda _m: PRICE
    )
    assert (outcome.exit_code, alive.asked) == (5, [])


async def test_an_unknown_model_is_unpriced_and_never_free(tmp_path: Path) -> None:
    asker = Teller(profile=PRICED)
    with pytest.raises(ConfigError, match="no price is known"):
        await analyse(tmp_path, asker, prices=lambda _m: None)
    with pytest.raises(ConfigError, match="cannot be kept"):
        await analyse(tmp_path, asker, prices=lambda _m: None, options=RunOptions(allow_unpriced=True, cap_usd=1.0))
    assert asker.asked == []
    await analyse(tmp_path, asker, prices=lambda _m: None, options=RunOptions(allow_unpriced=True))
    with Store.open(tmp_path) as store:
        assert {call.cost_usd for call in store.calls()} == {None}


async def test_a_free_transport_costs_nothing_whatever_the_cap(tmp_path: Path) -> None:
    outcome = await analyse(tmp_path, Teller(), options=RunOptions(cap_usd=0.0))
    assert (outcome.exit_code, outcome.spent_usd) == (0, 0.0)
    with Store.open(tmp_path) as store:
        assert {call.cost_usd for call in store.calls()} == {0.0}


async def test_reservations_are_served_in_the_order_asked() -> None:
    budget = Budget(cap_usd=10e-9)
    await budget.reserve(6)
    served: list[str] = []

    async def want(name: str, nano: int) -> None:
        await budget.reserve(nano)
        served.append(name)

    waiting = [asyncio.create_task(want("large", 8)), asyncio.create_task(want("small", 1))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert served == []
    budget.settle(6, 1)
    await asyncio.gather(*waiting)
    assert served == ["large", "small"]


async def test_a_call_that_can_never_fit_is_refused_with_the_sums(tmp_path: Path) -> None:
    budget = Budget(cap_usd=10e-9, spent_usd=5e-9)
    with pytest.raises(BudgetReachedError, match="is reached"):
        await budget.reserve(6)
    await budget.reserve(5)


@pytest.mark.parametrize("kept", ["inf", "nan", "-1.0", "much", "1e999"])
def test_a_stored_cap_that_is_no_amount_is_told_and_never_taken_for_no_cap(tmp_path: Path, kept: str) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.put_setting("cap_usd", kept)
        store.put_setting("cap_set_at", "5.0")
        with pytest.raises(ConfigError, match="no amount") as caught:
            cap_in_force(None, store, now=9.0)
        assert "--cap-usd" in caught.value.hint
        assert cap_in_force(0.5, store, now=9.0) == (0.5, 9.0)
        assert cap_in_force(None, store, now=10.0) == (0.5, 9.0)


@pytest.mark.parametrize("kept", ["inf", "nan", "", "yesterday"])
def test_a_cap_whose_day_is_unreadable_counts_all_that_was_ever_spent(tmp_path: Path, kept: str) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.put_setting("cap_usd", "0.5")
        store.put_setting("cap_set_at", kept)
        assert cap_in_force(None, store, now=9.0) == (0.5, None)
        assert cap_in_force(0.5, store, now=9.0) == (0.5, None)
