from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from evals.records import Outcome, Reading, SaidEntity
from evals.scoring.clusters import b_cubed
from evals.scoring.figures import CLASSES, count, precision_of, recall_of
from evals.scoring.outcomes import compare
from tests.evals.scoring.readings import item, reading, readings, rel, renamed, who

FEW = settings(max_examples=40, deadline=None)


def counts(outcomes: tuple[Outcome, ...]) -> list[tuple[int, int]]:
    picks = [pick(cls) for cls in CLASSES for pick in (recall_of, precision_of)]
    return [count(outcomes, pick) for pick in [*picks, recall_of("relation", "kind"), recall_of("relation", "pair")]]


def recalls(outcomes: tuple[Outcome, ...]) -> list[tuple[int, int]]:
    return [count(outcomes, recall_of(cls)) for cls in CLASSES]


def some_of(given: Reading, seed: int) -> Reading:
    """Return a system's reading: part of the gold, some of it wrong."""
    rng = Random(seed)
    kept = tuple(e for e in given.entities if rng.random() < 0.8)
    ids = {e.id for e in kept}
    relations = tuple(
        replace(r, kind=r.kind if rng.random() < 0.7 else "enemy_of")
        for r in given.relations
        if {r.subject, r.object} <= ids and rng.random() < 0.8
    )
    return replace(given, entities=kept, relations=relations, items=tuple(i for i in given.items if rng.random() < 0.8))


@FEW
@given(readings())
def test_gold_against_itself_is_perfect_in_every_class(gold: Reading) -> None:
    outcomes = compare(gold, gold)
    for cls in CLASSES:
        for pick in (recall_of(cls), precision_of(cls)):
            hit, n = count(outcomes, pick)
            assert hit == n
    assert all(
        hit
        for o in outcomes
        for name, hit in o.hits.items()
        if name in ("pair", "family", "kind", "named", "found", "single")
    )
    clusters = b_cubed(gold, gold)
    assert clusters.precision_sum == clusters.n_said == clusters.recall_sum == clusters.n_gold


@FEW
@given(readings())
def test_nothing_said_is_recall_zero_and_no_precision(gold: Reading) -> None:
    outcomes = compare(gold, replace(gold, entities=(), relations=(), items=()))
    assert all(count(outcomes, recall_of(cls))[0] == 0 for cls in CLASSES)
    assert all(count(outcomes, precision_of(cls)) == (0, 0) for cls in CLASSES)


@FEW
@given(readings(), st.integers(0, 9999))
def test_scores_do_not_hang_on_ids_handles_or_order(gold: Reading, seed: int) -> None:
    said, rng = some_of(gold, seed), Random(seed)

    def shuffled(given: Reading, prefix: str) -> Reading:
        names = [e.id for e in given.entities]
        given = renamed(
            given, dict(zip(names, rng.sample([f"{prefix}{n}" for n in range(20)], len(names)), strict=True))
        )
        entities, relations, items = list(given.entities), list(given.relations), list(given.items)
        for rows in (entities, relations, items):
            rng.shuffle(rows)
        return replace(given, entities=tuple(entities), relations=tuple(relations), items=tuple(items))

    assert compare(gold, said) == compare(shuffled(gold, "g"), shuffled(said, "@"))


@FEW
@given(readings(), st.integers(0, 9999), readings())
def test_more_optional_gold_never_changes_recall(gold: Reading, seed: int, more: Reading) -> None:
    said = some_of(gold, seed)
    fresh = renamed(more, {e.id: f"new{e.id}" for e in more.entities})
    strangers = tuple(_stranger(e, n) for n, e in enumerate(fresh.entities))
    own = [e.id for e in gold.entities]
    among = tuple(replace(r, subject=own[0], object=own[-1], level="optional") for r in more.relations)
    wider = replace(
        gold,
        entities=(*gold.entities, *strangers),
        relations=(*gold.relations, *(replace(r, level="optional") for r in fresh.relations), *among),
        items=(*gold.items, *(replace(i, level="optional") for i in (*fresh.items, *said.items))),
    )
    assert recalls(compare(wider, said)) == recalls(compare(gold, said))


def _stranger(entity: SaidEntity, n: int) -> SaidEntity:
    return replace(entity, names=(f"Stranger {n}",), level="optional")


@FEW
@given(readings(), st.integers(0, 9999), st.data())
def test_taking_away_what_is_said_never_raises_recall(gold: Reading, seed: int, data: st.DataObject) -> None:
    said = some_of(gold, seed)
    kept = data.draw(st.sets(st.integers(0, 30)))
    less = replace(
        said,
        relations=tuple(r for n, r in enumerate(said.relations) if n in kept),
        items=tuple(i for n, i in enumerate(said.items) if n + 10 in kept),
    )
    for (hit, n), (fewer, m) in zip(recalls(compare(gold, said)), recalls(compare(gold, less)), strict=True):
        assert fewer <= hit and n == m


@FEW
@given(readings(), st.integers(0, 9999), st.data())
def test_taking_away_a_person_never_raises_the_recall_of_people(gold: Reading, seed: int, data: st.DataObject) -> None:
    said = some_of(gold, seed)
    gone = data.draw(st.sampled_from([e.id for e in gold.entities]))
    less = replace(
        said,
        entities=tuple(e for e in said.entities if e.id != gone),
        relations=tuple(r for r in said.relations if gone not in (r.subject, r.object)),
    )
    assert count(compare(gold, less), recall_of("entity"))[0] <= count(compare(gold, said), recall_of("entity"))[0]


@FEW
@given(readings(), st.integers(0, 9999))
def test_keys_are_unique_on_a_side_and_partners_exist_on_the_other(gold: Reading, seed: int) -> None:
    outcomes = compare(gold, some_of(gold, seed))
    keys = {side: [o.key for o in outcomes if o.side == side] for side in ("gold", "said")}
    assert all(len(set(k)) == len(k) for k in keys.values())
    for outcome in outcomes:
        if outcome.partner:
            assert outcome.partner in keys["said" if outcome.side == "gold" else "gold"]


def test_keys_hold_names_and_kinds_and_never_a_handle() -> None:
    key = item("plant", 3, kind="object", what="열쇠", event="plant")
    gold = reading((who("g1", "한서윤"), who("g2", "마루")), (rel("g1 sibling_of g2", 5),), (key,), language="ko")
    said = reading(
        (
            who("@41", "한서윤 씨"),
            who("@42", "마루"),
            who("@43", "林小雨"),
            who("@44", descriptors=("a man",), tied_to="@41"),
        ),
        (rel("@42 sibling_of @41", 5), rel("@43 loves @44", 9)),
    )
    outcomes = compare(gold, said)
    assert not [o for o in outcomes if "@4" in o.key + o.partner + o.text]
    assert [o.key for o in outcomes if o.cls != "entity"] == [
        "plant | object | 열쇠",
        "relation | 마루 | sibling_of | 한서윤",
        "relation | 林小雨 | loves | a man (of 한서윤)",
        "relation | 마루 | sibling_of | 한서윤",
    ]


def test_who_of_two_alike_is_taken_hangs_on_no_id() -> None:
    alike = (who("a", descriptors=("a man",)), who("b", descriptors=("a man",), presence="mentioned"))
    said = reading((who("@1", descriptors=("a man",)),))
    assert compare(reading(alike), said) == compare(renamed(reading(alike), {"a": "b", "b": "a"}), said)


def test_two_strangers_of_one_name_and_equal_statements_are_told_apart() -> None:
    said = reading(
        (
            who("@1", descriptors=("a man",)),
            who("@2", descriptors=("a man",)),
            who("@3", "Oda"),
            who("@4", "Oda", kind="place"),
        ),
        (rel("@3 loves @1", 5), rel("@3 loves @1", 500)),
    )
    outcomes = compare(reading((who("x", "Zed"),)), said)
    assert {o.key for o in outcomes if o.side == "said"} == {
        "entity | Oda",
        "entity | Oda (place)",
        "entity | a man",
        "entity | a man (character)",
        "relation | Oda | loves | a man",
        "relation | Oda | loves | a man #2",
    }


def test_an_unnamed_one_and_somebody_of_an_earlier_chapter_count_neither_way() -> None:
    gold = reading((who("a", "Oda"), who("b", descriptors=("a jailer",)), who("c", "Ludo", presence="absent")))
    outcomes = compare(
        gold, reading((who("@1", "Oda"), who("@2", "Ludo", presence="absent"), who("@3", descriptors=("a nun",))))
    )
    assert count(outcomes, recall_of("entity")) == (1, 1)
    assert count(outcomes, precision_of("entity")) == (1, 1)
    assert count(outcomes, precision_of("entity", "described")) == (0, 1)


def test_a_persona_is_found_in_who_stands_behind_it_by_name_only() -> None:
    gold = reading((who("ludo", "Ludo"), who("tam", "Old Tam", persona_of="ludo")))
    assert count(compare(gold, reading((who("@1", "Ludo", "Old Tam"),))), recall_of("entity")) == (2, 2)
    assert count(compare(gold, reading((who("@1", "Ludo"),))), recall_of("entity")) == (1, 2)
