"""What `why` finds behind facts of the story, and behind what fell."""

from __future__ import annotations

import pytest

from analyzer.export.trails import LEADS, in_words, leads_of, leads_to_nothing, story_ids
from analyzer.export.why import is_meant, why_fact, why_fallen
from analyzer.models.facts import CLASS_OF, Fact, SameFact, StoredFact
from analyzer.models.issue import Issue
from analyzer.models.question import Answer, Question, QuestionKey
from analyzer.models.rows import AnswerRow
from analyzer.models.run import CallRecord, Usage
from analyzer.models.story import (
    CardSayFact,
    KnowledgeFact,
    KnowledgeNoticeFact,
    KnowledgeSayFact,
    MaskFact,
    SecretFact,
    SecretNoticeFact,
    SecretSayFact,
    SpeakerFact,
    SpeechFact,
    StateNoticeFact,
    ThreadFact,
    ThreadNoticeFact,
    ThreadSayFact,
    ThreadTouchFact,
    TurnFact,
    TurnVoteFact,
)
from analyzer.models.text import Place
from analyzer.storage.tasks import fact_id_of
from tests.export.story_tale import LANGUAGES, said, stored, story

EN = LANGUAGES["en"]
BOOK = stored(story(EN))


def same(handle: str) -> str:
    return handle


def the(kind: str, chapter: int) -> StoredFact:
    return next(s for s in BOOK if s.fact.fact == kind and s.chapter == chapter)


def led(fact: Fact, *leads: Fact) -> list[str]:
    return [in_words(s.fact) for s in leads_of(fact, stored(leads), same)]


def test_every_class_that_leads_is_a_class() -> None:
    assert {*LEADS, *(one for classes in LEADS.values() for one in classes)} <= set(CLASS_OF.values())


def test_a_look_has_its_notices_its_note_and_its_verdict() -> None:
    row = why_fact(the("change", 1), BOOK, {}, {})
    assert row.kept and row.rule == "passed every rule at the door"
    look = next(s for s in BOOK if s.fact.fact == "change" and "appearance" in str(s.fact))
    row = why_fact(look, BOOK, {}, {})
    assert row.trail == (
        "state noticed, first look: appearance.hair 9.1",
        "state noticed, second look: appearance.hair 9.1",
        "state value: red",
    )
    assert row.votes == ("state nature: begins",) and row.evidence == ("9.1 (narration) It was so in chapter 1.",)


def test_a_touch_of_a_thread_has_both_looks_and_no_other_chapter() -> None:
    [event] = [s for s in BOOK if s.fact.fact == "thread_event" and s.chapter == 2]
    assert why_fact(event, BOOK, {}, {}).votes == (
        "thread first look: reinforce 12.1",
        "thread second look: reinforce 12.1",
    )
    [paid] = [s for s in BOOK if s.fact.fact == "thread_event" and s.chapter == 5]
    assert why_fact(paid, BOOK, {}, {}).votes == ()


def test_notices_of_other_ids_on_the_same_sentence_come_along_with_what_was_said_of_them() -> None:
    fact = ThreadFact(thread="t1", chapter=1, kind="fear", statement="x", evidence=said(EN, 1, 5))
    notices = (
        ThreadNoticeFact(chapter=1, thread="t2", kind="fear", look="second", evidence=said(EN, 1, 5)),
        ThreadSayFact(chapter=1, thread="t2", what="check", value="new"),
        ThreadNoticeFact(chapter=1, thread="t3", kind="fear", look="second", evidence=said(EN, 1, 6)),
        ThreadSayFact(chapter=1, thread="t3", what="check", value="nothing"),
    )
    assert led(fact, *notices) == ["thread noticed, second look: fear 5.1", "thread check: new"]


def test_knowledge_has_what_was_said_of_its_own_knower_alone() -> None:
    fact = KnowledgeFact(chapter=1, piece="p1", knower="@1", proposition="x", stance="knows", evidence=said(EN, 1, 5))
    leads = (
        KnowledgeNoticeFact(chapter=1, piece="p1", knower="@1", via="told", look="first", evidence=said(EN, 1, 5)),
        KnowledgeNoticeFact(chapter=1, piece="p1", knower="@2", via="told", look="first", evidence=said(EN, 1, 5)),
        KnowledgeSayFact(chapter=1, piece="p1", what="proposition", value="x"),
        KnowledgeSayFact(chapter=1, piece="p1", knower="@2", what="stance", value="believes"),
        KnowledgeSayFact(chapter=1, piece="p1", knower="@1", what="stance", value="knows"),
    )
    assert led(fact, *leads) == [
        "knowledge noticed, first look: told 5.1",
        "knowledge proposition: x",
        "knowledge stance: knows",
    ]


@pytest.mark.parametrize(
    ("fact", "lead", "words"),
    [
        (
            SecretFact(secret="s1", chapter=1, proposition="x", holders=("@1",), evidence=said(EN, 1, 5)),
            SecretNoticeFact(chapter=1, secret="s7", holder="@1", look="second", evidence=said(EN, 1, 5)),
            "secret noticed, second look: 5.1",
        ),
        (
            SecretFact(secret="s1", chapter=1, proposition="x", holders=("@1",), evidence=said(EN, 1, 5)),
            SecretSayFact(chapter=1, secret="s1", what="holders", handles=("@1", "@2")),
            "secret holders: @1 @2",
        ),
        (
            next(f for f in story(EN) if f.fact == "reveal"),
            MaskFact(chapter=5, persona="@6", behind="@2", cues=("voice",), vote="same", look="second"),
            "mask second look: same via voice",
        ),
        (
            TurnFact(chapter=1, subject="@1", relation="loves", object="@2", turn="ends", evidence=said(EN, 1, 5)),
            TurnVoteFact(chapter=1, subject="@1", relation="loves", object="@2", look="first", turn="ends"),
            "turn first look: ends",
        ),
        (
            SpeechFact(chapter=1, block=2, start=3, end=9, place=Place(2, 1), conversation=1, speaker="@1", by="asked"),
            SpeakerFact(chapter=1, place=Place(2, 1), block=2, start=3, speaker="@1"),
            "speaker: @1",
        ),
        (
            next(f for f in story(EN) if f.fact == "card"),
            CardSayFact(chapter=1, what="time", value="at night"),
            "card time: at night",
        ),
    ],
)  # fmt: skip
def test_each_class_finds_what_led_to_it(fact: Fact, lead: Fact, words: str) -> None:
    assert led(fact, lead) == [words]
    elsewhere = lead.model_copy(update={"chapter": 9})
    assert led(fact, elsewhere) == []


def test_a_merged_handle_is_the_same_one() -> None:
    change = next(f for f in story(EN) if f.fact == "change" and f.chapter == 2)
    notice = StateNoticeFact(chapter=2, entity="@8", attribute="location", look="first", evidence=said(EN, 2, 9))
    book = stored([change, notice])
    [target] = [s for s in book if s.fact.fact == "change"]
    assert why_fact(target, book, {}, {}).trail == ()
    merged = stored([change, notice, SameFact(entity="@8", same_as="@3", chapter=4)])
    assert len(why_fact(target, merged, {}, {}).trail) == 1


def test_an_id_made_from_words_means_every_fact_that_carries_it() -> None:
    assert [s.fact.fact for s in BOOK if is_meant(s, "t00000001")] == [
        "thread",
        "thread_event",
        "thread_event",
        "thread_event",
    ]
    assert {s.fact.fact for s in BOOK if is_meant(s, "s00000001")} == {"secret", "secret_event", "knowledge"}
    assert [s.fact.fact for s in BOOK if is_meant(s, "r00000001")] == ["reveal"]
    assert [s for s in BOOK if is_meant(s, "t0000000")] == [] and [s for s in BOOK if is_meant(s, "")] == []
    assert story_ids(ThreadTouchFact(chapter=1, thread="t1", look="first", event="payoff")) == frozenset()


def test_questions_options_answers_tokens_and_cost_of_what_led_to_a_fact_are_shown() -> None:
    key = QuestionKey(step="thread_touch", ask="thread.touch", chapter=2, about=())
    answer = Answer(status="answered", picked=("reinforce",), raw="1 b 12.1")
    asked = AnswerRow(
        answer_id="answer:1", request_hash="r", call_id="call", step="thread_touch", chapter=2, key=key.text,
        question=Question(key=key, type="choice", text="What of the letter?"), answer=answer, model="m", answered_by="model",
    )  # fmt: skip
    call = CallRecord(
        call_id="call", run_id="r", step="thread_touch", chapter=2, model="m", answered_by="model", n_questions=2, attempt=1,
        status="ok", settled=True, usage=Usage(input=100, output=10), cost_usd=0.02, reserved_usd=0.1, started_at=1.0,
        ended_at=2.0,
    )  # fmt: skip
    book = [s.model_copy(update={"because": ("answer:1",)}) if s.fact.fact == "thread_touch" else s for s in BOOK]
    [event] = [s for s in book if s.fact.fact == "thread_event" and s.chapter == 2]
    [row] = why_fact(event, book, {"answer:1": asked}, {"call": call}).asked
    assert (row.question, row.picked, row.input_tokens, row.output_tokens) == (
        "What of the letter?",
        ("reinforce",),
        50.0,
        5.0,
    )
    assert row.cost_usd == pytest.approx(0.01)


# --- what fell -----------------------------------------------------------------------------------------------------


def fell(about: tuple[str, ...], detail: str, *leads: Fact, chapter: int = 1) -> list[str]:
    issue = Issue(code="no_evidence", step="threads", chapter=chapter, about=about, detail=detail)
    return [in_words(s.fact) for s in leads_to_nothing(issue, stored(leads))]


LED = (
    KnowledgeNoticeFact(chapter=1, piece="p1", knower="@1", via="told", look="first", evidence=said(EN, 1, 5)),
    KnowledgeSayFact(chapter=1, piece="p1", what="proposition", value="x"),
    KnowledgeNoticeFact(chapter=1, piece="p2", knower="@1", via="told", look="first", evidence=said(EN, 1, 6)),
)


def test_what_fell_has_the_notices_that_name_all_it_is_about_and_what_was_said_of_them() -> None:
    assert fell(("@1",), "5.1 told: the looks do not agree", *LED) == [
        "knowledge noticed, first look: told 5.1", "knowledge proposition: x",
    ]  # fmt: skip
    assert len(fell(("p2",), "", *LED)) == 1
    assert fell(("@2",), "", *LED) == fell((), "", *LED) == fell(("@1",), "", *LED, chapter=2) == []


def test_why_of_what_fell_shows_rule_words_and_trail() -> None:
    issue = Issue(code="no_evidence", step="knowledges", chapter=1, about=("p1",), detail="none of it")
    row = why_fallen("issue:1", issue, stored(LED), {}, {})
    assert not row.kept and row.rule == "no_evidence: none of it"
    assert row.evidence == ("5.1 (narration) It was so in chapter 1.",) and len(row.trail) == 2


def test_ids_of_facts_are_told_apart_from_ids_made_from_words() -> None:
    one = the("thread", 1)
    assert one.fact_id == fact_id_of("thread", 1, one.fact)
    assert is_meant(one, one.fact_id.rpartition(":")[2][:8])
