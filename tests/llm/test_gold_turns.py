from __future__ import annotations

from typing import Any

import pytest

from analyzer.llm.transports.gold import true_answer
from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story.turns import turns_between
from analyzer.models.gold import GoldChapter, GoldRelation
from analyzer.models.question import Answer, Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.steps.relation_turn import OPTIONS
from analyzer.steps.relation_turn_again import OPTIONS as AGAIN
from analyzer.text.languages import language_table
from tests.harness import book_of

BOOK = book_of("Ida took the ring off. Corb went.")
CHAPTER = BOOK.chapters[0]
REFS = (Ref(handle="@1", names=("Ida",)), Ref(handle="@2", names=("Corb",)))


def stated(kind: str = "betrothed_to", ends: tuple[str, str] = ("ida", "corb"), **more: Any) -> dict[str, Any]:
    return {
        "subject": ends[0],
        "kind": kind,
        "object": ends[1],
        "evidence": [{"block": 1, "start": 25, "end": 27}],
        **more,
    }


def chapter(number: int, *relations: dict[str, Any]) -> GoldChapter:
    return GoldChapter.model_validate(
        {
            "book": "b",
            "chapter": number,
            "body_start": 0,
            "body_end": len(BOOK.text),
            "block_starts": [0],
            "entities": [{"id": i.lower(), "kind": "character", "names": [i]} for i in ("Ida", "Corb")],
            "relations": relations,
        }
    )


def asked(view: GoldView, kind: str = "betrothed_to", turn: str = "") -> Answer:
    ask, options = ("relation.turn_again", AGAIN) if turn else ("relation.turn", OPTIONS)
    key = QuestionKey(step="s", ask=ask, chapter=3, about=REFS, detail=f"{kind}:{turn}" if turn else kind)
    question = Question(
        key=key, type="choice" if turn else "select", text="?", options=options, evidence="may", max_picks=2
    )
    return true_answer(question, view)


def view(now: dict[str, Any] | None, *before: dict[str, Any] | None) -> GoldView:
    past = tuple(chapter(n, *([row] if row else [])) for n, row in enumerate(before, 1))
    return GoldView(chapter(len(past) + 1, *([now] if now else [])), CHAPTER, language_table("en"), past)


@pytest.mark.parametrize(
    ("before", "now", "turns"),
    [
        ({}, {"status": "former"}, ("over",)),
        ({}, {"status": "pretended"}, ("sham",)),
        ({"visibility": "secret"}, {}, ("known",)),
        ({"affinity": "-"}, {"affinity": "+"}, ("warm",)),
        ({"affinity": "+"}, {"affinity": "-"}, ("cold",)),
        ({"affinity": "0"}, {"affinity": "-"}, ("cold",)),
        ({"visibility": "secret"}, {"status": "former"}, ("over", "known")),
        ({}, {}, ()),
        ({"affinity": "+"}, {"affinity": "0"}, ()),
        ({"affinity": "0"}, {"affinity": "+"}, ()),
        ({"status": "former"}, {"status": "current"}, ()),
        ({"status": "pretended"}, {"status": "former"}, ()),
    ],
)
def test_a_turn_is_the_difference_of_two_listings(
    before: dict[str, Any], now: dict[str, Any], turns: tuple[str, ...]
) -> None:
    a, b = (GoldRelation.model_validate(stated(**row)) for row in (before, now))
    assert turns_between(a, b) == turns


def test_the_latest_earlier_listing_counts_and_its_sentence_shows_it() -> None:
    found = asked(view(stated(status="former"), stated(status="former"), stated(), None))
    assert (found.picked, found.sentences) == (("over",), (Place(1, 2),))
    assert asked(view(stated(status="former"), stated(), stated(status="former"))).status == "none"


def test_both_ends_of_a_symmetric_kind_and_other_words_for_it_are_found() -> None:
    assert asked(view(stated(ends=("corb", "ida"), status="former"), stated())).picked == ("over",)
    other = stated(kind="lover_of", alternates=["betrothed_to"], status="former")
    assert asked(view(other, stated())).picked == ("over",)


def test_what_gold_lists_once_or_not_again_takes_no_turn() -> None:
    assert asked(view(stated(status="former"), None)).status == "none"
    assert asked(view(None, stated())).status == "none"
    assert asked(view(stated(status="former"), stated()), kind="employs").status == "none"


def test_the_second_look_is_answered_turn_by_turn() -> None:
    now = view(stated(status="former"), stated())
    assert asked(now, turn="over").picked == ("happens",)
    assert asked(now, turn="cold").picked == ("same",)
