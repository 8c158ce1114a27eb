"""A new version of a book's text against what its store knows: which chapter is which, and what goes by other names now.

`reread` only looks; `adopt` writes: what chapters left follows them to their new numbers, what is gone goes, and words that
an entity was known by stand for its handle, so that nobody loses it over an edit.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer.bible import Bible, CastEntry, fold
from analyzer.hashing import bytes_sha256
from analyzer.models.facts import ClaimFact, EntityFact, Evidence, Fact
from analyzer.models.rows import BookRow, ChapterRow
from analyzer.models.text import Chapter, Manuscript
from analyzer.text.alignment import Alignment, Print, align, print_of
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.namefold import fold_name
from analyzer.text.nameparts import name_parts

if TYPE_CHECKING:
    from analyzer.storage.store import Store

NEXT_ID = "next_chapter_id"
"""The setting that keeps ids of chapters from being given twice."""
LONGEST_NAME = 60
"""Code points of what may stand in a renamed one's place. Source: a choice, above the longest names of the public texts."""
MOST_ORIGINS = 16


@dataclass(frozen=True)
class Reading:
    """A manuscript whose chapters have their ids, and what became of the chapters as the store has them.

    `hashes` are those of the texts by number; `alignment` None: nothing was known, or it was taken in already.
    """

    manuscript: Manuscript
    prints: tuple[Print, ...]
    alignment: Alignment | None = None

    @property
    def hashes(self) -> dict[int, str]:
        """The hash of every chapter's text, by number."""
        return {print_.no: print_.text_sha256 for print_ in self.prints}

    @property
    def retitled(self) -> frozenset[int]:
        """The chapters of which nothing but the title changed, by their numbers now."""
        found = self.alignment.chapters if self.alignment is not None else ()
        return frozenset(chapter.no for chapter in found if chapter.change == "title")

    @property
    def numbers(self) -> dict[int, int]:
        """Old number -> new number of the chapters that are still there."""
        if self.alignment is None:
            return {chapter.no: chapter.no for chapter in self.manuscript.chapters}
        return self.alignment.numbers


def reread(store: Store, manuscript: Manuscript) -> Reading:
    """Return the manuscript with the ids its chapters have in this book; asks nothing, writes nothing."""
    prints = tuple(print_of(c, bytes_sha256(c.text.encode())) for c in manuscript.chapters)
    rows = store.chapters()
    next_id = int(store.setting(NEXT_ID) or 1)
    known = {print_.text_sha256: print_.blocks for print_ in prints}
    old = [Print(r.id, r.no, r.title, r.blocks or known.get(r.text_sha256, ()), r.text_sha256) for r in rows]
    alignment = align(old, prints, next_id=next_id)
    origins = {row.id: row.origins for row in rows}
    chapters = tuple(
        chapter.model_copy(
            update={
                "id": found.id,
                "origins": tuple(dict.fromkeys((*origins.get(found.id, ()), *found.origins)))[:MOST_ORIGINS],
            }
        )
        for chapter, found in zip(manuscript.chapters, alignment.chapters, strict=True)
    )
    return Reading(manuscript.model_copy(update={"chapters": chapters}), prints, alignment if rows else None)


def adopt(store: Store, reading: Reading, shown_path: str, *, done: Collection[int] | None = None) -> Reading:
    """Keep what the manuscript is now, in one transaction, and return the reading as taken in.

    A chapter's row is that of the text its facts rest on: one that has facts keeps its old hash unless it is in `done` (None:
    all), so that nobody takes an old bible for a new one.
    """
    with store.transaction():
        if reading.alignment is not None:
            store.add_anchors(_more_anchors(store, reading))
            rests_on = {reading.numbers[row.no]: row for row in store.chapters() if row.no in reading.numbers}
            store.renumber_tasks(reading.numbers)
        else:
            rests_on = {row.no: row for row in store.chapters()}
        worked_on = {task.chapter for task in store.tasks()}
        kept = set() if done is None else worked_on - set(done)
        rows = [_row(c, p) for c, p in zip(reading.manuscript.chapters, reading.prints, strict=True)]
        rows = [_resting(row, rests_on[row.no]) if row.no in kept & rests_on.keys() else row for row in rows]
        stale = any(row.text_sha256 != reading.hashes[row.no] for row in rows)
        known, read = store.book(), reading.manuscript
        store.put_book(
            BookRow(
                title=read.title,
                language=read.language,
                sha256=known.sha256 if known and stale else read.sha256,
                manuscript_path=shown_path,
                created_at=known.created_at if known else time.time(),
            )
        )
        store.put_chapters(rows)
        next_id = max([int(store.setting(NEXT_ID) or 1), *(chapter.id + 1 for chapter in read.chapters)])
        store.put_setting(NEXT_ID, str(next_id))
    return replace(reading, alignment=None)


def _row(chapter: Chapter, print_: Print) -> ChapterRow:
    return ChapterRow(
        no=chapter.no,
        kind=chapter.kind,
        label=chapter.label,
        title=chapter.title,
        text_sha256=print_.text_sha256,
        n_blocks=len(chapter.blocks),
        id=chapter.id,
        origins=chapter.origins,
        blocks=print_.blocks,
    )


def _resting(row: ChapterRow, old: ChapterRow) -> ChapterRow:
    return row.model_copy(update={name: getattr(old, name) for name in ("title", "text_sha256", "blocks", "n_blocks")})


def _more_anchors(store: Store, reading: Reading) -> dict[str, str]:
    """Return anchors to add (anchor -> handle): every name that tells one entity alone, and names it was given now.

    Without them who is first called by another of his names in an inserted chapter, or is renamed throughout, would lose his
    handle. Nothing is added where no text changed.
    """
    alignment = reading.alignment
    if alignment is None or not (alignment.gone or any(c.change != "same" or c.moved for c in alignment.chapters)):
        return {}
    stored = store.facts()
    facts = [s.fact for s in stored]
    known = store.handles()
    bible = fold(facts, through=max((s.chapter for s in stored), default=0), handles=known)
    bearers: dict[str, set[str]] = {}
    for handle, entry in bible.cast.items():
        for surface in entry.surfaces:
            bearers.setdefault(surface, set()).add(handle)
    shared = _shared_names(bible, language_table(reading.manuscript.language))
    own = {
        f"name:{surface}": next(iter(owners))
        for surface, owners in bearers.items()
        if len(owners) == 1 and surface not in shared
    }
    given = set(known.values())
    more = _called(bible, reading) | _renamed(bible, facts, reading) | own
    return {anchor: handle for anchor, handle in more.items() if anchor not in known and handle in given}


def _shared_names(bible: Bible, table: LanguageTable) -> frozenset[str]:
    """Return names that are a part of somebody else's as well ("Miss Hale" beside a Captain Hale): nobody is told by one of them alone."""
    bearers: dict[str, set[str]] = {}
    alone: dict[str, str] = {}
    for handle, entry in bible.cast.items():
        for surface in entry.surfaces:
            parts = name_parts(surface, table)
            if parts.single:
                alone[surface] = parts.single
            for word in {parts.given, parts.family, parts.single} - {""}:
                bearers.setdefault(word, set()).add(handle)
    return frozenset(surface for surface, word in alone.items() if len(bearers[word]) > 1)


def _called(bible: Bible, reading: Reading) -> dict[str, str]:
    """Return anchors by which those who are only called something ("the ferryman") may come in where they did not before.

    Where a chapter had words for him they are his there, should what brought him in be gone. Who was told by his handle in
    several chapters, and is alone in being called so, is also taken to be the one called so in an edited or new chapter before
    his first: whoever is somebody else after all gets a handle of his own then.
    """
    assert reading.alignment is not None
    ids = {found.old_no: found.id for found in reading.alignment.chapters if found.old_no}
    there: dict[str, set[str]] = {}
    alike: dict[str, list[CastEntry]] = {}
    for entry in bible.cast.values():
        if not entry.entity.anchor.startswith("own:"):
            continue
        alike.setdefault(fold_name(entry.entity.label), []).append(entry)
        for name in entry.names:
            if name.chapter in ids:
                there.setdefault(f"own:{fold_name(name.surface)}:ch{ids[name.chapter]}", set()).add(entry.handle)
    edited = [found for found in reading.alignment.chapters if found.change not in ("same", "title", "punctuation")]
    earlier = {
        f"own:{words}:ch{found.id}": entries[0].handle
        for words, entries in alike.items()
        if len(entries) == 1 and len({name.chapter for name in entries[0].names}) > 1
        for found in edited
        if found.no <= reading.numbers.get(entries[0].entity.chapter, found.no)
    }
    return earlier | {anchor: next(iter(owners)) for anchor, owners in there.items() if len(owners) == 1}


def _renamed(bible: Bible, facts: Iterable[Fact], reading: Reading) -> dict[str, str]:
    """Return anchors for people none of whose names is left, by what stands in the place of a name in sentences kept otherwise."""
    text = reading.manuscript.text
    lost = {
        handle: entry
        for handle, entry in bible.cast.items()
        if entry.entity.named and not any(surface in text for surface in entry.surfaces)
    }
    if not lost:
        return {}
    taken = {surface for handle, entry in bible.cast.items() if handle not in lost for surface in entry.surfaces}
    votes: dict[str, Counter[str]] = {}
    for handle, evidence in _evidence(bible, facts):
        chapter = reading.manuscript.chapter(reading.numbers.get(evidence.chapter, 0))
        if handle in lost and chapter is not None:
            for name in _instead(lost[handle], evidence.text, chapter):
                if name not in taken:
                    votes.setdefault(name, Counter())[handle] += 1
    return {
        f"name:{name}": ranked[0][0]
        for name, counted in votes.items()
        if len(ranked := counted.most_common(2)) == 1 or ranked[0][1] > ranked[1][1]
    }


def _evidence(bible: Bible, facts: Iterable[Fact]) -> Iterator[tuple[str, Evidence]]:
    for fact in facts:
        ends = (fact.entity,) if isinstance(fact, EntityFact) else ()
        if isinstance(fact, ClaimFact):
            ends = (fact.subject, fact.object)  # type: ignore[assignment]
        for end in ends:
            yield from ((bible.root(end), shown) for shown in fact.evidence)  # type: ignore[union-attr]


def _instead(entry: CastEntry, sentence: str, chapter: Chapter) -> Iterator[str]:
    """Yield what stands in a chapter's sentences where `sentence` had a name, the rest being the same."""
    surface = next((s for s in sorted(entry.surfaces, key=len, reverse=True) if s in sentence), "")
    if not surface:
        return
    first, *rest = sentence.split(surface)
    again = "".join(f"(?P=name){re.escape(piece)}" for piece in rest[1:])
    pattern = re.compile(f"{re.escape(first)}(?P<name>.{{1,{LONGEST_NAME}}}?){re.escape(rest[0])}{again}")
    for block in chapter.blocks:
        for span in block.sentences:
            found = pattern.fullmatch(block.text, span.start, span.end)
            if found:
                yield found["name"]
