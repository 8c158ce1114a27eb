from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2
import pytest

from analyzer.errors import ConfigError, ModelError, PermanentModelError, TransientModelError
from analyzer.llm.profiles import ANTHROPIC, COMPATIBLE, OPENAI
from analyzer.llm.transports.chat_shape import NO_USAGE
from analyzer.llm.transports.openai_chat import OpenAIChat, checked_base_url
from analyzer.models.run import Usage

from .build import pack

KEY = "sk-proj-verysecretkey0123456789"
Handler = Callable[[httpx2.Request], httpx2.Response]


def completion(text: object = "1 a", **changes: object) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "gpt-6-luna-2026-09-01",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": 1000, "completion_tokens": 4, "total_tokens": 1004,
            "prompt_tokens_details": {"cached_tokens": 900, "cache_write_tokens": 60},
        },
    }  # fmt: skip
    return {**body, **changes}


class Server:
    """Answers with what it is told and keeps what it was sent."""

    def __init__(self, answer: Handler | httpx2.Response) -> None:
        self.requests: list[httpx2.Request] = []
        self._answer = answer

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return self._answer if isinstance(self._answer, httpx2.Response) else self._answer(request)

    @property
    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.requests[-1].content)
        return found


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def chat(server: Server, model: str = "gpt-6-luna", **options: Any) -> OpenAIChat:
    return OpenAIChat(model, transport=httpx2.MockTransport(server), **options)


async def test_every_prefix_part_is_one_text_part_with_a_breakpoint_and_the_tail_has_none() -> None:
    server = Server(httpx2.Response(200, json=completion()))
    asked = pack()
    reply = await chat(server).ask(asked, max_output_tokens=48)
    mark = {"prompt_cache_breakpoint": {"mode": "explicit"}}
    system, *rest = ({"type": "text", "text": part.text, **mark} for part in asked.parts)
    assert server.body == {
        "model": "gpt-6-luna",
        "messages": [
            {"role": "system", "content": [system]},
            {"role": "user", "content": [*rest, {"type": "text", "text": asked.tail}]},
        ],
        "max_completion_tokens": 48,
        "prompt_cache_options": {"mode": "explicit"},
        "reasoning_effort": "none",
        "temperature": 0,
    }
    assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    assert str(server.requests[-1].url) == "https://api.openai.com/v1/chat/completions"
    assert reply.usage == Usage(input=40, cache_read=900, cache_write=60, output=4)
    assert (reply.text, reply.model, reply.finish) == ("1 a", "gpt-6-luna-2026-09-01", "stop")


async def test_two_packs_on_one_prefix_send_the_same_bytes_up_to_the_tail() -> None:
    server = Server(httpx2.Response(200, json=completion()))
    asker = chat(server)
    await asker.ask(pack(tail="TAIL-ONE"), max_output_tokens=48)
    await asker.ask(pack(tail="TAIL-TWO"), max_output_tokens=48)
    first, second = (request.content.partition(b"TAIL-")[0] for request in server.requests)
    assert first == second and len(first) > 300


async def test_older_models_get_no_cache_fields_and_only_the_effort_they_know() -> None:
    server = Server(httpx2.Response(200, json=completion()))
    for model, effort in (("gpt-5.4-nano", "none"), ("gpt-5-mini", "minimal"), ("gpt-4.1", None), ("gpt-4o", None)):
        await chat(server, model).ask(pack(), max_output_tokens=9)
        assert server.body.get("reasoning_effort") == effort, model
        assert "cache" not in json.dumps(server.body), model


async def test_a_server_of_ones_own_gets_plain_strings_no_key_and_no_fields_of_openai(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    server = Server(httpx2.Response(200, json=completion()))
    asked = pack()
    asker = chat(server, "qwen", base_url="http://127.0.0.1:8080")
    await asker.ask(asked, max_output_tokens=48)
    assert server.body == {
        "model": "qwen",
        "messages": [
            {"role": "system", "content": asked.parts[0].text},
            {"role": "user", "content": "".join(part.text for part in asked.parts[1:]) + asked.tail},
        ],
        "max_tokens": 48,
        "temperature": 0,
    }
    sent = server.requests[-1]
    assert str(sent.url) == "http://127.0.0.1:8080/v1/chat/completions"
    assert all(word not in f"{sent.headers}" for word in (KEY, "org-secret", "proj-secret"))
    assert asker.profile is COMPATIBLE and not asker.profile.priced


async def test_the_profile_alone_decides_about_marks_at_another_address() -> None:
    server = Server(httpx2.Response(200, json=completion()))
    await chat(server, base_url="http://127.0.0.1:8080/v1", profile=OPENAI).ask(pack(), max_output_tokens=48)
    assert server.body["prompt_cache_options"] == {"mode": "explicit"}
    assert server.body["reasoning_effort"] == "none"


def test_no_key_is_one_sentence_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(PermanentModelError) as missing:
        OpenAIChat("gpt-6-luna")
    for word in ("OPENAI_API_KEY", "--model rules", "--model inbox:", "--model local:"):
        assert word in str(missing.value)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-bad\nkey-with-a-line")
    with pytest.raises(ConfigError) as caught:
        OpenAIChat("gpt-6-luna")
    assert "sk-bad" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        *("", "localhost:80", "ftp://x/", "http://", "http://user:pw@h/", "http://h/?k=v", "file:///etc"),
        *(
            "http://h:99999/",
            "http://h:0/",
            "http://h:port/",
            "http://[::1",
            "http://:pw@h/",
            "http://h/a\nb",
            "http://h/\x1b[",
        ),
    ],
)
def test_a_malformed_address_is_a_setting_to_fix(url: str) -> None:
    with pytest.raises(ConfigError):
        checked_base_url(url)


def test_an_address_keeps_its_path_and_gets_one_where_it_has_none() -> None:
    assert checked_base_url("http://h:1/api/v3/") == "http://h:1/api/v3"
    assert checked_base_url("http://h:1/") == "http://h:1/v1"


def failing(status: int, code: str = "", headers: dict[str, str] | None = None) -> httpx2.Response:
    error = {"message": f"Incorrect key provided: {KEY}. Bearer {KEY} api_key={KEY[:12]}", "code": code, "type": "x"}
    return httpx2.Response(status, json={"error": error}, headers=headers or {})


FAILURES: list[tuple[str, httpx2.Response, type[ModelError], float | None]] = [
    ("rate limit", failing(429, headers={"retry-after": "7"}), TransientModelError, 7.0),
    ("rate limit in ms", failing(429, headers={"retry-after-ms": "250"}), TransientModelError, 0.25),
    ("rate limit, odd header", failing(429, headers={"retry-after": "soon"}), TransientModelError, None),
    ("rate limit, past date", failing(429, headers={"retry-after": "Mon, 01 Jan 2024 00:00:00 GMT"}), TransientModelError, 0.0),
    ("rate limit, a year", failing(429, headers={"retry-after": "31536000"}), TransientModelError, 3600.0),
    ("quota", failing(429, "insufficient_quota"), PermanentModelError, None),
    *[(str(s), failing(s), PermanentModelError, None) for s in (400, 401, 402, 403, 404, 413, 422)],
    *[(str(s), failing(s), TransientModelError, None) for s in (408, 409, 500, 502, 503, 504, 529)],
    ("redirect", httpx2.Response(307, headers={"location": "http://elsewhere/"}), PermanentModelError, None),
    ("no json", httpx2.Response(200, text="{oh", headers={"content-type": "application/json"}), TransientModelError, None),
    ("html", httpx2.Response(200, text="<html>"), TransientModelError, None),
    ("a list", httpx2.Response(200, json=[1]), TransientModelError, None),
    ("no choices", httpx2.Response(200, json=completion(choices=[])), TransientModelError, None),
    ("null choices", httpx2.Response(200, json=completion(choices=None)), TransientModelError, None),
    ("number as text", httpx2.Response(200, json=completion(text=5)), TransientModelError, None),
]  # fmt: skip


@pytest.mark.parametrize(("response", "kind", "wait"), [f[1:] for f in FAILURES], ids=[f[0] for f in FAILURES])
async def test_each_failure_is_transient_or_permanent_sent_once_and_without_the_key(
    response: httpx2.Response, kind: type[ModelError], wait: float | None
) -> None:
    server = Server(response)
    with pytest.raises(kind) as caught:
        await chat(server).ask(pack(), max_output_tokens=48)
    assert len(server.requests) == 1
    shown = f"{caught.value} {caught.value.where} {caught.value.hint}"
    assert KEY[:12] not in shown and "gpt-6-luna" in shown
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    assert getattr(caught.value, "retry_after_s", None) == wait
    assert isinstance(caught.value, TransientModelError) or caught.value.hint


@pytest.mark.parametrize(
    "error",
    [httpx2.ReadTimeout("t"), httpx2.ConnectError("no"), httpx2.RemoteProtocolError("cut"), ConnectionResetError()],
)
async def test_timeouts_and_resets_are_transient(error: Exception) -> None:
    def fail(request: httpx2.Request) -> httpx2.Response:
        raise error

    with pytest.raises(TransientModelError):
        await chat(Server(fail)).ask(pack(), max_output_tokens=48)


async def test_a_body_that_drips_forever_ends_at_the_timeout() -> None:
    import asyncio

    class Drip(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b" "
                await asyncio.sleep(0.005)

    with pytest.raises(TransientModelError):
        await chat(Server(httpx2.Response(200, stream=Drip())), timeout_s=0.05).ask(pack(), max_output_tokens=48)


@pytest.mark.parametrize(
    "response",
    [
        httpx2.Response(
            200, json=completion(choices=[{"message": {"content": None, "refusal": "no"}, "finish_reason": "stop"}])
        ),
        httpx2.Response(
            200, json=completion(choices=[{"message": {"content": ""}, "finish_reason": "content_filter"}])
        ),
        failing(400, "content_filter"),
    ],
)
async def test_a_refusal_is_a_flag_on_the_reply(response: httpx2.Response) -> None:
    reply = await chat(Server(response)).ask(pack(), max_output_tokens=48)
    assert reply.refused


async def test_missing_usage_stands_at_the_worst_case_and_is_flagged() -> None:
    reply = await chat(Server(httpx2.Response(200, json=completion(usage=None)))).ask(pack(), max_output_tokens=48)
    assert NO_USAGE in reply.finish.split()
    assert reply.usage.cache_write > 40 and reply.usage.output == 48


async def test_impossible_usage_is_flagged() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 50}}
    reply = await chat(Server(httpx2.Response(200, json=completion(usage=usage)))).ask(pack(), max_output_tokens=48)
    assert "cached_over_prompt" in reply.finish and reply.usage.cache_read == 5


async def test_surrogates_in_a_reply_do_not_break_the_record() -> None:
    text = json.dumps(completion(text="1 a \ud800"))
    response = httpx2.Response(200, content=text.encode(), headers={"content-type": "application/json"})
    assert (await chat(Server(response)).ask(pack(), max_output_tokens=9)).text == "1 a \ufffd"


class Events(httpx2.AsyncByteStream):
    def __init__(self, events: list[object], seen: list[str], cut: bool = False) -> None:
        self._events, self._seen, self._cut = events, seen, cut

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for number, event in enumerate(self._events):
            self._seen.append(f"sent {number}")
            yield f"data: {json.dumps(event)}\n\n".encode()
        if self._cut:
            raise httpx2.RemoteProtocolError("cut")
        yield b"data: [DONE]\n\n"


def chunks(*texts: str, finish: str | None = "stop") -> list[object]:
    made: list[object] = [
        {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "delta": {"content": t}}],
        }
        for t in texts
    ]
    if finish:
        made.append({"id": "1", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        made.append({"id": "1", "model": "m", "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}})
    return made


def streamed(events: Events) -> Server:
    return Server(httpx2.Response(200, stream=events, headers={"content-type": "text/event-stream"}))


async def test_a_stream_releases_the_others_at_its_first_event_and_gives_usage_at_its_end() -> None:
    seen: list[str] = []
    server = streamed(Events(chunks("1 ", "a"), seen))
    asker = chat(server, profile=OPENAI.model_copy(update={"release": "first_event"}))
    reply = await asker.ask(pack(), max_output_tokens=9, on_first_event=lambda: seen.append("released"))
    assert seen.index("released") == 1 and seen.count("released") == 1
    assert (reply.text, reply.usage, reply.finish) == ("1 a", Usage(input=9, output=2), "stop")
    assert server.body["stream"] is True and server.body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("cut", [True, False])
async def test_a_stream_that_breaks_off_is_transient(cut: bool) -> None:
    server = streamed(Events(chunks("1 a", finish=None), [], cut))
    asker = chat(server, profile=ANTHROPIC)
    with pytest.raises(TransientModelError):
        await asker.ask(pack(), max_output_tokens=9)


async def test_an_error_event_inside_a_stream_is_transient() -> None:
    server = streamed(Events([*chunks("1 a", finish=None), {"error": {"message": f"overloaded {KEY}"}}], []))
    with pytest.raises(TransientModelError) as caught:
        await chat(server, profile=ANTHROPIC).ask(pack(), max_output_tokens=9)
    assert KEY not in str(caught.value)


async def test_closing_twice_is_harmless() -> None:
    server = Server(httpx2.Response(200, json=completion()))
    asker = chat(server)
    assert (await asker.ask(pack(), max_output_tokens=9)).text == "1 a"
    assert not asker._client.is_closed()
    for _ in range(2):
        await asker.close()
        assert asker._client.is_closed()
    with pytest.raises(RuntimeError, match="closed"):
        await asker.ask(pack(), max_output_tokens=9)
    assert len(server.requests) == 1
