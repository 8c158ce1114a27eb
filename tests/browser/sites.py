"""Sites for the browser: the tale in each language, and one whose every word is hostile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer import pipeline
from tests.cli.tale_book import tale_book
from tests.export.story_tale import LAST, Words

ROUTES = (
    "", "people", "groups", "places", "things", "chapters", "threads", "timeline", "secrets", "graph", "meet", "help",
    "search?q=a",
)  # fmt: skip
"""Every page but those of one of the cast and of one chapter."""
HOSTILE = "</script><img src=x onerror=hit()>\u202e'\"`${hit()}&lt;" + "長" * 200


def tale_site(folder: Path, words: Words, language: str = "en", settings: str = "") -> Path:
    """Make the tale's book, confirm its reveal, write its site and return the site's folder."""
    book = tale_book(folder, words)
    if settings:
        (book / "wiki.toml").write_text(settings, "utf-8")
    pipeline.decide(book, "confirm", ["r00000001"])
    pipeline.wiki(book, folder / "site")
    return folder / "site"


def hostile_words(words: Words) -> Words:
    """Return words to tell the tale with that try to be markup, script and address."""
    told = {name: f"{HOSTILE} {word}" for name, word in words._asdict().items()}
    return Words(**{**told, "sentence": HOSTILE.replace("{", "{{").replace("}", "}}") + f" {words.sentence}"})


def pieces_of(site: Path) -> list[dict[str, Any]]:
    """Return the pieces of a site in order."""
    name = json.loads((site / "site.js").read_text("utf-8").partition(" = ")[2].rstrip(";\n"))["first"]
    found = []
    while (site / "d" / f"{name}.js").is_file():
        text = (site / "d" / f"{name}.js").read_text("utf-8")
        found.append(json.loads(text[text.index("(") + 1 : text.rindex(")")]))
        name = found[-1]["next"]
    return found


def entities(site: Path, through: int) -> dict[str, dict[str, Any]]:
    """Return the cast of the first chapters by id."""
    found: dict[str, dict[str, Any]] = {}
    for piece in pieces_of(site)[:through]:
        for key, row in piece["rows"].get("entity", {}).items():
            found[key] = {**found.get(key, {}), **row}
    return found


def id_of(site: Path, name: str, through: int = LAST) -> str:
    """Return the id of somebody by a name they had on entering."""
    for piece in pieces_of(site)[:through]:
        for key, row in piece["rows"].get("entity", {}).items():
            if row.get("name") == name:
                return str(key)
    raise KeyError(name)


def routes(site: Path, through: int) -> list[str]:
    """Return every page that readers of a chapter can reach."""
    return [
        *ROUTES,
        *(f"e/{key}" for key in entities(site, through)),
        *(f"chapter/{no}" for no in range(1, through + 1)),
    ]
