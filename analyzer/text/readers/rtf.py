"""RTF: the paragraphs of a word processor's file as the author sees them with all changes accepted.

Read by a tokenizer of its own. The libraries that turn RTF into plain text (striprtf among them) drop footnotes, keep
deleted and hidden words as text, know neither styles nor outline levels, split characters beyond U+FFFF in two and take
bytes of two-byte code pages apart where one of them is written as a letter.
"""

from __future__ import annotations

from pathlib import Path

from analyzer.errors import InputError
from analyzer.text.readers._paragraphs import source_text
from analyzer.text.readers._reader import SourceText
from analyzer.text.readers._rtf_tokens import without_binary
from analyzer.text.readers._rtf_walk import Walker

SUFFIXES = (".rtf",)

_START = b"{\\rtf"


def read(data: bytes, path: Path) -> SourceText:
    """Return the text of an RTF file.

    `encoding_certainty` of the text is the part of its characters that its code pages could read. Raises InputError
    where the file is no RTF, cut off, nests deeper than `_rtf_walk.DEEPEST` groups, or holds no words.
    """
    where = str(path)
    bare = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not bare:
        raise InputError(f"{where} is empty: it holds no text", where=where, hint="pass a manuscript with words in it")
    if not bare.startswith(_START):
        raise InputError(
            f"{where} is no RTF, which its ending promises: it does not begin with {_START.decode()}",
            where=where,
            hint="save it again as RTF, or give it the ending of its format",
        )
    walker = Walker(where)
    draft = walker.run(without_binary(bare))
    return source_text(draft, path.stem, where)._replace(encoding_certainty=walker.certainty())
