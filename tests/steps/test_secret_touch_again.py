from __future__ import annotations

import pytest

from analyzer.models.story import SecretEventFact
from tests.steps.knowing import LANGUAGES, TOLD, Case, cast, ids, old_secret, run, scene

OLD = (old_secret(),)

CASES = (
    *(Case(event, (f"{event} second 1.1".strip(),), no=2, past=OLD, say={"burned": f"{mark} 1.1"})
      for event, mark in {'exposed': 'a', 'shared': 'b', 'touched': 'c'}.items()),
    Case("none is untouched", ("untouched second",), no=2, past=OLD, say={"burned": "-"}),
    Case("a line that cannot be read says nothing", (), no=2, past=OLD, say={"burned": "yes"}),
    Case("a sentence that is not in the chapter shows nothing", ("touched second",), no=2, past=OLD, say={"burned": "c 9.9"}),
    Case("no open secret, nothing asked", (), no=2, say=lambda q: "b"),
    Case("a secret of nobody here is not asked about", (), no=2, past=(old_secret(holders=["@77"], hidden=["@78"]),), say=lambda q: "b"),
    *(Case(f"a secret in {tag}", ("shared second 2.1",), language=tag, no=2, past=(old_secret(words=TOLD[tag]),),
           say={TOLD[tag]: "b 2.1"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_touches(case: Case) -> None:
    case.check("secret_touch_again")


def test_the_line_says_who_keeps_it_from_whom() -> None:
    past = (old_secret(hidden=["@2", "reader"]),)
    told = run("secret_touch_again", scene(no=2), facts=cast(no=2), past=past)
    assert [q.text for q in told.questions] == ["“who burned the mill”, kept by @1 Mara from @2, the reader"]


def test_what_came_out_before_is_not_asked_about() -> None:
    out = SecretEventFact(secret="s1", chapter=1, event="exposed", to=("@2",), evidence=OLD[0].evidence)
    assert run("secret_touch_again", scene(no=2), facts=cast(no=2), past=(*OLD, out)).questions == ()
