"""A real browser for the tests of pages: headless Chromium, which may load files and this machine's own addresses alone.

Where no Chromium is installed these tests are skipped, but not where `CI` is set: there they must run (`.ci/run` installs it).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from analyzer import pipeline
from tests.browser.sites import tale_site
from tests.export.story_tale import LANGUAGES

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DESK, PHONE = (1280, 900), (360, 740)
NOT_THERE = "Failed to load resource: net::ERR_FILE_NOT_FOUND"
"""What the browser itself says of a piece that is not there: the page asks for it once, when a reader goes past the last one."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of one file: while its tool runs, so does an event loop, in which no book can be read."""
    if CHROMIUM is None:
        told = "no Chromium on this machine: apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@dataclass
class Tab:
    """A tab with a site in it: what it asked for, and what went wrong in it."""

    page: Page
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    index: str = ""

    def open(self, site: Path | str, route: str = "") -> None:
        """Open a site, a folder or an address, at a route."""
        self.index = site if isinstance(site, str) else (site / "index.html").as_uri()
        self.page.goto(f"{self.index}#/{route}" if route else self.index)
        self.page.wait_for_selector("main h1")

    def go(self, route: str) -> None:
        """Go to another page of the site, as a link does, and wait until it is drawn."""
        self.page.evaluate(
            "hash => { const old = document.querySelector('main h1'); window.__old = old; location.hash = hash; }",
            f"/{route}",
        )
        self.page.wait_for_function(
            "() => { const h = document.querySelector('main h1'); return h && h !== window.__old; }"
        )

    def read(self, chapter: int) -> None:
        """Say that one has read up to a chapter."""
        if self.page.locator("dialog[open]").count() == 0 and self.page.locator("body.begun").count():
            self.page.click("button.asof")
        form = self.page.locator("form.upto >> visible=true").first
        form.locator("input").fill(str(chapter))
        form.locator("button").click()
        self.page.wait_for_function(
            "() => document.body.classList.contains('begun') && !document.querySelector('dialog[open]')"
        )

    def slide(self, chapter: int) -> None:
        """Move the slider to a chapter within what was read."""
        self.page.evaluate(
            "n => { const s = document.querySelector('input.slim'); s.value = n; s.dispatchEvent(new Event('change')); }",
            chapter,
        )

    def text(self) -> str:
        """Return what the page shows and says to a screen reader."""
        return str(self.page.evaluate("document.title + '\\n' + document.body.innerText"))

    def all_of_it(self) -> str:
        """Return all that stands in the document but its scripts and styles."""
        return str(
            self.page.evaluate(
                "document.title + [...document.body.children].filter(n => n.tagName !== 'SCRIPT').map(n => n.outerHTML).join('')"
            )
        )

    def pieces(self) -> list[str]:
        """Return the names of the pieces asked for so far."""
        return [Path(urlsplit(url).path).stem for url in self.asked if "/d/" in url]


@pytest.fixture
def new_tab(chromium: Browser) -> Iterator[Callable[..., Tab]]:
    """Return a function that opens a tab of its own memory; at the end nothing may have gone wrong in any of them."""
    made: list[tuple[Any, Tab]] = []

    def open_tab(size: tuple[int, int] = DESK, *, script: str = "", **options: Any) -> Tab:
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, **options)
        context.set_default_timeout(20_000)
        if script:
            context.add_init_script(script)
        tab = Tab(context.new_page())

        def guard(route: Route) -> None:
            parts = urlsplit(route.request.url)
            tab.asked.append(route.request.url)
            if parts.scheme in ("file", "data", "blob") or parts.hostname == "127.0.0.1":
                route.continue_()
            else:
                tab.said.append(f"asked for {route.request.url}")
                route.abort()

        context.route("**/*", guard)
        tab.page.on(
            "console", lambda message: tab.said.append(message.text) if message.type in ("error", "warning") else None
        )
        tab.page.on("pageerror", lambda error: tab.said.append(str(error)))
        tab.page.on("dialog", lambda dialog: tab.said.append(f"dialog {dialog.message}"))
        made.append((context, tab))
        return tab

    yield open_tab
    said = [line for _, tab in made for line in tab.said]
    for context, _ in made:
        context.close()
    assert said == []


@pytest.fixture
def tab(new_tab: Callable[..., Tab]) -> Tab:
    return new_tab()


@pytest.fixture(scope="session")
def tales(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The site of the tale in each language, its reveal confirmed; not to be changed."""
    folder = tmp_path_factory.mktemp("sites")
    return {language: tale_site(folder / language, words, language) for language, words in LANGUAGES.items()}


@pytest.fixture(scope="session")
def tale(tales: dict[str, Path]) -> Path:
    return tales["en"]


@pytest.fixture(scope="session")
def report(tales: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The author's report of the English tale."""
    out = tmp_path_factory.mktemp("report") / "report.html"
    pipeline.report(tales["en"].parent / "tale.book", out)
    return out
