"""Every other provider, through litellm as mere transport: the messages and cache marks are built here, one profile a provider.

litellm is imported on first use (3 s, 190 MB), offline, without telemetry, its loggers silenced. It retries nothing, caches
nothing, prices nothing. A mark is sent only where the profile knows the provider's dialect: the same mark elsewhere is refused,
sent raw to unknown servers, or (Gemini) creates a stored cache that is billed by the hour.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from analyzer.errors import ConfigError
from analyzer.llm.asker import Profile
from analyzer.llm.profiles import provider_params, provider_profile
from analyzer.llm.transports.chat_shape import (
    REFUSED_BODY,
    Joiner,
    marked_messages,
    plain_messages,
    reply_from,
)
from analyzer.llm.transports.failures import is_refusal, to_model_error
from analyzer.llm.transports.keyless import keep_out_of_logs, keyless
from analyzer.llm.transports.openai_chat import TIMEOUT_S, as_dict, missing_key, read_key
from analyzer.models.question import Pack
from analyzer.models.run import AnsweredBy, Reply

KEY_ENVS: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "deepseek": ("DEEPSEEK_API_KEY",),
}
"""Where a provider's key is looked for, first found wins; others: litellm looks itself, `PROVIDER_API_KEY` as a rule."""
_MARK = {"cache_control": {"type": "ephemeral"}}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "litellm")


def load_litellm() -> Any:
    """Return litellm, imported so that it asks the network for nothing and says nothing; raises ConfigError without it."""
    os.environ["LITELLM_OFFLINE_MODE"] = "true"
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import litellm
    except ImportError as error:
        raise ConfigError(f"litellm cannot be imported: {error}", hint="pip install litellm==1.110.2") from error
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = False
    # its late imports and its replies make pydantic warn about litellm's own models
    warnings.filterwarnings("ignore", category=UserWarning, module=r"(litellm|pydantic)(\.|$)")
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.CRITICAL + 1)
        logger.propagate = False
    return litellm


def foreign_errors(modules: Iterable[Any]) -> tuple[type[BaseException], ...]:
    """Return every exception class that litellm exports, as far as it is not a builtin, plus what may pass through it."""
    import httpx
    import httpx2
    import openai

    own = {
        item
        for module in modules
        for item in tuple(vars(module).values())
        # not isinstance: a lazy stand-in would import its module to answer
        if issubclass(type(item), type)
        and issubclass(item, Exception)
        and item.__module__.startswith(("litellm", "openai"))
    }
    through = (openai.OpenAIError, httpx.HTTPError, httpx2.HTTPError, json.JSONDecodeError, OSError)
    return (*sorted(own, key=lambda item: item.__qualname__), *through)


class LitellmChat:
    """`provider/model` behind litellm. Spends money where its profile is priced.

    `api_base` replaces the provider's address (tests). Raises PermanentModelError where a known provider's key is missing.
    """

    answered_by: AnsweredBy = "model"

    def __init__(
        self,
        model: str,
        *,
        profile: Profile | None = None,
        params: dict[str, object] | None = None,
        timeout_s: float = TIMEOUT_S,
        api_base: str | None = None,
    ) -> None:
        provider, _, name = model.partition("/")
        self.model = model
        self.profile = profile or provider_profile(provider, name)
        self.params: dict[str, object] = params if params is not None else provider_params(provider, name)
        self._provider = provider
        self._key_env = self._find_key_env()
        self._key = read_key(model, self._key_env) if provider in KEY_ENVS else ""
        self._timeout_s = timeout_s
        self._api_base = api_base
        self._litellm: Any = None
        self._foreign: tuple[type[BaseException], ...] = ()

    def _find_key_env(self) -> str:
        names = KEY_ENVS.get(self._provider, (f"{self._provider.upper()}_API_KEY",))
        found = [name for name in names if os.environ.get(name, "").strip()]
        if not found and self._provider in KEY_ENVS:
            raise missing_key(self.model, names[0])
        return found[0] if found else names[0]

    def request(self, pack: Pack, *, max_output_tokens: int) -> dict[str, Any]:
        """Return the arguments that `ask` gives litellm for `pack`, apart from streaming and the key."""
        marked = self.profile.cache_marks and self._provider == "anthropic"
        return {
            "model": self.model,
            "messages": marked_messages(pack, _MARK) if marked else plain_messages(pack),
            "max_tokens": max_output_tokens,
            "num_retries": 0,
            "max_retries": 0,
            "timeout": self._timeout_s,
            **self.params,
        }

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Send `pack` and return the reply; raises TransientModelError or PermanentModelError. Can spend.

        The first call imports litellm. Streams where the profile releases the others at the first event.
        """
        self._load()
        arguments = self.request(pack, max_output_tokens=max_output_tokens)
        if self._key:
            keep_out_of_logs(self._key)
            arguments["api_key"] = self._key
        if self._api_base:
            arguments["api_base"] = self._api_base
        found = await self._complete(arguments, on_first_event)
        marked = self.profile.cache_marks
        reply = reply_from(found, pack, model=self.model, max_output_tokens=max_output_tokens, writes_cache=marked)
        return keyless(reply, self._key)

    def _load(self) -> None:
        if self._litellm is None:
            self._litellm = load_litellm()
            self._foreign = foreign_errors([self._litellm, self._litellm.exceptions])

    async def _complete(self, arguments: dict[str, Any], on_first_event: Callable[[], None] | None) -> object:
        try:
            async with asyncio.timeout(self._timeout_s):
                if self.profile.release == "first_event":
                    return await self._stream(arguments, on_first_event)
                return as_dict(await self._litellm.acompletion(**arguments))
        except self._foreign as error:
            if is_refusal(error):
                return REFUSED_BODY
            raise to_model_error(error, model=self.model, key_env=self._key_env, secrets=(self._key,)) from None

    async def _stream(self, arguments: dict[str, Any], on_first_event: Callable[[], None] | None) -> dict[str, Any]:
        options = {"include_usage": True}
        stream = await self._litellm.acompletion(**arguments, stream=True, stream_options=options)
        joiner = Joiner(self.model, on_first_event)
        async for chunk in stream:
            joiner.add(as_dict(chunk))
        return joiner.body()

    async def close(self) -> None:
        """Close the connections litellm keeps; nothing to do where it was never used."""
        if self._litellm is not None:
            await self._litellm.close_litellm_async_clients()
