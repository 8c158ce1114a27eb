from __future__ import annotations

from analyzer.bible import fold
from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact, SameFact
from analyzer.models.story import KnowledgeFact, SecretEventFact, SecretFact
from evals.said import said_items
from tests.harness import person


def shown(chapter: int, block: int) -> tuple[Evidence, ...]:
    return (Evidence(chapter=chapter, block=block, sentence=1, start=0, end=3, text="Oh."),)


FACTS: list[Fact] = [
    *(fact for n in range(1, 6) for fact in person(f"@{n}", f"N{n}")),
    SecretFact(
        secret="s1",
        chapter=1,
        proposition="x",
        holders=("@1",),
        hidden_from=("@2", "@3", "reader"),
        evidence=shown(1, 1),
    ),
    SecretEventFact(secret="s1", chapter=3, event="shared", to=("@2", "reader"), evidence=shown(3, 4)),
    KnowledgeFact(
        chapter=3, piece="k1", knower="@5", proposition="y", stance="believes", via="deceived", evidence=shown(3, 2)
    ),
    SameFact(entity="@5", same_as="@4", chapter=3),
]


def said(chapter: int) -> list[tuple[str, dict[str, object], list[int]]]:
    found = said_items(fold(FACTS, through=chapter), chapter)
    return [
        (cls, item.fields, [e.block for e in item.evidence]) for cls, item in found if cls in ("secret", "knowledge")
    ]


def test_a_secret_is_said_in_the_chapters_that_bring_or_touch_it_as_it_stands_there() -> None:
    [(_, first, at)] = said(1)
    assert first == {"proposition": "x", "holders": ("@1",), "hidden_from": ("@2", "@3"), "exposed_to": ()} and at == [
        1
    ]
    assert said(2) == []
    third = next(fields for cls, fields, _ in said(3) if cls == "secret")
    assert third == {"proposition": "x", "holders": ("@1", "@2"), "hidden_from": ("@3",), "exposed_to": ("@2",)}


def test_knowledge_is_said_in_its_chapter_under_the_handle_that_stays() -> None:
    found = [fields for cls, fields, _ in said(3) if cls == "knowledge"]
    assert found == [{"knower": "@4", "proposition": "y", "stance": "believes", "via": "deceived"}]
    assert [cls for cls, _, _ in said(1)] == ["secret"]
