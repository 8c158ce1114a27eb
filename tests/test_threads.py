from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact
from analyzer.models.story import ThreadEvent, ThreadEventFact, ThreadFact, ThreadKind
from analyzer.threads import CLOSING, Patience, by_health, fold_threads, open_threads

EVENTS: tuple[ThreadEvent, ...] = ("plant", "reinforce", "trigger", "partial_payoff", "payoff", "subvert", "abandon")


def shown(chapter: int, block: int = 1) -> tuple[Evidence, ...]:
    return (Evidence(chapter=chapter, block=block, sentence=1, start=0, end=1, text="x"),)


def story(*events: tuple[int, ThreadEvent], kind: ThreadKind = "object", name: str = "t1") -> list[Fact]:
    first = events[0][0]
    fact = ThreadFact(thread=name, chapter=first, kind=kind, statement="the key", evidence=shown(first))
    return [
        fact,
        *(
            ThreadEventFact(thread=name, chapter=no, event=event, evidence=shown(no, at))
            for at, (no, event) in enumerate(events, 1)
        ),
    ]


@pytest.mark.parametrize(
    ("through", "status", "health"),
    [
        (1, "open", "fresh"),
        (2, "open", "fresh"),
        (3, "open", "active"),
        (6, "dormant", "dormant"),
        (16, "overdue", "overdue"),
    ],
)
def test_an_open_thread_ages_by_chapters_without_an_event(through: int, status: str, health: str) -> None:
    [thread] = fold_threads(story((1, "plant")), through=through).values()
    assert (thread.status(), thread.health()) == (status, health)


@pytest.mark.parametrize(
    ("unread", "silent", "health"),
    [((), 8, "dormant"), (range(2, 10), 0, "fresh"), (range(3, 9), 2, "active"), ((1, 10, 11), 8, "dormant")],
)
def test_chapters_nobody_read_are_no_silence(unread: Iterable[int], silent: int, health: str) -> None:
    [thread] = fold_threads(story((1, "plant")), through=9, unread=frozenset(unread)).values()
    assert (thread.silent, thread.health()) == (silent, health)


def test_an_event_wakes_a_dormant_thread() -> None:
    facts = story((1, "plant"), (8, "reinforce"))
    assert fold_threads(facts, through=7)["t1"].status() == "dormant"
    assert fold_threads(facts, through=8)["t1"].health() == "active"


@pytest.mark.parametrize(("event", "status"), CLOSING.items())
def test_a_closing_event_closes_and_another_event_opens_again(event: ThreadEvent, status: str) -> None:
    facts = story((1, "plant"), (3, event), (5, "reinforce"))
    assert fold_threads(facts, through=2)["t1"].status() == "open"
    assert fold_threads(facts, through=4)["t1"].status() == status
    assert fold_threads(facts, through=4)["t1"].health() == "closed"
    assert fold_threads(facts, through=5)["t1"].status() == "open"


def test_what_was_paid_without_a_plant_is_told() -> None:
    [thread] = fold_threads(story((4, "payoff")), through=4).values()
    assert (thread.status(), thread.health(), thread.planted) == ("paid", "unplanted", False)


def test_a_deadline_presses_sooner_than_a_thing_and_patience_is_a_setting() -> None:
    [term] = fold_threads(story((1, "plant"), kind="deadline"), through=7).values()
    [thing] = fold_threads(story((1, "plant")), through=7).values()
    assert (term.status(), thing.status()) == ("overdue", "dormant")
    assert thing.status(Patience(dormant=9)) == "open"


def test_events_of_threads_nobody_set_up_are_left_out() -> None:
    assert fold_threads(story((1, "plant"))[1:], through=3) == {}


def test_the_last_of_several_events_of_a_chapter_counts_and_a_plant_comes_first() -> None:
    fact, *events = story((1, "payoff"), (1, "plant"))
    [thread] = fold_threads([fact, *events], through=1).values()
    assert [e.event for e in thread.events] == ["plant", "payoff"]
    assert thread.status() == "paid"


STORIES = st.lists(st.tuples(st.integers(1, 30), st.sampled_from(EVENTS)), min_size=1, max_size=8).map(
    lambda rows: sorted(rows, key=lambda row: row[0])
)


@settings(max_examples=60)
@given(rows=STORIES, through=st.integers(0, 40), seed=st.randoms(use_true_random=False))
def test_the_fold_does_not_depend_on_the_order_of_facts_nor_on_later_chapters(rows, through, seed) -> None:  # type: ignore[no-untyped-def]
    facts = story(*rows)
    folded = fold_threads(facts, through=through)
    mixed = list(facts)
    seed.shuffle(mixed)
    assert fold_threads(mixed, through=through) == folded
    assert fold_threads([f for f in facts if f.chapter <= through], through=through) == folded


@settings(max_examples=60)
@given(rows=STORIES, through=st.integers(1, 40))
def test_every_thread_has_one_health_and_is_open_or_closed(rows, through) -> None:  # type: ignore[no-untyped-def]
    folded = fold_threads(story(*rows), through=through)
    opened = open_threads(folded)
    for thread in folded.values():
        assert (thread in opened) == (thread.status() in ("open", "dormant", "overdue"))
    assert sum(len(found) for found in by_health(list(folded.values())).values()) == len(folded)
