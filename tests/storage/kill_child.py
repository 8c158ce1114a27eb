"""Forks writers on request: each stores answers, tasks and calls through the writer and reports every committed id.

Reads lines `folder seed checkpoint` from stdin. Prints `start pid`, then `answer id` and `task chapter` and `call id` as
they are committed, then `end code` once the child is gone. Never opens a database itself, so that forking it is safe.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

from storage_rows import answer_row, call, ended, entity, stored, task

from analyzer.storage.store import Store
from analyzer.storage.writer import Writer


def report(line: str) -> None:
    os.write(1, f"{line}\n".encode())


async def work(writer: Writer, seed: int, worker: int) -> None:
    rng = random.Random(f"{seed}/{worker}")
    for number in range(10_000):
        name = f"{seed}-{worker}-{number}"
        opened = call(f"call-{name}", run_id=f"run-{seed}")
        await writer.do(lambda s, c=opened: s.reserve(c))
        report(f"reserved {opened.call_id}")
        rows = [answer_row(f"reuse:{name}-{at}", "text " * rng.randint(1, 60)) for at in range(rng.randint(1, 12))]
        await writer.do(lambda s, r=rows, c=opened: (s.add_answers(r), s.settle(ended(c, 0.125))))
        for row in rows:
            report(f"answer {row.answer_id}")
        chapter = 1000 * seed + 100 * worker + number % 20 + 1
        facts = stored("s", chapter, [entity("@1", name, chapter)] * rng.randint(0, 9), because=(rows[0].answer_id,))
        await writer.do(lambda s, f=facts, c=chapter: s.commit_task(task("s", c, len(f)), f, []))
        report(f"task {chapter} {len(facts)}")


async def write(folder: Path, seed: int, checkpoint: str) -> None:
    with Store.open(folder, create=True) as store:
        store._db.execute(f"set wal_autocheckpoint = '{checkpoint}'")
        async with Writer(store) as writer:
            await asyncio.gather(*(work(writer, seed, worker) for worker in range(6)))


def main() -> None:
    for line in sys.stdin:
        folder, seed, checkpoint = line.split()
        pid = os.fork()
        if not pid:
            asyncio.run(write(Path(folder), int(seed), checkpoint))
            os._exit(0)
        report(f"start {pid}")
        _, status = os.waitpid(pid, 0)
        report(f"end {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
