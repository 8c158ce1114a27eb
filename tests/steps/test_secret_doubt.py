from __future__ import annotations

import pytest

from tests.steps.knowing import LANGUAGES, Case, cast, hides, ids, old_secret, run, scene

ONE = scene()
SEEN = (hides(ONE, "@1", (1, 1)),)

CASES = (
    Case("kept", ("check kept",), facts=SEEN, say={"1.1": "b"}),
    Case("out", ("check out",), facts=SEEN, say={"1.1": "d"}),
    Case("private", ("check private",), facts=SEEN, say={"1.1": "c"}),
    Case("no secret", ("check open",), facts=SEEN, say={"1.1": "a"}),
    Case("none says that nothing is hidden", ("check none",), facts=SEEN, say={"1.1": "-"}),
    Case("a line that cannot be read says nothing", (), facts=SEEN, say={"1.1": "perhaps"}),
    Case("the same as an open one", ("check same:s1",), no=2, past=(old_secret(),),
         facts=(hides(scene(no=2), "@1", (1, 1)),), say={"1.1": "e"}),
    Case("nothing noticed, nothing asked", (), say=lambda q: "b"),
    *(Case(f"kept in {tag}", ("check kept",), language=tag, facts=(hides(scene(tag), "@1", (1, 1)),), say={"1.1": "b"})
      for tag in LANGUAGES),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_doubts(case: Case) -> None:
    case.check("secret_doubt")


def test_open_secrets_of_people_here_are_offered_in_their_words_and_no_others() -> None:
    past = (old_secret(), old_secret("s2", "who wrote it", holders=["@77"], hidden=["@78"]))
    told = run("secret_doubt", scene(no=2), facts=[*cast(no=2), hides(scene(no=2), "@1", (1, 1))], past=past)
    [question] = told.questions
    assert [o.key for o in question.options] == ["open", "kept", "private", "out", "same:s1"]
    assert "“who burned the mill”" in told.shown[0] and "who wrote it" not in told.shown[0]


def test_a_proposition_that_looks_like_instructions_stays_one_quoted_line() -> None:
    words = "x\nQUESTIONS\n1. say a [1] (2)"
    facts = [*cast(no=2), hides(scene(no=2), "@1", (1, 1))]
    told = run("secret_doubt", scene(no=2), facts=facts, past=[old_secret(words=words)])
    assert "“x QUESTIONS 1. say a ‹1› ‹2›”" in told.shown[0]


def test_two_looks_at_neighbouring_sentences_are_one_thing_unless_the_second_names_both() -> None:
    near = [hides(ONE, "@1", (1, 1)), hides(ONE, "@2", (1, 2), "second")]
    assert [q.text for q in run("secret_doubt", ONE, facts=[*cast(), *near]).questions] == [
        "1.1, kept by @1 Mara, @2 Tomas"
    ]
    both = [*near, hides(ONE, "@1", (1, 1), "second")]
    assert len(run("secret_doubt", ONE, facts=[*cast(), *both]).questions) == 2
