"""What the evaluation of rules counts: wrong merges, people missed and people split."""

from pathlib import Path

import pytest

from analyzer.models.gold import GoldChapter, GoldEntity
from evals.rules_novel import gold_names, main, missed_people, run_rules, split_people, wrong_merges
from tests.evals.cast_rows import row

SERIAL = """Chapter 1

Tobin Hale kept the ferry. “Good day,” said Tobin. Orla, the daughter of Tobin, laughed. “No,” said Orla.

“Go to Harrowby,” said Tobin to Orla. Orla went to Harrowby and came back from Harrowby with Tobin.

Chapter 2

“I stay,” said Tobin Hale. “Then I go,” said Orla. Orla and Tobin slept.
"""


GOLD = GoldChapter(
    book="b",
    chapter=1,
    body_start=0,
    body_end=1,
    block_starts=(0,),
    entities=(
        GoldEntity(id="tobin", kind="character", names=("Tobin", "Hale")),
        GoldEntity(id="orla", kind="character", names=("Orla", "Hale")),
        GoldEntity(id="piers", kind="character", names=("Piers",), level="optional"),
        GoldEntity(id="ferry", kind="object", names=("Heron",)),
    ),
    relations=(),
)


def test_a_row_with_names_of_two_people_is_a_wrong_merge_and_a_shared_name_is_not():
    names = gold_names([GOLD])
    assert not wrong_merges([row("@1", "Tobin", "Hale"), row("@2", "orla", "HALE")], names)
    assert [m.gold_ids for m in wrong_merges([row("@1", "Tobin", "Orla")], names)] == [("orla", "tobin")]


def test_core_people_are_missed_and_split_by_their_names_among_the_characters():
    core = gold_names([GOLD], core=True)
    assert set(core) == {"tobin", "orla"}
    assert missed_people([row("@1", "Tobin"), row("@2", "Orla", kind="place")], core) == ("orla",)
    assert split_people([row("@1", "Tobin"), row("@2", "Hale")], {"tobin": core["tobin"]}) == {
        "tobin": ("Tobin", "Hale")
    }


def test_a_manuscript_is_run_in_a_folder_of_its_own(tmp_path: Path):
    file = tmp_path / "serial.txt"
    file.write_text(SERIAL, "utf-8")
    found = run_rules(file, language="en")
    assert {"Tobin Hale", "Orla"} <= {r.name for r in found.cast if r.kind == "character"}
    assert [(r.relation, r.evidence[0].text.startswith("Orla, the daughter")) for r in found.relations] == [
        ("parent_of", True)
    ]
    assert list(tmp_path.iterdir()) == [file]


def test_the_report_shows_cast_kin_with_quotes_and_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "serial.txt"
    file.write_text(SERIAL, "utf-8")
    assert main([str(file), "--language", "en", "--fewest", "1"]) == 0
    shown = capsys.readouterr().out
    assert (
        "Tobin Hale parent_of Orla" in shown
        and "1:1.3 Orla, the daughter of Tobin, laughed." in shown
        and "2 chapters" in shown
    )
