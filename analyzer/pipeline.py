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
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.bible import Bible, fold
from analyzer.errors import ConfigError, InputError
from analyzer.export.show import CastRow, RelationRow, cast_rows, relation_rows
from analyzer.export.why import WhyRow, why_fact, why_fallen
from analyzer.hashing import bytes_sha256
from analyzer.models.base import Record
from analyzer.models.facts import StoredFact
from analyzer.models.rows import BookRow, ChapterRow
from analyzer.models.run import CallRecord, Usage
from analyzer.models.text import Manuscript

if TYPE_CHECKING:
    from analyzer.llm.asker import Asker
    from analyzer.scheduler.events import Event, RunOutcome
    from analyzer.scheduler.plan import Estimate
    from analyzer.storage.status import StatusRead
    from analyzer.storage.store import Store

DEFAULT_MODEL = "gpt-6-luna"
SETTINGS_FILE = "analyzer.toml"


class Settings(Record):
    """What a book's `analyzer.toml` says; flags of a command win over it."""

    manuscript: str
    language: str | None = None
    model: str = DEFAULT_MODEL
    confirm_model: str | None = None
    base_url: str | None = None
    cap_usd: float | None = None
    concurrency: int = 8


@dataclass(frozen=True)
class RunRequest:
    """What `run` was asked to do; None means the settings file, then the default.

    `untested` gives a local model work without its entrance test.
    """

    model: str | None = None
    confirm_model: str | None = None
    base_url: str | None = None
    chapters: str | None = None
    cap_usd: float | None = None
    balance_usd: float | None = None
    concurrency: int | None = None
    allow_unpriced: bool = False
    strict: bool = False
    stop_on_cache_loss: bool = False
    untested: bool = False


class Bill(Record):
    """Every call with totals; `would_be_usd` is what the same tokens cost at `would_be_model`, where no model was asked."""

    calls: tuple[CallRecord, ...]
    usage: Usage
    spent_usd: float
    n_open: int
    n_unpriced: int
    would_be_model: str = ""
    would_be_usd: float | None = None


class ChapterView(Record):
    """One chapter as the bible has it: who is there, and the relations it shows."""

    no: int
    label: str
    title: str
    cast: tuple[CastRow, ...]
    relations: tuple[RelationRow, ...]
    issues: dict[str, int]


def book_folder(path: Path | str) -> Path:
    """Return the folder of a book: the folder itself, or the one a manuscript's book is kept in by default."""
    path = Path(path)
    return path if path.suffix == "" or path.is_dir() else path.with_name(path.stem + ".book")


def load_settings(book: Path) -> Settings:
    """Return a book's settings; raises ConfigError naming the line or key at fault, InputError where there is no book."""
    file = book / SETTINGS_FILE
    if not file.is_file():
        raise InputError(
            f"{book} is no book: it has no {SETTINGS_FILE}",
            where=str(book),
            hint="make one with: analyzer init MANUSCRIPT",
        )
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
        return Settings.model_validate(raw)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file.name} is not valid TOML: {error}", where=str(file), hint="mend the line named"
        ) from error
    except ValueError as error:
        allowed = ", ".join(Settings.model_fields)
        raise ConfigError(
            f"{file.name} has a setting that is not allowed: {error}",
            where=str(file),
            hint=f"known settings: {allowed}",
        ) from error


def _toml(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def save_settings(book: Path, settings: Settings) -> None:
    """Write a book's settings file; only what differs from the defaults, and the manuscript."""
    shown = {
        k: v
        for k, v in settings.model_dump().items()
        if v is not None and (k == "manuscript" or v != Settings.model_fields[k].default)
    }
    lines = ["# Settings of this book; flags win over them. Keys for providers come from the environment only.", ""]
    lines += [f"{key} = {_toml(value)}" for key, value in shown.items()]
    (book / SETTINGS_FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def init(manuscript: Path | str, *, book: Path | str | None = None, language: str | None = None) -> Path:
    """Make a book for a manuscript and return its folder; a folder that already is this book is left as it is."""
    path = Path(manuscript)
    read = _read(path, language)
    folder = Path(book) if book else book_folder(path)
    if (folder / SETTINGS_FILE).is_file():
        known = load_settings(folder)
        if _manuscript_path(folder, known).resolve() != path.resolve():
            raise InputError(
                f"{folder} is already the book of {known.manuscript}",
                where=str(folder),
                hint="give another folder with --book",
            )
        return folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_settings(folder, Settings(manuscript=_relative(path.resolve(), folder), language=language))
    except OSError as error:
        raise InputError(
            f"cannot write the book folder {folder}: {error.strerror}",
            where=str(folder),
            hint="give another with --book",
        ) from error
    with _open(folder, create=True) as store:
        _put_manuscript(store, read, _relative(path.resolve(), folder))
    return folder


def _relative(path: Path, folder: Path) -> str:
    import os

    try:
        return os.path.relpath(path, folder.resolve())
    except ValueError:
        return str(path)


def _manuscript_path(book: Path, settings: Settings) -> Path:
    return book / settings.manuscript


def _read(path: Path, language: str | None) -> Manuscript:
    from analyzer.text.manuscript import read_manuscript

    return read_manuscript(path, language=language)


def manuscript_of(book: Path) -> Manuscript:
    """Return the book's manuscript as it is now."""
    settings = load_settings(book)
    return _read(_manuscript_path(book, settings), settings.language)


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


def parse_chapters(wanted: str | None, n_chapters: int) -> tuple[int, ...]:
    """Return chapter numbers for `1-6,9` (all for None), in order; raises ConfigError naming the part at fault."""
    if not wanted:
        return tuple(range(1, n_chapters + 1))
    found: set[int] = set()
    for piece in wanted.split(","):
        first, dash, last = piece.strip().partition("-")
        try:
            low = int(first)
            high = int(last) if dash and last else (n_chapters if dash else low)
        except ValueError as error:
            raise ConfigError(
                f"--chapters {wanted!r}: {piece!r} is not a chapter or a range", hint="write for instance 1-6,9"
            ) from error
        if not 1 <= low <= high <= n_chapters:
            raise ConfigError(
                f"--chapters {wanted!r}: {piece!r} is outside 1-{n_chapters}", hint="see: analyzer chapters BOOK"
            )
        found |= set(range(low, high + 1))
    return tuple(sorted(found))


def chapters(book: Path | str) -> Sequence[Any]:
    """Return the preview of the chapters: kind, label, title, sizes, reason and confidence of each."""
    from analyzer.text.manuscript import preview

    path = Path(book)
    if path.is_file():
        return preview(_read(path, None))
    return preview(manuscript_of(path))


def plan(
    book: Path | str, *, model: str | None = None, chapters: str | None = None, base_url: str | None = None
) -> Estimate:
    """Return the estimate of a run, without a single call: low, likely and high per step."""
    from analyzer.llm.prices import price_of
    from analyzer.scheduler.plan import estimate

    path = Path(book)
    read = _read(path, None) if path.is_file() else manuscript_of(path)
    name = model or (DEFAULT_MODEL if path.is_file() else load_settings(path).model)
    return estimate(read, parse_chapters(chapters, len(read.chapters)), model=name, price=price_of(name))


@dataclass(frozen=True)
class Prepared:
    """A run made ready: what it would cost and how to start it."""

    book: Path
    manuscript: Manuscript
    settings: Settings
    request: RunRequest
    chapters: tuple[int, ...]
    model: str
    confirm_model: str
    priced: bool
    estimate: Estimate


def prepare(book: Path | str, request: RunRequest) -> Prepared:
    """Return a run made ready: manuscript read, model named, estimate made; asks nothing, spends nothing."""
    from analyzer.llm.prices import price_of
    from analyzer.scheduler.plan import estimate

    path = Path(book)
    folder = init(path) if path.is_file() else path
    settings = load_settings(folder)
    read = manuscript_of(folder)
    model = request.model or settings.model
    confirm = request.confirm_model or settings.confirm_model or model
    wanted = parse_chapters(request.chapters, len(read.chapters))
    price = price_of(model)
    priced = not _asks_no_provider(model)
    made = estimate(read, wanted, model=model, price=price if priced else price_of(DEFAULT_MODEL), done=_done(folder))
    return Prepared(folder, read, settings, request, wanted, model, confirm, priced, made)


def _asks_no_provider(model: str) -> bool:
    return model.split(":")[0] in {"rules", "gold", "inbox", "local", "replay"}


def _done(folder: Path) -> frozenset[tuple[str, int]]:
    with _open(folder) as store:
        return frozenset((task.step, task.chapter) for task in store.tasks())


def start(prepared: Prepared, on_event: Callable[[Event], None] | None = None) -> RunOutcome:
    """Run what was prepared and return how it ended; the only verb that spends."""
    return asyncio.run(_start(prepared, on_event or (lambda _event: None)))


async def _start(prepared: Prepared, on_event: Callable[[Event], None]) -> RunOutcome:
    from analyzer.llm.connect import connect
    from analyzer.scheduler.run import run_book
    from analyzer.steps._registry import load_steps
    from analyzer.storage.writer import Writer

    request, settings = prepared.request, prepared.settings
    base_url = request.base_url or settings.base_url

    def asker_of(model: str) -> Asker:
        return connect(model, base_url=base_url, manuscript=prepared.manuscript, untested=request.untested)

    asker = asker_of(prepared.model)
    confirm = asker if prepared.confirm_model == prepared.model else asker_of(prepared.confirm_model)
    store = _open(prepared.book)
    try:
        _put_manuscript(store, prepared.manuscript, settings.manuscript)
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
    finally:
        await asker.close()
        if confirm is not asker:
            await confirm.close()
        store.close()


def _options(prepared: Prepared, store: Store) -> Any:
    from analyzer.scheduler.events import RunOptions

    request, settings = prepared.request, prepared.settings
    cap, set_at = _cap(request.cap_usd if request.cap_usd is not None else settings.cap_usd, store)
    return RunOptions(
        cap_usd=cap,
        cap_set_at=set_at,
        balance_usd=request.balance_usd,
        likely_usd=prepared.estimate.likely_usd if prepared.priced else None,
        concurrency=request.concurrency or settings.concurrency,
        cache_policy="stop" if request.stop_on_cache_loss else "warn",
        strict=request.strict,
        allow_unpriced=request.allow_unpriced,
        expected_calls=prepared.estimate.n_calls,
        folder=prepared.book,
        sigint=True,
    )


def _cap(cap: float | None, store: Store) -> tuple[float | None, float | None]:
    """Return the cap in force and since when it counts; a new figure starts counting now."""
    known, set_at = store.setting("cap_usd"), store.setting("cap_set_at")
    if cap is None:
        return (float(known), float(set_at)) if known and set_at else (None, None)
    if known is None or float(known) != cap:
        now = time.time()
        store.put_setting("cap_usd", repr(cap))
        store.put_setting("cap_set_at", repr(now))
        return cap, now
    return cap, float(set_at) if set_at else None


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
    usage = sum((c.usage for c in calls if c.usage), Usage())
    price = price_of(would_be)
    unasked = sum((c.usage for c in calls if c.usage and c.answered_by != "model"), Usage())
    return Bill(
        calls=calls,
        usage=usage,
        spent_usd=spent,
        n_open=sum(not c.settled for c in calls),
        n_unpriced=sum(c.settled and c.cost_usd is None for c in calls),
        would_be_model=would_be,
        would_be_usd=price.cost_usd(unasked) if price and unasked.total_input else None,
    )


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
    ids = {s.fact.entity: s.fact_id for s in stored if s.fact.fact == "entity"}
    return cast_rows(bible, ids)


def show_relations(book: Path | str, *, as_of: int | None = None, hidden: bool = False) -> tuple[RelationRow, ...]:
    """Return the relations as of a chapter (None: the last); `hidden` adds the low-confidence kinds."""
    with _open(book_folder(book)) as store:
        bible, stored = _view(store, as_of)
    return relation_rows(bible, stored, hidden=hidden)


def show_chapter(book: Path | str, number: int) -> ChapterView:
    """Return one chapter: who is there, what relations it shows, which issues it has."""
    with _open(book_folder(book)) as store:
        bible, stored = _view(store, number)
        row = next((r for r in store.chapters() if r.no == number), None)
        issues: dict[str, int] = {}
        for _, issue in store.issues():
            if issue.chapter == number:
                issues[issue.code] = issues.get(issue.code, 0) + 1
    if row is None:
        raise ConfigError(f"chapter {number} is not in the book", hint="see: analyzer chapters BOOK")
    ids = {s.fact.entity: s.fact_id for s in stored if s.fact.fact == "entity"}
    here = tuple(r for r in cast_rows(bible, ids) if number in r.presence)
    relations = tuple(r for r in relation_rows(bible, stored, hidden=True) if number in r.chapters)
    return ChapterView(no=row.no, label=row.label, title=row.title, cast=here, relations=relations, issues=issues)


def why(book: Path | str, fact: str) -> tuple[WhyRow, ...]:
    """Return the chain behind a fact: its id (a prefix of six characters or more), or `@1 parent_of @2` as printed.

    Claims that fell are found by the same words. Raises ConfigError where nothing or several things fit.
    """
    with _open(book_folder(book)) as store:
        stored = tuple(store.facts())
        issues = list(store.issues())
        answers = {row.answer_id: row for row in store.all_answers()}
        calls = {call.call_id: call for call in store.calls()}
    kept = [s for s in stored if _fits(s.fact_id, fact) or _says(s, fact)]
    fallen = [(i, issue) for i, issue in issues if _fits(i, fact) or " ".join(issue.about) == " ".join(fact.split())]
    if not kept and not fallen:
        raise ConfigError(
            f"no fact {fact!r} in this book", hint="ids are in `analyzer show … --json`; or write: '@1 parent_of @2'"
        )
    rows = [why_fact(s, stored, answers, calls) for s in kept]
    return tuple(rows + [why_fallen(i, issue, stored, answers, calls) for i, issue in fallen])


def _fits(found: str, wanted: str) -> bool:
    tail = found.split(":")[-1]
    return found == wanted or (len(wanted.split(":")[-1]) >= 6 and tail.startswith(wanted.split(":")[-1]))


def _says(stored: StoredFact, wanted: str) -> bool:
    words = wanted.split()
    fact = stored.fact
    if fact.fact == "relation":
        return words == [fact.subject, fact.relation, fact.object]
    return fact.fact == "entity" and words == [fact.entity]


def verify(book: Path | str) -> list[str]:
    """Return what is wrong with the store, one sentence each; empty if all is well."""
    with _open(book_folder(book)) as store:
        return store.verify()
