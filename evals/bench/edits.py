"""Edits: calls, money and seconds of a run after an edit against a fresh run of the same text, and whether both say the same."""

from __future__ import annotations

import tempfile
from pathlib import Path

from evals.bench import Row
from evals.edits import measure, scenarios
from evals.made_serial import story_of, world_of

N_CHAPTERS = 60


def bench_edits(data: Path | None, n_chapters: int = N_CHAPTERS) -> list[Row]:
    """Return, for each edit of a serial made by code, the run after it with a fresh run of the same text as the reference.

    `data` is not used. Answers come by key and cents from the price table: both are simulated.
    """
    del data
    world = world_of()
    story = story_of(world, n_chapters)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for found in measure(Path(folder), world, story, scenarios(world, story)):
            name, edited, fresh = f"edits: {found.scenario.name}", found.edited, found.fresh
            rows += [
                Row(f"{name}: calls", edited.n_calls, "calls", edited.n_calls / fresh.n_calls),
                Row(f"{name}: cost", edited.cents, "cents", edited.cents / fresh.cents),
                Row(f"{name}: time", edited.seconds, "s", edited.seconds / fresh.seconds),
                Row(f"{name}: facts not as in a fresh run", _differing(edited.found, fresh.found), "facts"),
                Row(f"{name}: handles lost", len(found.lost), "handles"),
                Row(f"{name}: contradictions", len(edited.problems), "lines"),
            ]
    return rows


def _differing(a: dict[str, int], b: dict[str, int]) -> int:
    return sum(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys())
