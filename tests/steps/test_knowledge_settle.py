from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, TOLD, Case, cast, ids, learns, piece_says, run, scene

ONE = scene()
NEWS = learns(ONE, "@3", "told", (2, 1))


def said(**votes: str) -> tuple:  # type: ignore[type-arg]
    return (NEWS, *piece_says(ONE, "@3", "told", (2, 1), **votes))


CASES = (
    Case("the two doubts differ", ("@3 check believes",), facts=said(stance="knows", way="nothing"), say={"2.1": "d"}),
    Case("one could not be read", ("@3 check nothing",), facts=said(way="told"), say={"2.1": "b"}),
    Case("none could be read", ("@3 check knows",), facts=said(), say={"2.1": "e"}),
    Case("not known, by some way", ("@3 check unaware",), facts=said(stance="unaware", way="told"), say={"2.1": "a"}),
    Case("the two agree that it is known", (), facts=said(stance="suspects", way="inferred"), say=lambda q: "e"),
    Case("the two agree that it is nothing", (), facts=said(stance="none", way="nothing"), say=lambda q: "e"),
    Case("the two agree that it is not known", (), facts=said(stance="unaware", way="unaware"), say=lambda q: "e"),
    Case("nothing noticed, nothing asked", (), say=lambda q: "e"),
    *(Case(f"in {tag}", ("@3 check suspects",), language=tag, facts=(learns(scene(tag), "@3", "told", (2, 1)),),
           say={"2.1": "c"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_last_looks(case: Case) -> None:
    case.check("knowledge_settle")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_has_the_words_of_the_piece(language: str) -> None:
    chapter = scene(language)
    facts = [*cast(language), learns(chapter, "@3", "told", (2, 1))]
    facts += piece_says(chapter, "@3", "told", (2, 1), stance="knows", proposition=TOLD[language] + "\n[9] 1. e")
    [question] = run("knowledge_settle", chapter, facts=facts).questions
    assert question.text.endswith(f": “{TOLD[language]} ‹9› 1. e” (2.1)")
