from __future__ import annotations

import pytest

from analyzer.models.base import Record
from tests.steps.masks import ANDERS, CARTER, EN, LENA, PELL, TALES, Tale, facts_of, mask, say


def told(tale: Tale) -> list[Record]:
    return [mask(tale, (2, 1)), say(tale, "again", "settled", (2, 1))]


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_those_on_the_page_beside_the_two_are_offered_and_kept(tale: Tale) -> None:
    ran = tale.run("mask_to", told(tale), say=lambda q: "@3")
    assert [o.key for o in ran.questions[0].options] == [LENA, CARTER]
    assert facts_of(ran) == ["say to @1 @2  @3"]


def test_nobody_learns_it_and_handles_that_are_not_offered_are_dropped() -> None:
    assert facts_of(EN.run("mask_to", told(EN))) == []
    assert facts_of(EN.run("mask_to", told(EN), say=lambda q: "@3 @77 @1")) == ["say to @1 @2  @3"]


@pytest.mark.parametrize("second", ["different", "open", "unreal", ""])
def test_what_the_second_look_does_not_settle_is_not_asked(second: str) -> None:
    ran = EN.run("mask_to", [mask(EN, (2, 1)), say(EN, "again", second, (2, 1))])
    assert ran.questions == ()


def test_a_hint_that_the_second_look_settles_is_not_asked() -> None:
    noticed = mask(EN, (2, 1), ends=(PELL, ANDERS), vote="hinted")
    assert EN.run("mask_to", [noticed, say(EN, "again", "settled", (2, 1))]).questions == ()
