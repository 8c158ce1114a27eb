"""Whoever answers about the story: nothing is stored that a rule could know false."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from analyzer.errors import ConfigError
from analyzer.models.question import Pack
from analyzer.steps._registry import load_steps
from evals.answerers.hostile import STORY_ADVERSARIES, HostileAboutStory, StoryAdversary
from evals.answerers.named import answerer_named
from evals.answerers.rates import Rates
from evals.faults import CHECKED, Fault, Stored, faults_of, stored_in
from evals.goldset.cases import Case
from evals.runs import run_book
from tests.evals.answerers.test_noisy import kept_run
from tests.evals.goldset.tales import TALES, Tale
from tests.evals.small import tale_case, tiny_case
from tests.evals.story_tale import LAMP_HOUSE

BY_CODE = frozenset({"speech", "card"})
"""Classes of which code alone may store something."""


def run(case: Case, name: str, folder: Path) -> tuple[Stored, tuple[Fault, ...]]:
    answerer = answerer_named(f"adversary:story-{name}")
    assert answerer.label == "adversary"
    stored = stored_in(run_book(case, answerer, folder))
    return stored, faults_of(stored)


def told(stored: Stored) -> dict[str, int]:
    found: dict[str, int] = {}
    for fact in stored.facts:
        if fact.fact in CHECKED and fact.fact not in BY_CODE:
            found[fact.fact] = found.get(fact.fact, 0) + 1
    return found


@pytest.mark.parametrize("kind", STORY_ADVERSARIES)
def test_no_adversary_gets_past_what_code_can_know(kind: StoryAdversary, tmp_path: Path) -> None:
    """Three chapters, so that there are open threads, secrets and relations to lie about."""
    stored, faults = run(tiny_case(tmp_path), kind, tmp_path / "books")
    assert faults == ()
    if kind == "none":
        assert told(stored) == {}


@pytest.mark.parametrize("seed", range(3))
def test_who_answers_at_random_stores_much_of_every_sort_and_nothing_that_cannot_be(seed: int, tmp_path: Path) -> None:
    stored, faults = run(tiny_case(tmp_path), f"random:{seed}", tmp_path / "books")
    assert faults == ()
    assert told(stored).keys() >= {"change", "secret", "knowledge", "thread", "thread_event"}, told(stored)


@pytest.mark.parametrize("tale", (*TALES, LAMP_HOUSE), ids=lambda tale: tale.text[:8])
def test_nothing_false_by_rule_is_stored_in_any_language(tale: Tale, tmp_path: Path) -> None:
    case = tale_case(tmp_path, tale)
    for name in ("random:7", "last", "all"):
        _, faults = run(case, name, tmp_path / name)
        assert faults == (), name


def test_equal_seeds_answer_alike_in_any_pack_and_others_otherwise(tmp_path: Path) -> None:
    case = tale_case(tmp_path, LAMP_HOUSE)
    packs = kept_run(case, tmp_path / "books", Rates()).packs
    parts = {step.name: step.part for step in load_steps()}
    story: list[Pack] = [p for p in packs if parts[p.step] not in ("cast", "relations") and len(p.questions) > 1]

    def lines(pack: Pack, seed: int) -> list[str]:
        asker = HostileAboutStory.of("random", case, seed)
        text = asyncio.run(asker.ask(pack, max_output_tokens=9999)).text
        return [line.partition(" ")[2] for line in text.splitlines()]

    turned = [p.model_copy(update={"questions": p.questions[::-1]}) for p in story]
    assert [lines(p, 1) for p in story] == [lines(p, 1)[::-1] for p in turned]
    assert [lines(p, 1) for p in story] != [lines(p, 2) for p in story]


@pytest.mark.parametrize(
    "name", ("story", "story-", "story-first:2", "story-random:x", "story-random:-1", "story-randomly")
)
def test_a_name_that_is_none_is_told_what_is_allowed(name: str) -> None:
    with pytest.raises(ConfigError, match="story-random:SEED"):
        answerer_named(f"adversary:{name}")
