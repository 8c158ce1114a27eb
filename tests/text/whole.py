"""What must hold of any manuscript that is read, and of any refusal; nothing is returned where all of it does."""

from __future__ import annotations

from pathlib import Path

from analyzer.errors import InputError
from analyzer.models.text import Manuscript
from analyzer.text.manuscript import read_manuscript


def gaps_in(read: Manuscript) -> list[str]:
    """Return where characters belong to nothing or to two, are dropped without a reason, or are not where a block says."""
    stretches = sorted([(c.start, c.end) for c in read.chapters] + [(d.start, d.end) for d in read.dropped])
    ends = [0, *(end for _, end in stretches)]
    found = [f"{start} after {end}" for (start, _), end in zip(stretches, ends, strict=False) if start != end]
    found += [f"the end is {ends[-1]} of {len(read.text)}"] if ends[-1] != len(read.text) else []
    found += [f"dropped without a reason at {one.start}" for one in read.dropped if not one.reason]
    blocks = [block for chapter in read.chapters for block in chapter.blocks]
    return found + [
        f"block at {block.start}"
        for block in blocks
        if block.text != read.text[block.start : block.start + len(block.text)]
    ]


def faults_in(path: Path) -> list[str]:
    """Return what is wrong with how a file is read, or with the one sentence and the hint by which it is refused."""
    try:
        return gaps_in(read_manuscript(path))
    except InputError as refused:
        said = str(refused)
        return [said] if str(path) not in said or "\n" in said or not refused.hint else []
