"""The parts of a personal name: titles and what they tell, given name, family name. By words alone, nobody is decided on."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from analyzer.text.candidates.lexicon import relation_words, word_list, word_set
from analyzer.text.givennames import root_of, with_patronymics
from analyzer.text.languages import LanguageTable
from analyzer.text.namefold import ARTICLES, fold_name, title_words, words_of

_KANA = re.compile(r"[ぁ-ゖ]+\Z")
"""An honorific in kana is written onto any name; one in Han may be part of a word."""


@dataclass(frozen=True)
class NameParts:
    """A name taken apart, all folded.

    `core` are its own words without titles, articles and particles (empty for "the count"). Where it is a full name `given`
    and `family` are its two ends, else both are "". `gender` is "m", "f" or "", `wedded` "yes", "no" or "", `rank` a title
    that sets somebody apart ("count", no mere "M."), all by the titles. `kin` says that a kin word leads it ("daughter
    Ida"), `modified` that an adjective does ("old Hale"), `titled` that any title stands there. A patronymic belongs to the given
    name ("родион романович"); `root` is the full given name without it, also of a short form, where the language's table
    knows it.
    """

    core: tuple[str, ...]
    given: str = ""
    family: str = ""
    gender: str = ""
    wedded: str = ""
    rank: str = ""
    kin: bool = False
    modified: bool = False
    titled: bool = False
    root: str = ""

    @property
    def single(self) -> str:
        """The core where it is one name, not a full one."""
        return "" if self.given else " ".join(self.core)


@dataclass(frozen=True)
class _Titles:
    all: frozenset[str]
    suffixes: tuple[str, ...]
    particles: frozenset[str]
    origin: frozenset[str]
    elisions: tuple[str, ...]
    kin: frozenset[str]
    neutral: frozenset[str]
    plain: frozenset[str]
    masculine: frozenset[str]
    feminine: frozenset[str]
    wedded: frozenset[str]
    unwedded: frozenset[str]
    equals: dict[str, str]
    surnames: frozenset[str]
    spaced: bool


@lru_cache(maxsize=32)
def _titles(table: LanguageTable) -> _Titles:
    rules, names = table.kinship, table.names
    particles = {w for p in word_list(names, "particles") for w in p.split("-")}
    found = title_words(table)
    rows = (row.split() for row in word_list(rules, "equal_titles"))
    return _Titles(
        all=found,
        suffixes=tuple(sorted((t for t in found if not t.isascii()), key=len, reverse=True)),
        particles=frozenset(particles),
        origin=word_set(rules, "origin"),
        elisions=tuple(f"{e.lower()}'" for e in sorted(word_set(names, "elisions"))),
        kin=frozenset(map(fold_name, relation_words(table.kin))),
        neutral=word_set(table.titles, "neutral") | word_set(names, "modifiers"),
        plain=word_set(rules, "plain"),
        masculine=word_set(rules, "masculine"),
        feminine=word_set(rules, "feminine"),
        wedded=word_set(rules, "wedded"),
        unwedded=word_set(rules, "unwedded"),
        equals={word: row[0] for row in rows for word in row},
        surnames=frozenset((*word_list(names, "double_surnames"), *_surnames(table))),
        spaced=bool(table.sentences.get("spaced", True)) and bool(table.script.get("cased", False)),
    )


def _surnames(table: LanguageTable) -> tuple[str, ...]:
    listed = word_list(table.names, "surnames")
    if table.tag == "zh":  # single characters in a row
        return tuple("".join(listed))
    return listed


@lru_cache(maxsize=65536)
def name_parts(surface: str, table: LanguageTable) -> NameParts:
    """Return the parts of `surface`; a title alone has an empty core."""
    titles = _titles(table)
    words = [w for w in words_of(surface) if w not in ARTICLES]
    if not titles.spaced:
        return _joined(words, titles)
    parts = _spaced(words, titles, table)
    root = root_of(parts.given or parts.single, table)
    return replace(parts, root=root) if root else parts


def is_stub(surface: str, table: LanguageTable) -> bool:
    """Return whether all that stands before a title written onto it is one sign that is no family name (時先生)."""
    titles = _titles(table)
    word = fold_name(surface)
    for title in titles.suffixes:
        if word.endswith(title) and len(word) == len(title) + 1:
            return word[0] not in titles.surnames
    return len(word) == 1 and not word.isascii() and word not in titles.surnames


def _spaced(words: list[str], titles: _Titles, table: LanguageTable) -> NameParts:
    at = 0
    leading: list[str] = []
    modified = False
    while at < len(words):
        bare = words[at].rstrip(".")
        if bare in titles.neutral:
            modified = True
        elif bare in titles.all or bare in titles.kin:
            leading.append(bare)
        else:
            break
        at += 1
    rest = [_without_elision(w, titles.elisions) for w in words[at:]]
    split = next((i for i, w in enumerate(rest) if w in titles.particles or w != words[at + i]), None)
    core = [w for w in rest if w not in titles.particles]
    given = family = ""
    from_place = split is not None and rest[split] in titles.origin  # "Ida of Hale" is no given and family name
    if split is not None and 0 < split < len(rest) and len(core) > 1 and not from_place:
        given, family = rest[0], " ".join(w for w in rest[split:] if w not in titles.particles)
    elif split is None and len(core) > 1:
        core = list(with_patronymics(core, table))
        given, family = (core[0], core[-1]) if len(core) > 1 else ("", "")
    return _told(tuple(core), given if family else "", family, leading, modified, titles)


def _without_elision(word: str, elisions: tuple[str, ...]) -> str:
    for elision in elisions:
        if word.startswith(elision) and len(word) > len(elision) + 1:
            return word[len(elision) :]
    return word


def _joined(words: list[str], titles: _Titles) -> NameParts:
    """Return the parts in scripts where titles follow and the family name leads."""
    found: list[str] = []
    while len(words) > 1 and words[-1] in titles.all:
        found.append(words.pop())
    while len(words) > 1 and words[0] in titles.all:
        found.append(words.pop(0))
    core = "".join(words)
    for title in titles.suffixes:
        left = core[: -len(title)]
        if core.endswith(title) and left and (len(left) > 1 or left in titles.surnames or _KANA.match(title)):
            found.append(title)
            core = left
            break
    given = family = ""
    for size in (2, 1, 3):
        if core[:size] in titles.surnames and 1 <= len(core) - size <= 2 and len(core) > 2:
            family, given = core[:size], core[size:]
            break
    if core in titles.all:
        found.append(core)
        core = ""
    return _told((core,) if core else (), given, family, found, False, titles)


def _told(
    core: tuple[str, ...], given: str, family: str, found: list[str], modified: bool, titles: _Titles
) -> NameParts:
    canonical = [titles.equals.get(t, t) for t in found]
    words = {*found, *canonical}
    feminine, masculine = bool(words & titles.feminine), bool(words & titles.masculine)
    ranks = [t for t in canonical if t not in titles.plain and t not in titles.kin]
    return NameParts(
        core=core,
        given=given,
        family=family,
        gender="f" if feminine else "m" if masculine else "",
        wedded="no" if words & titles.unwedded else "yes" if words & titles.wedded else "",
        rank=ranks[0] if ranks else "",
        kin=any(t in titles.kin for t in found),
        modified=modified,
        titled=bool(found),
    )
