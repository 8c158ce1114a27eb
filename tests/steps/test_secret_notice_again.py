from __future__ import annotations

from itertools import pairwise

import pytest

from analyzer.models.text import Place
from analyzer.steps._stretches import STRETCH_CHARS, stretches
from tests.harness import chapter_of, unit_of
from tests.steps.knowing import LANGUAGES, Case, cast, ids, run, scene

CASES = (
    Case("everybody named gets the sentences behind him", ("@1 second 1.1", "@2 second 1.2", "@2 second 2.1"),
         say={"1.1 to 3.1": "@1 1.1 @2 1.2 2.1"}),
    Case("somebody who is only mentioned may hide something too", ("@4 second 3.1",), mentioned=("@4",),
         say={"1.1 to 3.1": "@4 3.1"}),
    Case("none is nothing", ()),
    Case("a handle that nobody has is dropped", (), say={"1.1 to 3.1": "@99 1.1"}),
    Case("a handle without a sentence shows nothing", (), say={"1.1 to 3.1": "@1"}),
    *(Case(f"a stretch in {tag}", ("@1 second 1.1",), language=tag, say={"1.1 to": "@1 1.1"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_notices(case: Case) -> None:
    case.check("secret_notice_again")


def test_a_sentence_outside_the_stretch_asked_about_does_not_count() -> None:
    text = "\n".join(["Mara came. " + "It rained on the mill. " * 100] * 3)
    chapter = chapter_of(text)
    told = run("secret_notice_again", chapter, facts=cast(), say={"1.1 to": "@1 1.1 3.1", "3.1 to": "@1 1.1 3.1"})
    assert [q.text for q in told.questions] == ["1.1 to 1.101", "2.1 to 2.101", "3.1 to 3.101"]
    assert told.short == ["@1 second 1.1", "@1 second 3.1"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_stretches_hold_every_sentence_once_in_order(language: str) -> None:
    body = "\n".join([scene(language).text] * 40)
    chapter = chapter_of(body, language=language)
    found = stretches(unit_of(chapter))
    assert found[0].first == Place(1, 1) and found[-1].last.block == len(chapter.blocks) and len(found) > 1
    for one, following in pairwise(found):
        assert one.first <= one.last and following.first == Place(one.last.block + 1, 1)
    size = STRETCH_CHARS[language == "en"]
    for one in found[:-1]:
        chars = sum(len(b.text) for b in chapter.blocks[one.first.block - 1 : one.last.block])
        assert size <= chars < size + max(len(b.text) for b in chapter.blocks)


def test_without_anybody_nothing_is_asked() -> None:
    assert run("secret_notice_again", scene()).questions == ()
