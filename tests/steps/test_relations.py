from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.models.facts import DetailFact, Fact, RelationFact, SameFact
from analyzer.models.text import Place
from analyzer.prompts import prompt_text
from analyzer.steps.relations import EVIDENCE_REACH, EXAMPLE_PLACES, decide
from tests.harness import Case, chapter_of, claim, ids, person, run_step, unnamed
from tests.steps.tale import EN, FR, JA, KO, ZH, cast

CHAPTER = chapter_of(EN)
FOR = ("for", "for")


def claimed(
    triple: str, *places: tuple[int, int], votes: Sequence[str] = FOR, voted: Sequence[tuple[int, int]] = ()
) -> list[Fact]:
    return claim(CHAPTER, triple, *places, votes=votes, voted=voted)


CASES = (
    Case("a claim confirmed twice becomes a relation", EN, ("relation @1 sibling_of @2 1.2",),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2)))),
    Case("one denial does not fell it", EN, ("relation @1 sibling_of @2 1.2",),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2), votes=("for", "deny", "for")))),
    Case("two denials fell it", EN, (), codes=("denied_twice",),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2), votes=("deny", "deny")))),
    Case("two denials of three fell it", EN, (), codes=("denied_twice",),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2), votes=("deny", "for", "deny")))),
    Case("votes nobody could read leave it undecided", EN, (), codes=("undecided",),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2), votes=("unparsed", "unparsed", "unparsed")))),
    Case("no vote at all leaves it undecided", EN, (), codes=("undecided",),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2), votes=()))),
    Case("two votes for the reverse turn it round", EN, ("relation @4 loves @1 2.3",),
         facts=(*cast(), *claimed("@1 loves @4", (2, 3), votes=("reverse", "reverse", "for")))),
    Case("two votes for the nearest kind rename it", EN, ("relation @1 friend_of @4 2.3",),
         facts=(*cast(), *claimed("@1 loves @4", (2, 3), votes=("nearest", "nearest", "for")))),
    Case("the sentences of the votes come first", EN, ("relation @1 loves @4 2.2 2.3",),
         facts=(*cast(), *claimed("@1 loves @4", (2, 3), voted=[(2, 2)]))),
    Case("an end that is nobody in the cast", EN, (), codes=("unknown_handle",),
         facts=(*cast(), *claimed("@1 loves @77", (2, 3)))),
    Case("somebody with himself", EN, (), codes=("self_relation",),
         facts=(*cast(), *claimed("@1 loves @1", (2, 3)))),
    Case("a place cannot be loved", EN, (), codes=("wrong_entity_kinds",),
         facts=(*cast(), *claimed("@1 loves @3", (1, 1)))),
    Case("a place cannot live in a person", EN, (), codes=("wrong_entity_kinds",),
         facts=(*cast(), *claimed("@3 lives_in @1", (1, 1)))),
    Case("nobody lives in a group", EN, (), codes=("wrong_entity_kinds",),
         facts=(*cast(), *person("@5", "the Vells", kind="group"), *claimed("@1 lives_in @5", (1, 2)))),
    Case("nobody is married to a group", EN, (), codes=("wrong_entity_kinds",),
         facts=(*cast(), *person("@5", "the Vells", kind="group"), *claimed("@1 spouse_of @5", (1, 2)))),
    Case("no words show it", EN, (), codes=("no_evidence",),
         facts=(*cast(), *claimed("@1 loves @4"))),
    Case("both directions at once fell both", EN, (), codes=("both_directions", "both_directions"),
         facts=(*cast(), *claimed("@1 parent_of @2", (1, 2)), *claimed("@2 parent_of @1", (1, 2)))),
    Case("of both directions the better confirmed stands", EN, ("relation @1 parent_of @2 1.2",),
         codes=("both_directions",),
         facts=(*cast(), *claimed("@1 parent_of @2", (1, 2)), *claimed("@2 parent_of @1", (1, 2), votes=("deny", "for", "nearest")))),
    Case("feelings may go both ways", EN, ("relation @1 loves @4 2.3", "relation @4 loves @1 2.3"),
         facts=(*cast(), *claimed("@1 loves @4", (2, 3)), *claimed("@4 loves @1", (2, 3)))),
    Case("parents in a circle lose the weakest link", EN,
         ("relation @1 parent_of @2 1.2", "relation @2 parent_of @4 2.3"), codes=("parent_cycle",),
         facts=(*cast(), *claimed("@4 parent_of @1", (2, 3), votes=("for", "deny", "for", )),
                *claimed("@1 parent_of @2", (1, 2), votes=("for", "for", "for")),
                *claimed("@2 parent_of @4", (2, 3), votes=("for", "for", "for")))),
    Case("the same words cannot show two ties of blood", EN, ("relation @1 sibling_of @2 1.2",),
         codes=("contradictory_kinds",),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2)), *claimed("@1 spouse_of @2", (1, 2), votes=("for", "deny", "unparsed")))),
    Case("contradictory kinds equally confirmed by the same words both fall", EN, (),
         codes=("contradictory_kinds", "contradictory_kinds"),
         facts=(*cast(), *claimed("@1 friend_of @2", (1, 3)), *claimed("@1 enemy_of @2", (1, 3)))),
    Case("friend and enemy by different words may both be told", EN,
         ("relation @1 friend_of @2 1.3", "relation @1 enemy_of @2 1.2"),
         facts=(*cast(), *claimed("@1 friend_of @2", (1, 3)), *claimed("@1 enemy_of @2", (1, 2)))),
    Case("different ties of one pair may share their words", EN,
         ("relation @1 sibling_of @2 1.2", "relation @1 enemy_of @2 1.2"),
         facts=(*cast(), *claimed("@1 sibling_of @2", (1, 2)), *claimed("@1 enemy_of @2", (1, 2)))),
    Case("no claim, no relation", EN, (), facts=cast()),
    Case("unnamed people have relations as well", EN, ("relation @2 parent_of @5 2.2",),
         facts=(*cast(), *unnamed("@5", "his daughter", (2, 2), tie="daughter", tied_to="@2"),
                *claimed("@2 parent_of @5", (2, 2)))),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_relations(case: Case) -> None:
    case.check("relations")


@pytest.mark.parametrize(
    ("language", "text", "names", "place"),
    [
        ("ko", KO, ("마라", "토마스"), (1, 2)),
        ("zh", ZH, ("林黛", "王武"), (1, 2)),
        ("ja", JA, ("田中", "花子"), (1, 2)),
        ("fr", FR, ("Marthe Vaux", "Thomas Vaux"), (1, 2)),
    ],
)
def test_a_relation_stands_in_every_script(
    language: str, text: str, names: tuple[str, str], place: tuple[int, int]
) -> None:
    chapter = chapter_of(text, language=language)
    facts = [*person("@1", names[0]), *person("@2", names[1]), *claim(chapter, "@1 sibling_of @2", place, votes=FOR)]
    ran = run_step("relations", chapter, facts=facts)
    assert ran.facts == ["relation @1 sibling_of @2 1.2"] and ran.codes == []
    [relation] = [fact for fact, _ in ran.effects.facts if isinstance(fact, RelationFact)]
    assert relation.evidence[0].text == chapter.sentence_text(Place(*place))


def test_words_far_from_both_ends_cannot_show_anything() -> None:
    far = "The rain went on over the grey fields. " * (EVIDENCE_REACH // 39 + 2)
    chapter = chapter_of(f"Mara Vell met Tomas Vell.\n{far}\nIt was all over by then.")
    near = claim(chapter, "@1 sibling_of @2", (1, 1), votes=FOR)
    absent = claim(chapter, "@1 friend_of @2", (3, 1), votes=FOR)
    ran = run_step("relations", chapter, facts=[*cast(), *near, *absent])
    assert ran.facts == ["relation @1 sibling_of @2 1.1"]
    assert ran.codes == ["evidence_not_in_chapter"]


def test_what_only_the_illustration_of_the_format_could_have_supplied_falls_by_name() -> None:
    lines = ["Mara Vell met Tomas Vell."] + [
        "The rain fell on the roof. It fell on the road. It fell on the water."
    ] * 60
    chapter = chapter_of("\n".join(lines))
    copied = claim(chapter, "@1 sibling_of @2", (12, 3), (14, 1), votes=FOR)
    facts = [*person("@1", "Mara Vell"), *person("@2", "Tomas Vell")]
    near = run_step("relations", chapter, facts=[*facts, *copied])
    assert near.codes == []  # within reach of their names it may be true
    long = [lines[0]] + [("The rain fell on the roof. " * 8 + "It fell.").strip()] * 14
    chapter = chapter_of("\n".join(long))
    copied = claim(chapter, "@1 sibling_of @2", (12, 3), (14, 1), votes=FOR)
    assert run_step("relations", chapter, facts=[*facts, *copied]).codes == ["example_only"]


def test_the_illustration_is_the_one_printed_in_the_prompt() -> None:
    shown = prompt_text("format.lines").split("illustration of the shape):")[1]
    assert all(str(place) in shown for place in EXAMPLE_PLACES)


def test_words_that_are_not_those_of_the_chapter_are_no_evidence() -> None:
    other = chapter_of(EN.replace("brother", "husband"))
    ran = run_step("relations", CHAPTER, facts=[*cast(), *claim(other, "@1 spouse_of @2", (1, 2), votes=FOR)])
    assert (ran.facts, ran.codes) == ([], ["evidence_not_in_chapter"])


def test_ends_merged_in_the_chapter_are_resolved_and_duplicates_counted() -> None:
    girl = unnamed("@5", "the girl", (2, 3))
    same = SameFact(entity="@5", same_as="@4", chapter=1)
    facts = [*cast(), *girl, same, *claimed("@1 loves @5", (2, 3)), *claimed("@1 loves @4", (2, 3))]
    ran = run_step("relations", CHAPTER, facts=facts)
    assert ran.facts == ["relation @1 loves @4 2.3"] and ran.codes == ["duplicate_relation"]


def test_two_people_who_turn_out_to_be_one_have_no_relation() -> None:
    same = SameFact(entity="@4", same_as="@1", chapter=1)
    ran = run_step("relations", CHAPTER, facts=[*cast(), same, *claimed("@1 loves @4", (2, 3))])
    assert (ran.facts, ran.codes) == ([], ["self_relation"])


def test_the_details_picked_for_a_claim_are_those_of_its_relation() -> None:
    facts = [*cast(), *claimed("@1 loves @4", (2, 3))]
    details = [
        DetailFact(claim="claim:@1_loves_@4", chapter=1, attribute=a, value=v)  # type: ignore[arg-type]
        for a, v in (("status", "former"), ("affinity", "+"), ("visibility", "secret"))
    ]
    [(relation, _)] = run_step("relations", CHAPTER, facts=[*facts, *details]).effects.facts
    assert isinstance(relation, RelationFact)
    assert (relation.status, relation.affinity, relation.visibility) == ("former", "+", "secret")
    assert relation.votes == FOR


def test_an_issue_names_the_claim_and_the_rule() -> None:
    [issue] = run_step("relations", CHAPTER, facts=[*cast(), *claimed("@1 loves @3", (1, 1))]).issues
    assert (issue.step, issue.chapter, issue.about) == ("relations", 1, ("@1", "loves", "@3"))
    assert issue.detail == "character loves place"


VOTES = ("for", "reverse", "nearest", "deny", "unparsed")


def test_a_claim_falls_only_on_two_denials_and_a_majority_may_turn_it() -> None:
    for votes in product(VOTES, repeat=3):
        read = [v for v in votes if v != "unparsed"]
        decided = decide(votes)
        turned = any(read.count(vote) >= 2 for vote in ("reverse", "nearest", "deny"))
        assert (decided is None) == (not turned and "for" not in read)
        assert (decided == "deny") == (read.count("deny") >= 2)
        if read.count("for") >= 2:
            assert decided == "for"


@given(st.lists(st.sampled_from(VOTES), max_size=3), st.randoms(use_true_random=False))
def test_the_order_of_votes_does_not_matter(votes: list[str], random: object) -> None:
    turned = list(votes)
    random.shuffle(turned)  # type: ignore[attr-defined]
    assert decide(votes) == decide(turned)  # type: ignore[arg-type]
