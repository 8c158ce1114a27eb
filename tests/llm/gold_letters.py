"""Two chapters with gold about one hidden letter, for the tests of gold's answers about secrets and knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.llm.transports.gold_book import GoldView
from analyzer.models.gold import GoldChapter
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.text import Chapter, Place
from analyzer.text.languages import language_table
from tests.harness import book_of

BOOK = book_of(
    "Mara hid the letter. Tomas saw it.\nTomas told Brandt. Brandt did not believe him.",
    "Anna found the letter. Mara wept.\nBrandt went home.",
)
PEOPLE = {"@1": ("mara", "Mara"), "@2": ("tomas", "Tomas"), "@3": ("brandt", "Brandt"), "@4": ("anna", "Anna")}


def shown(chapter: Chapter, *places: tuple[int, int]) -> list[dict[str, int]]:
    """Return sentences as gold's evidence."""
    found = []
    for block, sentence in places:
        span = chapter.blocks[block - 1].sentences[sentence - 1]
        found.append({"block": block, "start": span.start, "end": span.end})
    return found


def view(number: int, items: dict[str, Sequence[dict[str, Any]]], earlier: tuple[GoldChapter, ...] = ()) -> GoldView:
    """Return a chapter's gold view; items give their sentences as `at`."""
    chapter = BOOK.chapters[number - 1]
    made = {
        section: [
            {k: v for k, v in row.items() if k != "at"} | {"evidence": shown(chapter, *row["at"])} for row in rows
        ]
        for section, rows in items.items()
    }
    gold = GoldChapter.model_validate(
        {
            "book": "b",
            "chapter": number,
            "body_start": chapter.body_start,
            "body_end": chapter.end,
            "block_starts": [block.start for block in chapter.blocks],
            "entities": [{"id": of, "kind": "character", "names": [name]} for of, name in PEOPLE.values()],
            "relations": [],
            **made,
        }
    )
    return GoldView(gold, chapter, language_table("en"), earlier)


def ref(handle: str, *places: tuple[int, int]) -> Ref:
    """Return the reference to one of the people."""
    return Ref(handle=handle, names=(PEOPLE[handle][1],), places=tuple(Place(*p) for p in places))


def question(
    ask: str,
    *about: Ref,
    detail: str = "",
    keys: Sequence[str] = (),
    texts: Sequence[str] = (),
    at: Sequence[tuple[int, int]] = (),
    text: str = "q",
    kind: Any = "select",
    most: int = 8,
) -> Question:
    """Return a question; keys that are handles carry their reference."""
    options = tuple(
        Option(mark=key, key=key, text=words, ref=ref(key) if key in PEOPLE else None)
        for key, words in zip(keys, [*texts, *[""] * len(keys)], strict=False)
    )
    return Question(
        key=QuestionKey(step="s", ask=ask, chapter=1, about=about, detail=detail),
        type=kind,
        text=text,
        options=options,
        evidence="may",
        sentences=tuple(Place(*p) for p in at),
        max_picks=most,
        max_sentences=8,
    )
