"""Words of a book inside Markdown and YAML: what they say is shown, nothing of them is markup, a link, a tag or a formula."""

from __future__ import annotations

import re
import unicodedata

_MARKED = re.compile(r"[\\`*_\[\]#|~$^=]")
"""Signs that begin markup in CommonMark, in GitHub's tables, or in Obsidian (tags, mathematics, block names, highlights)."""
_IN_LINKS = str.maketrans({"[": "(", "]": ")", "|": "/", "\\": "/", "<": "‹", ">": "›", "`": "'", "$": "＄", "&": "＆"})
"""Look-alikes for signs that would end a link or begin markup in it: a link's words know no escapes."""
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn or embed the direction of the text after them, beyond the words they came with."""
_HIDDEN = frozenset(("Cc", "Cs", "Cn", "Zl", "Zp"))


def one_line(text: str) -> str:
    """Return words on one line, without control characters and without signs that turn the text round."""
    if text.isprintable():  # nearly all text, and a hundred times as quick
        return re.sub(r" {2,}", " ", text).strip(" ")
    shown = (" " if ch.isspace() else ch for ch in text if ch.isspace() or not _is_unshown(ch))
    return re.sub(r" {2,}", " ", "".join(shown)).strip(" ")


def _is_unshown(ch: str) -> bool:
    return ch in _TURNS or unicodedata.category(ch) in _HIDDEN


def inline(text: str) -> str:
    """Return words as they stand inside a line of Markdown, wherever in it."""
    words = _MARKED.sub(r"\\\g<0>", one_line(text))
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("%%", "&#37;&#37;")
    words = words.replace("://", "&#58;//").replace("::", "&#58;&#58;")
    words = re.sub(r"\bwww\.", "www&#46;", words, flags=re.IGNORECASE)
    words = _NUMBERED.sub(r"\1\\\2", words)
    return f"\\{words}" if re.match(r"[-+](?:\s|$|-)|:{3}", words) else words


def label(text: str) -> str:
    """Return words as they stand in a link of a vault (`[[note|words]]`)."""
    return re.sub(r"([%=~:*_#])(?=\1)", "\\1 ", one_line(text).translate(_IN_LINKS)).strip(" ")


def quoted(text: str, where: str, *, indent: str = "") -> list[str]:
    """Return the lines of a block quotation with its place under it."""
    return [f"{indent}> {inline(text)}", f"{indent}> — {where}"]


def yaml(text: str) -> str:
    """Return words as a YAML string in double quotes, on one line, that no reader takes for anything else."""
    return '"' + "".join(_yaml_sign(ch) for ch in text) + '"'


def _yaml_sign(ch: str) -> str:
    if ch in '"\\':
        return f"\\{ch}"
    code = ord(ch)
    hidden = unicodedata.category(ch) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")
    if not hidden and ch not in "<%":
        return ch
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
