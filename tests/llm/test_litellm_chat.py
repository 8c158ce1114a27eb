from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from analyzer.errors import PermanentModelError, TransientModelError
from analyzer.llm.transports.litellm_chat import LitellmChat, load_litellm
from analyzer.models.question import Pack
from analyzer.models.run import Usage

from .build import pack

KEYS = {
    "ANTHROPIC_API_KEY": "sk-ant-api03-verysecret1", "GEMINI_API_KEY": "AIzaVerySecretKey2", "DEEPSEEK_API_KEY": "dk-verysecret-3",
}  # fmt: skip


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MISTRAL_API_KEY", "mi-verysecret-4")


class Loopback:
    """A server on 127.0.0.1 that speaks all four dialects, keeps the bodies it got, and fails on demand."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        self.status = 200
        self.base = ""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(line.split(":")[1]) for line in head.lower().splitlines() if line.startswith("content-length:")
        )
        self.bodies.append(await reader.readexactly(length))
        self.paths.append(head.split(" ")[1])
        kind, out = self.answer(self.paths[-1])
        lines = [f"HTTP/1.1 {self.status} X", f"Content-Type: {kind}", f"Content-Length: {len(out)}"]
        writer.write("\r\n".join([*lines, "Retry-After: 3", "Connection: close", "", ""]).encode() + out)
        await writer.drain()
        writer.close()

    def answer(self, path: str) -> tuple[str, bytes]:
        if self.status != 200:
            said = " ".join(KEYS.values())
            return "application/json", json.dumps({"error": {"type": "x", "message": f"bad {said}"}}).encode()
        if "messages" in path:
            return "text/event-stream", ANTHROPIC_EVENTS
        body = GEMINI if "generateContent" in path else CHAT
        return "application/json", json.dumps(body).encode()

    @property
    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.bodies[-1])
        return found


def _event(kind: str, **fields: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


ANTHROPIC_EVENTS = "".join(
    [
        _event(
            "message_start",
            message={
                "id": "m", "type": "message", "role": "assistant", "model": "claude-haiku-5-5", "content": [], "stop_reason": None,
                "usage": {
                    "input_tokens": 7, "cache_creation_input_tokens": 1500, "cache_read_input_tokens": 100, "output_tokens": 1,
                },
            },
        ),
        _event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        _event("content_block_delta", index=0, delta={"type": "text_delta", "text": "1 a"}),
        _event("content_block_stop", index=0),
        _event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 5}),
        _event("message_stop"),
    ]
).encode()  # fmt: skip
GEMINI = {
    "candidates": [{"content": {"parts": [{"text": "1 a"}], "role": "model"}, "finishReason": "STOP", "index": 0}],
    "usageMetadata": {
        "promptTokenCount": 100, "cachedContentTokenCount": 40, "candidatesTokenCount": 3, "thoughtsTokenCount": 2,
        "totalTokenCount": 105,
    },
}  # fmt: skip
CHAT = {
    "id": "1", "object": "chat.completion", "created": 1, "model": "deepseek-flash",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "1 a"}}],
    "usage": {
        "prompt_tokens": 100, "completion_tokens": 3, "total_tokens": 103, "prompt_cache_hit_tokens": 64,
        "prompt_cache_miss_tokens": 36,
    },
}  # fmt: skip


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    made = Loopback()
    listening = await asyncio.start_server(made.handle, "127.0.0.1", 0)
    made.base = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    yield made
    listening.close()
    await listening.wait_closed()


async def ask(server: Loopback, model: str, asked: Pack | None = None) -> Any:
    chat = LitellmChat(model, api_base=server.base)
    seen: list[str] = []
    try:
        reply = await chat.ask(asked or pack(), max_output_tokens=48, on_first_event=lambda: seen.append("released"))
    finally:
        await chat.close()
    return reply, seen


async def test_anthropic_gets_a_cache_mark_on_each_part_and_none_on_the_tail(server: Loopback) -> None:
    asked = pack()
    reply, seen = await ask(server, "anthropic/claude-haiku-5-5", asked)
    marked = [{"type": "text", "text": part.text, "cache_control": {"type": "ephemeral"}} for part in asked.parts]
    assert server.body["system"] == marked[:1]
    assert server.body["messages"] == [{"role": "user", "content": [*marked[1:], {"type": "text", "text": asked.tail}]}]
    assert (server.body["max_tokens"], server.body["thinking"]) == (48, {"type": "disabled"})
    assert seen == ["released"]
    assert reply.usage == Usage(input=7, cache_read=100, cache_write=1500, output=5)
    assert (reply.text, reply.finish) == ("1 a", "stop")


@pytest.mark.parametrize("model", ["gemini/gemini-2.5-flash-lite", "gemini/gemini-3.8-flash"])
async def test_gemini_gets_no_mark_and_so_no_stored_cache_is_made(server: Loopback, model: str) -> None:
    long = pack(tail="x " * 6000)
    reply, _ = await ask(server, model, long)
    assert len(server.bodies) == 1 and "generateContent" in server.paths[0]
    assert b"cache" not in server.bodies[0].lower()
    assert reply.usage == Usage(input=60, cache_read=40, output=5, reasoning=2)


@pytest.mark.parametrize("model", ["deepseek/deepseek-flash", "mistral/mistral-small"])
async def test_others_get_plain_strings_joined_byte_for_byte(server: Loopback, model: str) -> None:
    asked = pack()
    reply, seen = await ask(server, model, asked)
    assert server.body["messages"] == [
        {"role": "system", "content": asked.parts[0].text},
        {"role": "user", "content": "".join(part.text for part in asked.parts[1:]) + asked.tail},
    ]
    assert b"cache" not in server.bodies[0].lower() and seen == []
    assert reply.usage == Usage(input=36, cache_read=64, output=3)


@pytest.mark.parametrize(
    "model", ["anthropic/claude-haiku-5-5", "gemini/gemini-2.5-flash-lite", "deepseek/deepseek-flash"]
)
async def test_failures_are_mapped_sent_once_and_hold_no_key(server: Loopback, model: str) -> None:
    for status, kind in (
        (400, PermanentModelError), (401, PermanentModelError), (403, PermanentModelError), (404, PermanentModelError),
        (429, TransientModelError), (500, TransientModelError), (503, TransientModelError), (529, TransientModelError),
    ):  # fmt: skip
        server.status = status
        before = len(server.bodies)
        with pytest.raises(kind) as caught:
            await ask(server, model)
        assert len(server.bodies) == before + 1, status
        shown = f"{caught.value} {caught.value.where} {caught.value.hint}"
        assert not any(key[:14] in shown for key in KEYS.values()), shown
        if status == 429:
            assert getattr(caught.value, "retry_after_s", None) == 3.0


async def test_an_unknown_provider_is_permanent() -> None:
    chat = LitellmChat("nobody/nothing", api_base="http://127.0.0.1:9")
    with pytest.raises(PermanentModelError):
        await chat.ask(pack(), max_output_tokens=9)
    await chat.close()


async def test_a_closed_port_is_transient() -> None:
    with pytest.raises(TransientModelError):
        await LitellmChat("deepseek/deepseek-flash", api_base="http://127.0.0.1:9").ask(pack(), max_output_tokens=9)


def test_a_missing_key_is_one_sentence_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(PermanentModelError, match=r"ANTHROPIC_API_KEY.*--model inbox:.*--model rules"):
        LitellmChat("anthropic/claude-haiku-5-5")


def test_gemini_takes_either_name_of_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMINI_API_KEY")
    monkeypatch.setenv("GOOGLE_API_KEY", "AIzaOther")
    assert LitellmChat("gemini/gemini-2.5-flash-lite").profile.name == "gemini"


def test_litellm_is_loaded_offline_and_silent() -> None:
    litellm = load_litellm()
    assert litellm.telemetry is False and litellm.suppress_debug_info is True
    assert not logging.getLogger("LiteLLM").isEnabledFor(logging.CRITICAL)


def test_importing_the_package_or_connecting_loads_no_sdk() -> None:
    code = (
        "import sys, os\n"
        "import analyzer.llm, analyzer.llm.formats, analyzer.llm.connect, analyzer.llm.prices, analyzer.llm.usage\n"
        "import analyzer.llm.transports.openai_chat, analyzer.llm.transports.litellm_chat, analyzer.llm.transports.local\n"
        "os.environ['ANTHROPIC_API_KEY'] = 'sk-ant-test-test'\n"
        "from analyzer.llm.connect import connect\n"
        "connect('anthropic/claude-haiku-5-5')\n"
        "print([name for name in ('openai', 'litellm', 'tiktoken', 'httpx2') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
