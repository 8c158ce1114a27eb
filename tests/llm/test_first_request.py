"""What is imported on the way to the first request, and how chapters overlap while others are still asked about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from analyzer import pipeline
from evals.made_serial import printed, story_of, world_of

HEAVY = (
    "litellm",
    "pandas",
    "numpy",
    "pyarrow",
    "aiohttp",
    "networkx",
    "torch",
    "scipy",
    "matplotlib",
    "ray",
    "lxml",
    "boto3",
    "google",
)
CODE = """
import sys
from analyzer.llm.transports.openai_chat import OpenAIChat
async def first(self, body, on_first_event=None):
    print("HEAVY", [name for name in {heavy!r} if name in sys.modules], len(body["messages"]))
    sys.stdout.flush()
    __import__("os")._exit(9)
OpenAIChat.complete = first
sys.argv = ["analyzer", "run", {book!r}, "--base-url", "http://127.0.0.1:9/v1", "--profile", "openai", "--yes"]
from analyzer.__main__ import main
main()
"""


def test_nothing_heavy_is_imported_on_the_way_to_the_first_request(tmp_path: Path) -> None:
    text = tmp_path / "serial.txt"
    text.write_text(printed(story_of(world_of(), 2)), "utf-8")
    book = pipeline.init(text, book=tmp_path / "book", language="en")
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(heavy=HEAVY, book=str(book))],
        capture_output=True, text=True, timeout=60, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert done.returncode == 9, done.stderr[-500:]
    assert done.stdout.splitlines()[-1] == "HEAVY [] 2"
