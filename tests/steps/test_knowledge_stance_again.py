from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, Case, cast, ids, learns, run, scene

NEWS = (learns(scene(), "@3", "told", (2, 1)),)
KEYS = ("nothing", "unaware", "witnessed", "told", "overheard", "read", "inferred", "deceived")

CASES = (
    *(Case(key, (f"@3 way {key}",), facts=NEWS, say={"2.1": mark}) for mark, key in zip("abcdefgh", KEYS, strict=True)),
    Case("none is in no way", ("@3 way none",), facts=NEWS, say={"2.1": "-"}),
    Case("a line that cannot be read says nothing", (), facts=NEWS, say={"2.1": "by a letter"}),
    Case("nothing noticed, nothing asked", (), say=lambda q: "a"),
    *(Case(f"in {tag}", ("@3 way overheard",), language=tag, facts=(learns(scene(tag), "@3", "told", (2, 1)),),
           say={"2.1": "e"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_ways(case: Case) -> None:
    case.check("knowledge_stance_again")


def test_no_mark_means_the_same_in_both_doubts() -> None:
    both = [
        run(step, scene(), facts=[*cast(), *NEWS]).questions[0]
        for step in ("knowledge_stance", "knowledge_stance_again")
    ]
    keys = [{o.mark: o.key for o in question.options} for question in both]
    for mark in keys[0]:
        assert (keys[0][mark] in ("unaware", "nothing"), keys[0][mark]) != (
            keys[1][mark] in ("unaware", "nothing"),
            keys[1][mark],
        )
