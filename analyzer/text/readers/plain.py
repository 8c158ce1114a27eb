"""Plain text: decoded, without what printing and transcription put between the words."""

from __future__ import annotations

from pathlib import Path

from analyzer.text.readers._decode import decoded
from analyzer.text.readers._hyphens import without_parted_words
from analyzer.text.readers._letters import tidied
from analyzer.text.readers._pages import without_furniture
from analyzer.text.readers._reader import SourceText
from analyzer.text.readers._ruby import without_ruby

SUFFIXES = (".txt", ".text")
TAKES_ENCODING = True


def read(data: bytes, path: Path) -> SourceText:
    """Return the text of `data`; raises InputError where it is no text.

    Taken out: running heads and page numbers, hyphens at line ends that are no one's, readings and notes of Japanese
    transcriptions, invisible characters; see `SourceText.removed`.
    """
    found = decoded(data, str(path))
    text, furniture = without_furniture(found.text)
    text, hyphens = without_parted_words(text)
    text, invisible = tidied(text)
    text, headings, notes = without_ruby(text)
    return SourceText(
        path.stem,
        text,
        headings,
        encoding=found.encoding,
        encoding_certainty=found.certainty,
        removed=(*furniture, *hyphens, *invisible, *notes),
    )
