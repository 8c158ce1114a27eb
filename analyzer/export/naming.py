"""How facts are told on a plane: who is called what there, handles in notes, where words stand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analyzer.export.planes import Seen
from analyzer.export.show import QuoteRow, shown_name
from analyzer.models.base import Record
from analyzer.models.evidence import Evidence
from analyzer.models.facts import EntityFact
from analyzer.models.story import READER

_PAIRS = (("은", "는"), ("이", "가"), ("을", "를"), ("과", "와"), ("으로", "로"))
"""Korean particles behind a consonant and behind a vowel."""
_PARTICLES = {form: pair for pair in _PAIRS for form in pair}
_HANDLE = re.compile(rf"(?P<handle>@[1-9][0-9]*)(?P<particle>(?:{'|'.join(_PARTICLES)})(?!\w))?")
_FIRST_SYLLABLE, _SYLLABLES, _FINALS, _RIEUL = 0xAC00, 11172, 28, 8
"""Hangul syllables in Unicode: where they begin, how many, how many final sounds each may have, which of them is ㄹ."""
THE_READER = "the reader"


class Who(Record):
    """Somebody or something: the handle as of then, and the name known then; where no name is, the view's word or the handle."""

    handle: str
    name: str


def who(view: Seen, handle: str) -> Who:
    """Return how a plane calls an entity; whoever is not known there has the view's word for such, or the handle again."""
    if handle == READER:
        return Who(handle=READER, name=THE_READER)
    root = view.bible.root(handle)
    entry = view.bible.cast.get(root)
    return Who(handle=root, name=shown_name(entry, view.bible) if entry else view.unknown or root)


def whos(view: Seen, handles: Iterable[str]) -> tuple[Who, ...]:
    """Return the same of several, merged ones once, in order."""
    return tuple(dict.fromkeys(who(view, handle) for handle in handles if handle))


def own_name(view: Seen, handle: str) -> str:
    """Return what an entity was called before it turned out to be another, as `who` does where the plane does not know it."""
    own = (fact.label for fact, _ in view.each(EntityFact) if fact.entity == handle)
    return next(own, view.unknown or handle)


def told(view: Seen, text: str) -> str:
    """Return a note with names for its handles; somebody not known on the plane is called as `who` does.

    A Korean particle behind a handle takes the form that goes with the name.
    """

    def name(found: re.Match[str]) -> str:
        shown = who(view, found.group("handle")).name
        return shown + _particle(shown, found.group("particle") or "")

    return _HANDLE.sub(name, text)


def _particle(name: str, particle: str) -> str:
    """Return a Korean particle as it stands behind a name: by whether its last syllable ends in a consonant."""
    pair = _PARTICLES.get(particle)
    last = ord(name[-1]) - _FIRST_SYLLABLE if name else -1
    if pair is None or not 0 <= last < _SYLLABLES:
        return particle
    final = last % _FINALS
    return pair[0] if final and not (final == _RIEUL and particle in ("으로", "로")) else pair[1]


def quotes(evidence: Iterable[Evidence]) -> tuple[QuoteRow, ...]:
    """Return words with their places, in order."""
    return tuple(QuoteRow(chapter=e.chapter, place=str(e.place), text=e.text, source=e.source) for e in evidence)


def where(chapter: int, evidence: Iterable[Evidence]) -> str:
    """Return chapter and first sentence (`3:4.2`), the chapter alone without words of it."""
    first = next((e for e in evidence if e.chapter == chapter), None)
    return f"{chapter}:{first.place}" if first else str(chapter)


def in_book(where_: str) -> tuple[int, int, int]:
    """Return where `3:4.2` or `3` stands, to sort by."""
    chapter, _, place = where_.partition(":")
    block, _, sentence = place.partition(".")
    return int(chapter), int(block or 0), int(sentence or 0)
