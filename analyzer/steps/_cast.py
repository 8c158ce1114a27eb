"""Clusters of surface forms, labels, handles: what the cast steps share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analyzer.bible import Bible
from analyzer.models.facts import EntityKind, FormFact, NameKind
from analyzer.steps._matching import best_matching
from analyzer.text.languages import LanguageTable
from analyzer.text.namefold import core_words, words_of

KIND_CLASS: dict[str, str] = {
    "character": "beings", "group": "beings", "lore": "things", "place": "things", "object": "things", "event": "things",
    "text": "things",
}  # fmt: skip
"""Kinds among which a description may mean somebody: a person is never looked for among places."""
SAME_CLASS: dict[str, str] = {kind: "people" if kind == "character" else "others" for kind in KIND_CLASS}
"""Kinds of names between which sameness is asked. A family or firm called by its head's surname is not its head, whatever is
answered; that one calls a workshop a place and another its people happens, so groups stand with the places."""


LETTERS = 100_000
"""What an older handle weighs in letters of names: more than all names of a person together have."""


def best_label(forms: Sequence[FormFact], table: LanguageTable) -> str:
    """Return the form an entity is shown by: most words of its own, then no title, then most mentions, then first."""

    def rank(form: FormFact) -> tuple[int, int, int, int, int]:
        own = len(core_words(form.surface, table)) if " " in form.surface else 1
        titled = own < len(words_of(form.surface))
        return (-min(own, 3), titled, -form.n_mentions, form.first.block, form.first.sentence)

    return min(forms, key=rank).surface


def name_kind(surface: str, label: str, table: LanguageTable) -> NameKind:
    """Return which kind of name a form is, beside the entity's label; by its words alone."""
    if surface == label:
        return "full"
    own, full = core_words(surface, table), core_words(label, table)
    if len(own) < len(words_of(surface)):
        return "title"
    if len(full) > 1 and own == full[:1]:
        return "given"
    if len(full) > 1 and own == full[-1:]:
        return "family"
    return "nickname" if set(own) & set(full) else "epithet"


def main_kind(forms: Sequence[FormFact]) -> EntityKind:
    """Return the kind most mentions speak for; the first form's among equals."""
    weight: dict[EntityKind, int] = {}
    for form in forms:
        weight[form.entity_kind] = weight.get(form.entity_kind, 0) + form.n_mentions
    return max(weight, key=lambda kind: weight[kind])


class Handles:
    """Gives handles: the one an anchor already has, else the next number; never one in use for another entity."""

    def __init__(self, bible: Bible, handles: Mapping[str, str]) -> None:
        """Take the cast known so far and every anchor that ever got a handle."""
        self._handles = handles
        self._taken = set(bible.cast) | {h for e in bible.cast.values() for h in e.merged}
        numbers = [int(h[1:]) for h in (*handles.values(), *self._taken)]
        self._next = max(numbers, default=0) + 1
        self._given: set[str] = set()

    def take(self, anchors: Iterable[str]) -> tuple[str, str]:
        """Return (handle, anchor): of the first anchor with a free handle, else a new handle for the first anchor.

        Where the first anchor's own handle stands for somebody else by now, it is numbered on: `name:Voss#2`.
        """
        wanted = tuple(anchors)
        for anchor in wanted:
            handle = self._handles.get(anchor, "")
            if handle and handle not in self._taken:
                self._taken.add(handle)
                return handle, anchor
        return self._new(wanted[0])

    def share(self, wants: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
        """Return (handle, anchor) for each of those who come in together, by their anchors.

        As many as can keep a handle do, and of two who could have the same one the one whose names tell most has it: "Bridget
        Ashdown" keeps it, not the plain "Bridget" beside her, whoever is named first. Who could have several has the oldest.
        """
        kept = best_matching([_oldest_first(self._free(anchors)) for anchors in wants])
        self._taken.update(handle for handle in kept if handle)
        return [
            (handle, next(a for a in anchors if self._handles.get(a) == handle)) if handle else self._new(anchors[0])
            for handle, anchors in zip(kept, wants, strict=True)
        ]

    def of_before(self, anchors: Sequence[str], handle: str) -> str:
        """Return the handle of before, older than `handle`, that one of these anchors stands for and nobody has yet; "" for none."""
        older = [old for old in self._free(anchors) if int(old[1:]) < int(handle[1:])]
        found = min(older, key=lambda old: int(old[1:]), default="")
        self._taken.add(found)
        return found

    def _free(self, anchors: Iterable[str]) -> dict[str, int]:
        """Return the handles that anchors stand for and nobody has yet, with the letters that speak for each."""
        found: dict[str, int] = {}
        for anchor in anchors:
            handle = self._handles.get(anchor, "")
            if handle and handle not in self._taken:
                found[handle] = found.get(handle, 0) + len(anchor.partition(":")[2])
        return found

    def _new(self, wanted: str) -> tuple[str, str]:
        anchor, n = wanted, 1
        while self._handles.get(anchor, "") in self._taken or anchor in self._given:
            n += 1
            anchor = f"{wanted}#{n}"
        handle = self._handles.get(anchor, "")
        if not handle:
            handle = f"@{self._next}"
            self._next += 1
        self._taken.add(handle)
        self._given.add(anchor)
        return handle, anchor


def _oldest_first(letters: Mapping[str, int]) -> dict[str, int]:
    """Return what speaks for each of somebody's handles: an older one more than any letters of a younger."""
    return {
        handle: letters[handle] - LETTERS * age for age, handle in enumerate(sorted(letters, key=lambda h: int(h[1:])))
    }
