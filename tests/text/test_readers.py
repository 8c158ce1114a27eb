"""Whatever the format: a file is refused in one sentence, or every character of it belongs somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers._reader import readers, takes_encoding

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
    try:
        read = read_manuscript(path)
    except InputError as refused:
        assert str(path) in str(refused) and "\n" not in str(refused)
        assert refused.hint
        return
    stretches = sorted([(c.start, c.end) for c in read.chapters] + [(d.start, d.end) for d in read.dropped])
    assert [start for start, _ in stretches] == [0, *(end for _, end in stretches[:-1])]
    assert stretches[-1][1] == len(read.text)
    assert all(one.reason for one in read.dropped)


def test_an_encoding_can_be_named_for_bare_text_alone(tmp_path: Path) -> None:
    for suffix in readers():
        path = tmp_path / f"book{suffix}"
        path.write_bytes("Chapter 1\n\nÉlise rowed on.\n".encode("mac_roman"))
        if takes_encoding(suffix):
            assert "Élise" in read_manuscript(path, encoding="mac-roman").text
        else:
            with pytest.raises(InputError, match="states its own encoding"):
                read_manuscript(path, encoding="mac-roman")
