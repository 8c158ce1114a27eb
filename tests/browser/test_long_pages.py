"""Pages of much: a book with hundreds of relations and threads, on a desk and on a telephone; and addresses that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

from analyzer import pipeline
from evals.made_book import kept_book, made_book
from tests.browser.conftest import DESK, PHONE, Tab
from tests.browser.sites import entities, pieces_of
from tests.export.story_tale import LANGUAGES, LAST

NewTab = Callable[..., Tab]
N_MADE = 60
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
TAB_STOPS = """() => [...document.querySelectorAll('main a[href], main button, main summary, main input, main select')]
  .filter(node => node.getClientRects().length).length"""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a large book made by code; not to be changed."""
    folder = tmp_path_factory.mktemp("made")
    book = kept_book(folder / "book", made_book(N_MADE, 200))
    return Path(pipeline.wiki(book, folder / "site").path).parent


def axe(tab: Tab) -> list[tuple[str, str]]:
    found = Axe().run(tab.page, options={"preload": False}).response["violations"]
    return [(one["id"], one["nodes"][0]["html"]) for one in found]


def number_in(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    assert found is not None, text
    return int(found[1].replace(",", ""))


def opened(new_tab: NewTab, site: Path, size: tuple[int, int], chapter: int) -> Tab:
    tab = new_tab(size, reduced_motion="reduce")
    tab.open(site)
    tab.read(chapter)
    return tab


def busiest(site: Path) -> str:
    """Return who has most relations by the last chapter."""
    ends: dict[str, int] = {}
    for piece in pieces_of(site):
        for row in piece["rows"].get("relation", {}).values():
            for end in (row.get("a"), row.get("b")) if row else ():
                if end:
                    ends[end] = ends.get(end, 0) + 1
    return max(ends, key=lambda one: ends[one])


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_that_leads_nowhere_says_so_in_a_sentence_and_leads_home(
    new_tab: NewTab, tales: dict[str, Path], language: str
) -> None:
    tab = opened(new_tab, tales[language], PHONE, 1)
    told = set()
    for route in ("bogus", "nothing/at/all", "%E0%A4%A", "constructor"):
        tab.go(route)
        assert tab.page.locator("main p").count() == 1 and tab.page.title().count("·") == 1
        told.add(tab.page.locator("main").inner_text())
    assert len(told) == 1
    assert axe(tab) == []
    tab.page.locator("main p a").click()
    tab.page.wait_for_function("() => document.querySelector('main .newest') !== null")


@SIZES
def test_the_signs_of_a_presence_strip_are_told_on_the_page_of_a_person(
    new_tab: NewTab, tale: Path, size: tuple[int, int]
) -> None:
    tab = opened(new_tab, tale, size, LAST)
    for key in list(entities(tale, LAST))[:3]:
        tab.go(f"e/{key}")
        legend = tab.page.locator("main > .pic-legend").first.inner_text()
        assert all(word in legend for word in ("On the page", "Mentioned", "Of the past"))


@SIZES
def test_a_thread_is_on_its_page_once_and_its_line_opens_to_all_of_it(
    new_tab: NewTab, made: Path, size: tuple[int, int]
) -> None:
    tab = opened(new_tab, made, size, N_MADE)
    tab.go("threads")
    lines = tab.page.locator("main .gantt-row summary")
    n_first = lines.count()
    tab.page.get_by_role("button", name=re.compile("Show all [0-9,]+ threads")).click()
    assert lines.count() > n_first
    assert tab.page.evaluate("document.activeElement.tagName") == "SUMMARY", "one goes on where the first lines ended"
    assert tab.page.locator("main .item").count() == 0
    lines.nth(3).focus()
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector("main details[open] .thread-all")
    whole = tab.page.locator("main details[open] .thread-all")
    assert (
        "About" in whole.inner_text()
        and whole.locator("blockquote").count() > 0
        and whole.locator("a.chapter").count() > 0
    )
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert axe(tab) == []


def test_a_search_hit_leads_to_its_thread_however_far_down_it_stands(new_tab: NewTab, made: Path) -> None:
    tab = opened(new_tab, made, PHONE, N_MADE)
    tab.go("threads")
    text = tab.page.locator("main .gantt-row summary").last.inner_text()
    tab.go("threads?t=100")
    tab.page.wait_for_selector("main details[open] .thread-all")
    far = tab.page.locator("main details[open] > summary")
    assert far.inner_text() != text
    tab.page.wait_for_function(
        "() => { const box = document.querySelector('main details[open]').getBoundingClientRect();"
        " return box.bottom > 0 && box.top < innerHeight; }"
    )
    said = far.inner_text()
    tab.go(f"search?q={said}")
    hit = tab.page.locator("main a", has_text=said).first
    assert re.fullmatch(r"#/threads\?t=\d+", hit.get_attribute("href") or "")
    hit.click()
    tab.page.wait_for_selector("main details[open] .thread-all")
    assert tab.page.locator("main details[open] > summary").inner_text() == said


@SIZES
def test_long_lists_of_a_person_are_behind_buttons_that_keys_reach(
    new_tab: NewTab, made: Path, size: tuple[int, int]
) -> None:
    tab = opened(new_tab, made, size, N_MADE)
    tab.go(f"e/{busiest(made)}")
    relations = tab.page.locator("#s-entity-relations-all")
    pairs = relations.locator(".pairs > li")
    assert pairs.count() == 12
    before = tab.page.evaluate(TAB_STOPS)
    rest = relations.locator("button.rest").first
    rest.focus()
    tab.page.keyboard.press("Enter")
    assert pairs.count() > 12 and tab.page.evaluate(TAB_STOPS) > before
    assert tab.page.evaluate("document.activeElement.closest('.pairs') !== null"), (
        "one goes on with the first of the rest"
    )
    while relations.locator("button.rest").count():
        relations.locator("button.rest").first.click()
    assert axe(tab) == []
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]


@SIZES
def test_a_dense_graph_shows_the_strongest_relations_and_says_how_many_it_does_not(
    new_tab: NewTab, made: Path, size: tuple[int, int]
) -> None:
    tab = opened(new_tab, made, size, N_MADE)
    tab.go("graph")
    tab.page.wait_for_selector("main svg")

    def counts() -> tuple[int, int]:
        text = tab.page.locator(".graph-count").inner_text()
        shown = number_in(r"([0-9,]+) relations?", text)
        return shown, number_in(r"· ([0-9,]+) relation", text) if "not in the picture" in text else 0

    shown, hidden = counts()
    assert shown <= 120 and hidden > 0
    button = tab.page.locator("button.graph-all")
    assert number_in(r"([0-9,]+)", button.inner_text()) == shown + hidden
    button.focus()
    tab.page.keyboard.press("Enter")
    assert counts() == (shown + hidden, 0)
    assert tab.page.evaluate("document.activeElement.classList.contains('graph-all')")
    tab.page.keyboard.press("Enter")
    assert counts() == (shown, hidden)
    assert axe(tab) == []
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_around_somebody_the_nearest_come_first_and_nobody_else_is_there(new_tab: NewTab, made: Path) -> None:
    tab, centre = opened(new_tab, made, DESK, N_MADE), busiest(made)
    tab.go(f"graph/{centre}")
    tab.page.wait_for_selector("main svg")
    tab.page.locator("input[name=graph-steps][value='2']").click()
    tab.page.wait_for_function("() => document.querySelector('.graph-count').textContent.length > 0")
    rows = tab.page.locator("main .graph-table tbody tr")
    links = rows.locator(f"a[href='#/e/{centre}']")
    assert links.count() > 0
    own = number_in(r"([0-9,]+) relations?", tab.page.locator(".graph-count").inner_text())
    assert own <= 150
