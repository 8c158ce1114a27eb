"""How every command of evaluation speaks and ends: the one place where text reaches the terminal, the one where errors become codes.

Whatever is shown may come from a file, a text or an answer, so nothing is printed in any other way than here. A reader of stdout
that has enough (`… | head -1`) is no failure: what is left unsaid goes nowhere, the work and its exit code stay.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TextIO

from analyzer.cli import _screen
from analyzer.cli._screen import columns, drop_output, ready_streams, safe
from analyzer.errors import AnalyzerError, ConfigError, InputError

INTERRUPTED = 130
"""How a command ends that was told to stop."""
NARROWEST = 20
"""Columns a line is folded to at least, however narrow a terminal says it is."""
P = ParamSpec("P")


def command(main: Callable[P, int]) -> Callable[P, int]:
    """Wrap a command's main: errors become one line and their exit code, a closed or full stdout and Ctrl-C no traceback."""

    @wraps(main)
    def whole(*words: P.args, **named: P.kwargs) -> int:
        ready_streams()
        try:
            code = _code_of(lambda: main(*words, **named))
        except SystemExit as ended:  # how argparse ends after --help and after wrong words
            if _left_over():
                raise SystemExit(InputError.exit_code) from ended
            raise
        return _left_over() or code

    return whole


def _code_of(work: Callable[[], int]) -> int:
    try:
        return work()
    except AnalyzerError as error:
        complain(error)
        return error.exit_code
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except OSError as error:
        return _refused(error)


def _refused(error: OSError) -> int:
    """Say what the system refused and return the exit code; nothing is said of a reader that has enough."""
    if not isinstance(error, BrokenPipeError):
        where = str(error.filename or "")
        hint = "check the path, its permissions and the room left"
        complain(InputError(f"the system refused: {error.strerror or error}", where=where, hint=hint))
    drop_output()
    return 0 if isinstance(error, BrokenPipeError) else InputError.exit_code


def _left_over() -> int:
    """Write what stdout still holds; return the exit code of a stdout that cannot take it, else 0."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return _refused(error)
    return 0


@contextmanager
def _as_long_as_somebody_reads() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        drop_output()
    except SystemExit as ended:  # what rich makes of a reader that has enough
        if not isinstance(ended.__context__, BrokenPipeError):
            raise


def show(*lines: object) -> None:
    """Print lines on stdout, each made safe; an end of line inside one becomes a space, a terminal's edge a new line set in."""
    with _as_long_as_somebody_reads():
        for line in lines:
            sys.stdout.write(f"{_wrapped(safe(line), sys.stdout)}\n")


def show_json(value: object) -> None:
    """Print records as JSON on stdout, with nothing in it that steers a terminal."""
    with _as_long_as_somebody_reads():
        _screen.print_json(value)


def show_table(
    names: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", right: Iterable[int] = ()
) -> None:
    """Print a table on stdout; every cell is made safe. `right` are indexes of right-aligned columns."""
    with _as_long_as_somebody_reads():
        _screen.print_table(names, rows, title=title, right=right)


def _wrapped(line: str, stream: TextIO) -> str:
    """Return a line as it is where it goes into a file or a pipe, folded between words where a terminal is narrower."""
    if len(line) * 2 <= NARROWEST or not stream.isatty():
        return line
    from rich.console import Console
    from rich.text import Text

    width = max(columns(stream), NARROWEST)
    indent = len(line) - len(line.lstrip(" "))
    if Text(line).cell_len <= width:
        return line
    first, hanging = " " * min(indent, width // 4), " " * min(indent + 2, width // 3)
    words = Text(line[indent:])
    folded = [row.plain.rstrip() for row in words.wrap(Console(width=width), width - len(hanging), overflow="fold")]
    return "\n".join((first if not at else hanging) + row for at, row in enumerate(folded))


def say(line: object) -> None:
    """Talk on stderr, one line made safe; where nobody listens it goes nowhere."""
    try:
        sys.stderr.write(f"{_wrapped(safe(line), sys.stderr)}\n")
        sys.stderr.flush()
    except OSError:
        drop_output(sys.stderr)


def complain(error: AnalyzerError) -> None:
    """Say an error in one line: what, where, what to do."""
    told = str(error)
    where = f" [{error.where}]" if error.where and error.where not in told else ""
    say(f"error: {told}{where}" + (f" ({error.hint})" if error.hint else ""))


def chosen(option: str, wanted: str | None, known: Sequence[str], *, exact: bool = False) -> list[str]:
    """Return the known names that contain one of the words of an option (comma between them; `exact`: are one), all for None.

    Raises ConfigError naming the known ones where a word is empty or fits none, so that a slip never widens or narrows a run.
    """
    if wanted is None:
        return list(known)
    hint = f"known are {', '.join(known) or 'none'}"
    words = [word.strip() for word in wanted.split(",")]
    for word in words:
        if not word or not any(_fits(word, name, exact) for name in known):
            raise ConfigError(f"{option} {wanted!r}: {word!r} is {'' if exact else 'part of '}no known name", hint=hint)
    return [name for name in known if any(_fits(word, name, exact) for word in words)]


def _fits(word: str, name: str, exact: bool) -> bool:
    return word == name if exact else word in name
