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
from statistics import geometric_mean

from analyzer import pipeline
from analyzer.models.run import Usage
from analyzer.scheduler.plan import NEW_ONLY, Names, Rate, names_by_chapter, script_of
from evals.goldset.cases import Case, by_chapter, find_cases

SPLIT_SHARE = 3 / 37
"""Claims whose two votes split. Source: Monte Cristo 3 answered by hand, 3 of 37."""
TARGET = Path(__file__).parent.parent / "analyzer" / "scheduler" / "calibration.toml"


def measure(case: Case, folder: Path) -> tuple[str, Names, dict[str, tuple[int, int, Usage]]]:
    """Return (script, names found, step -> calls, questions, usage) of one run."""
    book = pipeline.init(case.text(), book=folder / case.name, language=case.language)
    outcome = pipeline.run(book, model=f"gold:{case.gold}", chapters=case.chapters)
    if outcome.error is not None:
        raise outcome.error
    read = pipeline.manuscript_of(book)
    numbers = pipeline.parse_chapters(case.chapters, len(read.chapters))
    found = names_by_chapter(read, numbers).values()
    names = Names(sum(n.n for n in found), sum(n.n_new for n in found))
    steps: dict[str, tuple[int, int, Usage]] = {}
    for call in pipeline.bill(book).calls:
        n, questions, usage = steps.get(call.step, (0, 0, Usage()))
        steps[call.step] = (n + 1, questions + call.n_questions, usage + (call.usage or Usage()))
    return script_of(case.language), names, steps


def rates_of(names: Names, steps: dict[str, tuple[int, int, Usage]]) -> dict[str, Rate]:
    """Return a case's rates; truthful answers never split the votes, so the third look is set from answers given by hand."""
    found = {
        step: Rate(
            questions / (names.n_new if step in NEW_ONLY else names.n),
            usage.input / questions,
            usage.output / questions,
        )
        for step, (_, questions, usage) in steps.items()
    }
    if "relation_confirm" in found and "relation_third" not in found:
        confirm = found["relation_confirm"]
        found["relation_third"] = confirm._replace(questions=confirm.questions * SPLIT_SHARE)
    return found


def main() -> int:
    """Measure every case and write the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.calibrate")
    parser.add_argument("--data", type=Path, help="a folder with the texts of public editions")
    options = parser.parse_args()
    cases: dict[str, list[tuple[str, dict[str, Rate]]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        here = [one for one in find_cases(options.data) if one.manuscript is not None]
        for case in [part for one in here for part in (by_chapter(one) if one.public else (one,))]:
            script, names, steps = measure(case, Path(folder))
            cases[script].append((case.name, rates_of(names, steps)))
    lines = [
        "# What each step asks: questions per name that code finds in the chapter (per new name for cast_forms, cast_same);",
        "# and per question: tokens in (without the prefix) and out. Measured with truthful answers by",
        "# `python -m evals.calibrate --data FOLDER`; geometric means over the cases named above each script.",
    ]
    for script, found in sorted(cases.items()):
        lines += ["", f"# {', '.join(name for name, _ in found)}"]
        for step in dict.fromkeys(step for _, rates in found for step in rates):
            rows = [rates[step] for _, rates in found if step in rates]
            questions, tail, output = (geometric_mean(column) for column in zip(*rows, strict=True))
            line = f"questions = {questions:.3f}, tail = {tail:.1f}, output = {output:.1f}"
            lines.append(f"{script}.{step} = {{ {line} }}")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(TARGET.read_text("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
