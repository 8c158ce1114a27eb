"""Drafts become gold exactly where every quotation stands once, in scripts with and without word borders."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analyzer.models.gold import GoldChapter
from analyzer.text.manuscript import manuscript_from_text, read_manuscript
from evals.goldset.__main__ import main
from evals.goldset.draft import Built, build
from evals.goldset.places import find_quote
from evals.goldset.vocabulary import Quote
from tests.evals.goldset.tales import CHINESE, ENGLISH, JAPANESE, KOREAN, TALES, Tale, person, relation, write

GOLDSETS = Path(__file__).parents[3] / "goldsets"
each_tale = pytest.mark.parametrize("tale", TALES, ids=lambda tale: tale.language)


def built(folder: Path, tale: Tale, *drafts: dict[str, Any]) -> Built:
    home, serial = write(folder, tale, *drafts)
    return build(home, read_manuscript(serial, language=tale.language))


def changed(tale: Tale, section: str, *entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the tale's draft with entries added to a section."""
    raw = copy.deepcopy(tale.draft) | more
    raw[section] = [*raw.get(section, []), *entries]
    return raw


def faults(folder: Path, tale: Tale, *drafts: dict[str, Any]) -> list[str]:
    return [str(fault) for fault in built(folder, tale, *drafts).faults]


def only(found: list[str]) -> str:
    assert len(found) == 1, found
    return found[0]


@each_tale
def test_a_draft_becomes_gold_whose_evidence_is_the_quoted_words(tmp_path: Path, tale: Tale) -> None:
    result = built(tmp_path, tale)
    assert result.faults == ()
    gold = GoldChapter.model_validate_json(json.dumps(result.chapters["chapter-01.json"]))
    for made, said in zip(gold.relations, tale.draft["relations"], strict=True):
        assert [tale.text[slice(*gold.span(e))] for e in made.evidence] == said["quotes"]
    assert "quote" not in json.dumps(result.chapters)
    assert tale.text[gold.body_start :].startswith(
        manuscript_from_text(tale.text, title="", language=tale.language).chapters[0].blocks[0].text
    )


@pytest.mark.parametrize(
    ("tale", "blocks"),
    [
        (ENGLISH, {"rose": [1, 2, 3], "will": [1], "rose_father": [3]}),
        (KOREAN, {"minseo": [1, 2, 3], "junho": [1, 2], "old_woman": []}),
        (CHINESE, {"xiaoyu": [1, 2], "dahai": [1, 2, 3], "boat": [2, 3]}),
        (JAPANESE, {"aoi": [1, 2, 3], "kenta": [1, 2], "takeru": [3]}),
    ],
    ids=lambda value: value.language if isinstance(value, Tale) else "",
)
def test_blocks_are_where_a_name_stands_and_not_another_word(
    tmp_path: Path, tale: Tale, blocks: dict[str, list[int]]
) -> None:
    gold = built(tmp_path, tale).chapters["chapter-01.json"]
    assert {entity["id"]: entity["blocks"] for entity in gold["entities"]} == blocks


def test_a_longer_name_of_another_hides_a_shorter_one(tmp_path: Path) -> None:
    raw = changed(ENGLISH, "entities", person("town", "Rosewater", kind="place"))
    gold = built(tmp_path, ENGLISH, raw).chapters["chapter-01.json"]
    assert [e["blocks"] for e in gold["entities"]] == [[1, 2, 3], [1], [3], [2]]


@pytest.mark.parametrize(
    ("tale", "quote", "said"),
    [
        (ENGLISH, "Rose’s father, young Pell", "nearest: block 3: 'Rose’s father, old Pell"),
        (ENGLISH, "Rose's father", "block 3 has it with other quotation marks"),
        (ENGLISH, "Rose", "stands in 4 places: blocks 1 (at 0), 2 (at 22), 2 (at 28), 3 (at 0)"),
        (ENGLISH, "ose Pell sold", "begins inside a word of block 1"),
        (ENGLISH, "Rose Pell so", "ends inside a word of block 1"),
        (ENGLISH, "at the weir.\n\n“Will you", "goes over a line's end"),
        (ENGLISH, "Will was married", "does not stand in the chapter"),
        (KOREAN, "오빠 준호는", "nearest: block 1: '오빠 준호"),
        (KOREAN, "서는 방앗간", "begins inside a word"),
        (KOREAN, "민서", "stands in 5 places"),
        (CHINESE, "大海", "stands in 3 places: blocks 1 (at 12), 2 (at 5), 3 (at 6)"),
        (CHINESE, "她的姐姐林大海", "nearest: block 1: '她的哥哥林大海"),
        (JAPANESE, "弟の健太", "nearest: block 1"),
    ],
)
def test_a_quotation_that_is_not_there_once_fails_and_says_where_to_look(
    tmp_path: Path, tale: Tale, quote: str, said: str
) -> None:
    ends = [entity["id"] for entity in tale.draft["entities"]]
    raw = changed(tale, "relations", relation(f"{ends[0]} friend_of {ends[1]}", quote))
    line = only(faults(tmp_path, tale, raw))
    assert line.startswith(f"draft-1.json: relations {len(raw['relations'])} ({ends[0]} friend_of {ends[1]})")
    assert said in line


def test_a_block_makes_words_that_stand_twice_one_place(tmp_path: Path) -> None:
    raw = changed(CHINESE, "relations", relation("xiaoyu friend_of dahai", {"block": 3, "quote": "大海"}))
    gold = built(tmp_path, CHINESE, raw).chapters["chapter-01.json"]
    assert gold["relations"][-1]["evidence"] == [{"block": 3, "start": 6, "end": 8}]


@pytest.mark.parametrize(("block", "said"), [(9, "there is no block 9, the chapter has 3"), (2, "stands in 2 places")])
def test_a_block_that_does_not_settle_it_fails(tmp_path: Path, block: int, said: str) -> None:
    raw = changed(ENGLISH, "relations", relation("rose friend_of will", {"block": block, "quote": "Rose"}))
    assert said in only(faults(tmp_path, ENGLISH, raw))


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (relation("rose knows will", "old Pell"), "kind: 'knows' is no relation kind; known are parent_of"),
        (relation("rose friend_of will", "old Pell", status="past"), "status: Input should be 'current', 'former'"),
        (relation("rose friend_of will", "old Pell", source="rumour"), "source: Input should be 'narration'"),
        (relation("rose friend_of will", "old Pell", modifier="in-law"), "modifier: Input should be 'birth'"),
        (
            relation("rose friend_of will", "old Pell", alternates=["~likes"]),
            "alternates.1: 'likes' is no relation kind",
        ),
        (relation("rose friend_of will", "old Pell", mood="x"), "mood: Extra inputs are not permitted"),
        (relation("rose friend_of will"), "quotes: at least one is needed"),
        (relation("rose friend_of will", "old Pell") | {"quotes": "old Pell"}, "quotes: a list in square brackets"),
        (relation("rose friend_of jack", "old Pell"), "'jack' is no id of this chapter's entities"),
        (relation("rose friend_of rose", "old Pell"), "subject and object are the same"),
        (
            relation("rose lives_in will", "old Pell"),
            "will is a character; this end of lives_in is one of place",
        ),
        (relation("rose_father parent_of rose", "old Pell"), "is the same as relations 1"),
        (relation("rose parent_of rose_father", "old Pell"), "turns relations 1 round"),
        (
            relation("rose friend_of will", "old Pell", again=True),
            "again is True, but pair, kind and status do not stand",
        ),
        (
            relation("rose friend_of will", "old Pell", alternate_triples=[["rose", "loves", "sky"]]),
            "'sky' is no id of this chapter's entities",
        ),
    ],
)
def test_a_relation_out_of_the_format_fails_with_its_name(tmp_path: Path, entry: dict[str, Any], said: str) -> None:
    line = only(faults(tmp_path, ENGLISH, changed(ENGLISH, "relations", entry)))
    assert line.startswith(f"draft-1.json: relations 2 ({entry['subject']} {entry['kind']} {entry['object']}): ")
    assert said in line


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (person("rose", "weir"), "the id 'rose' stands twice"),
        (person("Jack", "weir"), "id: String should match pattern"),
        (person("jack", "Jack"), "the name 'Jack' is not printed in the chapter"),
        (person("jack", "ill"), "the name 'ill' is not printed in the chapter"),
        (person("jack", descriptors=("her mother",)), "the descriptor 'her mother' is not printed"),
        (person("jack", "\u202e\u202d"), "a name of 0 visible signs"),
        (person("jack", "ill " * 99 + "ill"), "visible signs, 1 to 300 are allowed"),
        (person("jack"), "neither a name nor a descriptor"),
        (person("jack", "weir", kind="animal"), "kind: Input should be 'character'"),
        (person("jack", "weir", blocks_not=[3]), "blocks_not has 3, where no name of it was found"),
        (person("jack", "weir", blocks_also=[3]), "blocks_also has 3, where none of its names stands"),
        (person("jack", "weir", persona_of="will", revealed_in=2), "revealed_in is 2: before that chapter"),
        (person("jack", "weir", persona_of="sky", revealed_in=1), "persona_of names 'sky'"),
        (person("jack", "weir", persona_of="will"), "persona_of and revealed_in go together"),
    ],
)
def test_an_entity_out_of_the_format_fails_with_its_id(tmp_path: Path, entry: dict[str, Any], said: str) -> None:
    line = only(faults(tmp_path, ENGLISH, changed(ENGLISH, "entities", entry)))
    assert line.startswith(f"draft-1.json: entities 4 ({entry['id']}): ")
    assert said in line


@pytest.mark.parametrize("kind", [{"a": 1}, ["loves"], 3, None])
def test_a_kind_that_is_no_word_is_a_fault_and_no_crash(tmp_path: Path, kind: object) -> None:
    entry = relation("rose knows will", "old Pell") | {"kind": kind}
    line = only(faults(tmp_path, ENGLISH, changed(ENGLISH, "relations", entry)))
    assert f"kind: {kind!r} is no relation kind" in line


def test_a_name_of_two_entities_fails_at_both(tmp_path: Path) -> None:
    found = faults(tmp_path, ENGLISH, changed(ENGLISH, "entities", person("jar", "Rose")))
    assert [line.split(": ")[1] for line in found] == ["entities 1 (rose)", "entities 4 (jar)"]
    assert all("'Rose' is given to rose and jar" in line for line in found)


@pytest.mark.parametrize(
    ("section", "entry", "said"),
    [
        ("changes", {"entity": "rose", "attribute": "luck", "to": "x"}, "attribute: Input should be 'life_status'"),
        ("changes", {"entity": "rose", "attribute": "mood", "to": "x", "alternates": ["sky.mood"]}, "'sky' is no id"),
        ("appearance", {"entity": "rose", "feature": "nose", "value": "x"}, "feature: Input should be 'hair'"),
        ("identities", {"persona": "x", "is": "sky", "revealed_here": True}, "'sky' is no id"),
        ("secrets", {"proposition": "x", "holders": []}, "holders: at least one is needed"),
        ("secrets", {"proposition": "x", "holders": ["rose"], "hidden_from_alternates": ["sky"]}, "'sky' is no id"),
        ("knowledge", {"knower": "rose", "proposition": "x", "stance": "knows"}, "via says how somebody knows"),
        ("knowledge", {"knower": "rose", "proposition": "x", "stance": "unaware", "via": "told"}, "via says how"),
        ("plants", {"kind": "gun", "what": "x", "event": "plant"}, "kind: Input should be 'object'"),
        ("plants", {"kind": "fear", "what": "x", "event": "shot"}, "event: Input should be 'plant'"),
    ],
)
def test_the_other_sections_have_closed_words_too(
    tmp_path: Path, section: str, entry: dict[str, Any], said: str
) -> None:
    line = only(faults(tmp_path, ENGLISH, changed(ENGLISH, section, entry | {"quotes": ["old Pell"]})))
    assert f"{section} " in line and said in line


def test_all_faults_of_all_drafts_are_named_at_once(tmp_path: Path) -> None:
    first = changed(
        ENGLISH, "relations", relation("rose friend_of will", "nowhere"), relation("rose ate will", "old Pell")
    )
    second = {"book": "tale", "chapter": 7, "language": "en", "entities": []}
    found = faults(tmp_path, ENGLISH, first, second)
    assert [line.split(":")[0] for line in found] == ["draft-1.json", "draft-2.json"]
    assert "chapter 7 is not in the serial, it has 1 to 2" in found[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON in UTF-8"),
        ("[" * 100_000, "is not JSON in UTF-8"),
        ("[]", "holds a list"),
        ('{"book": "\\ud800", "chapter": 1, "language": "en", "entities": []}', "surrogates not allowed"),
        ('{"book": "a", "chapter": NaN, "language": "en", "entities": []}', "a finite number was expected"),
        ('{"book": "a", "chapter": 1, "language": "en", "entities": {"id": "x"}}', "entities: "),
        ('{"book": "a", "book": "b"}', "'book' stands twice"),
        ('{"book": "../up", "chapter": 1, "language": "en", "entities": []}', "book: String should match"),
        ('{"book": "a", "chapter": 0, "language": "en", "entities": []}', "chapter: Input should be greater"),
        ('{"book": "a", "chapter": 1, "language": "en", "entities": 3}', "entities: Input should be"),
        ('{"book": "a", "chapter": 1, "language": "en", "entities": [3]}', "entities 1: Input should be"),
    ],
)
def test_a_file_that_is_no_draft_is_a_fault_and_no_crash(tmp_path: Path, text: str, said: str) -> None:
    home, serial = write(tmp_path, ENGLISH)
    (home / "draft-1.json").write_text(text, "utf-8")
    found = [str(fault) for fault in build(home, read_manuscript(serial, language="en")).faults]
    assert said in only(found)


def second(*relations: dict[str, Any]) -> dict[str, Any]:
    entities = [person("rose", "Rose Pell"), person("will", "Will")]
    return {"book": "tale", "chapter": 2, "language": "en", "entities": entities, "relations": list(relations)}


def test_again_is_worked_out_where_all_earlier_chapters_are_there(tmp_path: Path) -> None:
    first = changed(ENGLISH, "relations", relation("will betrothed_to rose", "sold a rose"))
    later = second(
        relation("rose betrothed_to will", "was married"),
        relation("rose spouse_of will", "was married"),
    )
    gold = built(tmp_path, ENGLISH, first, later).chapters["chapter-02.json"]
    assert [r["again"] for r in gold["relations"]] == [True, False]


def test_again_means_the_same_status(tmp_path: Path) -> None:
    first = changed(ENGLISH, "relations", relation("will betrothed_to rose", "sold a rose"))
    later = second(relation("rose betrothed_to will", "was married", status="former", again=True))
    assert "pair, kind and status do not stand" in only(faults(tmp_path, ENGLISH, first, later))


def test_again_must_be_said_where_an_earlier_chapter_has_no_draft(tmp_path: Path) -> None:
    assert "again is missing" in only(faults(tmp_path, ENGLISH, second(relation("rose spouse_of will", "was married"))))


def test_an_id_keeps_its_kind_and_a_folder_holds_one_book(tmp_path: Path) -> None:
    later = second() | {"book": "other", "entities": [person("rose", "Rose Pell", kind="object")]}
    found = faults(tmp_path, ENGLISH, ENGLISH.draft, later)
    assert any("is a object here and a character in draft-1.json" in line for line in found)
    assert any("book is 'other', in draft-1.json it is 'tale'" in line for line in found)


def test_two_drafts_of_one_chapter_are_a_fault(tmp_path: Path) -> None:
    assert "another draft is about chapter 1" in only(faults(tmp_path, ENGLISH, ENGLISH.draft, ENGLISH.draft))


def test_the_command_writes_gold_only_without_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home, serial = write(tmp_path, KOREAN)
    out = tmp_path / "gold"
    assert main(["check", str(home), str(serial)]) == 0
    assert main(["draft", str(home), str(serial), "--out", str(out)]) == 0
    assert [path.name for path in out.iterdir()] == ["chapter-01.json"]
    (home / "draft-2.json").write_text("{}", "utf-8")
    assert main(["draft", str(home), str(serial), "--out", str(tmp_path / "other")]) == 1
    assert not (tmp_path / "other").exists()
    assert "draft-2.json: book: Field required" in capsys.readouterr().err


def test_the_command_prints_numbered_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, serial = write(tmp_path, JAPANESE)
    assert main(["blocks", str(serial), "--chapter", "1", "--language", "ja"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("[1] 佐藤葵は")
    assert main(["blocks", str(serial), "--chapter", "5"]) == 2
    assert "there is no chapter 5" in capsys.readouterr().err


def test_a_folder_without_drafts_is_said_plainly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, serial = write(tmp_path, ENGLISH)
    assert main(["check", str(tmp_path / "nowhere"), str(serial)]) == 2
    assert "no drafts (*.json)" in capsys.readouterr().err


def test_the_worked_example_of_the_documentation_is_a_good_draft(tmp_path: Path) -> None:
    text = (GOLDSETS / "README.md").read_text("utf-8")
    [example] = re.findall(r"```text\n(.*?)```", text, re.S)
    [raw] = re.findall(r"```json\n(.*?)```", text, re.S)
    tale = Tale("en", re.sub(r"^\[\d+\] ", "", example, flags=re.M), json.loads(raw))
    result = built(tmp_path, tale)
    assert result.faults == ()
    assert result.chapters["chapter-01.json"]["n_blocks"] == 3


def test_the_bundled_gold_turned_into_drafts_gives_the_same_gold_again(tmp_path: Path) -> None:
    folder = GOLDSETS / "dark-of-the-gullick"
    serial = read_manuscript(folder / "serial.txt", language="en")
    for file in sorted((folder / "gold").glob("*.json")):
        (tmp_path / file.name).write_text(json.dumps(quoted(json.loads(file.read_text("utf-8")), serial.text)), "utf-8")
    result = build(tmp_path, serial)
    assert result.faults == ()
    for name, gold in result.chapters.items():
        assert gold == json.loads((folder / "gold" / name).read_text("utf-8")), name


@given(data=st.data())
def test_any_words_of_a_block_are_found_where_they_stand_or_refused_with_a_reason(data: st.DataObject) -> None:
    tale = data.draw(st.sampled_from(TALES))
    chapter = manuscript_from_text(tale.text, title="", language=tale.language).chapters[0]
    block = data.draw(st.sampled_from(chapter.blocks))
    start = data.draw(st.integers(0, len(block.text) - 1))
    words = block.text[start : data.draw(st.integers(start + 1, len(block.text)))].strip()
    assume(words)
    found = find_quote(chapter, Quote(quote=words))
    if isinstance(found, str):
        assert "places" in found or "inside a word" in found
    else:
        assert chapter.blocks[found.block - 1].text[found.start : found.end] == words
        assert sum(other.text.count(words) for other in chapter.blocks) == 1


def quoted(gold: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the draft that a gold chapter could have come from."""
    sections = ("entities", "relations", "changes", "appearance", "identities", "secrets", "knowledge", "plants")
    raw: dict[str, Any] = {key: gold[key] for key in ("book", "chapter", "language")}
    for section in sections:
        raw[section] = []
        for entry in gold[section]:
            said = {key: value for key, value in entry.items() if key not in ("blocks", "evidence")}
            if section != "entities":
                bases = [(gold["block_starts"][e["block"] - 1], e) for e in entry["evidence"]]
                said["quotes"] = [text[base + e["start"] : base + e["end"]] for base, e in bases]
            raw[section].append(said)
    return raw
