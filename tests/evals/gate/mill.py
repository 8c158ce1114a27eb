"""A short serial of our own with gold, and the gate over it in a folder of the test."""

from __future__ import annotations

from pathlib import Path

from evals.gate import Sources
from evals.goldset.cases import find_cases
from tests.evals.goldset.sets import own
from tests.evals.goldset.tales import Tale, draft, person, relation

MILL = Tale(
    "en",
    "The Mill at Carrow\n\n\nChapter 1: Flood\n\n\n"
    "Agnes Tully kept the mill at Carrow with her brother Piers Tully. Their father, Noah Tully, had built it.\n\n"
    "“The sluice will not hold,” said Piers. Agnes looked at the water and said nothing.\n\n"
    "Lorna Vane came over the bridge from Carrow. Lorna was married to Piers since the spring, and Agnes was her friend.\n\n"
    "“Hugo Brandt wants the mill,” said Lorna. Hugo Brandt was the enemy of Noah Tully from of old.\n\n"
    "Hugo had a son, Emil Brandt, who loved Agnes. Nobody at Carrow had told Hugo so.\n\n"
    "Old Sabra Finch, the servant of Hugo, stood at the door that night. “Emil is gone to the weir,” said Sabra.\n\n"
    "Agnes took the lantern. Piers and Lorna went after her to Carrow, and Emil met Agnes on the bridge.\n",
    draft(
        "en",
        [
            person("agnes", "Agnes Tully", "Agnes"),
            person("piers", "Piers Tully", "Piers"),
            person("noah", "Noah Tully"),
            person("lorna", "Lorna Vane", "Lorna"),
            person("hugo", "Hugo Brandt", "Hugo"),
            person("emil", "Emil Brandt", "Emil"),
            person("sabra", "Sabra Finch", "Sabra"),
            person("carrow", "Carrow") | {"kind": "place"},
        ],
        [
            relation("agnes sibling_of piers", "her brother Piers Tully"),
            relation("noah parent_of agnes", "Their father, Noah Tully"),
            relation("noah parent_of piers", "Their father, Noah Tully"),
            relation("lorna spouse_of piers", "Lorna was married to Piers"),
            relation("lorna friend_of agnes", "Agnes was her friend"),
            relation("hugo enemy_of noah", "Hugo Brandt was the enemy of Noah Tully"),
            relation("hugo parent_of emil", "Hugo had a son, Emil Brandt"),
            relation("emil loves agnes", "who loved Agnes"),
            relation("sabra serves hugo", "the servant of Hugo"),
            relation("agnes lives_in carrow", "kept the mill at Carrow"),
        ],
    ),
)


def sources(folder: Path, **more: Path) -> Sources:
    """Make the tale's goldset in `folder` and return a gate over it alone."""
    root = folder / "sets"
    if not root.exists():
        own(root, "mill", MILL)
    return Sources(
        baselines=folder / "baselines",
        recordings=more.get("recordings", folder / "recordings"),
        cases=lambda texts: find_cases(texts, root=root),
    )
