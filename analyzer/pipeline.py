"""The composition root and the library's public verbs: the only door for the command line and for evaluation.

    from analyzer import pipeline
    book = pipeline.init("serial.md")
    print(pipeline.plan(book).likely_usd)
    outcome = pipeline.run(book, model="rules")
    for row in pipeline.show_relations(book, as_of=3): ...

Every verb takes a book (its folder, or the manuscript it was made from), returns frozen records, and raises
`AnalyzerError` with one sentence and a hint. Only `run` can spend.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.bible import Bible, fold
from analyzer.errors import ConfigError, InputError
from analyzer.export.bill import Bill, bill_of
from analyzer.export.show import CastRow, ChapterView, RelationRow, cast_rows, chapter_view, entity_ids, relation_rows
from analyzer.export.why import WhyRow, is_meant, is_meant_issue, why_fact, why_fallen
from analyzer.hashing import bytes_sha256
from analyzer.models.facts import StoredFact
from analyzer.models.rows import BookRow, ChapterRow
from analyzer.models.text import Manuscript
from analyzer.settings import (
    DEFAULT_MODEL,
    SETTINGS_FILE,
    Settings,
    book_folder,
    load_settings,
    parse_chapters,
    relative_path,
    save_settings,
)

if TYPE_CHECKING:
    from analyzer.llm.asker import Asker
    from analyzer.scheduler.events import Event, RunOptions, RunOutcome
    from analyzer.scheduler.plan import Estimate
    from analyzer.storage.status import StatusRead
    from analyzer.storage.store import Store
    from analyzer.text.manuscript import PreviewRow

__all__ = [
    "DEFAULT_MODEL", "SETTINGS_FILE", "Bill", "ChapterView", "Prepared", "RunRequest", "Settings", "bill", "book_folder",
    "chapters", "init", "load_settings", "manuscript_of", "parse_chapters", "plan", "prepare", "run", "save_settings",
    "show_cast", "show_chapter", "show_relations", "start", "status", "verify", "why",
]  # fmt: skip


@dataclass(frozen=True)
class RunRequest:
    """What `run` was asked to do; None means the settings file, then the default.

    `profile` names what the server at `base_url` can do (its cache marks, whether it is paid), where that is known: a
    gateway to OpenAI is "openai". `asker` is a transport of one's own, asked instead of `model`; the run closes it.
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
    stop_on_cache_loss: bool = False


def init(manuscript: Path | str, *, book: Path | str | None = None, language: str | None = None) -> Path:
    """Make a book for a manuscript and return its folder; a folder that already is this book is left as it is."""
    path = Path(manuscript)
    read = _read(path, language)
    folder = Path(book) if book else book_folder(path)
    shown_path = relative_path(path, folder)
    if (folder / SETTINGS_FILE).is_file():
        known = load_settings(folder)
        if (folder / known.manuscript).resolve() != path.resolve():
            raise InputError(
                f"{folder} is already the book of {known.manuscript}",
                where=str(folder),
                hint="give another folder with --book",
            )
    else:
        _make_folder(folder, shown_path, language)
    with _open(folder, create=True) as store:
        if store.book() is None:
            _put_manuscript(store, read, shown_path)
    return folder


def _make_folder(folder: Path, shown_path: str, language: str | None) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_settings(folder, Settings(manuscript=shown_path, language=language))
    except OSError as error:
        raise InputError(
            f"cannot write the book folder {folder}: {error.strerror}",
            where=str(folder),
            hint="give another with --book",
        ) from error
    except ValueError as error:
        raise InputError(
            f"the manuscript's path {shown_path!r} cannot be written down: it is not UTF-8", hint="rename the file"
        ) from error


def _read(path: Path, language: str | None) -> Manuscript:
    from analyzer.text.manuscript import read_manuscript

    return read_manuscript(path, language=language)


def manuscript_of(book: Path) -> Manuscript:
    """Return the book's manuscript as it is now; raises InputError where it cannot be read."""
    settings = load_settings(book)
    path = book / settings.manuscript
    if not path.exists():
        raise InputError(
            f"the manuscript {settings.manuscript} of this book is gone",
            where=str(book),
            hint=f"put it back, or write where it is now into {SETTINGS_FILE}: manuscript = …",
        )
    return _read(path, settings.language)


def _open(folder: Path, *, create: bool = False) -> Store:
    from analyzer.storage.store import Store

    return Store.open(folder, create=create)


def _put_manuscript(store: Store, read: Manuscript, shown_path: str) -> None:
    known = store.book()
    created = known.created_at if known else time.time()
    store.put_book(
        BookRow(
            title=read.title, language=read.language, sha256=read.sha256, manuscript_path=shown_path, created_at=created
        )
    )
    store.put_chapters(
        [
            ChapterRow(
                no=c.no,
                kind=c.kind,
                label=c.label,
                title=c.title,
                text_sha256=bytes_sha256(c.text.encode()),
                n_blocks=len(c.blocks),
            )
            for c in read.chapters
        ]
    )


def _source(book: Path | str) -> tuple[Manuscript, Path | None]:
    """Return the manuscript of a book, or of a file, with the book's folder where there is one."""
    path = Path(book)
    folder = book_folder(path)
    if path.is_file() and not (folder / SETTINGS_FILE).is_file():
        return _read(path, None), None
    return manuscript_of(folder), folder


def chapters(book: Path | str) -> tuple[PreviewRow, ...]:
    """Return the preview of the chapters: kind, label, title, sizes, reason and confidence of each; of a book or a file."""
    from analyzer.text.manuscript import preview

    return preview(_source(book)[0])


def plan(
    book: Path | str, *, model: str | None = None, chapters: str | None = None, base_url: str | None = None
) -> Estimate:
    """Return the estimate of what is left to run, without a single call: low, likely and high per step; of a book or a file."""
    from analyzer.llm.prices import price_of
    from analyzer.scheduler.plan import estimate

    read, folder = _source(book)
    name = model or (load_settings(folder).model if folder else DEFAULT_MODEL)
    wanted = parse_chapters(chapters, len(read.chapters))
    done = _done(folder) if folder else frozenset()
    return estimate(read, wanted, model=name, price=price_of(name), done=done)


@dataclass(frozen=True)
class Prepared:
    """A run made ready: what it would cost and how to start it.

    `estimate` leaves out what is done already; `whole_usd` is what the same chapters are likely to cost from the start.
    """

    book: Path
    manuscript: Manuscript
    settings: Settings
    request: RunRequest
    chapters: tuple[int, ...]
    model: str
    confirm_model: str
    priced: bool
    estimate: Estimate
    whole_usd: float | None


def prepare(book: Path | str, request: RunRequest) -> Prepared:
    """Return a run made ready: manuscript read, model named, estimate made; asks nothing, spends nothing.

    Raises PermanentModelError where a provider's key is missing, ConfigError for a model that is nothing known.
    """
    from analyzer.llm.connect import connect
    from analyzer.llm.prices import price_of
    from analyzer.scheduler.plan import estimate

    path = Path(book)
    folder = init(path) if path.is_file() else path
    settings = load_settings(folder)
    read = manuscript_of(folder)
    own = request.asker
    model = own.model if own else _named(request.model or settings.model, folder, settings)
    given = request.confirm_model or (None if own else settings.confirm_model)
    confirm = _named(given, folder, settings) if given else model
    wanted = parse_chapters(request.chapters, len(read.chapters))
    price = price_of(model)
    priced = own.profile.priced if own else _is_paid(model, request, settings)
    asked = [] if own else [name for name in dict.fromkeys((model, confirm)) if not _asks_no_provider(name)]
    for name in asked:
        connect(name, base_url=request.base_url or settings.base_url, profile=request.profile)
    shown = price if priced else price_of(DEFAULT_MODEL)
    done = _done(folder, read, model, confirm)
    whole = estimate(read, wanted, model=model, price=shown)
    made = estimate(read, wanted, model=model, price=shown, done=done) if done else whole
    return Prepared(folder, read, settings, request, wanted, model, confirm, priced, made, whole.likely_usd)


def _named(model: str, folder: Path, settings: Settings) -> str:
    """Return the model as it is asked for; `gold` alone is the folder `gold` beside the manuscript."""
    return f"gold:{(folder / settings.manuscript).parent / 'gold'}" if model == "gold" else model


def _asks_no_provider(model: str) -> bool:
    return model.split(":")[0] in {"rules", "gold", "inbox", "local", "replay"}


def _is_paid(model: str, request: RunRequest, settings: Settings) -> bool:
    """Say whether asking `model` costs: no for what answers on this machine and for a server of one's own."""
    if request.profile is not None:
        from analyzer.llm.profiles import named_profile

        return named_profile(request.profile).priced
    if request.base_url or settings.base_url:
        return False
    return not _asks_no_provider(model)


def _done(folder: Path, read: Manuscript, model: str, confirm_model: str) -> frozenset[tuple[str, int]]:
    """Return the tasks (step, chapter) that a run need not ask: whole, over this text, answered by these models."""
    from analyzer.scheduler.tasks import PARTIAL
    from analyzer.steps._registry import load_steps
    from analyzer.steps._step import AskStep

    asked = {step.name: confirm_model if step.confirms else model for step in load_steps() if isinstance(step, AskStep)}
    with _open(folder) as store:
        tasks = store.tasks()
        texts = {row.no: row.text_sha256 for row in store.chapters()}
        answered = store.answered_by_task()
    same = {c.no for c in read.chapters if texts.get(c.no) == bytes_sha256(c.text.encode())}
    return frozenset(
        (task.step, task.chapter)
        for task in tasks
        if task.chapter in same
        and not task.input_hash.startswith(PARTIAL)
        and (not task.n_answers or asked.get(task.step) in answered.get((task.step, task.chapter), ()))
    )


def start(prepared: Prepared, on_event: Callable[[Event], None] | None = None) -> RunOutcome:
    """Run what was prepared and return how it ended; the only verb that spends."""
    return asyncio.run(_start(prepared, on_event or (lambda _event: None)))


async def _start(prepared: Prepared, on_event: Callable[[Event], None]) -> RunOutcome:
    from analyzer.scheduler.run import run_book
    from analyzer.steps._registry import load_steps
    from analyzer.storage.writer import Writer

    request = prepared.request
    async with AsyncExitStack() as stack:
        asker = request.asker or _connect(prepared, prepared.model)
        stack.push_async_callback(asker.close)
        confirm = asker
        if prepared.confirm_model != prepared.model:
            confirm = _connect(prepared, prepared.confirm_model)
            stack.push_async_callback(confirm.close)
        store = stack.enter_context(_open(prepared.book))
        _put_manuscript(store, prepared.manuscript, prepared.settings.manuscript)
        options = _options(prepared, store)
        async with Writer(store) as writer:
            return await run_book(
                store=store,
                writer=writer,
                manuscript=prepared.manuscript,
                steps=load_steps(),
                asker=asker,
                confirm_asker=confirm,
                chapters=prepared.chapters,
                options=options,
                events=on_event,
            )


def _connect(prepared: Prepared, model: str) -> Asker:
    from analyzer.llm.connect import connect

    request = prepared.request
    base_url = request.base_url or prepared.settings.base_url
    return connect(model, base_url=base_url, manuscript=prepared.manuscript, profile=request.profile)


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
        cache_policy="stop" if request.stop_on_cache_loss else "warn",
        strict=request.strict,
        allow_unpriced=request.allow_unpriced,
        expected_calls=prepared.estimate.n_calls,
        folder=prepared.book,
        sigint=True,
    )


def run(
    book: Path | str,
    request: RunRequest | None = None,
    *,
    on_event: Callable[[Event], None] | None = None,
    **wishes: Any,
) -> RunOutcome:
    """Prepare and start a run in one; wishes are fields of RunRequest (`model="rules"`)."""
    return start(prepare(book, request or RunRequest(**wishes)), on_event)


def status(book: Path | str) -> StatusRead | None:
    """Return the state of the run that holds the book, or of the last one; None where there never was one."""
    from analyzer.storage.status import read_status

    folder = book_folder(book)
    load_settings(folder)
    return read_status(folder)


def bill(book: Path | str, *, would_be: str = DEFAULT_MODEL) -> Bill:
    """Return every call with what it cost; where no model was asked, beside it what `would_be` would have cost."""
    from analyzer.llm.prices import price_of

    with _open(book_folder(book)) as store:
        calls = tuple(store.calls())
        spent = store.spent_usd(None)
    return bill_of(calls, spent, would_be=would_be, price=price_of(would_be))


def _view(store: Store, as_of: int | None) -> tuple[Bible, tuple[StoredFact, ...]]:
    last = max((row.no for row in store.chapters()), default=0)
    through = last if as_of is None else as_of
    if through < 0 or (as_of is not None and as_of > last):
        raise ConfigError(f"--as-of {as_of} is outside 1-{last}", hint="see: analyzer chapters BOOK")
    stored = tuple(store.facts(through))
    return fold((s.fact for s in stored), through=through, handles=store.handles()), stored


def show_cast(book: Path | str, *, as_of: int | None = None) -> tuple[CastRow, ...]:
    """Return the cast as of a chapter (None: the last)."""
    with _open(book_folder(book)) as store:
        bible, stored = _view(store, as_of)
    return cast_rows(bible, entity_ids(stored))


def show_relations(book: Path | str, *, as_of: int | None = None, hidden: bool = False) -> tuple[RelationRow, ...]:
    """Return the relations as of a chapter (None: the last); `hidden` adds the low-confidence kinds."""
    with _open(book_folder(book)) as store:
        bible, stored = _view(store, as_of)
    return relation_rows(bible, stored, hidden=hidden)


def show_chapter(book: Path | str, number: int, *, as_of: int | None = None) -> ChapterView:
    """Return one chapter: who is there, what relations it shows, which issues it has.

    People are called as the book knows them after chapter `as_of` (None: the chapter itself). Raises ConfigError where
    there is no such chapter or `as_of` lies before it.
    """
    with _open(book_folder(book)) as store:
        row = next((r for r in store.chapters() if r.no == number), None)
        if row is None:
            raise ConfigError(f"chapter {number} is not in the book", hint="see: analyzer chapters BOOK")
        if as_of is not None and as_of < number:
            raise ConfigError(
                f"--as-of {as_of} is before chapter {number}", hint="a chapter is shown as of itself or later"
            )
        bible, stored = _view(store, number if as_of is None else as_of)
        issues = [issue for _, issue in store.issues() if issue.chapter == number]
    return chapter_view(row, bible, stored, issues)


def why(book: Path | str, fact: str) -> tuple[WhyRow, ...]:
    """Return the chain behind a fact: its id (a prefix of six characters or more), or `@1 parent_of @2` as printed.

    Claims that fell are found by the same words; all that fits is returned, what was kept first. Raises ConfigError where
    nothing fits.
    """
    with _open(book_folder(book)) as store:
        stored = tuple(store.facts())
        issues = list(store.issues())
        answers = {row.answer_id: row for row in store.all_answers()}
        calls = {call.call_id: call for call in store.calls()}
    kept = [s for s in stored if is_meant(s, fact)]
    fallen = [(i, issue) for i, issue in issues if is_meant_issue(i, issue, fact)]
    if not kept and not fallen:
        raise ConfigError(
            f"no fact {fact!r} in this book", hint="ids are in `analyzer show … --json`; or write: '@1 parent_of @2'"
        )
    rows = [why_fact(s, stored, answers, calls) for s in kept]
    return tuple(rows + [why_fallen(i, issue, stored, answers, calls) for i, issue in fallen])


def verify(book: Path | str) -> list[str]:
    """Return what is wrong with the store, one sentence each; empty if all is well."""
    with _open(book_folder(book)) as store:
        return store.verify()
