"""Plain text: what printing and transcription put between the words is taken out, said, and nothing else is."""

from __future__ import annotations

import time
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers._reader import Removed, SourceText
from analyzer.text.readers.plain import read
from tests.text.prose import PROSE

WRAPPED = """The ferrywoman had never liked the well-known road along the marsh, but to-
gether with her brother she went that way every even-
ing. He carried the lantern; she, being the older, carried the well-
known basket. They were together, as always, and the marsh was full of half-
lit faces that nobody else had seen. One half was lit. Every evening she counted them, and care-
fully wrote the number down.
"""


NAMES = ("Ilse", "Marta", "Anke", "Signe", "Ragna", "Tove", "Lise", "Britt", "Gerda", "Hilda", "Una")
VERBS = ("counted", "hid", "lost", "found", "spent", "shared", "weighed", "rubbed", "dropped", "kept", "wrapped")


def read_text(text: str) -> SourceText:
    return read(text.encode(), Path("book.txt"))


def kinds(source: SourceText) -> Counter[str]:
    return Counter(one.kind for one in source.removed)


def test_words_parted_at_line_ends_are_joined_and_real_hyphens_stay() -> None:
    source = read_text(WRAPPED)
    words = source.text.split()
    assert {"together", "evening.", "carefully"} <= set(words)
    assert words.count("well-known") == 2
    assert "half-\nlit" in source.text
    assert [(one.kind, one.text) for one in source.removed] == [("hyphen at a line end", "---")]


def test_words_are_parted_in_other_languages_too() -> None:
    german = (
        "Die Fähr-\nfrau zählte die Münzen. Die Fährfrau wußte, daß die Glocke nie läu-\ntet, wenn der Ne-\n"
        "bel kommt; aber der Nebel-\nSchleier, sagte sie, sei nur ein Märchen. Der Nebel kam.\n"
    )
    assert "Fährfrau\nzählte" in read_text(german).text
    assert "läutet,\nwenn" in read_text(german).text
    assert "Nebel-\nSchleier" in read_text(german).text
    russian = "Перевоз-\nчица пела. Река бы-\nла серая, и никто не при-\nшёл. Перевозчица была одна.\n"
    assert read_text(russian).text.split()[:2] == ["Перевозчица", "пела."]


def test_lines_that_are_whole_paragraphs_keep_their_hyphens() -> None:
    text = ("She counted the coins twice, and then a third time, since nobody in the village would have " * 2).strip()
    text = "".join(
        f"{text} to-\ngether they went on, {i} of them, along the river, past the mill and the two weirs.\n"
        for i in range(9)
    )
    assert read_text(text).text == text


def test_a_soft_hyphen_at_a_line_end_goes_with_the_line_end() -> None:
    text = "The ferry\u00ad\nwoman sang. The river\u00ad\nbank was far, and the even\u00ad\ning long.\n"
    assert read_text(text).text == "The ferrywoman\nsang. The riverbank\nwas far, and the evening\nlong.\n"


def test_invisible_characters_go_and_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("Chapter 1\n\nThe fer\u00adry\u2060woman\u200b sang.\n", encoding="utf-8")
    manuscript = read_manuscript(path, language="en")
    assert manuscript.chapters[0].blocks[0].text == "The ferrywoman sang."
    assert manuscript.remarks == ("taken out of the text: invisible character (3)",)


def test_letters_in_pieces_are_composed_and_ligatures_and_other_signs_stay() -> None:
    for language in ("fr", "ko", "ja", "ru", "pl"):
        assert read_text(unicodedata.normalize("NFD", PROSE[language])).text == PROSE[language]
    kept = "The ﬁrst oﬃcer. 豈 﨑 ½ ① שׁ ﷲ क़ Ⅳ ｶﾞ\n"
    assert read_text(kept).text == kept


RUBY = (
    "｜渡《わた》し守《もり》の女《おんな》は銭《ぜに》を二度｜数《かぞ》えた。［＃ここから２字下げ］\n"
    "　川は※［＃「さんずい＋肖」、U+6D88、12-3］《き》えた。\n"
)


def test_readings_and_notes_of_japanese_transcriptions_are_removed_and_signs_put_in() -> None:
    source = read_text(RUBY)
    assert source.text == "渡し守の女は銭を二度数えた。\n　川は消えた。\n"
    assert [one.text for one in source.removed][1:3] == ["｜《わた》", "《もり》"]
    assert kinds(source) == {"ruby reading": 6, "note of the transcription": 2}


def test_the_colophon_of_a_transcription_is_no_chapter() -> None:
    colophon = "底本：「渡し守の話」柳書房\n　　　1931年2月25日第1刷\n入力：渡辺\n"
    source = read_text(RUBY + "\n\n" + colophon)
    assert source.text == "渡し守の女は銭を二度数えた。\n　川は消えた。\n\n\n"
    assert Removed("colophon", colophon) in source.removed
    assert read_text("彼は言った。\n底本：これは何だ。\n").removed == ()


def test_marks_of_quotation_in_other_texts_are_no_readings() -> None:
    for text in (
        "他讀了《紅樓夢》，又讀了《西遊記》，還有《水滸傳》和《三國演義》。\n",
        "彼は『砂の女』と《こころ》を読んだ。川《かわ》は暗い。\n",
        "《わからない》と思った。《もういい》と彼は言う。\n",
    ):
        assert read_text(text).text == text
        assert read_text(text).removed == ()


def test_headings_that_notes_name_are_headings(tmp_path: Path) -> None:
    body = "　川は灰色であった。渡し守は誰も待っていなかった。" * 6
    text = "".join(
        f"{title}［＃「{title}」は中見出し］\n\n{body}\n\n［＃改ページ］\n" for title in ("鐘の音", "柳の下", "帰り道")
    )
    text += f"［＃ここから中見出し］\n橋\n［＃ここで中見出し終わり］\n{body}\n"
    path = tmp_path / "kawa.txt"
    path.write_text(text, encoding="cp932")
    manuscript = read_manuscript(path)
    assert [chapter.title for chapter in manuscript.chapters] == ["鐘の音", "柳の下", "帰り道", "橋"]
    assert "［＃" not in manuscript.text


def test_page_numbers_in_the_middle_of_sentences_go_without_form_feeds() -> None:
    page = (
        "The rope sang over their heads, and the far bank came nearer so slowly that the\n{name} and her brother{number}\n\n"
        "{verb} the coins once more on the wet boards of side {i}.\n\nNobody was waiting.\n\n"
    )
    pages = []
    for i, (name, verb) in enumerate(zip(NAMES, VERBS, strict=True), 1):
        number = f"\n\n{i}" if i % 2 else f"\n\nTHE SALT ROAD  {i}"
        pages.append(page.format(name=name, verb=verb, number=number, i=i))
    text = "".join(pages)
    source = read_text(text)
    assert kinds(source) == {"page number": 6, "running head": 5}
    assert all(f"{name} and her brother\n{verb} the" in source.text for name, verb in zip(NAMES, VERBS, strict=True))
    assert "SALT ROAD" not in source.text


def test_numbers_that_are_chapters_or_lists_are_no_pages() -> None:
    chapters = "".join(f"{i}\n\nThe rope sang over their heads that day.\n\nNobody came.\n\n" for i in range(1, 12))
    verse = "".join(f"{i}\n\nand so the river went on,\n\nand so did we\n\n" for i in (7, 3, 12, 5, 1, 9, 4, 2))
    for text in (chapters, verse):
        assert read_text(text).text == text


PIECES = st.sampled_from(
    [
        "The ferrywoman sang", "to-\ngether", "together ", "\f", "\n\n", "\n", "12\n", "THE SALT ROAD 3\n", "ex\u00adtra ",
        "e\u0301", "渡《わた》", "｜数《かぞ》", "［＃改頁］", "※", "《", "》", "-", " \n", "각", "Chapter 1\n", ". ", "\u2060",
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=60))
def test_every_character_is_in_the_text_or_said_to_be_removed(pieces: list[str]) -> None:
    text = "".join(pieces)
    if not text.strip("\u200b\ufeff \t\n\f\v\u3000"):
        return
    source = read_text(text)

    def visible(words: str) -> Counter[str]:
        return Counter(ch for ch in unicodedata.normalize("NFD", words) if not ch.isspace())

    accounted = visible(source.text) + visible("".join(one.text for one in source.removed))
    assert accounted == visible(text)


@pytest.mark.parametrize(
    "piece",
    [
        "x［＃「x」は中見出し］",
        "e\u0301\u0316",
        "e\u0301" + "\u0316\u0301" * 20,
        "｜a《",
        "［＃［x］",
        "a-\n",
        "12\n",
        "x\f",
        "漢《か》",
    ],
)
def test_a_hostile_text_is_read_in_seconds_and_not_in_minutes(piece: str) -> None:
    data = (piece * (160_000 // len(piece))).encode()
    start = time.process_time()
    read(data, Path("book.txt"))
    assert time.process_time() - start < 10
