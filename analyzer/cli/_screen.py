"""What reaches the terminal: text made safe, tables, JSON, errors."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from analyzer.errors import AnalyzerError
from analyzer.wording import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from analyzer.models.run import CacheFault, CacheLoss


_RAW = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
"""Characters JSON lets stand that steer a terminal; they are written as escapes, which say the same."""
CELL_PADDING = 3
NARROWEST = 24
"""Spaces beside a cell, and the least width of a column that is cut."""
LONGEST_WORD = 10
"""Columns of a cell that must not be broken where a table is narrow; longer words are. Source: names and kinds of the bundled serial."""
WIDTH = 160
"""Columns of a table that goes into a file or a pipe."""


def ready_streams() -> None:
    """Make stdout and stderr take any text: one that was closed goes nowhere, letters a terminal lacks are shown as escapes."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drop_output(stream: TextIO | None = None) -> None:
    """Let what stdout (or another stream) cannot take go, so that the interpreter does not try again at its end."""
    stream = sys.stdout if stream is None else stream
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def safe(text: object) -> str:
    """Return text as it may be printed: control characters and direction overrides shown as �, line ends as spaces."""
    words = str(text)
    if words.isprintable():
        return words
    shown = []
    for ch in words:
        category = unicodedata.category(ch)
        if ch in "\n\t\r" or category in {"Zl", "Zp"}:
            shown.append(" ")
        elif (
            category in {"Cc", "Cs"} or ch in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
        ):
            shown.append("\ufffd")
        else:
            shown.append(ch)
    return "".join(shown)


def console(*, err: bool = False) -> Console:
    """Return a rich console on stdout or stderr, without markup, emoji or highlighting.

    It gets a height too (which nothing uses): rich asks for both, else it takes every dumb terminal for 80 columns.
    """
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    width = columns(stream) if stream.isatty() else WIDTH
    return Console(stderr=err, markup=False, emoji=False, highlight=False, width=width, height=25)


def columns(stream: TextIO) -> int:
    """Return how wide the terminal behind `stream` is, 80 where it does not say; COLUMNS of the environment wins."""
    wanted = os.environ.get("COLUMNS", "")
    try:
        told = int(wanted) if wanted.isdecimal() else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        told = 0
    return told or 80


def print_json(value: object) -> None:
    """Print records as JSON on stdout, readable in any locale, with nothing in it that steers a terminal."""
    text = json.dumps(_plain(value), ensure_ascii=not _utf8(), indent=1)
    sys.stdout.write(_RAW.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n")


def _utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _plain(value: object) -> object:
    dump, fields = getattr(value, "model_dump", None), getattr(value, "_asdict", None)
    if dump is not None:
        return dump(mode="json")
    if fields is not None:
        return {k: _plain(v) for k, v in fields().items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    return value


def print_table(
    names: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    right: Iterable[int] = (),
    clip: Iterable[int] = (),
) -> None:
    """Print a table on stdout; every cell is made safe. On a screen too narrow for it each row is a few lines instead.

    `right` are indexes of right-aligned columns, `clip` of columns kept on one line and cut at the edge of the screen.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    screen = console()
    cells = [[Text(safe(cell)) for cell in row] for row in rows]
    widths = [max([len(name), *(row[i].cell_len for row in cells)]) for i, name in enumerate(names)]
    numeric, cut = set(right), set(clip)
    least = [
        widths[i]
        if i in numeric
        else min(widths[i], NARROWEST)
        if i in cut
        else _least_width(name, [row[i] for row in cells])
        for i, name in enumerate(names)
    ]
    if sum(least) + CELL_PADDING * len(names) > screen.width:
        _print_stacked(screen, names, cells, title=safe(title))
        return
    left = screen.width - sum(w + CELL_PADDING for i, w in enumerate(widths) if i not in cut) - CELL_PADDING * len(cut)
    table = Table(box=SIMPLE_HEAD, title=safe(title) or None, title_justify="left", pad_edge=False)
    for i, name in enumerate(names):
        table.add_column(
            Text(name),
            justify="right" if i in numeric else "left",
            overflow="ellipsis" if i in cut else "fold",
            no_wrap=i in cut,
            width=min(widths[i], max(left // len(cut), NARROWEST)) if i in cut else None,
            min_width=least[i],
        )
    for row in cells:
        table.add_row(*row)
    with screen.capture() as drawn:
        screen.print(table)
    sys.stdout.write(_without_blank_first_line(drawn.get()))


def _without_blank_first_line(drawn: str) -> str:
    """Return a drawn table from its title or column names on: whoever reads one line of it reads something."""
    first, end, rest = drawn.partition("\n")
    return drawn if first.strip() else rest if end else ""


def _least_width(name: str, cells: Sequence[Text]) -> int:
    """Return the columns a cell that may be folded needs, so that no word up to `LONGEST_WORD` is broken."""
    words = [word for cell in cells for word in cell.split(" ")]
    longest = max((word.cell_len for word in words), default=0)
    return max(min(longest, LONGEST_WORD), *(len(word) for word in name.split(" ")))


def _print_stacked(screen: Console, names: Sequence[str], cells: Sequence[Sequence[Text]], *, title: str) -> None:
    """Print every row as its first cell and, set in below it, the others with their column's name."""
    from rich.padding import Padding
    from rich.text import Text

    if title:
        screen.print(Text(title))
    for first, *others in cells:
        screen.print(first, overflow="fold")
        named = [(name, cell.plain) for name, cell in zip(names[1:], others, strict=True) if cell.plain.strip()]
        told = "; ".join(f"{name} {text}".strip() for name, text in named)
        if told:
            screen.print(Padding(Text(told, overflow="fold"), (0, 0, 0, 2)))


def print_block(head: str, lines: Iterable[str]) -> None:
    """Print a line and, set in below it, others, each folded at the edge of the screen; everything is made safe."""
    from rich.padding import Padding
    from rich.text import Text

    screen = console()
    with screen.capture() as drawn:
        screen.print(Text(safe(head)), overflow="fold")
        for line in lines:
            screen.print(Padding(Text(safe(line), overflow="fold"), (0, 0, 0, 2)))
    for row in drawn.get().split("\n")[:-1]:
        sys.stdout.write(row.rstrip() + "\n")


def print_path(path: Path) -> None:
    """Print a path on stdout: safe on a terminal, exactly as it is into a file or a pipe."""
    print(safe(path) if sys.stdout.isatty() else path)


def say(text: str) -> None:
    """Talk on stderr, one line."""
    print(safe(text), file=sys.stderr)


def fail(error: AnalyzerError) -> None:
    """Print an error: what, where, what to do."""
    where = f" [{safe(error.where)}]" if error.where else ""
    print(f"analyzer: {safe(error)}{where}", file=sys.stderr)
    if error.hint:
        print(f"  what to do: {safe(error.hint)}", file=sys.stderr)


def usd(amount: float | None) -> str:
    """Return dollars with enough digits for a call; `unpriced` for None."""
    return "unpriced" if amount is None else f"${amount:.5f}" if abs(amount) < 1 else f"${amount:.2f}"


_FAULTS: dict[CacheFault, str] = {
    "nothing_read": "read nothing from the cache",
    "part_read": "read a part of the prefix only",
    "double_write": "wrote to the cache what was in it",
    "too_short": "had a prefix too short for the cache",
    "expired": "came after the cache had expired",
    "overflow": "came too fast for one cache",
}


def loss_lines(losses: Iterable[CacheLoss]) -> list[str]:
    """Return a line for each way in which calls read less from the provider's cache than they should: how many, how dear, why."""
    lines = []
    for loss in losses:
        money = f", {usd(loss.lost_nano / 1e9)} more than reading it" if loss.lost_nano else ""
        tokens = f" ({loss.n_tokens:,} tokens not read{money})" if loss.n_tokens else money
        lines.append(f"{counted(loss.n_calls, 'call')} {_FAULTS[loss.fault]}{tokens}: {loss.cause}")
    return lines
