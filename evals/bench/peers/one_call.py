"""One big call: the whole chapter, all sections of a story bible in one JSON answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

from evals.bench._truth import PARTS
from evals.bench.peers._found import Found
from evals.bench.peers.sections import ask

PACKAGE = ""


def run(text: str, url: str, model: str, folder: Path) -> Found:
    """Ask for everything at once."""
    return asyncio.run(ask(text, url, model, [list(PARTS)]))
