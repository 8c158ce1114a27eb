"""The report of an evaluation with a local model, as Markdown: cast and relations by the figures of every run, and the steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.llm.entrance import NEEDED
from evals.baselines import place_of
from evals.docs import table_of
from evals.local_run import LocalText, step_figures
from evals.records import ChapterResult, Figure
from evals.report.tables import INTERVAL_NOTE
from evals.report.wording import NOTHING, interval, of_n, percent
from evals.scoring.figures import Pick, figure, precision_of, recall_of, scored

if TYPE_CHECKING:
    from evals.local_model import Made

BEGIN = "<!-- figures: begin -->"
END = "<!-- figures: end -->"
ROWS: dict[str, Pick] = {
    "people, places, things found by name": recall_of("entity"),
    "of those said by name, right": precision_of("entity"),
    "unnamed ones found": recall_of("entity", "described"),
    "of unnamed ones said, right": precision_of("entity", "described"),
    "relations found by pair": recall_of("relation", "pair"),
    "relations found by pair and family": recall_of("relation"),
    "relations found by exact kind": recall_of("relation", "kind"),
    "of relations said, right": precision_of("relation"),
}
"""What is told of each chapter and of all."""
CUT_SHORT = (
    "A chapter whose run was stopped is scored with what was there: what had not been asked counts as missed."
    " One that was not begun is in no figure."
)


def report(made: Made) -> str:
    """Return the figures of an evaluation; nothing of the machine but times."""
    lines = [
        f"Model `{made.file.name}`, SHA-256 `{made.sha256}`, {made.date}. Command: `{made.command}`",
        "",
        f"Entrance test: {made.entrance.n_right} of {made.entrance.n} ({NEEDED} are needed) in {made.entrance_s:.0f} s"
        + ("." if made.entrance.passed else ": refused for real work; run here all the same."),
        "",
        *figure_lines(made.texts),
    ]
    return "\n".join(lines)


def figure_lines(texts: Sequence[LocalText]) -> list[str]:
    """Return the tables of these texts: how the runs went, the score by chapter and in all, the steps."""
    chapters = [chapter for text in texts for chapter in text.run.chapters]
    notes = [INTERVAL_NOTE, *([CUT_SHORT] if any(c.partial or c.unscored for c in chapters) else [])]
    return "\n".join((_runs(texts), "", _scores(chapters), "", _steps(texts), "", *notes)).split("\n")


def _runs(texts: Sequence[LocalText]) -> str:
    rows = []
    for text in texts:
        blocks = ", ".join(f"{n} of {total}" for n, total in text.n_blocks)
        share = NOTHING if text.cached_share is None else f"{text.cached_share:.0%}"
        tokens = f"{text.usage.total_input:,} / {text.usage.output:,}"
        rows.append(
            [text.name, blocks, text.end or "finished", str(text.n_calls), tokens, share, f"{text.seconds:.0f}"]
        )
    head = ["text", "blocks", "end", "calls", "tokens in / out", "of input from cache", "seconds"]
    return table_of(head, rows)


def _scores(chapters: Sequence[ChapterResult]) -> str:
    columns = [place_of(c) + (f" ({c.unscored or c.partial})" if c.unscored or c.partial else "") for c in chapters]
    there = scored(chapters)
    rows = []
    for name, pick in ROWS.items():
        whole = figure(there, pick)
        each = [NOTHING if c.unscored else of_n(figure([c], pick)) for c in chapters]
        rows.append([name, *each, of_n(whole), percent(whole.share), interval(whole)])
    return table_of(["[local model]", *columns, "all", "share", "95 %"], rows)


def _steps(texts: Sequence[LocalText]) -> str:
    rows = [
        [
            f"`{step.step}`",
            _counted(step.right),
            interval(step.right),
            percent(step.none.share),
            _counted(step.picks),
            _counted(step.wanted),
            NOTHING if step.seconds is None else f"{step.seconds:.1f}",
        ]
        for step in step_figures(texts)
    ]
    head = ["step", "answers right", "95 %", "if always none", "picks right", "picks found", "seconds a question"]
    return table_of(head, rows)


def _counted(value: Figure) -> str:
    return f"{of_n(value)} ({percent(value.share)})" if value.n else NOTHING


def write_into(file: Path, text: str) -> None:
    """Replace what stands between the two marks of `file`; raises SystemExit where the marks are missing."""
    before, after = around_figures(file)
    file.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def around_figures(file: Path) -> tuple[str, str]:
    """Return what stands before and after the figures of `file`; raises SystemExit where the marks are missing."""
    try:
        known = file.read_text("utf-8")
    except OSError as error:
        raise SystemExit(f"{file} cannot be read: {error.strerror}") from error
    before, begin, rest = known.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{file} has no place for the figures ({BEGIN} … {END})")
    return before, after
