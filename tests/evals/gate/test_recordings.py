"""Recorded answers: given again by question, never invented, and nothing of a text kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzer import pipeline
from analyzer.errors import InputError
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.steps import cast_presence, relation_select
from evals import __main__ as command
from evals import gate, recordings, runs
from evals.answering import run_named
from evals.gate import Sources
from evals.goldset.cases import Case
from evals.recordings import (
    ANSWERS,
    Kept,
    Recorded,
    Recording,
    check_printed,
    load_recording,
    options_hash,
    record,
    steady_key,
    steady_options,
    write_recording,
)


@pytest.fixture(scope="module")
def case(accepted: Sources) -> Case:
    return accepted.cases(None)[0]


@pytest.fixture(scope="module")
def book(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The mill after a run in which every question was answered."""
    made = pipeline.init(case.text(), book=tmp_path_factory.mktemp("book") / "mill", language="en")
    assert pipeline.run(made, model=f"gold:{case.gold}").exit_code == 0
    return made


@pytest.fixture(scope="module")
def kept(case: Case, book: Path) -> Recording:
    return record(book, case, name="mill-once", label="by hand", who="a reader", date="2031-05-07")


def test_a_recording_read_back_is_the_one_written(kept: Recording, tmp_path: Path) -> None:
    write_recording(kept, tmp_path)
    assert load_recording("mill-once", tmp_path) == kept
    with pytest.raises(InputError, match="there already"):
        write_recording(kept, tmp_path)


def test_a_recording_holds_no_sentence_of_the_text(case: Case, kept: Recording, tmp_path: Path) -> None:
    written = (write_recording(kept, tmp_path) / ANSWERS).read_text("utf-8")
    text = case.text().read_text("utf-8")
    assert not [w for line in text.splitlines() for w in line.split(". ") if len(w) > 30 and w in written]
    check_printed(kept.answers, text)
    long = Kept(key=f"cast.kind [{text[80:160]}] ch1", wording="w", options="o", status="none")
    with pytest.raises(InputError, match="characters of the text"):
        check_printed([long], text.replace("\n", " ") + text)


def test_a_replay_is_the_run_it_was_recorded_from(case: Case, kept: Recording, tmp_path: Path) -> None:
    write_recording(kept, tmp_path)
    truth, again = run_named([case], "gold"), run_named([case], "replay:mill-once", recordings=tmp_path)
    assert again.label == "by hand"
    assert [c.outcomes for c in again.chapters] == [c.outcomes for c in truth.chapters]
    assert [(c.trouble, c.n_calls, c.usd) for c in again.chapters] == [
        (c.trouble, c.n_calls, c.usd) for c in truth.chapters
    ]


def _question(*options: Option, type: Any = "choice", handle: str = "@3", text: str = "who?") -> Question:
    key = QuestionKey(step="cast_same", ask="cast.same", chapter=1, about=(Ref(handle=handle, names=("Oda",)),))
    return Question(key=key, type=type, text=text, options=options, max_picks=3)


def _person(handle: str, name: str, mark: str = "") -> Option:
    return Option(mark=mark or handle, key=handle, ref=Ref(handle=handle, names=(name,)))


def _kept(question: Question, *picked: str) -> Kept:
    steady = steady_options(question)
    return Kept(
        key=steady_key(question),
        wording=recordings._short(runs.wording_of(question)),
        options=options_hash(question),
        status="answered",
        picked=tuple(steady[key] for key in picked),
        sentences=(Place(1, 2),),
    )


def _replay(*answers: Kept, strict: bool = False) -> Recorded:
    about = recordings.About(label="by hand", who="a", case="c", chapters=(1,), date="2031-05-07", model="inbox")
    return Recorded(Recording("r", about, answers), strict_wording=strict)


def test_a_cast_that_is_numbered_anew_keeps_its_answers() -> None:
    old = _question(_person("@1", "Ludo"), _person("@2", "Pia"))
    new = _question(_person("@8", "Pia"), _person("@9", "Ludo"), handle="@11")
    state, answer = _replay(_kept(old, "@1"))._answer(new, again=False)
    assert state == "stale" and answer is not None
    assert (answer.picked, answer.sentences) == (("@9",), (Place(1, 2),))


def test_two_of_one_name_are_told_apart_by_their_handles() -> None:
    twins = _question(_person("@1", "Ludo"), _person("@2", "Ludo"))
    assert steady_options(twins) == {"@1": "@1", "@2": "@2"}
    state, answer = _replay(_kept(twins, "@2"))._answer(twins, again=False)
    assert state == "answered" and answer is not None and answer.picked == ("@2",)


def test_other_words_are_stale_and_strictly_none() -> None:
    old = _question(_person("@1", "Ludo"))
    new = _question(_person("@1", "Ludo"), text="whom?")
    assert _replay(_kept(old, "@1"))._answer(new, again=False)[0] == "stale"
    assert _replay(_kept(old, "@1"), strict=True)._answer(new, again=False) == ("unrecorded", None)


def test_other_options_have_no_answer_but_of_the_cast_more_may_be_offered() -> None:
    old, more = (_person("@1", "Ludo"),), (_person("@1", "Ludo"), _person("@2", "Pia"))
    for kind in ("choice", "select"):
        wide = _replay(_kept(_question(*old, type=kind), "@1"))._answer(_question(*more, type=kind), again=False)
        assert wide[0] == "answered" and wide[1] is not None and wide[1].picked == ("@1",)
        gone = _replay(_kept(_question(*more, type=kind), "@2"))._answer(_question(*old, type=kind), again=False)
        assert gone == ("unrecorded", None)
    shown = Option(mark="a", key="own", text="a person not listed")
    assert _replay(_kept(_question(*old), "@1"))._answer(_question(*old, shown), again=False) == ("unrecorded", None)


def test_an_answer_to_the_first_wording_is_none_to_the_other() -> None:
    asked = _question(_person("@1", "Ludo"))
    assert _replay(_kept(asked, "@1"))._answer(asked, again=True) == ("unrecorded", None)


def test_what_was_not_recorded_is_counted_and_missing_never_made_up(
    case: Case, kept: Recording, tmp_path: Path
) -> None:
    less = tuple(a for a in kept.answers if not a.key.startswith("cast.presence"))
    write_recording(Recording("less", kept.about, less), tmp_path)
    found = run_named([case], "replay:less", recordings=tmp_path)
    n = len(kept.answers) - len(less)
    assert found.chapters[0].trouble == {"unrecorded": n}
    lacking = [one for one in found.asked if one.status == "unrecorded"]
    assert {one.step for one in lacking} == {"cast_presence"} and len(lacking) == n
    assert all(one.picked == () and one.tokens[0] > 0 for one in lacking)


def test_a_changed_prompt_fails_the_gate_and_names_the_price(
    mine: Sources, kept: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_recording(kept, mine.recordings)
    gate.accept(gate.go(mine, only="replay"), reason="", root=mine.baselines)
    assert not gate.go(mine, only="replay").failed
    whole = cast_presence.question

    def otherwise(*given: Any) -> Question:
        return whole(*given).model_copy(update={"text": "Is this one there?"})

    monkeypatch.setattr(cast_presence, "STEP", replace(cast_presence.STEP, question=otherwise))
    report = gate.go(mine, only="replay")
    [fell] = report.held[0].verdict.fell
    assert fell.startswith("prompts changed since recorded: 8 questions without a recorded answer in these words")
    assert "1 call," in fell and "at gpt-6-luna" in fell
    gate.accept(report, reason="the wording is better", root=mine.baselines)
    assert not gate.go(mine, only="replay").failed


def test_a_step_that_asks_anew_has_no_answers_and_loses_facts(
    mine: Sources, kept: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_recording(kept, mine.recordings)
    gate.accept(gate.go(mine, only="replay"), reason="", root=mine.baselines)
    whole = relation_select.question

    def renamed(*given: Any) -> Question:
        found = whole(*given)
        return found.model_copy(update={"key": found.key.model_copy(update={"ask": "relation.pick"})})

    monkeypatch.setattr(relation_select, "STEP", replace(relation_select.STEP, question=renamed))
    fell = gate.go(mine, only="replay").held[0].verdict.fell
    assert any("lost (relations of kind): mill 1: Emil Brandt loves Agnes Tully" in line for line in fell)
    assert any("prompts changed since recorded" in line for line in fell)


ONE = {"key": "cast.kind [Agnes at 1.1] ch1", "wording": "w", "options": "o", "status": "none"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "no whole JSON"),
        ('{"key": "cast.kind [Agn', "no whole JSON"),
        ("[" * 50_000, "no whole JSON"),
        ('{"key": 1}', "key: input should be a valid string"),
        ("[]", "no attribute"),
        (json.dumps(ONE | {"mood": "good"}), "mood: extra inputs"),
        (json.dumps(ONE | {"sentences": ["1"]}), "'1' names no sentence"),
        (json.dumps(ONE | {"sentences": ["1." + "9" * 5000]}), "names no sentence"),
        (json.dumps(ONE | {"sentences": [None]}), "'None' names no sentence"),
        (json.dumps(ONE | {"key": "whatever"}), "no step asks 'whatever'"),
        (json.dumps(ONE | {"key": "other.thing [Agnes] ch1"}), "no step asks"),
        (json.dumps(ONE | {"key": "cast.kind [Agnes at 1.1] ch7"}), "is of chapter 7, the recording is of 1"),
        (json.dumps(ONE), "answered above already"),
        (json.dumps(ONE | {"status": "answered", "picked": ["place"]}), "answered above already"),
    ],
)
def test_a_faulty_foreign_or_doubled_line_is_named_with_its_file(
    kept: Recording, tmp_path: Path, line: str, words: str
) -> None:
    folder = write_recording(kept, tmp_path)
    (folder / ANSWERS).write_text(f"{json.dumps(ONE)}\n{line}\n", "utf-8")
    with pytest.raises(InputError) as caught:
        load_recording("mill-once", tmp_path)
    assert f"mill-once/{ANSWERS}, line 2" in str(caught.value) and words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\0", "no whole TOML"),
        ("x = " + "[" * 20_000, "no whole TOML"),
        ("label = 3", "label: "),
        ("mood = 1", "label: "),
    ],
)
def test_a_faulty_head_is_named_with_its_field(kept: Recording, tmp_path: Path, text: str, words: str) -> None:
    folder = write_recording(kept, tmp_path)
    (folder / recordings.ABOUT).write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        load_recording("mill-once", tmp_path)
    assert f"mill-once/{recordings.ABOUT} is no recording" in str(caught.value) and words in str(caught.value)


def test_a_name_from_outside_tells_nothing_of_what_lies_there(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "root" / "mine").mkdir(parents=True)
    for name in ("../private", "..", "/etc", "../x"):
        with pytest.raises(InputError, match="no recording") as caught:
            load_recording(name, tmp_path / "root")
        assert caught.value.hint == "recordings: none yet"


@pytest.mark.parametrize("wrong", [{"date": "2031-13-41"}, {"date": "today"}, {"who": ""}, {"who": "x" * 401}])
def test_a_wrong_date_or_reader_is_said_before_anything_is_written(
    case: Case, book: Path, wrong: dict[str, str]
) -> None:
    given = {"name": "mill-once", "who": "a reader", "date": "2031-05-07"} | wrong
    with pytest.raises(InputError, match=rf"is no recording: {next(iter(wrong))}: "):
        record(book, case, label="by hand", **given)


@pytest.mark.parametrize("name", ["../mill", "Mill", "", "a/b", "unheard-of"])
def test_a_name_that_is_no_recording_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no recording"):
        load_recording(name, tmp_path)


def test_the_book_of_another_text_and_an_unfinished_one_are_refused(case: Case, book: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text(case.text().read_text("utf-8") + "\nMore.\n", "utf-8")
    with pytest.raises(InputError, match="another text"):
        record(book, replace(case, manuscript=other), name="x", label="by hand", who="a", date="2031-05-07")
    empty = pipeline.init(case.text(), book=tmp_path / "empty", language="en")
    with pytest.raises(InputError, match="no finished chapter"):
        record(empty, case, name="x", label="by hand", who="a", date="2031-05-07")


def test_the_command_records_a_finished_book(
    case: Case, book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_cases", lambda _texts=None: [case])
    words = ["record", str(book), "--case", "mill", "--name", "mine", "--recordings", str(tmp_path)]
    assert command.main(words) == 0
    assert "of chapter 1 recorded" in capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "mine" / ANSWERS).read_text("utf-8").splitlines()]
    assert all(row["status"] in ("answered", "none") for row in rows)
    assert command.main([*words[:3], "moll", *words[4:]]) == 2
