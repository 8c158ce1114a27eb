"""The library's verbs that publish: a site for readers, and a report for the author. Both open a book and spend nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.coverage import coverage_of, refuse_ahead, tell_coverage
from analyzer.deciding import known_of
from analyzer.errors import ConfigError, InputError
from analyzer.export.bill import bill_of
from analyzer.export.planes import AUTHOR, INTERMEDIATE, Plane, Seen
from analyzer.export.review import review_rows
from analyzer.export.site.page import (
    index_page,
    is_ours,
    joined,
    report_page,
    site_script,
    site_value,
    theme_css,
)
from analyzer.export.site.pieces import Piece, pieces
from analyzer.export.site.settings import WIKI_FILE, WikiSettings, cover_of, example, load_wiki_settings
from analyzer.export.site.snapshot import Rows, Shown, Snapshots
from analyzer.export.site.telling import Teller
from analyzer.export.site.writing import PIECES, check_folder, write_site
from analyzer.files import write_bytes_whole, write_whole
from analyzer.llm.prices import price_of
from analyzer.models.base import Record
from analyzer.models.facts import FACT_CLASSES
from analyzer.outdated import Tell, nothing_read, out_of_date, unheard
from analyzer.running import open_store
from analyzer.settings import DEFAULT_MODEL
from analyzer.sources import folder_of
from analyzer.viewing import views_of
from analyzer.wording import typed

if TYPE_CHECKING:
    from analyzer.storage.store import Store

READERS = Plane("reader")
FIRST_VIEW = ("index.html", "style.css", "theme.css", "site.js", "app.js")
"""The files a reader's first view loads, beside the first piece and the cover."""


class Published(Record):
    """What was written: `path` is the page to open.

    `first_view_bytes` is what a new reader loads, `largest_piece_bytes` the most that a chapter loads;
    `may_tell_ahead` says that it rests on rules, which weigh the whole book.
    """

    path: str
    chapters: int
    n_files: int
    n_bytes: int
    first_view_bytes: int
    largest_piece_bytes: int
    may_tell_ahead: bool = False


def wiki(
    book: Path | str,
    out: Path | str | None = None,
    *,
    through: int | None = None,
    may_tell_ahead: bool = False,
    tell: Tell = unheard,
) -> Published:
    """Write the readers' site of a book into a folder (None: `wiki` in the book's folder) and return what was written.

    `through` leaves everything after a chapter out (None: the last one read). `tell` hears what makes it out of date, a sentence
    each. Names that rules read rest on the whole book, so that a site of them is refused unless `may_tell_ahead` (or the key of that
    name in `wiki.toml`) asks for it; it then says so on every page. Raises ConfigError for a chapter or setting that is not there,
    InputError where the folder holds other things, TellsAheadError; what was there is then as it was.
    """
    folder = folder_of(book)
    settings = load_wiki_settings(folder)
    cover, picture = cover_of(folder, settings)
    target = Path(out) if out is not None else folder / "wiki"
    check_folder(target)
    with open_store(folder) as store:
        last = _last(store, folder, through, tell)
        ahead = refuse_ahead(
            store,
            folder,
            first=1,
            through=last,
            allowed=lambda: may_tell_ahead or settings.may_tell_ahead,
            tell=tell,
        )
        value = _value(store, settings, "wiki", cover) | ({"ahead": True} if ahead else {})
        snapshots = Snapshots(
            _views(store, READERS, proposals=settings.proposals == "marked"), store.chapters(), settings.shown
        )
        made = list(pieces(value["first"], snapshots.each(last)))
    files = {
        "index.html": index_page(value, settings),
        "style.css": joined("css"),
        "theme.css": theme_css(settings),
        "site.js": site_script(value),
        "app.js": joined("js"),
        **{f"{PIECES}/{piece.name}.js": piece.script for piece in made},
    }
    written = {name: text.encode("utf-8") for name, text in files.items()} | ({cover: picture} if cover else {})
    write_site(target, written)
    return _published(target / "index.html", written, made, cover, ahead)


def report(book: Path | str, out: Path | str | None = None, *, tell: Tell = unheard) -> Published:
    """Write the author's report of a book into one file (None: `report.html` in the book's folder) and return what was written.

    It shows everything, with what waits, what was odd and the bill. Raises as `wiki` does.
    """
    folder = folder_of(book)
    settings = load_wiki_settings(folder).model_copy(update={"quotes": True, "noindex": True})
    target = Path(out) if out is not None else folder / "report.html"
    if target.is_dir() or (target.exists() and not is_ours(target)):
        raise InputError(f"{target} is there and is no report", where=str(target), hint="name another file with --out")
    with open_store(folder) as store:
        last = _last(store, folder, None, tell)
        value = _value(store, settings, "report", "")
        value |= {"hidden": [], "report": {"bill": _bill(store)}}
        shown = Shown(relations=frozenset(), quiet=frozenset(), author=True)
        snapshots = Snapshots(_views(store, AUTHOR), store.chapters(), shown, _waiting(store, folder))
        made = list(pieces(value["first"], snapshots.each(last)))
    page = report_page(value, settings, made).encode("utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    write_bytes_whole(target, page)
    return _published(target, {target.name: page}, made, "")


def write_wiki_settings(book: Path | str) -> Path:
    """Write a `wiki.toml` with everything that can be said into the book's folder and return its path; raises InputError where one is."""
    folder = folder_of(book)
    with open_store(folder) as store:
        row = store.book()
    file = folder / WIKI_FILE
    try:
        write_whole(file, example(row.title if row else ""), new=True)
    except FileExistsError as error:
        raise InputError(f"{file} is there already", where=str(file), hint="edit it, or take it away first") from error
    return file


def _last(store: Store, folder: Path, through: int | None, tell: Tell) -> int:
    """Return the last chapter to be shown, and tell what is odd about the book."""
    covered = coverage_of(store)
    if not store.runs() or not covered.chapters:
        raise ConfigError("there is nothing to publish", where=str(folder), hint=nothing_read(folder))
    last = covered.last if through is None else through
    if not 1 <= last <= max(covered.chapters):
        raise ConfigError(
            f"chapter {through} is outside 1-{max(covered.chapters)}", hint=f"see: {typed('chapters', folder)}"
        )
    out_of_date(folder, store, tell)
    tell_coverage(
        covered, store, ("relation", "change", "secret", "knowledge", "thread", "card"), through, folder, tell
    )
    return last


def _value(store: Store, settings: WikiSettings, mode: Any, cover: str) -> dict[str, Any]:
    row = store.book()
    title, language = (row.title, row.language) if row else ("", "und")
    return site_value(settings, title=title, language=language, mode=mode, cover=cover)


def _views(store: Store, plane: Plane, *, proposals: bool = False) -> Callable[[int], Seen]:
    facts = store.facts(classes=[one for one in FACT_CLASSES if one not in INTERMEDIATE or one == "speaker"])
    return views_of(store, coverage_of(store), facts, plane, proposals=proposals)


def _waiting(store: Store, folder: Path) -> Callable[[int, Teller], Rows]:
    """Return what waits for the author and what was odd, by chapter."""
    issues = list(store.issues())
    waits = review_rows(known_of(store), issues, folder)
    counts: dict[tuple[int, str], int] = {}
    for _, issue in issues:
        counts[issue.chapter, issue.code] = counts.get((issue.chapter, issue.code), 0) + 1

    def more(through: int, tell: Teller) -> Rows:
        return {
            "waits": {
                str(at): {
                    "c": row.chapter,
                    "kind": row.kind,
                    "what": row.what,
                    "why": row.why,
                    "words": [[q.chapter, q.place, q.text, q.source] for q in row.words],
                    "votes": row.votes,
                    "type": list(row.commands),
                }
                for at, row in enumerate(waits, start=1)
                if row.chapter <= through
            },
            "odd": {
                str(at): {"c": chapter, "code": code, "n": n}
                for at, ((chapter, code), n) in enumerate(sorted(counts.items()), start=1)
                if chapter <= through
            },
        }

    return more


def _bill(store: Store) -> dict[str, Any]:
    """Return what the book has cost so far: totals, and money and calls by step."""
    calls = tuple(store.calls())
    whole = bill_of(calls, store.spent_usd(None), would_be=DEFAULT_MODEL, price=price_of(DEFAULT_MODEL))
    steps: dict[str, dict[str, Any]] = {}
    for call in calls:
        row = steps.setdefault(call.step, {"calls": 0, "usd": 0.0})
        row["calls"] += 1
        row["usd"] += call.cost_usd or 0.0
    return {
        "spent_usd": whole.spent_usd,
        "calls": len(calls),
        "unpriced": whole.n_unpriced,
        "usage": whole.usage.model_dump(),
        "would_be_model": whole.would_be_model,
        "would_be_usd": whole.would_be_usd,
        "steps": [{"step": step, **row} for step, row in sorted(steps.items())],
    }


def _published(page: Path, files: dict[str, bytes], made: list[Piece], cover: str, ahead: bool = False) -> Published:
    sizes = [len(piece.script.encode("utf-8")) for piece in made]
    first = [*FIRST_VIEW, cover, f"{PIECES}/{made[0].name}.js"] if len(files) > 1 else list(files)
    return Published(
        path=str(page),
        chapters=len(made),
        n_files=len(files),
        n_bytes=sum(map(len, files.values())),
        first_view_bytes=sum(len(files.get(name, b"")) for name in first),
        largest_piece_bytes=max(sizes, default=0),
        may_tell_ahead=ahead,
    )
