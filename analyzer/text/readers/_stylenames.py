"""Names of paragraph styles: what a style called "heading 2", "Überschrift 2" or "章标题" says of its paragraphs.

Word processors keep the English names of their own styles in most files; translated ones come from other programs,
from files whose styles were lost, and from authors who named styles themselves.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_HEADING = (
    "heading|überschrift|berschrift|titre|título|titulo|ttulo|titolo|encabezado|заголовок|제목|标题|標題|見出し|kop|"
    "rubrik|overskrift|otsikko|nagłówek|nagwek|nadpis|címsor|cmsor|titlu|επικεφαλίδα|başlık|balk|judul|đầu đề|tiêu đề|"
    "หัวเรื่อง|כותרת|عنوان|pealkiri|antraštė|virsraksts|naslov|наслов|заглавие"
)
_TITLE = (
    "title|titel|titre|título|titulo|titolo|название|заголовок|제목|标题|標題|表題|書名|书名|tytuł|název|cím|titlu|"
    "otsikko|tittel|konu başlığı|judul"
)
_CONTENTS = (
    r"toc(?:\s?\d|\s?heading)|contents(?:\s(?:\d|heading))|verzeichnis\s?\d|inhaltsverzeichnis(?:\s?\w+)?|tm\s?\d|tdc\s?\d|"
    r"tdm|sommario\s?\d|оглавление(?:\s?\d)?|содержание(?:\s?\d)?|目录\s?\d*|目錄\s?\d*|目次\s?\d*|목차\s?\d*|차례\s?\d*|"
    r"spis treści\s?\d|inhopg\s?\d|en-tête de table des matières"
)
_PART = "part|book|volume|teil|buch|band|partie|livre|tome|parte|libro|tomo|часть|книга|том|部|卷|巻|편|부"
_CHAPTER = "chapter|kapitel|chapitre|capítulo|capitulo|capitolo|глава|章|回|話|话|장|회|화|chap|ch"
_HEADLIKE = (
    "title|titel|titre|título|titulo|titolo|heading|head|header|number|name|nr|no|num|überschrift|numéro|número|"
    "название|заголовок|номер|标题|標題|名|題|题|见出し|見出し|제목|번호"
)

_HEADING_NAME = re.compile(rf"(?:{_HEADING})[\s_-]*(?P<n>[1-9])(?!\d)")
_TITLE_NAME = re.compile(rf"(?:{_TITLE})")
_CONTENTS_NAME = re.compile(rf"(?:{_CONTENTS})")
_WORD_GAP = re.compile(r"[\s_.,:;()\[\]/+-]+")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")
_DENSE = re.compile(r"(?P<part>[部卷巻편부])|(?P<chapter>[章回話话장회화])")
_PARTS = frozenset(_PART.split("|"))
_CHAPTERS = frozenset(_CHAPTER.split("|"))
_HEADS = frozenset(_HEADLIKE.split("|"))
_GERMAN = re.compile(r"(?P<what>kapitel|teil)(?:s|en)?(?:überschrift|titel|nummer|name)")

LONGEST_NAME = 120
"""Code points of a style's name that are looked at; Word allows 253."""


@lru_cache(maxsize=512)
def heading_level(name: str) -> int:
    """Return the outline level, 1 to 9, that the name of a heading style states, or 0."""
    found = _HEADING_NAME.fullmatch(_folded(name))
    return int(found["n"]) if found else 0


@lru_cache(maxsize=512)
def is_title(name: str) -> bool:
    """Say whether the name is that of the style for the title of the whole work."""
    return _TITLE_NAME.fullmatch(_folded(name)) is not None


@lru_cache(maxsize=512)
def is_contents(name: str) -> bool:
    """Say whether the name is that of a style for a line of a table of contents or for its heading."""
    return _CONTENTS_NAME.fullmatch(_folded(name)) is not None


@lru_cache(maxsize=512)
def custom_level(name: str) -> int:
    """Return 1 for an author's own style for parts, 2 for one for chapters ("Chapter Title", "章标题"), otherwise 0.

    All words of the name must speak of headings: "Chapter body" and "First chapter paragraph" are none.
    """
    folded = _folded(_CAMEL.sub(" ", name[:LONGEST_NAME]))
    german = _GERMAN.fullmatch(folded)
    if german:
        return 1 if german["what"] == "teil" else 2
    words = [word for word in _WORD_GAP.split(folded) if word and not word.isdigit()]
    if words and all(word in _PARTS or word in _CHAPTERS or word in _HEADS for word in words):
        return 2 if any(w in _CHAPTERS for w in words) else 1 if any(w in _PARTS for w in words) else 0
    if len(words) == 1 and len(folded) <= 6 and not folded.isascii():
        rest = _DENSE.sub("", folded)
        found = _DENSE.search(folded)
        if found and (not rest or rest in _HEADS):
            return 1 if found["part"] else 2
    return 0


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name[:LONGEST_NAME]).casefold().strip()
