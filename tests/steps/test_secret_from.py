from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, Case, cast, hides, ids, run, scene

SEEN = (hides(scene(), "@1", (1, 1)),)

CASES = (
    Case("everybody named", ("hidden_from @3 @4",), facts=SEEN, say={"1.1": "@3 @4"}),
    Case("none is an answer", ("hidden_from",), facts=SEEN, say={"1.1": "-"}),
    Case("a handle that nobody has is dropped", ("hidden_from @2",), facts=SEEN, say={"1.1": "@2 @55"}),
    Case("a line that cannot be read says nothing", (), facts=SEEN, say={"1.1": "all of them"}),
    Case("nothing noticed, nothing asked", (), say=lambda q: "@1"),
    *(Case(f"in {tag}", ("hidden_from @3 @4",), language=tag, facts=(hides(scene(tag), "@1", (1, 1)),), say={"1.1": "@3 @4"})
      for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_people(case: Case) -> None:
    case.check("secret_from")


def test_all_people_of_the_prefix_are_offered() -> None:
    told = run("secret_from", scene(), facts=[*cast(), *SEEN])
    [question] = told.questions
    handles = [o.key for o in question.options if o.key.startswith("@")]
    assert handles == ["@1", "@2", "@3", "@4"] and question.text == "1.1, kept by @1 Mara"


def test_the_reader_may_be_named_by_a_letter() -> None:
    told = run("secret_from", scene(), facts=[*cast(), *SEEN], say={"1.1": "@3 a"})
    assert told.short == ["hidden_from @3 reader"] and "a the reader" in told.shown[0]
