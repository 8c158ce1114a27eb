from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, Case, cast, hides, ids, run, scene

SEEN = (hides(scene(), "@1", (1, 1)),)

CASES = (
    Case("everybody named", ("holders @1 @2",), facts=SEEN, say={"1.1": "@1 @2"}),
    Case("none is an answer", ("holders",), facts=SEEN, say={"1.1": "-"}),
    Case("a handle that nobody has is dropped", ("holders @2",), facts=SEEN, say={"1.1": "@2 @55"}),
    Case("a line that cannot be read says nothing", (), facts=SEEN, say={"1.1": "all of them"}),
    Case("nothing noticed, nothing asked", (), say=lambda q: "@1"),
    *(Case(f"in {tag}", ("holders @1 @2",), language=tag, facts=(hides(scene(tag), "@1", (1, 1)),), say={"1.1": "@1 @2"})
      for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_people(case: Case) -> None:
    case.check("secret_holders")


def test_all_people_of_the_prefix_are_offered() -> None:
    told = run("secret_holders", scene(), facts=[*cast(), *SEEN])
    [question] = told.questions
    handles = [o.key for o in question.options if o.key.startswith("@")]
    assert handles == ["@1", "@2", "@3", "@4"] and question.text == "1.1, kept by @1 Mara"
