from __future__ import annotations

import pytest

from tests.harness import lines_of, mark
from tests.steps.masks import ANDERS, EN, PELL, TALES, Tale, facts_of, mask

SELF = (ANDERS, ANDERS)


@pytest.mark.parametrize("tale", TALES, ids=lambda t: t.language)
def test_each_sentence_is_put_once_whichever_ways_were_picked(tale: Tale) -> None:
    noticed = [mask(tale, (2, 1), ends=SELF, way="name"), mask(tale, (2, 1), ends=SELF, way="doer")]
    ran = tale.run("mask_called_again", noticed, say=lambda q: mark(q, "first"))
    assert lines_of(ran.shown[0])[-1].startswith("1. @2 ") and len(ran.questions) == 1
    assert facts_of(ran) == ["say called @2 @2 first 2.1"]


@pytest.mark.parametrize("answer", ["-", "zz", "@1", "first"])
def test_none_and_what_cannot_be_read_confirm_nothing(answer: str) -> None:
    ran = EN.run("mask_called_again", [mask(EN, (2, 1), ends=SELF, way="name")], say=lambda q: answer)
    assert facts_of(ran) == []


def test_pairs_are_not_put_here_and_keys_of_two_sentences_differ() -> None:
    assert EN.run("mask_called_again", [mask(EN, (2, 1))]).questions == ()
    two = [mask(EN, (2, 1), ends=SELF, way="name"), mask(EN, (1, 1), ends=SELF, way="name")]
    keys = [q.key.text for q in EN.run("mask_called_again", two).questions]
    assert len(set(keys)) == 2


def test_no_mark_of_the_first_look_confirms() -> None:
    first = EN.run("mask_called").questions[0]
    again = EN.run("mask_called_again", [mask(EN, (2, 1), ends=(PELL, PELL), way="name")]).questions[0]
    assert mark(again, "first") not in {o.mark for o in first.options}
