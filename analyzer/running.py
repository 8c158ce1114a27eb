"""A run made ready and carried out: whom to ask, at what price, over which chapters of a book.

What the pipeline's verbs `prepare` and `start` rest on; nothing here asks anybody but `carry_out`.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.collector import rare_collections
from analyzer.errors import ConfigError, InputError
from analyzer.models.run import CachePolicy
from analyzer.models.text import Manuscript
from analyzer.rereading import Reading, adopt, reread
from analyzer.settings import (
    DEFAULT_MODEL,
    MAX_CONCURRENCY,
    SETTINGS_FILE,
    Settings,
    load_settings,
    parse_chapters,
)

if TYPE_CHECKING:
    from analyzer.llm.asker import Asker
    from analyzer.scheduler.budget import Ledger
    from analyzer.scheduler.events import Event, Replaced, RunOptions, RunOutcome
    from analyzer.scheduler.plan import Estimate
    from analyzer.scheduler.slots import Limiter
    from analyzer.storage.store import Store


@dataclass(frozen=True)
class RunRequest:
    """What `run` was asked to do; None means the settings file, then the default.

    `profile` names what the server at `base_url` can do (its cache marks, whether it is paid), where that is known: a
    gateway to OpenAI is "openai". `asker` is a transport of one's own, asked instead of `model`; the run closes it. `untested`
    gives a local model work without its entrance test. `encoding` names the manuscript's, and is kept in the book's settings.
    `off` are parts and steps to leave out this time, instead of those the settings switch off. `ledger` and `limiter` are those of
    runs that share money and rate with this one. `flex` asks at the provider's slower tier, for less.
    """

    model: str | None = None
    confirm_model: str | None = None
    base_url: str | None = None
    profile: str | None = None
    asker: Asker | None = None
    chapters: str | None = None
    cap_usd: float | None = None
    balance_usd: float | None = None
    concurrency: int | None = None
    allow_unpriced: bool = False
    strict: bool = False
    on_cache_loss: CachePolicy | None = None
    untested: bool = False
    encoding: str | None = None
    off: tuple[str, ...] | None = None
    ledger: Ledger | None = None
    limiter: Limiter | None = None
    flex: bool = False


def open_store(folder: Path, *, create: bool = False) -> Store:
    """Open a book's store; `create` makes it where it is missing. Raises StoreError."""
    from analyzer.storage.store import Store

    return Store.open(folder, create=create)


def read_file(
    path: Path, language: str | None, encoding: str | None = None, chapters_file: Path | None = None
) -> Manuscript:
    """Return the manuscript in a file, its chapters as `chapters_file` says where there is one; raises InputError."""
    from analyzer.text.manuscript import read_manuscript

    return read_manuscript(path, language=language, encoding=encoding, chapters_file=chapters_file)


def manuscript_of(book: Path) -> Manuscript:
    """Return the book's manuscript as it is now, its chapters as the author's list in the folder says where there is one.

    Raises InputError where it cannot be read, or the list has a fault.
    """
    from analyzer.text.chapters_file import CHAPTERS_FILE

    settings = load_settings(book)
    path = book / settings.manuscript
    if not path.exists():
        raise InputError(
            f"the manuscript {settings.manuscript} of this book is gone",
            where=str(book),
            hint=f"put it back, or write where it is now into {SETTINGS_FILE}: manuscript = …",
        )
    return read_file(path, settings.language, settings.encoding, book / CHAPTERS_FILE)


@dataclass(frozen=True)
class Prepared:
    """A run made ready: what it would cost and how to start it.

    `estimate` leaves out what is done already; `whole_usd` is what the same chapters are likely to cost from the
    start, at the standard tier.
    `replaced` says on whose answers the bible of these chapters rests now, where that is another model than those asked.
    """

    book: Path
    reading: Reading
    settings: Settings
    request: RunRequest
    chapters: tuple[int, ...]
    model: str
    confirm_model: str
    priced: bool
    estimate: Estimate
    whole_usd: float | None
    replaced: Replaced | None = None

    @property
    def off(self) -> tuple[str, ...]:
        """Parts and steps that are left out."""
        return off_of(self.request.off, self.settings, self.model)

    @property
    def beyond(self) -> tuple[str, ...]:
        """Parts that are left out because whoever answers can say nothing of them."""
        from analyzer.llm.connect import left_out

        return left_out(self.model) if self.request.off is None else ()

    @property
    def manuscript(self) -> Manuscript:
        """The manuscript to be analysed, its chapters with their ids."""
        return self.reading.manuscript


def off_of(off: tuple[str, ...] | None, settings: Settings, model: str) -> tuple[str, ...]:
    """Return the parts and steps a run leaves out: `off`, those it was told to, else those of the settings and what `model` cannot tell."""
    from analyzer.llm.connect import left_out

    return (*settings.off, *left_out(model)) if off is None else off


class AskedBefore(NamedTuple):
    """Tasks (step, number of the chapter now) that a run need not ask for sure, and those of them that it may have to ask."""

    done: frozenset[tuple[str, int]]
    maybe: frozenset[tuple[str, int]]


Judge = Callable[["Store", Reading, str, str, tuple[str, ...]], AskedBefore]
"""Tells what a run need not ask of a book as it is read now, by the models asked and asked to confirm."""


def made_ready(folder: Path, settings: Settings, read: Manuscript, request: RunRequest, judge: Judge) -> Prepared:
    """Return the run that `request` asks for; asks nothing, spends nothing.

    Raises PermanentModelError where a provider's key is missing, ConfigError for a model that is nothing known.
    """
    from analyzer.llm.connect import answers_for_nothing, check_flex, connect
    from analyzer.llm.prices import price_of, tier_price_of
    from analyzer.scheduler.plan import estimate
    from analyzer.steps._registry import load_steps, switched

    _check(request)
    own = request.asker
    model = own.model if own else named_model(request.model or settings.model, folder, settings)
    given = request.confirm_model or (None if own else settings.confirm_model)
    confirm = named_model(given, folder, settings) if given else model
    wanted = parse_chapters(request.chapters, len(read.chapters), book=folder)
    paid = [name for name in dict.fromkeys((model, confirm)) if _costs(name, request, settings)]
    priced = bool(paid)
    standard = price_of(paid[0] if paid else model)
    price = (tier_price_of(paid[0], "flex") if request.flex and paid else None) or standard
    for name in dict.fromkeys((model, confirm)):
        if not answers_for_nothing(name) and not (own and own.model == name):
            connect(name, base_url=request.base_url or settings.base_url, profile=request.profile, flex=request.flex)
        elif request.flex:
            check_flex(name, priced=False)
    shown, full = (price, standard) if priced else (price_of(DEFAULT_MODEL),) * 2
    off = off_of(request.off, settings, model)
    switched(load_steps(), off)  # says what is no part
    with open_store(folder) as store:
        reading = reread(store, read)
        done, maybe = judge(store, reading, model, confirm, off)
        answered = store.models_by_chapter()
    whole = estimate(
        read, wanted, model=model, price=full, off=off
    )  # any call may be served and paid at the standard tier
    same = not done and shown == full
    made = whole if same else estimate(read, wanted, model=model, price=shown, done=done, maybe=maybe, off=off)
    replaced = _replaced(answered, wanted, {model, confirm})
    return Prepared(
        folder, reading, settings, request, wanted, model, confirm, priced, made, whole.likely_usd, replaced
    )


def _replaced(
    answered: Mapping[int, frozenset[str]], chapters: Collection[int], models: Iterable[str]
) -> Replaced | None:
    """Return which models other than `models` answered what the chapters rest on, of the `answered` ones by chapter."""
    from analyzer.llm.connect import answering_names
    from analyzer.scheduler.events import Replaced

    asked = frozenset[str]().union(*(answering_names(model) for model in models))
    others = {no: names - asked for no, names in answered.items() if no in chapters and names - asked}
    return Replaced(tuple(sorted(set().union(*others.values()))), tuple(others)) if others else None


def _check(request: RunRequest) -> None:
    """Raise ConfigError where an amount is no amount or the number of calls in flight is outside its bounds."""
    for flag, amount in (("--cap-usd", request.cap_usd), ("--balance-usd", request.balance_usd)):
        if amount is not None and not (math.isfinite(amount) and amount >= 0):
            raise ConfigError(f"{flag} {amount} is no amount of dollars", hint="give a number, 0 or more")
    if request.concurrency is not None and not 1 <= request.concurrency <= MAX_CONCURRENCY:
        raise ConfigError(
            f"--concurrency {request.concurrency} is outside 1-{MAX_CONCURRENCY}", hint="give for instance 8"
        )


def named_model(model: str, folder: Path, settings: Settings) -> str:
    """Return the model as it is asked for; `gold` alone is the folder `gold` beside the manuscript."""
    if model != "gold":
        return model
    gold = (folder / settings.manuscript).resolve().parent / "gold"
    return f"gold:{gold.relative_to(Path.cwd()) if gold.is_relative_to(Path.cwd()) else gold}"


def _costs(name: str, request: RunRequest, settings: Settings) -> bool:
    """Say whether asking the model called `name` costs, be it a transport of one's own or one that is named."""
    own = request.asker
    return own.profile.priced if own is not None and own.model == name else _is_paid(name, request, settings)


def _is_paid(model: str, request: RunRequest, settings: Settings) -> bool:
    """Say whether asking `model` costs: no for what answers on this machine and for a server of one's own."""
    if request.profile is not None:
        from analyzer.llm.profiles import named_profile

        return named_profile(request.profile).priced
    from analyzer.llm.connect import answers_for_nothing

    if request.base_url or settings.base_url:
        return False
    return not answers_for_nothing(model)


WEIGHED = "weighed"
"""The setting that keeps hashes of the books, as they were read, that somebody weighed to their end."""
MOST_WEIGHED = 200


def weighed_before(store: Store) -> list[str]:
    """Return the hashes of the books that somebody weighed to their end, oldest first; raises IntegrityError."""
    return store.kept(WEIGHED, list[str]) or []


def remember_weighed(store: Store, askers: Iterable[Asker]) -> None:
    """Keep on which whole books answers rest by now, for a plan to know where they serve again."""
    from analyzer.llm.asker import of_whole_book
    from analyzer.steps._registry import load_steps

    found = {of_whole_book(asker, step.name) for asker in askers for step in load_steps()} - {""}
    known = weighed_before(store)
    if found - set(known):
        kept = [one for one in known if one not in found] + sorted(found)
        store.put_setting(WEIGHED, json.dumps(kept[-MOST_WEIGHED:]))


FOLLOWED = "decision_followed"
"""The setting that names the last decision of the author a run over the whole book followed."""


def decided_since(store: Store) -> bool:
    """Say whether the author decided something, or took something back, that no run over the whole book followed yet."""
    rows = store.decisions()
    return bool(rows) and rows[-1].decision_id != store.setting(FOLLOWED)


async def carry_out(prepared: Prepared, on_event: Callable[[Event], None]) -> RunOutcome:
    """Run what was made ready and return how it ended; everything opened is closed, whatever happens. Spends."""
    from analyzer.llm.asker import Recalling
    from analyzer.scheduler.run import FINISHED_UNANSWERED, run_book
    from analyzer.steps._registry import load_steps, switched
    from analyzer.storage.writer import Writer
    from analyzer.succession import followed_cast, remember_cast

    request = prepared.request
    async with AsyncExitStack() as stack:
        stack.enter_context(rare_collections())
        asker = request.asker or _connect(prepared, prepared.model)
        stack.push_async_callback(asker.close)
        confirm = asker
        if prepared.confirm_model != prepared.model:
            confirm = _connect(prepared, prepared.confirm_model)
            stack.push_async_callback(confirm.close)
        store = stack.enter_context(open_store(prepared.book))
        for one in {id(one): one for one in (asker, confirm)}.values():
            if isinstance(one, Recalling):
                one.recall(store.questions_by(one.answered_by))
        remember_cast(store, prepared.reading)
        reading = adopt(store, prepared.reading, prepared.settings.manuscript, done=())
        options = _options(prepared, store)
        async with Writer(store) as writer:
            outcome = await run_book(
                store=store,
                writer=writer,
                manuscript=prepared.manuscript,
                steps=switched(load_steps(), prepared.off),
                asker=asker,
                confirm_asker=confirm,
                chapters=prepared.chapters,
                options=options,
                events=on_event,
            )
        if outcome.exit_code in (0, FINISHED_UNANSWERED):
            adopt(store, reading, prepared.settings.manuscript, done=prepared.chapters)
            if len(prepared.chapters) == len(prepared.manuscript.chapters):
                outcome = replace(outcome, unkept=followed_cast(store))
                remember_weighed(store, {id(one): one for one in (asker, confirm)}.values())
                if decided_since(store):
                    store.put_setting(FOLLOWED, store.decisions()[-1].decision_id)
    return replace(outcome, replaced=prepared.replaced)


def _connect(prepared: Prepared, model: str) -> Asker:
    from analyzer.llm.connect import connect

    request = prepared.request
    base_url = request.base_url or prepared.settings.base_url
    return connect(
        model,
        base_url=base_url,
        manuscript=prepared.manuscript,
        profile=request.profile,
        untested=request.untested,
        flex=request.flex,
    )


def _options(prepared: Prepared, store: Store) -> RunOptions:
    from analyzer.scheduler.budget import cap_in_force
    from analyzer.scheduler.events import RunOptions

    request, settings = prepared.request, prepared.settings
    wanted = request.cap_usd if request.cap_usd is not None else settings.cap_usd
    cap, set_at = cap_in_force(wanted, store, now=time.time())
    return RunOptions(
        cap_usd=cap,
        cap_set_at=set_at,
        balance_usd=request.balance_usd,
        likely_usd=prepared.whole_usd if prepared.priced else None,
        concurrency=request.concurrency or settings.concurrency,
        cache_policy=request.on_cache_loss or settings.on_cache_loss,
        strict=request.strict,
        allow_unpriced=request.allow_unpriced,
        expected_calls=prepared.estimate.n_calls,
        more_calls=prepared.estimate.more_calls,
        folder=prepared.book,
        sigint=True,
        ledger=request.ledger,
        limiter=request.limiter,
    )
