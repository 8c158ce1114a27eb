"""The shape of a language table and its loader."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pydantic import Field

from analyzer.errors import ConfigError
from analyzer.models.base import Record


class LanguageTable(Record):
    """One language. Sections are plain mappings here and are read by typed accessors beside the code that uses them.

    `tag` is the language tag; `structure` holds [script] [quotes] [sentences] [chapters]; `lexicon` holds [names]
    [titles] [kin] [roles] [places] [cues]; `kinship` holds how a sentence states kin, `speech` how one tells who spoke.
    """

    tag: str
    script: dict[str, Any] = Field(default_factory=dict)
    quotes: dict[str, Any] = Field(default_factory=dict)
    sentences: dict[str, Any] = Field(default_factory=dict)
    chapters: dict[str, Any] = Field(default_factory=dict)
    names: dict[str, Any] = Field(default_factory=dict)
    titles: dict[str, Any] = Field(default_factory=dict)
    kin: dict[str, Any] = Field(default_factory=dict)
    roles: dict[str, Any] = Field(default_factory=dict)
    places: dict[str, Any] = Field(default_factory=dict)
    cues: dict[str, Any] = Field(default_factory=dict)
    kinship: dict[str, Any] = Field(default_factory=dict)
    speech: dict[str, Any] = Field(default_factory=dict)

    def __hash__(self) -> int:
        """Tables are singletons per tag."""
        return hash(self.tag)


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """Return the tags that have a table, sorted."""
    folder = files("analyzer.text.languages")
    return tuple(sorted(p.name[:-5] for p in folder.iterdir() if p.name.endswith(".toml")))


@lru_cache(maxsize=256)
def language_table(tag: str) -> LanguageTable:
    """Return the table for `tag`, or for its language where script or region have none of their own.

    Both Chinese scripts share one table (`zh-Hans`, `zh-Hant`, `zh-TW` …): every list holds the words in both, so that a
    book in either, or in a mixture, is read alike. Raises ConfigError naming the known tags.
    """
    for name in (tag, tag.split("-")[0].lower()):
        if name in languages():
            return _load(name)
    raise ConfigError(
        f"no language table for {tag!r}; known are {', '.join(languages())}", hint="pass --language with one of these"
    )


@lru_cache(maxsize=32)
def _load(name: str) -> LanguageTable:
    """Return the one table in `name`.toml: one object however its tag is written, so that what is made of it is made once."""
    resource = files("analyzer.text.languages").joinpath(f"{name}.toml")
    return LanguageTable.model_validate(tomllib.loads(resource.read_text("utf-8")))
