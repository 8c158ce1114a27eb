from __future__ import annotations

import pytest

from tests.harness import Case, chapter_of, claim, ids, lines_of, run_step
from tests.steps.tale import EN, cast

CHAPTER = chapter_of(EN)
LOVE = (*cast(), *claim(CHAPTER, "@1 loves @4", (2, 3)))
HOME = (*cast(), *claim(CHAPTER, "@1 lives_in @3", (1, 1)))

CASES = (
    Case("each attribute is asked apart", EN, ("detail status former", "detail affinity +", "detail visibility secret"),
         facts=LOVE, say=lambda q: {"status": "b", "affinity": "a", "visibility": "b"}[q.key.detail.split(":")[0]]),
    Case("a place has a status and neither warmth nor secrecy", EN, ("detail status current",), facts=HOME,
         say=lambda q: "a"),
    Case("none leaves the default of the vocabulary", EN, (), facts=LOVE),
    Case("an unparsed line leaves the default", EN, (), facts=LOVE, say=lambda q: "secret"),
    Case("without a claim nothing is asked", EN, (), facts=cast(), say=lambda q: "a"),
    Case("a claim about nobody in the cast is not asked about", EN, (), say=lambda q: "a",
         facts=(*cast(), *claim(CHAPTER, "@1 loves @77", (2, 3)))),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_details(case: Case) -> None:
    case.check("relation_detail")


def test_the_question_is_the_claim_in_words_with_its_sentences() -> None:
    ran = run_step("relation_detail", CHAPTER, facts=LOVE)
    assert [lines_of(shown)[-1] for shown in ran.shown] == [
        "1. @1 Mara Vell is in love with @4 Doctor Brandt (2.3) | a it holds now, or is done in this chapter; "
        "b it is over, or was done before; "
        "c it is planned or wished for, not yet so; d somebody says or believes it, the text does not bear it out; "
        "e somebody only acts as if",
        "1. @1 Mara Vell is in love with @4 Doctor Brandt (2.3) | a warm; b neutral, mixed, or not told; c hostile or cold",
        "1. @1 Mara Vell is in love with @4 Doctor Brandt (2.3) | a known to those around them; b kept from others",
    ]
    assert "Does it hold?" in ran.shown[0] and "Is it known?" in ran.shown[2]
