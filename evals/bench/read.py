"""Reading: seconds to read a whole book and split it into chapters, blocks and sentences, in a process of its own each time."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evals.bench import Row, generated_novel
from evals.bench.startup import AS_INSTALLED, N_TIMES
from tests import epubs

TARGET_S = 2.0
"""What the first figure may take: the whole Count of Monte Cristo, 2.6 million characters, from the start of the program."""
_BOOK = "texts/count-of-monte-cristo-en/book.epub"
_N_CHAPTERS = 117
_N_CHARS = 2_600_000
_PROGRAM = """
import json, sys, time
started = time.perf_counter()
from pathlib import Path
from analyzer.text.manuscript import read_manuscript
book = read_manuscript(Path(sys.argv[1]))
print(json.dumps([time.perf_counter() - started, time.process_time(), len(book.text), len(book.chapters)]))
"""


def bench_read(data: Path | None) -> list[Row]:
    """Return the median of five; `data` is a manuscript, a folder with texts/, or None for a novel made by code."""
    with _book(data) as path:
        _once(path)  # compiles what is imported
        figures = [_once(path) for _ in range(N_TIMES)]
    walls, cpus, sizes, chapters = zip(*figures, strict=True)
    wall = statistics.median(walls)
    return [
        Row("read: text", sizes[0], "chars"),
        Row("read: chapters", chapters[0], "chapters"),
        Row("read: read and split, median of 5", wall, "s", wall / TARGET_S),
        Row("read: read and split, fastest of 5", min(walls), "s", min(walls) / TARGET_S),
        Row("read: CPU with start, median of 5", statistics.median(cpus), "s"),
    ]


def _once(path: Path) -> tuple[float, float, int, int]:
    """Return the seconds from the first import on, the CPU seconds of the process, characters and chapters."""
    words = [sys.executable, "-c", _PROGRAM, str(path.absolute())]
    said = subprocess.run(words, check=True, capture_output=True, env=AS_INSTALLED).stdout
    wall, cpu, n_chars, n_chapters = json.loads(said)
    return wall, cpu, n_chars, n_chapters


@contextmanager
def _book(data: Path | None) -> Iterator[Path]:
    if data is not None:
        yield data / _BOOK if data.is_dir() else data
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "novel.epub"
        path.write_bytes(_made())
        yield path


def _made() -> bytes:
    """Return a novel made by code as an EPUB: as many pages, paragraphs and characters as the one the target is set for."""
    blocks = generated_novel(_N_CHARS).split("\n\n")
    size = len(blocks) // _N_CHAPTERS + 1
    pages = {}
    for no in range(_N_CHAPTERS):
        body = "".join(f"<p>{words.strip()}</p>" for words in blocks[no * size : (no + 1) * size])
        pages[f"c{no + 1}.xhtml"] = epubs.page(f"<h2>Chapter {no + 1}</h2>{body}")
    entries = "".join(epubs.item(f"Chapter {no + 1}", f"c{no + 1}.xhtml") for no in range(_N_CHAPTERS))
    return epubs.book(pages, contents=epubs.nav(entries))
