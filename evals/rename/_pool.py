"""Invented name parts: nowhere in the text, in the grammatical class of the old part, so that nothing around it has to change."""

from __future__ import annotations

import random
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

Role = Literal["given", "family", "place", "other"]
TRIES = 4000
"""Draws for one part before the check is eased; a text of 100,000 signs needs some dozens."""
_VOWELS = frozenset("aeiouаеиоуыэюяё")
_HANGUL = 0xAC00
_LIEUL = 8
LEAST_LETTERS = 5
"""Letters an invented part has at least: shorter ones are mostly words or names of some language."""
_NEAR = 1
"""Letters by which an invented part may be longer or shorter than the old one."""


@lru_cache(maxsize=1)
def pool() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the tables of `pool.toml`: language -> kind of piece -> pieces."""
    raw = tomllib.loads(files("evals.rename").joinpath("pool.toml").read_text("utf-8"))
    return {lang: {key: tuple(value.split()) for key, value in table.items()} for lang, table in raw.items()}


@dataclass(frozen=True)
class Part:
    """One part of old names, composed.

    `vowel` says that the text treats it as beginning with a vowel; `like` is a longer part of the same person that it begins
    like (Kezzy like Keziah), with the number of letters they share.
    """

    text: str
    role: Role
    vowel: bool = False
    like: tuple[str, int] | None = None


@dataclass
class Inventor:
    """Draws parts for one text: `text` is all that is printed, `old` are the old parts, `listed` ordinary words of the language.

    A family name among `families` (those that the language's table knows) is replaced by another of them, because a reader
    knows such a name for one by its sign alone; likewise `syllables` of Korean given names. What was drawn is kept apart from what comes.
    """

    language: str
    text: str
    old: frozenset[str]
    cased: bool
    listed: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    syllables: frozenset[str] = frozenset()
    drawn: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._folded = unicodedata.normalize("NFC", self.text).casefold()
        self._words = frozenset(re.findall(r"[^\W\d_]+", self._folded))
        self._old = frozenset(part.casefold() for part in self.old)
        self._pairs = frozenset(map("".join, pairwise(self._folded)))

    def invent(self, part: Part, rng: random.Random) -> str:
        """Return a new part for `part`; raises ValueError where the pool has nothing that fits."""
        draws = self._drawer(part, rng)
        for check in (self._is_new, self._is_apart):
            for _ in range(TRIES):
                new = draws()
                if new and _same_class(part.text, new, self.language) and check(new):
                    self.drawn[part.text] = new
                    return new
        raise ValueError(f"no invented name fits {part.text!r}")

    def _drawer(self, part: Part, rng: random.Random) -> Callable[[], str]:
        table = pool().get(self.language) or pool()["en"]
        if part.like and part.like[0] in self.drawn:
            stem = self.drawn[part.like[0]][: part.like[1]]
            return lambda: _lettered(part, table, rng, stem)
        if self.cased or not _is_cjk(part.text[0]):
            return lambda: _lettered(part, table if self.cased else pool()["en"], rng)
        known = self._known_families(part, table)
        if known:
            return lambda: rng.choice(known)
        if part.role == "given" and self.syllables.issuperset(part.text):
            table = {key: tuple(sign for sign in row if sign in self.syllables) for key, row in table.items()}
        return lambda: _signed(part, table, rng, self.language)

    def _known_families(self, part: Part, table: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
        if part.role != "family" or part.text not in self.families:
            return ()
        both = {
            *table.get("family", ()),
            *table.get("family_long", ()),
        }  # of Chinese those that both scripts write alike
        found = self.families & both if self.language == "zh" else self.families
        return tuple(sorted(name for name in found if len(name) == len(part.text)))

    def _is_new(self, new: str) -> bool:
        """Nothing printed holds it, it holds nothing printed: neither name nor word (from four letters on, pairs of signs)."""
        low = new.casefold()
        if not self._is_apart(new):
            return False
        if not _is_cjk(new[0]) or _is_kana(new):
            inner = any(low[i:j] in self._words for i in range(len(low)) for j in range(i + 4, len(low) + 1))
            return not inner and (len(low) < 4 or low not in self._folded)
        if len(new) == 1:
            return new not in self._folded
        return not any(low[i : i + 2] in self._pairs for i in range(len(low) - 1))

    def _is_apart(self, new: str) -> bool:
        """No word of the text, no old part, and neither inside another new part nor around one."""
        low = new.casefold()
        others = [other.casefold() for other in self.drawn.values()]
        if low in self._words or low in self._old or low in others or low in self.listed:
            return False
        if len(low) == 1:
            return True
        if _is_cjk(new[0]) and low in self._folded:
            return False
        least = 2 if _is_cjk(new[0]) else 4
        return not any(o in low for o in (*self._old, *others) if len(o) >= least) and not any(
            low in o for o in others if len(low) >= least
        )


def _is_cjk(sign: str) -> bool:
    return unicodedata.name(sign, "").startswith(("HANGUL", "CJK", "HIRAGANA", "KATAKANA"))


def _is_kana(word: str) -> bool:
    return all(unicodedata.name(sign, "").startswith(("HIRAGANA", "KATAKANA")) for sign in word)


def final_of(word: str) -> int:
    """Return how the last Hangul sign ends for particles: 0 in a vowel, 1 in ㄹ, 2 in another consonant; -1 for no Hangul."""
    code = ord(word[-1]) - _HANGUL
    if not 0 <= code < 11172:
        return -1
    return {0: 0, _LIEUL: 1}.get(code % 28, 2)


def _plain(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0].casefold()


def end_of(word: str, language: str) -> str:
    """Return the class of a lettered part's end: hiss, open, vowel or closed; a final "ah" is open."""
    table = pool().get(language) or pool()["en"]
    if word[-1].casefold() in table.get("hisses", ()):
        return "hiss"
    last = _plain(word[-1])
    if last in "aа" or (last == "h" and _plain(word[-2:-1] or "x") == "a"):
        return "open"
    return "vowel" if last in _VOWELS or last == "y" else "closed"


def begins_with_vowel(word: str) -> bool:
    """Tell whether a part's first letter is a vowel."""
    return _plain(word[0]) in _VOWELS


def _same_class(old: str, new: str, language: str) -> bool:
    if _is_cjk(old[0]):
        return final_of(old) == final_of(new)
    return end_of(old, language) == end_of(new, language) and _plain(old[0]) != _plain(new[0])


def _lettered(part: Part, table: dict[str, tuple[str, ...]], rng: random.Random, stem: str = "") -> str:
    """Return one draw of a part in letters, "" where it came out too long or too short."""
    size = max(LEAST_LETTERS, len(part.text))
    word = stem or rng.choice(table["vowel_starts" if part.vowel else "starts"])
    kinds: Iterator[str] = iter(("nuclei", "onsets") * size)
    if stem:
        kinds = iter(("nuclei", "onsets") * size if not begins_with_vowel(stem[-1]) else ("onsets", "nuclei") * size)
    ending = rng.choice(table[_end_class(part.text, table)])
    for kind in kinds:
        if len(word) + len(ending) >= size - rng.randint(0, 1) and begins_with_vowel(word[-1]) != begins_with_vowel(
            ending
        ):
            break
        word += rng.choice(table[kind])
    word += ending
    near = _NEAR + 2 * bool(stem)
    return word if len(word) >= LEAST_LETTERS and abs(len(word) - size) <= near else ""


def _end_class(old: str, table: dict[str, tuple[str, ...]]) -> str:
    language = next((lang for lang, other in pool().items() if other is table), "en")
    return end_of(old, language)


def _signed(part: Part, table: dict[str, tuple[str, ...]], rng: random.Random, language: str) -> str:
    """Return one draw of a part in Hangul, Han or kana, of as many signs as the old one."""
    size = len(part.text)
    for kana in ("katakana", "hiragana"):
        if unicodedata.name(part.text[0]).startswith(kana.upper()):
            rows = [table[kana]] * size
            if kana == "katakana" and size > 2:
                rows[-1] = table["katakana_last"]
            return "".join(map(rng.choice, rows))
    word = "".join(map(rng.choice, _rows(part, table, size, language)))
    return word if all(a != b for a, b in pairwise(word)) else ""


def _rows(part: Part, table: dict[str, tuple[str, ...]], size: int, language: str) -> list[tuple[str, ...]]:
    if part.role == "family" and "family_first" in table and size > 1:
        return [table["family_first"], *[table["family_last"]] * (size - 1)]
    if part.role == "family" and size == 2:
        return [table["family_long"]]
    if part.role == "family" and size == 1:
        return [table["family"]]
    if part.role == "place":
        end = part.text[-1]  # 안동 keeps 동, by which it is known for a place
        return [*[table["place"]] * (size - 1), (end,) if size > 1 and end in table["place_ends"] else table["place"]]
    feminine = part.text[-1] in pool()["feminine"].get(language, ())
    last = table["last_f" if feminine else "last"]
    return [*[table["first"]] * (size - 1), last]
