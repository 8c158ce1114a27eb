"""Words shared by every message: commands and paths that can be pasted into a shell, numbers with their noun."""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Sequence

SHOWN_NUMBERS = 8
"""Numbers named in one sentence."""

_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of what a screen does not show as it is, or that a message must not hold."""


def typed(*words: object) -> str:
    """Return `analyzer WORDS` as it can be pasted into a shell; a path is never taken for an option, whatever it is called."""
    return " ".join(["analyzer", *map(as_typed, words)])


def as_typed(word: object) -> str:
    """Return a word as a shell reads it, on one line: a path (a `Path`, whatever is no `str`) that begins with a dash gets `./` before it.

    What no screen shows (line ends, control characters, bytes that are no UTF-8) is written as octal escapes in `$'…'`, which
    bash, zsh, ksh and POSIX shells since 2024 read.
    """
    text = str(word)
    if not isinstance(word, str) and text.startswith("-"):
        text = f"./{text}"
    if not any(unicodedata.category(ch) in _UNSEEN for ch in text):
        return shlex.quote(text)
    return "$'" + "".join(_escaped(ch) for ch in text) + "'"


def _escaped(ch: str) -> str:
    if ch in "\\'":
        return f"\\{ch}"
    if unicodedata.category(ch) in _UNSEEN:
        return "".join(f"\\{byte:03o}" for byte in ch.encode("utf-8", "surrogateescape"))
    return ch


def counted(n: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 chapter`, `3 chapters`, `1,200 calls`; `plural` where it is not made with an s."""
    return f"{n:,} {noun if n == 1 else plural or f'{noun}s'}"


def listed(numbers: Sequence[int]) -> str:
    """Return the first numbers with commas between them, an ellipsis behind where there are more."""
    return ", ".join(map(str, numbers[:SHOWN_NUMBERS])) + (", …" if len(numbers) > SHOWN_NUMBERS else "")


def in_rows(numbers: Sequence[int]) -> str:
    """Return ascending numbers with those in a row drawn together: `1-3, 5`."""
    rows: list[list[int]] = []
    for number in numbers:
        if rows and rows[-1][1] == number - 1:
            rows[-1][1] = number
        else:
            rows.append([number, number])
    return ", ".join(f"{first}-{last}" if last != first else str(first) for first, last in rows)


def numbered(noun: str, numbers: Sequence[int]) -> str:
    """Return a noun with numbers behind it: `chapter 2`, `chapters 2, 5`."""
    return f"{noun if len(numbers) == 1 else f'{noun}s'} {listed(numbers)}"


def in_utf8(words: str) -> str:
    """Return words as UTF-8 can hold them: what a path has of other bytes (lone surrogates) is written by its number."""
    return words.encode("utf-8", "backslashreplace").decode("utf-8")
