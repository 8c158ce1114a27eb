"""One profile a provider: how its cache is marked and when it can be read, which format it answers in, whether it costs.

A new provider is one row here and, where its cache wants marks, one branch in its transport. Figures come from the vendors'
pages as of 2026-11-29; those found by evaluation say so.
"""

from __future__ import annotations

import re

from analyzer.errors import ConfigError
from analyzer.llm.asker import Profile

OPENAI = Profile(
    name="openai",
    release="first_end",
    cache_marks=True,
    min_prefix_tokens=1024,
    cache_lifetime_s=1800.0,
    calls_per_prefix=15,
)
"""GPT-5.6 and later: explicit breakpoints, 1,024 visible tokens at least. When an entry can be read while its writer still
runs is undocumented, so the others wait for its end. An entry is kept for 30 minutes after its last use, at least; "traffic above
15 requests per minute can lead to overflow routing", to machines without it (prompt caching guide)."""

OPENAI_OLDER = Profile(
    name="openai-older", release="first_end", min_prefix_tokens=1024, cache_unit=128, calls_per_prefix=15
)
"""Models before GPT-5.6: automatic caching; they refuse the explicit fields with a 400."""

ANTHROPIC = Profile(
    name="anthropic", release="first_event", cache_marks=True, min_prefix_tokens=1024, cache_lifetime_s=300.0
)
"""`cache_control` on parts, four at most; an entry can be read once the first response begins, and is kept for five minutes
after its last use (prompt caching page)."""

GEMINI = Profile(name="gemini", release="first_end", min_prefix_tokens=4096, output_tokens_per_line=96)
"""Implicit caching only: a mark would make the client create a stored cache, which is billed by the hour. From version 3 on
it thinks a little whatever is asked, and what it thinks counts as output."""

DEEPSEEK = Profile(name="deepseek", release="first_end", min_prefix_tokens=64, cache_unit=64)
"""Automatic, in units of 64 tokens, best effort."""

OTHER = Profile(name="other", release="first_end", concurrency=4)
"""A provider without a row of its own: no marks, nothing assumed about its cache."""

COMPATIBLE = Profile(name="compatible", release="first_end", min_prefix_tokens=0, priced=False, concurrency=4)
"""Any server that speaks chat completions at the user's own address: no key, no price, no provider's fields."""

DECISIONS = OPENAI.model_copy(update={"name": "decisions", "max_decisions": 400, "max_choices": 255})
"""OpenAI's decisions endpoint: bounds of the API's parameter types (openai 3.57.0)."""

DECISIONS_CHOICES = DECISIONS.model_copy(update={"name": "decisions-choices", "max_options": 1})
"""The same for choices alone: selects go by chat, where in simulation a third of what they cost here (docs/decisions.md)."""

DECISIONS_COMPATIBLE = COMPATIBLE.model_copy(
    update={"name": "decisions-compatible", "max_decisions": 200, "max_choices": 26}
)
"""A server of one's own that decides: bounds of vLLM's `--enable-structured-decisions`, the narrowest known."""

LOCAL_SMALL = Profile(
    name="local-small",
    release="first_end",
    min_prefix_tokens=0,
    max_pack=1,
    max_options=5,
    answer_format="letter_json",
    priced=False,
    concurrency=1,
)
"""A GGUF file on this machine. A 1.5B model was right in 54 % with a bare letter, 72 % inside JSON, 78 % by majority over
three option orders, one question a call (32 questions, chance 26 %)."""

HAND = Profile(name="hand", release="at_once", min_prefix_tokens=0, priced=False, concurrency=64)
"""Answers from people's files: nothing is cached, everything may be asked at once."""

OFFLINE = Profile(name="offline", release="at_once", min_prefix_tokens=0, priced=False, concurrency=8)
"""Answers made by code: gold, rules, scripted, replay."""

_PROFILES = (
    OPENAI, OPENAI_OLDER, DECISIONS, DECISIONS_CHOICES, ANTHROPIC, GEMINI, DEEPSEEK, OTHER, COMPATIBLE, DECISIONS_COMPATIBLE,
    LOCAL_SMALL, HAND, OFFLINE,
)  # fmt: skip
PROFILES: dict[str, Profile] = {profile.name: profile for profile in _PROFILES}
"""Every profile by name."""


def named_profile(name: str) -> Profile:
    """Return the profile of this name; raises ConfigError naming those there are."""
    if name not in PROFILES:
        raise ConfigError(f"there is no profile {name!r}; known are {', '.join(sorted(PROFILES))}", where="--profile")
    return PROFILES[name]


_GPT = re.compile(r"gpt-([0-9]+)(?:\.([0-9]+))?(?![0-9.]*o)")
_ANTHROPIC_MINIMUM = (
    (re.compile(r"haiku-4|opus-4-[56]"), 4096),
    (re.compile(r"opus-4-7"), 2048),
    (re.compile(r"sonnet-(?:4|5(?!-5))|opus-4-8"), 1024),
    (re.compile(r"haiku-5|sonnet-5-5|opus-5|fable|mythos"), 512),
)
"""Fewest tokens that are cached at all, by model; below, nothing is cached and nothing is said (prompt caching page)."""


def gpt_version(model: str) -> tuple[int, int] | None:
    """Return (6, 1) for `gpt-6.1-sol`, or None where `model` is no numbered GPT (gpt-4o counts as none)."""
    found = _GPT.match(model.rpartition("/")[2])
    return (int(found.group(1)), int(found.group(2) or 0)) if found else None


def openai_profile(model: str) -> Profile:
    """Return the profile of a model at OpenAI itself; one without a number is taken for a later one only if it is newer."""
    version = gpt_version(model)
    return OPENAI if version is not None and version >= (5, 6) else OPENAI_OLDER


def openai_params(model: str) -> dict[str, object]:
    """Return the constant request fields of a model at OpenAI: no reasoning, no randomness, where it takes the fields.

    GPT-6 reasons by default, and temperature is taken only with effort `none`; before 5.1 there is no `none`.
    """
    version = gpt_version(model)
    if version is None:
        return {} if re.match(r"(?:.*/)?o[0-9]", model) else {"temperature": 0}
    if version >= (5, 1):
        return {"reasoning_effort": "none", "temperature": 0}
    return {"reasoning_effort": "minimal"} if version >= (5, 0) else {"temperature": 0}


def provider_profile(provider: str, model: str) -> Profile:
    """Return the profile of `model` at a provider reached through litellm."""
    if provider == "anthropic":
        for pattern, minimum in _ANTHROPIC_MINIMUM:
            if pattern.search(model):
                return ANTHROPIC.model_copy(update={"min_prefix_tokens": minimum})
        return ANTHROPIC
    if provider == "gemini" and "2.5" in model:
        return GEMINI.model_copy(update={"min_prefix_tokens": 2048, "output_tokens_per_line": 24})
    return {"gemini": GEMINI, "deepseek": DEEPSEEK}.get(provider, OTHER)


def provider_params(provider: str, model: str) -> dict[str, object]:
    """Return the constant request fields of `model` at a provider: thinking off where it is on by default.

    Anthropic's newer models and Gemini from 3 on take no sampling fields; the latter cannot switch thinking off, only down.
    """
    if provider == "anthropic":
        return {"thinking": {"type": "disabled"}}
    if provider == "gemini":
        return {"reasoning_effort": "none", "temperature": 0} if "2.5" in model else {"reasoning_effort": "minimal"}
    if provider == "deepseek":
        return {"thinking": {"type": "disabled"}, "temperature": 0}
    return {"temperature": 0}
