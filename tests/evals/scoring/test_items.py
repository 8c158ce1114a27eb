from __future__ import annotations

from typing import Any

import pytest

from evals.records import ItemClass, Outcome, Reading, SaidItem
from evals.scoring.outcomes import compare
from tests.evals.scoring.readings import item, only, reading, who

CAST = (who("oda", "Oda"), who("ludo", "Ludo"))
SAID = (who("@1", "Oda"), who("@2", "Ludo"))


def gold_of(*items: SaidItem, **more: Any) -> Reading:
    return reading(CAST, items=items, **more)


def said_of(*items: SaidItem) -> Reading:
    return reading(SAID, items=items)


def one(gold: SaidItem, said: SaidItem, **more: Any) -> Outcome:
    return only(compare(gold_of(gold, **more), said_of(said)), "gold", gold.cls)


def change(entity: str, attribute: str, *at: int, **more: Any) -> SaidItem:
    return item(
        "change", *at, entity=entity, attribute=attribute, op=more.pop("op", "set"), to=more.pop("to", "x"), **more
    )


def test_a_change_needs_entity_attribute_and_near_evidence_but_no_op() -> None:
    hit = one(change("oda", "health", 100), change("@1", "health", 250, op="end"))
    assert hit.hits["found"] and not hit.hits["op"]
    assert not one(change("oda", "health", 100), change("@1", "mood", 100)).hits["found"]
    assert not one(change("oda", "health", 100), change("@2", "health", 100)).hits["found"]
    assert not one(change("oda", "health", 100), change("@1", "health", 2000)).hits["found"]


def test_an_alternate_attribute_and_an_alternate_entity_with_attribute_are_right() -> None:
    gold = change("oda", "health", 100, alternates=["mood", "ludo.location"])
    assert one(gold, change("@1", "mood", 100)).hits["found"]
    assert one(gold, change("@2", "location", 100)).hits["found"]
    assert not one(gold, change("@2", "mood", 100)).hits["found"]


@pytest.mark.parametrize(
    ("block_chars", "blocks_apart", "found"), [(250, 2, True), (250, 3, False), (40, 6, True), (40, 7, False)]
)
def test_short_blocks_widen_what_is_near(block_chars: int, blocks_apart: int, found: bool) -> None:
    starts = tuple(range(0, 10_000, 300))
    gold = gold_of(change("oda", "health", 0), block_chars=block_chars, block_starts=starts)
    outcomes = compare(gold, said_of(change("@1", "health", 300 * blocks_apart)))
    assert only(outcomes, "gold", "change").hits["found"] is found


def test_a_look_needs_entity_and_feature() -> None:
    def look(who_: str, feature: str, **more: Any) -> SaidItem:
        return item("appearance", 10, entity=who_, feature=feature, value="black", **more)

    assert one(look("oda", "hair"), look("@1", "hair")).hits["found"]
    assert one(look("oda", "hair", alternates=["face"]), look("@1", "face")).hits["found"]
    assert not one(look("oda", "hair"), look("@1", "eyes")).hits["found"]


def test_an_identity_is_known_by_who_it_is_and_by_wording_where_evidence_is_far() -> None:
    def identity(at: int, persona: str, behind: str, revealed: bool = True) -> SaidItem:
        return item("identity", at, persona=persona, revealed_here=revealed, **{"is": behind})

    assert one(identity(0, "the tinker", "oda"), identity(9000, "a tinker", "@1")).hits["found"]
    assert not one(identity(0, "the tinker", "oda"), identity(9000, "a beggar", "@1")).hits["found"]
    near = one(identity(0, "the tinker", "oda"), identity(20, "a beggar", "@1", revealed=False))
    assert near.hits["found"] and not near.hits["revealed"]
    assert not one(identity(0, "the tinker", "oda", False), identity(0, "the tinker", "@2")).hits["found"]


def test_a_secret_needs_a_common_holder_and_reports_from_whom_it_is_kept() -> None:
    def secret(holders: list[str], hidden: list[str], **more: Any) -> SaidItem:
        return item("secret", 10, holders=holders, hidden_from=hidden, exposed_to=[], proposition="p", **more)

    hit = one(secret(["oda", "ludo"], ["ludo"]), secret(["@1"], ["@2"]))
    assert hit.hits["found"] and hit.hits["hidden_from"]
    assert not one(secret(["oda"], ["ludo"]), secret(["@1"], [])).hits["hidden_from"]
    assert one(secret(["oda"], [], hidden_from_alternates=["ludo"]), secret(["@1"], ["@2"])).hits["hidden_from"]
    assert not one(secret(["oda"], []), secret(["@2"], [])).hits["found"]
    assert one(secret(["oda"], [], holders_alternates=["ludo"]), secret(["@2"], [])).hits["found"]


def test_knowledge_needs_knower_and_stance_and_reports_how_it_came() -> None:
    def knows(knower: str, stance: str, via: str | None, **more: Any) -> SaidItem:
        return item("knowledge", 10, knower=knower, stance=stance, via=via, proposition="p", **more)

    hit = one(knows("oda", "knows", "told"), knows("@1", "knows", "read"))
    assert hit.hits["found"] and hit.hits["via"] is False
    assert one(knows("oda", "knows", "told", stance_alternates=["believes"]), knows("@1", "believes", "told")).hits[
        "via"
    ]
    assert not one(knows("oda", "knows", "told"), knows("@1", "suspects", "told")).hits["found"]
    assert "via" not in one(knows("oda", "unaware", None), knows("@1", "unaware", None)).hits


def test_a_plant_needs_nearness_alone_and_reports_kind_and_event() -> None:
    def plant(at: int, kind: str, event: str, **more: Any) -> SaidItem:
        return item("plant", at, kind=kind, event=event, what="a key", **more)

    hit = one(plant(0, "object", "plant", event_alternates=["reinforce"]), plant(150, "secret", "reinforce"))
    assert hit.hits["found"] and not hit.hits["kind"] and hit.hits["event"]


def test_matching_is_one_to_one_so_that_calling_everything_a_plant_does_not_pay() -> None:
    gold = gold_of(item("plant", 100, kind="object", event="plant", what="the key"))
    many = said_of(*(item("plant", at, kind="object", event="plant", what=f"w{at}") for at in (100, 150, 200)))
    said = [o for o in compare(gold, many) if o.side == "said" and o.cls == "plant"]
    assert [o.hits["found"] for o in said].count(True) == 1
    assert sorted(o.match for o in said) == ["found", "repeat", "repeat"]


def test_optional_gold_takes_no_partner_from_a_core_item() -> None:
    core = item("plant", 300, kind="object", event="plant", what="the key")
    nearer = item("plant", 100, level="optional", kind="object", event="plant", what="the rope")
    outcomes = compare(
        gold_of(core, nearer), said_of(item("plant", 120, kind="object", event="plant", what="the rope"))
    )
    assert {o.level: o.hits["found"] for o in outcomes if o.side == "gold" and o.cls == "plant"} == {
        "core": True,
        "optional": False,
    }


def about(cls: ItemClass, who_: str) -> SaidItem:
    fields: dict[ItemClass, dict[str, Any]] = {
        "change": {"entity": who_, "attribute": "mood"},
        "appearance": {"entity": who_, "feature": "hair"},
        "identity": {"is": who_, "persona": "x"},
        "secret": {"holders": [who_]},
        "knowledge": {"knower": who_, "stance": "knows"},
    }
    return item(cls, 5, **fields[cls])


@pytest.mark.parametrize("cls", ["change", "appearance", "identity", "secret", "knowledge"])
def test_somebody_nobody_knows_matches_no_item(cls: ItemClass) -> None:
    assert one(about(cls, "oda"), about(cls, "@1")).hits["found"]
    assert not one(about(cls, "oda"), about(cls, "@9")).hits["found"]
