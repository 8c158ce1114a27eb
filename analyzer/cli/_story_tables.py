"""How rows of the story are printed: tables that read well at 80 columns, and blocks where words matter more than columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from analyzer.cli._screen import print_block, print_table

if TYPE_CHECKING:
    from analyzer.export.card_rows import CardRow
    from analyzer.export.change_rows import ChangeRow
    from analyzer.export.event_rows import EventRow
    from analyzer.export.identity_rows import RevealRow, TurnRow
    from analyzer.export.naming import Who
    from analyzer.export.secret_rows import KnowledgeRow, KnownRow, SecretRow
    from analyzer.export.speech_rows import SpeechRow
    from analyzer.export.thread_rows import ThreadRow

SHORT_ID = 8
"""Characters of a fact's id that are printed; `why` takes them."""
MOST_NAMED = 3
"""People named in a cell; the others are counted."""
MOST_CHARS = 160
"""Characters of a quotation that are printed."""


def short(fact_id: str) -> str:
    """Return the beginning of a fact's id, as `why` takes it."""
    return fact_id.rpartition(":")[2][:SHORT_ID]


def named(one: Who | None) -> str:
    """Return handle and name, once where they are the same; "" for nobody."""
    if one is None:
        return ""
    return one.name if one.name == one.handle or not one.handle.startswith("@") else f"{one.handle} {one.name}"


def named_all(people: Sequence[Who]) -> str:
    """Return several, the first few by name."""
    left = len(people) - MOST_NAMED
    return ", ".join(map(named, people[:MOST_NAMED])) + (f" and {left} more" if left > 0 else "")


def quoted(text: str) -> str:
    """Return words on one line, cut where they are long."""
    flat = " ".join(text.split())
    return f"“{flat if len(flat) <= MOST_CHARS else flat[: MOST_CHARS - 1] + '…'}”"


def print_changes(rows: Iterable[ChangeRow]) -> None:
    """Print changes of state."""
    print_table(
        ("id", "where", "who", "what", "is", ""),
        ((r.change, r.where, named(r.entity), r.attribute, _value(r), _standing(r)) for r in rows),
    )


def print_looks(rows: Iterable[ChangeRow]) -> None:
    """Print changes of looks."""
    print_changes(rows)


def _value(row: ChangeRow) -> str:
    known = row.value_of if row.value_of and row.value_of.name != row.value_of.handle else None
    value = named(known) or row.value
    before = f" (before: {row.before})" if row.before else ""
    return {"set": "", "add": "", "remove": "not ", "end": "no longer "}[row.op] + value + before


def _standing(row: ChangeRow) -> str:
    if row.modality != "asserted":
        return row.modality
    if row.op in ("remove", "end"):
        return "ended"
    return "holds" if row.holds else "over"


def print_secrets(rows: Iterable[SecretRow]) -> None:
    """Print secrets, a block each."""
    for r in rows:
        people = (("known to ", r.holders), ("kept from ", r.kept_from))
        lines = [f"since {r.where}; {_fate(r)}", *(how + ", ".join(map(named, some)) for how, some in people if some)]
        print_block(f"{r.proposition}   [{r.secret}]", lines)


def _fate(row: SecretRow) -> str:
    last = row.events[-1] if row.events else None
    return f"{row.status} ({last.where} {last.event})" if last else row.status


def print_knowledge(rows: Iterable[KnowledgeRow]) -> None:
    """Print who came to know what."""
    print_table(
        ("id", "where", "who", "", "what", "how"),
        ((r.piece, r.where, named(r.knower), r.stance, r.proposition, _way(r)) for r in rows),
    )


def _way(row: KnowledgeRow | KnownRow) -> str:
    by = f" by {named(row.told_by)}" if row.told_by else ""
    return f"{row.via or ('told' if by else '')}{by}"


def print_threads(rows: Iterable[ThreadRow]) -> None:
    """Print threads with how they do."""
    print_table(
        ("id", "since", "kind", "thread", "how it does"),
        ((r.thread, r.where, r.kind, r.statement, f"{_health(r)}{_last(r)}") for r in rows),
    )


def _health(row: ThreadRow) -> str:
    if row.health == "closed":
        return row.status
    if row.health == "unplanted":
        return f"{row.status} without a plant"
    return f"{row.health} for {row.silent} chapters" if row.health == "dormant" else row.health


def _last(row: ThreadRow) -> str:
    return f"; {row.events[-1].where} {row.events[-1].event}" if row.events else ""


def print_reveals(rows: Iterable[RevealRow]) -> None:
    """Print reveals."""
    print_table(
        ("id", "where", "persona", "is", "told to", ""),
        (
            (
                r.reveal,
                r.where,
                named(r.persona) if r.persona.handle != r.behind.handle else r.called or "somebody",
                named(r.behind),
                named_all(r.to),
                r.status,
            )
            for r in rows
        ),
    )


def print_turns(rows: Iterable[TurnRow]) -> None:
    """Print turns of relations."""
    print_table(
        ("id", "where", "who", "relation", "whom", "turn"),
        (
            (
                short(r.fact_id),
                r.where,
                named(r.subject),
                f"{r.relation} since {r.since}",
                named(r.object),
                f"{r.turn}, {r.affinity}" if r.affinity else r.turn,
            )
            for r in rows
        ),
    )


def print_speech(rows: Iterable[SpeechRow]) -> None:
    """Print who speaks."""
    print_table(
        ("id", "where", "talk", "who", "to whom", "known by"),
        (
            (short(r.fact_id), r.where, r.conversation, named(r.speaker) or "?", named_all(r.hearers), r.by)
            for r in rows
        ),
        right=(2,),
    )


def print_cards(rows: Iterable[CardRow]) -> None:
    """Print cards, a block each."""
    for r in rows:
        outside = "told from outside" if r.point_of_view else ""
        parts = (r.time, f"through the eyes of {named(r.eyes)}" if r.eyes else outside)
        told = ", ".join(part for part in parts if part)
        lines = [r.summary]
        if r.people:
            lines.append("people: " + ", ".join(map(named, r.people)))
        if r.places:
            lines.append("places: " + ", ".join(map(named, r.places)))
        print_block(f"Chapter {r.chapter}{': ' + told if told else ''}   [{short(r.fact_id)}]", lines)


def print_events(rows: Iterable[EventRow]) -> None:
    """Print what happens."""
    print_table(
        ("id", "where", "what", "who", "how"),
        ((short(r.fact_id), r.where, r.what, named_all(r.who), r.told) for r in rows),
    )


def print_known(rows: Iterable[KnownRow]) -> None:
    """Print how somebody stands to everything, a block each, with the words that show it."""
    stance = {"knows": "knows", "believes": "believes", "suspects": "suspects", "unaware": "does not know"}
    for r in rows:
        way = _way(r)
        since = f"since {r.where}{': ' + way if way else ''}"
        lines = [since, *(f"{e.chapter}:{e.place} {quoted(e.text)}" for e in r.evidence)]
        print_block(f"{stance[r.stance]}: {r.proposition}{' (a secret)' if r.is_secret else ''}   [{r.of}]", lines)
