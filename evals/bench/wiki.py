"""The readers' site of a large book: seconds to build, bytes of the first view and of a further chapter, seconds to the first view."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path

from analyzer import pipeline
from evals.bench import Row
from evals.made_book import kept_book, made_book

N_CHAPTERS, N_PEOPLE = 117, 400
BUILD_TARGET_S, FIRST_TARGET_S = 20.0, 1.0
FIRST_TARGET_KB, PIECE_TARGET_KB = 300.0, 60.0
"""The references: what each figure may come to."""
N_TIMES = 5
BROWSER = shutil.which("chromium")


def bench_wiki(data: Path | None, n_chapters: int = N_CHAPTERS, n_people: int = N_PEOPLE) -> list[Row]:
    """Return the figures of a book made by code, each beside what it may come to; `data` is not used.

    Seconds are medians of five on a machine that should be idle. Those to the first view need a browser and are left out without one.
    """
    del data
    with tempfile.TemporaryDirectory() as folder:
        book = kept_book(Path(folder) / "made", made_book(n_chapters, n_people))
        made, seconds = pipeline.wiki(book, Path(folder) / "wiki"), []
        for at in range(N_TIMES):
            started = time.perf_counter()
            pipeline.wiki(book, Path(folder) / f"wiki{at}")
            seconds.append(time.perf_counter() - started)
        name = f"wiki: {n_chapters} chapters, {n_people} people"
        build = statistics.median(seconds)
        rows = [
            Row(f"{name}: built", build, "s", build / BUILD_TARGET_S),
            _kb(f"{name}: first view", made.first_view_bytes, FIRST_TARGET_KB),
            _kb(f"{name}: largest further chapter", made.largest_piece_bytes, PIECE_TARGET_KB),
            _kb(f"{name}: all of it", made.n_bytes),
        ]
        return rows + (_views(name, Path(made.path), n_chapters) if BROWSER else [])


def _kb(name: str, n: int, target: float | None = None) -> Row:
    return Row(name, n / 1000, "KB", n / 1000 / target if target else None)


def _views(name: str, page: Path, n_chapters: int) -> list[Row]:
    """Return the seconds until a reader of the first chapter, and of the last, sees the home page, from a file."""
    from playwright.sync_api import sync_playwright

    found = {1: [0.0], n_chapters: [0.0]}
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        try:
            for chapter in found:
                context = browser.new_context()
                tab = context.new_page()
                tab.goto(page.as_uri())
                tab.fill("form.upto input", str(chapter))
                tab.click("form.upto button")
                tab.wait_for_function(
                    "() => document.body.classList.contains('begun') && !document.querySelector('dialog[open]')"
                )
                found[chapter] = [_shown_s(tab, page) for _ in range(N_TIMES)]
                context.close()
        finally:
            browser.close()
    rows = []
    for chapter, seconds in found.items():
        median = statistics.median(seconds)
        rows.append(Row(f"{name}: seen by a reader of {chapter}", median, "s", median / FIRST_TARGET_S))
    return rows


def _shown_s(tab: object, page: Path) -> float:
    started = time.perf_counter()
    tab.goto(page.as_uri())  # type: ignore[attr-defined]
    tab.wait_for_selector("body.begun main h1")  # type: ignore[attr-defined]
    return time.perf_counter() - started
