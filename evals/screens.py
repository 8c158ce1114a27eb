"""`python -m evals.screens`: take the pictures of the wiki that the documentation shows, from the bundled serial, in headless Chromium."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from analyzer import pipeline
from evals.command import command, show

ROOT = Path(__file__).parent.parent
SERIAL = ROOT / "goldsets" / "dark-of-the-gullick"
PICTURES = ROOT / "docs" / "img"
DESK, PHONE = (1180, 820), (390, 780)
CHAPTER = 5
"""The chapter the reader of the pictures has read: mid-book, before its reveal."""


class Screen(NamedTuple):
    """One picture: `name` of its file, `route` of the page; `{Name}` in a route stands for somebody's id."""

    name: str
    route: str
    size: tuple[int, int] = DESK
    dark: bool = False


SCREENS = (
    Screen("wiki-home", ""),
    Screen("wiki-person", "e/{Keziah Ruddock}", PHONE),
    Screen("wiki-people", "people", PHONE, dark=True),
    Screen("wiki-graph", "graph"),
    Screen("wiki-threads", "threads", dark=True),
    Screen("wiki-meet", "meet"),
)


@command
def main() -> int:
    """Write the pictures into docs/img and return an exit code."""
    browser = shutil.which("chromium")
    if browser is None:
        show("no Chromium on this machine: apt-get install chromium")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        _take(demo_site(Path(folder)), browser)
    return 0


def demo_site(folder: Path) -> Path:
    """Read the bundled serial with its gold, confirm its reveal, write its wiki and return the page."""
    book = pipeline.init(SERIAL / "serial.txt", book=folder / "book")
    pipeline.run(book, model=f"gold:{SERIAL / 'gold'}")
    for row in pipeline.show_reveals(book):
        if row.status == "proposed":
            pipeline.decide(book, "confirm", [row.reveal])
    return Path(pipeline.wiki(book, folder / "wiki").path)


def _take(page: Path, browser: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        chromium = tool.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for screen in SCREENS:
            context = chromium.new_context(
                viewport={"width": screen.size[0], "height": screen.size[1]},
                color_scheme="dark" if screen.dark else "light",
                reduced_motion="reduce",
            )
            tab = context.new_page()
            tab.goto(page.as_uri())
            tab.fill("form.upto input", str(CHAPTER))
            tab.click("form.upto button")
            tab.wait_for_function(
                "() => document.body.classList.contains('begun') && !document.querySelector('dialog[open]')"
            )
            tab.goto(f"{page.as_uri()}#/{_with_id(screen.route, page)}")
            tab.wait_for_timeout(900)
            tab.screenshot(path=PICTURES / f"{screen.name}.png")
            context.close()
            show(f"docs/img/{screen.name}.png")
        chromium.close()


def _with_id(route: str, page: Path) -> str:
    """Return a route with the id for the name in brackets."""
    before, bracket, name = route.rstrip("}").partition("{")
    if not bracket:
        return route
    for piece in (page.parent / "d").iterdir():
        text = piece.read_text("utf-8")
        value = json.loads(text[text.index("(") + 1 : text.rindex(")")])
        for key, row in value["rows"].get("entity", {}).items():
            if row and row.get("name") == name:
                return before + str(key)
    raise ValueError(f"nobody in the wiki is called {name!r}")


if __name__ == "__main__":
    sys.exit(main())
