"""The readers' wiki in a browser, from its folder: what readers see, do and load, as of every chapter."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

from tests.browser.conftest import DESK, NOT_THERE, PHONE, Tab
from tests.browser.sites import ROUTES, entities, hostile_words, id_of, pieces_of, routes, tale_site
from tests.export.story_tale import LANGUAGES, LAST

EN = LANGUAGES["en"]
NewTab = Callable[..., Tab]


def test_a_first_visit_asks_how_far_one_has_read_and_loads_nothing_of_the_story(tab: Tab, tale: Path) -> None:
    tab.open(tale)
    assert tab.pieces() == []
    text = tab.text()
    assert "How far have you read?" in text
    assert not [word for word in (EN.oda, EN.weaver, EN.hesk, EN.sentence.format(1)) if word in tab.all_of_it()]


def test_each_chapter_read_loads_one_piece_and_the_slider_ends_with_the_last(tab: Tab, tale: Path) -> None:
    names = [piece["name"] for piece in pieces_of(tale)]
    tab.open(tale)
    for no in range(1, LAST + 1):
        if no > 1:
            tab.page.click("button.asof")
        tab.page.locator("button.main >> visible=true").first.click()
        tab.page.wait_for_function(
            "no => document.querySelector('button.asof').textContent.includes(`Chapter ${no}`)", arg=no
        )
        assert tab.pieces() == names[:no]
    tab.page.click("button.asof")
    tab.page.locator("dialog button.main").click()
    tab.page.wait_for_function("() => document.querySelector('dialog .note').textContent.length > 0")
    assert "last chapter so far" in tab.page.locator("dialog .note").inner_text()
    assert tab.page.locator("dialog input[type=range]").get_attribute("max") == str(LAST)
    assert tab.pieces() == [*names, pieces_of(tale)[-1]["next"]]
    assert tab.said == [NOT_THERE]
    tab.said.clear()


def test_the_slider_goes_back_and_forth_by_keys_and_says_the_chapter(tab: Tab, tale: Path) -> None:
    tab.open(tale)
    tab.read(4)
    slider = tab.page.locator("input.slim")
    slider.focus()
    for _ in range(2):
        tab.page.keyboard.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "Chapter 2"
    assert tab.page.locator("button.asof").inner_text() == "As of Chapter 2"
    assert tab.page.locator("[aria-live]").first.text_content() is not None
    tab.page.wait_for_function("() => document.querySelector('[aria-live]').textContent.includes('Chapter 2')")
    tab.page.locator("main h1").focus()
    tab.page.keyboard.press("]")
    assert tab.page.locator("button.asof").inner_text() == "As of Chapter 3"
    tab.page.keyboard.press("[")
    assert tab.page.locator("button.asof").inner_text() == "As of Chapter 2"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_as_of_a_chapter_has_a_word_of_a_later_one(
    new_tab: NewTab, tales: dict[str, Path], language: str
) -> None:
    words, site = LANGUAGES[language], tales[language]
    tab = new_tab()
    tab.open(site)
    tab.read(LAST)
    given = {words.hesk_named: 3, words.wound: 4, words.will: 4}
    for through in range(1, LAST + 1):
        tab.page.evaluate(
            "n => { const s = document.querySelector('input.slim'); s.value = n; s.dispatchEvent(new Event('change')); }",
            through,
        )
        for route in routes(site, through) if through in (1, 3) else (*ROUTES[:3], f"e/{id_of(site, words.hesk)}"):
            tab.go(route)
            told = tab.all_of_it()
            assert not [no for no in range(through + 1, LAST + 1) if words.sentence.format(no) in told], (
                route,
                through,
            )
            assert not [word for word, since in given.items() if since > through and word in told], (route, through)


def test_a_reload_comes_back_to_chapter_and_page_and_loads_no_more_than_was_read(tab: Tab, tale: Path) -> None:
    tab.open(tale)
    tab.read(3)
    tab.go("people")
    tab.asked.clear()
    tab.page.reload()
    tab.page.wait_for_selector("body.begun main h1")
    assert tab.page.locator("main h1").inner_text() == "People"
    assert tab.page.locator("button.asof").inner_text() == "As of Chapter 3"
    assert sorted(tab.pieces()) == sorted(piece["name"] for piece in pieces_of(tale)[:3])
    tab.page.go_back()
    tab.page.wait_for_function("() => document.querySelector('main h1').textContent !== 'People'")


def test_links_to_what_is_later_and_to_what_never_was_say_the_same(tab: Tab, tale: Path) -> None:
    mill = id_of(tale, EN.mill)
    tab.open(tale, f"e/{mill}")
    assert EN.mill not in tab.all_of_it()
    tab.read(1)
    said = []
    for route in (f"e/{mill}", "e/eaaaaaaaaaa", "e/", "e/..%2f..%2fx", "e/%E0%A4%A"):
        tab.go("people")
        tab.go(route)
        said.append(tab.page.locator("main").inner_text())
        assert EN.mill not in tab.all_of_it()
    assert len(set(said)) == 1 and "as of Chapter 1" in said[0]
    tab.go("chapter/2")
    ahead = tab.page.locator("main").inner_text()
    tab.go("people")
    tab.go("chapter/99")
    assert tab.page.locator("main").inner_text() == ahead
    tab.page.locator("main button.main").click()
    tab.read(2)
    tab.go(f"e/{mill}")
    assert tab.page.locator("main h1").inner_text() == EN.mill


def test_a_persona_has_a_page_of_its_own_and_after_the_reveal_both_pages_say_so(tab: Tab, tale: Path) -> None:
    weaver, ludo = id_of(tale, EN.weaver), id_of(tale, EN.ludo)
    tab.open(tale)
    tab.read(LAST - 1)
    tab.go(f"e/{weaver}")
    assert EN.ludo not in tab.page.locator("main").inner_text()
    tab.go(f"e/{ludo}")
    assert EN.weaver not in tab.page.locator("main").inner_text()
    tab.read(LAST)
    tab.go(f"e/{weaver}")
    assert f"{EN.ludo} turned out to be {EN.weaver}" in tab.page.locator("main").inner_text()
    tab.go(f"e/{ludo}")
    older = tab.page.locator("main").inner_text()
    assert f"{EN.ludo} turned out to be {EN.weaver}" in older and EN.sentence.format(LAST) in older
    assert f"#/e/{ludo}" in tab.page.url
    tab.page.locator(f"main a[href='#/e/{weaver}']").first.click()
    tab.page.wait_for_function("name => document.querySelector('main h1').textContent.includes(name)", arg=EN.weaver)


@pytest.mark.parametrize(
    ("language", "query"), [("en", "HÉSK"), ("ko", "헤스"), ("zh", "贺队"), ("ja", "辺須"), ("en", "barnaby")]
)
def test_search_finds_names_of_now_in_every_script_and_no_name_of_later(
    new_tab: NewTab, tales: dict[str, Path], language: str, query: str
) -> None:
    tab, words = new_tab(), LANGUAGES[language]
    tab.open(tales[language])
    tab.read(2)
    tab.page.locator("input[type=search]").fill(query)
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function(
        "document.querySelector('main h1').textContent.length > 0 && location.hash.includes('search')"
    )
    found = tab.page.locator("main").inner_text()
    assert (words.hesk in found) == (query != "barnaby")
    assert words.hesk_named not in tab.all_of_it()
    tab.go(f"search?q={words.hesk_named}")
    assert words.hesk not in tab.page.locator("main").inner_text()
    tab.read(3)
    assert words.hesk in tab.page.locator("main").inner_text()


def test_suggestions_are_chosen_by_keys(tab: Tab, tale: Path) -> None:
    tab.open(tale)
    tab.read(1)
    tab.page.keyboard.press("/")
    box = tab.page.locator("input[type=search]")
    box.press_sequentially("hes")
    tab.page.wait_for_selector("[role=option]")
    assert box.get_attribute("aria-expanded") == "true"
    tab.page.keyboard.press("ArrowDown")
    assert box.get_attribute("aria-activedescendant")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_function("name => document.querySelector('main h1').textContent.includes(name)", arg=EN.hesk)


def test_the_graph_grows_with_the_chapters_and_has_an_equal_in_words(tab: Tab, tale: Path) -> None:
    tab.open(tale)
    tab.read(1)
    tab.go("graph")
    tab.page.wait_for_selector("main svg")
    first = tab.page.locator("main table tbody tr").count()
    assert first == 1 and "sibling" in tab.page.locator("main table").first.inner_text()
    tab.read(2)
    tab.go("people")
    tab.go("graph")
    assert tab.page.locator("main table tbody tr").count() > first
    assert "deceiver" in tab.page.locator("main").inner_text()


def test_nothing_is_wider_than_a_telephone(new_tab: NewTab, tale: Path) -> None:
    tab = new_tab(PHONE)
    tab.open(tale)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    tab.read(LAST)
    for route in routes(tale, LAST):
        tab.go(route)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], route


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_standard_engine_finds_nothing_in_the_way_of_anybody(new_tab: NewTab, tale: Path, scheme: str) -> None:
    tab = new_tab(DESK if scheme == "light" else PHONE, color_scheme=scheme, reduced_motion="reduce")
    tab.open(tale)
    found = {"welcome": Axe().run(tab.page, options={"preload": False}).response["violations"]}
    tab.read(LAST)
    for route in (*ROUTES, f"e/{id_of(tale, EN.hesk)}", f"e/{id_of(tale, EN.ludo)}", "chapter/4", "nothing"):
        tab.go(route)
        found[route] = Axe().run(tab.page, options={"preload": False}).response["violations"]
    tab.page.click("button.asof")
    found["dialog"] = Axe().run(tab.page, options={"preload": False}).response["violations"]
    assert {
        route: [(one["id"], one["nodes"][0]["html"]) for one in rows] for route, rows in found.items() if rows
    } == {}


def test_a_browser_that_keeps_nothing_is_no_obstacle(new_tab: NewTab, tale: Path) -> None:
    tab = new_tab(script="Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked'); }});")
    tab.open(tale)
    tab.read(2)
    tab.go("people")
    assert EN.oda in tab.page.locator("main").inner_text()
    tab.page.reload()
    tab.page.wait_for_selector("main h1")
    assert "How far have you read?" in tab.text()


@pytest.mark.parametrize(
    "kept", ["null", "{", '{"read": 9e9, "at": -1, "names": [1, "../../x", {}]}', '{"read":3,"names":"x"}']
)
def test_rubbish_in_what_was_remembered_is_no_obstacle(new_tab: NewTab, tale: Path, kept: str) -> None:
    site = (tale / "site.js").read_text("utf-8")
    found = re.search(r'"id":"([a-z2-7]+)"', site)
    assert found is not None
    tab = new_tab(script=f"localStorage.setItem('analyzer:{found[1]}:read', {kept!r});")
    tab.open(tale)
    assert set(tab.pieces()) <= {*(piece["name"] for piece in pieces_of(tale)), pieces_of(tale)[-1]["next"]}
    tab.said[:] = [line for line in tab.said if line != NOT_THERE]


def test_a_book_published_anew_is_walked_again_from_what_changed(tab: Tab, tmp_path: Path) -> None:
    site = tale_site(tmp_path / "tale", EN)
    tab.open(site)
    tab.read(3)
    other = tale_site(tmp_path / "other", EN._replace(will="@3 hides another paper", mill="the tall mill"))
    shutil.rmtree(site / "d")
    shutil.copytree(other / "d", site / "d")
    tab.page.reload()
    tab.page.wait_for_selector("body.begun main h1")
    tab.go("places")
    assert "the tall mill" in tab.page.locator("main").inner_text()
    assert tab.page.locator("button.asof").inner_text() == "As of Chapter 3"
    tab.said[:] = [line for line in tab.said if line != NOT_THERE]


def test_hostile_words_are_words(new_tab: NewTab, tmp_path: Path) -> None:
    site = tale_site(tmp_path / "hostile", hostile_words(EN))
    tab = new_tab(PHONE, script="window.hits = 0; window.hit = () => { window.hits += 1; };")
    tab.open(site)
    tab.read(LAST)
    for route in routes(site, LAST):
        tab.go(route)
        assert tab.page.evaluate("window.hits") == 0, route
        assert tab.page.evaluate("document.querySelectorAll('main img').length") == 0, route
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], route
    assert "</script><img" in tab.text()


def test_what_is_hidden_has_no_page_and_no_link_and_without_quotes_no_sentence_is_shown(
    new_tab: NewTab, tmp_path: Path
) -> None:
    site = tale_site(
        tmp_path / "own",
        EN,
        settings='quotes = false\n[hide]\nparts = ["threads", "places", "secrets", "knowledge", "graph"]\n',
    )
    tab = new_tab()
    tab.open(site)
    tab.read(LAST)
    links = tab.page.eval_on_selector_all("nav a", "nodes => nodes.map(node => node.getAttribute('href'))")
    assert not {"#/threads", "#/places", "#/secrets", "#/graph"} & set(links) and "#/people" in links
    for route in ("threads", "places", "secrets", "graph", "e/" + id_of(site, EN.hesk), "", "timeline", "chapter/2"):
        tab.go(route)
        told = tab.all_of_it()
        assert not [no for no in range(1, LAST + 1) if EN.sentence.format(no) in told], route
        assert EN.will.partition(" ")[2] not in told and id_of(site, EN.hesk) in entities(site, LAST), route
    assert EN.mill not in {row["name"] for row in entities(site, LAST).values()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_interface_has_words_for_all_it_shows(new_tab: NewTab, tales: dict[str, Path], language: str) -> None:
    script = """
      window.unsaid = new Set();
      const has = Object.hasOwn;
      Object.hasOwn = (thing, key) => {
        const found = has(thing, key);
        if (!found && thing === window.analyzerSite?.words && !/\\.(zero|one|two|few|many)$/.test(key)) window.unsaid.add(key);
        return found;
      };"""
    tab = new_tab(script=script)
    tab.open(tales[language])
    tab.read(LAST)
    for route in routes(tales[language], LAST):
        tab.go(route)
    assert tab.page.evaluate("[...window.unsaid]") == []
    assert tab.page.evaluate("document.documentElement.lang")


def test_the_scheme_one_chose_stays(tab: Tab, tale: Path) -> None:
    tab.open(tale)
    tab.read(1)
    tab.page.locator("button.colours").click()
    tab.page.locator("button.colours").click()
    assert tab.page.evaluate("document.documentElement.dataset.theme") == "dark"
    tab.page.reload()
    tab.page.wait_for_selector("body.begun")
    assert tab.page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.fixture
def host(tale: Path) -> Iterator[str]:
    """The site from a host of files on this machine, which answers what is not there with a page, as some do."""

    class Files(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words: object) -> None:
            pass

        def send_error(self, *_words: object) -> None:
            body = b"<!doctype html><title>not here</title>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(tale)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_host_that_answers_everything_with_a_page_ends_the_slider_too(tab: Tab, host: str) -> None:
    tab.open(host)
    tab.read(LAST)
    tab.page.click("button.asof")
    tab.page.locator("dialog button.main").click()
    tab.page.wait_for_function("() => document.querySelector('dialog .note').textContent.includes('last chapter')")
    tab.said[:] = [line for line in tab.said if "MIME type" not in line and "Unexpected token" not in line]


def test_pages_have_titles_that_tell_them_apart_and_nothing_of_later(tab: Tab, tale: Path) -> None:
    tab.open(tale)
    assert tab.page.title() == "tale"
    tab.read(2)
    seen = set()
    for route in routes(tale, 2):
        tab.go(route)
        seen.add(tab.page.title())
        assert EN.hesk_named not in tab.page.title()
    assert len(seen) >= len(ROUTES) + len(entities(tale, 2))
