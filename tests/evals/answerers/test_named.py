from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.errors import ConfigError
from analyzer.llm.transports.scripted import ADVERSARIES
from evals.answerers.named import answerer_named
from evals.runs import RULES, TRUTHFUL, run_cases
from tests.evals.goldset.tales import TALES, Tale
from tests.evals.small import tale_case


def test_truth_and_rules_go_by_their_names() -> None:
    assert answerer_named("gold") is TRUTHFUL and answerer_named(" rules ") is RULES


@pytest.mark.parametrize(
    "text", ("", "gpt", "noisy", "noisy:", "noisy: ", "gold:folder", "adversary", "adversary:kind", "replay:x")
)
def test_an_unknown_name_is_told_what_is_allowed(text: str) -> None:
    with pytest.raises(ConfigError, match="names no answerer; allowed: gold, rules, noisy:RATES, adversary:NAME"):
        answerer_named(text)


@pytest.mark.parametrize("name", ADVERSARIES)
def test_every_adversary_ends_with_a_score(name: str, tmp_path: Path) -> None:
    answerer = answerer_named(f"adversary:{name}")
    [chapter] = run_cases([tale_case(tmp_path)], answerer).chapters
    assert chapter.label == answerer.label == "adversary" and not chapter.unscored


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.language)
def test_invented_handles_and_quoted_examples_leave_no_relation_in_any_language(tale: Tale, tmp_path: Path) -> None:
    case = tale_case(tmp_path, tale)
    for name in ("invent", "examples"):
        [chapter] = run_cases([case], answerer_named(f"adversary:{name}")).chapters
        assert not [o for o in chapter.outcomes if o.side == "said" and o.cls == "relation"], name
