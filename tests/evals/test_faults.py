"""Every rule that tries what was stored can find its fault, and what is right breaks none."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.bible import fold
from analyzer.models.evidence import Evidence
from analyzer.models.facts import EntityFact, EntityKind, Fact, RelationFact
from analyzer.models.story import (
    READER,
    CardFact,
    ChangeFact,
    KnowledgeFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    SpeechFact,
    StateSayFact,
    ThreadEventFact,
    ThreadFact,
    TurnFact,
)
from analyzer.models.text import Place
from analyzer.text.manuscript import manuscript_from_text
from evals.faults import CHECKED, Stored, faults_of

TEXT = "Chapter 1\n\nIlse Varga hid the key. “Say nothing,” said Ilse.\n\nChapter 2\n\nBen Amory died at Oster. 민서 saw it.\n"
BOOK = manuscript_from_text(TEXT, title="Keys", language="en")


def shown(chapter: int = 1) -> Evidence:
    block = BOOK.chapters[chapter - 1].blocks[0]
    span = block.sentences[0]
    words = block.text[span.start : span.end]
    return Evidence(chapter=chapter, block=block.no, sentence=1, start=span.start, end=span.end, text=words)


def entity(handle: str, kind: EntityKind = "character", chapter: int = 1) -> EntityFact:
    return EntityFact(entity=handle, entity_kind=kind, label=handle, anchor=f"name:{handle}", chapter=chapter)


CAST: tuple[Fact, ...] = (
    entity("@1"),
    entity("@2"),
    entity("@3", "place"),
    entity("@4", "object"),
    entity("@5", chapter=2),
    RelationFact(
        subject="@1", relation="friend_of", object="@2", chapter=1, claim="c", status="current", affinity="+",
        visibility="public", evidence=(shown(),),
    ),
)  # fmt: skip
EVIDENCE = (shown(),)


def change(**more: Any) -> ChangeFact:
    given: dict[str, Any] = {
        "change": "c1", "chapter": 1, "entity": "@1", "attribute": "mood", "op": "set", "to": "glad", "looks": ("first",),
        "evidence": EVIDENCE,
    }  # fmt: skip
    return ChangeFact.model_validate(given | more)


def secret(**more: Any) -> SecretFact:
    given: dict[str, Any] = {"secret": "s1", "chapter": 1, "proposition": "the key is hidden", "evidence": EVIDENCE}
    return SecretFact.model_validate(given | {"holders": ("@1",), "hidden_from": ("@2", READER)} | more)


def told(**more: Any) -> SecretEventFact:
    given: dict[str, Any] = {"secret": "s1", "chapter": 2, "event": "shared", "to": ("@5",), "evidence": (shown(2),)}
    return SecretEventFact.model_validate(given | more)


def known(**more: Any) -> KnowledgeFact:
    given: dict[str, Any] = {
        "chapter": 1, "piece": "k1", "knower": "@1", "proposition": "the key is hidden", "stance": "knows",
        "via": "witnessed", "evidence": EVIDENCE,
    }  # fmt: skip
    return KnowledgeFact.model_validate(given | more)


def thread(**more: Any) -> ThreadFact:
    given: dict[str, Any] = {"thread": "t1", "chapter": 1, "kind": "object", "statement": "the key", "about": ("@4",)}
    return ThreadFact.model_validate(given | {"evidence": EVIDENCE} | more)


def event(**more: Any) -> ThreadEventFact:
    given: dict[str, Any] = {"thread": "t1", "chapter": 1, "event": "plant", "evidence": EVIDENCE}
    return ThreadEventFact.model_validate(given | more)


def reveal(**more: Any) -> RevealFact:
    given: dict[str, Any] = {"reveal": "r1", "chapter": 1, "persona": "@1", "behind": "@2", "evidence": EVIDENCE}
    return RevealFact.model_validate(given | more)


def turn(**more: Any) -> TurnFact:
    given: dict[str, Any] = {
        "chapter": 2, "subject": "@2", "relation": "friend_of", "object": "@1", "turn": "ends", "evidence": (shown(2),),
    }  # fmt: skip
    return TurnFact.model_validate(given | more)


def speech(**more: Any) -> SpeechFact:
    given: dict[str, Any] = {
        "chapter": 1, "block": shown().block, "start": 0, "end": 5, "place": Place(shown().block, 1), "conversation": 1,
        "speaker": "@1", "hearers": ("@2",), "by": "tag",
    }  # fmt: skip
    return SpeechFact.model_validate(given | more)


def card(**more: Any) -> CardFact:
    given: dict[str, Any] = {
        "chapter": 1,
        "summary": "@1 hides the key. @2 sees it.",
        "people": ("@1",),
        "places": ("@3",),
    }
    return CardFact.model_validate(given | more)


def rules(*facts: Fact) -> list[tuple[str, str]]:
    every = (*CAST, *facts)
    handles = {fact.anchor: fact.entity for fact in CAST if isinstance(fact, EntityFact)}
    stored = Stored(every, BOOK, fold(every, through=2, handles=handles))
    return [(fault.cls, fault.rule) for fault in faults_of(stored)]


RIGHT: tuple[Fact, ...] = (
    change(), secret(), told(), known(), thread(), event(), reveal(to=(READER,)), turn(), speech(), card(),
)  # fmt: skip


def test_what_can_be_breaks_no_rule_and_every_class_is_tried() -> None:
    assert rules(*RIGHT) == []
    assert {fact.fact for fact in RIGHT} == set(CHECKED)


BROKEN: tuple[tuple[str, tuple[Fact, ...]], ...] = (
    ("no evidence", (change(evidence=()),)),
    ("evidence of another chapter", (change(evidence=(shown(2),)),)),
    ("evidence that is not there", (change(evidence=(shown().model_copy(update={"text": "Ilse died."}),)),)),
    ("evidence that is not there", (change(evidence=(shown().model_copy(update={"block": 99}),)),)),
    ("nobody of the cast", (change(entity="@99"),)),
    ("wrong kind", (change(entity="@4"),)),
    ("wrong kind", (change(attribute="location", to_entity="@2"),)),
    ("not in the book yet", (change(entity="@5"),)),
    ("its own value", (change(attribute="affiliation", to_entity="@1"),)),
    ("no value and no look", (change(to="", looks=()),)),
    ("kept by nobody", (secret(holders=()),)),
    ("kept from a holder", (secret(hidden_from=("@1",)),)),
    ("no words", (secret(proposition=" "),)),
    ("before its secret", (told(),)),
    ("exposed to a holder", (secret(), told(to=("@1",)))),
    ("wrong kind", (secret(holders=("@3",)),)),
    ("a way to what is not known", (known(stance="unaware", via="told"),)),
    ("knows what is not so", (known(via="deceived"),)),
    ("told by oneself", (known(via="told", told_by="@1"),)),
    ("said twice of one", (known(), known(piece="k2", stance="believes"))),
    ("wrong kind", (known(knower="@4"),)),
    ("no first event", (thread(),)),
    ("no words", (thread(statement=""), event())),
    ("before its thread", (thread(chapter=2, evidence=(shown(2),)), event(chapter=2, evidence=(shown(2),)), event(event="payoff"))),
    ("planted again", (thread(), event(), event(chapter=2, evidence=(shown(2),)))),
    ("wrong kind", (reveal(behind="@4"),)),
    ("told to nobody", (reveal(to=()),)),
    ("told to oneself", (reveal(to=("@2",)),)),
    ("one mask of two", (reveal(), reveal(reveal="r2", behind="@5", chapter=2, evidence=(shown(2),)))),
    ("turn of what was not", (turn(relation="enemy_of"),)),
    ("turn of what was not", (turn(chapter=1, evidence=EVIDENCE),)),
    ("blood that ends", (turn(relation="sibling_of"),)),
    ("quotation that is not there", (speech(end=9999),)),
    ("hears oneself", (speech(hearers=("@1",)),)),
    ("a speaker nobody knows", (speech(by="unknown"),)),
    ("nobody of the cast", (card(summary="@77 hides the key."),)),
    ("wrong kind", (card(places=("@1",)),)),
    ("wrong kind", (card(point_of_view="@3"),)),
)  # fmt: skip


@pytest.mark.parametrize(("rule", "facts"), BROKEN)
def test_every_rule_finds_what_breaks_it(rule: str, facts: tuple[Fact, ...]) -> None:
    assert rule in [found for _, found in rules(*facts)]


def test_the_dead_do_nothing_unless_somebody_was_asked() -> None:
    died = change(change="c0", attribute="life_status", to="dead", evidence=EVIDENCE)
    later = change(chapter=2, evidence=(shown(2),))
    assert rules(died, later) == [("change", "act of the dead")]
    asked = StateSayFact(chapter=2, change="c1", what="doubt", value="holds", value_of="dead")
    assert rules(died, later, asked) == []
    back = change(change="c2", attribute="life_status", to="alive", chapter=2, evidence=(shown(2),))
    assert rules(died, back, change(change="c3", chapter=2, attribute="health", evidence=(shown(2),))) == []
