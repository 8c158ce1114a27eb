"""What `analyzer chapters` sends authors to, and its JSON."""

from __future__ import annotations

import json
from pathlib import Path

from analyzer import pipeline
from analyzer.text.manuscript import preview_dropped, read_manuscript
from analyzer.text.remarks import of_book
from tests.cli.commands import Command
from tests.text.test_chapter_shapes import written
from tests.text.test_chapters import PROSE


def test_remarks_send_to_commands_that_work(tmp_path: Path, analyzer: Command) -> None:
    path = tmp_path / "x.txt"
    path.write_text(PROSE["en"], encoding="utf-8")
    said = analyzer("chapters", path).err
    assert f"analyzer init {path} and then analyzer chapters {path} --write" in said
    path.write_text(written("en", ["Chapter 1", "Chapter 5"]), encoding="utf-8")
    assert "see them" not in analyzer("chapters", path).err
    assert "see them: analyzer chapters" in pipeline.remarks(path)[0]
    assert of_book(["x: analyzer chapters BOOK --write makes"], "b") == ("x: analyzer chapters b --write makes",)


def test_the_json_of_chapters_tiles_the_text(tmp_path: Path, analyzer: Command) -> None:
    path = tmp_path / "x.txt"
    path.write_text(
        "THE SALT ROAD\n\n" + written("en", ["Part One\n\nChapter 1", "Chapter 2"]) + "\nTHE END\n", encoding="utf-8"
    )
    rows = json.loads(analyzer("chapters", path, "--json").out)
    places = []
    for row in rows:
        places += [*row["left_out_before"], row, *row["left_out_after"]]
    ends = [0, *(one["end"] for one in places)]
    assert [one["start"] for one in places] == ends[:-1]
    assert ends[-1] == len(path.read_text("utf-8"))
    assert [gap.reason for gap in preview_dropped(read_manuscript(path))] == ["title page", "part heading", "end mark"]
