"""How soon the tool answers and asks, and what it computes itself: seconds to help and to the first request, CPU a chapter and a call."""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from analyzer import pipeline
from analyzer.llm.connect import connect
from analyzer.models.question import Option, Pack, Part, Question, QuestionKey, Ref
from evals.bench import Row
from evals.goldset.cases import own_case
from tests.simulator import Simulator, preset

HELP_TARGET_S = 0.3
FIRST_TARGET_S = 2.0
"""The references of the first two figures: what they may take."""
N_TIMES = 5
AS_INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of the commands measured: modules compiled once and kept, as on any machine where the tool is installed."""
N_CALLS = 30


def _help_s() -> float:
    started = time.perf_counter()
    words = [sys.executable, "-m", "analyzer", "--help"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=AS_INSTALLED)
    return time.perf_counter() - started


def _first_request_s(book: Path) -> tuple[float, float]:
    """Return the seconds from the start of `analyzer run` until its first request arrives, and the CPU spent till then."""
    with Simulator(preset("openai"), "none") as sim:
        words = ["run", str(book), "--chapters", "1", "--base-url", sim.base_url, "--profile", "openai", "--yes"]
        started = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "analyzer", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=AS_INSTALLED,
        )
        try:
            sim.wait_arrived(1, timeout_s=60.0)
            found = time.perf_counter() - started
        finally:
            child.kill()
            used = _ended(child)
    return found, used.ru_utime + used.ru_stime


def _ended(child: subprocess.Popen[bytes]) -> resource.struct_rusage:
    """Wait for a child and return what it used."""
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return used


def _cpu_s(book: Path) -> tuple[float, int, int]:
    """Return the CPU seconds of a whole run answered from gold in a process of its own, its chapters and calls."""
    child = subprocess.Popen(
        [sys.executable, "-m", "analyzer", "run", str(book), "--model", "gold"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=AS_INSTALLED,
    )
    used = _ended(child)
    bill = pipeline.bill(book)
    return used.ru_utime + used.ru_stime, len(pipeline.manuscript_of(book).chapters), len(bill.calls)


def _client_ms(n_calls: int) -> float:
    """Return the milliseconds of CPU the real client takes for a call with a prefix of 40,000 characters."""
    options = (Option(mark="a", key="yes", text="yes"), Option(mark="b", key="no", text="no"))
    key = QuestionKey(step="bench", ask="bench", chapter=1, about=(Ref(names=("x",)),))
    question = Question(key=key, type="choice", text="so?", options=options)
    parts = (Part(name="system", text="Say so. " * 1000), Part(name="chapter", text="It rained all day. " * 1700))
    pack = Pack(step="bench", chapter=1, parts=parts, tail="1. so? | a yes; b no", questions=(question,))

    async def ask(base_url: str) -> float:
        client = connect("gpt-6-luna", base_url=base_url, profile="openai")
        await client.ask(pack, max_output_tokens=64)
        started = time.thread_time()
        for _ in range(n_calls):
            await client.ask(pack, max_output_tokens=64)
        found = time.thread_time() - started
        await client.close()
        return found / n_calls * 1000

    with Simulator(preset("openai"), "first") as sim:
        return asyncio.run(ask(sim.base_url))


def bench_startup(data: Path | None) -> list[Row]:
    """Measure start and local work on the bundled serial."""
    case = own_case()
    with tempfile.TemporaryDirectory() as folder:
        book = pipeline.init(case.text(), book=Path(folder) / "book", language=case.language)
        help_s = statistics.median(_help_s() for _ in range(N_TIMES))
        _first_request_s(book)  # compiles what is imported
        firsts = [_first_request_s(book) for _ in range(N_TIMES)]
        first_s, first_cpu_s = (statistics.median(column) for column in zip(*firsts, strict=True))
        cpu_s, n_chapters, n_calls = _cpu_s(book)
    return [
        Row("analyzer --help, median of 5", help_s, "s", help_s / HELP_TARGET_S),
        Row("first request after start, median of 5", first_s, "s", first_s / FIRST_TARGET_S),
        Row("CPU before the first request", first_cpu_s, "s"),
        Row("CPU of a run from gold, a chapter", cpu_s / n_chapters, "s"),
        Row("CPU of a run from gold, a call", cpu_s / n_calls * 1000, "ms"),
        Row("CPU of the client, a call", _client_ms(N_CALLS), "ms"),
    ]
