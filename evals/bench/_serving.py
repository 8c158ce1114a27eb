"""A simulated provider in a process of its own, so that its work is not counted as ours; and what it says of itself at the end."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.bench._plausible import plausible
from evals.bench._truth import Truthful, read_truth
from evals.command import command
from tests.simulator import Simulator, preset
from tests.simulator.answerers import Answerer

TRUTH = "truth:"
"""Before the file that tells what is true: who answers then says it, in whatever form is asked for."""
ENDED_S = 30.0
"""Longest time to wait for a provider that was told to end."""


@dataclass
class Served:
    """A provider that runs: its address and, once it ended, its books and its CPU seconds."""

    base_url: str
    totals: dict[str, Any] = field(default_factory=dict)
    cpu_s: float = 0.0


@contextmanager
def served(answerer: str = "plausible", settings: Mapping[str, object] | None = None) -> Iterator[Served]:
    """Run a provider with the prices and cache rules of OpenAI; `settings` as in `tests.simulator.preset`.

    `answerer` is "plausible" or `truth:FILE`.
    """
    words = [sys.executable, "-m", "evals.bench._serving", answerer, json.dumps(dict(settings or {}))]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None and child.stdout is not None
    try:
        found = Served(child.stdout.readline().strip())
        yield found
        child.stdin.close()
        told = json.loads(child.stdout.readline())
        found.totals, found.cpu_s = told["totals"], told["cpu_s"]
        child.wait(ENDED_S)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        child.stdout.close()


def _answerer(name: str) -> Answerer:
    return Truthful(read_truth(Path(name.removeprefix(TRUTH)))) if name.startswith(TRUTH) else plausible


@command
def main(arguments: list[str]) -> int:
    """Serve until standard input ends; print the address first, books and CPU seconds last."""
    with Simulator(preset("openai", json.loads(arguments[1])), _answerer(arguments[0])) as simulator:
        sys.stdout.write(f"{simulator.base_url}\n")
        sys.stdout.flush()
        before = resource.getrusage(resource.RUSAGE_SELF)
        sys.stdin.read()
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu_s = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        sys.stdout.write(json.dumps({"totals": simulator.totals(), "cpu_s": cpu_s}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
