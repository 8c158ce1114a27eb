"""Free matching of known names: an automaton over the whole text, boundaries checked only where it hits.

Longest match first, no overlaps. A surface that several entities bear is found with all their handles and never guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple
from unicodedata import normalize

from ahocorasick_rs import AhoCorasick, BytesAhoCorasick, Implementation, MatchKind

from analyzer.text.boundaries import HANGUL, JOINER, KATAKANA, KINDS, OPEN, WORD, Boundaries
from analyzer.text.cases import case_forms
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
GLYPHS = {"'": "'’‘ʼ", "-": "-‐‑", " ": SPACES}
_MOST_SPELLINGS = (
    64  # two spaces have 36, three 216; beyond this all glyphs of a kind within a name are taken to be the same
)
_CHUNK = (
    1 << 15
)  # code points searched at once, so that hits stay in cache (best of 4 to 128 k; 29 ms, a novel at once 33)
_NARROW = ("latin-1", "cp1251", "cp1253")  # one byte a code point: Latin, Cyrillic and Greek, each with ASCII
_KINDS = (MatchKind.LeftmostLongest, MatchKind.Standard)
LONGEST_NAME = 300
"""Code points; anything longer is no name, and what the automaton costs to build grows with the square of a repetitive one."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_AT_HIT = -1  # the form of a pattern that several forms may spell


class _Automaton(NamedTuple):
    """Patterns of one width; `forms[i]` is the form that pattern `i` spells, `_AT_HIT` where only the text can say.

    The narrow one searches one byte a code point (what `codec` has, a question mark for the rest), so that its offsets are
    code points: searching str counts all code points before each hit and takes nearly twice as long (16 ms against 9 for
    500 names over 2.6 million; Cyrillic 24 against 8 for 1.1 million).

    `leftmost` skips what lies inside or across a hit; that loses nothing unless a hit of `if_dropped` does not stand or one
    of `if_kept` does, and then `overlapping` has to look again. `special` marks the patterns that need a closer look at each
    hit, `lefts` and `rights` the kinds that may not stand beside.
    """

    codec: str
    leftmost: AhoCorasick | BytesAhoCorasick
    overlapping: AhoCorasick | BytesAhoCorasick
    forms: tuple[int, ...]
    if_dropped: tuple[bool, ...]
    if_kept: tuple[bool, ...]
    special: tuple[bool, ...]
    lefts: tuple[int, ...]
    rights: tuple[int, ...]
    longest: int

    @classmethod
    def narrow(cls, spelled: Mapping[str, int], codec: str, kind: Implementation) -> _Automaton:
        forms: dict[bytes, int] = {}
        for spelling, form in spelled.items():
            data = spelling.encode(codec, "replace")
            forms[data] = _AT_HIT if b"?" in data else form
        searches = [BytesAhoCorasick(list(forms), match, kind) for match in _KINDS]
        return cls._of(codec, searches, [data.decode(codec) for data in forms], forms.values())

    @classmethod
    def wide(cls, spelled: Mapping[str, int], kind: Implementation) -> _Automaton:
        searches = [AhoCorasick(list(spelled), match, False, kind) for match in _KINDS]
        return cls._of("", searches, list(spelled), spelled.values())

    @classmethod
    def _of(
        cls,
        codec: str,
        searches: Sequence[AhoCorasick | BytesAhoCorasick],
        patterns: list[str],
        forms: Iterable[int],
    ) -> _Automaton:
        known = set(patterns)
        tails = [[p[i:] for i in _edges(p).begins] for p in patterns]
        longest_after = _longest_after(patterns, {tail for own in tails for tail in own})
        crossing = [max((longest_after[tail] for tail in own), default=0) for own in tails]
        if_dropped = tuple(size > 0 or _holds_other(p, known) for p, size in zip(patterns, crossing, strict=True))
        if_kept = tuple(size > len(p) for p, size in zip(patterns, crossing, strict=True))
        numbers = tuple(forms)
        special = tuple(kept or form == _AT_HIT for kept, form in zip(if_kept, numbers, strict=True))
        lefts = tuple(_closed(pattern[0], (WORD, HANGUL, KATAKANA)) for pattern in patterns)
        rights = tuple(_closed(pattern[-1], (WORD, KATAKANA)) for pattern in patterns)
        longest = max(map(len, patterns))
        leftmost, overlapping = searches
        return cls(codec, leftmost, overlapping, numbers, if_dropped, if_kept, special, lefts, rights, longest)

    def is_all(self, pattern: int, form: int) -> bool:
        """Tell whether nothing that `leftmost` skipped could stand instead of this hit; `form` is what it was judged to be."""
        return not (self.if_dropped[pattern] if form == _AT_HIT else self.if_kept[pattern])

    def hits(self, text: str, *, overlapping: bool) -> list[tuple[int, int, int]]:
        """Return (pattern, start, end) of every hit, by end."""
        search = self.overlapping if overlapping else self.leftmost
        if isinstance(search, BytesAhoCorasick):
            return search.find_matches_as_indexes(text.encode(self.codec, "replace"), overlapping)
        try:
            return search.find_matches_as_indexes(text, overlapping)
        except UnicodeEncodeError:
            return search.find_matches_as_indexes(_SURROGATE.sub("\ufffd", text), overlapping)


def _closed(sign: str, kinds: tuple[int, ...]) -> int:
    """Return the kind of a name's outer sign that no sign of the same kind may stand beside; -1 where any may."""
    return KINDS[sign] if KINDS[sign] in kinds else -1


class _Edges(NamedTuple):
    """Where inside a pattern another name may begin, and where one may end."""

    begins: tuple[int, ...]
    ends: tuple[int, ...]


@lru_cache(maxsize=16384)
def _edges(pattern: str) -> _Edges:
    """Return the edges inside a pattern; remembered, since a book's names come again chapter after chapter."""
    begins = tuple(i for i in range(1, len(pattern)) if _parts(pattern, i))
    inside = set(begins)
    return _Edges(begins, tuple(i for i in range(1, len(pattern)) if i in inside or KINDS[pattern[i]] == HANGUL))


def _holds_other(pattern: str, known: set[str]) -> bool:
    """Tell whether a known pattern lies inside this one where it might stand."""
    begins, ends = _edges(pattern)
    size = len(pattern)
    return any(pattern[i:j] in known for i in (0, *begins) for j in (*ends, size) if 0 < j - i < size)


def _longest_after(patterns: Sequence[str], tails: Iterable[str]) -> dict[str, int]:
    """Return for each of `tails` the length of the longest pattern that begins with it and goes on; 0 where none does."""
    ordered = sorted(patterns)
    longest: dict[str, int] = {}
    for tail in tails:
        longest[tail] = 0
        for at in range(bisect_right(ordered, tail), len(ordered)):
            if not ordered[at].startswith(tail):
                break
            longest[tail] = max(longest[tail], len(ordered[at]))
    return longest


def _parts(pattern: str, at: int) -> bool:
    """Tell whether a name might begin at `at` inside a pattern: never within a word; a question mark may stand for any sign."""
    before, after = KINDS[pattern[at - 1]], KINDS[pattern[at]]
    return before != after or before in (OPEN, JOINER) or "?" in pattern[at - 1 : at + 1]


class NameMatcher:
    """Known names of a book as automata: build once a chapter, search any number of texts. Immutable in use.

    Glyphs, composed and decomposed letters are spelled out as patterns of their own, so that a text is searched as it is;
    only where it holds signs invisible inside words is it folded first, with a map back. A name written half composed,
    half decomposed is not found.
    """

    def __init__(self, forms: Mapping[str, _Known], table: LanguageTable, signs: frozenset[str]) -> None:
        written: Callable[[str], bool] = signs.issuperset if signs else lambda _spelling: True
        # a table for a whole book is built once and searched over megabytes; for one chapter, building is most of the cost
        kind = Implementation.ContiguousNFA if signs else Implementation.DFA
        self._known = tuple(forms.values())
        self._numbers = {form: number for number, form in enumerate(forms)}
        self._boundaries = _boundaries(table)
        codec = max(_NARROW, key=lambda codec: sum(_fits(form, codec) for form in forms))
        narrow: dict[str, int] = {}
        wide: dict[str, int] = {}
        for form, number in self._numbers.items():
            spelled = dict.fromkeys(filter(written, _spellings(form, signs)), number)
            (narrow if _fits(form, codec) else wide).update(spelled)
        self._automata = [_Automaton.narrow(narrow, codec, kind)] if narrow else []
        if wide:
            self._automata.append(_Automaton.wide(wide, kind))
        known = [self._known[form] for form in self._automata[0].forms] if self._automata else []
        self._surfaces = [surface for surface, _ in known]  # by pattern of the first automaton
        self._handles = [handles for _, handles in known]
        self._longest = max((automaton.longest for automaton in self._automata), default=0)

    @classmethod
    def build(
        cls, names: Mapping[str, Sequence[str]], table: LanguageTable, *, all_caps: bool = False, text: str = ""
    ) -> NameMatcher:
        """Return a matcher for `names`: surface to the handles of the entities that bear it.

        Case counts; `all_caps` also finds each name in capitals (DANTÈS). With `text` only ways of writing that it has signs
        for are built: a matcher for that text alone, at a tenth of the cost. Surfaces that fold to one form share its handles.
        In a language with case forms each name is found in all of them, as the name given.
        Raises ValueError for a surface without a visible sign or of more than `LONGEST_NAME`. Cost: 15 ms for 500 names.
        """
        forms: dict[str, _Known] = {}
        for surface, handles in names.items():
            form = fold_name(surface)
            if not 0 < len(form) <= LONGEST_NAME:
                raise ValueError(
                    f"a name of {len(form)} visible signs, 1 to {LONGEST_NAME} are allowed: {surface[:40]!r}"
                )
            _add(forms, form, _Known(surface, tuple(handles)))
        _add_cases(forms, names, table)
        if all_caps:
            capitals: dict[str, _Known] = {}
            for form, known in forms.items():
                if form.upper() not in forms:
                    _add(capitals, form.upper(), known)
            forms |= capitals
        return cls(forms, table, frozenset(text))

    def find(self, text: str) -> list[Mention]:
        """Return every known name of `text` in order of appearance; offsets count in `text` as given.

        Cost: about 10 ms a megabyte of UTF-8 in a Latin script at 4 to 7 mentions a kilobyte. Never raises, whatever the text holds.
        """
        if not self._automata:
            return []
        folded = without_invisible(text)
        # the last sign is a space, so that both neighbours of a hit always exist: padded[-1] is the one before the first
        padded = folded.text if folded.text[-1:].isspace() else folded.text + "\n"
        mentions: list[Mention] = []
        for base, limit in self._chunks(padded):
            if len(self._automata) == 1:
                self._add_leftmost(mentions, padded, base, limit)
            else:
                mentions += map(self._mention, _longest_first(self._standing(padded, base, limit)))
        if folded.starts is None or folded.ends is None:
            return mentions
        return [Mention(folded.starts[m.start], folded.ends[m.end - 1], m.surface, m.handles) for m in mentions]

    def _mention(self, hit: _Hit) -> Mention:
        start, end, form = hit
        return Mention(start, end, *self._known[form])

    def _add_leftmost(self, mentions: list[Mention], padded: str, base: int, limit: int) -> None:
        """Add the mentions of `[base, limit)` by the leftmost hits of the only automaton, looking again where they may not do."""
        automaton, kinds, new, append = self._automata[0], KINDS, tuple.__new__, mentions.append
        special, lefts, rights = automaton.special, automaton.lefts, automaton.rights
        surfaces, handles = self._surfaces, self._handles
        done = base
        for pattern, start, end in automaton.hits(padded[base:limit], overlapping=False):
            start += base
            end += base
            before, after = kinds[padded[start - 1]], kinds[padded[end]]
            if before or after or special[pattern]:
                if start < done:
                    continue
                if before == lefts[pattern] or after == rights[pattern]:
                    form = _AT_HIT
                else:
                    form = self._judge(padded, start, end, automaton.forms[pattern])
                if not automaton.is_all(pattern, form):
                    done = self._uncut(padded, end)
                    mentions += map(self._mention, _longest_first(self._standing(padded, start, done)))
                elif form != _AT_HIT:
                    append(self._mention((start, end, form)))
            elif start >= done:
                # tuple.__new__ skips the named tuple's constructor: 3 ms instead of 8 for 18,000 mentions
                append(new(Mention, (start, end, surfaces[pattern], handles[pattern])))

    def _standing(self, padded: str, base: int, limit: int) -> list[_Hit]:
        """Return all hits of `[base, limit)` whose edges are boundaries, overlaps included."""
        standing: list[_Hit] = []
        for automaton in self._automata:
            for pattern, start, end in automaton.hits(padded[base:limit], overlapping=True):
                form = self._judge(padded, base + start, base + end, automaton.forms[pattern])
                if form != _AT_HIT:
                    standing.append((base + start, base + end, form))
        return standing

    def _judge(self, padded: str, start: int, end: int, form: int) -> int:
        """Return the form of a hit, `_AT_HIT` where it does not stand."""
        if (KINDS[padded[start - 1]] or KINDS[padded[end]]) and not self._boundaries.holds(padded, start, end):
            return _AT_HIT
        return self._numbers.get(fold_name(padded[start:end]), _AT_HIT) if form == _AT_HIT else form

    def _chunks(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield ranges that cover `text` and cut no hit."""
        start = 0
        while start < len(text):
            end = self._uncut(text, start + _CHUNK)
            yield start, end
            start = end

    def _uncut(self, text: str, at: int) -> int:
        """Return the first offset from `at` on that cuts no hit, standing or not."""
        while at < len(text):
            low = max(0, at - self._longest)
            around = text[low : at + self._longest]
            hits = [hit for automaton in self._automata for hit in automaton.hits(around, overlapping=True)]
            lasts = [low + end for _, start, end in hits if low + start < at < low + end]
            if not lasts:
                return at
            at = max(lasts)
        return len(text)


def _fits(form: str, codec: str) -> bool:
    """Tell whether enough of a form is left in a codec: two signs of three (é is none of cp1251's, ő none of Latin-1's)."""
    return form.encode(codec, "replace").count(b"?") * 3 <= len(form)


@lru_cache(maxsize=16)
def _boundaries(table: LanguageTable) -> Boundaries:
    """Return the one set of boundary rules of a language."""
    return Boundaries(table)


def _spellings(form: str, signs: frozenset[str]) -> Iterator[str]:
    """Yield the ways a folded form is written: each apostrophe, hyphen and space glyph, composed and decomposed.

    Where `signs` are given those with a glyph that is none of them may be left out.
    """
    choices = [GLYPHS.get(sign, sign) for sign in form]
    if prod(map(len, choices)) <= _MOST_SPELLINGS:
        if signs:
            choices = ["".join(filter(signs.__contains__, glyphs)) if len(glyphs) > 1 else glyphs for glyphs in choices]
        written = ["".join(picked) for picked in product(*choices)]
    else:
        used = {
            ord(sign): [g for g in glyphs if not signs or g in signs] for sign, glyphs in GLYPHS.items() if sign in form
        }
        written = [form.translate(dict(zip(used, glyphs, strict=True))) for glyphs in product(*used.values())]
    for spelling in written:
        yield spelling
        decomposed = normalize("NFD", spelling)
        if decomposed != spelling:
            yield decomposed


def _add(forms: dict[str, _Known], form: str, known: _Known) -> None:
    first = forms.get(form, _Known(known.surface, ()))
    forms[form] = _Known(first.surface, tuple(dict.fromkeys((*first.handles, *known.handles))))


def _add_cases(forms: dict[str, _Known], names: Mapping[str, Sequence[str]], table: LanguageTable) -> None:
    """Add what each name is declined to; a form that is a known name itself stays that name's alone."""
    declined: dict[str, _Known] = {}
    for surface, handles in names.items():
        for case in case_forms(surface, table):
            form = fold_name(case)
            if form not in forms:
                _add(declined, form, _Known(surface, tuple(handles)))
    forms |= declined


def _longest_first(hits: list[_Hit]) -> list[_Hit]:
    """Return hits without overlaps, in order: of those that overlap the longest stands, the first where equally long."""
    kept: list[_Hit] = []
    cluster: list[_Hit] = []
    longest, reach, crossed = (0, 0, _AT_HIT), 0, False
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
