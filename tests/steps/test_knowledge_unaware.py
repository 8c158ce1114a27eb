from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, Case, cast, ids, kid, learns, run, scene

NEWS = (learns(scene(), "@2", "witnessed", (1, 1)),)

CASES = (
    Case("who still does not know", ("@3 unaware code 1.1", "@4 unaware code 1.1"), facts=NEWS, say={"1.1": "@3 @4"}),
    Case("who learns it himself is no such one", ("@4 unaware code 1.1",), facts=NEWS, say={"1.1": "@2 @4"}),
    Case("none is nobody", (), facts=NEWS),
    Case("a handle that nobody has is dropped", (), facts=NEWS, say={"1.1": "@77"}),
    Case("of a thought nobody is asked who has not had it", (), facts=(learns(scene(), "@2", "inferred", (1, 1)),), say=lambda q: "@4"),
    Case("of what is missed neither", (), facts=(learns(scene(), "@2", "unaware", (1, 1)),), say=lambda q: "@4"),
    Case("nothing noticed, nothing asked", (), say=lambda q: "@4"),
    *(Case(f"in {tag}", ("@4 unaware code 2.1",), language=tag, facts=(learns(scene(tag), "@3", "told", (2, 1)),),
           say={"2.1": "@4"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_unaware(case: Case) -> None:
    case.check("knowledge_unaware")


def test_he_does_not_know_the_very_piece_the_others_know() -> None:
    told = run("knowledge_unaware", scene(), facts=[*cast(), *NEWS], say={"1.1": "@4"})
    [fact] = told.facts
    assert fact.piece == kid(scene(), "witnessed", (1, 1))  # type: ignore[union-attr]
    assert told.questions[0].text == "what 1.1 tells or shows, learnt by @2"
