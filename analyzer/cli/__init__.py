"""The command line: parse, call the pipeline, render. Data on stdout, talk on stderr, one exit code per error class."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from analyzer.cli import bill, chapters, init, plan, run, show, status, verify, why
from analyzer.cli._app import app
from analyzer.cli._screen import fail
from analyzer.errors import AnalyzerError

__all__ = ["app", "main"]

for _command in (init, chapters, plan, run, status, bill, show, why, verify):
    _command.register(app)


def main() -> None:
    """Run the command line and exit with the code of what happened."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show Korean shows \\uXXXX
    try:
        app(standalone_mode=True)
    except AnalyzerError as error:
        fail(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("stopped; everything that arrived is saved", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
