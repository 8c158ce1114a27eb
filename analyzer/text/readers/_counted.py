"""Numbers that a word processor counts by itself, written in the forms it offers."""

from __future__ import annotations

from typing import Literal

Form = Literal["figures", "padded", "upper roman", "lower roman", "upper letter", "lower letter", "ideographs"]

_LETTERS = "M CM D CD C XC L XL X IX V IV I"
_ROMAN = tuple(zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), _LETTERS.split(), strict=True))
_IDEOGRAPHS = "〇一二三四五六七八九"
_ALPHABET = 26
_MOST_ALPHABETS = 10
"""Word goes on with AA, BB, …; a novel's headings do not get that far."""


def written(number: int, form: Form) -> str:
    """Return a number of 0 or more in a form; figures where the form cannot write it."""
    if form in ("upper roman", "lower roman") and 0 < number < 4000:
        return _roman(number) if form == "upper roman" else _roman(number).lower()
    if form in ("upper letter", "lower letter") and number > 0:
        times = min((number - 1) // _ALPHABET + 1, _MOST_ALPHABETS)
        letters = chr(ord("A") + (number - 1) % _ALPHABET) * times
        return letters if form == "upper letter" else letters.lower()
    if form == "padded":
        return f"{number:02}"
    if form == "ideographs" and 0 <= number < 10_000:
        return _ideographs(number)
    return str(number)


def _roman(number: int) -> str:
    found = ""
    for worth, letters in _ROMAN:
        found += letters * (number // worth)
        number %= worth
    return found


def _ideographs(number: int) -> str:
    """Return 0 to 9,999 in Chinese figures with their tens."""
    if number < 10:
        return _IDEOGRAPHS[number]
    found, skipped = "", False
    for worth, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // worth % 10
        if digit:
            found += ("〇" if skipped and found else "") + _IDEOGRAPHS[digit] + sign
        skipped = digit == 0
    return found[1:] if 10 <= number < 20 else found
