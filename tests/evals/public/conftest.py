"""Tiny sets of our own in the formats of the public ones."""

import json
from pathlib import Path

import pytest

SAID = "`` Tobin ! '' cried Orla Hale in Harrowby ."


def put(path: Path, *rows: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n", "utf-8")


def litbank(gold: Path) -> None:
    sentences = [
        "The ferryman kept a boat .",
        SAID,
        "Orla had met Tobin Hale in Harrowby , and Orla laughed .",
        "Don't go , said Tobin .",
    ]
    entities = [
        {"id": "o", "type": "PER", "mentions": [[1, 5, 1, 6, "Orla Hale", "PROP"], [2, 0, 2, 0, "Orla", "PROP"]]},
        {"id": "t", "type": "PER", "mentions": [[1, 1, 1, 1, "Tobin", "PROP"], [2, 3, 2, 4, "Tobin Hale", "PROP"]]},
        {"id": "h", "type": "GPE", "mentions": [[1, 8, 1, 8, "Harrowby", "PROP"], [2, 6, 2, 6, "it", "PRON"]]},
        {"id": "f", "type": "PER", "mentions": [[0, 0, 0, 1, "The ferryman", "NOM"]]},
        {"id": "b", "type": "VEH", "mentions": [[0, 3, 0, 4, "a boat", "NOM"]]},
    ]
    put(gold / "litbank" / "litbank.jsonl", {"doc": "weir", "sentences": sentences, "entities": entities})


def french(gold: Path) -> None:
    text = "Le passeur aimait Orla. Puis Orla partit pour Velmont, et le passeur resta à Velmont avec elle."
    at = [i for i in range(len(text)) if text.startswith("Orla", i)]
    town = [i for i in range(len(text)) if text.startswith("Velmont", i)]
    chains = [
        {"type": "PER", "mentions": [*([i, i + 4] for i in at), [len(text) - 5, len(text) - 1]]},
        {"type": "GPE", "mentions": [[i, i + 7] for i in town]},
        {"type": "PER", "mentions": [[0, 10]]},
        {"type": "TIME", "mentions": [[24, 28]]},
    ]
    put(gold / "fr-litbank" / "fr-litbank.jsonl", {"doc": "passeur", "text": text, "chains": chains})


def korean(gold: Path) -> None:
    text = "돌쇠가 웃었다. 돌쇠는 노파에게 말했다. 돌쇠의 집이다."
    people = {
        "A": [[0, 2, "돌쇠"], [9, 11, "돌쇠"]],
        "B": [[13, 15, "노파"]],
        "A+B": [[0, 2, "둘"]],
        "C": [[0, 1, "그"]],
    }
    put(gold / "koconovel" / "48.jsonl", {"scene": 0, "part": 1, "text": text, "omniscient": people})


def sentences(gold: Path) -> None:
    rows = [
        {"sentence": 1, "text": "`` Good day , '' said Mr. Hale .", "named": ["Mr. Hale"], "unnamed": 0},
        {"sentence": 2, "text": "He saw Orla in Harrowby .", "named": ["Mr. Hale", "Orla"], "unnamed": 0},
        {"sentence": 3, "text": "`` No , '' said Orla .", "named": ["Orla"], "unnamed": 0},
    ]
    put(gold / "dekker-sentences" / "Weir.jsonl", *rows)


CHAPTERS = (
    "CHAPTER I — THE FERRY\n\nM. Halle rowed. “Good day,” said M. Halle to Javin. Javin slept. M. Halle rowed on.\n\n",
    "CHAPTER II — THE WEIR\n\nJavin sat alone. Javin waited, and Javin sang of M. Halle. “Well,” said Javin. Javin slept.\n\n",
)


def encounters(gold: Path) -> None:
    place = gold.parent / "texts" / "weir"
    text, rows = "", []
    for number, chapter in enumerate(CHAPTERS, 1):
        body = len(text) + chapter.index("\n\n") + 2
        text += chapter
        rows.append({"n": number, "kind": "chapter", "part": "Volume I / Book I", "body_start": body, "end": len(text)})
    place.mkdir(parents=True)
    (place / "book.txt").write_text(text, "utf-8")
    put(place / "chapters.json", {"chapters": rows})
    people = [("HA", "Monsieur Halle"), ("JA", "Javin"), ("OW", "Old woman 1"), ("NO", "M\\'elie")]
    present = [("1.1.1", ["HA", "JA", "OW"]), ("1.1.2", ["JA"]), ("2.6.1", ["HA"])]
    jean = {
        "text": "texts/weir",
        "characters": [{"code": code, "name": name, "description": ""} for code, name in people],
        "chapters": [{"chapter": chapter, "present": people} for chapter, people in present],
    }
    put(gold / "sgb" / "jean.derived.json", jean)


def plays(gold: Path) -> None:
    people = [("hans", "Hans"), ("grete", "Grete"), ("otto", "Otto"), ("lene", "Lene")]
    play = {
        "cast": ["Hans, ein Fährmann.", "Grete, Tochter von Hans.", "Otto", "Lene, Ottos Magd."],
        "people": [{"id": i, "group": False, "names": [name]} for i, name in people],
        "relations": [
            {"name": "parent_of", "active": ["hans"], "passive": ["grete"]},
            {"name": "parent_of", "active": ["hans"], "passive": ["otto"]},
            {"name": "associated_with", "active": ["lene"], "passive": ["otto"]},
        ],
    }
    put(gold / "gerdracor" / "weir.json", play)
    speeches = "HANS. Otto, komm!\nOTTO. Ja, Hans.\nGRETE. Hans und Otto und Lene lachten.\n" * 3
    (gold / "gerdracor" / "weir.txt").write_text(f"Erster Akt\n\n{speeches}", "utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with all six sets."""
    for write in (litbank, french, korean, sentences, encounters, plays):
        write(tmp_path / "gold")
    return tmp_path
