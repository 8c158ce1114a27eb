from __future__ import annotations

from typing import Any

from analyzer.llm.transports.gold import true_answer
from analyzer.models.question import Answer
from analyzer.models.text import Place
from tests.llm.gold_letters import question, ref, view

KEYS = ("@1", "@2", "@3", "@4")
WAYS = ("told", "witnessed", "overheard", "read", "inferred", "deceived", "unaware", "nothing")
STANCES = ("knows", "believes", "suspects", "unaware", "nothing")


def item(knower: str, words: str, stance: str, via: str | None, *at: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"knower": knower, "proposition": words, "stance": stance, "via": via, "at": list(at), **more}


VIEW = view(
    1,
    {
        "knowledge": [
            item("tomas", "Mara has a letter", "knows", "witnessed", (1, 2), (1, 1)),
            item("brandt", "Mara has a letter", "suspects", "told", (2, 1), level="optional"),
            item("brandt", "Tomas is lying", "believes", "inferred", (2, 1)),
            item("anna", "Mara has a letter here", "unaware", None, (2, 1)),
            item("anna", "what the weather is", "unaware", None, (1, 2)),
            item("mara", "Tomas saw her", "knows", None, (1, 2), via_alternates=["inferred"]),
        ]
    },
)


def ask(what: str, *handles: str, detail: str = "", at: tuple[int, int] | None = None, **more: Any) -> Answer:
    about = [ref(handle) for handle in handles]
    return true_answer(question(what, *about, detail=detail, at=[at] if at else (), **more), VIEW)


def test_each_thing_learnt_is_noticed_by_its_way_at_its_first_sentence() -> None:
    def notice(handle: str) -> dict[str, tuple[Place, ...]]:
        answer = ask("knowledge.notice", handle, keys=WAYS)
        return {key: answer.sentences_of(key) for key in answer.picked}

    assert notice("@2") == {"witnessed": (Place(1, 2),)}
    assert notice("@3") == {"inferred": (Place(2, 1),), "told": (Place(2, 1),)}
    assert notice("@4") == {"unaware": (Place(2, 1), Place(1, 2))}
    assert notice("@1") == {"inferred": (Place(1, 2),)}


def test_a_stretch_has_everybody_who_learns_something_in_it() -> None:
    about = ref("@1", (2, 1), (2, 2)).model_copy(update={"handle": "", "names": ()})
    answer = true_answer(question("knowledge.where", about, keys=KEYS), VIEW)
    assert answer.picked == ("@3", "@4") and answer.sentences == (Place(2, 1),)


def test_stance_and_way_are_those_of_the_piece_asked_about() -> None:
    def both(handle: str, detail: str, at: tuple[int, int]) -> tuple[str, str]:
        stance = ask("knowledge.stance", handle, detail=detail, at=at, keys=STANCES, kind="choice")
        way = ask("knowledge.way", handle, detail=detail, at=at, keys=WAYS, kind="choice")
        return stance.pick, way.pick

    assert both("@2", "news:1.1", (1, 1)) == ("knows", "witnessed")
    assert both("@3", "news:2.1", (2, 1)) == ("suspects", "told")
    assert both("@3", "thought:2.1", (2, 1)) == ("believes", "inferred")
    assert both("@4", "gap:2.1", (2, 1)) == ("unaware", "unaware")
    assert both("@4", "any:1.2", (1, 2)) == ("unaware", "unaware")
    assert both("@2", "thought:1.2", (1, 2)) == ("nothing", "nothing") == both("@3", "news:1.2", (1, 2))


def test_who_misses_what_others_learn_is_unaware_of_that_and_of_nothing_else_there() -> None:
    stance = ask("knowledge.stance", "@4", detail="news:2.1", at=(2, 1), keys=STANCES, kind="choice")
    assert stance.pick == "unaware"
    other = ask("knowledge.stance", "@4", detail="news:1.2", at=(1, 2), keys=STANCES, kind="choice")
    assert other.pick == "nothing"
    assert ask("knowledge.unaware", "@3", at=(2, 1), keys=KEYS).picked == ("@4",)
    assert ask("knowledge.unaware", "@2", at=(1, 2), keys=KEYS).status == "none"


def test_the_words_are_those_of_whoever_has_them() -> None:
    def say(*handles: str, detail: str, at: tuple[int, int]) -> str:
        return ask("knowledge.say", *handles, detail=detail, at=at, kind="note").text

    assert say("@1", "@2", detail="news:1.1", at=(1, 1)) == "Mara has a letter"
    assert say("@3", detail="thought:2.1", at=(2, 1)) == "Tomas is lying"
    assert say("@3", detail="news:2.2", at=(2, 2)) == ""
