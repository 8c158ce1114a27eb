from __future__ import annotations

from typing import Any

import pytest

from evals.records import Outcome
from evals.scoring.outcomes import compare
from evals.scoring.relations import stated
from tests.evals.scoring.readings import item, only, reading, rel, who

CAST = (who("oda", "Oda"), who("ludo", "Ludo"), who("hesk", "Hesk"), who("pia", "Pia", level="optional"))
SAID = tuple(who(f"@{n}", name) for n, name in enumerate(("Oda", "Ludo", "Hesk", "Pia"), 1))


def both(gold: str, said: str, *, at: int = 100, said_at: int = 100, **more: Any) -> tuple[Outcome, Outcome]:
    status = more.pop("said_status", "current")
    outcomes = compare(reading(CAST, (rel(gold, at, **more),)), reading(SAID, (rel(said, said_at, status=status),)))
    return only(outcomes, "gold", "relation"), only(outcomes, "said", "relation")


def levels(outcome: Outcome) -> tuple[bool, bool, bool]:
    return outcome.hits["pair"], outcome.hits["family"], outcome.hits["kind"]


@pytest.mark.parametrize(
    ("gold", "said", "reached"),
    [
        ("oda parent_of ludo", "@1 parent_of @2", (True, True, True)),
        ("oda parent_of ludo", "@2 parent_of @1", (True, True, False)),
        ("oda parent_of ludo", "@1 sibling_of @2", (True, True, False)),
        ("oda parent_of ludo", "@1 enemy_of @2", (True, False, False)),
        ("oda parent_of ludo", "@1 parent_of @3", (False, False, False)),
        ("oda sibling_of ludo", "@2 sibling_of @1", (True, True, True)),
        ("oda loves ludo", "@2 loves @1", (True, True, False)),
    ],
)
def test_a_relation_is_held_to_pair_family_and_kind(gold: str, said: str, reached: tuple[bool, bool, bool]) -> None:
    mine, theirs = both(gold, said)
    assert levels(mine) == reached and levels(theirs) == reached
    assert mine.match == {(True, True, True): "kind", (True, True, False): "family", (True, False, False): "pair"}.get(
        reached, ""
    )


def test_direction_is_told_apart_from_the_kind() -> None:
    assert both("oda parent_of ludo", "@2 parent_of @1")[1].hits["direction"] is False
    assert both("oda parent_of ludo", "@1 parent_of @2")[1].hits["direction"] is True
    assert "direction" not in both("oda parent_of ludo", "@1 sibling_of @2")[1].hits


def test_every_true_way_to_say_it_counts_in_its_own_family_too() -> None:
    assert levels(both("oda parent_of ludo", "@1 mentors @2", alternates=("mentors",))[1]) == (True, True, True)
    assert levels(both("oda employs ludo", "@2 serves @1", alternates=("~serves",))[0])[2]
    assert not levels(both("oda employs ludo", "@1 serves @2", alternates=("~serves",))[0])[2]
    other = both("oda employs ludo", "@1 owes @3", alternate_triples=(("oda", "owes", "hesk"),))
    assert levels(other[0]) == levels(other[1]) == (True, True, True)


def test_optional_gold_is_right_and_never_missed() -> None:
    mine, theirs = both("oda loves hesk", "@1 loves @3", level="optional")
    assert mine.level == "optional" and theirs.hits["family"]


def test_status_is_whether_it_holds_or_is_only_planned_or_said() -> None:
    assert both("oda serves ludo", "@1 serves @2", said_status="former")[1].hits["status"]
    assert not both("oda serves ludo", "@1 serves @2", said_status="alleged")[1].hits["status"]
    assert both("oda serves ludo", "@1 serves @2", said_status="alleged", status_alternates=("pretended",))[1].hits[
        "status"
    ]
    assert "status" not in both("oda serves ludo", "@2 serves @1")[1].hits


@pytest.mark.parametrize(
    ("at", "overlaps", "near"), [(105, True, True), (110, False, True), (310, False, True), (311, False, False)]
)
def test_evidence_overlaps_or_is_near_or_neither(at: int, overlaps: bool, near: bool) -> None:
    for side in both("oda serves ludo", "@1 serves @2", said_at=at):
        assert (side.hits["evidence"], side.hits["near"]) == (overlaps, near)


def test_what_an_earlier_chapter_stated_is_found_and_not_judged_again() -> None:
    gold = reading(CAST, (rel("oda parent_of ludo", 5),), chapter=2)
    outcomes = compare(gold, reading(SAID, (rel("@1 parent_of @2", chapter=1),), chapter=2))
    assert only(outcomes, "gold", "relation").hits["kind"]
    assert not [o for o in outcomes if o.side == "said" and o.cls == "relation"]


def test_a_relation_with_a_stranger_is_wrong() -> None:
    said = reading((*SAID, who("@9", "Stranger")), (rel("@1 loves @9", 1),))
    outcome = only(compare(reading(CAST), said), "said", "relation")
    assert levels(outcome) == (False, False, False) and outcome.text == "Oda loves Stranger"


def test_a_personas_relations_are_those_of_who_stands_behind_it_once_told() -> None:
    tinker = who("tinker", "Old Tam", persona_of="ludo")
    said = reading((*SAID, who("@7", "Old Tam")), (rel("@1 enemy_of @7", 1),))
    told = reading((*CAST, tinker), (rel("oda enemy_of ludo", 1),))
    assert levels(only(compare(told, said), "gold", "relation")) == (True, True, True)
    untold = reading((*CAST, who("tinker", "Old Tam")), (rel("oda enemy_of ludo", 1),))
    assert levels(only(compare(untold, said), "gold", "relation")) == (False, False, False)
    back = reading(SAID, (rel("@1 enemy_of @2", 1),))
    of_persona = reading((*CAST, tinker), (rel("oda enemy_of tinker", 1),))
    assert levels(only(compare(of_persona, back), "said", "relation")) == (True, True, True)


def test_a_disguise_of_the_chapter_counts_for_the_person() -> None:
    told = item("identity", 5, persona="an old woman", revealed_here=True, **{"is": "ludo"})
    gold = reading(CAST, (rel("oda suspects ludo", 1),), (told,))
    said = reading((*SAID, who("@7", descriptors=("the old woman",))), (rel("@1 suspects @7", 1),))
    assert only(compare(gold, said), "said", "relation").hits["kind"]


def test_again_is_kept_so_that_new_relations_can_be_counted_alone() -> None:
    outcomes = compare(reading(CAST, (rel("oda serves ludo", 1, again=True),)), reading(SAID))
    assert only(outcomes, "gold", "relation").again


def test_every_statement_of_a_gold_relation() -> None:
    told = stated(rel("oda sibling_of ludo", alternates=("cousin_of", "~serves")))
    assert ("ludo", "sibling_of", "oda") in told and ("ludo", "serves", "oda") in told
    assert ("oda", "serves", "ludo") not in told


def test_of_two_mirror_images_each_is_the_partner_of_its_own_direction() -> None:
    twice = (rel("oda sibling_of ludo", 5), rel("ludo sibling_of oda", 5))
    for said in (twice, twice[::-1]):
        outcomes = compare(reading(CAST, twice), reading(CAST, said))
        assert {o.text: o.partner for o in outcomes if o.side == "gold" and o.cls == "relation"} == {
            "Ludo sibling_of Oda": "relation | Ludo | sibling_of | Oda",
            "Oda sibling_of Ludo": "relation | Ludo | sibling_of | Oda #2",
        }
