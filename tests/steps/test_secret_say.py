from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, TOLD, Case, cast, hides, ids, run, scene

SEEN = (hides(scene(), "@1", (1, 1)),)

CASES = (
    Case("the words as given", ("proposition Mara has hidden a letter",), facts=SEEN, say={"1.1": "= Mara has hidden a letter"}),
    Case("none says that there is nothing", ("proposition",), facts=SEEN, say={"1.1": "-"}),
    Case("no words are no answer", (), facts=SEEN, say={"1.1": "= "}),
    Case("nothing noticed, nothing asked", (), say=lambda q: "= x"),
    *(Case(f"words in {tag}", (f"proposition {TOLD[tag]}",), language=tag, facts=(hides(scene(tag), "@1", (1, 1)),),
           say={"1.1": f"= {TOLD[tag]}"}) for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_words(case: Case) -> None:
    case.check("secret_say")


def test_one_note_for_a_thing_however_many_keep_it() -> None:
    both = [hides(scene(), "@1", (1, 1)), hides(scene(), "@2", (1, 1))]
    told = run("secret_say", scene(), facts=[*cast(), *both])
    assert [q.text for q in told.questions] == ["1.1, kept by @1 Mara, @2 Tomas"]
