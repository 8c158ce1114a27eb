from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, Case, cast, ids, learns, run, scene

NEWS = (learns(scene(), "@3", "told", (2, 1)),)

CASES = (
    *(Case(key, (f"@3 stance {key}",), facts=NEWS, say={"2.1": mark})
      for mark, key in zip("abcde", ("knows", "believes", "suspects", "unaware", "nothing"), strict=True)),
    Case("none is nothing of the kind", ("@3 stance none",), facts=NEWS, say={"2.1": "-"}),
    Case("a line that cannot be read says nothing", (), facts=NEWS, say={"2.1": "he knows"}),
    Case("nothing noticed, nothing asked", (), say=lambda q: "a"),
    *(Case(f"in {tag}", ("@3 stance believes",), language=tag, facts=(learns(scene(tag), "@3", "told", (2, 1)),),
           say={"2.1": "b"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_stances(case: Case) -> None:
    case.check("knowledge_stance")


def test_everybody_of_a_piece_is_asked_about_apart_under_options_listed_once() -> None:
    facts = [*cast(), *NEWS, learns(scene(), "@4", "told", (2, 1)), learns(scene(), "@4", "unaware", (3, 1))]
    told = run("knowledge_stance", scene(), facts=facts)
    assert [q.text for q in told.questions] == [
        "@3 Brandt: what 2.1 tells or shows",
        "@4 Anna: what 2.1 tells or shows",
        "@4 Anna: what is not known in 3.1",
    ]
    assert told.shown[0].count("plainly does not know it") == 1
    assert len({q.key.asked for q in told.questions}) == 3
