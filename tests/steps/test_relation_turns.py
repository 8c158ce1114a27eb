from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.facts import Fact
from analyzer.models.story import TurnFact
from analyzer.steps._turns import TURNS
from tests.steps.ties import EN, ENGAGED, TALES, Tale, facts_of


def both(
    tale: Tale, triple: str, turn: str, first: tuple[int, int] = (2, 1), second: tuple[int, int] = (2, 1)
) -> tuple[Fact, ...]:
    return (tale.vote(triple, turn, first), tale.vote(triple, turn, second, look="second"))


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_two_looks_make_a_turn(tale: Tale) -> None:
    ran = tale.run("relation_turns", tale.stated(ENGAGED), facts=both(tale, ENGAGED, "over"))
    assert facts_of(ran) == ["ends = @1 betrothed_to @2: 2.1"] and ran.codes == []


@pytest.mark.parametrize(("turn", "short"), [("warm", "turns +"), ("cold", "turns -"), ("sham", "pretended =")])
def test_each_answer_comes_to_its_turn(turn: str, short: str) -> None:
    ran = EN.run("relation_turns", EN.stated("@1 friend_of @2"), facts=both(EN, "@1 friend_of @2", turn))
    assert facts_of(ran) == [f"{short} @1 friend_of @2: 2.1"]


def test_code_and_the_second_look_are_two() -> None:
    votes = (EN.vote(ENGAGED, "over", (1, 1), look="code"), EN.vote(ENGAGED, "over", (2, 1), look="second"))
    assert facts_of(EN.run("relation_turns", EN.stated(ENGAGED), facts=votes)) == ["ends = @1 betrothed_to @2: 2.1"]


def test_a_symmetric_relation_is_the_same_from_both_ends() -> None:
    votes = (EN.vote("@2 betrothed_to @1", "over", (2, 1)), EN.vote(ENGAGED, "over", (2, 1), look="second"))
    assert facts_of(EN.run("relation_turns", EN.stated(ENGAGED), facts=votes)) == ["ends = @1 betrothed_to @2: 2.1"]


ENDED = TurnFact(chapter=1, subject="@1", relation="betrothed_to", object="@2", turn="ends", evidence=())


@pytest.mark.parametrize(
    ("before", "votes", "code"),
    [
        ((EN.stated(ENGAGED),), (EN.vote(ENGAGED, "over", (2, 1)),), "undecided"),
        ((), both(EN, ENGAGED, "over"), "turn_of_nothing"),
        ((EN.stated("@1 parent_of @2"),), both(EN, "@1 parent_of @2", "over"), "turn_impossible"),
        ((EN.stated(ENGAGED),), both(EN, ENGAGED, "known"), "turn_impossible"),
        ((EN.stated(ENGAGED, status="former"),), both(EN, ENGAGED, "over"), "turn_already_so"),
        ((EN.stated(ENGAGED), ENDED), both(EN, ENGAGED, "over"), "turn_already_so"),
        ((EN.stated(ENGAGED, affinity="-"),), both(EN, ENGAGED, "cold"), "turn_already_so"),
        (
            (EN.stated(ENGAGED),),
            (EN.vote(ENGAGED, "over"), EN.vote(ENGAGED, "over", look="second")),
            "no_evidence",
        ),
    ],
)  # fmt: skip
def test_rules_at_the_door_are_named(before: tuple[Fact, ...], votes: tuple[Fact, ...], code: str) -> None:
    ran = EN.run("relation_turns", *before, facts=votes)
    assert (facts_of(ran), ran.codes) == ([], [code])


def test_warm_and_cold_at_once_fall_both() -> None:
    ran = EN.run("relation_turns", EN.stated(ENGAGED), facts=(*both(EN, ENGAGED, "warm"), *both(EN, ENGAGED, "cold")))
    assert (facts_of(ran), ran.codes) == ([], ["contradictory_turns", "contradictory_turns"])


def test_looks_at_different_scenes_do_not_agree() -> None:
    long = Tale("en", EN.names, EN.text + "\n" + "Rain. " * 600)
    ran = long.run("relation_turns", long.stated(ENGAGED), facts=both(long, ENGAGED, "over", (2, 1), (3, 600)))
    assert (facts_of(ran), ran.codes) == ([], ["looks_apart"])
    off = long.run("relation_turns", long.stated(ENGAGED), facts=both(long, ENGAGED, "over", (3, 600), (3, 600)))
    assert (facts_of(off), off.codes) == ([], ["evidence_not_in_chapter"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("@1 betrothed_to @2", "@1 parent_of @2", "@1 friend_of @3", "@2 serves @99")),
            st.sampled_from((*TURNS, "nonsense")),
            st.sampled_from(("first", "second", "code")),
            st.sampled_from(((1, 1), (2, 1), (2, 2))),
        ),
        max_size=8,
    )
)
def test_whatever_is_voted_nothing_turns_that_cannot(rows: list[tuple[str, str, str, tuple[int, int]]]) -> None:
    before = (EN.stated(ENGAGED), EN.stated("@1 parent_of @2"), EN.stated("@1 friend_of @3"))
    ran = EN.run(
        "relation_turns", *before, facts=tuple(EN.vote(t, turn, place, look=look) for t, turn, look, place in rows)
    )
    made = [f for f, _ in ran.effects.facts if isinstance(f, TurnFact)]
    assert all(f.evidence and f.turn != "revealed" for f in made)
    assert not any(f.relation == "parent_of" and f.turn == "ends" for f in made)
    assert len({(f.subject, f.relation, f.object, f.turn) for f in made}) == len(made)
