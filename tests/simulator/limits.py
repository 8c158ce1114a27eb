"""Per-minute bounds: who is turned away with a 429, and which machine a request lands on."""

from __future__ import annotations

import math
import time
from collections import deque
from email.utils import formatdate

from tests.simulator.prompt import Prompt, RefusedError
from tests.simulator.settings import Limits

WINDOW_S = 60.0


class Limiter:
    """Sliding windows of one minute over simulated time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._admitted: deque[tuple[float, int]] = deque()
        self._routed: dict[bytes, deque[float]] = {}

    def admit(self, now: float, tokens: int) -> None:
        """Count a request of so many tokens (prompt and the most it may write); raises RefusedError 429 above a bound."""
        while self._admitted and self._admitted[0][0] <= now - WINDOW_S:
            self._admitted.popleft()
        bounds = self._limits
        used = sum(size for _, size in self._admitted) if bounds.tokens_per_minute else 0
        if bounds.requests_per_minute and len(self._admitted) >= bounds.requests_per_minute:
            raise self._refusal("requests", now)
        if bounds.tokens_per_minute and used + tokens > bounds.tokens_per_minute:
            raise self._refusal("tokens", now)
        self._admitted.append((now, tokens))

    def _refusal(self, kind: str, now: float) -> RefusedError:
        wait_s = self._admitted[0][0] + WINDOW_S - now if self._admitted else WINDOW_S
        headers = {
            "seconds": {"retry-after": str(max(1, math.ceil(wait_s)))},
            "ms": {"retry-after-ms": str(max(1, math.ceil(wait_s * 1000)))},
            "date": {"retry-after": formatdate(time.time() + wait_s, usegmt=True)},
            "none": {},
        }[self._limits.retry_after]
        message = f"Rate limit reached on {kind} per minute. Please try again in {wait_s:.3f}s."
        return RefusedError(429, message, kind=kind, code="rate_limit_exceeded", headers=headers)

    def machine(self, prompt: Prompt, now: float) -> int:
        """Return the machine of this request: 0, or further on for every so many requests a minute on its routing key."""
        if not self._limits.overflow_per_minute:
            return 0
        place = 0
        if self._limits.overflow_key == "last_breakpoint":
            place = max((i for i, part in enumerate(prompt.parts) if part.mark), default=0)
        key = prompt.namespace.encode("utf-8", "surrogatepass") + prompt.parts[place].chain
        arrivals = self._routed.setdefault(key, deque())
        while arrivals and arrivals[0] <= now - WINDOW_S:
            arrivals.popleft()
        arrivals.append(now)
        return (len(arrivals) - 1) // self._limits.overflow_per_minute

    def clear(self) -> None:
        """Forget all traffic."""
        self._admitted.clear()
        self._routed.clear()
