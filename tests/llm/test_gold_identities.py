from __future__ import annotations

from typing import Any

import pytest

from analyzer.llm.transports.gold import true_answer
from analyzer.llm.transports.gold_book import GoldView
from analyzer.models.gold import GoldChapter
from analyzer.models.question import Answer, Option, Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.steps.mask_again import OPTIONS as AGAIN
from analyzer.steps.mask_ask import OPTIONS as FIRST
from analyzer.steps.mask_called import OPTIONS as CALLED
from analyzer.steps.mask_called_again import OPTIONS as CALLED_AGAIN
from analyzer.text.languages import language_table
from tests.harness import book_of

BOOK = book_of("A tuner came. He was Holm. Vera wept.\nThe boy at the gate was Nils. Nils had robbed the mill.")
CHAPTER = BOOK.chapters[0]


def item(block: int, start: int, **fields: Any) -> dict[str, Any]:
    return {"evidence": [{"block": block, "start": start, "end": start + 2}], **fields}


GOLD = GoldChapter.model_validate(
    {
        "book": "b",
        "chapter": 1,
        "body_start": 0,
        "body_end": len(BOOK.text),
        "block_starts": [block.start for block in CHAPTER.blocks],
        "entities": [
            {"id": "pell", "kind": "character", "names": ["Pell"], "persona_of": "holm", "revealed_in": 1},
            {"id": "holm", "kind": "character", "names": ["Holm"]},
            {"id": "vera", "kind": "character", "names": ["Vera"]},
            {"id": "nils", "kind": "character", "names": ["Nils"], "descriptors": ["the boy at the gate"]},
        ],
        "relations": [],
        "identities": [
            item(1, 14, persona="Pell", **{"is": "holm", "revealed_here": True}),
            item(2, 0, persona="the boy at the gate", **{"is": "nils", "revealed_here": True}),
            item(2, 30, persona="who robbed the mill", **{"is": "nils", "revealed_here": True}),
            item(2, 30, persona="told long ago", **{"is": "vera", "revealed_here": False}),
        ],
        "knowledge": [item(1, 27, knower="vera", stance="knows", via="told", proposition="Pell is Holm")],
    }
)
VIEW = GoldView(GOLD, CHAPTER, language_table("en"))
REFS = {
    name: Ref(handle=f"@{n}", names=(name,)) for n, name in enumerate(("Pell", "Holm", "Vera", "Nils", "Stranger"), 1)
}


def asked(ask: str, *about: str, options: tuple[Option, ...], view: GoldView = VIEW, **more: Any) -> Answer:
    key = QuestionKey(step="s", ask=ask, chapter=1, about=tuple(REFS[a] for a in about))
    question = Question(key=key, type=more.pop("type", "choice"), text="?", options=options, evidence="may", **more)
    return true_answer(question, view)


@pytest.mark.parametrize("pair", [("Pell", "Holm"), ("Holm", "Pell")])
def test_a_persona_and_who_stands_behind_are_one_whichever_is_named_first(pair: tuple[str, str]) -> None:
    first = asked("mask.same", *pair, options=FIRST)
    assert (first.picked, first.sentences) == (("told",), (Place(1, 2),))
    assert asked("mask.same", *pair, options=AGAIN).picked == ("settled",)


def test_anybody_else_is_two() -> None:
    assert asked("mask.same", "Pell", "Vera", options=FIRST).status == "none"
    assert asked("mask.same", "Pell", "Stranger", options=AGAIN).picked == ("different",)


def test_a_mask_of_a_later_chapter_is_not_told_and_one_of_an_earlier_is_known() -> None:
    def shown(chapter: int) -> Answer:
        pell, *others = GOLD.model_dump()["entities"]
        entities = [{**pell, "revealed_in": chapter}, *others]
        gold = GoldChapter.model_validate({**GOLD.model_dump(), "chapter": 2, "entities": entities})
        return asked("mask.same", "Pell", "Holm", options=FIRST, view=GoldView(gold, CHAPTER, language_table("en")))

    assert shown(3).status == "none" and shown(1).picked == ("known",)


def test_who_gains_knowledge_where_it_is_told_learns_it() -> None:
    options = tuple(Option(mark=REFS[n].handle, key=REFS[n].handle, ref=REFS[n]) for n in ("Vera", "Nils"))
    assert asked("mask.to", "Pell", "Holm", options=options, type="select", max_picks=5).picked == ("@3",)
    assert asked("mask.to", "Pell", "Nils", options=options, type="select", max_picks=5).status == "none"


def test_each_identity_beside_masks_has_its_sentence_under_its_way() -> None:
    answer = asked("mask.called", "Nils", options=CALLED, type="select", max_picks=3)
    assert answer.picked == ("stranger", "doer")
    assert (answer.sentences_of("stranger"), answer.sentences_of("doer")) == ((Place(2, 1),), (Place(2, 2),))
    assert all(
        asked("mask.called", who, options=CALLED, type="select").status == "none"
        for who in ("Holm", "Vera", "Stranger")
    )


def test_only_a_sentence_gold_cites_for_it_tells_it() -> None:
    def at(who: str, *place: int) -> tuple[str, ...]:
        return asked("mask.called_again", who, options=CALLED_AGAIN, sentences=(Place(*place),)).picked

    assert at("Nils", 2, 1) == at("Nils", 2, 2) == ("first",)
    assert at("Nils", 1, 1) == at("Vera", 2, 2) == at("Holm", 1, 2) == ("usual",)
