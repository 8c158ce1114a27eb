import itertools
import re
from collections.abc import Callable

import pytest

from analyzer.models.text import Block, Chapter, Span

_END = re.compile(r"(?<=[.!?])(?<!M\.)[”\"»’]?\s+(?=\S)|(?<=[。！？])[」』”]?(?=[^」』”])")


def _spans(text: str) -> tuple[Span, ...]:
    cuts = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return tuple(Span(a, b) for a, b in itertools.pairwise(cuts) if b > a)


@pytest.fixture
def chapter_of() -> Callable[[str, str], Chapter]:
    """A chapter made of the lines of a text."""

    def build(text: str, language: str) -> Chapter:
        blocks, at = [], 0
        for line in text.split("\n"):
            if line.strip():
                start = at + len(line) - len(line.lstrip())
                words = line.strip()
                blocks.append(Block(no=len(blocks) + 1, start=start, text=words, sentences=_spans(words)))
            at += len(line) + 1
        return Chapter(no=1, start=0, body_start=0, end=len(text), language=language, blocks=tuple(blocks))

    return build
