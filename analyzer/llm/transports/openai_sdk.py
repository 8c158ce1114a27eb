"""OpenAI's SDK, imported on first use and without aiohttp, which only another of its transports would need."""

from __future__ import annotations

import os
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


def load_openai() -> Any:
    """Return the SDK, imported on first use: 0.5 s.

    The SDK imports aiohttp wherever that is installed (litellm brings it), 0.15 s for a client of its own that is not used
    here: `openai.DefaultAioHttpClient` then refuses, as it does where aiohttp is missing. litellm uses aiohttp itself and
    finds it as before.
    """
    with hidden("aiohttp"):
        import openai
    return openai


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """Let imports of the package `name` fail inside, unless it is loaded already; afterwards it can be imported as before.

    Holds for all threads, so only for the moment of another import.
    """
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # Python's own sign for what must not be found
    try:
        yield
    finally:
        if sys.modules.get(name, name) is None:
            del sys.modules[name]


def certificates(*, trust_env: bool) -> ssl.SSLContext:
    """Return what the HTTP client itself would trust, read once for all clients of the process: 0.03 to 0.07 s.

    `trust_env` lets SSL_CERT_FILE and SSL_CERT_DIR name other certificates. Raises OSError where they cannot be read.
    """
    return _certificates(trust_env, tuple(os.environ.get(name, "") for name in _CERTIFICATES) if trust_env else ())


@lru_cache(maxsize=8)
def _certificates(trust_env: bool, _named: tuple[str, ...]) -> ssl.SSLContext:
    import httpx2

    return httpx2.create_ssl_context(trust_env=trust_env)
