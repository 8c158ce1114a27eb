"""Old and new chapters of a text that was edited, told by what stands in them: who stayed, moved, split, merged, is new or gone.

A chapter is compared by its sentences, each a digest of its letters alone, so that other quotes, spaces, line ends or
headings change nothing. Numbers and titles only decide where no words are left to decide.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from analyzer.models.text import Block, Chapter

Change = Literal["same", "title", "punctuation", "changed", "rewritten", "split", "merged", "repeated", "new"]
"""What became of a chapter: it is as it was, only its title is not, or signs and cuts, some words are not, none are left, it was
a part of another, it holds all of another as well, it says again what another still says, or it was not there."""

SAME_SHARE = 0.25
"""Share of the longer of two chapters' letters that must be common for one to be the other edited. Source: a choice: a person
renamed throughout leaves half of the sentences, two chapters of one hand have next to none in common."""
PART_SHARE = 0.5
"""Share of the shorter one's letters from which on it is a part of the other (split, merged). Source: a choice."""
FEWEST_LETTERS = 6
"""Shorter sentences ("He nodded.", 「はい。」) tell nothing. Source: a choice that holds for scripts without spaces too."""
_NO_LETTERS = re.compile(r"[\W_]+")
MOST_OWNERS = 3
"""Sentences that more old chapters have are a refrain or a notice and tell nothing."""


class Print(NamedTuple):
    """A chapter as alignment sees it: `id` is what the book knows it by (0: not yet), `blocks` hold a digest a sentence."""

    id: int
    no: int
    title: str
    blocks: tuple[tuple[str, ...], ...]
    text_sha256: str = ""


class Aligned(NamedTuple):
    """A new chapter and the old one it is: `id` is that one's, or a new one; `old_no` is 0 where there was none.

    `origins` are the ids of others it has text of. `moved` says that it stands elsewhere among those that stayed, not merely
    under another number. `n_changed` counts its blocks that the old one did not have.
    """

    no: int
    id: int
    old_no: int
    change: Change
    origins: tuple[int, ...] = ()
    moved: bool = False
    n_changed: int = 0


class Alignment(NamedTuple):
    """All new chapters in order, and the numbers of old ones that are gone; `next_id` is the first id never given."""

    chapters: tuple[Aligned, ...]
    gone: tuple[int, ...]
    next_id: int

    @property
    def numbers(self) -> dict[int, int]:
        """Old number -> new number of every chapter that is still there."""
        return {found.old_no: found.no for found in self.chapters if found.old_no}


def prints_of(block: Block) -> tuple[str, ...]:
    """Return a digest for every sentence of a block that has letters: their number and a checksum, case and signs left out."""
    found = (digest_of(block.text[span.start : span.end]) for span in block.sentences)
    return tuple(digest for digest in found if digest)


def digest_of(sentence: str) -> str:
    """Return the digest of one sentence, "" where it has no letters."""
    letters = _NO_LETTERS.sub("", sentence.casefold())
    return f"{len(letters):x}.{zlib.crc32(letters.encode('utf-8', 'surrogatepass')):08x}" if letters else ""


def print_of(chapter: Chapter, text_sha256: str = "") -> Print:
    """Return what alignment needs to know of a chapter (about 0.15 s a million characters)."""
    return Print(chapter.id, chapter.no, chapter.title, tuple(map(prints_of, chapter.blocks)), text_sha256)


def align(old: Sequence[Print], new: Sequence[Print], *, next_id: int = 1) -> Alignment:
    """Return what became of the chapters `old` (each with its id) in `new`; ids are never given twice.

    Chapters with the same words are found first, then edited ones by the sentences they share, last those without a common
    word by the place they stand in: between the same neighbours, under the same title, or as many there as before.
    """
    shares = _Shares(old, new)
    became = _unchanged(old, new)
    _add_edited(became, shares)
    parts = _parts(became, shares)
    _add_rewritten(became, parts, old, new)
    return _alignment(became, parts, old, new, max([next_id, *(print.id + 1 for print in old)]))


class _Shares:
    """How many letters each new chapter has in common with each old one, in sentences that tell something."""

    def __init__(self, old: Sequence[Print], new: Sequence[Print]) -> None:
        olds, news = [_telling(p) for p in old], [_telling(p) for p in new]
        owners: dict[str, list[int]] = defaultdict(list)
        for at, counted in enumerate(olds):
            for digest in counted:
                owners[digest].append(at)
        self.common: dict[tuple[int, int], int] = Counter()
        for there, counted in enumerate(news):
            for digest, n in counted.items():
                found = owners.get(digest, ())
                for at in found if len(found) <= MOST_OWNERS else ():
                    self.common[at, there] += min(n, olds[at][digest]) * _weight(digest)
        self.old = [_size(counted) for counted in olds]
        self.new = [_size(counted) for counted in news]

    def whole(self, at: int, there: int) -> float:
        """Return the common share of the longer of the two."""
        return self.common[at, there] / max(1, self.old[at], self.new[there])

    def ranked(self) -> list[tuple[int, int]]:
        """Return the pairs that have something in common, those with most first, in the order of the book among equals."""
        return sorted(self.common, key=lambda pair: (-self.common[pair], abs(pair[0] - pair[1]), pair))


def _telling(print_: Print) -> Counter[str]:
    digests = (digest for block in print_.blocks for digest in block)
    return Counter(digest for digest in digests if _weight(digest) >= FEWEST_LETTERS)


def _weight(digest: str) -> int:
    return int(digest.partition(".")[0], 16)


def _size(counted: Mapping[str, int]) -> int:
    return sum(n * _weight(digest) for digest, n in counted.items())


def _unchanged(old: Sequence[Print], new: Sequence[Print]) -> dict[int, int]:
    """Return new place -> old place of chapters with the same words; of several alike those in their old order."""
    words = (
        [tuple(d for block in p.blocks for d in block) for p in old],
        [tuple(d for block in p.blocks for d in block) for p in new],
    )
    became: dict[int, int] = {}
    matcher = SequenceMatcher(None, [hash(w) for w in words[0]], [hash(w) for w in words[1]], autojunk=False)
    for block in matcher.get_matching_blocks():
        became.update({block.b + i: block.a + i for i in range(block.size) if words[0][block.a + i]})
    left: dict[tuple[str, ...], list[int]] = defaultdict(list)
    taken = set(became.values())
    for at, found in enumerate(words[0]):
        if at not in taken and found:
            left[found].append(at)
    for there, found in enumerate(words[1]):
        if there not in became and left.get(found):
            became[there] = left[found].pop(0)
    return became


def _add_edited(became: dict[int, int], shares: _Shares) -> None:
    taken = set(became.values())
    for at, there in shares.ranked():
        if at not in taken and there not in became and shares.whole(at, there) >= SAME_SHARE:
            became[there] = at
            taken.add(at)


def _parts(became: dict[int, int], shares: _Shares) -> dict[int, list[int]]:
    """Return new place -> old places it has text of beside the one it is: pieces of a split, what was merged into it.

    The greater piece of a chapter that was cut in many is that chapter still.
    """
    taken = set(became.values())
    parts: dict[int, list[int]] = defaultdict(list)
    for at, there in shares.ranked():
        if became.get(there) == at:
            continue
        smaller = min(shares.old[at], shares.new[there])
        if shares.common[at, there] < PART_SHARE * max(1, smaller):
            continue
        if at not in taken and there not in became:
            became[there] = at
            taken.add(at)
        else:
            parts[there].append(at)
    return parts


def _add_rewritten(
    became: dict[int, int], parts: Mapping[int, Sequence[int]], old: Sequence[Print], new: Sequence[Print]
) -> None:
    """Take a chapter without a common word for the one that stood in its place, where only one can be meant."""
    merged = {at for some in parts.values() for at in some}
    olds = [at for at in range(len(old)) if at not in set(became.values()) and at not in merged]
    news = [there for there in range(len(new)) if there not in became and not parts.get(there)]
    spots: dict[tuple[int, int], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    stayed = _stayed(became)
    for at in olds:
        spots[_gap(at, [a for a, _ in stayed])][0].append(at)
    for there in news:
        spots[_gap(there, [b for _, b in stayed])][1].append(there)
    for gone, come in spots.values():
        titled = {old[at].title: at for at in gone if old[at].title}
        for there in list(come):
            at = titled.get(new[there].title, -1)
            if at in gone:
                became[there] = at
                gone.remove(at)
                come.remove(there)
        if len(gone) == len(come):
            became.update(zip(come, gone, strict=True))


def _gap(at: int, fixed: Sequence[int]) -> tuple[int, int]:
    """Return between which of the places that stayed `at` stands."""
    place = bisect_left(fixed, at)
    return place, place + 1


def _stayed(became: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return the longest row of (old, new) places in the same order in both: what is not in it has moved."""
    pairs = [(at, there) for there, at in sorted(became.items())]
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for i, (at, _there) in enumerate(pairs):
        place = bisect_left(ends, at)
        before.append(last[place - 1] if place else -1)
        if place == len(ends):
            ends.append(at)
            last.append(i)
        else:
            ends[place], last[place] = at, i
    row: list[tuple[int, int]] = []
    i = last[-1] if last else -1
    while i >= 0:
        row.append(pairs[i])
        i = before[i]
    return row[::-1]


def _alignment(
    became: Mapping[int, int],
    parts: Mapping[int, Sequence[int]],
    old: Sequence[Print],
    new: Sequence[Print],
    next_id: int,
) -> Alignment:
    stayed = {there for _, there in _stayed(became)}
    again = _repeated(became, parts, new)
    split = Counter(at for b, some in parts.items() if b not in again for at in some if at in set(became.values()))
    chapters = []
    for there, print_ in enumerate(new):
        at = became.get(there, -1)
        origins = tuple(old[o].id for o in parts.get(there, ()))
        if at < 0:
            change: Change = "repeated" if there in again else "split" if origins else "new"
            chapters.append(Aligned(print_.no, next_id, 0, change, origins, False, len(print_.blocks)))
            next_id += 1
            continue
        n_changed = _n_changed(old[at].blocks, print_.blocks)
        merged = [o for o in parts.get(there, ()) if not split[o]]
        change = _change(old[at], print_, n_changed, is_split=bool(split[at]), is_merged=bool(merged))
        chapters.append(Aligned(print_.no, old[at].id, old[at].no, change, origins, there not in stayed, n_changed))
    kept = set(became.values())
    return Alignment(tuple(chapters), tuple(p.no for at, p in enumerate(old) if at not in kept), next_id)


def _repeated(became: Mapping[int, int], parts: Mapping[int, Sequence[int]], new: Sequence[Print]) -> frozenset[int]:
    """Return the places of new chapters that share most with one that stayed: what was cut off it would not stand there any more."""
    now = {at: there for there, at in became.items()}
    found = set()
    for there, some in parts.items():
        mine = _telling(new[there])
        kept = (_telling(new[now[at]]) for at in some if at in now and there not in became)
        if any(_size(mine & other) >= PART_SHARE * max(1, min(_size(mine), _size(other))) for other in kept):
            found.add(there)
    return frozenset(found)


def _change(old: Print, new: Print, n_changed: int, *, is_split: bool, is_merged: bool) -> Change:
    if _digests(old.blocks) == _digests(new.blocks):
        if old.text_sha256 != new.text_sha256:
            return "punctuation"
        return "same" if old.title.split() == new.title.split() else "title"
    if is_merged:
        return "merged"
    if is_split:
        return "split"
    return (
        "rewritten" if n_changed == len(new.blocks) and not _digests(old.blocks) & _digests(new.blocks) else "changed"
    )


def _digests(blocks: Iterable[Sequence[str]]) -> Counter[str]:
    return Counter(digest for block in blocks for digest in block)


def _n_changed(old: Sequence[tuple[str, ...]], new: Sequence[tuple[str, ...]]) -> int:
    left = Counter(old)
    n = 0
    for block in new:
        if left[block]:
            left[block] -= 1
        else:
            n += 1
    return n
