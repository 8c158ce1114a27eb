"""The author's report in a browser: one file, everything, as of the last chapter."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.browser.conftest import Tab
from tests.browser.sites import ROUTES
from tests.export.story_tale import LANGUAGES, LAST

EN = LANGUAGES["en"]


def test_a_report_opens_as_of_the_last_chapter_and_asks_for_nothing(tab: Tab, report: Path, tmp_path: Path) -> None:
    shutil.copy(report, tmp_path / "index.html")
    tab.open(tmp_path)
    assert tab.page.locator("button.asof").inner_text() == f"As of Chapter {LAST}"
    for route in (*ROUTES, "waits", "odd", "bill"):
        tab.go(route)
    assert {url.partition("#")[0] for url in tab.asked} == {(tmp_path / "index.html").as_uri()}


def test_a_report_shows_what_readers_do_not_see_and_what_waits(tab: Tab, report: Path, tmp_path: Path) -> None:
    shutil.copy(report, tmp_path / "index.html")
    tab.open(tmp_path)
    tab.page.evaluate(
        "() => { const s = document.querySelector('input.slim'); s.value = 1; s.dispatchEvent(new Event('change')); }"
    )
    tab.go("secrets")
    assert "holds the old will" in tab.page.locator("main").inner_text()
    links = tab.page.eval_on_selector_all("nav a", "nodes => nodes.map(node => node.getAttribute('href'))")
    assert {"#/waits", "#/odd", "#/bill"} <= set(links)
