"""`python -m evals.ceilings [--texts FOLDER] [--seed 1] [--write]`: what code loses, and what known names are worth.

Two measurements over every goldset whose text is here. *Ceilings*: with truthful answers, at which step core items are lost, by
class and language. *Renaming*: truthful answers and rules on each case as it is and with every person and place renamed; the
parts beside cast and relations are left out of it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from analyzer.errors import InputError
from evals.ceilings_page import STORY_CLASSES, CaseRow, Ceilings, Pair, write_page
from evals.command import chosen, command, say, show
from evals.goldset.cases import Case, find_cases
from evals.losses import Loss, losses_in
from evals.records import Outcome
from evals.rename import rename_case
from evals.runs import RULES, STORY, TRUTHFUL, alone, run_book
from evals.scoring.figures import Pick, count, precision_of, recall_of
from evals.scoring.outcomes import compare_matched
from evals.trail import Trail, trails

FIGURES: dict[str, Pick] = {
    "names": recall_of("entity"),
    "names right": precision_of("entity"),
    "relations": recall_of("relation"),
    "relations by kind": recall_of("relation", "kind"),
    "relations right": precision_of("relation"),
}
ANSWERERS = (TRUTHFUL, RULES)
Say = Callable[[str], None]


@dataclass
class _Pooled:
    """Outcomes of one goldset with one kind of answers, as it is and renamed."""

    plain: list[Outcome] = field(default_factory=list)
    renamed: list[Outcome] = field(default_factory=list)


def measure(cases: Iterable[Case], *, seed: int, say: Say = lambda _line: None) -> Ceilings:
    """Run every case four times (truthful and rules, as it is and renamed) and return all tables' numbers."""
    rows: dict[tuple[str, str], _Pooled] = {}
    languages: dict[str, str] = {}
    losses: list[Loss] = []
    chapters: dict[str, int] = {}
    replaced: dict[str, int] = {}
    unscored: list[str] = []
    for case in alone(cases):
        name = case.goldset.name
        if case.manuscript is None:
            unscored.append(f"{case.name}: {case.unscored}")
            continue
        languages[name] = case.language
        chapters[name] = chapters.get(name, 0) + len(case.numbers)
        with tempfile.TemporaryDirectory() as folder:
            say(case.name)
            made = _renamed(case, Path(folder) / "renamed", seed, unscored)
            replaced[name] = replaced.get(name, 0) + (made[1] if made else 0)
            for answerer in ANSWERERS:
                pooled = rows.setdefault((name, answerer.label), _Pooled())
                who = answerer if answerer is TRUTHFUL else replace(answerer, off=STORY)
                told = list(trails(case, run_book(case, who, Path(folder) / answerer.name)))
                pooled.plain += _outcomes(case, told)
                if answerer is TRUTHFUL:
                    losses += losses_in(case, told, answerer.label).losses
                if made:
                    bare = replace(answerer, off=STORY)
                    other = run_book(made[0], bare, Path(folder) / f"{answerer.name}-renamed")
                    pooled.renamed += _outcomes(made[0], trails(made[0], other))
    return Ceilings(
        seed=seed,
        rows=tuple(
            CaseRow(name, languages[name], label, chapters[name], replaced[name], _figures(pooled))
            for (name, label), pooled in rows.items()
        ),
        core=_core(rows, languages),
        story=_story(rows, languages),
        losses=tuple((languages[_goldset(loss, languages)], loss) for loss in losses),
        unscored=tuple(unscored),
    )


def _renamed(case: Case, folder: Path, seed: int, unscored: list[str]) -> tuple[Case, int] | None:
    """Return the case with other names and how many mentions were replaced; None where that cannot be, and why."""
    try:
        made = rename_case(case, folder, seed=seed)
    except InputError as error:
        unscored.append(f"{case.name}, renamed: {error}")
        return None
    return made.case, made.n_mentions


def _outcomes(case: Case, told: Iterable[Trail]) -> list[Outcome]:
    return [o for t in told for o in compare_matched(t.wanted, t.said, t.matched, case=case.name)]


def _figures(pooled: _Pooled) -> dict[str, Pair]:
    return {name: Pair(count(pooled.plain, pick), count(pooled.renamed, pick)) for name, pick in FIGURES.items()}


def _core(rows: dict[tuple[str, str], _Pooled], languages: dict[str, str]) -> dict[tuple[str, str], int]:
    """Return how many core entities and relations each language has that are asked for."""
    found: dict[tuple[str, str], int] = {}
    for (name, label), pooled in rows.items():
        if label == TRUTHFUL.label:
            for cls, pick in (("entity", FIGURES["names"]), ("relation", FIGURES["relations by kind"])):
                key = (languages[name], cls)
                found[key] = found.get(key, 0) + count(pooled.plain, pick)[1]
    return found


def _story(rows: dict[tuple[str, str], _Pooled], languages: dict[str, str]) -> dict[tuple[str, str], Pair]:
    """Return recall and precision of every class of the story in each language, with truthful answers."""
    found: dict[tuple[str, str], Pair] = {}
    for (name, label), pooled in rows.items():
        for cls in STORY_CLASSES if label == TRUTHFUL.label else ():
            one = Pair(count(pooled.plain, recall_of(cls)), count(pooled.plain, precision_of(cls)))
            had = found.get((languages[name], cls), Pair((0, 0), (0, 0)))
            (hit, n), (right, said) = ((a + c, b + d) for (a, b), (c, d) in zip(had, one, strict=True))
            found[languages[name], cls] = Pair((hit, n), (right, said))
    return found


def _goldset(loss: Loss, languages: dict[str, str]) -> str:
    """Return the goldset of a loss: its case, or what that is a chapter of."""
    return loss.case if loss.case in languages else loss.case.rpartition("-")[0]


@command
def main(words: Sequence[str] | None = None) -> int:
    """Measure, and print both tables or write them into the page."""
    parser = argparse.ArgumentParser(prog="python -m evals.ceilings", description=__doc__)
    parser.add_argument(
        "--texts", "--data", type=Path, help="a folder with the texts of public editions; own serials only without"
    )
    parser.add_argument("--seed", type=int, default=1, help="other seeds draw other names")
    parser.add_argument("--cases", help="parts of goldset names, comma between them")
    parser.add_argument("--write", action="store_true", help="write docs/ceilings.md")
    options = parser.parse_args(words)
    found = measure(_chosen(options.cases, options.texts), seed=options.seed, say=say)
    said = ["--texts FOLDER"] if options.texts else []
    said += [f"--cases {options.cases}"] if options.cases else []
    typed = " ".join(["python -m evals.ceilings", *said, f"--seed {options.seed}", "--write"])
    show(*write_page(found, typed, write=options.write).splitlines())
    return 0


def _chosen(names: str | None, texts: Path | None) -> list[Case]:
    cases = find_cases(texts)
    wanted = chosen("--cases", names, [case.name for case in cases])
    # what a cache on this machine holds is no part of a run that names no folder
    return [case for case in cases if case.name in wanted and (texts is not None or not case.public)]


if __name__ == "__main__":
    sys.exit(main())
