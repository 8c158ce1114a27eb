"""The command line: parse, call the pipeline, render. Data on stdout, talk on stderr, one exit code per error class."""

from __future__ import annotations

import sys

from analyzer.cli import (
    bill,
    changes,
    chapters,
    decide,
    export,
    init,
    knows,
    plan,
    publish,
    run,
    shelf,
    show,
    status,
    threads,
    timeline,
    verify,
    why,
)
from analyzer.cli._app import app
from analyzer.cli._screen import drop_output, fail, ready_streams
from analyzer.errors import AnalyzerError, InputError

__all__ = ["app", "main"]

for _command in (
    init, chapters, plan, run, shelf, status, bill, show, timeline, changes, threads, knows, why, decide, publish, export, verify
):  # fmt: skip
    _command.register(app)


def main() -> None:
    """Run the command line and exit with the code of what happened."""
    ready_streams()
    try:
        try:
            app(standalone_mode=True)
        except SystemExit as ended:
            sys.exit(_exit_code(ended))
        finally:
            sys.stdout.flush()
    except AnalyzerError as error:
        fail(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        drop_output()  # what is left unwritten would fail once more as the interpreter ends
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        refused = InputError(
            f"the system refused: {error.strerror or error}",
            where=str(error.filename or ""),
            hint="check the path, its permissions and the room left",
        )
        fail(refused)
        drop_output()
        sys.exit(refused.exit_code)


def _exit_code(ended: SystemExit) -> str | int | None:
    """Return the code of an exit typer made; a Ctrl-C, of which it says nothing, is told."""
    made_of = ended.__context__
    if isinstance(made_of, BrokenPipeError):  # typer calls a reader that has enough a failure
        return 0
    if made_of is not None and isinstance(made_of.__cause__, KeyboardInterrupt):
        print("stopped; everything that arrived is saved", file=sys.stderr)
    return ended.code
