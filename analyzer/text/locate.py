"""Where a quote stands: exact, folded, stitched, or a fuzzy suggestion; offsets count in the author's own text.

`exact`: the slice equals the quote. `folded`: they differ in glyphs only (quotes, spacing, hyphens, soft hyphens, dashes,
full-width forms; see `fold_quote`), or in nothing but case; never in both. `stitched`: the quote leaves words out at an
ellipsis that the text does not have; each piece stands, in order, but together they prove nothing (one may have dropped a
"not"). `fuzzy`: anything else that is near, punctuation and a cut word included; a suggestion, never evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from analyzer.models.text import Span
from analyzer.text.boundaries import cuts_word
from analyzer.text.fold import CJK, Folded, fold_quote, narrow

State = Literal["exact", "folded", "stitched", "fuzzy"]


class Located(NamedTuple):
    """A quote at `[start, end)` code points of the text; `score` is 0 to 1, 1 where all its letters stand there in order."""

    start: int
    end: int
    state: State
    score: float


LEAST_SCORE = 0.62
"""Below this a fuzzy place is no suggestion; source: `python -m evals.bench locate` (altered quotes against quotes of another text)."""
_MOST_PLACES = 8  # a word pair that stands more often votes for nothing: "of the" in a chapter of 4,000 words
_MOST_TRIES = 24  # occurrences of one string that are looked at
_MOST_GAP = 600  # code points an ellipsis may leave out: about a paragraph
_MOST_ALIGNED = (
    1_000  # letters of a quote that shares no rare word: aligning 18,000 with a long chapter takes half a minute
)
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.{3})\s*\]|\(\s*(?:…|\.{3})\s*\)|…+|⋯+|\.{3,}|\.(?: \.){2,})\s*")
_TOKEN = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")


def _lower(text: str) -> str:
    """Lower case of the same length."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    return low.replace("ς", "σ")


def _words(text: str) -> list[str]:
    return _TOKEN.findall(_lower(text))


class Locator:
    """Finds quotes in one text (a chapter); built once, asked often.

    Cost: 10 ms for 23,000 code points at the first fuzzy quote, 1 ms before; then 10 to 150 microseconds a quote.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def locate(self, quote: str) -> Located | None:
        """Return where `quote` stands best, or None where nothing is near; a quote without letters must stand exactly."""
        for start in _occurrences(self._text, quote):
            if not cuts_word(self._text, start) and not cuts_word(self._text, start + len(quote)):
                return Located(start, start + len(quote), "exact", 1.0)
        narrowed = narrow(quote).text
        words = _words(narrowed)
        if not words:
            return None
        same = self._same_letters(quote, narrowed, "".join(words))
        if same is not None and same.state == "folded":
            return same
        stitched = self._stitched(quote) if _ELLIPSIS.search(quote) else None
        return stitched or same or self._near(narrowed, words)

    @cached_property
    def _narrowed(self) -> Folded:
        return narrow(self._text)

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        """The letters and digits of the text alone, in lower case, and where each stands in `_narrowed`."""
        at: list[int] = []
        for span in self._tokens[1]:
            at += range(*span)
        return "".join(self._tokens[0]), at

    def _same_letters(self, quote: str, narrowed: str, letters: str) -> Located | None:
        """Find the same letters with anything between them: folded where only glyphs differ, else fuzzy."""
        best: Located | None = None
        for start, end in self._places(narrowed, letters):
            written = self._text[start:end]
            if fold_quote(written) == fold_quote(quote) or (
                len(written) == len(quote) and _lower(written) == _lower(quote)
            ):
                return Located(start, end, "folded", 1.0)
            best = best or Located(start, end, "fuzzy", 1.0)
        return best

    def _places(self, narrowed: str, letters: str) -> Iterator[Span]:
        """Yield where the same letters stand and no word is cut, with the punctuation the quote has around them."""
        index, at = self._letters
        for first in _occurrences(index, letters):
            span = self._narrowed.span(at[first], at[first + len(letters) - 1] + 1)
            if not cuts_word(self._text, span.start) and not cuts_word(self._text, span.end):
                yield self._widened(span, narrowed)

    def _widened(self, span: Span, narrowed: str) -> Span:
        """Return `span` (first to last letter) with the punctuation the quote has before and after its letters."""
        first, last = 0, len(narrowed)
        while not narrowed[first].isalnum():
            first += 1
        while not narrowed[last - 1].isalnum():
            last -= 1
        lead, tail = narrowed[:first], narrowed[last:]
        end = span.end + _matching(self._text[span.end : span.end + 12], tail) if tail else span.end
        before = self._text[max(0, span.start - 12) : span.start][::-1]
        start = span.start - _matching(before, lead[::-1]) if lead else span.start
        return Span(start, end)

    def _stitched(self, quote: str) -> Located | None:
        """Find the pieces between ellipses in order, each exact or folded, none farther than a paragraph from the last."""
        pieces = [piece for piece in _ELLIPSIS.split(quote) if _TOKEN.search(piece)]
        if not pieces:
            return None
        for first in self._glyph_places(pieces[0]):
            spans = [first]
            for piece in pieces[1:]:
                after = next((p for p in self._glyph_places(piece) if 0 <= p.start - spans[-1].end <= _MOST_GAP), None)
                if after is None:
                    break
                spans.append(after)
            if len(spans) == len(pieces):
                kept = sum(span.end - span.start for span in spans)
                return Located(first.start, spans[-1].end, "stitched", kept / (spans[-1].end - first.start))
        return None

    def _glyph_places(self, piece: str) -> Iterator[Span]:
        """Yield every place of a piece from which it differs in glyphs only, in order."""
        narrowed = narrow(piece).text
        folded = fold_quote(piece)
        for span in self._places(narrowed, "".join(_words(narrowed))):
            if fold_quote(self._text[span.start : span.end]) == folded:
                yield span

    @cached_property
    def _tokens(self) -> tuple[list[str], list[Span]]:
        """The words (single signs of Han and kana) of the text in lower case, and where each stands in `_narrowed`."""
        found = list(_TOKEN.finditer(_lower(self._narrowed.text)))
        return [match.group() for match in found], [Span(*match.span()) for match in found]

    @cached_property
    def _pairs(self) -> dict[tuple[str, str], list[int]]:
        words = self._tokens[0]
        pairs: dict[tuple[str, str], list[int]] = {}
        for number, pair in enumerate(pairwise(words)):
            pairs.setdefault(pair, []).append(number)
        return pairs

    @cached_property
    def _singles(self) -> dict[str, list[int]]:
        singles: dict[str, list[int]] = {}
        for number, word in enumerate(self._tokens[0]):
            singles.setdefault(word, []).append(number)
        return singles

    def _near(self, narrowed: str, words: list[str]) -> Located | None:
        """Suggest a place by the word pairs the quote shares with it; by letters alone where it shares none."""
        located = self._by_seeds(words, narrowed)
        if located is not None and located.score >= LEAST_SCORE:
            return located
        located = self._by_alignment(narrowed, "".join(words))
        return located if located is not None and located.score >= LEAST_SCORE else None

    def _by_seeds(self, words: list[str], narrowed: str) -> Located | None:
        seeds, size = self._seeds(words)
        chain = _best_chain(seeds, 6 if _is_unspaced(words) else 3)
        if not chain:
            return None
        all_words = self._tokens[0]
        first, at = chain[0]
        start = at - _reach(words[:first], all_words[max(0, at - 2 * first - 4) : at])
        last, at = chain[-1][0] + size, chain[-1][1] + size
        rest = words[last:][::-1]
        end = at + _reach(rest, all_words[at : at + 2 * len(rest) + 4][::-1])
        return self._scored(start, end, narrowed, "".join(words)) if start < end else None

    def _seeds(self, words: list[str]) -> tuple[list[tuple[int, int]], int]:
        """Return (word of the quote, word of the text) for the pairs both have, and 2; single words, and 1, where there are none."""
        pairs = self._pairs
        seeds: list[tuple[int, int]] = []
        for number, pair in enumerate(pairwise(words)):
            places = pairs.get(pair, ())
            if len(places) <= _MOST_PLACES:
                seeds += [(number, place) for place in places]
        if seeds:
            return seeds, 2
        for number, word in enumerate(words):
            places = self._singles.get(word, ())
            if len(places) <= _MOST_PLACES:
                seeds += [(number, place) for place in places]
        return seeds, 1

    def _by_alignment(self, narrowed: str, letters: str) -> Located | None:
        index, at = self._letters
        if len(letters) > _MOST_ALIGNED:
            return None
        found = fuzz.partial_ratio_alignment(letters, index, score_cutoff=LEAST_SCORE * 100)
        if found is None or found.dest_start >= found.dest_end:
            return None
        spans = self._tokens[1]
        low, high = at[found.dest_start], at[found.dest_end - 1]
        inside = [
            n
            for n, span in enumerate(spans)
            if span.start + span.end > 2 * low and span.start + span.end < 2 * high + 2
        ]
        return self._scored(inside[0], inside[-1] + 1, narrowed, letters) if inside else None

    def _scored(self, first: int, last: int, narrowed: str, letters: str) -> Located:
        spans = self._tokens[1]
        written = "".join(self._tokens[0][first:last])
        start, end = self._widened(self._narrowed.span(spans[first].start, spans[last - 1].end), narrowed)
        return Located(start, end, "fuzzy", fuzz.ratio(letters, written) / 100)


def _occurrences(text: str, piece: str) -> Iterator[int]:
    """Yield where `piece` begins in `text`, a bounded number of times."""
    at = text.find(piece) if piece else -1
    for _ in range(_MOST_TRIES):
        if at < 0:
            return
        yield at
        at = text.find(piece, at + 1)


def _matching(around: str, punctuation: str) -> int:
    """Return how much of `around`, outwards from the letters, stands for the quote's own punctuation on that side."""
    limit = next((i for i, sign in enumerate(around) if sign.isalnum()), len(around))
    folded = fold_quote(punctuation)
    for size in range(limit, -1, -1):
        if fold_quote(around[:size]) == folded and not around[:size][-1:].isspace():
            return size
    run = next((i for i, sign in enumerate(around[:limit]) if sign.isspace()), limit)
    return min(run, len(folded))


def _is_unspaced(words: list[str]) -> bool:
    return sum(len(word) == 1 for word in words) * 2 > len(words)


def _best_chain(seeds: list[tuple[int, int]], slack: int) -> list[tuple[int, int]]:
    """Return the seeds of the diagonal most of them share, `slack` words of drift allowed, as an ascending chain."""
    if not seeds:
        return []
    votes = Counter(place - number for number, place in seeds)
    most = max(votes.values())
    centre = max(
        (d for d, n in votes.items() if n == most),
        key=lambda d: (sum(votes.get(d + i, 0) for i in range(-slack, slack + 1)), -d),
    )
    near = [seed for seed in seeds if abs(seed[1] - seed[0] - centre) <= slack]
    straight = [seed for seed in near if seed[1] - seed[0] == centre or not _crosses(seed, near)]
    chain: list[tuple[int, int]] = []
    for number, place in straight:
        if not chain or (number > chain[-1][0] and place > chain[-1][1]):
            chain.append((number, place))
    return chain


def _crosses(seed: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    """Tell whether another seed has its two words in the opposite order: swapped words, or a chance likeness."""
    number, place = seed
    return any((other[0] - number) * (other[1] - place) <= 0 for other in others if other != seed)


def _reach(head: list[str], before: list[str]) -> int:
    """Return how many of the last words of `before` the unmatched outer words `head` of a quote stand for.

    A quote begins where it begins even if it lost, garbled or swapped a word just behind: the same outermost word, or the
    same words in another order, outweigh likeness in letters.
    """
    if not head:
        return 0
    best, best_cost = 0, len(" ".join(head)) + 3.0
    for size in range(max(1, len(head) - 4), min(len(before), len(head) + 4) + 1):
        words = before[len(before) - size :]
        drift = abs(size - len(head))
        if words == head:
            return size
        if drift == 0 and sorted(words) == sorted(head):
            cost = 0.5
        elif words[0] == head[0]:
            cost = 1 + drift / 2
        else:
            cost = 2.0 + drift / 2 + Levenshtein.distance(" ".join(head), " ".join(words))
        if cost < best_cost:
            best, best_cost = size, cost
    return best
