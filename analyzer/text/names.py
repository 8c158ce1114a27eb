"""Free matching of known names: an automaton over the whole text, boundaries checked only where it hits.

Longest match first, no overlaps. A surface that several entities bear is found with all their handles and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import NamedTuple
from unicodedata import normalize

from ahocorasick_rs import AhoCorasick, BytesAhoCorasick, Implementation, MatchKind

from analyzer.text.boundaries import KINDS, Boundaries
from analyzer.text.fold import SPACES, fold_name, without_invisible
from analyzer.text.languages import LanguageTable


class Mention(NamedTuple):
    """A known name at `[start, end)` code points; more than one of `handles` means ambiguous. `surface` is as it was given."""

    start: int
    end: int
    surface: str
    handles: tuple[str, ...]

    @property
    def ambiguous(self) -> bool:
        """True where several entities bear the surface."""
        return len(self.handles) > 1


class _Known(NamedTuple):
    """What a folded form stands for."""

    surface: str
    handles: tuple[str, ...]


_Hit = tuple[int, int, int]  # start, end (code points), number of the form
_GLYPHS = {"'": "'’‘ʼ", "-": "-‐‑", " ": SPACES}
_MOST_SPELLINGS = 64  # two spaces have 36, three 216; beyond this all glyphs of a kind within a name are taken to be the same
_CHUNK = 1 << 16  # code points searched at once, so that hits stay in cache: 25 ms instead of 30 for 2.6 million code points
_SURROGATE = re.compile("[\ud800-\udfff]")
_AT_HIT = -1  # the form of a pattern that several forms may spell


class _Automaton(NamedTuple):
    """Patterns of one width; `forms[i]` is the form that pattern `i` spells, `_AT_HIT` where only the text can say.

    The narrow one searches one byte a code point (Latin-1, anything else a question mark), so that its offsets are code
    points: searching str counts all code points before each hit and takes nearly twice as long (16 ms against 9 for 500
    names over 2.6 million).
    """

    search: AhoCorasick | BytesAhoCorasick
    forms: tuple[int, ...]
    longest: int

    @classmethod
    def narrow(cls, spelled: Mapping[str, int]) -> _Automaton:
        forms: dict[bytes, int] = {}
        for spelling, form in spelled.items():
            data = _narrowed(spelling)
            forms[data] = _AT_HIT if b"?" in data else form
        search = BytesAhoCorasick(list(forms), matchkind=MatchKind.Standard, implementation=Implementation.DFA)
        return cls(search, tuple(forms.values()), max(map(len, forms)))

    @classmethod
    def wide(cls, spelled: Mapping[str, int]) -> _Automaton:
        search = AhoCorasick(list(spelled), matchkind=MatchKind.Standard, implementation=Implementation.DFA)
        return cls(search, tuple(spelled.values()), max(map(len, spelled)))

    def hits(self, text: str) -> list[tuple[int, int, int]]:
        """Return (pattern, start, end) of every hit, overlaps included, by end."""
        if isinstance(self.search, BytesAhoCorasick):
            return self.search.find_matches_as_indexes(_narrowed(text), overlapping=True)
        try:
            return self.search.find_matches_as_indexes(text, overlapping=True)
        except UnicodeEncodeError:
            return self.search.find_matches_as_indexes(_SURROGATE.sub("\ufffd", text), overlapping=True)

    def chunks(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield ranges that cover `text` and cut no hit."""
        size = max(_CHUNK, 8 * self.longest)
        start = 0
        while len(text) - start > size:
            end = self._uncut(text, start + size)
            yield start, end
            start = end
        yield start, len(text)

    def _uncut(self, text: str, at: int) -> int:
        while True:
            low = max(0, at - self.longest)
            around = self.hits(text[low : at + self.longest])
            firsts = [low + start for _, start, end in around if low + start < at < low + end]
            if not firsts:
                return at
            at = min(firsts)


class NameMatcher:
    """Known names of a book as automata: build once a chapter, search any number of texts. Immutable in use.

    Glyphs, composed and decomposed letters are spelled out as patterns of their own, so that a text is searched as it is;
    only where it holds signs invisible inside words is it folded first, with a map back. A name written half composed,
    half decomposed is not found.
    """

    def __init__(self, forms: Mapping[str, _Known], table: LanguageTable) -> None:
        self._known = tuple(forms.values())
        self._numbers = {form: number for number, form in enumerate(forms)}
        self._boundaries = Boundaries(table)
        narrow: dict[str, int] = {}
        wide: dict[str, int] = {}
        for form, number in self._numbers.items():
            (narrow if max(form) <= "\xff" else wide).update(dict.fromkeys(_spellings(form), number))
        self._automata = [build(spelled) for build, spelled in ((_Automaton.narrow, narrow), (_Automaton.wide, wide)) if spelled]

    @classmethod
    def build(cls, names: Mapping[str, Sequence[str]], table: LanguageTable, *, all_caps: bool = False) -> NameMatcher:
        """Return a matcher for `names`: surface to the handles of the entities that bear it.

        Case counts; `all_caps` also finds each name in capitals (DANTÈS). Surfaces that fold to one form share its handles.
        Raises ValueError for a surface of nothing but spaces and invisible signs. Cost: 15 ms for 500 names.
        """
        forms: dict[str, _Known] = {}
        for surface, handles in names.items():
            form = fold_name(surface)
            if not form:
                raise ValueError(f"a name without any visible sign: {surface!r}")
            _add(forms, form, _Known(surface, tuple(handles)))
        if all_caps:
            capitals: dict[str, _Known] = {}
            for form, known in forms.items():
                if form.upper() not in forms:
                    _add(capitals, form.upper(), known)
            forms |= capitals
        return cls(forms, table)

    def find(self, text: str) -> list[Mention]:
        """Return every known name of `text` in order of appearance; offsets count in `text` as given.

        Cost: about 9 ms a megabyte of UTF-8 in a Latin script. Never raises, whatever the text holds.
        """
        folded = without_invisible(text)
        kept: list[_Hit] = []
        for automaton in self._automata:
            kept += self._search(automaton, folded.text)
        if not kept:
            return []
        if len(self._automata) > 1:
            kept = _longest_first(kept)
        starts, ends, numbers = zip(*kept, strict=True)
        if folded.starts is not None and folded.ends is not None:
            starts, ends = [folded.starts[start] for start in starts], [folded.ends[end - 1] for end in ends]
        surfaces, handles = zip(*map(self._known.__getitem__, numbers), strict=True)
        # tuple.__new__ skips the Python-level constructor of the named tuple: 3 ms instead of 10 for 18,000 mentions
        return list(map(partial(tuple.__new__, Mention), zip(starts, ends, surfaces, handles, strict=True)))

    def _search(self, automaton: _Automaton, text: str) -> list[_Hit]:
        kept: list[_Hit] = []
        padded = text + "\n"
        for base, end in automaton.chunks(text):
            standing = self._standing(automaton, padded, base, end)
            kept += standing if _apart(standing) else _longest_first(standing)
        return kept

    def _standing(self, automaton: _Automaton, padded: str, base: int, limit: int) -> list[_Hit]:
        """Return the hits of `[base, limit)` whose edges are boundaries, overlaps included."""
        kinds, holds, forms = KINDS, self._boundaries.holds, automaton.forms
        standing: list[_Hit] = []
        for pattern, start, end in automaton.hits(padded[base:limit]):
            start += base
            end += base
            # padded[-1] is a line feed: the neighbours always exist
            if (kinds[padded[start - 1]] or kinds[padded[end]]) and not holds(padded, start, end):
                continue
            form = forms[pattern]
            if form == _AT_HIT:
                form = self._numbers.get(fold_name(padded[start:end]), _AT_HIT)
                if form == _AT_HIT:
                    continue
            standing.append((start, end, form))
        return standing


def _narrowed(text: str) -> bytes:
    return text.encode("latin-1", "replace")


def _spellings(form: str) -> Iterator[str]:
    """Yield the ways a folded form is written: each apostrophe, hyphen and space glyph, composed and decomposed."""
    choices = [_GLYPHS.get(sign, sign) for sign in form]
    if prod(map(len, choices)) <= _MOST_SPELLINGS:
        written = ["".join(signs) for signs in product(*choices)]
    else:
        forms = (dict(zip(_GLYPHS, glyphs, strict=True)) for glyphs in product(*_GLYPHS.values()))
        written = [form.translate(str.maketrans(glyphs)) for glyphs in forms]
    for spelling in written:
        yield spelling
        decomposed = normalize("NFD", spelling)
        if decomposed != spelling:
            yield decomposed


def _add(forms: dict[str, _Known], form: str, known: _Known) -> None:
    first = forms.get(form, _Known(known.surface, ()))
    forms[form] = _Known(first.surface, tuple(dict.fromkeys((*first.handles, *known.handles))))


def _apart(hits: list[_Hit]) -> bool:
    reach = 0
    for start, end, _ in hits:
        if start < reach:
            return False
        reach = end
    return True


def _longest_first(hits: list[_Hit]) -> list[_Hit]:
    """Return hits without overlaps, in order: of those that overlap the longest stands, the first where equally long."""
    kept: list[_Hit] = []
    cluster: list[_Hit] = []
    longest, reach, crossed = hits[0], 0, False
    for hit in sorted(hits):
        start, end, _ = hit
        if start >= reach:
            if cluster:
                kept += _best_of(cluster) if crossed else (longest,)
            cluster, longest, reach, crossed = [hit], hit, end, False
            continue
        cluster.append(hit)
        if end > reach:
            crossed = crossed or start != longest[0]
            longest, reach = hit, end
    return kept + _best_of(cluster)


def _best_of(cluster: list[_Hit]) -> list[_Hit]:
    """Resolve hits that overlap in a chain."""
    kept: list[_Hit] = []
    for hit in sorted(cluster, key=lambda hit: (hit[0] - hit[1], hit[0])):
        if all(hit[1] <= other[0] or hit[0] >= other[1] for other in kept):
            kept.append(hit)
    return sorted(kept)
