"""Reading the marks of one answer line: which offered options and which sentence handles it names, and what else it says.

A single letter may also be a word ("a good friend", "b or c"), so a letter directly followed by words that are not the
option's own leaves the line unclear. Words set apart by punctuation, a bracket, ` - ` or `#` are a remark and end the reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.models.question import NONE_MARK, Option
from analyzer.models.text import Place, parse_entity_handle, parse_place

DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
"""Every dash, as a hyphen."""
INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff"
"""Characters without width that may stand before or inside a mark."""
_FOLD: dict[int, str | None] = {**DASHES, **dict.fromkeys(map(ord, INVISIBLE))}
_REMARK = re.compile(r"(?<=\s)-+(?=\s|$)|#")
_TOKEN = re.compile(r"[^\s,;/|=:()\[\]{}<>\"'`*+&、。，；・「」『』【】《》“”‘’]+")
_RANGE = re.compile(r"([0-9]+\.[0-9]+)-(?=[0-9]+\.[0-9])")
_LETTER = re.compile(r"[a-z]\Z")


@dataclass
class Reading:
    """What a line names: `options` in the order given (repeats kept), `places` whether or not they exist.

    `behind[i]` is how many options stand before `places[i]`.

    `unknown` are marks that were not offered, `prose` the words dropped, `first` the first mark as shown ("" where there is
    none). `none`: the line says none. `unclear`: it cannot be told what it picks.
    """

    options: list[Option] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    behind: list[int] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    first: str = ""
    none: bool = False
    unclear: bool = False


@dataclass(frozen=True)
class _Token:
    text: str
    adjacent: bool
    """Only spaces stand between it and the token before."""


def fold(text: str) -> str:
    """Return `text` with full-width forms, dashes and capitals folded, invisible characters taken out."""
    return unicodedata.normalize("NFKC", text).translate(_FOLD).casefold()


_folded_mark = lru_cache(maxsize=4096)(fold)
"""The marks offered are few and come with every line."""


def read_marks(body: str, options: Sequence[Option]) -> Reading:
    """Read what follows the number of a line against the options offered; never raises."""
    folded = _RANGE.sub(r"\1 ", fold(body)).strip(" \t\"'`*=:.)|,")
    said_none = re.match(r"-+(?=\s|$|[,;:.(\[|])", folded)
    dashed = re.match(r"-+\s*", folded)
    if dashed is None:
        return _read(_tokens(_REMARK.split(folded, maxsplit=1)[0]), options)
    rest = _read(_tokens(_REMARK.split(folded[dashed.end() :], maxsplit=1)[0]), options)
    if rest.options:
        # "1 - a": the dash parts number and mark, as long as nothing else is said
        rest.unclear = rest.unclear or bool(rest.prose or rest.unknown)
        return rest
    if said_none:
        return Reading(places=rest.places, prose=[*rest.unknown, *rest.prose], first=NONE_MARK, none=True)
    return rest


def _tokens(body: str) -> list[_Token]:
    tokens: list[_Token] = []
    end, closed = 0, True
    for found in _TOKEN.finditer(body):
        gap = body[end : found.start()]
        word = found.group().rstrip(".")
        if word:
            tokens.append(_Token(word, not closed and not gap.strip()))
            closed = word != found.group()
        end = found.end()
    return tokens


def _read(tokens: Sequence[_Token], options: Sequence[Option]) -> Reading:
    offered = {mark: option for option in options if (mark := _folded_mark(option.mark)) != NONE_MARK}
    reading = Reading()
    last: Option | None = None
    at = 0
    while at < len(tokens):
        token = tokens[at]
        option = _option(token.text, offered)
        place = parse_place(token.text)
        if option is not None:
            reading.options.append(option)
            reading.first = reading.first or option.mark
        elif place is not None:
            reading.places.append(place)
            reading.behind.append(len(reading.options))
        elif token.text == NONE_MARK:
            reading.none = True
        elif _is_mark(token.text):
            reading.unknown.append(token.text)
            reading.first = reading.first or (parse_entity_handle(token.text) or token.text)
        else:
            length = _echo(tokens[at:], last, offered)
            if not length:
                _stop(reading, tokens[at:], last, offered)
                break
            at += length
            continue
        last = option
        at += 1
    return reading


def _option(token: str, offered: dict[str, Option]) -> Option | None:
    return offered.get(token) or offered.get(parse_entity_handle(token) or "")


def _is_mark(token: str) -> bool:
    return bool(_LETTER.match(token)) or parse_entity_handle(token) is not None


def _echo(tokens: Sequence[_Token], option: Option | None, offered: dict[str, Option]) -> int:
    """Return how many tokens repeat the words of the option just picked; 0 where any word of the run is not its own."""
    if option is None:
        return 0
    names = " ".join(option.ref.names) if option.ref else ""
    own = {token.text for token in _tokens(fold(f"{option.text} {option.key} {names}"))}
    length = 0
    for token in tokens:
        if token.text not in own:
            known = _option(token.text, offered) or parse_place(token.text) or _is_mark(token.text)
            return length if known or not token.adjacent else 0
        length += 1
    return length


def _stop(reading: Reading, rest: Sequence[_Token], last: Option | None, offered: dict[str, Option]) -> None:
    """End the reading at the first word that is no mark: a remark, or a sign that the line is unclear."""
    reading.prose = [token.text for token in rest][:40]
    if not rest[0].adjacent:
        return
    further = (_option(token.text, offered) for token in rest if token.text.startswith("@"))
    bare = last is not None and _LETTER.match(fold(last.mark)) is not None
    reading.unclear = bare or any(option is not None and option not in reading.options for option in further)
