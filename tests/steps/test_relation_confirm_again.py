from __future__ import annotations

import pytest

from tests.harness import Case, ids, lines_of, run_step
from tests.steps.confirming import CHAPTER, HOME, KIN, LOVE, cases


@pytest.mark.parametrize("case", cases("second"), ids=ids)
def test_second_confirmation(case: Case) -> None:
    case.check("relation_confirm_again")


def test_the_claim_is_put_from_the_other_end_in_other_words() -> None:
    ran = run_step("relation_confirm_again", CHAPTER, facts=LOVE)
    assert lines_of(ran.shown[0]) == [
        "1. @4 Doctor Brandt and @1 Mara Vell | a @4 is loved by @1; b @4 is a friend of @1; c @1 is loved by @4; "
        "d nothing of the kind is told, or it is untrue | see 2.3",
    ]


def test_no_option_has_the_mark_it_had_in_the_first_confirmation() -> None:
    for facts in (LOVE, KIN, HOME):
        [first] = run_step("relation_confirm", CHAPTER, facts=facts).questions
        [second] = run_step("relation_confirm_again", CHAPTER, facts=facts).questions
        assert [o.mark for o in first.options] == [o.mark for o in second.options]
        assert {o.key for o in first.options} == {o.key for o in second.options}
        assert all(a.key != b.key for a, b in zip(first.options, second.options, strict=True))
        assert not {o.text for o in first.options} & {o.text for o in second.options}
