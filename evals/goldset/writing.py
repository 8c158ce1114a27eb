"""Gold chapters to files: whole or not at all, the same bytes for the same gold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.errors import InputError


def write_chapters(chapters: Mapping[str, Mapping[str, Any]], out: Path) -> tuple[Path, ...]:
    """Write every chapter into `out` by its file name, each whole or not at all; raises InputError where it cannot."""
    written = []
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, gold in chapters.items():
            new = out / f".{name}.new"
            new.write_text(json.dumps(gold, ensure_ascii=False, indent=1) + "\n", "utf-8")
            new.replace(out / name)
            written.append(out / name)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}", where=str(out)) from error
    return tuple(written)
