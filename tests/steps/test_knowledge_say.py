from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, TOLD, Case, cast, ids, learns, run, scene

ONE = scene()
NEWS = (learns(ONE, "@2", "witnessed", (1, 1)),)

CASES = (
    Case("the words as given", ("proposition Mara has a letter",), facts=NEWS, say={"1.1": "= Mara has a letter"}),
    Case("none says that there is nothing to know", ("proposition",), facts=NEWS, say={"1.1": "-"}),
    Case("no words are no answer", (), facts=NEWS, say={"1.1": "="}),
    Case("nothing noticed, nothing asked", (), say=lambda q: "= x"),
    *(Case(f"words in {tag}", (f"proposition {TOLD[tag]}",), language=tag, facts=(learns(scene(tag), "@2", "witnessed", (1, 1)),),
           say={"1.1": f"= {TOLD[tag]}"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_words(case: Case) -> None:
    case.check("knowledge_say")


def test_what_several_learn_is_said_once_and_what_one_makes_of_it_apart() -> None:
    facts = [
        *cast(),
        *NEWS,
        learns(ONE, "@3", "told", (1, 1)),
        learns(ONE, "@3", "inferred", (1, 1)),
        learns(ONE, "@4", "unaware", (1, 1)),
    ]
    told = run("knowledge_say", ONE, facts=facts)
    assert [q.text for q in told.questions] == [
        "what is not known in 1.1, for @4 Anna",
        "what 1.1 tells or shows, for @2 Tomas, @3 Brandt",
        "the thought in 1.1, for @3 Brandt",
    ]
    assert len({q.key.asked for q in told.questions}) == 3


def test_what_only_the_second_look_has_is_a_piece_of_its_own_unless_the_first_has_the_sentence_beside_it() -> None:
    def asked(*more: tuple[str, tuple[int, int]]) -> list[str]:
        second = [learns(ONE, knower, "", place, look="second") for knower, place in more]
        return [q.text for q in run("knowledge_say", ONE, facts=[*cast(), *NEWS, *second]).questions]

    first = "what 1.1 tells or shows, for @2 Tomas"
    assert asked(("@2", (1, 1))) == [first]
    assert asked(("@2", (1, 2))) == [first]
    assert asked(("@2", (1, 1)), ("@2", (1, 2))) == [first, "what 1.2 is about, for @2 Tomas"]
    assert asked(("@2", (2, 2))) == [first, "what 2.2 is about, for @2 Tomas"]
    assert asked(("@3", (1, 2))) == [first, "what 1.2 is about, for @3 Brandt"]
