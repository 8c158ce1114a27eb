"""Two results, or two revisions, side by side."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.models.run import Usage
from evals import __main__ as command
from evals import revisions
from evals.answering import run_named
from evals.compare import compare, shown, standing
from evals.gate import Sources
from evals.needs import needs
from evals.records import Asked, ChapterResult, Outcome, RunResult
from evals.results import read_result, write_result
from evals.revisions import commit_of, run_revision

MODEL = "gpt-6-luna"


def outcome(key: str, *, hit: bool, side: str = "gold") -> Outcome:
    hits = dict.fromkeys(("pair", "family", "kind"), hit)
    return Outcome(
        cls="relation", side="gold" if side == "gold" else "said", chapter=1, key=key, text=key[11:], hits=hits
    )


def asked(key: str, wording: str, *picked: str, step: str = "relation_kind", status: str = "answered") -> Asked:
    return Asked(case="c", chapter=1, step=step, key=key, wording=wording, picked=picked, status=status, tokens=(30, 5))


def result(name: str, *outcomes: Outcome, questions: tuple[Asked, ...] = (), calls: int = 10) -> RunResult:
    chapter = ChapterResult(
        case="c",
        chapter=1,
        language="en",
        label="truthful",
        outcomes=outcomes,
        n_calls=calls,
        n_questions=len(questions),
        usd=0.002,
        usage=Usage(input=500, cache_read=9000, cache_write=1000, output=60),
    )
    return RunResult(name=name, label="truthful", answers="gold", chapters=(chapter,), asked=questions)


LOVES, SERVES = "relation | Emil | loves | Agnes", "relation | Sabra | serves | Hugo"
A = result(
    "a",
    outcome(LOVES, hit=True),
    outcome(SERVES, hit=False),
    questions=(
        asked("relation.kind:romance [@1=Emil + @2=Agnes] ch1", "w1", "loves:ab"),
        asked("relation.kind:work [@3=Sabra + @4=Hugo] ch1", "w2"),
        asked("cast.kind [Emil] ch1", "w3", "character", step="cast_forms"),
        asked("cast.kind [Old] ch1", "w4", step="cast_forms"),
    ),
)
B = result(
    "b",
    outcome(LOVES, hit=False),
    outcome(SERVES, hit=True),
    questions=(
        asked("relation.kind:romance [@1=Emil + @2=Agnes] ch1", "w9", "friend_of:ab"),
        asked("relation.kind:work [@3=Sabra + @4=Hugo] ch1", "w2", "serves:ab"),
        asked("cast.kind [Emil] ch1", "w3", "character", step="cast_forms"),
        asked("cast.kind [Weir] ch1", "w5", "place", step="cast_forms"),
    ),
    calls=12,
)


def test_facts_gained_and_lost_come_with_what_was_answered_otherwise() -> None:
    found = compare(A, B, price_model=MODEL)
    moved = {(m.figure, m.gained): m for m in found.moved}
    lost, gained = moved["relations of kind", False], moved["relations of kind", True]
    assert (lost.text, gained.text) == ("Emil | loves | Agnes", "Sabra | serves | Hugo")
    assert lost.reasons == (
        "relation_kind: relation.kind:romance [@1=Emil + @2=Agnes] ch1: loves:ab, then friend_of:ab, and it is put otherwise",
    )
    assert gained.reasons == ("relation_kind: relation.kind:work [@3=Sabra + @4=Hugo] ch1: answered, then serves:ab",)
    difference = found.figures["relations of kind"]
    assert (difference.before, difference.after, difference.p_items) == (0.5, 0.5, 1.0)


def test_whose_answers_stand_and_what_the_rest_would_cost() -> None:
    row = standing(A, B, price_model=MODEL)
    assert (row.same, row.changed, row.new, row.gone) == (2, 1, 1, 1)
    assert row.by_step == {"cast_forms": (1, 0, 1, 1), "relation_kind": (1, 1, 0, 0)}
    assert (row.to_ask.n_questions, row.to_ask.n_calls) == (2, 2)
    assert (row.to_ask.usage.cache_write, row.to_ask.usage.cache_read) == (833, 833)
    assert row.to_ask.usd is not None and row.to_ask.usd > 0
    assert needs(B, B.asked, "gpt-0-unheard-of").usd is None
    lines = list(shown(compare(A, B, price_model=MODEL)))
    assert any("to ask the changed and new ones for real (2 questions): 2 calls" in line for line in lines)
    assert any(line.startswith("  calls") and "+20.0%" in line for line in lines)


def test_what_a_replay_could_not_answer_is_to_be_asked_even_if_its_words_stand() -> None:
    open_ = asked("cast.kind [Emil] ch1", "w3", step="cast_forms", status="unrecorded")
    replay = B.model_copy(update={"asked": (*B.asked[:2], open_)})
    row = standing(A, replay, price_model=MODEL)
    assert (row.same, row.unanswered, row.to_ask.n_questions) == (2, 1, 2)
    assert any("none was made up" in line for line in shown(compare(A, replay, price_model=MODEL)))


def test_a_run_against_itself_has_no_difference(accepted: Sources) -> None:
    run = run_named(accepted.cases(None), "gold")
    found = compare(run, run, price_model=MODEL)
    assert found.moved == () and found.trouble == {} and found.cost_a == found.cost_b
    assert (found.standing.changed, found.standing.new, found.standing.gone) == (0, 0, 0)
    assert all(row.p_draws == 1.0 for row in found.figures.values())


def test_only_chapters_that_both_scored_are_compared() -> None:
    [chapter] = B.chapters
    unscored = B.model_copy(update={"chapters": (chapter.model_copy(update={"unscored": "text not here"}),)})
    found = compare(A, unscored, price_model=MODEL)
    assert (found.n_chapters, found.moved) == (0, ())
    assert any("no share" in line for line in shown(found))


def test_result_files_are_compared_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(write_result(run, tmp_path / f"{run.name}.json")) for run in (A, B)]
    assert read_result(Path(paths[0])) == A
    assert command.main(["compare", *paths, "--price-model", MODEL]) == 0
    assert "lost (relations of kind): 1" in capsys.readouterr().out
    assert command.main(["compare", *paths, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_chapters"] == 1
    (tmp_path / "a.json").write_text("[]", "utf-8")
    assert command.main(["compare", *paths]) == 2
    assert "no result of" in capsys.readouterr().err


def test_the_command_runs_a_case_into_a_file(
    accepted: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "find_cases", accepted.cases)
    assert command.main(["run", "--answers", "rules", "--out", str(tmp_path / "r.json"), "--cases", "mill"]) == 0
    made = read_result(tmp_path / "r.json")
    assert (made.name, made.answers, len(made.chapters)) == ("r", "rules", 1)
    assert command.main(["run", "--out", str(tmp_path / "r.json"), "--cases", "moll"]) == 2


def _git(root: Path, *words: str) -> None:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


MAIN = """
import pathlib, sys
words = sys.argv[1:]
answers, out = words[words.index("--answers") + 1], words[words.index("--out") + 1]
if answers == "fails":
    sys.exit("it fell over")
name = pathlib.Path("marker.txt").read_text().strip()
pathlib.Path(out).write_text('{"name": "%s", "label": "truthful", "answers": "%s"}' % (name, answers))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with two revisions that write results of their own."""
    root = tmp_path / "project"
    (root / "evals").mkdir(parents=True)
    _git(root.parent, "init", "-q", "-b", "main", str(root))
    (root / "evals" / "__init__.py").touch()
    (root / "marker.txt").write_text("too early", "utf-8")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "Begin")
    for name in ("old", "new"):
        (root / "evals" / "__main__.py").write_text(MAIN, "utf-8")
        (root / "evals" / "results.py").touch()
        (root / "marker.txt").write_text(name, "utf-8")
        _git(root, "add", "-A")
        _git(root, "commit", "-qm", name)
    return root


def test_a_revision_is_run_with_its_own_code_and_leaves_no_worktree(project: Path) -> None:
    found = run_revision("HEAD~1", "gold", root=project)
    assert found.name.startswith("HEAD~1 (") and found.answers == "gold"
    told = subprocess.run(
        ["git", "-C", str(project), "worktree", "list"], capture_output=True, text=True, check=True
    ).stdout
    assert len(told.splitlines()) == 1
    assert (project / "marker.txt").read_text("utf-8") == "new"


def test_unknown_dirty_old_and_failing_revisions_are_refused_in_words(project: Path) -> None:
    with pytest.raises(InputError, match="neither a result file nor a revision"):
        commit_of("nowhere", root=project)
    with pytest.raises(InputError, match="no revision"):
        commit_of("--output=x", root=project)
    with pytest.raises(InputError, match="before results could be written"):
        run_revision("HEAD~2", "gold", root=project)
    with pytest.raises(InputError, match="ended with 1: it fell over"):
        run_revision("HEAD", "fails", root=project)
    (project / "evals" / "results.py").write_text("# edited\n", "utf-8")
    with pytest.raises(InputError, match="not as it stands in 1 file "):
        commit_of("main", root=project)
    assert commit_of("HEAD~1", root=project)


def test_a_machine_without_git_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="git is not on this machine"):
        revisions.commit_of("HEAD")
