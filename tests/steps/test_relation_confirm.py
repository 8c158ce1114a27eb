from __future__ import annotations

import pytest

from tests.harness import Case, ids, lines_of, run_step
from tests.steps.confirming import CHAPTER, HOME, KIN, LOVE, cases, keys


@pytest.mark.parametrize("case", cases("first"), ids=ids)
def test_first_confirmation(case: Case) -> None:
    case.check("relation_confirm")


def test_the_claim_is_put_as_a_choice_with_both_ends_spelled_out() -> None:
    ran = run_step("relation_confirm", CHAPTER, facts=[*LOVE, *KIN[-1:], *HOME[-1:]])
    assert lines_of(ran.shown[0]) == [
        "1. @1 Mara Vell and @4 Doctor Brandt | a @1 and @4 are friends; b @4 is in love with @1; "
        "c not told here, or denied; d @1 is in love with @4 | see 2.3",
        "2. @1 Mara Vell and @2 Tomas Vell | a @1 and @2 are siblings; b not told here, or denied; "
        "c @1 and @2 are cousins | see 1.2",
        "3. @1 Mara Vell and @3 Corvin | a not told here, or denied; b @1 lives in @3; c @1 comes from @3 | see 1.1",
    ]


def test_a_symmetric_kind_and_ends_that_cannot_change_places_have_no_reverse() -> None:
    [kin] = run_step("relation_confirm", CHAPTER, facts=KIN).questions
    [home] = run_step("relation_confirm", CHAPTER, facts=HOME).questions
    [love] = run_step("relation_confirm", CHAPTER, facts=LOVE).questions
    assert keys(kin) == keys(home) == {"for", "nearest", "deny"}
    assert keys(love) == {"for", "reverse", "nearest", "deny"}
