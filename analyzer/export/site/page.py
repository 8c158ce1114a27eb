"""The files of a site that are the same for every chapter: page, scripts, styles, and what the site says of itself."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from analyzer.export.site.ids import short_hash
from analyzer.export.site.pieces import Piece, script_json
from analyzer.export.site.settings import Colours, WikiSettings, as_site
from analyzer.export.site.words import interface_of, interface_words

GENERATOR = "analyzer"
"""What the page names as its maker; a folder whose page does not is not taken for an earlier site."""
_HEAD = 8192
"""Bytes of a page that are looked at for who made it."""
Mode = Literal["wiki", "report"]
_POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src {img}; font-src {img}; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types analyzer"
)


def is_ours(page: Path) -> bool:
    """Say whether a file is a page that was made here; what cannot be read is none."""
    try:
        with page.open("rb") as file:
            return f'<meta name="generator" content="{GENERATOR}">'.encode("ascii") in file.read(_HEAD)
    except OSError:
        return False


@cache
def joined(ending: Literal["js", "css"]) -> str:
    """Return the page's scripts (in one closure) or styles, in the order of their names."""
    folder = files("analyzer.export.site") / "app"
    parts = sorted((one for one in folder.iterdir() if one.name.endswith(f".{ending}")), key=lambda one: one.name)
    text = "\n".join(part.read_text("utf-8") for part in parts)
    return f'(() => {{\n"use strict";\n{text}}})();\n' if ending == "js" else text


def site_value(settings: WikiSettings, *, title: str, language: str, mode: Mode, cover: str = "") -> dict[str, Any]:
    """Return what a site says of itself; nothing in it comes from a chapter."""
    spoken = settings.interface or interface_of(language)
    value: dict[str, Any] = {
        "mode": mode,
        "title": settings.title or title,
        "subtitle": settings.subtitle,
        "author": settings.author,
        "description": settings.description,
        "lang": language,
        "uiLang": spoken,
        "cover": cover,
        "credits": list(settings.credits),
        "licence": as_site(settings.licence),
        "source": as_site(settings.source),
        "quotes": settings.quotes,
        "hidden": sorted(settings.hide.parts),
        "words": interface_words(spoken),
    }
    name = short_hash("site", value["title"], value["author"], language, mode)
    return {"id": name, "first": short_hash("first", name), **value}


def index_page(value: dict[str, Any], settings: WikiSettings) -> str:
    """Return the page of a site of files; its address is all that readers need."""
    policy = _POLICY.format(script="'self'", style="'self'", img="'self' data:")
    links = '<link rel="stylesheet" href="style.css">\n<link rel="stylesheet" href="theme.css">\n'
    scripts = '<script src="site.js"></script>\n<script src="app.js"></script>\n'
    return _html(value, settings, policy, links, scripts)


def report_page(value: dict[str, Any], settings: WikiSettings, pieces: list[Piece]) -> str:
    """Return one file with everything inside."""
    site, app = f"window.analyzerSite = {script_json(value)};\n", joined("js").replace("</", "<\\/")
    style = (joined("css") + theme_css(settings)).replace("</", "<\\/")
    policy = _POLICY.format(script=f"{_hash_of(site)} {_hash_of(app)}", style=_hash_of(style), img="data:")
    inside = "".join(f'<script type="application/json" class="piece">{piece.value}</script>\n' for piece in pieces)
    scripts = f"{inside}<script>{site}</script>\n<script>{app}</script>\n"
    return _html(value, settings, policy, f"<style>{style}</style>\n", scripts)


def site_script(value: dict[str, Any]) -> str:
    """Return the script that says what the site is."""
    return f"window.analyzerSite = {script_json(value)};\n"


def theme_css(settings: WikiSettings) -> str:
    """Return the author's colours and fonts as style rules; checked when they were read, so that no rule can end early."""
    theme = settings.theme
    fonts = {"font-body": theme.font_body, "font-head": theme.font_head}
    light = _colours(theme.light) | {name: value for name, value in fonts.items() if value}
    dark = _colours(theme.dark)
    rules = []
    if light:
        rules.append(f":root {_block(light)}")
    if dark:
        rules.append(f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {_block(dark)} }}')
        rules.append(f':root[data-theme="dark"] {_block(dark)}')
    if _colours(theme.light):
        rules.append(f':root[data-theme="light"] {_block(_colours(theme.light))}')
    return "".join(f"{rule}\n" for rule in rules)


def _colours(colours: Colours) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in colours.model_dump().items() if value}


def _block(values: dict[str, str]) -> str:
    return "{ " + " ".join(f"--{name}: {value};" for name, value in values.items()) + " }"


def _hash_of(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"


def _html(value: dict[str, Any], settings: WikiSettings, policy: str, links: str, scripts: str) -> str:
    words = interface_words(value["uiLang"])
    robots = '<meta name="robots" content="noindex, nofollow">\n' if settings.noindex else ""
    described = settings.description
    about = f'<meta name="description" content="{escape(described)}">\n' if described else ""
    return (
        f'<!doctype html>\n<html lang="{escape(value["uiLang"])}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{GENERATOR}">\n<meta name="referrer" content="no-referrer">\n{robots}{about}'
        f"<title>{escape(value['title'])}</title>\n{links}</head>\n<body>\n"
        f"<noscript><p>{escape(words.get('noscript', 'This page needs JavaScript.'))}</p></noscript>\n{scripts}</body>\n</html>\n"
    )
