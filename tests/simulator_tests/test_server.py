"""The server itself: clean start and stop, odd bytes, the process of its own, nothing shared with the package."""

from __future__ import annotations

import ast
import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import openai
import pytest

from tests.simulator import Clock, Simulator, preset
from tests.simulator.tokens import TextMemory
from tests.simulator_tests.calls import ask, client_of, marked, words

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "tests" / "simulator").glob("*.py"))


def _threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "provider-simulator"]


def test_simulator_imports_nothing_of_the_package_under_test() -> None:
    assert len(SOURCES) > 10
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] in {"analyzer", "evals", "litellm", "openai"}]


async def test_stopped_server_leaves_no_thread_and_no_socket() -> None:
    with Simulator() as sim:
        async with client_of(sim) as client:
            await ask(client, marked(words(10)))
        assert _threads() == ["provider-simulator"]
        port = sim.port
    assert _threads() == []
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
    assert sim.totals()["requests"] == 1


async def test_stop_drops_what_is_in_flight() -> None:
    slow = preset("openai", {"latency.base_s": 1000.0})
    sim = Simulator(slow).start()
    async with client_of(sim) as client:
        call = asyncio.create_task(ask(client, marked(words(10))))
        await asyncio.to_thread(sim.wait_arrived, 1)
        await asyncio.to_thread(sim.stop)
        with pytest.raises(openai.APIConnectionError):
            await call
    sim.stop()


def test_start_twice_and_a_taken_port_are_refused() -> None:
    with Simulator() as sim:
        with pytest.raises(RuntimeError, match="running already"):
            sim.start()
        with pytest.raises(OSError, match="address"):
            Simulator(port=sim.port).start()
    assert _threads() == []


async def test_what_fails_in_an_answerer_is_raised_at_the_end() -> None:
    def broken(body: dict[str, Any]) -> str:
        raise LookupError("no answer prepared")

    sim = Simulator(answerer=broken).start()
    async with client_of(sim) as client:
        with pytest.raises(openai.InternalServerError):
            await ask(client, marked(words(10)))
    with pytest.raises(ExceptionGroup) as caught:
        sim.stop()
    assert caught.group_contains(LookupError, match="no answer prepared")


def test_waiting_is_bounded() -> None:
    with Simulator() as sim, pytest.raises(TimeoutError, match="0 requests arrived"):
        sim.wait_arrived(1, timeout_s=0.01)


def _talk(sim: Simulator, sent: bytes, *, pieces: int = 1) -> bytes:
    """Return all bytes that come back until the server closes or a whole reply without keep-alive is there."""
    with socket.create_connection(("127.0.0.1", sim.port), timeout=5) as line:
        size = -(-len(sent) // pieces)
        for start in range(0, len(sent), size):
            line.sendall(sent[start : start + size])
        line.shutdown(socket.SHUT_WR)
        got = b""
        while piece := line.recv(65536):
            got += piece
        return got


def _request(body: bytes, *headers: str, path: str = "/v1/chat/completions") -> bytes:
    head = "\r\n".join([f"POST {path} HTTP/1.1", "host: sim", *headers])
    return head.encode() + b"\r\n\r\n" + body


BODY = json.dumps({"model": "gpt-6-luna", "messages": [{"role": "user", "content": "1. Who? | a; b"}]}).encode()


@pytest.mark.parametrize("pieces", [1, 7, 40])
def test_request_may_come_in_pieces_and_in_chunks(pieces: int) -> None:
    half = len(BODY) // 2
    chunks = b"".join(b"%x;note=1\r\n%b\r\n" % (len(c), c) for c in (BODY[:half], BODY[half:], b""))
    with Simulator() as sim:
        for sent in (
            _request(BODY, f"content-length: {len(BODY)}"),
            _request(chunks, "transfer-encoding: chunked"),
        ):
            assert b'"content":"1 a"' in _talk(sim, sent, pieces=pieces)


def test_two_requests_sent_at_once_are_answered_in_order() -> None:
    one = _request(BODY, f"content-length: {len(BODY)}")
    with Simulator() as sim:
        got = _talk(sim, one + one)
        assert got.index(b"chatcmpl-sim-0") < got.index(b"chatcmpl-sim-1")


ODD = [
    (b"\x16\x03\x01 hello\r\n\r\n", b"400"),
    (b"GET / HTTP/1.1\r\nno colon here\r\n\r\n", b"400"),
    (b"GET / HTTP/1.1\r\nx: " + b"y" * 70_000, b"431"),
    (_request(b"", "content-length: minus"), b"400"),
    (_request(b"", "content-length: 99999999999"), b"413"),
    (_request(b"zz\r\n\r\n", "transfer-encoding: chunked"), b"400"),
    (_request(b"{}", "content-length: 2", path="/v1/unknown"), b"404"),
    (_request(b"nope", "content-length: 4"), b"400"),
    (_request(b"[1]", "content-length: 3"), b"400"),
    (_request(b"{}", "content-length: 2"), b"400"),
    (_request(b'{"model":1,"messages":[1]}', "content-length: 26"), b"400"),
    (_request(b'{"model":"gpt-6-luna","messages":[1]}', "content-length: 37"), b"400"),
]


@pytest.mark.parametrize(("sent", "status"), ODD, ids=range(len(ODD)))
def test_odd_bytes_get_an_error_and_the_server_lives_on(sent: bytes, status: bytes) -> None:
    with Simulator() as sim:
        assert _talk(sim, sent).split(b" ")[1] == status
        assert b'"content":"1 a"' in _talk(sim, _request(BODY, f"content-length: {len(BODY)}"))


def test_client_that_hangs_up_half_way_does_no_harm() -> None:
    with Simulator() as sim:
        assert _talk(sim, _request(BODY[:20], f"content-length: {len(BODY)}")) == b""
        assert sim.rows() == []


async def test_many_connections_at_once_are_all_served() -> None:
    with Simulator(answerer="none") as sim:
        async with client_of(sim) as client:
            replies = await asyncio.gather(*(ask(client, marked(words(1500))) for _ in range(150)))
        assert len(replies) == sim.totals()["requests"] == 150
        assert sim.totals()["write"] == 1504


def test_text_memory_is_bounded_and_drops_what_was_used_longest_ago() -> None:
    memory = TextMemory(max_chars=10)
    for text in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa"):
        memory.info(text)
    assert memory.counted == 3
    memory.info("bbbb")
    assert memory.counted == 4


def test_clock_only_moves_forward() -> None:
    clock = Clock(manual=True)
    clock.advance(2.5)
    assert clock.now() == 2.5
    with pytest.raises(ValueError, match="forward"):
        clock.advance(-1)


def _process(*options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.simulator", *options],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("by_signal", [True, False])
async def test_process_of_its_own_prints_its_address_and_ends_when_told(tmp_path: Path, by_signal: bool) -> None:
    faults, ledger = tmp_path / "faults.json", tmp_path / "ledger.json"
    faults.write_text('{"by_index": {"0": "quota"}}', "utf-8")
    options = ["--answerer", "none", "--faults", str(faults), "--set", "cache.min_tokens=10", "--ledger", str(ledger)]
    with _process("--until-eof", *options) as process:
        assert process.stdin is not None and process.stdout is not None
        base_url = (await asyncio.to_thread(process.stdout.readline)).strip()
        async with openai.AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0, timeout=10) as client:
            with pytest.raises(openai.RateLimitError):
                await ask(client, marked(words(20)))
            await ask(client, marked(words(20)))
            reply = await ask(client, marked(words(20)))
        assert reply.choices[0].message.content == "1 -"
        assert reply.usage.prompt_tokens_details.cached_tokens == 24
        await asyncio.to_thread(_post, base_url.removesuffix("/v1") + "/_sim/advance", b'{"seconds": 5}')
        if by_signal:
            process.send_signal(signal.SIGTERM)
        else:
            process.stdin.close()
        assert await asyncio.to_thread(process.wait, 10) == 0
    assert json.loads(ledger.read_text("utf-8"))["totals"]["requests"] == 2


def _post(url: str, body: bytes) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(url, data=body, method="POST"), timeout=5) as reply:
        return bytes(reply.read())
