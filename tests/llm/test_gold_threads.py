from __future__ import annotations

from typing import Any

from analyzer.llm.formats import write_line
from analyzer.llm.transports.gold import true_answer
from analyzer.llm.transports.gold_book import GoldView
from analyzer.llm.transports.gold_story.threads import linked
from analyzer.models.facts import Fact
from analyzer.models.gold import GoldChapter
from analyzer.models.question import Question
from analyzer.models.text import Chapter
from analyzer.text.languages import language_table
from tests.harness import Ran, book_of, run_step
from tests.steps.thread_tale import EN, LATER, cast, noticed, short

BOOK = book_of(EN, LATER)
ONE, TWO = BOOK.chapters


def plant(what: str, kind: str, event: str, *words: str, chapter: Chapter, **more: Any) -> dict[str, Any]:
    """Return a gold item whose evidence are these words of the chapter."""
    spots = [(b.no, at) for word in words for b in chapter.blocks if (at := b.text.find(word)) >= 0]
    shown = [{"block": no, "start": at, "end": at + 1} for no, at in spots]
    return {"what": what, "kind": kind, "event": event, "evidence": shown, **more}


def gold(chapter: Chapter, *plants: dict[str, Any]) -> GoldChapter:
    return GoldChapter.model_validate(
        {
            "book": "b",
            "chapter": chapter.no,
            "body_start": 0,
            "body_end": len(BOOK.text),
            "block_starts": [block.start for block in chapter.blocks],
            "entities": [],
            "relations": [],
            "plants": plants,
        }
    )


FIRST = gold(
    ONE,
    plant("the brass key under the hearth", "object", "plant", "Ilse Roth hid", chapter=ONE, alternates=["secret"]),
    plant("Ilse keeps the key to herself", "object", "plant", "Ilse Roth hid", "She told", chapter=ONE),
    plant("Anders will be back before the first frost", "promise", "plant", "I will come", chapter=ONE),
)
SECOND = gold(
    TWO,
    plant("Anders is not back with the frost", "promise", "abandon", "Anders did", chapter=TWO),
    plant("what the brass key opens", "object", "payoff", "Ilse Roth took", chapter=TWO),
    plant("why the miller sings", "anomaly", "reinforce", "The miller", chapter=TWO),
)
VIEWS = {1: GoldView(FIRST, ONE, language_table("en")), 2: GoldView(SECOND, TWO, language_table("en"), (FIRST,))}


def truth(question: Question) -> str:
    """Return the body of the true line."""
    line = write_line(1, question, true_answer(question, VIEWS[question.key.chapter]))
    return line.partition(" ")[2]


def book(step: str, chapter: Chapter, facts: list[Fact], start: list[Fact]) -> Ran:
    return run_step(step, chapter, start=start, facts=facts, say=truth)


def through(chapter: Chapter, start: list[Fact]) -> list[Fact]:
    """Run all steps of the threads over a chapter with true answers."""
    facts: list[Fact] = [] if start else cast()
    for step in (
        "thread_notice",
        "thread_notice_again",
        "thread_doubt",
        "thread_say",
        "thread_touch",
        "thread_touch_again",
        "thread_touch_third",
        "threads",
    ):
        facts += [fact for fact, _ in book(step, chapter, facts, start).effects.facts]
    return facts


def test_every_item_is_noticed_under_a_kind_and_sentence_of_its_own() -> None:
    ran = book("thread_notice", ONE, [], [])
    assert sorted(short(ran)) == ["object first 1.1", "object first 1.2", "promise first 1.3"]
    again = book("thread_notice_again", ONE, [], [])
    assert sorted(short(again)) == ["object second 1.1", "object second 1.2", "promise second 1.3"]


def test_what_gold_does_not_have_is_doubted_and_another_kind_of_an_item_is_that_item() -> None:
    facts: list[Fact] = [
        *noticed(ONE, "object", (1, 1)),
        *noticed(ONE, "secret", (1, 1)),
        *noticed(ONE, "fear", (1, 1)),
        *noticed(ONE, "anomaly", (2, 1)),
    ]
    values = {q.key.detail.partition(":")[0]: truth(q) for q in book("thread_doubt", ONE, facts, []).questions}
    assert values["object"] == "a"
    assert values["fear"] == values["anomaly"] == "-"
    assert values["secret"] not in ("-", "a")


def test_a_payoff_is_linked_to_its_plant_and_what_nobody_planted_stands_alone() -> None:
    first = through(ONE, [])
    made = through(TWO, [*cast(), *first])
    threads = {f.thread: f.statement for f in (*first, *made) if f.fact == "thread"}
    events = {(threads[f.thread], f.event) for f in made if f.fact == "thread_event"}
    assert events == {
        ("Anders will be back before the first frost", "abandon"),
        ("the brass key under the hearth", "payoff"),
        ("why the miller sings", "reinforce"),
    }


def test_links_go_by_rare_words_and_plants_begin_threads() -> None:
    roots = linked([FIRST, SECOND])
    assert roots[2, 0] == (1, 2)
    assert roots[2, 1] == (1, 0)
    assert roots[2, 2] == (2, 2)
    assert all(roots[1, i] == (1, i) for i in range(3))


def test_links_go_by_the_signs_of_chinese_and_korean() -> None:
    one = gold(
        ONE,
        plant("铜钥匙藏在灶下", "object", "plant", "Ilse", chapter=ONE),
        plant("놋쇠 열쇠를 숨김", "secret", "plant", "Anders", chapter=ONE),
        plant("钟自己响了", "anomaly", "plant", "bell", chapter=ONE),
    )
    two = gold(
        TWO,
        plant("铜钥匙打开了箱子", "object", "payoff", "Ilse", chapter=TWO),
        plant("열쇠가 숨겨져 있던 곳", "secret", "payoff", "Anders", chapter=TWO),
    )
    roots = linked([one, two])
    assert (roots[2, 0], roots[2, 1]) == ((1, 0), (1, 1))


def test_a_chapter_without_gold_plants_answers_none_everywhere() -> None:
    view = GoldView(gold(TWO), TWO, language_table("en"), (gold(ONE),))
    ran = run_step("thread_notice", TWO)
    assert all(true_answer(q, view).status == "none" for q in ran.questions)
