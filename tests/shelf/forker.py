"""Forks workers of a shelf on request, with everything imported and every table built: a worker is at work within milliseconds.

`python -m tests.shelf.forker FD` reads requests of one letter from the socket FD: F comes with the worker's own socket and is
answered with the process id; W and a process id is answered with its exit code once it has ended.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.shelf.house import Hand
from analyzer.shelf.wire import LONGEST_LINE
from analyzer.shelf.worker import serve


@dataclass
class Forked:
    """A forked worker, as `Hand` wants its process."""

    forker: Forker
    pid: int
    returncode: int | None = None

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    async def wait(self) -> int:
        if self.returncode is None:
            self.returncode = await asyncio.to_thread(self.forker.wait, self.pid)
        return self.returncode


class Forker:
    """The process that forks, and the line to it."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._turn = threading.Lock()

    def _said(self) -> int:
        return int(self._line.recv(64).decode())

    def wait(self, pid: int) -> int:
        with self._turn:
            self._line.send(f"W{pid}".encode())
            return self._said()

    async def hire(self, _log: Path) -> Hand:
        ours, theirs = socket.socketpair()
        with theirs, self._turn:
            socket.send_fds(self._line, [b"F"], [theirs.fileno()])
            pid = self._said()
        reader, writer = await asyncio.open_unix_connection(sock=ours, limit=LONGEST_LINE)
        process: Any = Forked(self, pid)
        return Hand(process, reader, writer)


@contextmanager
def forking() -> Iterator[Forker]:
    """Start the process that forks."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        words = [sys.executable, "-m", "tests.shelf.forker", str(theirs.fileno())]
        child = subprocess.Popen(words, pass_fds=(theirs.fileno(),), cwd=Path(__file__).parents[2])
    with child, ours:
        yield Forker(ours)
        ours.close()


def main() -> None:
    from tests.e2e.kill_child import warm

    warm()
    line = socket.socket(fileno=int(sys.argv[1]))
    while True:
        said, fds, _, _ = socket.recv_fds(line, 64, 1)
        if not said:
            return
        if said == b"F":
            pid = os.fork()
            if not pid:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                line.close()
                asyncio.run(serve(socket.socket(fileno=fds[0])))
                os._exit(0)
            os.close(fds[0])
            line.send(str(pid).encode())
        else:
            _, status = os.waitpid(int(said[1:]), 0)
            line.send(str(os.waitstatus_to_exitcode(status)).encode())


if __name__ == "__main__":
    main()
