"""How gold answers for a chapter's card: gold has no summaries, so one is put together from its core changes and pieces of knowledge."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story._items import NOBODY, field, note
from analyzer.models.gold import GoldItem
from analyzer.models.question import Answer, Question

SENTENCES = 4
"""Sentences of a summary made of gold."""


def _lines(view: GoldView) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield what gold's core items say, each with where it stands."""
    rows = (
        *((item, field(item, "to")) for item in view.gold.changes),
        *((item, field(item, "proposition")) for item in view.gold.knowledge),
        *((item, field(item, "what")) for item in view.gold.plants),
    )
    for item, words in rows:
        if item.level == "core" and words:
            yield _at(item), words


def _at(item: GoldItem) -> tuple[int, int]:
    return min(((e.block, e.start) for e in item.evidence), default=(0, 0))


def _summary(_question: Question, view: GoldView) -> Answer:
    told = [_capital(" ".join(words.split()).rstrip(".")) for _, words in sorted(_lines(view))]
    return note(". ".join(dict.fromkeys(told[:: max(1, len(told) // SENTENCES)][:SENTENCES])) + "." if told else "")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _eyes(question: Question, view: GoldView) -> Answer:
    teller = view.narrator()
    found = [o.key for o in question.options if teller is not None and o.ref and view.of(o.ref) is teller]
    return Answer(status="answered", picked=(found[0] if found else "outside",))


ANSWERERS: dict[str, Callable[[Question, GoldView], Answer]] = {
    "card.summary": _summary,
    "card.time": lambda _question, _view: NOBODY,
    "card.point_of_view": _eyes,
}
