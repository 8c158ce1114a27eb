"""Tables of the chapters and of who is in them: cast, names, presence, cards, speech."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analyzer.bible import NARRATOR_SURFACE, CastEntry
from analyzer.export.card_rows import CardRow, card_rows
from analyzer.export.columns import (
    CAST,
    CHAPTERS,
    BookView,
    Owner,
    Row,
    Spec,
    Value,
    flag,
    number,
    people_spec,
    somebody,
    word,
)
from analyzer.export.naming import Who
from analyzer.export.show import cast_rows
from analyzer.export.speech_rows import speech_rows
from analyzer.models.facts import PresenceFact

_THERE = ("on_page", "mentioned", "historical")
"""How one may be there, the most first: of two forms of one person the more counts."""


def _chapters(book: BookView) -> Iterable[Row]:
    mind = book.seen.mind
    for row in book.chapters:
        is_told = mind is None or row.no in mind.scenes
        title = row.title if is_told else ""
        yield row.no, row.kind, row.label if is_told else "", title, row.n_blocks, row.no not in book.unread


def _cast(book: BookView) -> Iterable[Row]:
    for row in cast_rows(book.seen.bible, {}):
        yield (
            row.handle,
            row.kind,
            row.name,
            row.named,
            row.narrator,
            row.first_chapter,
            len(row.presence),
            row.n_mentions,
        )


def _merges(book: BookView) -> Iterable[Row]:
    for handle, entry in book.seen.bible.cast.items():
        for merged in entry.merged:
            yield merged, handle


def _names(book: BookView) -> Iterable[Row]:
    for handle, entry in book.seen.bible.cast.items():
        for name, kind, since in _names_of(entry):
            yield handle, name, kind, since


def _names_of(entry: CastEntry) -> Iterator[tuple[str, str, int | None]]:
    """Yield the names of one of the cast, the one it is shown by first, each once."""
    first: dict[str, tuple[str, int]] = {}
    for fact in entry.names:
        if not fact.surface.startswith(NARRATOR_SURFACE):
            first.setdefault(fact.surface, (fact.name_kind, fact.chapter))
    shown = dict.fromkeys((*entry.called, *first))
    for name in shown:
        if name in first:
            yield name, *first[name]
        elif name == entry.renamed:
            yield name, "given_by_author", None
        else:
            yield name, "label", entry.entity.chapter


def _presence(book: BookView) -> Iterable[Row]:
    for handle, entry in book.seen.bible.cast.items():
        by_chapter: dict[int, list[PresenceFact]] = {}
        for fact in entry.presences:
            by_chapter.setdefault(fact.chapter, []).append(fact)
        for chapter, facts in sorted(by_chapter.items()):
            there = min((fact.presence for fact in facts), key=_THERE.index)
            first = min((fact.first for fact in facts if fact.first), default=None)
            mentions = sum(fact.n_mentions for fact in facts)
            yield handle, chapter, there, mentions, str(first) if first else None


def _known_cards(book: BookView) -> Iterable[CardRow]:
    """Return the cards, one a chapter: the first, should a store hold more."""
    found: dict[int, CardRow] = {}
    for row in book.once(card_rows):
        found.setdefault(row.chapter, row)
    return found.values()


def _cards(book: BookView) -> Iterable[Row]:
    for row in _known_cards(book):
        eyes = _one(book, row.eyes)
        yield row.chapter, row.summary, row.time, row.point_of_view, *eyes


def _card_people(book: BookView) -> Iterable[tuple[Owner, str, Sequence[Who]]]:
    for row in _known_cards(book):
        yield (row.chapter,), "there", row.people
        yield (row.chapter,), "place", row.places


def _speech(book: BookView) -> Iterable[Row]:
    for row in book.once(speech_rows):
        speaker = _one(book, row.speaker)
        place = row.where.partition(":")[2]
        yield row.fact_id, row.chapter, place, row.conversation, *speaker, row.by, row.block, row.start, row.end


def _hearers(book: BookView) -> Iterable[tuple[Owner, str, Sequence[Who]]]:
    for row in book.once(speech_rows):
        yield (row.fact_id,), "hearer", row.hearers


def _one(book: BookView, one: Who | None) -> tuple[Value, Value]:
    """Return handle and name of somebody who may be nobody."""
    return (book.known(one.handle), one.name) if one else (None, None)


_CHAPTER = number("chapter", "the chapter", of=CHAPTERS)
SPECS = (
    Spec(
        "chapters",
        "The chapters up to the one exported, as the manuscript was cut.",
        ("chapter",),
        (
            number("chapter", "its place in the manuscript, from 1"),
            word("kind", "`chapter`, `prologue`, `interlude`, `side_story`, `epilogue`, `front` or `back`"),
            word("label", "the number or word printed over it"),
            word("title", "its title; on a character's plane that of chapters they are on the page of"),
            number("paragraphs", "how many paragraphs it has"),
            flag("was_read", "whether it was analysed; of a chapter that was not nothing is known"),
        ),
        _chapters,
    ),
    Spec(
        "cast",
        "Everybody and everything with a handle as of then.",
        ("entity",),
        (
            word("entity", "the handle: `@7`"),
            word("kind", "`character`, `group`, `place`, `object`, `event`, `lore` or `text`"),
            word("name", "how it is called as of then"),
            flag("is_named", "whether it has a name, or only words that describe it"),
            flag("is_narrator", "whether it says I in some chapter"),
            number("since", "the chapter that brings it", of=CHAPTERS),
            number("chapters", "in how many chapters it is there or spoken of"),
            number("mentions", "how often its names stand in them, as code found them"),
        ),
        _cast,
    ),
    Spec(
        "merges",
        "Handles of those who turned out to be one with another of the cast.",
        ("handle",),
        (word("handle", "the handle it had"), word("entity", "who it is", of=CAST)),
        _merges,
    ),
    Spec(
        "names",
        "The names and descriptions of everybody known as of then, the one they are shown by first.",
        ("entity", "name"),
        (
            word("entity", "whose it is", of=CAST),
            word("name", "the name as written"),
            word(
                "kind",
                "`full`, `given`, `family`, `nickname`, `title`, … `descriptor` for words that are no name, `label` for what "
                "code calls it, `given_by_author` for a decision of the author's",
            ),
            number("since", "the chapter from which on it is known", of=CHAPTERS, optional=True),
        ),
        _names,
    ),
    Spec(
        "presence",
        "Who and what is there in which chapter.",
        ("entity", "chapter"),
        (
            word("entity", "who", of=CAST),
            _CHAPTER,
            word("presence", "`on_page`, `mentioned` or `historical`"),
            number("mentions", "how often its names stand there"),
            word("place", "paragraph and sentence where it first comes up", optional=True),
        ),
        _presence,
    ),
    Spec(
        "cards",
        "Each chapter on a card.",
        ("chapter",),
        (
            _CHAPTER,
            word("summary", "two to five sentences"),
            word("time", "when it is; empty where that is not told"),
            word("point_of_view", "whose eyes, in words"),
            *somebody("eyes", "whose eyes, where it is one of the cast", optional=True),
        ),
        _cards,
    ),
    people_spec(
        "card_people",
        (_CHAPTER,),
        "Who is on a card, and where it is.",
        _card_people,
        "`there` for people and things, `place` for where",
    ),
    Spec(
        "speech",
        "The quotations, and who says them.",
        ("quotation",),
        (
            word("quotation", "its id"),
            _CHAPTER,
            word("place", "paragraph and sentence where it begins"),
            number("conversation", "which conversation of the chapter, from 1"),
            *somebody("speaker", "who says it; empty where nobody can tell", optional=True),
            word("by", "how that is known: `tag`, `turn`, `single`, `asked` or `unknown`"),
            number("paragraph", "in which paragraph it stands, from 1"),
            number("start", "its first character in the paragraph, from 0"),
            number("end", "the character behind its last"),
        ),
        _speech,
    ),
    people_spec(
        "speech_hearers",
        (word("quotation", "what they hear", of="speech.quotation"),),
        "Who hears a quotation.",
        _hearers,
        "`hearer`",
    ),
)
"""The tables, in order."""
