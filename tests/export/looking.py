"""Every view of a book at once, as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from analyzer.export.card_rows import card_rows
from analyzer.export.change_rows import change_rows
from analyzer.export.event_rows import chapter_change_rows, timeline_rows
from analyzer.export.identity_rows import reveal_rows, turn_rows
from analyzer.export.planes import Seen
from analyzer.export.secret_rows import knowledge_rows, known_rows, secret_rows
from analyzer.export.show import cast_rows, entity_ids, relation_rows
from analyzer.export.speech_rows import speech_rows
from analyzer.export.thread_rows import thread_rows
from analyzer.models.base import Record
from analyzer.models.story import READER

VIEWS: dict[str, Callable[[Seen], Sequence[Record]]] = {
    "cast": lambda view: cast_rows(view.bible, entity_ids(view.stored)),
    "relations": lambda view: relation_rows(view.bible, view.stored, hidden=True),
    "changes": change_rows,
    "looks": lambda view: change_rows(view, looks=True),
    "secrets": secret_rows,
    "knowledge": knowledge_rows,
    "threads": thread_rows,
    "open threads": lambda view: thread_rows(view, is_open=True),
    "reveals": reveal_rows,
    "turns": turn_rows,
    "speech": speech_rows,
    "cards": card_rows,
    "timeline": timeline_rows,
    "of everybody": lambda view: [row for handle in view.bible.cast for row in timeline_rows(view, of=handle)],
    "chapters": lambda view: [row for no in range(view.through + 2) for row in chapter_change_rows(view, no)],
    "knows": lambda view: [row for handle in (*view.bible.cast, READER) for row in known_rows(view, handle)],
}


def as_json(view: Seen) -> dict[str, str]:
    """Return the JSON of each view."""
    return {
        name: json.dumps([row.model_dump(mode="json") for row in look(view)], ensure_ascii=False)
        for name, look in VIEWS.items()
    }
