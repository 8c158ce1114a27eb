"""Whatever the format: a file is refused in one sentence, or every character of it belongs somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers._reader import readers, takes_encoding
from tests.text.whole import faults_in, gaps_in

PIECES = st.sampled_from(
    [
        "Chapter 1", "# Chapter 2", "제 3 장", "第四回　鐘聲", "Глава пятая", "PART ONE", "CONTENTS", "THE END", "Prologue",
        "\n", "\n\n", "\f", "She rowed on. ", "뱃사공은 웃었다. ", "她笑了。", "“Не знаю”. ", "* * *", "---", "[^1]: a note\n", "[^1]",
        "<!-- gone -->", "《かな》", "漢字《かんじ》", "［＃改頁］", "\u00ad", "e\u0301", "12", "xii", "**bold** ", "　", "\t",
        "*** START OF THE PROJECT GUTENBERG EBOOK ***", "*** END OF THE PROJECT GUTENBERG EBOOK ***",
    ]
)  # fmt: skip


@pytest.mark.parametrize("suffix", sorted(readers()))
@settings(max_examples=60, deadline=None)
@given(
    data=st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=40).map(lambda found: "".join(found).encode()))
)
def test_every_character_is_in_a_chapter_or_dropped_with_a_reason(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / f"book{suffix}"
    path.write_bytes(data)
    assert faults_in(path) == []


def test_an_encoding_can_be_named_for_bare_text_alone(tmp_path: Path) -> None:
    for suffix in readers():
        path = tmp_path / f"book{suffix}"
        path.write_bytes("Chapter 1\n\nÉlise rowed on.\n".encode("mac_roman"))
        if takes_encoding(suffix):
            assert "Élise" in read_manuscript(path, encoding="mac-roman").text
        else:
            with pytest.raises(InputError, match="states its own encoding"):
                read_manuscript(path, encoding="mac-roman")


def test_a_gap_an_overlap_and_a_moved_block_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("Chapter 1\n\nShe rowed on.\n\nChapter 2\n\n뱃사공은 웃었다.\n", "utf-8")
    read = read_manuscript(path)
    first, second = read.chapters
    block = second.blocks[0]
    for chapters, fault in (
        ((first.model_copy(update={"end": first.end - 1}), second), f"{second.start} after {first.end - 1}"),
        ((first.model_copy(update={"end": first.end + 1}), second), f"{second.start} after {first.end + 1}"),
        ((first,), f"the end is {first.end} of {len(read.text)}"),
        (
            (first, second.model_copy(update={"blocks": (block.model_copy(update={"start": block.start - 1}),)})),
            f"block at {block.start - 1}",
        ),
    ):
        assert gaps_in(read.model_copy(update={"chapters": chapters})) == [fault]
    assert gaps_in(read) == []
