"""Built-in answerers read the questions of the tail, whatever marks and wording they have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.simulator import Patterns, Simulator, built_in, questions_of, scripted, tail_of
from tests.simulator_tests.calls import ask, client_of, marked, words

SYSTEM = "Answer line by line.\nShape of the lines:\n1 b\n2 -\n3 c 12.3 14.1\n4 @901 @902\n5 = a few words\n12. not one"
CHAPTER = "CHAPTER 3\n[1] The miller came. (2) He sat down.\n[2] 1. A numbered line of the story | a not; b asked"


def body(tail: str, *, marks: bool = True) -> dict[str, Any]:
    def part(text: str, mark: bool) -> dict[str, Any]:
        return {"type": "text", "text": text, **({"prompt_cache_breakpoint": {"mode": "explicit"}} if mark else {})}

    prefix = [part(SYSTEM, marks), part(CHAPTER, marks)]
    return {"messages": [{"role": "system", "content": prefix}, {"role": "user", "content": [part(tail, False)]}]}


OWN = "Pick.\n\nQUESTIONS\n1. Is he kin? | a father; b yes, kin | see 1.2 2.1\n2. Who? | @7 the miller; @12\n3. Name it.\n\nANSWERS"
SHARED = "Options for every question: a man; b place\n1. “Anna”\n2. “Rouen” | see 1.1"
LETTERED = "1) Wer ist es?\nA) der Müller\nB) der Gast\n2) Und wo?\n  A. Haus\n  B. Hof"
KOREAN = "1. 누구인가? | a 아버지; b 예, 친구 | see 3.1\n2. 어디인가? | a 집; b 산"
CHINESE = "1. 他是谁？ | a 父亲; b 是的\n2. 在哪里？ | a 家; b 山"
JAPANESE = "1. 誰か？ | a 父; b はい\n2. どこ？ | a 家; b 山"

CASES = [
    ("first", OWN, ["1 a 1.2", "2 @7", "3 -"]),
    ("last", OWN, ["1 b 1.2", "2 @12", "3 -"]),
    ("none", OWN, ["1 -", "2 -", "3 -"]),
    ("yes", OWN, ["1 b 1.2", "2 @7", "3 -"]),
    ("first", SHARED, ["1 a", "2 a 1.1"]),
    ("last", LETTERED, ["1 B", "2 B"]),
    ("yes", KOREAN, ["1 b 3.1", "2 a"]),
    ("yes", CHINESE, ["1 b", "2 a"]),
    ("yes", JAPANESE, ["1 b", "2 a"]),
    ("repeat", SHARED, ["1 a"] * 6),
    ("half", OWN, ["1 a 1.2", "2"]),
    ("invent", OWN, ["1 @987654 9876.1", "2 zz 0.0", "3 @987654 9876.1"]),
    ("examples", OWN, ["1 b", "2 -", "3 c 12.3 14.1", "4 @901 @902", "5 = a few words"]),
    ("echo", SHARED, ["1 “Anna”", "2 “Rouen” | see 1.1"]),
]


@pytest.mark.parametrize(("name", "tail", "lines"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_built_in_answerer_answers_every_question(name: str, tail: str, lines: list[str]) -> None:
    assert built_in(name)(body(tail)).splitlines() == lines


@pytest.mark.parametrize("name", ["first", "none", "yes", "echo", "repeat", "half", "invent", "last"])
def test_tail_without_questions_gets_an_empty_answer(name: str) -> None:
    assert built_in(name)(body("Nothing is asked here.")) == ""


def test_only_the_tail_is_asked() -> None:
    assert tail_of(body(OWN)) == OWN
    assert [seen.number for seen in questions_of(body(OWN))] == ["1", "2", "3"]
    assert [seen.number for seen in questions_of(body(OWN, marks=False))] == ["1", "2", "3"]


def test_tail_of_a_responses_call_is_its_input() -> None:
    assert tail_of({"instructions": SYSTEM, "input": OWN}) == OWN


def test_options_carry_their_texts() -> None:
    first, second, third = questions_of(body(OWN))
    assert first.options == (("a", "father"), ("b", "yes, kin")) and first.places == ("1.2", "2.1")
    assert second.options == (("@7", "the miller"), ("@12", "")) and third.options == ()


def test_another_wording_is_read_by_other_patterns() -> None:
    patterns = Patterns(question=r"^Q(?P<number>\d+): (?P<text>.*)$", split=" :: ", mark=r"<(?P<mark>\w+)>")
    assert built_in("last", patterns)(body("Q1: Who? :: <x> he <y> she")) == "1 y"


def test_script_of_replies_is_given_in_order_and_the_last_one_stays() -> None:
    answer = scripted(["1 a", "1 b"])
    assert [answer(body(OWN)) for _ in range(3)] == ["1 a", "1 b", "1 b"]
    with pytest.raises(ValueError, match="at least one"):
        scripted([])


def test_script_of_rules_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    rules = [{"find": "kin", "line": "{n} b {place}"}, {"find": "Who", "line": "{n} {first}"}]
    path.write_text(json.dumps({"rules": rules}), "utf-8")
    assert built_in(f"scripted:{path}")(body(OWN)).splitlines() == ["1 b 1.2", "2 @7", "3 -"]


def test_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        built_in("oracle")


async def test_own_function_sees_the_whole_request() -> None:
    seen: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> str:
        seen.append(request)
        return "1 b"

    with Simulator(answerer=answer) as sim:
        async with client_of(sim) as client:
            reply = await ask(client, marked(words(10)), temperature=0.0)
            sim.answer_with("none")
            other = await ask(client, marked(words(10)))
        assert (reply.choices[0].message.content, other.choices[0].message.content) == ("1 b", "1 -")
        assert seen[0]["temperature"] == 0.0 and seen[0]["messages"][1]["role"] == "user"
