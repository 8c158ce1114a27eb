from __future__ import annotations

from collections.abc import Sequence

import pytest

from analyzer.models.facts import Fact
from analyzer.steps.relation_third import _unsettled
from tests.harness import Case, chapter_of, claim, ids, lines_of, mark, run_step
from tests.steps.confirming import cases
from tests.steps.tale import EN, cast

CHAPTER = chapter_of(EN)


def voted(*votes: str) -> Sequence[Fact]:
    return (*cast(), *claim(CHAPTER, "@1 loves @4", (2, 3), votes=votes))


@pytest.mark.parametrize("case", cases("third"), ids=ids)
def test_third_look(case: Case) -> None:
    case.check("relation_third")


@pytest.mark.parametrize("votes", [("for", "for"), ("deny", "deny")])
def test_two_votes_alike_need_no_third(votes: tuple[str, str]) -> None:
    assert run_step("relation_third", CHAPTER, facts=voted(*votes)).questions == ()


@pytest.mark.parametrize(
    "votes",
    [("for", "deny"), ("deny", "for"), ("for", "unparsed"), ("unparsed", "unparsed"), ("for", "reverse"),
     ("nearest", "nearest"), ("for",), ()],
)  # fmt: skip
def test_votes_that_split_or_could_not_be_read_are_looked_at_again(votes: tuple[str, ...]) -> None:
    ran = run_step("relation_third", CHAPTER, facts=voted(*votes), say=lambda q: mark(q, "for"))
    assert ran.facts == ["vote third for"]


def test_a_third_vote_already_given_is_not_counted_among_the_two() -> None:
    assert run_step("relation_third", CHAPTER, facts=voted("for", "for", "deny")).questions == ()


def test_the_question_speaks_of_the_first_end_first() -> None:
    [shown] = run_step("relation_third", CHAPTER, facts=voted("for", "deny")).shown
    assert lines_of(shown) == [
        "1. @1 Mara Vell and @4 Doctor Brandt | a @4 is in love with @1; b the chapter does not bear this out; "
        "c @1 is in love with @4; d @1 and @4 are friends | see 2.3"
    ]


def test_an_error_prone_kind_is_looked_at_even_after_two_votes_for_it() -> None:
    assert _unsettled("suspects", ["for", "for"])
    assert not _unsettled("parent_of", ["for", "for"])
    assert not _unsettled("suspects", ["deny", "deny"])
