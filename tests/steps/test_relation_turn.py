from __future__ import annotations

from typing import Any

import pytest

from analyzer.steps._turns import MAX_TIES
from tests.harness import lines_of, mark
from tests.steps.ties import EN, ENGAGED, TALES, Tale, facts_of


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_a_relation_whose_ends_stand_together_is_asked_about_and_each_turn_kept_with_its_sentences(tale: Tale) -> None:
    ran = tale.run("relation_turn", tale.stated(ENGAGED), say=lambda q: f"{mark(q, 'over')} 2.1 {mark(q, 'cold')} 1.1")
    assert [q.key.detail for q in ran.questions] == ["betrothed_to"]
    assert facts_of(ran) == ["over first @1 betrothed_to @2: 2.1", "cold first @1 betrothed_to @2: 1.1"]


def test_what_is_secret_is_shown_as_such() -> None:
    ran = EN.run("relation_turn", EN.stated("@1 lover_of @2", visibility="secret"))
    assert lines_of(ran.shown[0])[-1].split(" | ")[0].endswith(", in secret")


@pytest.mark.parametrize(
    "stated",
    [
        {"triple": "@1 parent_of @2"},
        {"triple": "@1 from @2"},
        {"triple": "@1 harms @2"},
        {"triple": ENGAGED, "status": "former"},
        {"triple": ENGAGED, "status": "pretended"},
    ],
    ids=str,
)
def test_what_cannot_turn_is_not_asked_about(stated: dict[str, Any]) -> None:
    triple = stated["triple"]
    rest = {key: value for key, value in stated.items() if key != "triple"}
    assert EN.run("relation_turn", EN.stated(triple, **rest)).questions == ()


@pytest.mark.parametrize(
    "stated",
    [
        {"triple": "@1 parent_of @2", "affinity": "-"},
        {"triple": "@1 harms @2", "visibility": "secret"},
        {"triple": ENGAGED, "status": "former", "visibility": "secret"},
        {"triple": "@1 sibling_of @2", "status": "alleged"},
    ],
    ids=str,
)
def test_what_may_still_change_is(stated: dict[str, Any]) -> None:
    triple = stated["triple"]
    rest = {key: value for key, value in stated.items() if key != "triple"}
    assert len(EN.run("relation_turn", EN.stated(triple, **rest)).questions) == 1


def test_ends_that_are_not_here_or_not_near_are_not_asked_about() -> None:
    away = Tale("en", EN.names, "Ida slept.")
    assert away.run("relation_turn", EN.stated(ENGAGED)).questions == ()
    far = Tale("en", EN.names, "Ida slept.\n" + "It rained all day. " * 40 + "\nCorb slept.")
    assert far.run("relation_turn", EN.stated(ENGAGED)).questions == ()
    assert EN.run("relation_turn").questions == ()


def test_none_absent_sentences_and_unreadable_lines_leave_no_vote_of_worth() -> None:
    before = EN.stated(ENGAGED)
    assert facts_of(EN.run("relation_turn", before)) == []
    assert facts_of(EN.run("relation_turn", before, say=lambda q: "over")) == []
    assert facts_of(EN.run("relation_turn", before, say=lambda q: "a 99.1")) == ["over first @1 betrothed_to @2:"]


def test_a_relation_is_asked_once_however_many_chapters_state_it_and_many_are_bounded() -> None:
    kinds = (
        "friend_of",
        "ally_of",
        "enemy_of",
        "rival_of",
        "employs",
        "serves",
        "protects",
        "owes",
        "loves",
        "mentors",
        "leads",
    )
    ends = [(a, b) for a in ("@1", "@2", "@3") for b in ("@1", "@2", "@3") if a < b]
    many = [EN.stated(f"{a} {kind} {b}") for kind in kinds for a, b in ends if kind != "leads"] * 2
    keys = [q.key.text for q in EN.run("relation_turn", *many).questions]
    assert len(keys) == len(set(keys)) <= MAX_TIES
