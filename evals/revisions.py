"""A git revision of this project run in a worktree of its own: that tree's code, these recordings and goldsets of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from analyzer.errors import InputError
from analyzer.wording import counted
from evals.recordings import RECORDINGS
from evals.records import RunResult
from evals.results import read_result

ROOT = Path(__file__).parent.parent
CODE = ("analyzer", "evals", "goldsets")
"""What decides a result."""


def _git(*words: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise InputError(
            "git is not on this machine, so revisions cannot be compared", hint="give result files"
        ) from error


def commit_of(revision: str, *, root: Path = ROOT) -> str:
    """Return the commit a revision names; raises InputError where there is none, or where it is the one checked out and was edited."""
    if revision.startswith("-"):
        raise InputError(f"{revision!r} is no revision")
    found = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", root=root)
    if found.returncode:
        raise InputError(
            f"{revision!r} is neither a result file nor a revision of this project",
            hint="make a result: python -m evals run --answers gold --out FILE",
        )
    commit = found.stdout.strip()
    if commit == _git("rev-parse", "HEAD", root=root).stdout.strip():
        dirty = _git("status", "--porcelain", "--", *CODE, root=root).stdout.splitlines()
        if dirty:
            raise InputError(
                f"{revision} is the commit checked out, but not as it stands in {counted(len(dirty), 'file')} ({dirty[0][3:]})",
                hint="commit or stash them, or write a result of the tree as it is: python -m evals run --out FILE",
            )
    return commit


def run_revision(
    revision: str,
    answers: str,
    *,
    cases: str | None = None,
    texts: Path | None = None,
    recordings: Path = RECORDINGS,
    root: Path = ROOT,
) -> RunResult:
    """Return the result of a revision's own code with these answers; the worktree is removed again.

    Raises InputError: no such revision, one from before results could be written, or its run failed.
    """
    commit = commit_of(revision, root=root)
    with tempfile.TemporaryDirectory() as folder:
        tree, out = Path(folder) / "tree", Path(folder) / "result.json"
        made = _git("worktree", "add", "--detach", "--quiet", str(tree), commit, root=root)
        if made.returncode:
            raise InputError(f"no worktree for {revision}: {made.stderr.strip()[-300:]}")
        try:
            _run(revision, tree, out, _words(answers, out, cases, texts, recordings))
            found = read_result(out)
        finally:
            _git("worktree", "remove", "--force", str(tree), root=root)
    return found.model_copy(update={"name": f"{revision} ({commit[:8]})"})


def _words(answers: str, out: Path, cases: str | None, texts: Path | None, recordings: Path) -> list[str]:
    words = ["run", "--answers", answers, "--out", str(out), "--recordings", str(recordings.resolve())]
    words += ["--cases", cases] if cases is not None else []
    return words + (["--texts", str(texts.resolve())] if texts else [])


def _run(revision: str, tree: Path, out: Path, words: list[str]) -> None:
    if not (tree / "evals" / "results.py").is_file():
        raise InputError(f"{revision} is from before results could be written", hint="compare with a later revision")
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "evals", *words], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode or not out.is_file():
        said = done.stderr.strip().splitlines()[-3:]
        raise InputError(f"the run of {revision} ended with {done.returncode}: {' / '.join(said)}")
