from __future__ import annotations

import pytest

from tests.harness import chapter_of
from tests.steps.knowing import LANGUAGES, Case, cast, ids, run, scene

CASES = (
    Case("everybody named gets the sentences behind him", ("@2 ? second 1.2", "@3 ? second 2.1", "@3 ? second 2.2"),
         say={"1.1 to 3.1": "@2 1.2 @3 2.1 2.2"}),
    Case("somebody who is only mentioned may learn something too", ("@4 ? second 3.1",), mentioned=("@4",),
         say={"1.1 to 3.1": "@4 3.1"}),
    Case("none is nothing", ()),
    Case("a handle that nobody has is dropped", (), say={"1.1 to 3.1": "@98 2.1"}),
    Case("a handle without a sentence shows nothing", (), say={"1.1 to 3.1": "@3"}),
    *(Case(f"in {tag}", ("@3 ? second 2.1",), language=tag, say={"1.1 to": "@3 2.1"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_notices(case: Case) -> None:
    case.check("knowledge_notice_again")


def test_a_sentence_outside_the_stretch_asked_about_does_not_count() -> None:
    chapter = chapter_of("\n".join(["Mara came. " + "It rained on the mill. " * 100] * 2))
    told = run("knowledge_notice_again", chapter, facts=cast(), say={"1.1 to": "@1 1.1 2.1"})
    assert len(told.questions) == 2 and told.short == ["@1 ? second 1.1"]


def test_without_anybody_nothing_is_asked() -> None:
    assert run("knowledge_notice_again", scene()).questions == ()
