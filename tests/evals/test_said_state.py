"""What a bible says of states and looks, as evaluation reads it."""

from __future__ import annotations

from analyzer.bible import fold
from analyzer.models.facts import Fact, SameFact
from evals.said import said_items
from tests.harness import person
from tests.steps.stating import cast, change, scene


def test_changes_and_looks_are_classes_of_their_own_and_what_is_not_so_is_in_neither() -> None:
    chapter = scene()
    facts: list[Fact] = [
        *cast(),
        *person("@9", "Orly"),
        SameFact(entity="@9", same_as="@1", chapter=1),
        change(chapter, "@9", "mood", "grief", op="add"),
        change(chapter, "@1", "appearance.hair", "grey", (1, 2)),
        change(chapter, "@2", "health", "fever", (2, 2), modality="reported"),
        change(chapter, "@2", "life_status", "dead", (2, 1), modality="dreamt"),
        change(scene(no=2), "@2", "mood", "joy"),
    ]
    bible = fold(facts, through=2)
    assert [(cls, item.fields, str(item.evidence[0].place)) for cls, item in said_items(bible, 1)] == [
        ("appearance", {"entity": "@1", "feature": "hair", "value": "grey"}, "1.2"),
        ("change", {"entity": "@1", "attribute": "mood", "op": "add", "to": "grief"}, "1.1"),
        ("change", {"entity": "@2", "attribute": "health", "op": "set", "to": "fever"}, "2.2"),
    ]
