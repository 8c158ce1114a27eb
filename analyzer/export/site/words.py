"""The words of a site's interface, one file a language; languages without one have English, and say so."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from analyzer.errors import DefinitionError

FALLBACK = "en"
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
"""Parts of a language tag by which Chinese is written in traditional characters. Source: the likely subtags of CLDR."""


def interface_languages() -> tuple[str, ...]:
    """Return the languages the interface speaks, in alphabetical order."""
    folder = files("analyzer.export.site") / "words"
    return tuple(sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml")))


def interface_of(language: str) -> str:
    """Return the language the interface has for a manuscript in `language`: the same, its main language, or English."""
    known = interface_languages()
    main, *rest = language.split("-")
    if main == "zh":
        return "zh-Hant" if _TRADITIONAL & {part.casefold() for part in rest} else "zh-Hans"
    return main if main in known else FALLBACK


@cache
def interface_words(language: str) -> dict[str, str]:
    """Return the words of an interface language by key; raises DefinitionError where its file is not a table of words."""
    file = files("analyzer.export.site") / "words" / f"{language}.toml"
    try:
        return dict(_flat(tomllib.loads(file.read_text("utf-8"))))
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError(f"words/{language}.toml is not valid TOML: {error}") from error


def _flat(table: dict[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, str(value)
