"""Name matching: 500 names over a whole novel, against one `re` alternation with word checks in the same run."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

from analyzer.text.languages import language_table
from analyzer.text.names import NameMatcher
from evals.bench import Row, generated_novel

_BOOK = "texts/count-of-monte-cristo-en/book.txt"
_CAPITALISED = re.compile(r"(?<=[a-z,;] )[A-Z]\w+(?: [A-Z]\w+)?")


def bench_names(data: Path | None) -> list[Row]:
    """Return megabytes of UTF-8 a second for matcher and `re`, names found, and milliseconds to build the matcher.

    Seconds are processor seconds, the median of five: on an idle core they are the wall's. The names are the 500 words or
    pairs that stand capitalised inside sentences most often.
    """
    text = (data / _BOOK).read_text("utf-8") if data is not None else generated_novel(2_600_000)
    names = [name for name, _ in Counter(_CAPITALISED.findall(text)).most_common(501) if name != "I"][:500]
    built = time.process_time()
    matcher = NameMatcher.build({name: [f"@{i}"] for i, name in enumerate(names, 1)}, language_table("en"))
    build_s = time.process_time() - built
    any_name = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?!\w)")
    megabytes = len(text.encode()) / 1e6
    ours = megabytes / _median_s(lambda: matcher.find(text), 5)
    reference = megabytes / _median_s(lambda: [found.span() for found in any_name.finditer(text)], 1)
    return [
        Row("names: text", megabytes, "MB"),
        Row("names: known", len(names), "names"),
        Row("names: found", len(matcher.find(text)), "mentions"),
        Row("names: build", build_s * 1000, "ms"),
        Row("names: matcher", ours, "MB/s", ours / reference),
        Row("names: re alternation", reference, "MB/s", 1.0),
    ]


def _median_s(call: Callable[[], object], n_runs: int) -> float:
    seconds = []
    for _ in range(n_runs):
        started = time.process_time()
        call()
        seconds.append(time.process_time() - started)
    return median(seconds)
