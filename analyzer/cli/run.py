"""`analyzer run`: the main job."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from analyzer.cli._app import BaseUrl, Book, Chapters, Encoding, Model, Off
from analyzer.cli._screen import loss_lines, say, usd
from analyzer.wording import as_typed, counted, in_rows, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.pipeline import Prepared
    from analyzer.scheduler.events import Replaced, RunOutcome

Cap = Annotated[
    float | None, typer.Option("--cap-usd", min=0.0, metavar="X", help="Never spend more than X, resumes included.")
]
Balance = Annotated[
    float | None, typer.Option("--balance-usd", min=0.0, metavar="X", help="What is left at the provider.")
]
Concurrency = Annotated[int | None, typer.Option("--concurrency", min=1, max=256, metavar="N", help="Calls in flight.")]
Confirm = Annotated[
    str | None, typer.Option("--confirm-model", metavar="M", help="Another model for the two confirmations.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")]
Background = Annotated[bool, typer.Option("--background", help="Go on in the background; look with `analyzer status`.")]
Unpriced = Annotated[bool, typer.Option("--unpriced", help="Run a model whose price is not known.")]
Untested = Annotated[bool, typer.Option("--untested", help="Run a local model without its entrance test.")]
Strict = Annotated[bool, typer.Option("--strict", help="Ask again wherever any byte of the prefix moved.")]
Profile = Annotated[
    str | None,
    typer.Option("--profile", metavar="NAME", hidden=True, help="What the server at --base-url can do: openai, …"),
]
OnCacheLoss = Annotated[
    Literal["go-on", "warn", "stop"] | None,
    typer.Option(
        "--on-cache-loss", help="What to do if the provider's cache is not being read: count it, warn, or stop."
    ),
]

When = Annotated[
    Literal["now", "flex"],
    typer.Option("--when", help="now, or at the provider's slower flex tier for less where it offers one."),
]
INTERRUPTED = 130
UNANSWERED = 7
SHOWN_HANDLES = 8
"""Handles an edit did not keep that are named after a run, of each kind."""
SHOWN_FILES = 5
"""Files of an inbox named after a run; the others stand beside them."""


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def run(
        book: Book,
        chapters: Chapters = None,
        model: Model = None,
        confirm_model: Confirm = None,
        base_url: BaseUrl = None,
        profile: Profile = None,
        cap_usd: Cap = None,
        balance_usd: Balance = None,
        concurrency: Concurrency = None,
        yes: Yes = False,
        background: Background = False,
        unpriced: Unpriced = False,
        untested: Untested = False,
        strict: Strict = False,
        on_cache_loss: OnCacheLoss = None,
        encoding: Encoding = None,
        when: When = "now",
        off: Off = None,
    ) -> None:
        """Update the story bible of every chapter; resumes where it stopped, never spends past the cap."""
        from analyzer import pipeline

        request = pipeline.RunRequest(
            model=model,
            confirm_model=confirm_model,
            base_url=base_url,
            profile=profile,
            chapters=chapters,
            cap_usd=cap_usd,
            balance_usd=balance_usd,
            concurrency=concurrency,
            allow_unpriced=unpriced,
            untested=untested,
            strict=strict,
            on_cache_loss=on_cache_loss,
            encoding=encoding,
            flex=when == "flex",
            off=tuple(off) if off else None,
        )
        prepared = pipeline.prepare(book, request)
        _tell_unlisted(prepared)
        if prepared.beyond:
            say(
                f"{prepared.model} can say nothing of {', '.join(prepared.beyond)}: left out, a model is needed for these"
            )
        _agree(prepared, yes=yes)
        if background:
            _detach(prepared.book)
            return
        outcome = _run(prepared)
        _summary(prepared, outcome)
        raise typer.Exit(outcome.exit_code)


def _tell_unlisted(prepared: Prepared) -> None:
    """Say what the author's list of chapters leaves out: a run over it would miss that."""
    from analyzer.text.chapters_file import CHAPTERS_FILE

    for remark in prepared.manuscript.remarks:
        if remark.startswith(CHAPTERS_FILE):
            say(remark)


def _agree(prepared: Prepared, *, yes: bool) -> None:
    """Show the estimate and ask, where a priced model is to be asked and there is something to ask."""
    from analyzer.cli._estimate import more_words
    from analyzer.errors import ConfigError

    if prepared.replaced is not None:
        say(_replacing(prepared, prepared.replaced))
    made = prepared.estimate
    if not prepared.priced or (made.n_calls == made.more_calls == 0 and prepared.replaced is None):
        return
    say(
        f"{prepared.model}: about {counted(made.n_calls, 'call')}, {usd(made.likely_usd)} likely "
        f"({usd(made.low_usd)} to {usd(made.high_usd)}){more_words(made, lead=', and ')}, at {made.price_note}"
    )
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfigError(
            "this run asks a priced model and there is nobody to agree", hint="pass --yes, and a cap with --cap-usd"
        )
    if not typer.confirm("run it?", err=True):
        raise typer.Exit(0)


def _replacing(prepared: Prepared, replaced: Replaced) -> str:
    """Say whose answers the bible will no longer rest on; they stay stored, so that the way back costs nothing."""
    noun = "chapter" if len(replaced.chapters) == 1 else "chapters"
    who = " and ".join(dict.fromkeys((prepared.model, prepared.confirm_model)))
    return (
        f"the bible of {noun} {in_rows(replaced.chapters)} rests on answers of {', '.join(replaced.models)}: this run puts "
        f"those of {who} in their place; the old ones stay stored, and a run with that model brings them back unasked"
    )


def in_front(words: Sequence[str]) -> list[str]:
    """Return the words of a run in the background as those of the same run that asks nobody; behind `--` are names only."""
    at = words.index("--") if "--" in words else len(words)
    options = [word for word in words[:at] if word != "--background"]
    agreed = [] if {"--yes", "-y"} & set(options) else ["--yes"]
    return [*options, *agreed, *words[at:]]


def _detach(book: Path) -> None:
    """Start the same command again in a session of its own, its words going to run.log in the book's folder."""
    import subprocess

    words = in_front(sys.argv[1:])
    with (book / "run.log").open("ab") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "analyzer", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    say(
        f"running in the background as process {child.pid}; look with: {typed('status', book)}, end it with: kill {child.pid}"
    )
    print(child.pid)


def _run(prepared: Prepared) -> RunOutcome:
    from analyzer import pipeline
    from analyzer.cli._progress import Screen

    with Screen(prepared.model) as screen:
        return pipeline.start(prepared, screen.event)


def _summary(prepared: Prepared, outcome: RunOutcome) -> None:
    """Say what was done and what it cost against the estimate."""
    from analyzer.cli._estimate import more_words

    usage = outcome.usage
    share = f", {usage.cache_read / usage.total_input:.0%} of input from cache" if usage.total_input else ""
    if prepared.priced:
        more = more_words(prepared.estimate, lead=", and ")
        money = f"{usd(outcome.spent_usd)} spent, {usd(prepared.estimate.likely_usd)} was likely{more}"
    else:
        money = (
            f"no provider was asked ({prepared.model}); a real model's bill stands in: {typed('bill', prepared.book)}"
        )
    say(
        f"{counted(outcome.n_answers, 'answer')} from {counted(outcome.n_calls, 'call')} ({outcome.n_reused:,} reused){share}; {money}"
    )
    for words in loss_lines(outcome.cache_losses):
        say(words)
    if outcome.notes_filled:
        say(f"{counted(outcome.notes_filled, 'note')} filled from the gold file")
    if outcome.unanswered:
        left = len(outcome.unanswered)
        if left == 1:
            say(f"1 question stays unanswered: {outcome.unanswered[0]}")
        else:
            say(f"{left:,} questions stay unanswered, the first: {outcome.unanswered[0]}")
    _tell_unkept(outcome)
    _open_ends(outcome)
    if outcome.error is not None:
        from analyzer.cli._screen import fail

        fail(outcome.error)
    if outcome.exit_code == INTERRUPTED:
        say("stopped before the end: everything that arrived is saved; run the same command again to go on")
    say(f"see: {typed('show', 'cast', prepared.book)}   {typed('show', 'relations', prepared.book)}")


def _tell_unkept(outcome: RunOutcome) -> None:
    """Name those whose handle an edit did not leave them: who is gone, who has another one, who is two now."""
    gone = [f"{news.handle} {news.name}" for news in outcome.unkept if news.how == "gone"]
    others = [news for news in outcome.unkept if news.how != "gone"]
    for news in others[:SHOWN_HANDLES]:
        who, now = f"{news.handle} {news.name}", " and ".join(news.now)
        if news.how == "split":
            say(f"after the edit {', '.join(news.names)} of {who} is {now}")
        else:
            say(f"after the edit {who} is {now}")
    if len(others) > SHOWN_HANDLES:
        say(f"and {counted(len(others) - SHOWN_HANDLES, 'more handle')} that stood for others before the edit")
    if gone:
        more = f" and {len(gone) - SHOWN_HANDLES:,} more" if len(gone) > SHOWN_HANDLES else ""
        say(f"no longer in the book after the edit: {', '.join(gone[:SHOWN_HANDLES])}{more}")


def _open_ends(outcome: RunOutcome) -> None:
    """Name what people have still to do, file by file; what a stopped run did not ask is no open end."""
    for words in outcome.unread[:SHOWN_FILES]:
        say(f"not read: {words}")
    for path in outcome.pending[:SHOWN_FILES]:
        say(f"waiting for an answer: write {as_typed(path)}, and run again")
    if len(outcome.pending) > SHOWN_FILES:
        say(f"and {len(outcome.pending) - SHOWN_FILES} more beside it")
    if outcome.exit_code == UNANSWERED and not outcome.pending:
        for step, chapter in outcome.waiting[:SHOWN_FILES]:
            say(f"waiting for an answer: {step}, chapter {chapter}")
