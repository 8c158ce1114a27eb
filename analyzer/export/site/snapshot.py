"""The book as of a chapter, as rows: one fold after the other, so that ids are given in the order of the story.

Nothing here looks beyond the chapter a snapshot is of, so that equal beginnings of two books give equal snapshots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.bible import CastEntry
from analyzer.export.planes import Seen
from analyzer.export.show import HIDDEN_BY_DEFAULT
from analyzer.export.site import rows as of
from analyzer.export.site.ids import Fields, Ids
from analyzer.export.site.telling import Teller, name_of
from analyzer.knowledge import secrets
from analyzer.models.facts import EntityFact, Fact, PresenceFact, SameFact
from analyzer.models.rows import ChapterRow
from analyzer.models.story import RevealFact, ThreadKind
from analyzer.threads import fold_threads

Rows = dict[str, dict[str, Fields]]
"""Rows by class and key; the classes are those of `ROW_CLASSES`."""
ROW_CLASSES = (
    "quote", "chapter", "card", "entity", "there", "relation", "said", "turn", "reveal", "change", "secret", "hush", "known",
    "thread", "step", "waits", "odd",
)  # fmt: skip
_HOW = {"on_page": "p", "mentioned": "m", "historical": "h"}
_NOWHERE = (1 << 30, 0)
PAGES = (
    "people", "groups", "places", "things", "relations", "graph", "meet", "looks", "changes", "secrets", "knowledge",
    "threads", "timeline", "reveals", "cards",
)  # fmt: skip
"""What an author may leave out of a site."""
_KINDS = {
    "people": ("character",),
    "groups": ("group",),
    "places": ("place",),
    "things": ("object", "event", "lore", "text"),
}

QUIET: frozenset[ThreadKind] = frozenset({"object", "skill", "anomaly", "prophecy"})
"""Kinds of threads that a reader does not notice as such when they are set up; promises, threats and questions are."""


@dataclass(frozen=True)
class Shown:
    """What of a book a site shows: `hide` are names of `PAGES`, `relations` kinds left out, `quotes` words of the manuscript.

    Threads of the kinds `quiet` are shown from where they are paid: that a thing was set up is a hint before. `author`: it is for
    the author, who sees everything.
    """

    hide: frozenset[str] = frozenset()
    relations: frozenset[str] = HIDDEN_BY_DEFAULT
    quiet: frozenset[str] = QUIET
    quotes: bool = True
    author: bool = False

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of entities left out."""
        return frozenset(kind for page in self.hide for kind in _KINDS.get(page, ()))


@dataclass
class Snapshots:
    """Makes the snapshots of a book, chapter after chapter; `view_of(n)` is the book as of chapter n."""

    view_of: Callable[[int], Seen]
    chapters: Sequence[ChapterRow]
    shown: Shown = Shown()
    more: Callable[[int, Teller], Rows] | None = None
    ids: Ids = field(default_factory=Ids)
    before: Rows = field(default_factory=dict)
    _told: Mapping[str, str] = field(default_factory=dict)
    _names: Mapping[str, str] = field(default_factory=dict)
    _made: dict[int, tuple[Fact, Fields]] = field(default_factory=dict)

    def each(self, through: int) -> Iterator[tuple[int, Rows]]:
        """Yield chapter and rows for chapters 1..`through`."""
        for number in range(1, through + 1):
            self.before = self._of(self.view_of(number))
            yield number, self.before

    def _of(self, view: Seen) -> Rows:
        self._enter(view)
        hidden = self.shown.kinds
        told: dict[str, str] = {}
        names: dict[str, str] = {}
        pages: dict[str, str] = {}
        first: dict[str, int] = {}
        for at, (fact, _) in enumerate(view.each(EntityFact)):
            first.setdefault(fact.entity, at)
        for root, entry in view.bible.cast.items():
            members = [handle for handle in (root, *entry.merged) if handle in self.ids]
            described = min(members, key=lambda handle: first.get(handle, len(first)))  # as the fold does
            for handle in {root, *members}:
                if entry.entity.entity_kind in hidden:
                    names[handle] = name_of(view, entry)
                else:
                    told[handle] = self.ids.of(described)
                    pages |= {handle: self.ids.of(handle)} if self.ids.of(handle) in self._pages else {}
        tell = Teller(told, pages, names, self.shown.quotes, self.shown.author, self._made_for(told, names))
        found = self._cast(view, tell) | self._story(view, tell)
        if self.more is not None:
            found |= self.more(view.through, tell)
        found["quote"] = self._quotes(found)
        return {name: found[name] for name in ROW_CLASSES if found.get(name)}

    def _quotes(self, found: Rows) -> dict[str, Fields]:
        """Put numbers in place of quotations, which several rows share, and return them by number."""
        rows = [fields for kind in found.values() for fields in kind.values() if fields.get("q")]
        used = {tuple(quote) for fields in rows for quote in fields["q"] if not isinstance(quote, str)}
        self.ids.numbered("quote", ((quote, {"c": quote[0], "q": [quote]}) for quote in used))
        numbers = self.ids.numbers("quote")
        for fields in rows:
            fields["q"] = [quote if isinstance(quote, str) else numbers[tuple(quote)] for quote in fields["q"]]
        wanted = {number for fields in rows for number in fields["q"]}
        return {
            number: {"c": chapter, "at": at, "text": text, "by": by}
            for (chapter, at, text, by), number in numbers.items()
            if number in wanted
        }

    def _made_for(self, told: Mapping[str, str], names: Mapping[str, str]) -> dict[int, tuple[Fact, Fields]]:
        """Return the rows made of facts so far, none where somebody in them is not who they were."""
        if any(told.get(handle) != one for handle, one in self._told.items()) or names != self._names:
            self._made = {}
        self._told, self._names = told, names
        return self._made

    @property
    def _pages(self) -> Mapping[str, Fields]:
        return self.before.get("entity", {})

    def _enter(self, view: Seen) -> None:
        """Give ids to whoever is new, by where they come up first."""
        new = {
            fact.entity: fact
            for fact, _ in view.each(EntityFact)
            if fact.entity not in self.ids and view.bible.root(fact.entity) in view.bible.cast
        }
        for handle, entry in view.bible.cast.items():
            if handle not in self.ids:
                new.setdefault(handle, entry.entity)
        first = {
            fact.entity: tuple(fact.first)
            for fact, _ in view.each(PresenceFact)
            if fact.entity in new and fact.first and fact.chapter == new[fact.entity].chapter
        }

        def arrives(fact: EntityFact) -> tuple[object, ...]:
            return fact.chapter, first.get(fact.entity, _NOWHERE), fact.entity_kind, fact.label

        for fact in sorted(new.values(), key=arrives):
            self.ids.enter(fact.entity, fact.entity_kind, fact.label)

    def _cast(self, view: Seen, tell: Teller) -> Rows:
        entities: dict[str, Fields] = {}
        there: dict[str, Fields] = {}
        for root, entry in view.bible.cast.items():
            if not tell.id(root):
                continue
            own = tell.id(root)
            entities[own] = self._entity(view, entry)
            was = []
            for handle in (root, *entry.merged):
                page = self.ids.of(handle) if handle in self.ids else own
                if page != own and page in self._pages:
                    entities[page] = self._older_page(view, tell, page, own, handle, entry)
                    was.append([page, entities[page]["at"], entities[page]["why"]])
            if was:
                entities[own]["was"] = sorted(was, key=lambda one: (one[1], one[0]))
            for presence in entry.presences:
                how = _HOW[presence.presence]
                there.setdefault(str(presence.chapter), {})[own] = _stronger(
                    there.get(str(presence.chapter), {}).get(own), [how, presence.n_mentions]
                )
        arrived = sorted(entities, key=self._arrived(view))
        return {
            "chapter": {str(row.no): _chapter(row) for row in self.chapters if row.no <= view.through},
            "entity": {one: entities[one] for one in arrived},
            "there": {number: _in_order(there[number], arrived) for number in sorted(there, key=int)},
        }

    def _arrived(self, view: Seen) -> Callable[[str], int]:
        place = {self.ids.of(handle): self.ids.arrival(handle) for handle in self._handles(view)}
        return lambda one: place[one]

    def _handles(self, view: Seen) -> Iterable[str]:
        for root, entry in view.bible.cast.items():
            yield from (handle for handle in (root, *entry.merged) if handle in self.ids)

    def _entity(self, view: Seen, entry: CastEntry) -> Fields:
        called = entry.called or tuple(
            dict.fromkeys(n.surface for n in entry.names if n.name_kind == "descriptor" and ":" not in n.surface)
        )
        name = name_of(view, entry)
        return {
            "kind": entry.entity.entity_kind,
            "name": name,
            "names": [one for one in called if one != name],
            "since": entry.entity.chapter,
            "unnamed": not entry.surfaces,
            "narrator": entry.narrates,
        }

    def _older_page(self, view: Seen, tell: Teller, page: str, own: str, handle: str, entry: CastEntry) -> Fields:
        """Return the row of somebody who turned out to be another: as it was, with where that is told."""
        row = self._pages[page]
        if "into" in row:
            return {**row, "into": own}
        past = {number: there[page][0] for number, there in self.before.get("there", {}).items() if page in there}
        reveal = _turned_out(view, handle, (entry.handle, *entry.merged))
        kept = {name: value for name, value in row.items() if name != "was"}
        why = "reveal" if isinstance(reveal, RevealFact) else "same"
        quotes = tell.words(reveal.evidence) if reveal else []
        return {**kept, "into": own, "at": view.through, "why": why, "past": past, "q": quotes}

    def _story(self, view: Seen, tell: Teller) -> Rows:
        hide = self.shown.hide
        found: Rows = {}
        if "cards" not in hide:
            found["card"] = of.cards(view, tell)
        if "relations" not in hide:
            found |= self._relations(view, tell)
        if "reveals" not in hide:
            found["reveal"] = self.ids.numbered("reveal", of.reveals(view, tell))
        gone = {one for one, page in (("state", "changes"), ("look", "looks")) if page in hide}
        found["change"] = {
            number: fields
            for number, fields in self.ids.numbered("change", of.changes(view, tell)).items()
            if ("look" if fields["look"] else "state") not in gone
        }
        if "threads" not in hide:
            threads = of.told_threads(
                fold_threads(view.bible.facts, through=view.through, unread=view.threads_unread), self.shown.quiet
            )
            found["thread"] = self.ids.numbered("thread", of.threads(threads, tell))
            found["step"] = self.ids.numbered("step", of.steps(threads, tell, self.ids.numbers("thread")))
        numbers: dict[str, str] = {}
        if "secrets" not in hide:
            kept = secrets(view.bible)
            found["secret"] = self.ids.numbered("secret", of.secret_rows(kept, tell))
            numbers = self.ids.numbers("secret")
            found["hush"] = self.ids.numbered("hush", of.hushes(kept, tell, numbers))
        if "knowledge" not in hide:
            found["known"] = self.ids.numbered("known", of.knowns(view, tell, numbers))
        return found

    def _relations(self, view: Seen, tell: Teller) -> Rows:
        made = list(of.relations(view, tell, hidden=self.shown.relations))
        tied = {id(one.fields): one for _, one in made}
        numbered = self.ids.numbered("relation", ((key, one.fields) for key, one in made))
        for fields in numbered.values():
            del fields["place"]  # by which new ones were numbered
        return {
            "relation": numbered,
            "said": of.said({number: tied[id(fields)] for number, fields in numbered.items()}, tell),
            "turn": self.ids.numbered("turn", of.turns(view, tell)),
        }


def _chapter(row: ChapterRow) -> Fields:
    return {"n": row.no, "kind": row.kind, "label": row.label, "title": row.title}


def _in_order(there: Fields, arrived: Sequence[str]) -> Fields:
    return {one: there[one] for one in arrived if one in there}


def _stronger(one: list[object] | None, other: list[object]) -> list[object]:
    """Return how somebody of two handles is there: as the one more there is, with the mentions of both."""
    if one is None:
        return other
    hows = [how for how in "pmh" if how in (one[0], other[0])]
    return [hows[0], int(str(one[1])) + int(str(other[1]))]


def _turned_out(view: Seen, handle: str, group: Sequence[str]) -> RevealFact | SameFact | None:
    """Return the fact by which `handle` turned out to be another of its group, None where the author alone says so."""
    others = set(group)
    for fact, _ in view.each(RevealFact):
        is_ours = fact.is_mask and {fact.persona, fact.behind} <= others
        if is_ours and fact.reveal in view.confirmed and handle in (fact.persona, fact.behind):
            return fact
    merges = (fact for fact, _ in view.each(SameFact) if {fact.entity, fact.same_as} <= others)
    return next((fact for fact in merges if handle in (fact.entity, fact.same_as)), None)
