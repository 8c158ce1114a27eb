"""A key is planted, runs go well and badly, and every byte that is left anywhere is searched for it."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import pytest

from analyzer import pipeline
from analyzer.errors import AnalyzerError
from analyzer.llm.connect import BASE_URL_KEY_ENV
from analyzer.llm.profiles import OPENAI
from analyzer.llm.transports.keyless import HIDDEN
from analyzer.llm.transports.litellm_chat import LitellmChat
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.storage.store import Store
from tests.e2e.tiny import MODEL, make_book, simulated

KEY = "zq-PLANTED+7f3/9Kc1xW5e8bT2"
"""A key of no known look, so that only knowing it can keep it out; with signs that URLs and JSON write otherwise."""
SPELLED = tuple(
    {
        KEY.encode(),
        KEY[3:20].encode(),
        quote(KEY, safe="").encode(),
        base64.b64encode(KEY.encode()).rstrip(b"="),
        KEY.encode("utf-16-le"),
        KEY.encode().hex().encode(),
    }
)
CHILD = """
import sys
import analyzer.llm.transports.openai_chat as chat
chat.OPENAI_URL = sys.argv.pop(1)
from analyzer.cli import main
main()
"""
"""The command line with another address for OpenAI; the key comes by the environment, as an author's does."""


def leaks(data: bytes) -> list[bytes]:
    """Return the spellings of the key that stand in these bytes."""
    return [spelled for spelled in SPELLED if spelled in data]


def searched(folder: Path) -> int:
    """Search every file below a folder, and every row of every store as text; return how many bytes that were."""
    n = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            n += len(data)
            assert not leaks(data), path
        assert not leaks(os.fsencode(path.name)), path
    for base in folder.rglob("*.duckdb"):
        with Store.open(base.parent) as store:
            tables = ("answers", "attempts", "facts", "issues", "call_starts", "call_ends", "runs", "settings", "tasks")
            for table in tables:
                rows = repr(store.export_rows(table)).encode()
                n += len(rows)
                assert not leaks(rows), (base, table)
    return n


class Echo(BaseHTTPRequestHandler):
    """A server that tells the key it was sent in everything it says."""

    status, how = 401, "error"
    seen: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        key = self.headers.get("Authorization") or self.headers.get("x-api-key") or ""
        Echo.seen.append(key)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.how == "hang":
            time.sleep(1.0)
        body = json.dumps({"error": {"message": f"bad key {key}, {key[7:]}", "type": key, "code": key, "param": key}})
        if self.how == "reply":
            message = {"role": "assistant", "content": f"1 a\nYour key {key} is {key[7:]}."}
            body = json.dumps(
                {
                    "id": key,
                    "model": f"m-{key}",
                    "object": "chat.completion",
                    "created": 1,
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
                }
            )
        out = body.encode()[: len(body) // 2] if self.how == "half" else body.encode()
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Key", key)
        self.send_header("Content-Length", str(len(out)))
        with contextlib.suppress(OSError):
            self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(out)

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


@pytest.fixture
def echo() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    Echo.seen = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


CASES = [
    (401, "error"),
    (403, "error"),
    (429, "error"),
    (400, "error"),
    (500, "error"),
    (200, "reply"),
    (200, "half"),
    (200, "error"),
    (200, "hang"),
]


def _child(book: Path, url: str, *words: str) -> subprocess.Popen[bytes]:
    places = os.pathsep.join(path for path in sys.path if path)
    env = {**os.environ, "OPENAI_API_KEY": KEY, "PYTHONPATH": places, "OPENAI_LOG": "debug"}
    command = [sys.executable, "-c", CHILD, url, words[0], str(book), *words[1:]]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_key_of_the_environment_is_in_nothing_a_run_says_or_leaves_nor_in_the_list_of_processes(
    tmp_path: Path,
) -> None:
    book = make_book(tmp_path / "tiny")
    with simulated(keys=(KEY,), latency__base_s=0.02) as sim:
        child = _child(book, sim.base_url, "run", "--yes", "--model", MODEL, "--chapters", "1")
        lists: set[bytes] = set()
        until = time.monotonic() + 60
        while child.poll() is None and time.monotonic() < until:
            for process in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    lists.add(process.read_bytes())
                except OSError:
                    continue
            time.sleep(0.1)
            if len(sim.rows()) > 5:
                break
        out, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
        assert len(sim.rows()) > 10
    assert any(str(book).encode() in line for line in lists)
    for data in (out, err, *lists):
        assert not leaks(data)
    for name, *more in (("bill", "--json"), ("status", "--json"), ("verify",)):
        out, err = _child(book, "http://127.0.0.1:9/v1", name, *more).communicate(timeout=60)
        assert out + err and not leaks(out + err)
    pipeline.report(book)
    pipeline.wiki(book)
    assert searched(tmp_path) > 100_000


Against = Callable[[int, str, pipeline.RunRequest], Path]


@pytest.fixture
def searched_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> Against:
    """Run a book against the server that tells the key; search all that was said and left, and return the book."""

    def run(status: int, how: str, request: pipeline.RunRequest) -> Path:
        monkeypatch.setattr(Echo, "status", status)
        monkeypatch.setattr(Echo, "how", how)
        caplog.set_level(logging.DEBUG)
        book = make_book(tmp_path / "tiny")
        said: list[str] = []
        try:
            wish = dataclasses.replace(request, chapters="1", concurrency=1)
            outcome = pipeline.run(book, wish, on_event=lambda event: said.append(repr(event)))
            said.append(repr(outcome))
        except AnalyzerError as error:
            said.append(f"{error!r} {error} {error.hint}")
        assert f"Bearer {KEY}" in Echo.seen
        captured = capfd.readouterr()
        for words in (*said, caplog.text, captured.out, captured.err):
            assert not leaks(words.encode())
        assert searched(tmp_path) > 1_000
        return book

    return run


@pytest.mark.parametrize(("status", "how"), CASES)
def test_a_server_that_tells_the_key_it_was_sent_brings_it_into_nothing(
    echo: str, searched_run: Against, monkeypatch: pytest.MonkeyPatch, status: int, how: str
) -> None:
    monkeypatch.setenv("PLANTED", KEY)
    asker = OpenAIChat(MODEL, base_url=echo, profile=OPENAI, api_key_env="PLANTED", timeout_s=0.4)
    assert KEY not in repr(asker)
    book = searched_run(status, how, pipeline.RunRequest(asker=asker))
    if how == "reply":
        with Store.open(book) as store:
            assert HIDDEN in repr(store.export_rows("attempts"))


@pytest.mark.parametrize(("status", "how"), [(401, "error"), (429, "error"), (200, "reply"), (200, "half")])
def test_nor_does_one_at_the_end_of_litellm(
    echo: str, searched_run: Against, monkeypatch: pytest.MonkeyPatch, status: int, how: str
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", KEY)
    asker = LitellmChat("deepseek/deepseek-flash", api_base=echo, timeout_s=5)
    searched_run(status, how, pipeline.RunRequest(asker=asker))


@pytest.mark.parametrize(("status", "how"), [(401, "error"), (500, "error"), (200, "reply")])
def test_nor_does_a_decisions_endpoint(
    echo: str, searched_run: Against, monkeypatch: pytest.MonkeyPatch, status: int, how: str
) -> None:
    monkeypatch.setenv(BASE_URL_KEY_ENV, KEY)
    searched_run(status, how, pipeline.RunRequest(model=f"decisions:{MODEL}", base_url=echo, profile="openai"))


def test_prompts_written_for_people_hold_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    book = make_book(tmp_path / "tiny")
    outcome = pipeline.run(book, pipeline.RunRequest(model=f"inbox:{tmp_path / 'inbox'}", chapters="1"))
    assert outcome.pending
    assert searched(tmp_path) > 10_000


@pytest.mark.parametrize(
    "line", ['api_key = "{}"', "api_key = {}", 'base_url = "http://me:{}@127.0.0.1/v1"', 'model = ["{}"]']
)
def test_a_key_written_into_the_settings_is_refused_or_unused_and_never_repeated(
    tmp_path: Path, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    book = make_book(tmp_path / "tiny")
    settings = book / "analyzer.toml"
    settings.write_text(settings.read_text("utf-8") + line.format(KEY) + "\n", "utf-8")
    with pytest.raises(AnalyzerError) as refused:
        pipeline.run(book, pipeline.RunRequest(model=MODEL))
    captured = capfd.readouterr()
    words = f"{refused.value!r} {refused.value} {refused.value.hint} {captured}"
    assert not leaks(words.encode())
    settings.unlink()
    searched(tmp_path)


def test_the_search_finds_a_key_however_it_is_spelled(tmp_path: Path) -> None:
    for spelled in SPELLED:
        (tmp_path / "x").write_bytes(b"before " + spelled + b" after")
        with pytest.raises(AssertionError):
            searched(tmp_path)
