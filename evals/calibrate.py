"""`python -m evals.calibrate [--data FOLDER]`: measure what each step asks, and write analyzer/scheduler/calibration.toml.

Runs the real pipeline with truthful answers on the bundled serial and, where the folder is given, on the public gold
chapters; a real model proposes somewhat more, which the estimate's upper bound allows for.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from analyzer import pipeline
from analyzer.models.run import Usage
from analyzer.scheduler.plan import chapter_tokens, script_of
from evals.cases import Case, find_cases

TARGET = Path(__file__).parent.parent / "analyzer" / "scheduler" / "calibration.toml"


def measure(case: Case, folder: Path) -> tuple[str, int, dict[str, tuple[int, int, Usage]]]:
    """Return (script, chapter tokens, step -> calls, questions, usage) of one run."""
    book = pipeline.init(case.manuscript, book=folder / case.name, language=case.language)
    outcome = pipeline.run(book, model=f"gold:{case.gold}", chapters=case.chapters)
    if outcome.error is not None:
        raise outcome.error
    read = pipeline.manuscript_of(book)
    numbers = pipeline.parse_chapters(case.chapters, len(read.chapters))
    tokens = sum(chapter_tokens(read.chapters[n - 1]) for n in numbers)
    steps: dict[str, tuple[int, int, Usage]] = {}
    for call in pipeline.bill(book).calls:
        n, questions, usage = steps.get(call.step, (0, 0, Usage()))
        steps[call.step] = (n + 1, questions + call.n_questions, usage + (call.usage or Usage()))
    return script_of(case.language), tokens, steps


def main() -> int:
    """Measure every case and write the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.calibrate")
    parser.add_argument("--data", type=Path, help="the folder of public texts and gold")
    options = parser.parse_args()
    tokens: dict[str, int] = defaultdict(int)
    steps: dict[str, dict[str, tuple[int, int, Usage]]] = defaultdict(dict)
    names: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for case in find_cases(options.data):
            script, n, found = measure(case, Path(folder))
            tokens[script] += n
            names[script].append(case.name)
            for step, (calls, questions, usage) in found.items():
                old = steps[script].get(step, (0, 0, Usage()))
                steps[script][step] = (old[0] + calls, old[1] + questions, old[2] + usage)
    lines = [
        "# What each step asks per 1,000 chapter tokens: questions; and per question: tokens in (without the prefix) and out.",
        "# Measured with truthful answers by `python -m evals.calibrate --data FOLDER`; the cases are named above each script.",
    ]
    for script, rows in sorted(steps.items()):
        lines += ["", f"# {', '.join(names[script])}: {tokens[script]} chapter tokens"]
        for step, (_, questions, usage) in rows.items():
            rate = questions / tokens[script] * 1000
            line = (
                f"questions = {rate:.2f}, tail = {usage.input / questions:.1f}, output = {usage.output / questions:.1f}"
            )
            lines.append(f"{script}.{step} = {{ {line} }}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(TARGET.read_text("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
