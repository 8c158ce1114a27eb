"""Tables of the story: changes of state, looks, secrets, knowledge, threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from analyzer.export.change_rows import ChangeRow, change_rows
from analyzer.export.columns import (
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
    words_spec,
)
from analyzer.export.naming import Who
from analyzer.export.planes import Seen
from analyzer.export.secret_rows import KnowledgeRow, knowledge_rows, secret_rows
from analyzer.export.show import QuoteRow
from analyzer.export.thread_rows import thread_rows
from analyzer.export.tie_tables import PLACE, place_of
from analyzer.models.story import READER

Words = Iterable[tuple[Value, Sequence[QuoteRow]]]
People = Iterable[tuple[Owner, str, Sequence[Who]]]


def look_rows(view: Seen) -> tuple[ChangeRow, ...]:
    """Return how everybody looks, as rows of changes."""
    return change_rows(view, looks=True)


def _changed(book: BookView, looks: bool) -> Iterator[ChangeRow]:
    return (row for row in book.once(look_rows if looks else change_rows) if book.known(row.entity.handle))


def _changes(looks: bool) -> Callable[[BookView], Iterable[Row]]:
    def rows(book: BookView) -> Iterable[Row]:
        for row in _changed(book, looks):
            value_of = (book.known(row.value_of.handle), row.value_of.name) if row.value_of else (None, None)
            at = (row.fact_id, row.chapter, place_of(row.where), row.entity.handle, row.entity.name)
            yield *at, row.attribute, row.op, row.value, *value_of, row.before, row.modality, row.holds

    return rows


def _change_words(looks: bool) -> Callable[[BookView], Words]:
    return lambda book: ((row.fact_id, row.evidence) for row in _changed(book, looks))


def _secrets(book: BookView) -> Iterable[Row]:
    for row in book.once(secret_rows):
        yield row.secret, row.chapter, place_of(row.where), row.proposition, row.status


def _secret_people(book: BookView) -> People:
    for row in book.once(secret_rows):
        yield (row.secret,), "holder", row.holders
        yield (row.secret,), "kept_from", row.kept_from


def _secret_events(book: BookView) -> Iterable[Row]:
    for row in book.once(secret_rows):
        for no, event in enumerate(row.events, 1):
            yield row.secret, no, event.chapter, place_of(event.where), event.event


def _event_people(book: BookView) -> People:
    for row in book.once(secret_rows):
        for no, event in enumerate(row.events, 1):
            yield (row.secret, no), "told", event.to


def _secret_words(book: BookView) -> Words:
    return ((row.secret, row.evidence) for row in book.once(secret_rows))


def _known(book: BookView) -> Iterator[KnowledgeRow]:
    return (r for r in book.once(knowledge_rows) if r.knower.handle == READER or book.known(r.knower.handle))


def _knowledge(book: BookView) -> Iterable[Row]:
    for row in _known(book):
        told_by = (book.known(row.told_by.handle), row.told_by.name) if row.told_by else (None, None)
        knower = (book.known(row.knower.handle), row.knower.name, row.knower.handle == READER)
        at = (row.fact_id, row.piece, row.chapter, place_of(row.where))
        yield *at, *knower, row.stance, row.proposition, row.via, *told_by, row.secret or None


def _knowledge_words(book: BookView) -> Words:
    return ((row.fact_id, row.evidence) for row in _known(book))


def _threads(book: BookView) -> Iterable[Row]:
    for row in book.once(thread_rows):
        at = (row.thread, row.chapter, place_of(row.where))
        yield *at, row.kind, row.statement, row.status, row.health, row.silent


def _thread_people(book: BookView) -> People:
    return (((row.thread,), "about", row.about) for row in book.once(thread_rows))


def _thread_events(book: BookView) -> Iterable[Row]:
    for row in book.once(thread_rows):
        for no, event in enumerate(row.events, 1):
            yield row.thread, no, event.chapter, place_of(event.where), event.event


def _thread_words(book: BookView) -> Words:
    return ((row.thread, row.evidence) for row in book.once(thread_rows))


_CHAPTER = number("chapter", "where it is told", of=CHAPTERS)
_SECRET = word("secret", "which secret", of="secrets.secret")
_THREAD = word("thread", "which thread", of="threads.thread")
_CHANGE_COLUMNS = (
    word("id", "its id"),
    _CHAPTER,
    PLACE,
    *somebody("entity", "whose"),
    word("attribute", "what of them: `location`, `health`, `hair`, …"),
    word("op", "`set`, `add`, `remove` or `end`"),
    word("value", "what it comes to, in words"),
    *somebody("value_of", "the same where it is one of the cast", optional=True),
    word("before", "what it was; empty where that is not known"),
    word("modality", "`asserted`, `reported`, `believed`, `planned`, `hypothetical`, `dreamt` or `lied`"),
    flag("holds", "whether it is so as of then; only what is asserted can be"),
)
SPECS = (
    Spec("changes", "What changed in everybody's state.", ("id",), _CHANGE_COLUMNS, _changes(False)),
    words_spec(
        "change_words",
        word("id", "which change", of="changes.id"),
        "The words that show changes.",
        _change_words(False),
    ),
    Spec("looks", "How everybody looks.", ("id",), _CHANGE_COLUMNS, _changes(True)),
    words_spec(
        "look_words", word("id", "which look", of="looks.id"), "The words that show looks.", _change_words(True)
    ),
    Spec(
        "secrets",
        "What is kept from somebody.",
        ("secret",),
        (
            word("secret", "its id"),
            _CHAPTER,
            PLACE,
            word("proposition", "what is hidden, in a few words"),
            word("status", "`kept` until nobody is left, then `out`"),
        ),
        _secrets,
    ),
    people_spec(
        "secret_people",
        (_SECRET,),
        "Who holds secrets as of then, and from whom they are still kept.",
        _secret_people,
        "`holder` or `kept_from`",
    ),
    Spec(
        "secret_events",
        "What happens to secrets.",
        ("secret", "event_no"),
        (
            _SECRET,
            number("event_no", "which of its events, from 1"),
            _CHAPTER,
            PLACE,
            word("event", "`touched`, `shared` or `exposed`"),
        ),
        _secret_events,
    ),
    people_spec(
        "secret_event_people",
        (_SECRET, number("event_no", "which of its events", of="secret_events.event_no")),
        "Before whom that happens.",
        _event_people,
        "`told`",
    ),
    words_spec("secret_words", _SECRET, "The words that show secrets, and what happens to them.", _secret_words),
    Spec(
        "knowledge",
        "Who comes to know, believe or suspect what, or plainly does not know it.",
        ("id",),
        (
            word("id", "its id"),
            word("piece", "shared by all who know the same"),
            _CHAPTER,
            PLACE,
            *somebody("knower", "who; empty for the reader", optional=True),
            flag("is_reader", "whether it is the reader who knows it"),
            word("stance", "`knows`, `believes`, `suspects` or `unaware`"),
            word("proposition", "what, in a few words"),
            word("via", "`witnessed`, `told`, `overheard`, `read`, `inferred` or `deceived`", optional=True),
            *somebody("told_by", "from whom", optional=True),
            word("secret", "the secret that it is", of="secrets.secret", optional=True),
        ),
        _knowledge,
    ),
    words_spec(
        "knowledge_words", word("id", "which knowledge", of="knowledge.id"), "The words that show it.", _knowledge_words
    ),
    Spec(
        "threads",
        "What the book sets up and owes an answer. Characters know nothing of threads.",
        ("thread",),
        (
            word("thread", "its id"),
            _CHAPTER,
            PLACE,
            word("kind", "`object`, `promise`, `threat`, `prophecy`, `secret`, `question`, …"),
            word("statement", "what is left open, in a few words"),
            word("status", "`open`, `dormant`, `overdue`, `paid`, `subverted` or `abandoned`"),
            word("health", "`fresh`, `active`, `dormant`, `overdue`, `closed` or `unplanted`"),
            number("silent", "chapters read since its last event"),
        ),
        _threads,
    ),
    people_spec("thread_people", (_THREAD,), "Whom and what threads are about.", _thread_people, "`about`"),
    Spec(
        "thread_events",
        "What happens to threads.",
        ("thread", "event_no"),
        (
            _THREAD,
            number("event_no", "which of its events, from 1"),
            _CHAPTER,
            PLACE,
            word("event", "`plant`, `reinforce`, `trigger`, `partial_payoff`, `payoff`, `subvert` or `abandon`"),
        ),
        _thread_events,
    ),
    words_spec("thread_words", _THREAD, "The words that show threads and their events.", _thread_words),
)
"""The tables, in order."""
