"""What became of each book of a shelf: waiting, running, ended; told to whoever listens, and kept in the folder's state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from analyzer.errors import AnalyzerError, StoreError
from analyzer.scheduler.budget import NANO
from analyzer.scheduler.events import Machine
from analyzer.shelf.books import Shelved
from analyzer.shelf.ledger import SharedLedger
from analyzer.shelf.limiter import SharedLimiter
from analyzer.shelf.state import BookPhase, BookState, ShelfState, mark_of_this_process, write_state
from analyzer.shelf.wire import Message
from analyzer.wording import counted

EVERY_S = 0.5
"""Shortest time between two states written and progress events told."""
INTERRUPTED = 130
BY_SEVERITY = (0, 7, 5, 2, 4, 6, 3, 1, INTERRUPTED)
"""Exit codes from the best to the worst: done, unanswered, cap, input, model, store, definition, crash, Ctrl-C."""

ShelfEventKind = Literal["progress", "started", "taken_over", "ended", "warning", "retry", "stopping"]


class ShelfEvent(NamedTuple):
    """Something a shelf run says: `text` is one sentence for people, `book` the name of the book or "", `state` how all stands."""

    kind: ShelfEventKind
    book: str
    text: str
    state: ShelfState


@dataclass(frozen=True)
class BookOutcome:
    """How a book ended: the exit code of its own run, `said` in a sentence, with `where` and `hint` where it is an error."""

    name: str
    path: Path
    exit_code: int
    said: str
    where: str = ""
    hint: str = ""
    spent_usd: float = 0.0
    n_calls: int = 0
    n_unanswered: int = 0
    n_deaths: int = 0


@dataclass(frozen=True)
class ShelfOutcome:
    """How a shelf run ended: the worst of its books' exit codes; `spent_usd` is what counts against the shelf's cap by now."""

    exit_code: int
    books: tuple[BookOutcome, ...]
    spent_usd: float = 0.0
    cap_usd: float | None = None
    n_turned_away: int = 0


def worst(codes: Sequence[int]) -> int:
    """Return the worst of exit codes, 0 for none; one that is not known counts as a crash."""
    known = [code if code in BY_SEVERITY else 1 for code in codes]
    return max(known, key=BY_SEVERITY.index, default=0)


@dataclass
class Entry:
    """One book in the register; `name` as in the ledger."""

    book: Shelved
    phase: BookPhase = "waiting"
    pid: int = 0
    n_deaths: int = 0
    progress: Message = field(default_factory=dict)
    outcome: BookOutcome | None = None

    @property
    def name(self) -> str:
        """The book's name."""
        return self.book.name


@dataclass
class Register:
    """All books of a shelf run. `listen` gets every event; `shelf` is where the state is kept, None: nowhere yet."""

    shelf: Path | None
    entries: dict[str, Entry]
    ledger: SharedLedger
    limiter: SharedLimiter
    machine: Machine
    listen: Callable[[ShelfEvent], None]
    state: ShelfState
    _told_at: float = float("-inf")
    _unwritten: bool = False

    def started(self, name: str, pid: int) -> None:
        """Note that a worker has begun with a book."""
        entry = self.entries[name]
        again = entry.n_deaths > 0
        entry.phase, entry.pid = "running", pid
        if again:
            self._tell("taken_over", name, f"{name}: taken over by process {pid}, goes on where it stopped")
        else:
            self._tell("started", name, f"{name}: begun by process {pid}")

    def said(self, name: str, event: Message) -> None:
        """Take in what a book's run said."""
        self.entries[name].progress = event["progress"]
        if event["kind"] in ("warning", "retry"):
            self._tell(event["kind"], name, f"{name}: {event['text']}")
        self.tick()

    def died(self, name: str, how: str) -> None:
        """Note that a book's worker is gone."""
        entry = self.entries[name]
        entry.phase, entry.pid = "waiting", 0
        entry.n_deaths += 1
        self._tell(
            "warning", name, f"{name}: its process {how}; what was in flight counts as spent until its store is read"
        )

    def ended(self, name: str, result: Message) -> None:
        """Note how a book's run ended; the first result counts."""
        entry = self.entries[name]
        if entry.outcome is not None:
            return
        entry.phase, entry.pid = "ended", 0
        entry.outcome = self._outcome(entry, result)
        self._tell("ended", name, f"{name}: {entry.outcome.said}")
        self.tick(force=True)

    def failed(self, name: str, error: AnalyzerError) -> None:
        """Note that a book cannot be run, or not any longer."""
        words = {"text": str(error), "where": error.where, "hint": error.hint}
        self.ended(name, {"exit_code": error.exit_code, "error": words})

    def stopping(self, text: str) -> None:
        """Tell that the whole shelf is being stopped."""
        self._tell("stopping", "", text)

    def close(self) -> ShelfOutcome:
        """Write the last state and return how it all ended; what was not begun was interrupted."""
        for name, entry in self.entries.items():
            if entry.outcome is None:
                self.ended(name, {"exit_code": INTERRUPTED, "error": None} | ({"n_calls": 0} if entry.progress else {}))
        outcomes = tuple(entry.outcome for entry in self.entries.values() if entry.outcome is not None)
        code = worst([outcome.exit_code for outcome in outcomes])
        self.state = self.state.model_copy(update={"has_ended": True, "exit_code": code})
        self.tick(force=True)
        return ShelfOutcome(
            code, outcomes, self.ledger.spent_nano / NANO, self.state.cap_usd, self.limiter.n_turned_away
        )

    def tick(self, *, force: bool = False) -> None:
        """Tell how all stands and keep it in the folder, unless that was done just now."""
        now = self.machine.monotonic()
        if not force and now - self._told_at < EVERY_S:
            return
        self._told_at = now
        state = self.now()
        self.listen(ShelfEvent("progress", "", sentence(state), state))
        if self.shelf is None:
            return
        try:
            write_state(self.shelf, state)
        except StoreError as error:
            if not self._unwritten:
                self._unwritten = True
                self._tell("warning", "", f"{error}: the books go on without it")

    def now(self) -> ShelfState:
        """Return how all stands."""
        return self.state.model_copy(
            update={
                "spent_usd": self.ledger.spent_nano / NANO,
                "reserved_usd": (self.ledger.counted_nano - self.ledger.spent_nano) / NANO,
                "rate_share": self.limiter.share,
                "updated_at": self.machine.now(),
                "mark": self.state.mark or mark_of_this_process(),
                "books": tuple(self._state(entry) for entry in self.entries.values()),
            }
        )

    def _state(self, entry: Entry) -> BookState:
        progress, outcome = entry.progress, entry.outcome
        account = self.ledger.accounts.get(entry.name)
        return BookState(
            name=entry.name,
            phase=entry.phase,
            pid=entry.pid,
            exit_code=outcome.exit_code if outcome else None,
            said=outcome.said if outcome else "",
            spent_usd=account.spent_nano / NANO if account else 0.0,
            n_calls_done=progress.get("n_calls_done", 0),
            n_calls_expected=progress.get("n_calls_expected", 0),
            n_tasks_done=progress.get("n_tasks_done", 0),
            n_tasks=progress.get("n_tasks", 0),
            n_unanswered=outcome.n_unanswered if outcome else 0,
            n_deaths=entry.n_deaths,
        )

    def _outcome(self, entry: Entry, result: Message) -> BookOutcome:
        error: Message = result.get("error") or {}
        account = self.ledger.accounts.get(entry.name)
        return BookOutcome(
            name=entry.name,
            path=entry.book.path,
            exit_code=int(result["exit_code"]),
            said=error.get("text") or _said(result),
            where=error.get("where", ""),
            hint=error.get("hint", ""),
            spent_usd=account.spent_nano / NANO if account else 0.0,
            n_calls=result.get("n_calls", 0),
            n_unanswered=result.get("n_unanswered", 0),
            n_deaths=entry.n_deaths,
        )

    def _tell(self, kind: ShelfEventKind, book: str, text: str) -> None:
        self.listen(ShelfEvent(kind, book, text, self.now()))


def _said(result: Message) -> str:
    """Return how a run without an error ended, in a sentence."""
    if result["exit_code"] == INTERRUPTED:
        return "stopped before its end; everything that arrived is saved" if "n_calls" in result else "not begun"
    unanswered, pending = result.get("unanswered") or [], result.get("pending") or []
    if pending:
        return f"waits for answers: {pending[0]}"
    if unanswered:
        return f"{counted(result['n_unanswered'], 'question')} without an answer, the first: {unanswered[0]}"
    if result["exit_code"]:
        return "some of its questions wait for an answer"
    calls = counted(result.get("n_calls", 0), "call")
    return f"done with {calls}" if result.get("n_calls") else "nothing was left to ask"


def sentence(state: ShelfState) -> str:
    """Return how a shelf stands, in one line."""
    ended = sum(book.phase == "ended" for book in state.books)
    running = sum(book.phase == "running" for book in state.books)
    done = sum(book.n_calls_done for book in state.books)
    cap = f" of ${state.cap_usd:.4f}" if state.cap_usd is not None else ""
    slow = f", at {state.rate_share:.0%} of the rate" if state.rate_share < 1 else ""
    return (
        f"{ended} of {counted(len(state.books), 'book')} ended, {running} running, {counted(done, 'call')}, "
        f"${state.spent_usd + state.reserved_usd:.4f}{cap}{slow}"
    )
