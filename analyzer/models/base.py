"""The base of all records: frozen, no unknown fields, no NaN, no lone surrogates."""

from __future__ import annotations

import math
import re
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

_SURROGATE = re.compile("[\ud800-\udfff]")


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
