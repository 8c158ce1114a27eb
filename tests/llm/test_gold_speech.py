from __future__ import annotations

from dataclasses import replace

from analyzer.llm.transports.gold import true_answer
from analyzer.models.gold import GoldItem
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.text import Place
from tests.llm.test_gold import GOLD, REFS, VIEW


def who(*offered: str) -> Question:
    options = tuple(Option(mark=REFS[name].handle, key=REFS[name].handle, ref=REFS[name]) for name in offered)
    key = QuestionKey(step="s", ask="speech.who", chapter=1, about=(Ref(names=("“Well…",), places=(Place(1, 2),)),))
    return Question(key=key, type="choice", text="?", options=options)


def told(*knowers: str, via: str = "told") -> list[str]:
    """Who speaks the second sentence when these learn something by it, of Oda, Ludo and Pym."""
    items = tuple(
        GoldItem.model_validate({"knower": k, "via": via, "evidence": [{"block": 1, "start": 24, "end": 40}]})
        for k in knowers
    )
    view = replace(VIEW, gold=GOLD.model_copy(update={"knowledge": items}))
    return list(true_answer(who("oda", "ludo", "pym"), view).picked)


def test_who_is_left_when_all_others_are_told_something_speaks() -> None:
    assert told("oda", "pym") == ["@2"]


def test_gold_guesses_nothing() -> None:
    assert told("oda") == [] and told() == []
    assert told("oda", "ludo", "pym") == []
    assert told("oda", "pym", via="overheard") == []


def test_a_question_about_somebody_gold_does_not_know_has_no_answer() -> None:
    items = (
        GoldItem.model_validate({"knower": "oda", "via": "told", "evidence": [{"block": 1, "start": 24, "end": 40}]}),
    )
    view = replace(VIEW, gold=GOLD.model_copy(update={"knowledge": items}))
    assert true_answer(who("oda", "nobody"), view).status == "none"
