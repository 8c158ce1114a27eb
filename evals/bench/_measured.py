"""A run, or the reference it is held against, in a process of its own that counts what it used while it goes.

`python -m evals.bench._measured run BOOK URL CHAPTERS CONCURRENCY [KEEP]` runs the tool; with KEEP every request is kept there.
`python -m evals.bench._measured reference KEEP URL CONCURRENCY` sends what was kept, as fast as the rules of a cache allow.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from evals.command import command

AS_INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of what is measured: modules compiled once and kept, as on any machine where the tool is installed."""
_STATUS = Path("/proc/self/status")


class Moment(NamedTuple):
    """Where a run stood when its n-th chapter was done: seconds of wall and CPU since its start, calls sent, peak memory so far."""

    n_chapters: int
    wall_s: float
    cpu_s: float
    n_calls: int
    peak_mb: float


class Measured(NamedTuple):
    """What a run used: a moment for every chapter (the first: before any), and its exit code."""

    moments: tuple[Moment, ...]
    exit_code: int

    @property
    def last(self) -> Moment:
        """The end."""
        return self.moments[-1]


def measured(*words: str) -> Measured:
    """Do one of the two in a process of its own; raises ValueError where it said nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "evals.bench._measured", *words], env=AS_INSTALLED, stdout=subprocess.PIPE, text=True
    )
    moments = tuple(Moment(*json.loads(line)) for line in done.stdout.splitlines())
    if not moments:
        raise ValueError(f"{' '.join(words)} ended with {done.returncode} and measured nothing")
    return Measured(moments, done.returncode)


def peak_mb() -> float:
    """Return the most memory this process held so far, in megabytes.

    From Linux's own mark where there is one: `ru_maxrss` of a process begins with what its parent held when it was started.
    """
    if _STATUS.exists():
        line = next(line for line in _STATUS.read_text("ascii").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1024 / 1024 if sys.platform == "darwin" else most / 1024


class _Clock:
    """Says moments on standard output."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()

    def tell(self, n_chapters: int, n_calls: int) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        wall_s, cpu_s = time.perf_counter() - self._wall, used.ru_utime + used.ru_stime
        sys.stdout.write(json.dumps([n_chapters, wall_s, cpu_s, n_calls, peak_mb()]) + "\n")
        sys.stdout.flush()


def _run(book: str, url: str, chapters: str, concurrency: str, keep: str = "") -> int:
    clock = _Clock()
    from analyzer import pipeline
    from analyzer.scheduler.events import Event

    if keep:
        _keep_requests(Path(keep))
    done = 0

    def on_event(event: Event) -> None:
        nonlocal done
        if event.kind == "chapter":
            done += 1
            clock.tell(done, event.progress.n_calls_done)

    wishes = pipeline.RunRequest(base_url=url, profile="openai", chapters=chapters, concurrency=int(concurrency))
    prepared = pipeline.prepare(book, wishes)
    clock.tell(0, 0)
    return pipeline.start(prepared, on_event).exit_code


def _keep_requests(file: Path) -> None:
    """Write every body that is sent to `file`, a line each, behind the chapter it is of."""
    from analyzer.llm.transports.openai_chat import OpenAIChat
    from analyzer.models.question import Pack

    plain: Callable[..., dict[str, Any]] = OpenAIChat.request

    def request(self: OpenAIChat, pack: Pack, *, max_output_tokens: int) -> dict[str, Any]:
        body = plain(self, pack, max_output_tokens=max_output_tokens)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps([pack.chapter, body]) + "\n")
        return body

    OpenAIChat.request = request  # type: ignore[method-assign]


def _reference(keep: str, url: str, concurrency: str) -> int:
    by_chapter: dict[int, list[dict[str, Any]]] = {}
    with Path(keep).open(encoding="utf-8") as lines:
        for line in lines:
            chapter, body = json.loads(line)
            by_chapter.setdefault(chapter, []).append(body)
    clock = _Clock()
    clock.tell(0, 0)
    asyncio.run(_send_all([by_chapter[no] for no in sorted(by_chapter)], url, int(concurrency)))
    clock.tell(len(by_chapter), sum(map(len, by_chapter.values())))
    return 0


async def _send_all(chapters: list[list[dict[str, Any]]], url: str, concurrency: int) -> None:
    """Send the first call of each chapter, and all others of it from the first's first event on; chapters in order, all slots used."""
    import httpx2

    slots = asyncio.Semaphore(concurrency)
    limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    async with httpx2.AsyncClient(timeout=600.0, trust_env=False, limits=limits) as client:

        async def send(body: dict[str, Any], begun: asyncio.Event | None) -> None:
            streamed = {**body, "stream": True, "stream_options": {"include_usage": True}}
            async with slots, client.stream("POST", f"{url}/chat/completions", json=streamed) as reply:
                reply.raise_for_status()
                async for _ in reply.aiter_bytes():
                    if begun is not None:
                        begun.set()

        async def chapter(bodies: list[dict[str, Any]]) -> None:
            begun = asyncio.Event()
            first = asyncio.create_task(send(bodies[0], begun))
            await begun.wait()
            await asyncio.gather(first, *(send(body, None) for body in bodies[1:]))

        waiting: list[Awaitable[None]] = [chapter(bodies) for bodies in chapters]
        await asyncio.gather(*waiting)


@command
def main(arguments: list[str]) -> int:
    """Do what the first word says with the others."""
    if arguments[0] == "run":
        return _run(*arguments[1:])
    return _reference(*arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
