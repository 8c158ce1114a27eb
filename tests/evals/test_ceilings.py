"""What truthful answers lose is listed at its step with its reason; names replaced stand beside names as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import InputError
from analyzer.models.facts import FAMILIES
from analyzer.steps import cast_forms, relation_select, relations
from analyzer.text.candidates import forms
from evals import ceilings
from evals.ceilings import main, measure
from evals.ceilings_page import (
    PAGE,
    PLACES,
    STORY_CLASSES,
    STORY_PLACES,
    Ceilings,
    Pair,
    place_of,
    renamed_part,
    steps_part,
    story_part,
    story_place_of,
    write_page,
)
from evals.gate import Sources
from evals.goldset.cases import Case
from evals.losses import Loss
from evals.tracing import REASONS
from tests.evals.gate.mill import sources
from tests.evals.goldset.tales import TALES, Tale
from tests.evals.small import tale_case
from tests.evals.story_tale import LAMP_HOUSE, STORY

COMMAND = "python -m evals.ceilings --seed 1 --write"


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Case:
    made: Sources = sources(tmp_path_factory.mktemp("mill"))
    [case] = made.cases(None)
    return case


@pytest.fixture(scope="module")
def whole(mill: Case) -> Ceilings:
    return measure([mill], seed=1)


def loss(**more: Any) -> Loss:
    given: dict[str, Any] = {"case": "mill", "chapter": 1, "cls": "relation", "key": "k", "text": "A loves B"} | more
    return Loss.model_validate(given)


def row_of(text: str, *first: str) -> list[str]:
    [line] = [line for line in text.splitlines() if line.startswith(f"| {' | '.join(first)} |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_case_of_which_nothing_is_lost_says_so_and_stands_with_other_names_beside(whole: Ceilings) -> None:
    told = steps_part(whole, COMMAND)
    assert row_of(told, "named entities", "en") == ["named entities", "en", "8", "8, 1.000", *["0"] * 6]
    assert row_of(told, "relations, by kind and direction", "en")[2:4] == ["10", "10, 1.000"]
    assert "*Nothing is missing.*" in told
    rows = {(row.name, row.label): row for row in whole.rows}
    assert rows.keys() == {("mill", "truthful"), ("mill", "rules")}
    assert all(row.n_replaced > 20 for row in whole.rows)
    assert rows["mill", "truthful"].figures["relations"].plain == (10, 10)
    assert rows["mill", "truthful"].figures["relations"].renamed[1] == 10


def test_equal_code_gives_equal_tables(mill: Case, whole: Ceilings) -> None:
    again = measure([mill], seed=1)
    assert renamed_part(again, COMMAND) == renamed_part(whole, COMMAND)
    assert steps_part(again, COMMAND) == steps_part(whole, COMMAND)


def test_a_family_that_is_never_offered_is_lost_at_candidates(mill: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relation_select, "FAMILIES", tuple(f for f in FAMILIES if f != "conflict"))
    told = steps_part(measure([mill], seed=1), COMMAND)
    assert row_of(told, "relations, by kind and direction", "en")[2:5] == ["10", "9, 0.900 (below 0.95)", "1"]
    missing = row_of(told, "en", "mill 1", "Hugo Brandt enemy_of Noah Tully")
    assert missing[3:] == ["candidates", "`relation_select`: the pair was never offered in this family: conflict"]


def test_a_name_that_is_no_candidate_takes_its_relations_along(mill: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    all_forms = forms.new_forms

    def without_places(*given: Any) -> Any:
        return [form for form in all_forms(*given) if form.surface != "Carrow"]

    monkeypatch.setattr(cast_forms, "new_forms", without_places)
    told = steps_part(measure([mill], seed=1), COMMAND)
    assert row_of(told, "named entities", "en")[2:5] == ["8", "7, 0.875 (below 0.98)", "1"]
    why = row_of(told, "en", "mill 1", "Agnes Tully lives_in Carrow")[4]
    assert "one of the two is not in the cast (code never asked about a name or description of it)" in why


def test_what_a_rule_refuses_though_it_is_true_is_lost_at_rules(mill: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "door", lambda *_: ("no_evidence", "no words of the chapter show it"))
    told = steps_part(measure([mill], seed=1), COMMAND)
    assert row_of(told, "relations, by kind and direction", "en")[-1] == "10"


@pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.language)
def test_every_language_has_its_rows_and_no_other_is_spoken_of(tale: Tale, tmp_path: Path) -> None:
    found = measure([tale_case(tmp_path, tale)], seed=2)
    assert {language for language, _ in found.core} == {tale.language}
    assert {row.language for row in found.rows} == {tale.language}
    for (language, cls), n in found.core.items():
        lost = [one for of, one in found.losses if (of, one.cls) == (language, cls)]
        [figure] = [
            row.figures["names" if cls == "entity" else "relations by kind"]
            for row in found.rows
            if row.label == "truthful"
        ]
        assert figure.plain == (n - len(lost), n)


def test_every_reason_has_one_place_and_a_missing_end_is_lost_where_the_end_was() -> None:
    assert {place_of(loss(reason=reason, step="relation_kind")) for reason in REASONS} <= set(PLACES)
    end = {"reason": "end_missing", "step": "cast_same"}
    assert place_of(loss(**end, code="merged")) == "cast"
    assert place_of(loss(**end, code="never_a_candidate")) == "candidates"
    assert place_of(loss(reason="denied", step="confirmation")) == "confirm"
    assert place_of(loss(reason="not_picked", step="relation_select")) == "select"


def test_a_text_that_is_not_here_is_named_and_never_counted(mill: Case) -> None:
    gone = replace(mill, name="gone", manuscript=None, unscored="text not here")
    found = measure([gone], seed=1)
    assert (found.rows, found.core, found.unscored) == ((), {}, ("gone: text not here",))
    assert "Not in the tables: gone: text not here." in renamed_part(found, COMMAND)


def test_a_case_whose_names_cannot_be_replaced_keeps_its_own_figures(
    mill: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise InputError("the names of mill cannot be replaced")

    monkeypatch.setattr(ceilings, "rename_case", refuse)
    found = measure([mill], seed=1)
    assert found.unscored == ("mill, renamed: the names of mill cannot be replaced",)
    assert all(row.n_replaced == 0 for row in found.rows)
    assert "10/10 → –" in renamed_part(found, COMMAND)


def test_the_page_is_written_between_its_markers_alone(whole: Ceilings, tmp_path: Path) -> None:
    page = tmp_path / "ceilings.md"
    page.write_text(PAGE.read_text("utf-8"), "utf-8")
    write_page(whole, COMMAND, page=page)
    assert page.read_text("utf-8") == PAGE.read_text("utf-8")
    write_page(whole, COMMAND, write=True, page=page)
    text = page.read_text("utf-8")
    assert text.startswith("# Ceilings") and "| mill | en | 1 |" in text
    assert text.count(f"`{COMMAND}`") == 3
    assert f"{Pair((1, 2), (1, 3))}" not in text


def test_the_committed_page_says_whose_answers_stand_in_every_table() -> None:
    tables = [part for part in PAGE.read_text("utf-8").split("\n\n") if part.startswith("| ")]
    assert tables and all("truthful" in part.split("\n")[0] or "(rules)" in part.split("\n")[0] for part in tables)


def test_the_command_prints_both_tables_without_the_machines_folders(
    mill: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(ceilings, "find_cases", lambda _texts: [mill])
    assert main(["--texts", str(tmp_path), "--cases", "mill"]) == 0
    told = capsys.readouterr().out
    assert "`python -m evals.ceilings --texts FOLDER --cases mill --seed 1 --write`" in told
    assert str(tmp_path) not in told
    assert main(["--cases", "moll"]) == 2
    assert "'moll' is part of no known name" in capsys.readouterr().err


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Ceilings:
    return measure([tale_case(tmp_path_factory.mktemp("lamp"), LAMP_HOUSE)], seed=1)


def test_every_class_of_the_story_has_its_row_by_language(lamp: Ceilings) -> None:
    told = story_part(lamp, COMMAND)
    assert row_of(told, "changes", "en") == ["changes", "en", "2", "2, 1.000", *["0"] * 6, "2", "2, 1.000"]
    for cls in STORY:
        assert row_of(told, STORY_CLASSES[cls], "en")[3].endswith("1.000"), cls
    assert "*Nothing is missing.*" in told


@pytest.mark.parametrize(
    ("reason", "step", "code", "place"),
    [
        ("never_asked", "state_notice", "", "candidates"),
        ("end_missing", "cast_unnamed", "never_a_candidate", "candidates"),
        ("end_missing", "cast_unnamed", "answered_no", "cast"),
        ("not_noticed", "secret_notice", "", "notice"),
        ("unanswered", "thread_say", "", "say"),
        ("denied", "state_nature", "state_denied", "doubt"),
        ("refused", "states", "no_evidence", "door"),
        ("taken", "knowledges", "", "door"),
        ("unexplained", "threads", "", "unexplained"),
    ],
)
def test_an_item_of_the_story_is_lost_at_one_of_the_places(reason: str, step: str, code: str, place: str) -> None:
    one = loss(cls="change", reason=reason, step=step, code=code)
    assert story_place_of(one) == place in STORY_PLACES
    found = Ceilings(1, (), {}, (("ko", one),), {("ko", "change"): Pair((3, 4), (5, 6))})
    told = story_part(found, COMMAND)
    row = row_of(told, "changes", "ko")
    assert row[2:4] == ["4", "3, 0.750 (below 0.95)"] and row[-2:] == ["6", "5, 0.833"]
    assert row[4 + STORY_PLACES.index(place)] == "1" and f"| {place} |" in told
