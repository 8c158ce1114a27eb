"""What a model costs: our own table first, then the table inside the installed litellm, read as a file.

An unknown model has no price (None): unpriced, never free. A row of zeros in a foreign table counts as unknown too.
"""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from typing import Any, Literal

from analyzer.errors import DefinitionError
from analyzer.models.run import Price

_MAP_FILE = "model_prices_and_context_window_backup.json"
_DATED = re.compile(r"-20[0-9]{2}-?[0-9]{2}-?[0-9]{2}\Z")
_CHAT = frozenset({"chat", "responses", "completion"})
_MILLION = 1_000_000
DECISIONS = "decisions:"
"""How names of rows for a decisions endpoint begin: the only ones whose output may cost nothing."""
_MAKERS = frozenset({"openai", "anthropic", "gemini", "deepseek"})
"""Prefixes that mean the model's maker; at a reseller (`azure/…`) the same name may cost something else."""
_READ = {"1.110.2": "2026-11-29"}
"""On which day the map of a litellm version was read and compared with the vendors' pages."""


def price_of(model: str, *, on: date | None = None) -> Price | None:
    """Return the price of `model` (with or without its provider's prefix, with or without a dated suffix), or None.

    `on` is the day of the call, today by default: some prices end. Our own rows win over litellm's. Reads two files once;
    litellm itself is not imported.
    """
    day = on or datetime.now(UTC).date()
    names = _names(model)
    for name in names:
        for price, first, until in _rows():
            if price.model == name and first <= day < until:
                return price
    for name in names:
        row = litellm_map().get(name)
        if row is not None:
            return _foreign(model, row)
    return None


Tier = Literal["batch", "flex"]
"""How a call may be sent for less: in a batch that is answered within a day, or at a slower tier, one by one."""
_TIER_FIELDS: dict[Tier, str] = {"batch": "_batches", "flex": "_flex"}


def tier_price_of(model: str, tier: Tier, *, on: date | None = None) -> Price | None:
    """Return the price of `model` at a slower tier, None where the model has no price or the table names no such tier for it.

    Each class is our own standard rate times the share the installed litellm's map gives for that class, since not every provider
    halves all of them. A write that the map does not name costs what fresh input costs there.
    """
    price = price_of(model, on=on)
    row = next((row for name in _names(model) if (row := litellm_map().get(name)) is not None), None)
    if price is None or row is None or model.startswith(DECISIONS):
        return None
    fresh, output = (_share(row, f"{name}_cost_per_token", tier) for name in ("input", "output"))
    if fresh is None or output is None:
        return None
    read = _share(row, "cache_read_input_token_cost", tier)
    write = _share(row, "cache_creation_input_token_cost", tier)
    rate = price.input * fresh
    return price.model_copy(
        update={
            "input": round(rate, 9),
            "cache_read": round(rate if read is None else price.cache_read * read, 9),
            "cache_write": round(rate if write is None else price.cache_write * write, 9),
            "output": round(price.output * output, 9),
            "source": f"{price.source}; {tier}: litellm {litellm_version()} price map",
        }
    )


def _share(row: Mapping[str, Any], name: str, tier: Tier) -> float | None:
    """Return what a class costs at a tier as a share of its standard rate, None where either is not in the map."""
    standard, slower = _cost(row, name), _cost(row, name + _TIER_FIELDS[tier])
    return slower / standard if standard and slower else None


def nearest_names(model: str, *, n: int = 3) -> tuple[str, ...]:
    """Return up to `n` names of models with a price that look most like `model`, the likest first; our own rows first of equals."""
    from rapidfuzz import process

    known = dict.fromkeys([price.model for price, _, _ in _rows()] + [name for name in litellm_map() if price_of(name)])
    return tuple(name for name, _, _ in process.extract(model, list(known), limit=n, score_cutoff=LIKE))


LIKE = 60.0
"""Names less alike than this (of 100) are not offered. Source: typing errors in the names of our own rows score above 85."""


def _names(model: str) -> tuple[str, ...]:
    """Return the names `model` may have in a table: as given, without the maker's own prefix, without a date."""
    provider, _, bare = model.rpartition("/")
    names = [model, bare] if provider in _MAKERS else [model]
    return tuple(dict.fromkeys([*names, *(_DATED.sub("", name) for name in names)]))


@cache
def _rows() -> tuple[tuple[Price, date, date], ...]:
    text = resources.files("analyzer.llm").joinpath("prices.toml").read_text(encoding="utf-8")
    rows = []
    for row in tomllib.loads(text).get("price", ()):
        first = date.fromisoformat(row.pop("from", "0001-01-01"))
        until = date.fromisoformat(row.pop("until", "9999-12-31"))
        price = Price(**row)
        free_output = price.model.startswith(DECISIONS) and price.output == 0
        if min(price.input, price.cache_read, price.cache_write) <= 0 or not (price.output > 0 or free_output):
            raise DefinitionError(f"prices.toml: {price.model!r} has a price that is not above 0")
        rows.append((price, first, until))
    return tuple(rows)


@cache
def litellm_map() -> Mapping[str, Any]:
    """Return the price map of the installed litellm as a dict, {} where there is none; $ per token, read without importing."""
    path = _map_path()
    if path is None:
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    return found if isinstance(found, dict) else {}


@cache
def litellm_version() -> str:
    """Return the version of the installed litellm, for the source of a price."""
    return metadata.version("litellm")


@cache
def providers() -> frozenset[str]:
    """Return the provider prefixes litellm's map knows, for checking `provider/model`."""
    named = {str(row.get("litellm_provider", "")) for row in litellm_map().values() if isinstance(row, dict)}
    return frozenset(name for name in named if name.replace("_", "").replace("-", "").isalnum())


def _map_path() -> Path | None:
    spec = importlib.util.find_spec("litellm")
    for root in (spec.submodule_search_locations or []) if spec else []:
        path = Path(root) / _MAP_FILE
        if path.is_file():
            return path
    return None


def _foreign(model: str, row: Mapping[str, Any]) -> Price | None:
    fresh, output = _cost(row, "input_cost_per_token"), _cost(row, "output_cost_per_token")
    if fresh is None or output is None or row.get("mode", "chat") not in _CHAT:
        return None
    context = row.get("max_input_tokens")
    return Price(
        model=model,
        input=fresh,
        cache_read=_cost(row, "cache_read_input_token_cost") or fresh,
        cache_write=_cost(row, "cache_creation_input_token_cost") or fresh,
        output=output,
        source=f"litellm {litellm_version()} price map",
        date=_READ.get(litellm_version(), ""),
        context_tokens=context if isinstance(context, int) and context > 0 else None,
    )


def _cost(row: Mapping[str, Any], name: str) -> float | None:
    """Return dollars per million tokens, None where the field is missing, no number, or not above 0."""
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        return None
    return round(float(value) * _MILLION, 9)
