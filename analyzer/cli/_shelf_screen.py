"""A shelf run on stderr: on a terminal one row a book that is running, rewritten in place, and a row for all; else a row now and then."""

from __future__ import annotations

import json
import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from analyzer.cli._progress import DUMB, EVERY_S, EVERY_S_PLAIN
from analyzer.cli._screen import columns, safe, usd

if TYPE_CHECKING:
    from analyzer.shelf.register import ShelfEvent
    from analyzer.shelf.state import BookState, ShelfState

MOST_ROWS = 12
"""Books shown at a time; of more the others are counted."""


class ShelfScreen:
    """Shows a shelf run while it goes on; `with ShelfScreen() as screen: … screen.event`."""

    def __init__(self) -> None:
        self._tty = sys.stderr.isatty() and os.environ.get("TERM") not in DUMB
        self._n_rows = 0
        self._last = 0.0
        self._newest: ShelfState | None = None

    def __enter__(self) -> ShelfScreen:
        """Start showing."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last word standing."""
        self._clear()
        if error is None and self._newest is not None:
            print(_all_row(self._newest), file=sys.stderr)

    def event(self, event: ShelfEvent) -> None:
        """Take one event of the run."""
        if event.kind != "progress":
            self._clear()
            print(safe(event.text), file=sys.stderr)
        self._newest = event.state
        now = time.monotonic()
        if now - self._last >= (EVERY_S if self._tty else EVERY_S_PLAIN):
            self._last = now
            self._show(event.state)

    def _show(self, state: ShelfState) -> None:
        if not self._tty:
            print(_all_row(state), file=sys.stderr)
            return
        self._clear()
        running = [book for book in state.books if book.phase == "running"]
        rows = [_book_row(book) for book in running[:MOST_ROWS]]
        if len(running) > MOST_ROWS:
            rows.append(f"  and {len(running) - MOST_ROWS} more")
        rows.append(_all_row(state))
        width = columns(sys.stderr) - 1
        print("\n".join(row[:width] for row in rows), file=sys.stderr, flush=True)
        self._n_rows = len(rows)

    def _clear(self) -> None:
        if self._n_rows:
            print(f"\x1b[{self._n_rows}A\x1b[J", end="", file=sys.stderr, flush=True)
            self._n_rows = 0


def _book_row(book: BookState) -> str:
    calls = f"calls {book.n_calls_done}/{max(book.n_calls_expected, book.n_calls_done)}"
    return f"  {safe(book.name)}  {calls}  tasks {book.n_tasks_done}/{book.n_tasks}  spent {usd(book.spent_usd)}"


def _all_row(state: ShelfState) -> str:
    ended = sum(book.phase == "ended" for book in state.books)
    done = sum(book.n_calls_done for book in state.books)
    cap = f" of {usd(state.cap_usd)}" if state.cap_usd is not None else ""
    slow = f"  at {state.rate_share:.0%} of the rate" if state.rate_share < 1 else ""
    counted = usd(state.spent_usd + state.reserved_usd)
    return f"books {ended}/{len(state.books)} ended  calls {done}  spent {counted}{cap}{slow}"


class JsonLines:
    """A shelf run as JSON, one object a line: kind, book, text and, with progress, how all stands."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def event(self, event: ShelfEvent) -> None:
        """Write one event."""
        row: dict[str, object] = {"event": event.kind, "book": event.book, "text": event.text}
        if event.kind == "progress":
            row["state"] = event.state.model_dump(mode="json")
        self.write(row)

    def write(self, row: dict[str, object]) -> None:
        """Write one object; letters beyond ASCII are escapes, so that nothing in it steers a terminal."""
        self._out.write(json.dumps(row, ensure_ascii=True) + "\n")
        self._out.flush()
