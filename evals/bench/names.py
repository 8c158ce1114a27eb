"""Name matching: 500 names over a whole novel, against one `re` alternation and a bare automaton with word checks, in one run."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

from ahocorasick_rs import AhoCorasick, MatchKind

from analyzer.text.languages import language_table
from analyzer.text.names import NameMatcher
from evals.bench import Row, generated_novel

_BOOK = "texts/count-of-monte-cristo-en/book.txt"
BARE_SHARE = 100 / 137
"""What the matcher may fall behind a bare automaton: 100 MB/s are asked for where that one reached 137."""
_CAPITALISED = re.compile(r"(?<=[a-z,;] )[A-Z]\w+(?: [A-Z]\w+)?")


def bench_names(data: Path | None) -> list[Row]:
    """Return megabytes of UTF-8 a second for matcher and `re`, names found, and milliseconds to build the matcher.

    Seconds are processor seconds, the median of nine turns: on an idle core they are the wall's. The names are the 500 words or
    pairs that stand capitalised inside sentences most often.
    """
    text = (data / _BOOK).read_text("utf-8") if data is not None else generated_novel(2_600_000)
    names = [name for name, _ in Counter(_CAPITALISED.findall(text)).most_common(501) if name != "I"][:500]
    built = time.process_time()
    matcher = NameMatcher.build({name: [f"@{i}"] for i, name in enumerate(names, 1)}, language_table("en"))
    build_s = time.process_time() - built
    any_name = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?!\w)")
    megabytes = len(text.encode()) / 1e6
    automaton = AhoCorasick(names, MatchKind.LeftmostLongest)
    # turn about, so that a machine that slows down slows both
    turns = [(_seconds(lambda: matcher.find(text)), _seconds(lambda: _whole_words(automaton, text))) for _ in range(9)]
    ours, bare = (megabytes / median(column) for column in zip(*turns, strict=True))
    share = median(other / own for own, other in turns)
    reference = megabytes / _seconds(lambda: [found.span() for found in any_name.finditer(text)])
    return [
        Row("names: text", megabytes, "MB"),
        Row("names: known", len(names), "names"),
        Row("names: found", len(matcher.find(text)), "mentions"),
        Row("names: build", build_s * 1000, "ms"),
        Row("names: matcher", ours, "MB/s", ours / reference),
        Row("names: bare str automaton, word check", bare, "MB/s", bare / reference),
        Row("names: matcher against the bare automaton", share / BARE_SHARE, "x reference"),
        Row("names: re alternation", reference, "MB/s", 1.0),
    ]


def _whole_words(automaton: AhoCorasick, text: str) -> list[tuple[int, int, int]]:
    """Return the hits of a bare automaton that stand as words: no apostrophes, no other script, no longer names looked for."""
    last = len(text)
    return [
        (start, end, pattern)
        for pattern, start, end in automaton.find_matches_as_indexes(text)
        if (start == 0 or not text[start - 1].isalnum()) and (end == last or not text[end].isalnum())
    ]


def _seconds(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started
