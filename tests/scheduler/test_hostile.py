"""Answerers that copy, loop, stop half-way or invent: the run ends, names what is lost, and stores no invented thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.llm.transports.scripted import ADVERSARIES, Adversary, Hostile
from analyzer.models.facts import EntityFact
from analyzer.storage.store import Store
from tests.scheduler.tiny import STEPS, TEXTS, Teller, analyse, book_of

LONG = book_of([*TEXTS, [" met ".join(f"Name{chr(97 + i)}x" for i in range(12)), "Evening."]])


@pytest.mark.parametrize("kind", ADVERSARIES)
async def test_every_adversary_ends_with_a_sound_store_and_says_what_is_lost(tmp_path: Path, kind: Adversary) -> None:
    outcome = await analyse(tmp_path, Hostile(kind), steps=STEPS, manuscript=LONG)  # type: ignore[arg-type]
    assert outcome.exit_code in (0, 7)
    assert (outcome.exit_code == 7) == bool(outcome.unanswered)
    named = "".join(issue.detail for issue in outcome.issues)
    assert all(key in named for key in outcome.unanswered)
    with Store.open(tmp_path) as store:
        assert store.verify() == []
        labels = [f.fact.label for f in store.facts() if isinstance(f.fact, EntityFact)]
        assert all(label in LONG.text for label in labels)


@pytest.mark.parametrize("kind", ["repeat", "invent", "examples"])
async def test_where_nothing_usable_comes_back_nothing_is_stored(tmp_path: Path, kind: Adversary) -> None:
    outcome = await analyse(tmp_path, Hostile(kind), steps=STEPS[-1:], manuscript=LONG, chapters=[4])  # type: ignore[arg-type]
    assert outcome.exit_code == 7
    assert outcome.n_answers < 12
    again = Teller()
    outcome = await analyse(tmp_path, again, steps=STEPS[-1:], manuscript=LONG, chapters=[4])
    assert (outcome.exit_code, outcome.unanswered) == (0, ())


async def test_always_the_first_option_makes_no_fact_of_a_long_pack(tmp_path: Path) -> None:
    outcome = await analyse(tmp_path, Hostile("first"), steps=STEPS, manuscript=LONG, chapters=[4])  # type: ignore[arg-type]
    assert (outcome.exit_code, outcome.n_answers) == (7, 0)
