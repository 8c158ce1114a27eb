"""`make docs`: refresh the generated parts of the documentation.

These are the demo's output in README.md, the steps in ARCHITECTURE.md, the tables of exports in docs/exports.md, the
rows of pieces in docs/pieces.md.

Generated parts stand between `<!-- NAME: begin -->` and `<!-- NAME: end -->`; everything else is written by hand.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from analyzer.export.site.shape import described
from analyzer.export.tables import dictionary
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from evals.command import command

ROOT = Path(__file__).parent.parent
SHOWN_COLUMNS = 180
N_CAST, N_RELATIONS = 10, 14


def put(text: str, name: str, body: str) -> str:
    """Return `text` with the generated part `name` replaced; raises ValueError where it has no such part."""
    pattern = re.compile(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"no generated part {name!r}")
    return pattern.sub(lambda found: f"{found[1]}{body.rstrip()}\n{found[2]}", text)


def table_of(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; a bar inside a cell becomes a slash."""
    cells = [[str(cell).replace("|", "/") for cell in row] for row in rows]
    lines = [list(columns), ["---"] * len(columns), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def step_table() -> str:
    """Return the steps in order as a Markdown table: what each decides, reads and writes."""
    lines = ["| step | kind | prefix | reads | writes | what it decides |", "|---|---|---|---|---|---|"]
    for step in load_steps():
        module = importlib.import_module(f"analyzer.steps.{step.name}")
        told = (module.__doc__ or "").strip().split("\n")[0]
        kind, stage = ("ask", step.stage) if isinstance(step, AskStep) else ("compute", "–")
        reads, writes = (", ".join(sorted(classes)) or "–" for classes in (step.reads, step.writes))
        reads += f"; before: {', '.join(sorted(step.past))}" if step.past else ""
        lines.append(
            f"| `{step.name}` | {kind}{', carries' if step.carries else ''} | {stage} | {reads} | {writes} | {told} |"
        )
    return "\n".join(lines)


def demo_output() -> str:
    """Run the demo and return its output, tables cut to their first rows."""
    from evals import demo

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = demo.main()
    if code:
        raise RuntimeError(f"the demo ended with {code}")
    return excerpt(out.getvalue())


def excerpt(output: str) -> str:
    """Return the demo's output with long tables cut, and lines cut at a width that reads well.

    Of the relations one row is kept of each kind and status, the first.
    """
    kept: list[str] = []
    seen: set[tuple[str, ...]] = set()
    part, in_rows = "", False
    for line in output.split("\n"):
        if line.startswith("== "):
            seen, part, in_rows = set(), line[3:6], False
        if line.startswith(" @"):
            cells = re.split(r"\s{2,}", line.strip())
            sort = (cells[1], cells[3]) if part == "how" else (line,)
            if sort in seen or len(seen) >= {"who": N_CAST, "how": N_RELATIONS}.get(part, 10_000):
                continue
            seen.add(sort)
        elif part in {"who", "how"} and line.strip() and in_rows:
            continue  # the rest of a row that was folded
        in_rows = in_rows or line.startswith(" ─")
        kept.append(line[:SHOWN_COLUMNS].rstrip())
    text = "\n".join(kept)
    return "```\n" + re.sub(r"\n{3,}", "\n\n", text).strip() + "\n```"


@command
def main() -> int:
    """Rewrite the files."""
    architecture = ROOT / "ARCHITECTURE.md"
    architecture.write_text(put(architecture.read_text("utf-8"), "steps", step_table()), "utf-8")
    exports = ROOT / "docs" / "exports.md"
    exports.write_text(put(exports.read_text("utf-8"), "dictionary", dictionary(level=3)), "utf-8")
    pieces = ROOT / "docs" / "pieces.md"
    pieces.write_text(put(pieces.read_text("utf-8"), "rows", described()), "utf-8")
    readme = ROOT / "README.md"
    readme.write_text(put(readme.read_text("utf-8"), "demo", demo_output()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
