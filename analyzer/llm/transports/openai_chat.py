"""OpenAI, and any server that speaks its chat completions: one text part a prefix part, explicit cache breakpoints, no retries.

At OpenAI itself (or wherever the profile marks the cache) every prefix part ends in a breakpoint and the mode is explicit, so
that the questions are never written to the cache. Elsewhere the parts are joined to plain strings and no field of OpenAI's own
is sent, nor its key.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from analyzer.errors import ConfigError, PermanentModelError
from analyzer.llm.asker import FLEX, Profile
from analyzer.llm.profiles import COMPATIBLE, openai_params, openai_profile
from analyzer.llm.transports.chat_shape import (
    REFUSED_BODY,
    Joiner,
    marked_messages,
    plain_messages,
    reply_from,
)
from analyzer.llm.transports.failures import is_refusal, to_model_error
from analyzer.llm.transports.keyless import keep_out_of_logs, keyless
from analyzer.llm.transports.openai_sdk import certificates, load_openai
from analyzer.models.question import Pack
from analyzer.models.run import AnsweredBy, Reply

if TYPE_CHECKING:
    import httpx2

TIMEOUT_S = 180.0
"""Longest a call may take as a whole; a packed answer of 600 tokens ends within seconds, an overloaded server gets its chance."""
CONNECT_S = 10.0
"""Longest wait for a connection."""
FLEX_TIMEOUT_S = 900.0
"""The same at the flex tier, which is slower. Source: what the provider's page on flex processing advises."""
OPENAI_URL = "https://api.openai.com/v1"
_NO_KEY = "unused"
"""Stands where the SDK wants a key and the server does not."""
BREAKPOINT = {"prompt_cache_breakpoint": {"mode": "explicit"}}
"""What ends a prefix part at OpenAI."""


def missing_key(model: str, key_env: str) -> PermanentModelError:
    """Return the error shown where a provider's key is not set."""
    message = (
        f"{key_env} is not set, and {model!r} needs it: set it in the environment, or use what needs no key: "
        "--model local:FILE.gguf (a model on this machine), --model inbox:FOLDER (prompts as files, answered by hand) or "
        "--model rules (code alone)"
    )
    return PermanentModelError(message, where=f"environment variable {key_env}", hint=f"export {key_env}=…")


def read_key(model: str, key_env: str) -> str:
    """Return the key in `key_env`; raises PermanentModelError where it is not set, ConfigError where it cannot be a key.

    The key is in no message.
    """
    key = os.environ.get(key_env, "").strip()
    if not key:
        raise missing_key(model, key_env)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(f"{key_env} holds characters no key has", hint=f"set {key_env} again, without line ends")
    return key


def checked_base_url(url: str) -> str:
    """Return `url` without a closing slash, `/v1` added where it has no path; raises ConfigError where it is no http address."""
    try:
        shown = urlsplit(url.strip())
        fits = shown.scheme in ("http", "https") and shown.hostname and shown.port != 0 and url.strip().isprintable()
    except ValueError:  # a port beyond 65535, half an IPv6 address
        shown, fits = urlsplit(""), False
    if not fits or shown.username or shown.password or shown.query or shown.fragment:
        raise ConfigError(
            "the base URL must be http(s)://HOST[:PORT][/PATH], without a user or a query",
            where="--base-url",
            hint="pass for instance --base-url http://127.0.0.1:8080/v1",
        )
    return urlunsplit((shown.scheme, shown.netloc, shown.path.rstrip("/") or "/v1", "", ""))


class OpenAIChat:
    """A model behind chat completions. Spends money where its profile is priced.

    `base_url` None is OpenAI (`OPENAI_BASE_URL` is not read). `profile` and `params` default to the model's own, or to
    `COMPATIBLE` where there is a base URL. With a base URL the key is read from `api_key_env` only where that is not OpenAI's.
    `flex` asks for the slower tier, in seconds `timeout_s` (None: what the tier wants): a reply it served says so in `finish`.
    `transport` replaces the network in tests.

    Raises PermanentModelError where a needed key is missing, ConfigError for a malformed address.
    """

    answered_by: AnsweredBy = "model"

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key_env: str = "OPENAI_API_KEY",
        profile: Profile | None = None,
        params: dict[str, object] | None = None,
        timeout_s: float | None = None,
        flex: bool = False,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.model = model
        self.profile = profile or (openai_profile(model) if base_url is None else COMPATIBLE)
        at_openai = base_url is None or self.profile.cache_marks
        self.params: dict[str, object] = (
            params if params is not None else (openai_params(model) if at_openai else {"temperature": 0})
        )
        self._url = OPENAI_URL if base_url is None else checked_base_url(base_url)
        self._limit_name = "max_completion_tokens" if at_openai else "max_tokens"
        self._key_env = "" if base_url is not None and api_key_env == "OPENAI_API_KEY" else api_key_env
        self._key = self._find_key(needed=base_url is None)
        if self._key != _NO_KEY:
            keep_out_of_logs(self._key)
        self.flex = flex
        self._timeout_s = timeout_s or (FLEX_TIMEOUT_S if flex else TIMEOUT_S)
        self._client = self._connect(transport)

    def _find_key(self, *, needed: bool) -> str:
        if needed:
            return read_key(self.model, self._key_env)
        return read_key(self.model, self._key_env) if self._key_env and os.environ.get(self._key_env) else _NO_KEY

    def _connect(self, transport: httpx2.AsyncBaseTransport | None) -> Any:
        import httpx2

        openai = load_openai()
        trust_env = not is_loopback(self._url)
        http_client = httpx2.AsyncClient(
            transport=transport,
            verify=certificates(trust_env=trust_env),
            timeout=httpx2.Timeout(self._timeout_s, connect=min(CONNECT_S, self._timeout_s)),
            trust_env=trust_env,
            follow_redirects=False,
            limits=httpx2.Limits(max_connections=128, max_keepalive_connections=32),
        )
        client = openai.AsyncOpenAI(
            api_key=self._key, base_url=self._url, max_retries=0, timeout=self._timeout_s, http_client=http_client
        )
        if self._key == _NO_KEY:
            # the SDK takes these from the environment; they are OpenAI's business only
            client.organization = client.project = None
        self._http = http_client
        named = {"OpenAI-Organization": client.organization, "OpenAI-Project": client.project}
        self._headers = {
            "Authorization": f"Bearer {self._key}",
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": client.user_agent,
            **{name: value for name, value in named.items() if value},
        }
        self._timed_out = openai.APITimeoutError
        self._foreign: tuple[type[BaseException], ...] = (
            openai.OpenAIError, httpx2.HTTPError, json.JSONDecodeError, OSError,
        )  # fmt: skip
        return client

    def request(self, pack: Pack, *, max_output_tokens: int) -> dict[str, Any]:
        """Return the body that `ask` sends for `pack`, apart from streaming."""
        messages = marked_messages(pack, BREAKPOINT) if self.profile.cache_marks else plain_messages(pack)
        body: dict[str, Any] = {"model": self.model, "messages": messages, self._limit_name: max_output_tokens}
        if self.profile.cache_marks:
            body["prompt_cache_options"] = {"mode": "explicit"}
        if self.flex:
            body["service_tier"] = FLEX
        return {**body, **self.params}

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Send `pack` and return the reply; raises TransientModelError or PermanentModelError. Can spend.

        Streams where the profile releases the others at the first event, and calls `on_first_event` there.
        """
        body = self.request(pack, max_output_tokens=max_output_tokens)
        found = await self.complete(body, on_first_event)
        marked = self.profile.cache_marks
        reply = reply_from(found, pack, model=self.model, max_output_tokens=max_output_tokens, writes_cache=marked)
        if self.flex and isinstance(found, Mapping) and found.get("service_tier") == FLEX:
            reply = reply.model_copy(update={"finish": f"{reply.finish} {FLEX}"})
        return reply if self._key == _NO_KEY else keyless(reply, self._key)

    async def complete(self, body: dict[str, Any], on_first_event: Callable[[], None] | None = None) -> object:
        """Send a request body and return the completion as a dict (or whatever the server sent); errors as for `ask`."""
        if self.profile.release == "first_event":
            return await self._sent(lambda: self._stream(body, on_first_event))
        return await self._sent(lambda: self._read(body))

    async def _read(self, body: dict[str, Any]) -> object:
        """Return the JSON of a whole completion: sent as it stands, a refusal judged by the SDK.

        The SDK's own way copies and checks body and reply on the way, which took more of a call's CPU than all else the client does.
        """
        import httpx2

        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            response = await self._http.post(f"{self._url}/chat/completions", content=content, headers=self._headers)
        except httpx2.TimeoutException as error:
            raise self._timed_out(request=error.request) from error
        if response.is_success:
            return json.loads(response.content)
        raise self._client._make_status_error_from_response(response)

    async def decide(self, body: dict[str, Any]) -> object:
        """Send a body to the decisions endpoint and return what came as a dict; errors and `REFUSED_BODY` as for `complete`."""
        known = {"model": body["model"], "input": (), "questions": ()}
        return await self._sent(lambda: self._client.decisions.create(**known, extra_body=body))

    async def _sent(self, send: Callable[[], Awaitable[object]]) -> object:
        try:
            async with asyncio.timeout(self._timeout_s):
                return as_dict(await send())
        except self._foreign as error:
            if is_refusal(error):
                return REFUSED_BODY
            raise to_model_error(error, model=self.model, key_env=self._key_env, secrets=(self._key,)) from None

    async def _stream(self, body: dict[str, Any], on_first_event: Callable[[], None] | None) -> dict[str, Any]:
        stream = await self._client.chat.completions.create(
            **_as_it_stands(body), stream=True, stream_options={"include_usage": True}
        )
        joiner = Joiner(self.model, on_first_event)
        async with stream:
            async for chunk in stream:
                joiner.add(as_dict(chunk))
        return joiner.body()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _as_it_stands(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments by which the SDK sends `body` without looking at its messages: that took it 2 ms a call."""
    return {**body, "messages": (), "extra_body": {"messages": body["messages"]}}


def as_dict(found: object) -> object:
    """Return an SDK object as a dict, anything else as it is."""
    dump = getattr(found, "model_dump", None)
    return dump(warnings=False) if callable(dump) else found


def is_loopback(url: str) -> bool:
    """Say whether `url` is on this machine, where a proxy of the environment must not come between."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
