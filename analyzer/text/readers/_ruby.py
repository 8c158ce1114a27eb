"""Readings and notes in Japanese plain text: ruby 《…》 with ｜, notes ［＃…］, in the notation of Aozora Bunko.

Where a text uses it, readings and notes are taken out, signs that a note names by number are put in, and lines that notes
call headings become hints. See the notation's own manual, aozora.gr.jp/annotation.
"""

from __future__ import annotations

import re

from analyzer.text.readers._reader import HeadingHint, Removed

_FEW = 3
"""Readings in kana behind Han characters from which a text uses the notation; 《》 alone may be quotation marks."""

_LONGEST_HEADING = 200
_MOST_NOTES = 20
"""Code points and notes of a line that is a heading; further ones are not looked at."""

_HAN = "㐀-䶿一-鿿豈-﫿々〆〇ヶ仝※\U00020000-\U000323af"
_KANA = "ぁ-ゖァ-ヺー・゛゜ヽヾゝゞ"
_PLAIN = re.compile(rf"[{_HAN}]《[{_KANA}]{{1,40}}》")
_READING = re.compile(r"(?:｜(?P<base>[^《》｜\n]{1,60})|(?<=[\w々〆※]))(?P<reading>《[^《》\n]{1,60}》)")
_NOTE = re.compile(r"［＃(?P<words>(?:[^［］\n]|［[^［］\n]{0,100}］){0,300})］")
_SIGN = re.compile("※" + _NOTE.pattern)
_LEGEND = re.compile(r"^-{20,}[ \t]*\n(?:(?!-{20}).*\n){1,40}?-{20,}[ \t]*\n", re.MULTILINE)
_COLOPHON = re.compile(r"\n(?P<words>底本：.*\n(?:.*\n){0,80}.*)\Z")
"""The end of every transcription: the printed edition, who typed it and when."""
_LONGEST_COLOPHON = 6_000

_LEGEND_WORDS = "記号について"
_NUMBER = re.compile(
    r"(?P<plane>[12])-(?P<row>\d{1,2})-(?P<cell>\d{1,2})\Z|U\+(?P<code>[0-9A-Fa-f]{4,6})(?![0-9A-Fa-f])"
)
_CALLED = re.compile(r"「(?P<words>.{1,100})」は(?:同行|窓)?(?P<level>[大中小])見出し\Z")
_OPENS = re.compile(r"(?:ここから)?(?P<level>[大中小])見出し\Z")
_CLOSES = re.compile(r"(?:ここで)?[大中小]見出し終わり\Z")
_PAGE = re.compile(r"改(?:ページ|頁|丁|段|見開き)")
_LEVELS = {"大": 1, "中": 2, "小": 3}


def without_ruby(text: str) -> tuple[str, tuple[HeadingHint, ...], tuple[Removed, ...]]:
    """Return `text` without readings and notes, the headings its notes name, and what was taken out.

    A text without the notation is returned as it is. Cost: a few passes.
    """
    noted = "［＃" in text and _NOTE.search(text) is not None
    if not noted and ("《" not in text or sum(1 for _ in zip(range(_FEW), _PLAIN.finditer(text), strict=False)) < _FEW):
        return text, (), ()
    removed: list[Removed] = []
    legend = _LEGEND.search(text[:8_000])
    if legend and _LEGEND_WORDS in legend[0]:
        removed.append(Removed("legend of the notation", legend[0]))
        text = text[: legend.start()] + text[legend.end() :]
    colophon = _COLOPHON.search(text, max(0, len(text) - _LONGEST_COLOPHON))
    if colophon:
        removed.append(Removed("colophon", colophon["words"]))
        text = text[: colophon.start("words")]

    def sign(found: re.Match[str]) -> str:
        named = _sign(found["words"])
        removed.append(Removed("note of the transcription", found[0] if named else found[0][1:]))
        return named or found[0][0]

    def bare(found: re.Match[str]) -> str:
        reading, base = found["reading"], found["base"]
        if base is None and re.fullmatch(rf"《[{_KANA}\sA-Za-zÀ-ɏ'’.-]+》", reading) is None:
            return found[0]
        removed.append(Removed("ruby reading", ("｜" if base is not None else "") + reading))
        return base or ""

    text = _READING.sub(bare, _SIGN.sub(sign, text))
    text, hints, notes = _without_notes(text)
    return text, hints, (*removed, *notes)


def _without_notes(text: str) -> tuple[str, tuple[HeadingHint, ...], list[Removed]]:
    kept: list[str] = []
    removed: list[Removed] = []
    hints: list[HeadingHint] = []
    size = at = 0
    opened: tuple[int, int, int] | None = None
    for note in _NOTE.finditer(text):
        kept.append(text[at : note.start()])
        size += len(kept[-1])
        at = note.end()
        removed.append(Removed("note of the transcription", note[0]))
        if called := _CALLED.match(note["words"]):
            words = _last_line(kept)
            hints.append(HeadingHint(size - len(words), size, _LEVELS[called["level"]], words.strip()))
        elif opens := _OPENS.match(note["words"]):
            opened = size, _LEVELS[opens["level"]], len(kept)
        elif opened and _CLOSES.match(note["words"]):
            words = "".join(kept[opened[2] :])
            hints.append(HeadingHint(opened[0] + len(words) - len(words.lstrip()), size, opened[1], words.strip()))
            opened = None
        if _is_alone(text, note) and not _PAGE.search(note["words"]) and text[at : at + 1] == "\n":
            at += 1
    kept.append(text[at:])
    return "".join(kept), tuple(hint for hint in hints if hint.text), removed


def _last_line(kept: list[str]) -> str:
    """Return the line the text so far ends in."""
    line = ""
    for piece in reversed(kept[-_MOST_NOTES:]):
        head, feed, tail = piece.rpartition("\n")
        line = tail + line if feed else head + tail + line
        if feed or len(line) > _LONGEST_HEADING:
            break
    return line


def _is_alone(text: str, note: re.Match[str]) -> bool:
    low = max(0, note.start() - _LONGEST_HEADING)
    start = text.rfind("\n", low, note.start()) + 1 or low
    return not text[start : note.start()].strip() and text[note.end() : note.end() + 1] in ("\n", "")


def _sign(words: str) -> str:
    """Return the sign a note names by its place in JIS X 0213 or in Unicode, "" where it names none."""
    for piece in re.split("[、，水準]", words):
        found = _NUMBER.match(piece.strip())
        if found is None:
            continue
        if found["code"]:
            code = int(found["code"], 16)
            return chr(code) if 0x80 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else ""
        row, cell = int(found["row"]), int(found["cell"])
        if 1 <= row <= 94 and 1 <= cell <= 94:
            data = bytes((0xA0 + row, 0xA0 + cell))
            return (b"\x8f" + data if found["plane"] == "2" else data).decode("euc_jis_2004", "ignore")
    return ""
