from __future__ import annotations

from typing import Any

import pytest

from analyzer.steps._turns import TURNS
from tests.harness import lines_of, mark
from tests.steps.ties import EN, ENGAGED, TALES, Tale, facts_of


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_what_the_first_look_saw_is_put_from_the_other_end(tale: Tale) -> None:
    ran = tale.run(
        "relation_turn_again",
        tale.stated(ENGAGED),
        facts=(tale.vote(ENGAGED, "over", (2, 1)),),
        say=lambda q: f"{mark(q, 'happens')} 2.1",
    )
    line = lines_of(ran.shown[0])[-1]
    assert line.index("@2") < line.index("@1") and "broken off" in line
    assert facts_of(ran) == ["over second @1 betrothed_to @2: 2.1"]


@pytest.mark.parametrize("key", ["same", "before", "planned", "other", "open"])
def test_every_neighbour_says_no(key: str) -> None:
    vote = EN.vote(ENGAGED, "over", (2, 1))
    assert facts_of(EN.run("relation_turn_again", EN.stated(ENGAGED), facts=(vote,), say=lambda q: mark(q, key))) == []
    assert facts_of(EN.run("relation_turn_again", EN.stated(ENGAGED), facts=(vote,))) == []


@pytest.mark.parametrize(
    ("before", "now", "turn"),
    [
        ({}, {"status": "former"}, "over"),
        ({}, {"status": "pretended"}, "sham"),
        ({"visibility": "secret"}, {}, "known"),
        ({"affinity": "-"}, {"affinity": "+"}, "warm"),
        ({"affinity": "+"}, {"affinity": "-"}, "cold"),
    ],
)
def test_a_statement_of_this_chapter_that_differs_counts_as_a_look(
    before: dict[str, Any], now: dict[str, Any], turn: str
) -> None:
    ran = EN.run(
        "relation_turn_again",
        EN.stated("@1 friend_of @2", **before),
        facts=(EN.stated("@1 friend_of @2", chapter=2, **now),),
        say=lambda q: mark(q, "happens"),
    )
    assert facts_of(ran) == [f"{turn} code @1 friend_of @2: 1.1", f"{turn} second @1 friend_of @2:"]


def test_what_no_earlier_chapter_states_or_nobody_saw_is_not_asked() -> None:
    assert EN.run("relation_turn_again", facts=(EN.vote(ENGAGED, "over", (2, 1)),)).questions == ()
    assert EN.run("relation_turn_again", EN.stated(ENGAGED)).questions == ()
    same = EN.stated(ENGAGED, chapter=2)
    assert EN.run("relation_turn_again", EN.stated(ENGAGED), facts=(same,)).questions == ()


def test_no_mark_of_the_first_look_says_yes() -> None:
    first = EN.run("relation_turn", EN.stated(ENGAGED)).questions[0]
    vote = EN.vote(ENGAGED, "over", (2, 1))
    again = EN.run("relation_turn_again", EN.stated(ENGAGED), facts=(vote,)).questions[0]
    assert mark(again, "happens") not in {mark(first, turn) for turn in TURNS}
