"""Gold chapters to files: whole or not at all, the same bytes for the same gold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evals.files import write_whole


def write_chapters(chapters: Mapping[str, Mapping[str, Any]], out: Path) -> tuple[Path, ...]:
    """Write every chapter into `out` by its file name, each whole or not at all; raises InputError where it cannot."""
    for name, gold in chapters.items():
        write_whole(out / name, json.dumps(gold, ensure_ascii=False, indent=1) + "\n")
    return tuple(out / name for name in chapters)
