from __future__ import annotations

import pytest

from analyzer.models.facts import ClaimFact, Fact, Family, ProposalFact
from analyzer.models.question import Question
from analyzer.models.text import Place
from tests.harness import Case, chapter_of, ids, lines_of, mark, person, run_step
from tests.steps.tale import EN, KO, cast


def proposal(family: Family, first: str, second: str, *hints: tuple[int, int]) -> Fact:
    places = tuple(Place(*h) for h in hints)
    return ProposalFact(chapter=1, family=family, first=first, second=second, origin="select", hints=places)


def pick(*keys: str, places: str = "1.2") -> object:
    def answer(question: Question) -> str:
        return " ".join([*(mark(question, key) for key in keys), places])

    return answer


KIN = (*cast(), proposal("kin", "@1", "@2", (1, 2)))
PLACE = (*cast(), proposal("place", "@1", "@3", (1, 1)))

CASES = (
    Case("kind and direction as picked", EN, ("claim @1 parent_of @2 1.2",), facts=KIN, say=pick("parent_of:ab")),
    Case("the other direction", EN, ("claim @2 parent_of @1 1.2",), facts=KIN, say=pick("parent_of:ba")),
    Case("a symmetric kind has its ends in handle order", EN, ("claim @1 sibling_of @2 1.2 1.3",), facts=KIN,
         say=pick("sibling_of:ab", places="1.2 1.3")),
    Case("two kinds at once share their sentences", EN, ("claim @1 sibling_of @2 1.2", "claim @1 guardian_of @2 1.2"),
         facts=KIN, say=pick("sibling_of:ab", "guardian_of:ab")),
    Case("both directions become two claims, for the door to judge", EN,
         ("claim @1 parent_of @2 1.2", "claim @2 parent_of @1 1.2"), facts=KIN, say=pick("parent_of:ab", "parent_of:ba")),
    Case("without a sentence there is no claim", EN, (), facts=KIN, say=pick("parent_of:ab", places=""),
         codes=("no_evidence",)),
    Case("a sentence that does not exist is no evidence", EN, (), facts=KIN, say=pick("parent_of:ab", places="9.9"),
         codes=("no_evidence",)),
    Case("the sentence that exists is kept beside one that does not", EN, ("claim @1 parent_of @2 1.3",), facts=KIN,
         say=pick("parent_of:ab", places="9.9 1.3")),
    Case("any sentence of the chapter may show it, not only the hints", EN, ("claim @1 lives_in @3 2.1",), facts=PLACE,
         say=pick("lives_in:ab", places="2.1")),
    Case("an abstaining answerer claims nothing", EN, (), facts=KIN),
    Case("an unparsed line claims nothing", EN, (), facts=KIN, say=lambda q: "they are siblings"),
    Case("a pair of which one is not in the cast is not asked about", EN, (), say=pick("parent_of:ab"),
         facts=(*cast(), proposal("kin", "@1", "@77"))),
    Case("nothing proposed, nothing asked", EN, (), facts=cast()),
    Case("more picks than may hold at once are cut, not guessed", EN,
         ("claim @1 parent_of @2 1.2", "claim @1 sibling_of @2 1.2", "claim @1 spouse_of @2 1.2"), facts=KIN,
         say=pick("parent_of:ab", "sibling_of:ab", "spouse_of:ab", "cousin_of:ab")),
    Case("korean", KO, ("claim @1 sibling_of @2 1.2",), language="ko", say=pick("sibling_of:ab"),
         facts=(*person("@1", "마라"), *person("@2", "토마스"), proposal("kin", "@1", "@2", (1, 2)))),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_kind(case: Case) -> None:
    case.check("relation_kind")


def test_the_question_spells_out_both_ends_of_every_kind_that_fits() -> None:
    ran = run_step("relation_kind", chapter_of(EN), facts=[*PLACE, proposal("romance", "@1", "@4", (2, 3))])
    assert lines_of(ran.shown[0]) == [
        "1. @1 Mara Vell and @3 Corvin | a @1 belongs to @3 (its people, staff or apprentices); b @1 leads, runs or governs @3; "
        "c @1 lives in @3; d @1 owns @3 or a part of it; "
        "e @1 comes from @3 | see 1.1",
        "2. @1 Mara Vell and @4 Doctor Brandt | a @1 and @4 love each other; b @1 is in love with @4; "
        "c @4 is in love with @1; d @1 and @4 want the same person's love | see 2.3",
    ]


def test_evidence_is_the_sentence_word_for_word() -> None:
    chapter = chapter_of(EN)
    ran = run_step("relation_kind", chapter, facts=KIN, say=pick("sibling_of:ab", places="1.2 1.3"))  # type: ignore[arg-type]
    [claim] = [fact for fact, _ in ran.effects.facts if isinstance(fact, ClaimFact)]
    for shown in claim.evidence:
        block = chapter.blocks[shown.block - 1]
        assert block.text[shown.start : shown.end] == shown.text == chapter.sentence_text(shown.place)
    assert [e.source for e in claim.evidence] == ["narration", "speech"]


@pytest.mark.parametrize(
    ("language", "text", "family", "head"),
    [
        ("en", "Mara Vell was one of the Vells.", "the Vells", "Mara Vell"),
        ("ko", "한만석은 한씨네 사람이다.", "한씨네", "한만석"),
        ("zh", "贾仲和是贾家的人。", "贾家", "贾仲和"),
        ("ja", "田中一郎は田中家の人だ。", "田中家", "田中一郎"),
    ],
)
def test_no_kind_is_offered_whose_ends_are_of_other_kinds(language: str, text: str, family: str, head: str) -> None:
    facts = (*person("@1", head), *person("@2", family, kind="group"))
    chapter = chapter_of(text, language=language)
    offered = set()
    for name in ("kin", "romance", "bond", "conflict", "work", "place"):
        proposal = ProposalFact(chapter=1, family=name, first="@1", second="@2", origin="select")  # type: ignore[arg-type]
        ran = run_step("relation_kind", chapter, facts=(*facts, proposal))
        offered |= {o.key.partition(":")[0] for q in ran.questions for o in q.options}
    assert {"member_of", "leads", "owns", "parent_of"} <= offered
    assert not {"lives_in", "from", "spouse_of", "betrothed_to", "loves", "lover_of", "rival_in_love"} & offered
