"""Tables of how the cast is related: relations, their turns, and who turns out to be whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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
from analyzer.export.identity_rows import TurnRow, reveal_rows, turn_rows
from analyzer.export.naming import Who
from analyzer.export.planes import Seen
from analyzer.export.show import HIDDEN_BY_DEFAULT, QuoteRow, RelationRow, relation_rows
from analyzer.models.facts import RELATION_KINDS


def _all_relations(view: Seen) -> tuple[RelationRow, ...]:
    return relation_rows(view.bible, view.stored, hidden=True)


def _known(book: BookView) -> Iterator[RelationRow]:
    """Yield the relations both ends of which are known."""
    for row in book.once(_all_relations):
        if book.known(row.subject) and book.known(row.object):
            yield row


def _id(subject: str, kind: str, target: str) -> str:
    return f"{subject} {kind} {target}"


def _relations(book: BookView) -> Iterable[Row]:
    for row in _known(book):
        rule = RELATION_KINDS[row.relation]
        yield (
            _id(row.subject, row.relation, row.object),
            row.subject,
            row.subject_name,
            row.relation,
            row.object,
            row.object_name,
            row.family,
            rule.symmetric,
            rule.inverse or row.relation,
            row.status,
            row.affinity,
            row.visibility,
            row.since,
            row.until,
            row.relation in HIDDEN_BY_DEFAULT,
        )


def _affinities(book: BookView) -> Iterable[Row]:
    for row in _known(book):
        for no, (chapter, affinity) in enumerate(row.affinities, 1):
            yield _id(row.subject, row.relation, row.object), no, chapter, affinity


def _relation_words(book: BookView) -> Iterable[tuple[Value, Sequence[QuoteRow]]]:
    for row in _known(book):
        yield _id(row.subject, row.relation, row.object), row.evidence


def _known_turns(book: BookView) -> Iterator[TurnRow]:
    for row in book.once(turn_rows):
        if book.known(row.subject.handle) and book.known(row.object.handle):
            yield row


def _turns(book: BookView) -> Iterable[Row]:
    for row in _known_turns(book):
        relation = _id(row.subject.handle, row.relation, row.object.handle)
        yield row.fact_id, row.chapter, place_of(row.where), relation, row.turn, row.affinity


def _turn_words(book: BookView) -> Iterable[tuple[Value, Sequence[QuoteRow]]]:
    return ((row.fact_id, row.evidence) for row in _known_turns(book))


def _reveals(book: BookView) -> Iterable[Row]:
    for row in book.once(reveal_rows):
        sides = (
            book.known(row.persona.handle),
            row.persona.name,
            book.known(row.behind.handle),
            row.behind.name,
        )
        yield row.fact_id, row.reveal, row.chapter, place_of(row.where), *sides, row.called, row.status


def _reveal_people(book: BookView) -> Iterable[tuple[Owner, str, Sequence[Who]]]:
    return (((row.fact_id,), "told", row.to) for row in book.once(reveal_rows))


def _reveal_words(book: BookView) -> Iterable[tuple[Value, Sequence[QuoteRow]]]:
    return ((row.fact_id, row.evidence) for row in book.once(reveal_rows))


def place_of(where: str) -> str | None:
    """Return the sentence of `3:4.2`, None for a chapter alone."""
    return where.partition(":")[2] or None


_RELATION = word("relation", "which relation", of="relations.relation")
PLACE = word("place", "paragraph and sentence where it is told", optional=True)
"""Where something is told, in a chapter."""
SPECS = (
    Spec(
        "relations",
        "How the cast is related, as of then; one direction is kept, `inverse` names the other.",
        ("relation",),
        (
            word("relation", "subject, kind and object: `@1 parent_of @2`"),
            *somebody("subject", "who"),
            word("kind", "`parent_of`, `employs`, … read from subject to object"),
            *somebody("object", "to whom"),
            word("family", "`kin`, `romance`, `bond`, `conflict`, `work` or `place`"),
            flag("is_symmetric", "whether it holds the other way round as well"),
            word("inverse", "the kind read from object to subject"),
            word("status", "`current`, `former`, `intended`, `alleged` or `pretended`"),
            word("affinity", "`+`, `0` or `-`"),
            word("visibility", "`public` or `secret`, in the story"),
            number("since", "the chapter that first tells it", of=CHAPTERS),
            number("until", "the chapter by whose end it is over", of=CHAPTERS, optional=True),
            flag("is_faint", "whether it is of a kind that readers agree on least, hidden from `show relations`"),
        ),
        _relations,
    ),
    Spec(
        "relation_affinities",
        "How warm relations are told to be, chapter by chapter.",
        ("relation", "no"),
        (
            _RELATION,
            number("no", "which step, from 1"),
            number("chapter", "the chapter that says so", of=CHAPTERS),
            word("affinity", "`+`, `0` or `-`"),
        ),
        _affinities,
    ),
    words_spec("relation_words", _RELATION, "The words that show relations.", _relation_words),
    Spec(
        "turns",
        "Relations of earlier chapters that end, turn, come out, or were only pretended.",
        ("id",),
        (
            word("id", "its id"),
            number("chapter", "where it is told", of=CHAPTERS),
            PLACE,
            _RELATION,
            word("turn", "`ends`, `turns`, `revealed` or `pretended`"),
            word("affinity", "what it turns to", optional=True),
        ),
        _turns,
    ),
    words_spec("turn_words", word("id", "which turn", of="turns.id"), "The words that show turns.", _turn_words),
    Spec(
        "reveals",
        "Who turns out to be whom. Both sides have their names of before; joined ones share a handle.",
        ("id",),
        (
            word("id", "its id"),
            word("reveal", "the id that goes with the pair, over chapters"),
            number("chapter", "where it is told", of=CHAPTERS),
            PLACE,
            *somebody("persona", "who was seen", optional=True),
            *somebody("behind", "who it is", optional=True),
            word("called", "the words that meant somebody, where the persona is none of the cast"),
            word("status", "`proposed` (on the author's plane alone), `confirmed`, or `told`"),
        ),
        _reveals,
    ),
    people_spec(
        "reveal_people",
        (word("id", "which reveal", of="reveals.id"),),
        "To whom reveals are told.",
        _reveal_people,
        "`told`",
    ),
    words_spec(
        "reveal_words", word("id", "which reveal", of="reveals.id"), "The words that show reveals.", _reveal_words
    ),
)
"""The tables, in order."""
