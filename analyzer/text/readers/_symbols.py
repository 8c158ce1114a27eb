"""Characters of symbol fonts, which stand at other places than their letters: Symbol, Wingdings and their kin."""

from __future__ import annotations

_SYMBOL = {
    **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
    **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    **{0xA2: "′", 0xA5: "∞", 0xA7: "♣", 0xA8: "♦", 0xA9: "♥", 0xAA: "♠", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→"},
    **{0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBC: "…"},
    **{0xBE: "—", 0xD2: "®", 0xD3: "©", 0xD4: "™"},
}
"""Adobe's encoding of Symbol, the letters and the signs that novels use."""

_WINGDINGS = {0x4A: "☺", 0x4C: "☹", 0xAB: "★", 0xDF: "←", 0xE0: "→", 0xFB: "✗", 0xFC: "✓"}
_ORNAMENT = "❖"
_PRIVATE = range(0xF000, 0xF100)
_ORNAMENTAL = ("ding", "ornament", "marlett", "bookshelf", "symbol")


def symbol(code: int, font: str) -> str:
    """Return the character at `code` of a symbol font; an ornament of a picture font becomes ❖, a letter itself.

    `code` may lie in U+F000 to U+F0FF, where Word puts the characters of such fonts.
    """
    place = code - _PRIVATE.start if code in _PRIVATE else code
    name = font.casefold()
    if name == "symbol":
        return _SYMBOL.get(place, chr(place) if 0x20 <= place < 0x7F else _ORNAMENT)
    if any(part in name for part in _ORNAMENTAL):
        return _WINGDINGS.get(place, _ORNAMENT) if name == "wingdings" else _ORNAMENT
    return chr(place) if 0x20 <= place < 0x110000 and not 0xD800 <= place < 0xE000 else ""
