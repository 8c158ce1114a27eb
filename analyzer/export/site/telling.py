"""How a view is told in a site: ids for handles, text with ids in it, words that show something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.bible import CastEntry
from analyzer.export.planes import Seen
from analyzer.export.show import QuoteRow
from analyzer.export.site.ids import Fields
from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact
from analyzer.models.story import READER, RevealFact
from analyzer.text.fold import CJK

_HANDLE = re.compile(r"(@[1-9][0-9]*)")
_UNSPACED = re.compile(f"[{CJK}\uac00-\ud7a3]+")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_FAMILY_LETTERS = 2
"""Letters of a family's name in Chinese, Japanese and Korean, hardly ever more."""
SOMEBODY = "?"
"""Stands for a handle of somebody who is not known by then."""
LONGEST_QUOTE = 360
"""Code points of a quotation shown; a longer one ends with an ellipsis. Source: six lines on a desk, twelve on a telephone."""
MOST_QUOTES = 3
"""Quotations shown of one fact in one chapter."""

Text = list[str]
Quotes = list[list[object]]


@dataclass(frozen=True)
class Teller:
    """Tells what a view says: `shown` maps handles to ids, `hidden` those of hidden kinds to their names.

    `pages` maps handles that were a page of their own to that page's id, also where they turned out to be another since.
    `quotes`: whether words of the manuscript are given, or only where they stand. `author`: whether the author reads
    it, not readers. `made` keeps rows of facts from one chapter
    to the next, as long as everybody in them is who they were.
    """

    shown: Mapping[str, str]
    pages: Mapping[str, str] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    quotes: bool = True
    author: bool = False
    made: dict[int, tuple[Fact, Fields]] = field(default_factory=dict)

    def row(self, fact: Fact, make: Callable[[], Fields]) -> Fields:
        """Return the row of a fact that always has the same one, made once; one that speaks of somebody not known yet is made anew."""
        found = self.made.get(id(fact))
        if found is not None and found[0] is fact:
            return found[1]
        fields = make()
        if not any(SOMEBODY in value for value in fields.values() if isinstance(value, list)):
            self.made[id(fact)] = fact, fields
        return fields

    def id(self, handle: str) -> str:
        """Return the id of one of the cast, "" for nobody, and for who is hidden or not known."""
        return READER if handle == READER else self.shown.get(handle, "")

    def page(self, handle: str) -> str:
        """Return the id of the page that somebody had before turning out to be another, else their id."""
        return self.pages.get(handle) or self.id(handle)

    def ids(self, handles: Iterable[str]) -> list[str]:
        """Return the ids of several, each once."""
        return [found for found in dict.fromkeys(map(self.id, handles)) if found]

    def text(self, words: str) -> Text:
        """Return a note as literals with ids between them."""
        if "@" not in words:
            return [words]
        found: Text = [""]
        for at, part in enumerate(_HANDLE.split(words)):
            if at % 2 == 0 or part in self.hidden:
                found[-1] += self.hidden.get(part, part) if at % 2 else part
            else:
                found += [self.shown.get(part, SOMEBODY), ""]
        return found

    def words(self, evidence: Sequence[Evidence | QuoteRow]) -> Quotes:
        """Return the first words that show something: chapter, place, text ("" where none is given), source."""
        return [
            [one.chapter, str(one.place), _shortened(one.text) if self.quotes else "", one.source]
            for one in evidence[:MOST_QUOTES]
        ]


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1].rstrip() + "…"


def name_of(view: Seen, entry: CastEntry) -> str:
    """Return how one of the cast is called: as the author says, by the fuller form of its name, by a name, else by words of the text.

    Words of the text come with whom they are tied to, as the language of the words puts it.
    """
    if entry.renamed:
        return entry.renamed
    if entry.called:
        return fuller(entry.called[0], (*entry.called, *_called_so(view, entry)))
    entity = entry.entity
    other = view.bible.cast.get(view.bible.root(entity.tied_to)) if entity.tied_to and not entity.named else None
    if other is not None and other.handle != entry.handle and entity.tie:
        return _tied(entity.tie, other.called[0]) if other.called else entity.tie
    return entity.label


def _called_so(view: Seen, entry: CastEntry) -> list[str]:
    """Return the words of which a chapter so far tells that they mean one of the cast."""
    handles = {entry.handle, *entry.merged}
    return [f.called for f, _ in view.each(RevealFact) if not f.is_mask and f.behind in handles and f.called]


def fuller(name: str, others: Iterable[str]) -> str:
    """Return the form of a name with the family's name in it, where one of `others` is that: Sol to Sol Ruddock, 伊作 to 榊原伊作.

    In scripts with capitals one capitalised word behind a single one counts, in Chinese, Japanese and Korean one or two letters
    before it. All else may be a title or a word of kinship, so that the name stays.
    """
    for other in others:
        if _UNSPACED.fullmatch(name):
            before = other.removesuffix(name)
            if (
                other != name
                and len(before) < len(other)
                and _UNSPACED.fullmatch(before)
                and len(before) <= _FAMILY_LETTERS
            ):
                return other
        elif " " not in name and name[:1].isupper():
            first, _, last = other.partition(" ")
            if first == name and last[:1].isupper() and " " not in last and last.isalpha():
                return other
    return name


def _tied(tie: str, name: str) -> str:
    """Return a word of kinship with whose it is."""
    if _KANA.search(tie + name):
        return f"{name}の{tie}"
    if _HANGUL.search(tie):
        return f"{name}의 {tie}"
    return f"{name}的{tie}" if _UNSPACED.fullmatch(tie) else f"{tie} ({name})"
