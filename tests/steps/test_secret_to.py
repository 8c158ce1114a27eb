from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, Case, cast, hides, ids, old_secret, run, scene, secret_says, touched

SEEN = (hides(scene(), "@1", (1, 1)),)
TWO = scene(no=2)

CASES = (
    Case("to whom something new gets known", ("to first @3",), facts=SEEN, say={"1.1": "@3"}),
    Case("to the reader too", ("to first @3 reader",), facts=SEEN, say={"1.1": "@3 a"}),
    Case("what the doubt denies is not asked about", (), facts=(*SEEN, *secret_says(scene(), (1, 1), check="private")), say=lambda q: "@3"),
    Case("what it leaves standing is", ("to first @3",), facts=(*SEEN, *secret_says(scene(), (1, 1), check="out")), say={"1.1": "@3"}),
    Case("none is to nobody", (), facts=SEEN, say={"1.1": "-"}),
    Case("an old one that is shared", ("to first @2",), no=2, past=(old_secret(),),
         facts=(touched(TWO, "s1", "shared", (2, 1)),), say={"burned": "@2"}),
    Case("an old one that is only touched is not asked about", (), no=2, past=(old_secret(),),
         facts=(touched(TWO, "s1", "touched", (2, 1)),), say=lambda q: "@2"),
    Case("a handle that nobody has is dropped", ("to first @3",), facts=SEEN, say={"1.1": "@3 @66"}),
    *(Case(f"in {tag}", ("to first @3",), language=tag, facts=(hides(scene(tag), "@1", (1, 1)),), say={"1.1": "@3"})
      for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_to_whom(case: Case) -> None:
    case.check("secret_to")


def test_each_question_has_a_key_of_its_own() -> None:
    facts = [*cast(no=2), hides(TWO, "@1", (1, 1)), hides(TWO, "@1", (2, 1)), touched(TWO, "s1", "exposed", (2, 1))]
    told = run("secret_to", TWO, facts=facts, past=[old_secret()])
    assert len({q.key.asked for q in told.questions}) == len(told.questions) == 3
