from __future__ import annotations

import pytest

from tests.harness import lines_of, mark
from tests.steps.masks import ANDERS, EN, LENA, PELL, TALES, Tale, facts_of, mask


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_a_noticed_pair_is_put_from_the_other_side_with_its_sentences(tale: Tale) -> None:
    ran = tale.run("mask_again", [mask(tale, (2, 1))], say=lambda q: f"{mark(q, 'settled')} 2.1")
    line = lines_of(ran.shown[0])[-1]
    assert line.index("@2") < line.index("@1") and line.endswith("see 2.1")
    assert facts_of(ran) == ["say again @1 @2 settled 2.1"]


def test_none_says_that_they_are_two_and_what_cannot_be_read_says_nothing() -> None:
    noticed = [mask(EN, (2, 1)), mask(EN, (2, 2), ends=(LENA, ANDERS), vote="unparsed")]
    answers = iter(["-", "settled"])
    ran = EN.run("mask_again", noticed, say=lambda q: next(answers))
    assert facts_of(ran) == ["say again @1 @2 different", "say again @3 @2"]


def test_a_pair_is_asked_once_and_how_somebody_is_called_is_not_asked_here() -> None:
    noticed = [mask(EN, (2, 1)), mask(EN, (1, 1)), mask(EN, (2, 1), ends=(PELL, PELL), way="name")]
    assert len(EN.run("mask_again", noticed).questions) == 1


def test_without_a_noticed_pair_nothing_is_asked() -> None:
    assert EN.run("mask_again", []).questions == ()
    assert EN.run("mask_again", [mask(EN, (2, 1), ends=(PELL, "@99"))]).questions == ()


def test_no_mark_of_the_first_look_that_means_one_person_means_it_here() -> None:
    first = EN.run("mask_ask").questions[0]
    again = EN.run("mask_again", [mask(EN, (2, 1))]).questions[0]
    yes = {mark(first, key) for key in ("told", "known")}
    assert mark(again, "settled") not in yes
