"""`analyzer shelf run|plan|status`: many books with one budget and one rate."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli._app import AsJson, BaseUrl, Model, Off, given
from analyzer.cli._screen import print_json, print_table, safe, say, usd
from analyzer.cli.run import Concurrency, Confirm, OnCacheLoss, Profile, Strict, Unpriced, Untested, Yes
from analyzer.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.shelf.register import ShelfOutcome
    from analyzer.shelf.state import BookState, ShelfRead
    from analyzer.shelf.verbs import ShelfPlan, ShelfRequest

Shelf = Annotated[Path, typer.Argument(metavar="DIR", parser=given, help="The folder with the books and manuscripts.")]
Workers = Annotated[int, typer.Option("--workers", min=1, max=64, metavar="N", help="Processes, one book each.")]
Cap = Annotated[
    float | None,
    typer.Option(
        "--cap-usd", min=0.0, metavar="X", help="Never spend more than X on all books together, resumes included."
    ),
]
AtRate = Annotated[
    str | None,
    typer.Option("--rate", metavar="CALLS/TOKENS", help="At most so many calls and tokens a minute: 500/200000."),
]
Lines = Annotated[bool, typer.Option("--json", help="Print what happens as JSON, one object a line.")]
Ray = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Run on a Ray cluster: its address, or auto (extra: analyzer[ray])."),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    shelf_app = typer.Typer(
        name="shelf", help="Run many books with one budget and one rate.", no_args_is_help=True, rich_markup_mode=None
    )
    app.add_typer(shelf_app)
    _register_run(shelf_app)

    @shelf_app.command()
    def plan(
        shelf: Shelf,
        workers: Workers = 2,
        model: Model = None,
        base_url: BaseUrl = None,
        off: Off = None,
        as_json: AsJson = False,
    ) -> None:
        """Estimate every book of a folder and sum it up; sends nothing and makes no book."""
        from analyzer.pipeline import RunRequest
        from analyzer.shelf import verbs

        wanted = RunRequest(model=model, base_url=base_url, off=tuple(off) if off else None)
        made = verbs.plan(shelf, verbs.ShelfRequest(wanted, workers=workers))
        if as_json:
            print_json(made)
        else:
            print_plan(made)
            say("nothing was sent")
        raise typer.Exit(_plan_code(made))

    @shelf_app.command()
    def status(shelf: Shelf, as_json: AsJson = False) -> None:
        """Show the shelf run in progress or the last one, book by book."""
        from analyzer.shelf import verbs

        found = verbs.status(shelf)
        if as_json:
            print_json(found)
        elif found is None:
            say("no run of this shelf has been started yet")
        else:
            print_status(found)


def _register_run(app: typer.Typer) -> None:
    @app.command()
    def run(
        shelf: Shelf,
        workers: Workers = 2,
        cap_usd: Cap = None,
        rate: AtRate = None,
        model: Model = None,
        confirm_model: Confirm = None,
        base_url: BaseUrl = None,
        profile: Profile = None,
        concurrency: Concurrency = None,
        yes: Yes = False,
        unpriced: Unpriced = False,
        untested: Untested = False,
        strict: Strict = False,
        on_cache_loss: OnCacheLoss = None,
        off: Off = None,
        ray: Ray = None,
        as_json: Lines = False,
    ) -> None:
        """Update the story bible of every book of a folder; resumes, never spends past the cap of all or that of a book."""
        from analyzer.pipeline import RunRequest
        from analyzer.shelf.verbs import ShelfRequest

        wanted = RunRequest(
            model=model,
            confirm_model=confirm_model,
            base_url=base_url,
            profile=profile,
            concurrency=concurrency,
            allow_unpriced=unpriced,
            untested=untested,
            strict=strict,
            on_cache_loss=on_cache_loss,
            off=tuple(off) if off else None,
        )
        request = ShelfRequest(wanted, workers=workers, cap_usd=cap_usd, rate=rate, ray=ray)
        raise typer.Exit(_run(shelf, request, agree=None if yes else _agree, as_json=as_json))


def _run(shelf: Path, request: ShelfRequest, *, agree: Callable[[ShelfPlan], None] | None, as_json: bool) -> int:
    """Run a shelf, show it and return the exit code."""
    from analyzer.cli._shelf_screen import JsonLines, ShelfScreen
    from analyzer.shelf import verbs

    if as_json:
        lines = JsonLines(sys.stdout)
        outcome = verbs.run(shelf, request, on_event=lines.event, agree=agree)
        lines.write({"event": "outcome", **asdict(outcome), "books": [_plain(book) for book in outcome.books]})
        return outcome.exit_code
    with ShelfScreen() as screen:
        outcome = verbs.run(shelf, request, on_event=screen.event, agree=agree)
    print_outcome(outcome)
    return outcome.exit_code


def _plain(book: object) -> dict[str, object]:
    row: dict[str, object] = asdict(book)  # type: ignore[call-overload]
    return row | {"path": str(row["path"])}


def _agree(made: ShelfPlan) -> None:
    """Show the estimates and ask, where a priced model is to be asked and there is something to ask."""
    from analyzer.errors import ConfigError

    if not made.priced or not (made.n_calls or made.more_calls):
        return
    for book in made.books:
        if book.priced:
            say(f"{book.name}: about {counted(book.n_calls, 'call')}, {usd(book.likely_usd)} likely")
    say(
        f"{counted(len(made.books), 'book')}: about {counted(made.n_calls, 'call')}, {usd(made.likely_usd)} likely "
        f"({usd(made.low_usd)} to {usd(made.high_usd)})"
    )
    if not sys.stdin.isatty():
        raise ConfigError(
            "this run asks a priced model and there is nobody to agree", hint="pass --yes, and a cap with --cap-usd"
        )
    if not typer.confirm("run them?", err=True):
        raise typer.Exit(0)


def _plan_code(made: ShelfPlan) -> int:
    from analyzer.shelf.register import worst

    return worst([book.exit_code for book in made.books])


def print_plan(made: ShelfPlan) -> None:
    """Print the estimate of every book and the sum; what could not be estimated says why below."""
    rows: list[tuple[object, ...]] = [
        (book.name, book.n_chapters, book.n_calls, *map(_cost, (book.low_usd, book.likely_usd, book.high_usd)))
        for book in made.books
        if not book.error
    ]
    rows.append(("all", made.n_chapters, made.n_calls, usd(made.low_usd), usd(made.likely_usd), usd(made.high_usd)))
    print_table(("book", "chapters", "calls", "low", "likely", "high"), rows, right=range(1, 6))
    if made.more_calls:
        print(f"up to {counted(made.more_calls, 'more call')}, {usd(made.more_usd)} more, where edits change a cast")
    for book in made.books:
        if book.error:
            say(f"{book.name}: {book.error}")


def _cost(amount: float | None) -> str:
    return "-" if amount is None else usd(amount)


def print_outcome(outcome: ShelfOutcome) -> None:
    """Print how every book ended, and say what to do about those that failed."""
    rows = [
        (book.name, book.exit_code, book.n_calls, usd(book.spent_usd), book.n_deaths or "", book.said)
        for book in outcome.books
    ]
    print_table(("book", "exit", "calls", "spent", "deaths", "how it ended"), rows, right=range(1, 5))
    for book in outcome.books:
        if book.hint:
            say(f"{book.name}: {book.hint}")
    if outcome.n_turned_away:
        say(f"the provider turned {counted(outcome.n_turned_away, 'call')} away (429); all slowed down together")


def print_status(found: ShelfRead) -> None:
    """Print how a shelf run stands."""
    state = found.state
    how = "running" if found.is_running else "ended" if state.has_ended else "broken off (its process is gone)"
    cap = f" of {usd(state.cap_usd)}" if state.cap_usd is not None else ""
    rate = f", rate {safe(state.rate)} at {state.rate_share:.0%}" if state.rate else ""
    print(
        f"{how} (process {state.pid}, {counted(state.n_workers, 'worker')}), spent {usd(state.spent_usd)}{cap}, "
        f"reserved {usd(state.reserved_usd)}{rate}"
    )
    print_table(
        ("book", "state", "calls", "of", "tasks", "of", "spent", "how it ended"),
        [_status_row(book) for book in state.books],
        right=range(2, 7),
    )
    if not found.is_running and not state.has_ended:
        print("every answer that arrived is stored; run the same command again to go on")


def _status_row(book: BookState) -> tuple[object, ...]:
    state = book.phase if book.exit_code is None else f"exit {book.exit_code}"
    calls, tasks = (book.n_calls_done, book.n_calls_expected), (book.n_tasks_done, book.n_tasks)
    return (book.name, state, *calls, *tasks, usd(book.spent_usd), book.said)
