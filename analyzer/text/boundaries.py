"""Where a name may begin and end, by script: words with spaces, Hangul with its particles, katakana runs, open Han and kana.

The rules look at the sign on each side of an edge. Letters, digits and marks of scripts that write spaces (Latin,
Cyrillic, Greek, ...) hold together; so do katakana, and Hangul on its left. Han and hiragana have no boundary to check.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from analyzer.text.fold import APOSTROPHES, HYPHENS, INVISIBLE
from analyzer.text.languages import LanguageTable

OPEN, WORD, HANGUL, KATAKANA, JOINER = range(5)
"""The kinds of a sign: no constraint, letter of a script with spaces, Hangul, katakana, apostrophe or hyphen."""

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u303c\u3041-\u309f\u3100-\u312f"
    "\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00016fe0-\U00018aff\U00020000-\U000323af]"
)
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL_RUN = re.compile("[\u1100-\u11ff\uac00-\ud7a3]+")


def _kind(sign: str) -> int:
    if sign in APOSTROPHES or sign in HYPHENS:
        return JOINER
    if _HANGUL.match(sign):
        return HANGUL
    if _KATAKANA.match(sign):
        return KATAKANA
    if _UNSPACED.match(sign):
        return OPEN
    return WORD if sign.isalnum() or unicodedata.category(sign)[0] == "M" else OPEN


class _Kinds(dict[str, int]):
    """Kinds by sign, worked out once each; at most one entry per code point ever seen."""

    def __missing__(self, sign: str) -> int:
        kind = self[sign] = _kind(sign)
        return kind


KINDS = _Kinds()
"""The kind of any single code point; a plain lookup after the first time."""


def _words(value: object) -> list[str]:
    """Return the words of a table entry: a string of words or a list of them."""
    if isinstance(value, str):
        return value.split()
    return [str(word) for word in value] if isinstance(value, list | tuple) else []


_ELISIONS = frozenset(
    _words("c d j l m n s t y qu jusqu lorsqu puisqu quoiqu presqu un dell all nell sull dall quell sant dev")
)
# French and Italian words that elide before a vowel; a name may stand behind their apostrophe. A table may add `elided_before`.

_PARTICLES = _words(
    """은 는 이 가 을 를 의 에 에게 에게서 에게로 에서 께 께서 께서는 한테 한테서 더러 보고 와 과 하고 랑
이랑 도 만 뿐 까지 마저 조차 부터 처럼 같이 보다 로 으로 로서 으로서 로써 으로써 로부터 으로부터 나 이나
든지 이든지 라도 이라도 야 이야 아 여 이여 들 네 란 이란 라 이라 라는 이라는 라고 이라고 라며 이라며
라면 이라면 라서 이라서 라니 이라니 인 인가 인지 인데 이고 이며 며 이면 면 이지 지 이니 니 이었다 이었던
였다 였던 이다 다 입니다 입니까 이에요 예요 이오 요 이랑은 만큼 대로 밖에 치고 커녕 은커녕 는커녕 마다 씩
이라든지 라든지 이자 이냐 냐 인들 이라도 이던 던 답게 답다 임 일
이올시다 올시다 이니까 니까 이랍니다 랍니다 이어야 여야 이어서 여서 이었고 였고 이었으나 였으나 이었지만
였지만 이지만 지만 이거든 거든 이더라 더라 이구나 구나 이로구나 로구나 이신 이셨다 이라던 라던 이란다 란다"""
)
_SUFFIXES = _words(
    """씨 님 군 양 옹 아저씨 아주머니 아줌마 할머니 할아버지 선생 선생님 사장 사장님 부장 과장 대리 회장 박사
교수 의사 형 형님 누나 누님 언니 오빠 어머니 아버지 엄마 아빠 댁 네 들 놈 년 이 선배 후배 대장 장군
대감 도령 아가씨 부인 여사 전하 폐하 공주 왕자 왕 황제 공 경 백작 공작 후작 자작 남작"""
)
# What Korean writes onto a name without a space: particles and copula endings, honorifics and kin or rank words (school
# grammar's closed classes; the rank words are our own list). A table may add `bound_particles` and `bound_suffixes`.


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))


class Boundaries:
    """The boundary rules of one language; plain lookups, no state but a cache of Hangul endings seen."""

    def __init__(self, table: LanguageTable) -> None:
        particles = [*_PARTICLES, *_words(table.names.get("bound_particles"))]
        suffixes = [*_SUFFIXES, *_words(table.names.get("bound_suffixes"))]
        # at most two suffixes and three particles: 김씨네들에게까지는 is about the longest that is written
        self._endings = re.compile(f"(?:{_any_of(suffixes)}){{0,2}}(?:{_any_of(particles)}){{0,3}}")
        self._elisions = _ELISIONS | {word.lower() for word in _words(table.names.get("elided_before"))}
        self._seen: dict[str, bool] = {}

    def holds(self, text: str, start: int, end: int) -> bool:
        """Tell whether a name may stand at `[start, end)` of `text`; the range must not be empty."""
        return self.ends(text, end) and self.begins(text, start)

    def begins(self, text: str, start: int) -> bool:
        """Tell whether a name may begin at `start`."""
        if start == 0:
            return True
        before, edge = KINDS[text[start - 1]], KINDS[text[start]]
        if before == OPEN or edge in (OPEN, JOINER):
            return True
        if before == JOINER:
            return edge != WORD or self._begins_joined(text, start)
        return before != edge

    def ends(self, text: str, end: int) -> bool:
        """Tell whether a name may end at `end`."""
        if end == len(text):
            return True
        edge, after = KINDS[text[end - 1]], KINDS[text[end]]
        if after == OPEN or edge in (OPEN, JOINER):
            return True
        if after == JOINER:
            return edge != WORD or _ends_joined(text, end)
        if edge == after == HANGUL:
            return self._is_ending(text, end)
        return edge != after

    def _is_ending(self, text: str, end: int) -> bool:
        found = _HANGUL_RUN.match(text, end)
        if found is None:
            return False
        run = found.group()
        known = self._seen.get(run)
        if known is None:
            known = self._seen[run] = self._endings.fullmatch(unicodedata.normalize("NFC", run)) is not None
        return known

    def _begins_joined(self, text: str, start: int) -> bool:
        """Judge a name behind an apostrophe or hyphen: d’Artagnan and ex-Danglars hold Artagnan and Danglars; O’Brien no Brien."""
        joiner, at = start - 1, start - 1
        while at > 0 and KINDS[text[at - 1]] == WORD:
            at -= 1
        word = text[at:joiner]
        if not word:
            return True
        return not word[0].isupper() if text[joiner] in HYPHENS else word.lower() in self._elisions


_POSSESSIVES = ("s ", "s,", "s.")


def _ends_joined(text: str, end: int) -> bool:
    """Judge a name before an apostrophe or hyphen: Dantès’s holds Dantès, Jean-Luc no Jean, Don’t no Don."""
    at = end + 1
    if text[at : at + 2] in _POSSESSIVES and text[end] in APOSTROPHES:  # by far the most frequent
        return True
    while at < len(text) and KINDS[text[at]] == WORD:
        at += 1
    word = text[end + 1 : at]
    if not word:
        return True
    if text[end] in HYPHENS:
        return not word[0].isupper()
    if word.lower() == "t" and text[end - 1] in "nN":
        return False
    return len(word) == 1 or not word[0].isupper()


def cuts_word(text: str, at: int) -> bool:
    """Tell whether `at` lies inside a written word: she can|not, is|n’t, 좋아|하지; never inside Han or kana."""
    while at < len(text) and text[at] in INVISIBLE:
        at += 1
    if not 0 < at < len(text):
        return False
    before, after = KINDS[text[at - 1]], KINDS[text[at]]
    if after == JOINER and before == WORD and text[at] in APOSTROPHES:
        return text[at + 1 : at + 2].lower() == "t" and not text[at + 2 : at + 3].isalnum()
    return before == after and before in (WORD, HANGUL)
