"""Pages of an EPUB that only say who made the book and who owns it: told from pages of the story that mention such signs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from analyzer.text.headings import FEW, match_heading
from analyzer.text.languages import language_table, languages
from analyzer.text.readers._letters import fold_letters
from analyzer.text.readers._page import Block

_SIGNS = re.compile(r"\bISBN\b|©|\bAll rights reserved\b")

_LEGAL = re.compile(
    r"\bISBN\b|©|copyright|rights reserved|reproduc|publish|permission|licen[sc]e|edition|printed|work of fiction|"
    r"alle rechte|impressum|verlag|auflage|tous droits|dépôt légal|éditeur|éditions|imprimé|derechos|editorial|impreso|"
    r"все права|издател|охраняется|版权|版權|出版|翻印|印刷|著作権|発行|無断|저작권|발행|펴낸|무단|인쇄",
    re.IGNORECASE,
)
"""What the paragraphs of imprints hold, in the languages with tables."""

_LABELS = frozenset(
    (
        *("copyright", "copyrightpage", "copyrightnotice", "imprint", "colophon", "legal", "legalnotice", "impressum"),
        *("mentionslégales", "créditos", "créditoslegales", "выходныеданные", "奥付", "판권", "판권지"),
        *("版权", "版權", "版权页", "版權頁", "版权信息"),
    )
)
"""What a page that is an imprint is called, folded."""

_LONGEST = 3_000
"""Code points; the imprints of large publishers have about 2,500."""

_PROSE = {False: 60, True: 25}
"""Code points from which a paragraph that ends a sentence is prose; true: in the denser scripts of East Asia."""

_ENDS = ".!?。！？…”’」』\"'"


def is_imprint(blocks: Sequence[Block], labels: Collection[str], names: Collection[str]) -> bool:
    """Say whether a page is an imprint: it holds a sign of one, and is no chapter.

    A chapter has a heading that reads like one (of its own, or in `labels`: what the contents list calls the page), or
    another heading and prose, or more prose than else. `names` are title and author, folded: no heading of a chapter.
    """
    if sum(len(block.text) for block in blocks) > _LONGEST or not any(_SIGNS.search(b.text) for b in blocks):
        return False
    headings = [*labels, *(block.text for block in blocks if block.level)]
    headings = [words for words in headings if fold_letters(words) not in {*_LABELS, *names, ""}]
    if any(_reads_like_chapter(words) for words in headings):
        return False
    prose = sum(len(block.text) for block in blocks if _is_prose(block))
    rest = sum(len(block.text) for block in blocks if not block.level) - prose
    return not (prose and headings) and prose <= rest


def _reads_like_chapter(words: str) -> bool:
    line = " ".join(words.split())
    found = (match_heading(line, language_table(tag)) for tag in languages())
    return any(
        one and one.style in ("word", "number", "part", "kind") and one.kind != "front" and (one.number or 0) < FEW
        for one in found
    )


def _is_prose(block: Block) -> bool:
    words = block.text.strip()
    dense = sum(1 for ch in words if ch >= "\u1100") * 2 > len(words)
    long = len(words) >= _PROSE[dense]
    return long and not block.level and words[-1] in _ENDS and not _LEGAL.search(words)
