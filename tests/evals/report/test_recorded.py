"""What a run records for its report: who is meant by a handle, what was shown, and no words of a public edition."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import __version__
from evals.goldset.cases import find_cases
from evals.records import RunResult
from evals.report.groups import grouped
from evals.report.page import page
from evals.runs import TRUTHFUL, prompt_hashes, run_cases
from tests.evals.goldset.sets import own, public


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """The same tale as an own serial and as a public edition, answered truthfully."""
    folder = tmp_path_factory.mktemp("sets")
    texts = folder / "texts"
    texts.mkdir()
    own(folder / "sets")
    _, data = public(folder / "sets")
    (texts / "any.txt").write_bytes(data)
    return run_cases(find_cases(texts, root=folder / "sets"), TRUTHFUL, command="python -m evals run")


def test_a_handle_of_a_question_leads_to_the_name_in_the_outcomes(result: RunResult) -> None:
    for chapter in result.chapters:
        keys = {o.key for o in chapter.outcomes if o.side == "said" and o.cls == "entity"}
        handles = {w for a in result.asked if a.case == chapter.case for w in a.about if w.startswith("@")}
        assert handles and handles <= set(chapter.handles)
        assert {f"entity | {name}" for name in chapter.handles.values()} >= keys


def test_what_was_shown_of_an_own_serial_is_kept_and_of_a_public_edition_is_not(result: RunResult) -> None:
    mine = [a for a in result.asked if a.case == "own-tale" and a.chapter == 1]
    theirs = [a for a in result.asked if a.case != "own-tale"]
    assert mine and len(mine) == len(theirs)
    assert all(a.line for a in mine) and any(text for a in mine for text in a.options.values())
    assert not any(a.line for a in theirs) and not any(text for a in theirs for text in a.options.values())
    assert [a.cited for a in mine] == [a.cited for a in theirs] and any(a.cited for a in theirs)


def test_a_result_says_which_program_and_prompts_made_it_and_the_page_shows_them(result: RunResult) -> None:
    assert result.version == __version__ and result.prompts == prompt_hashes()
    assert {"system.md", "relation_select.md"} <= set(result.prompts)
    text = page(grouped([result]))
    assert all(value in text for value in (result.prompts["system.md"], "python -m evals run", result.price_model))


def test_a_result_is_read_back_as_it_was(result: RunResult, tmp_path: Path) -> None:
    assert RunResult.model_validate_json(result.model_dump_json()) == result
