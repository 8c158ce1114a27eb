"""The report of an evaluation with a local model, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.llm.entrance import NEEDED
from evals.local_run import LocalResult, StepScore, pooled
from evals.score import ChapterScore, Count

if TYPE_CHECKING:
    from evals.local_model import Made

BEGIN = "<!-- figures: begin -->"
END = "<!-- figures: end -->"


def report(made: Made) -> str:
    """Return the figures of an evaluation; nothing of the machine but times."""
    lines = [
        f"Model `{made.file.name}`, SHA-256 `{made.sha256}`, {made.date}. Command: `{made.command}`",
        "",
        f"Entrance test: {made.entrance.n_right} of {made.entrance.n} ({NEEDED} are needed) in {made.entrance_s:.0f} s"
        + ("." if made.entrance.passed else ": refused for real work; run here all the same."),
        "",
        *_runs(made.results),
        "",
        *_scores([score for result in made.results for score in result.scores]),
        "",
        *_steps(pooled(made.results)),
    ]
    return "\n".join(lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def _runs(results: Sequence[LocalResult]) -> list[str]:
    rows = []
    for result in results:
        blocks = ", ".join(f"{n} of {total}" for n, total in result.n_blocks)
        share = "-" if result.cached_share is None else f"{result.cached_share:.0%}"
        end = result.problem or ("stopped by its time limit" if result.stopped else "finished")
        tokens = f"{result.usage.total_input:,} / {result.usage.output:,}"
        rows.append([result.name, blocks, end, str(result.n_calls), tokens, share, f"{result.seconds:.0f}"])
    head = ["text", "blocks", "end", "questions asked", "tokens in / out", "of input from cache", "seconds"]
    return _table(head, rows)


def _percent(count: Count) -> str:
    return f"{count.hit}/{count.n}" + (f" ({count.share:.0%})" if count.share is not None else "")


def _scores(scores: Sequence[ChapterScore]) -> list[str]:
    rows = [_score_row(s.chapter, [s]) for s in scores]
    rows.append(_score_row("all", scores))
    head = ["chapter", "cast recall", "cast precision", "relation recall (pair and family)", "relation recall (kind)"]
    return _table([*head, "relation precision"], rows)


def _score_row(name: str, scores: Sequence[ChapterScore]) -> list[str]:
    columns = ("entities", "entity_precision", "families", "kinds", "precision")
    return [name, *(_percent(reduce(add, (getattr(s, c) for s in scores), Count(0, 0))) for c in columns)]


def _steps(steps: dict[str, StepScore]) -> list[str]:
    rows = [
        [
            f"`{name}`",
            _percent(s.right),
            "-" if s.none.share is None else f"{s.none.share:.0%}",
            _percent(s.picks),
            _percent(s.wanted),
            f"{s.seconds / s.n_calls:.1f}" if s.n_calls else "-",
        ]
        for name, s in steps.items()
    ]
    head = ["step", "answers right", "if always none", "picks right", "picks found", "seconds a question"]
    return _table(head, rows)


def write_into(file: Path, text: str) -> None:
    """Replace what stands between the two marks of `file`; raises SystemExit where the marks are missing."""
    known = file.read_text("utf-8")
    before, begin, rest = known.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{file} has no place for the figures ({BEGIN} … {END})")
    file.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
