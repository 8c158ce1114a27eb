"""From a request to a billed reply: checks, limits, cache, answer, time, faults. Everything runs on one event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.simulator import replies
from tests.simulator.answerers import Answerer
from tests.simulator.cache import Charge, PromptCache
from tests.simulator.checks import check_body, check_key, check_length
from tests.simulator.clock import Clock
from tests.simulator.decisions import Decider, answers_to, check_decisions, question_texts, spoil_answers
from tests.simulator.embeddings import embedded
from tests.simulator.faults import Fault, FaultPlan, Spoken, spoil, spoil_usage
from tests.simulator.ledger import Row, as_json, bill, bill_output
from tests.simulator.limits import Limiter
from tests.simulator.prompt import Api, Body, Prompt, RefusedError, read_prompt
from tests.simulator.replies import Said
from tests.simulator.settings import ModelRow, Settings
from tests.simulator.tokens import TextMemory, cut_to_tokens
from tests.simulator.wire import Connection, HttpRequest

JSON_HEADERS = {"content-type": "application/json"}
APIS: dict[str, Api] = {"/v1/chat/completions": "chat", "/v1/responses": "responses", "/v1/decisions": "decisions"}


@dataclass(slots=True)
class Work:
    """One accepted request on its way to a reply."""

    row: Row
    body: Body
    prompt: Prompt
    model: ModelRow
    charge: Charge
    said: Said
    fault: Fault | None

    @property
    def broken(self) -> str:
        """The fault's kind, or ""."""
        return self.fault.kind if self.fault else ""


class Provider:
    """The provider's state: books, cache, limits. `changed` is notified whenever a request arrives or ends."""

    def __init__(
        self, settings: Settings, answerer: Answerer, decider: Decider, faults: FaultPlan, clock: Clock
    ) -> None:
        self.settings = settings
        self.answerer = answerer
        self.decider = decider
        self.faults = faults
        self.clock = clock
        self.rows: list[Row] = []
        self.memory = TextMemory()
        self.cache = PromptCache()
        self.changed = threading.Condition()
        self._limiter = Limiter(settings.limits)

    def reset(self) -> None:
        """Forget books, cache and traffic; requests are counted from 0 again."""
        self.rows = []
        self.cache.clear()
        self._limiter.clear()

    async def handle(self, request: HttpRequest, connection: Connection) -> None:
        """Answer one HTTP request."""
        api = APIS.get(request.path)
        if api is not None and request.method == "POST":
            await self._call(api, request, connection)
            return
        connection.respond(*self._other(request))

    def _other(self, request: HttpRequest) -> tuple[int, dict[str, str], bytes]:
        """Return the reply to whatever is no model call."""
        routes: dict[tuple[str, str], Callable[[], object]] = {
            ("GET", "/v1/models"): self._models,
            ("GET", "/_sim/ledger"): lambda: as_json(self.rows),
            ("POST", "/v1/embeddings"): lambda: self._embeddings(request.body),
            ("POST", "/_sim/reset"): self._reset,
            ("POST", "/_sim/advance"): lambda: self._advance(request.body),
        }
        route = routes.get((request.method, request.path))
        try:
            if route is None:
                raise RefusedError(404, f"Invalid URL ({request.method} {request.path})")
            if request.path.startswith("/v1/"):
                check_key(request.headers, self.settings)
            return 200, JSON_HEADERS, replies.encode(route())
        except RefusedError as refused:
            return refused.status, {**JSON_HEADERS, **refused.headers}, replies.error_json(refused)

    def _embeddings(self, given: bytes) -> dict[str, Any]:
        row = Row(index=len(self.rows), api="embeddings", model="", arrival=self.clock.now())
        reply = embedded(_parsed(given), row, self.memory)
        row.ended_at = self.clock.now()
        self.rows.append(row)
        return reply

    def _reset(self) -> dict[str, Any]:
        self.reset()
        return {}

    def _models(self) -> dict[str, Any]:
        rows = [{"id": m.name, "object": "model", "created": 0, "owned_by": "sim"} for m in self.settings.models]
        return {"object": "list", "data": rows}

    def _advance(self, body: bytes) -> dict[str, float]:
        self.clock.advance(float(_parsed(body).get("seconds", 0)))
        return {"now": self.clock.now()}

    async def _call(self, api: Api, request: HttpRequest, connection: Connection) -> None:
        row = Row(index=len(self.rows), api=api, model="", arrival=self.clock.now())
        fault = self.faults.pick(row.index, request.body)
        row.fault = fault.kind if fault else ""
        self.rows.append(row)
        try:
            work = self._accepted(row, api, request, fault)
        except RefusedError as refused:
            row.status, row.ended_at = refused.status, self.clock.now()
            connection.respond(
                refused.status, self._headers(row) | JSON_HEADERS | refused.headers, replies.error_json(refused)
            )
            self._notify()
            return
        self._notify()
        if work is None:
            row.status, row.ended_at = 0, self.clock.now()
            connection.reset()
        else:
            await self._serve(work, connection)
        self._notify()

    def _accepted(self, row: Row, api: Api, request: HttpRequest, fault: Fault | None) -> Work | None:
        """Return the billed work; None when the connection is to be reset before any; raises RefusedError."""
        check_key(request.headers, self.settings)
        body = _parsed(request.body)
        row.model, row.stream = str(body.get("model")), bool(body.get("stream"))
        if fault is not None:
            fault.refuse()
        model = check_body(body, api, self.settings)
        asked = self._asked_tokens(body, api)
        if api == "decisions":
            model = replace(model, price=replace(model.price, output=0))
        prompt = read_prompt(body, api, self.settings, model.cache.kind, self.memory, asked)
        check_length(prompt, model)
        if row.stream and api == "responses":
            raise RefusedError(400, "streamed responses are not served here", param="stream")
        if fault is not None and fault.kind == "reset":
            return None
        self._limiter.admit(row.arrival, prompt.total + (prompt.max_output or 0))
        said = self._said(row, body, prompt, fault)
        row.machine = self._limiter.machine(prompt, row.arrival)
        charge = self.cache.charge(prompt, model.cache, machine=row.machine, now=row.arrival)
        bill(row, prompt, charge, model.price)
        bill_output(row, model.price, said.output, said.reasoning)
        if said.tier == "flex":
            row.cost_nano = -(-row.cost_nano // 2)
        return Work(row, body, prompt, model, charge, said, fault)

    def _asked_tokens(self, body: dict[str, Any], api: Api) -> int:
        """Return the tokens of the questions that follow the input; raises RefusedError for questions that are none."""
        if api != "decisions":
            return 0
        check_decisions(body, self.settings)
        return sum(framing + self.memory.info(text).tokens for text, framing in question_texts(body))

    def _said(self, row: Row, body: dict[str, Any], prompt: Prompt, fault: Fault | None) -> Said:
        tier = str(body.get("service_tier") or "default").replace("auto", "default")
        tier = tier if tier != "flex" or self.settings.serves_flex else "default"
        if prompt.prewarm:
            return Said(Spoken(None), 0, 0, prompt.model, row.index, tier)
        if prompt.api == "decisions":
            answers = spoil_answers(fault, answers_to(body, self.decider(body)))
            return Said(Spoken(None), len(body["questions"]), 0, prompt.model, row.index, tier, answers)
        spoken = spoil(fault, self.answerer(body))
        text = spoken.content if spoken.refusal is None else spoken.refusal
        reasoning = self.settings.reasoning_tokens.get(prompt.effort, 0)
        output = reasoning + self.memory.info(text or "").tokens
        most = prompt.max_output
        if most is not None and output > most:
            reasoning = min(reasoning, most)
            spoken, output = Spoken(cut_to_tokens(text or "", most - reasoning), finish="length"), most
        return Said(spoken, output, reasoning, prompt.model, row.index, tier)

    async def _serve(self, work: Work, connection: Connection) -> None:
        latency, row, readable = self.settings.latency, work.row, work.model.cache.readable
        first_at = row.arrival + latency.prefill_s(work.charge.uncached)
        if readable == "first_event":
            self._publish(work, first_at)
        await self.clock.sleep_until(first_at)
        row.first_event_at = self.clock.now()
        if row.stream:
            connection.start_stream(self._headers(row))
            connection.send_chunk(replies.first_event(work.said))
        await self._break_or_wait(work, first_at, connection)
        row.ended_at = self.clock.now()
        if readable == "end" or (readable == "prewarm" and work.prompt.prewarm):
            self._publish(work, row.ended_at)
        elif readable == "prewarm":
            self.cache.drop(work.charge)
        if connection.is_open:
            self._finish(work, connection)

    async def _break_or_wait(self, work: Work, first_at: float, connection: Connection) -> None:
        """Let the output take its time; a hang lasts its bounded real seconds and ends in a reset."""
        if work.fault is not None and work.broken == "hang":
            await asyncio.sleep(min(work.fault.seconds, self.settings.max_hang_s))
            connection.reset()
            return
        output_s = self.settings.latency.output_s(work.said.output)
        if not work.row.stream:
            await self.clock.sleep_until(first_at + output_s)
            return
        events = list(replies.content_events(work.said))
        if work.broken in {"reset_mid", "truncated", "no_done", "stream_error"}:
            events = events[: len(events) // 2]
        for number, event in enumerate(events, 1):
            await self.clock.sleep_until(first_at + output_s * number / len(events))
            connection.send_chunk(event)

    def _publish(self, work: Work, moment: float) -> None:
        self.cache.publish(work.charge, moment)
        if work.charge.entries:
            work.row.readable_at = moment

    def _finish(self, work: Work, connection: Connection) -> None:
        if work.row.stream:
            self._end_stream(work, connection)
            return
        usage, null_usage = self._usage(work), work.broken == "usage_null"
        if work.prompt.api == "chat":
            timings = self.settings.usage_style == "llama" and usage is not None
            body = replies.chat_json(work.said, usage, null_usage=null_usage, timings=timings, charge=work.charge)
        elif work.prompt.api == "decisions":
            body = replies.decisions_json(work.said, usage, null_usage=null_usage)
        else:
            body = replies.responses_json(work.said, usage, null_usage=null_usage, prewarm=work.prompt.prewarm)
        headers = self._headers(work.row) | JSON_HEADERS
        if work.broken in {"reset_mid", "truncated"}:
            connection.respond_partly(headers, body, reset=work.broken == "reset_mid")
        elif work.broken == "half_json":
            connection.respond(200, headers, body[: len(body) // 2])
        elif work.broken == "not_json":
            connection.respond(200, headers | {"content-type": "text/html"}, b"<html><body>Bad gateway</body></html>")
        elif work.broken == "stream_error":
            work.row.status = 500
            connection.respond(500, headers, replies.error_json(RefusedError(500, "error", kind="server_error")))
        else:
            connection.respond(200, headers, body)

    def _end_stream(self, work: Work, connection: Connection) -> None:
        if work.broken == "reset_mid":
            connection.reset()
            return
        if work.broken == "truncated":
            connection.close()
            return
        if work.broken == "stream_error":
            connection.send_chunk(replies.STREAM_ERROR)
        elif work.broken != "no_done":
            wanted = bool((work.body.get("stream_options") or {}).get("include_usage"))
            connection.send_chunk(replies.last_events(work.said, self._usage(work), include_usage=wanted))
            connection.send_chunk(replies.DONE)
        connection.send_chunk(b"")

    def _usage(self, work: Work) -> dict[str, Any] | None:
        if work.prompt.api == "chat":
            return spoil_usage(work.fault, replies.chat_usage(work.charge, work.said, self.settings.usage_style))
        return spoil_usage(work.fault, replies.responses_usage(work.charge, work.said))

    def _headers(self, row: Row) -> dict[str, str]:
        return {"x-request-id": f"req_sim_{row.index}", "openai-processing-ms": "0"}

    def _notify(self) -> None:
        with self.changed:
            self.changed.notify_all()


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(body)
    except ValueError as error:
        raise RefusedError(400, "We could not parse the JSON body of your request.") from error
    if not isinstance(parsed, dict):
        raise RefusedError(400, "We could not parse the JSON body of your request: not an object.")
    return parsed
