"""The base of all records: frozen, no unknown fields, no NaN, no lone surrogates."""

from __future__ import annotations

import math
import re
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from analyzer.wording import counted

_SURROGATE = re.compile("[\ud800-\udfff]")


LONGEST_SAID = 60
"""Characters shown of a value that is wrong."""


class Record(BaseModel):
    """A frozen record; strings without lone surrogates, floats finite."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _reject_unstorable(cls, data: Any) -> Any:
        if isinstance(data, dict):
            for name, value in data.items():  # a run makes hundreds of thousands of records
                if isinstance(value, str):
                    if not value.isascii() and _SURROGATE.search(value):
                        raise ValueError(f"{name} holds a lone surrogate")
                elif isinstance(value, float) and not math.isfinite(value):
                    raise ValueError(f"{name} is {value!r}, a finite number was expected")
        return data


def fault_of(error: ValidationError) -> str:
    """Return the first fault in words, "chapters[0].usd: input should be …, got 1e+308", and how many more there are."""
    first, *more = error.errors(include_url=False, include_context=False)
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).lstrip(".")
    told = first["msg"].removeprefix("Value error, ")
    value = first["input"]
    plain = isinstance(value, str | int | float | bool | None) and first["type"] != "json_invalid"
    got = f", got {_short(value)}" if plain else ""
    rest = f" (and {counted(len(more), 'more fault')})" if more else ""
    return (f"{field}: " if field else "") + told[:1].lower() + told[1:] + got + rest


def _short(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > LONGEST_SAID * 3:
        return f"an integer of {value.bit_length()} bits"
    told = repr(value)
    return told if len(told) <= LONGEST_SAID else f"{told[:LONGEST_SAID]}…"
