"""The composition root and the library's public verbs: the only door for the command line and for evaluation.

    from analyzer import pipeline
    book = pipeline.init("serial.md")
    print(pipeline.plan(book).likely_usd)
    outcome = pipeline.run(book, model="rules")
    for row in pipeline.show_relations(book): ...

Every verb takes a book (its folder, or the manuscript it was made from), returns frozen records, and raises
`AnalyzerError` with one sentence and a hint. Only `run` can spend.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from analyzer.coverage import coverage_of, parts_left_out
from analyzer.deciding import decide_in, known_of, undo_in
from analyzer.errors import ConfigError, InputError
from analyzer.export.bill import Bill, bill_of
from analyzer.export.decided_rows import DecisionRead, decision_rows, rejected_by
from analyzer.export.review import ReviewRow, review_rows
from analyzer.export.show import ChapterView
from analyzer.export.why import WhyRow, is_meant, is_meant_issue, why_fact, why_fallen
from analyzer.exporting import ExportResult, export, format_names
from analyzer.outdated import nothing_read
from analyzer.publishing import report, wiki, write_wiki_settings
from analyzer.rereading import adopt, reread
from analyzer.running import (
    Prepared,
    RunRequest,
    carry_out,
    made_ready,
    manuscript_of,
    named_model,
    off_of,
    open_store,
    read_file,
)
from analyzer.settings import (
    DEFAULT_MODEL,
    SETTINGS_FILE,
    Settings,
    book_folder,
    is_manuscript,
    load_settings,
    parse_chapters,
    path_of,
    relative_path,
    save_settings,
)
from analyzer.sources import folder_of, keep_encoding, make_folder, source_of, usual_name, write_list
from analyzer.speech import with_asked
from analyzer.viewing import (
    known_to,
    show_cards,
    show_cast,
    show_changes,
    show_chapter,
    show_knowledge,
    show_looks,
    show_relations,
    show_reveals,
    show_secrets,
    show_speech,
    show_threads,
    show_turns,
    timeline,
    what_changes,
)
from analyzer.wording import typed

if TYPE_CHECKING:
    from analyzer.due import DueTask
    from analyzer.scheduler.events import Event, RunOutcome
    from analyzer.scheduler.explain import Explanation
    from analyzer.scheduler.plan import Estimate
    from analyzer.storage.status import StatusRead
    from analyzer.text.manuscript import DroppedRow, PreviewRow

__all__ = [
    "DEFAULT_MODEL", "SETTINGS_FILE", "Bill", "ChapterView", "DecisionRead", "ExportResult", "Prepared",
    "ReviewRow", "RunRequest", "Settings", "bill", "book_folder", "chapters", "decide", "decisions", "due",
    "explain", "export", "format_names", "init", "known_to", "left_out", "load_settings", "manuscript_of", "parse_chapters",
    "plan", "prepare", "remarks", "report", "review", "run", "save_settings", "show_cards", "show_cast",
    "show_changes", "show_chapter", "show_knowledge", "show_looks", "show_relations", "show_reveals",
    "show_secrets", "show_speech", "show_threads", "show_turns", "start", "status", "timeline", "undo",
    "unpriced_note", "verify", "what_changes", "why", "wiki", "write_chapters", "write_wiki_settings",
]  # fmt: skip

_Made = TypeVar("_Made")


def init(
    manuscript: Path | str, *, book: Path | str | None = None, language: str | None = None, encoding: str | None = None
) -> Path:
    """Make a book for a manuscript and return its folder; a folder that already is this book is left as it is.

    `encoding` names the manuscript's where the guess is wrong; it is kept, in a book that is there already too.
    """
    path = path_of(manuscript)
    if not path.exists():
        read_file(path, language)  # says so
    folder = book_folder(path) if book is None else path_of(book)
    shown_path = relative_path(path, folder)
    if (folder / SETTINGS_FILE).is_file():
        known = load_settings(folder)
        if (folder / known.manuscript).resolve() != path.resolve():
            raise InputError(
                f"{folder} is already the book of {known.manuscript}",
                where=str(folder),
                hint="give another folder with --book",
            )
        keep_encoding(folder, encoding)
        read = manuscript_of(folder) if language is None else read_file(path, language, known.encoding)
    else:
        read = read_file(path, language, encoding)
        make_folder(folder, path, Settings(manuscript=shown_path, language=language, encoding=usual_name(encoding)))
    with open_store(folder, create=True) as store:
        if store.book() is None:
            adopt(store, reread(store, read), shown_path)
    return folder


def chapters(book: Path | str, *, encoding: str | None = None) -> tuple[PreviewRow, ...]:
    """Return the preview of the chapters: kind, label, title, sizes, reason and confidence of each; of a book or a file.

    `encoding` names the manuscript's where the guess is wrong; a book keeps it.
    """
    from analyzer.text.manuscript import preview

    return preview(source_of(book, encoding)[0])


def left_out(book: Path | str, *, encoding: str | None = None) -> tuple[DroppedRow, ...]:
    """Return the stretches that belong to no chapter, in order: the line each begins at, its size, reason and first words."""
    from analyzer.text.manuscript import preview_dropped

    return preview_dropped(source_of(book, encoding)[0])


def remarks(book: Path | str, *, encoding: str | None = None, shown: bool = False) -> tuple[str, ...]:
    """Return what the author should know of how the manuscript was read, a sentence each: encoding, what was taken out, headings.

    `shown` says that the chapters are being shown: no remark sends the author to look at them.
    """
    from analyzer.text.remarks import of_book

    manuscript, folder = source_of(book, encoding)
    return of_book(manuscript.remarks, book, made=folder is not None, shown=shown)


def write_chapters(book: Path | str, *, encoding: str | None = None) -> Path:
    """Write what the chapters are now into chapters.toml, for the author to edit, and return the file.

    Raises InputError where there is no book yet, or the file is there already.
    """
    read, folder = source_of(book, encoding)
    return write_list(read, folder, book)


def plan(
    book: Path | str,
    *,
    model: str | None = None,
    chapters: str | None = None,
    base_url: str | None = None,
    off: tuple[str, ...] | None = None,
) -> Estimate:
    """Return the estimate of what is left to run, without a single call: low, likely and high per step; of a book or a file.

    `more_calls` and `more_usd` say what may come on top: of tasks that are asked anew where what they show has changed.

    `off` are parts and steps to leave out, as for a run. Raises ConfigError or InputError for a model that a run would not
    find either, and for what is no part; a missing key is no hindrance.
    """
    from analyzer.scheduler.plan import estimate

    return _planned(estimate, book, model, chapters, base_url, off)


def explain(
    book: Path | str,
    *,
    model: str | None = None,
    chapters: str | None = None,
    base_url: str | None = None,
    off: tuple[str, ...] | None = None,
) -> Explanation:
    """Return the estimate of `plan` with what it is made of, step by step and chapter by chapter, and why; raises as `plan` does."""
    from analyzer.scheduler.explain import explained

    return _planned(explained, book, model, chapters, base_url, off)


def _planned(
    make: Callable[..., _Made],
    book: Path | str,
    model: str | None,
    chapters: str | None,
    base_url: str | None,
    off: tuple[str, ...] | None,
) -> _Made:
    """Return what `make` (called as `scheduler.plan.estimate` is) says of what is left to run."""
    from analyzer.due import asked_before
    from analyzer.llm.connect import check_spec
    from analyzer.llm.prices import price_of

    read, folder = source_of(book)
    settings = load_settings(folder) if folder else None
    name = model or (settings.model if settings else DEFAULT_MODEL)
    confirm = (settings.confirm_model if settings else None) or name
    wanted = parse_chapters(chapters, len(read.chapters), book=book)
    kept = settings or Settings(manuscript=Path(book).name)
    left = off_of(off, kept, name)
    for one in dict.fromkeys((name, confirm)):
        spec = named_model(one, folder or Path(book).parent, kept)
        check_spec(spec, manuscript=read, base_url=base_url or kept.base_url)
    if folder is None:
        return make(read, wanted, model=name, price=price_of(name), off=left)
    with open_store(folder) as store:
        reading = reread(store, read)
        done, maybe = asked_before(store, reading, name, confirm, left)
    return make(read, wanted, model=name, price=price_of(name), done=done, maybe=maybe, off=left)


def due(
    book: Path | str, *, model: str | None = None, chapters: str | None = None, off: tuple[str, ...] | None = None
) -> tuple[DueTask, ...]:
    """Return why a run would do each task of a book, or would not, without a single call; () for a file that is no book yet."""
    from analyzer.due import due_tasks
    from analyzer.llm.connect import answering_name

    read, folder = source_of(book)
    if folder is None:
        return ()
    settings = load_settings(folder)
    name = model or settings.model
    wanted = parse_chapters(chapters, len(read.chapters), book=book)
    with open_store(folder) as store:
        return due_tasks(
            store,
            reread(store, read),
            wanted,
            model=answering_name(name),
            confirm_model=answering_name(settings.confirm_model or name),
            off=off_of(off, settings, name),
        )


def unpriced_note(model: str, *, base_url: str | None = None) -> str:
    """Return a sentence that no price is known for `model`, with known names like it; "" where one is, or none is needed."""
    from analyzer.llm.connect import answers_for_nothing
    from analyzer.llm.prices import nearest_names, price_of

    if base_url or answers_for_nothing(model) or price_of(model) is not None:
        return ""
    near = nearest_names(model)
    return f"no price is known for {model!r}: unpriced, not free" + (
        f"; known names like it: {', '.join(near)}" if near else ""
    )


def prepare(book: Path | str, request: RunRequest) -> Prepared:
    """Return a run made ready: manuscript read, model named, estimate made; asks nothing, spends nothing.

    Raises PermanentModelError where a provider's key is missing, ConfigError for a model that is nothing known.
    """
    from analyzer.due import asked_before

    path = Path(book)
    is_text = is_manuscript(path)
    folder = init(path, encoding=request.encoding) if is_text else folder_of(path)
    if not is_text:
        keep_encoding(folder, request.encoding)
    settings = load_settings(folder)
    read = manuscript_of(folder)
    return made_ready(folder, settings, read, request, asked_before)


def start(prepared: Prepared, on_event: Callable[[Event], None] | None = None) -> RunOutcome:
    """Run what was prepared and return how it ended; the only verb that spends.

    Raises ConfigError inside a running event loop: there it belongs into a thread of its own.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        raise ConfigError(
            "a run cannot be started inside a running event loop",
            hint="give it a thread of its own: await asyncio.to_thread(pipeline.run, book, …)",
        )
    return asyncio.run(carry_out(prepared, on_event or (lambda _event: None)))


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

    folder = folder_of(book)
    load_settings(folder)
    return read_status(folder)


def bill(book: Path | str, *, would_be: str = DEFAULT_MODEL) -> Bill:
    """Return every call with what it cost; where no model was asked, beside it what `would_be` would have cost."""
    from analyzer.llm.prices import price_of
    from analyzer.scheduler.watch import losses_in

    with open_store(folder_of(book)) as store:
        calls = tuple(store.calls())
        spent = store.spent_usd(None)
        losses = losses_in(store)
    return bill_of(calls, spent, would_be=would_be, price=price_of(would_be), losses=losses)


def why(book: Path | str, fact: str) -> tuple[WhyRow, ...]:
    """Return the chain behind a fact: its id (a prefix of six characters or more), or `@1 parent_of @2` as printed.

    The id of a change, secret, piece of knowledge, thread or reveal means all facts that carry it. Claims that fell are
    found by the same words; all that fits is returned, what was kept first, and what the author rejected says so. Raises
    ConfigError where nothing fits.
    """
    with open_store(folder_of(book)) as store:
        known = known_of(store)
        issues = list(store.issues())
        answers = {row.answer_id: row for row in store.all_answers()}
        was_read, off = bool(store.runs()), parts_left_out(coverage_of(store))
        calls = {call.call_id: call for call in store.calls()}
    stored = tuple(with_asked(known.stored))
    kept = [s for s in stored if is_meant(s, fact)]
    fallen = [(i, issue) for i, issue in issues if is_meant_issue(i, issue, fact)]
    if not kept and not fallen:
        ids = f"ids are in: {typed('show', 'relations', Path(book), '--json')}; or write: '@1 parent_of @2'"
        hint = ids + (f" (left out of the last run: {', '.join(off)})" if off else "")
        hint = hint if was_read else nothing_read(folder_of(book))
        raise ConfigError(f"no fact {fact!r} in this book", hint=hint)
    rows = [why_fact(s, stored, answers, calls, rejected_by=rejected_by(known, s.fact)) for s in kept]
    return tuple(rows + [why_fallen(i, issue, stored, answers, calls) for i, issue in fallen])


def verify(book: Path | str) -> list[str]:
    """Return what is wrong with the store, one sentence each; empty if all is well."""
    with open_store(folder_of(book)) as store:
        return store.verify()


def review(book: Path | str) -> tuple[ReviewRow, ...]:
    """Return what waits for the author: reveals, thin merges, doubtful relations and changes, decisions that do nothing now."""
    with open_store(folder_of(book)) as store:
        known, issues = known_of(store), list(store.issues())
    return review_rows(known, issues, book)


def decide(
    book: Path | str, verb: str, words: Sequence[str], *, at: str | None = None, rejected: bool = False
) -> DecisionRead:
    """Keep a decision of the author and return it: `decide(book, "merge", ["@2", "@9"], at="5:12.3")`.

    `at` is the sentence that shows readers what is decided, `rejected` makes a reveal one that is not true. Raises ConfigError
    where what is named is not there, StoreBusyError while another process holds the book.
    """
    folder = folder_of(book)
    with open_store(folder) as store:
        return decide_in(folder, store, verb, words, at=at, rejected=rejected)


def undo(book: Path | str, decision_id: str | None = None) -> DecisionRead:
    """Undo a decision (None: the last in force) and return it; its row stays. Raises ConfigError where there is none."""
    with open_store(folder_of(book)) as store:
        return undo_in(store, decision_id)


def decisions(book: Path | str) -> tuple[DecisionRead, ...]:
    """Return the author's decisions, oldest first, undone ones included, each as it stands now."""
    with open_store(folder_of(book)) as store:
        return decision_rows(known_of(store))
