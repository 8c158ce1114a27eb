from __future__ import annotations

from typing import Any

from analyzer.llm.transports.gold import true_answer
from analyzer.llm.transports.gold_story import story_answerers
from analyzer.models.question import Answer
from analyzer.models.text import Place
from tests.llm.gold_letters import question, ref, view

KEYS = ("@1", "@2", "@3", "@4", "reader")
LETTER: dict[str, Any] = {
    "proposition": "Mara has hidden a letter",
    "holders": ["mara", "tomas"],
    "hidden_from": ["anna"],
    "exposed_to": ["tomas"],
    "secret": "letter",
    "at": [(1, 1), (1, 2)],
}
DOUBT: dict[str, Any] = {
    "proposition": "Brandt is not sure",
    "holders": ["brandt"],
    "hidden_from": ["tomas"],
    "exposed_to": [],
    "level": "optional",
    "at": [(2, 2)],
}
ONE = view(1, {"secrets": [DOUBT, LETTER]})
FOUND = LETTER | {"proposition": "the letter is found", "hidden_from": [], "exposed_to": ["anna"], "at": [(1, 1)]}
TWO = view(2, {"secrets": [FOUND]}, earlier=(ONE.gold,))
NATURES = ("open", "kept", "private", "out", "same:s1")


def picked(answer: Answer) -> list[str]:
    return list(answer.picked)


def test_each_thing_hidden_is_noticed_at_its_first_sentence_by_whose_it_is() -> None:
    def notice(handle: str) -> Answer:
        return true_answer(question("secret.notice", ref(handle), keys=("own", "shared")), ONE)

    assert (picked(notice("@1")), notice("@1").sentences) == (["own"], (Place(1, 1),))
    assert (picked(notice("@2")), notice("@2").sentences) == (["shared"], (Place(1, 1),))
    assert notice("@4").status == "none"


def test_a_stretch_has_those_who_hide_something_in_it() -> None:
    def where(first: tuple[int, int], last: tuple[int, int]) -> Answer:
        about = ref("@1", first, last).model_copy(update={"handle": "", "names": ()})
        return true_answer(question("secret.where", about, keys=KEYS), ONE)

    assert picked(where((1, 1), (1, 2))) == ["@1", "@2"]
    assert (picked(where((2, 1), (2, 2))), where((2, 1), (2, 2)).sentences) == (["@3"], (Place(2, 2),))
    assert where((2, 1), (2, 1)).status == "none"


def test_a_doubt_is_answered_by_what_gold_shows_in_the_sentence() -> None:
    def doubt(at: tuple[int, int], in_view: Any = ONE, words: str = "") -> list[str]:
        texts = ["", "", "", "", f"the secret of before “{words}”"]
        return picked(
            true_answer(question("secret.doubt", ref("@1"), keys=NATURES, texts=texts, at=[at], kind="choice"), in_view)
        )

    assert doubt((1, 1)) == ["kept"] == doubt((1, 2))
    assert doubt((2, 1)) == []
    assert doubt((1, 1), TWO, "who burned the mill") == ["out"]
    assert doubt((1, 1), TWO, "Mara has hidden a letter") == ["same:s1"]


def test_words_and_people_are_those_of_the_secret_at_the_sentence() -> None:
    def ask(what: str, at: tuple[int, int] = (1, 2)) -> Answer:
        return true_answer(
            question(what, ref("@1"), keys=KEYS, at=[at], kind="note" if what == "secret.say" else "select"), ONE
        )

    assert ask("secret.say").text == "Mara has hidden a letter"
    assert ask("secret.say", (2, 1)).status == "none"
    assert picked(ask("secret.holders")) == ["@1", "@2"]
    assert picked(ask("secret.from")) == ["@4"]
    assert picked(ask("secret.to")) == ["@2"]
    assert picked(ask("secret.from", (2, 1))) == []


def test_an_old_secret_is_touched_where_this_chapters_gold_tells_of_the_same_one() -> None:
    def touch(words: str, in_view: Any = TWO) -> Answer:
        keys = ("touched", "shared", "exposed")
        told = f"“{words}”, kept by @1 Mara"
        return true_answer(question("secret.touch", ref("@1"), keys=keys, text=told, kind="choice"), in_view)

    assert picked(touch("Mara has hidden a letter")) == ["exposed"]
    assert touch("Brandt is not sure").status == "none" == touch("no such secret").status
    again = view(2, {"secrets": [DOUBT | {"at": [(2, 1)]}]}, earlier=(ONE.gold,))
    assert picked(touch("Brandt is not sure", again)) == ["touched"]
    asked = question("secret.to", ref("@1"), keys=KEYS, text="“Mara has hidden a letter”, kept by @1 Mara")
    assert picked(true_answer(asked, TWO)) == ["@4"]


def test_gold_answers_every_question_of_secrets_and_knowledge() -> None:
    asks = {"notice", "where", "doubt", "say", "holders", "from", "to", "touch"}
    assert {f"secret.{ask}" for ask in asks} <= set(story_answerers())
