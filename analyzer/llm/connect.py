"""From the words after `--model` to a transport."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, cast

from analyzer.errors import ConfigError
from analyzer.llm.asker import Asker, Profile
from analyzer.llm.prices import price_of, providers, tier_price_of
from analyzer.llm.profiles import (
    COMPATIBLE,
    DECISIONS,
    DECISIONS_COMPATIBLE,
    OPENAI,
    gpt_version,
    named_profile,
)
from analyzer.models.text import Manuscript

ALLOWED = (
    "gpt-… (OpenAI), decisions:gpt-6-luna (its decisions endpoint), provider/model (anthropic, gemini, deepseek or another of "
    "litellm's), local:FILE.gguf, inbox:DIR, rules, gold or gold:DIR, and any name together with --base-url"
)
"""What `--model` may be."""
BASE_URL_KEY_ENV = "ANALYZER_BASE_URL_KEY"
"""Where the key of a server at `--base-url` is looked for; none is needed, and OpenAI's key never goes there."""
BEYOND_RULES = ("identities", "state", "secrets", "knowledge", "threads")
"""Parts of the story that no rule tells from the words; who speaks, and the people and places of a card, rules tell."""


def connect(
    spec: str,
    *,
    base_url: str | None = None,
    manuscript: Manuscript | None = None,
    profile: str | Profile | None = None,
    lean: bool = False,
    wait_s: float = 0.0,
    untested: bool = False,
    flex: bool = False,
) -> Asker:
    """Return the transport that `spec` names; imports what it needs and nothing else.

    `base_url` makes any other name an OpenAI-compatible model there. `profile` overrides what is known of the provider (by name:
    one of `PROFILES`). `lean` and `wait_s` are for `inbox:DIR`. A
    `local:` model passes an entrance test before its first question, unless `untested`. `manuscript` is what gold and rules answer about.

    `flex` asks at the slower tier, for less.

    Raises ConfigError: an unknown spec, a tier that is not offered, a missing file, folder or extra; PermanentModelError: a missing key.
    """
    kind, _, rest = spec.strip().partition(":")
    chosen = _profile(profile)
    if spec != spec.strip() or not spec or not spec.isprintable():
        raise _unknown(spec)
    if flex:
        return _at_flex(spec, base_url, chosen)
    if kind in ("rules", "gold") and (kind == "gold" or not rest) and base_url is None:
        return _offline(kind, rest, manuscript)
    if kind == "inbox" and base_url is None:
        return _inbox(rest, lean=lean, wait_s=wait_s)
    if kind == "local" and base_url is None:
        return _local(rest, chosen, untested=untested)
    if kind == "decisions":
        return _decisions(rest, base_url, chosen)
    return _model(spec, base_url, chosen)


def check_spec(spec: str, *, manuscript: Manuscript, base_url: str | None = None) -> None:
    """Raise as `connect` would for a name that is nothing known, or files that are not there; needs no key and writes nothing."""
    kind, _, rest = spec.strip().partition(":")
    offline = base_url is None
    if offline and (kind == "gold" or spec == "rules" or (kind == "local" and rest)):
        connect(spec, manuscript=manuscript, untested=True)
    elif offline and kind == "inbox" and rest:
        if Path(rest).exists() and not Path(rest).is_dir():
            raise ConfigError(f"inbox needs a folder, {rest!r} is none: --model inbox:DIR", where="--model")
    elif offline and kind in ("inbox", "local"):
        connect(spec)
    elif spec != spec.strip() or not spec or not spec.isprintable():
        raise _unknown(spec)
    elif kind == "decisions":
        _decides(rest, base_url)
    elif offline:
        _known(spec)


def answers_for_nothing(spec: str) -> bool:
    """Say whether `spec` names what answers on this machine: code, gold, people, a model file."""
    return spec.split(":")[0] in {"rules", "gold", "inbox", "local", "replay"}


def left_out(spec: str) -> tuple[str, ...]:
    """Return the parts of which those whom `spec` names can say nothing at all: asked, they would answer with hyphens."""
    return BEYOND_RULES if answering_name(spec) == "rules" else ()


def answering_name(spec: str) -> str:
    """Return the name under which the transport of `spec` answers, as it is stored with every answer; connects to nothing."""
    kind, _, rest = spec.strip().partition(":")
    if kind in ("rules", "gold", "inbox", "replay"):
        return kind
    if kind == "local":
        return f"local:{Path(rest).name}"
    return spec.removeprefix("openai/")


def answering_names(spec: str) -> frozenset[str]:
    """Return all names under which answers of `spec` are stored: its own, and that of the chat beside a decisions endpoint."""
    name = answering_name(spec)
    return frozenset({name, name.removeprefix("decisions:")})


def _model(spec: str, base_url: str | None, profile: Profile | None) -> Asker:
    if base_url is None and not _known(spec):
        from analyzer.llm.transports.litellm_chat import LitellmChat

        return LitellmChat(spec, profile=profile)
    if base_url is None:
        spec = spec.removeprefix("openai/")
    from analyzer.llm.transports.openai_chat import OpenAIChat

    if base_url is None:
        return OpenAIChat(spec, profile=profile)
    chat = OpenAIChat(spec, base_url=base_url, api_key_env=BASE_URL_KEY_ENV, profile=profile)
    if chat.profile.answer_format == "letter_json":
        from analyzer.llm.transports.letter_chat import LetterChat

        return LetterChat(chat)
    return chat


def _at_flex(spec: str, base_url: str | None, profile: Profile | None) -> Asker:
    """Return OpenAI's chat at its flex tier; raises ConfigError where whoever `spec` names offers none."""
    name = spec.removeprefix("openai/")
    if base_url is not None and not (profile is not None and profile.priced):
        raise ConfigError(
            "--when flex: what the server at --base-url charges is not known",
            where="--when",
            hint="leave --when out, or ask OpenAI itself without --base-url",
        )
    check_flex(name)
    from analyzer.llm.transports.openai_chat import OpenAIChat

    if base_url is None:
        return OpenAIChat(name, profile=profile, flex=True)
    return OpenAIChat(name, base_url=base_url, api_key_env=BASE_URL_KEY_ENV, profile=profile, flex=True)


def check_flex(name: str, *, priced: bool = True) -> None:
    """Raise ConfigError where the flex tier is not offered: only OpenAI's chat is asked there, for models with such a price."""
    if not priced or not name.startswith(("gpt-", "o3", "o4")) or tier_price_of(name, "flex") is None:
        raise ConfigError(
            f"--when flex: no flex tier is known for {name[:80]!r}; OpenAI offers one for its newer chat models",
            where="--when",
            hint="leave --when out, or ask for instance --model gpt-6-luna",
        )


def _decisions(name: str, base_url: str | None, profile: Profile | None) -> Asker:
    """Return the decisions endpoint of a model beside its chat; `profile` may be that of either."""
    _decides(name, base_url)
    from analyzer.llm.transports.decisions import Decisions
    from analyzer.llm.transports.openai_chat import OpenAIChat

    marked = profile.cache_marks if profile else base_url is None
    own = profile if profile and profile.max_decisions else DECISIONS if marked else DECISIONS_COMPATIBLE
    beside = profile if profile and not profile.max_decisions else OPENAI if marked else COMPATIBLE
    if base_url is None:
        return Decisions(OpenAIChat(name, profile=beside), own)
    return Decisions(OpenAIChat(name, base_url=base_url, api_key_env=BASE_URL_KEY_ENV, profile=beside), own)


def _decides(name: str, base_url: str | None) -> None:
    """Raise ConfigError where no model is named, or OpenAI has no decisions endpoint for it: none has one without a price."""
    if not name or (base_url is None and price_of(f"decisions:{name}") is None):
        hint = "decisions:NAME asks a server of your own, together with --base-url"
        raise ConfigError(
            f"--model decisions:{name[:60]} names no model that OpenAI lets decide; allowed: decisions:gpt-6-luna",
            where="--model",
            hint=hint,
        )


def _known(spec: str) -> bool:
    """Say whether a provider's model is OpenAI's own; raises ConfigError where `spec` names no provider and no model of OpenAI's."""
    provider, slash, name = spec.partition("/")
    if slash and provider != "openai":
        if not name or provider not in providers():
            raise _unknown(spec)
        return False
    name = name if slash else spec
    if gpt_version(name) is None and not name.startswith(("gpt-", "o1", "o3", "o4", "chatgpt-")):
        raise _unknown(spec)
    return True


def _offline(kind: str, rest: str, manuscript: Manuscript | None) -> Asker:
    if manuscript is None:
        raise ConfigError(f"--model {kind} answers about a manuscript, and there is none", where="--model")
    module: Any = importlib.import_module(f"analyzer.llm.transports.{kind}")
    if kind == "rules":
        return cast(Asker, module.RuleAnswers(manuscript))
    return cast(Asker, module.GoldAnswers.open(Path(rest) if rest else None, manuscript))


def _inbox(rest: str, *, lean: bool, wait_s: float) -> Asker:
    if not rest:
        raise ConfigError("inbox needs a folder: --model inbox:DIR", where="--model")
    from analyzer.llm.transports.inbox import Inbox

    return Inbox(Path(rest), lean=lean, wait_s=wait_s)


def _local(rest: str, profile: Profile | None, *, untested: bool) -> Asker:
    if not rest:
        raise ConfigError("local needs a model file: --model local:FILE.gguf", where="--model")
    from analyzer.llm.entrance import Examined
    from analyzer.llm.transports.local import LocalModel

    model = LocalModel(Path(rest), profile=profile) if profile else LocalModel(Path(rest))
    return model if untested else Examined(model)


def _profile(profile: str | Profile | None) -> Profile | None:
    if profile is None or isinstance(profile, Profile):
        return profile
    return named_profile(profile)


def _unknown(spec: str) -> ConfigError:
    hint = "a model on a server of your own also needs --base-url"
    return ConfigError(f"--model {spec[:80]!r} names nothing known; allowed: {ALLOWED}", where="--model", hint=hint)
