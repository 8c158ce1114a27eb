"""Who says a quotation, as far as gold tells: it has no speakers, but whoever is told something does not say it."""

from __future__ import annotations

from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story._items import NOBODY, field, id_of, listed, touches
from analyzer.models.question import Answer, Question

TOLD = frozenset({"told", "deceived"})
"""Ways of learning in which somebody else speaks."""


def _who(question: Question, view: GoldView) -> Answer:
    """Return the one offered who is left where gold says that the others learn something by these words."""
    places = question.key.about[0].places
    hearers = {
        who
        for item in view.gold.knowledge
        if field(item, "via") in TOLD and touches(item, places, view)
        for who in listed(item, "knower")
    }
    ids = {option.key: id_of(option.ref, view) for option in question.options}
    left = [key for key, gold_id in ids.items() if gold_id and gold_id not in hearers]
    told = any(gold_id in hearers for gold_id in ids.values())
    if told and len(left) == 1 and len(left) + len(hearers & set(ids.values())) == len(ids):
        return Answer(status="answered", picked=(left[0],))
    return NOBODY


ANSWERERS = {"speech.who": _who}
