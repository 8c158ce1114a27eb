"""A small HTTP/1.1 server side: keep-alive, one request at a time per connection, and ways to break a reply on purpose."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import cast

MAX_HEAD_BYTES = 65_536
MAX_BODY_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request; header names are lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class BadHttpError(Exception):
    """The bytes are no HTTP request that is served here; `status` is what to answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def head_bytes(status: int, headers: Mapping[str, str]) -> bytes:
    """Return the head of a reply, ended by its empty line."""
    reason = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Other"
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


class Connection(asyncio.Protocol):
    """One client connection; hands every whole request to `handler`, in a task of its own."""

    def __init__(self, handler: Handler, owner: Owner) -> None:
        self._handler = handler
        self._owner = owner
        self._buffer = bytearray()
        self._head: tuple[str, str, dict[str, str]] | None = None
        self._transport: asyncio.Transport | None = None
        self.task: asyncio.Task[None] | None = None
        self.answered = False
        self._ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._owner.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._owner.connections.discard(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self.task is None:
            self._next()

    def eof_received(self) -> bool:
        """The client sends no more; what it has sent is still answered."""
        self._ended = True
        return self.task is not None

    def _next(self) -> None:
        try:
            request = self._parse()
        except BadHttpError as error:
            self.respond(error.status, {"connection": "close"}, str(error).encode())
            self.close()
            return
        if request is not None:
            self.answered = False
            self.task = asyncio.get_running_loop().create_task(self._serve(request))
            self.task.add_done_callback(self._done)

    async def _serve(self, request: HttpRequest) -> None:
        await self._handler(request, self)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.task = None
        if task.cancelled():
            self.reset()
            return
        error = task.exception()
        if error is not None:
            self._owner.failed.append(error)
            if not self.answered:
                self.respond(500, {"connection": "close"}, f"simulator failed: {error!r}".encode())
            self.close()
            return
        if self._transport is not None and self._buffer:
            self._next()
        if self._ended and self.task is None:
            self.close()

    def _parse(self) -> HttpRequest | None:
        if self._head is None:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self._buffer) > MAX_HEAD_BYTES:
                    raise BadHttpError(431, "request head too large")
                return None
            self._head = _read_head(bytes(self._buffer[:end]))
            del self._buffer[: end + 4]
            if self._head[2].get("expect", "").lower() == "100-continue":
                self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        method, path, headers = self._head
        body = self._read_chunks() if "chunked" in headers.get("transfer-encoding", "") else self._read_sized(headers)
        if body is None:
            return None
        self._head = None
        return HttpRequest(method, path, headers, body)

    def _read_sized(self, headers: Mapping[str, str]) -> bytes | None:
        given = headers.get("content-length", "0")
        if not given.isascii() or not given.isdigit():
            raise BadHttpError(400, "content-length is not a number")
        size = int(given)
        if size > MAX_BODY_BYTES:
            raise BadHttpError(413, "request body too large")
        if len(self._buffer) < size:
            return None
        body = bytes(self._buffer[:size])
        del self._buffer[:size]
        return body

    def _read_chunks(self) -> bytes | None:
        """Return the joined chunks once the last one is there (trailers are not served)."""
        if len(self._buffer) > MAX_BODY_BYTES:
            raise BadHttpError(413, "request body too large")
        place, body = 0, bytearray()
        while (line_end := self._buffer.find(b"\r\n", place)) >= 0:
            size_text = bytes(self._buffer[place:line_end]).split(b";")[0].strip()
            try:
                size = int(size_text, 16)
            except ValueError as error:
                raise BadHttpError(400, "chunk size is not a number") from error
            place = line_end + 2 + size + 2
            if size < 0 or len(self._buffer) < place:
                return None
            if size == 0:
                del self._buffer[:place]
                return bytes(body)
            body += self._buffer[line_end + 2 : place - 2]
        return None

    @property
    def is_open(self) -> bool:
        """Whether anything can still be sent."""
        return self._transport is not None and not self._transport.is_closing()

    def send(self, data: bytes) -> None:
        """Send bytes as they stand; nothing happens once the client is gone."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def respond(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Send a whole reply."""
        self.answered = True
        self.send(head_bytes(status, {**headers, "content-length": str(len(body))}) + body)

    def respond_partly(self, headers: Mapping[str, str], body: bytes, *, reset: bool) -> None:
        """Promise a whole body, send half of it, then reset or close."""
        self.answered = True
        self.send(head_bytes(200, {**headers, "content-length": str(len(body))}) + body[: len(body) // 2])
        if reset:
            self.reset()
        else:
            self.close()

    def start_stream(self, headers: Mapping[str, str]) -> None:
        """Begin a reply of server-sent events in chunks."""
        self.answered = True
        self.send(head_bytes(200, {**headers, "content-type": "text/event-stream", "transfer-encoding": "chunked"}))

    def send_chunk(self, data: bytes) -> None:
        """Send one chunk of a started stream; an empty one ends it."""
        self.send(b"%x\r\n%b\r\n" % (len(data), data))

    def close(self) -> None:
        """Close after what was sent has gone out."""
        if self._transport is not None:
            self._transport.close()

    def reset(self) -> None:
        """Drop the connection with a reset."""
        self.answered = True
        if self._transport is None:
            return
        sock = self._transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()


Handler = Callable[[HttpRequest, Connection], Awaitable[None]]


class Owner:
    """What a listening server knows of its connections, and what went wrong while serving them."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.failed: list[BaseException] = []


def _read_head(head: bytes) -> tuple[str, str, dict[str, str]]:
    first, *rest = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise BadHttpError(400, "not an HTTP/1 request line")
    headers: dict[str, str] = {}
    for line in rest:
        name, colon, value = line.partition(":")
        if not colon:
            raise BadHttpError(400, "a header line without a colon")
        headers[name.strip().lower()] = value.strip()
    return words[0], words[1].partition("?")[0], headers
