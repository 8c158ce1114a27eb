"""Forks analysts on request: each runs the pipeline over a book against a server, as one process of its own.

Reads lines `book url` from stdin; prints `start pid`, then `end code` once the child is gone. Everything is imported and
every table of languages and tokens built beforehand, by a plan and a client that are not used: nothing is opened, so that
forking is safe, and a child is at work within milliseconds.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import openai.resources.chat.completions  # noqa: F401
from anyio.streams import memory  # noqa: F401

from analyzer import pipeline, succession  # noqa: F401
from analyzer.llm.profiles import OPENAI
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.scheduler.run import run_book  # noqa: F401
from analyzer.storage.store import Store  # noqa: F401
from tests.e2e.tiny import MODEL, SERIAL


def report(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def work(book: Path, url: str) -> int:
    asker = OpenAIChat(MODEL, base_url=url, profile=OPENAI)
    return pipeline.run(book, asker=asker, concurrency=6).exit_code


def warm() -> None:
    """Plan the run of a book that is not there, and make a client for nobody."""
    with tempfile.TemporaryDirectory() as folder:
        manuscript = Path(folder) / "tiny.txt"
        manuscript.write_text(SERIAL, "utf-8")
        pipeline.plan(manuscript)
    OpenAIChat(MODEL, base_url="http://127.0.0.1:9", profile=OPENAI)


def main() -> None:
    warm()
    for line in sys.stdin:
        book, url = line.split()
        pid = os.fork()
        if not pid:
            os._exit(work(Path(book), url))
        report(f"start {pid}")
        _, status = os.waitpid(pid, 0)
        report(f"end {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
