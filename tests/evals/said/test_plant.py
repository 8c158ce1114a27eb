from __future__ import annotations

from analyzer.bible import fold
from evals.said.plant import said
from tests.harness import chapter_of
from tests.steps.thread_tale import EN, thread

FIRST = chapter_of(EN)


def test_every_event_of_the_chapter_is_an_item_in_the_words_of_gold() -> None:
    facts = thread("t1", FIRST, "object", "the key", (1, 1), events=[(2, "reinforce"), (2, "payoff")])
    bible = fold(facts, through=2)
    [first] = said(bible, 1)
    assert first.fields == {"kind": "object", "what": "the key", "event": "plant"}
    assert [e.place for e in first.evidence] == [e.place for e in facts[0].evidence]  # type: ignore[union-attr]
    assert [item.fields["event"] for item in said(bible, 2)] == ["payoff", "reinforce"]


def test_a_chapter_in_which_nothing_happens_says_nothing() -> None:
    assert list(said(fold(thread("t1", FIRST, "object", "the key", (1, 1)), through=3), 3)) == []
