"""Words parted at the ends of hard-wrapped lines, joined where the text itself shows that the hyphen is the typesetter's."""

from __future__ import annotations

import re
from collections import Counter

from analyzer.text.readers._reader import Removed

_FEW = 3
"""Fewer parted words are no habit of a text and are left alone."""

_WIDEST_WRAP = 110
"""Code points of a median line; longer lines are whole paragraphs (the bound of `analyzer.text.blocks`)."""

_WORD = re.compile(r"[^\W\d_]+(?:[-‐'’][^\W\d_]+)*")
_END = re.compile(r"[-‐\u00ad][ \t]{0,20}\n")
_PARTED = re.compile(
    r"(?<![^\W\d_])(?P<left>[^\W\d_]{1,60})(?P<hyphen>[-‐\u00ad])[ \t]*\n"
    r"(?P<indent>[ \t]*)(?P<right>[^\W\d_]{1,60})(?P<rest>[^\s-]*)(?P<gap>[ \t]*\n?)"
)


def without_parted_words(text: str) -> tuple[str, tuple[Removed, ...]]:
    """Return `text` with words joined that were parted at line ends, the line feed moved behind them.

    A soft hyphen always goes. Any other goes if the joined word stands elsewhere in the text and is not rarer there than
    the hyphened one, or if one of its pieces never stands alone; else it is the author's and stays. A text that is not
    hard-wrapped is left alone. Cost: two passes.
    """
    n_ends = sum(1 for _ in zip(range(_FEW), _END.finditer(text), strict=False))
    if n_ends < _FEW or not _is_wrapped(text):
        return text, ()
    words = Counter(word.replace("‐", "-").casefold() for word in _WORD.findall(_PARTED.sub("\n", text)))
    gone: list[str] = []

    def joined(found: re.Match[str]) -> str:
        whole = found["left"] + found["right"]
        behind = "\n" if "\n" in found["gap"] else "\n" + found["indent"]
        if found["hyphen"] == "\u00ad" or _is_typesetters(found, words):
            gone.append(found["hyphen"])
            return whole + found["rest"] + behind
        if words[f"{found['left']}-{found['right']}".casefold()]:
            return f"{found['left']}{found['hyphen']}{found['right']}{found['rest']}{behind}"
        return found[0]

    text = _PARTED.sub(joined, text)
    return text, (Removed("hyphen at a line end", "".join(gone)),) if gone else ()


def _is_wrapped(text: str) -> bool:
    widths = sorted(len(line) for line in text.split("\n") if line.strip())
    return bool(widths) and widths[len(widths) // 2] <= _WIDEST_WRAP


def _is_typesetters(found: re.Match[str], words: Counter[str]) -> bool:
    """Say whether the hyphen of a parted word was put there for the line alone."""
    left, right = found["left"].casefold(), found["right"].casefold()
    if found["right"][0].isupper() and not found["left"].isupper():
        return False
    n_whole, n_hyphened = words[left + right], words[f"{left}-{right}"]
    if n_whole or n_hyphened:
        return n_whole >= n_hyphened
    return not (words[left] and words[right])
