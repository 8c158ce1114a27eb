"""A renamed case: its gold covers what its words became, and truthful answers score on it as on the original."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import InputError
from analyzer.llm.transports.gold_book import load_gold
from analyzer.models.gold import GoldChapter, GoldEvidence
from analyzer.text.languages import language_table
from analyzer.text.manuscript import read_manuscript
from analyzer.text.names import NameMatcher
from evals.goldset.cases import Case, by_chapter, find_cases, own_case
from evals.rename import Renamed, _pool, rename_case, renamed
from evals.rename.__main__ import main
from evals.runs import TRUTHFUL, run_case
from evals.scoring.figures import count, precision_of, recall_of
from tests.evals.goldset.sets import own, public
from tests.evals.goldset.tales import CHINESE, ENGLISH, JAPANESE, KOREAN, TALES, Tale


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Renamed:
    return rename_case(own_case(), tmp_path_factory.mktemp("renamed"), seed=3)


def tale_case(folder: Path, tale: Tale) -> Case:
    own(folder / "sets", tale=tale)
    return own_case("own-tale", root=folder / "sets")


def words(case: Case) -> dict[int, list[str]]:
    """Return the words of every piece of evidence, chapter by chapter."""
    text = read_manuscript(case.text(), language=case.language).text
    return {
        number: [text[slice(*gold.span(place))] for place in evidence(gold)]
        for number, gold in load_gold(case.gold).items()
    }


def evidence(gold: GoldChapter) -> list[GoldEvidence]:
    items = (gold.changes, gold.appearance, gold.identities, gold.secrets, gold.knowledge, gold.plants)
    shown = [e for relation in gold.relations for e in relation.evidence]
    return shown + [e for part in items for item in part for e in item.evidence]


def image(text: str, names: dict[str, str], matcher: NameMatcher) -> str:
    """Return a text with the longest names replaced first: an independent, plain way to the same."""
    made, at = "", 0
    for mention in matcher.find(text):
        made += text[at : mention.start] + names[mention.surface]
        at = mention.end
    return made + text[at:]


def test_every_gold_span_covers_the_image_of_its_words(bundled: Renamed) -> None:
    old, new = words(own_case()), words(bundled.case)
    names = {a: b for a, b in bundled.names.items() if a != b or " " in a}
    pairs = [(a, b) for number in old for a, b in zip(old[number], new[number], strict=True)]
    assert len(pairs) > 500 and sum(a != b for a, b in pairs) > 200
    matcher = NameMatcher.build({name: (name,) for name in names}, language_table("en"))
    assert [b for _, b in pairs] == [image(a, names, matcher) for a, _ in pairs]


def test_the_gold_keeps_its_shape_and_only_names_change(bundled: Renamed) -> None:
    old, new = load_gold(own_case().gold), load_gold(bundled.case.gold)
    assert old.keys() == new.keys()
    for a, b in zip(old.values(), new.values(), strict=True):
        assert [(e.id, e.kind, e.blocks, len(e.names), e.level) for e in a.entities] == [
            (e.id, e.kind, e.blocks, len(e.names), e.level) for e in b.entities
        ]
        assert [(r.subject, r.kind, r.object, r.status) for r in a.relations] == [
            (r.subject, r.kind, r.object, r.status) for r in b.relations
        ]
        assert len(evidence(a)) == len(evidence(b)) and len(a.block_starts) == len(b.block_starts)


def test_names_stand_in_the_blocks_that_gold_gives(bundled: Renamed) -> None:
    read = read_manuscript(bundled.case.text(), language="en")
    for number, gold in load_gold(bundled.case.gold).items():
        blocks = read.chapters[number - 1].blocks
        for entity in gold.entities:
            for block in entity.blocks:
                assert any(name in blocks[block - 1].text for name in entity.names), (number, entity.id, block)


def test_renaming_the_bundled_serial_is_a_bijection_that_leaves_no_name_unreported(bundled: Renamed) -> None:
    assert len(set(bundled.names.values())) == len(bundled.names)
    assert bundled.strays == 0 and bundled.n_mentions > 400
    text = bundled.case.text().read_text("utf-8")
    reported = {one.name for one in bundled.left}
    assert not [old for old in bundled.parts if len(old) > 2 and old in text and old not in reported]
    persons = {
        n for g in load_gold(own_case().gold).values() for e in g.entities if e.kind == "character" for n in e.names
    }
    assert persons & {one.name for one in bundled.left} == {"Grandfather", "Bailiff"}


def test_words_about_the_story_name_the_new_names(bundled: Renamed) -> None:
    said = [
        p
        for g in load_gold(bundled.case.gold).values()
        for s in (g.secrets, g.knowledge)
        for i in s
        for p in [str(i.model_extra)]
    ]
    old = [
        p
        for g in load_gold(own_case().gold).values()
        for s in (g.secrets, g.knowledge)
        for i in s
        for p in [str(i.model_extra)]
    ]
    assert sum("Keziah" in one for one in old) > 5 and not any("Keziah" in one for one in said)
    assert sum(bundled.parts["Keziah"] in one for one in said) == sum("Keziah" in one for one in old)


@pytest.mark.parametrize("tale", TALES, ids=[tale.language for tale in TALES])
def test_truthful_answers_score_alike_on_old_and_new_names(tale: Tale, tmp_path: Path) -> None:
    case = tale_case(tmp_path, tale)
    new = renamed(case, tmp_path / "new", seed=2)
    [before] = run_case(case, TRUTHFUL, tmp_path / "a").chapters
    [after] = run_case(new, TRUTHFUL, tmp_path / "b").chapters
    assert count(before.outcomes, recall_of("relation", "family"))[0] > 0
    people = [recall_of("entity"), precision_of("entity")]
    ties = [recall_of("relation", measure) for measure in ("pair", "family", "kind")]
    for pick in [*people, *ties, precision_of("relation")]:
        old, now = count(before.outcomes, pick), count(after.outcomes, pick)
        better = tale is ENGLISH and pick in people and now[0] == old[0] + 1  # Will is found: no word any more
        assert old == now or better, pick


def test_the_gold_chapters_of_a_novel_can_be_cut_out_as_a_small_manuscript(tmp_path: Path) -> None:
    _, data = public(tmp_path / "sets", tale=ENGLISH)
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "any.txt").write_bytes(data)
    [case] = find_cases(texts, root=tmp_path / "sets")
    whole = renamed(case, tmp_path / "whole", seed=1)
    assert whole.numbers == case.numbers and whole.chapters == case.chapters
    assert "High Water" in whole.text().read_text("utf-8")
    made = renamed(case, tmp_path / "new", seed=1, cut=True)
    read = read_manuscript(made.text(), language="en")
    assert [chapter.label for chapter in read.chapters] == ["1"] and made.numbers == (1,) and made.chapters == "1"
    assert "High Water" in data.decode() and "High Water" not in read.text
    [alone] = by_chapter(case)
    assert renamed(alone, tmp_path / "alone", seed=1, cut=True).text().read_text("utf-8") == read.text


def test_a_name_that_gold_says_is_not_meant_in_a_block_is_left_there(tmp_path: Path) -> None:
    told = rename_case(tale_case(tmp_path, ENGLISH), tmp_path / "new", seed=1)
    text = told.case.text().read_text("utf-8")
    assert "“Will you come?”" in text and "sold a rose to" in text and "Rosewater" in text
    assert "Rose " not in text and "to Will" not in text
    assert ("Will", 2, "a word there") in told.left


@pytest.mark.parametrize("tale", [KOREAN, CHINESE, JAPANESE], ids=["ko", "zh", "ja"])
def test_names_that_a_reader_wrote_in_latin_letters_become_the_new_ones(tale: Tale, tmp_path: Path) -> None:
    case = tale_case(tmp_path, tale)
    [file] = case.gold.glob("*.json")
    raw: dict[str, Any] = json.loads(file.read_text("utf-8"))
    entity = raw["entities"][0]
    said = f"{entity['id'].capitalize()}'s own words"
    raw["secrets"] = [{"proposition": said, "holders": [entity["id"]], "evidence": []}]
    file.write_text(json.dumps(raw), "utf-8")
    told = rename_case(case, tmp_path / "new", seed=1)
    [gold] = load_gold(told.case.gold).values()
    new = (gold.secrets[0].model_extra or {})["proposition"]
    assert new in {f"{told.names[name]}'s own words" for name in entity["names"]}


def test_the_command_writes_text_gold_and_mapping(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["dark-of-the-gullick", "--seed", "4", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    mapping = json.loads((out / "mapping.json").read_text("utf-8"))
    assert mapping["names"]["Keziah"] in shown and mapping["adjustments"] == [] and mapping["strays"] == 0
    assert (out / "serial.txt").is_file() and len(list((out / "gold").glob("*.json"))) == 9


def test_what_cannot_be_renamed_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANALYZER_TEXTS", str(tmp_path / "none"))
    assert main(["no-such-case", "--out", str(tmp_path / "a")]) == 2
    assert main(["youth", "--out", str(tmp_path / "b")]) == 2
    assert "there is no case 'no-such-case'" in (said := capsys.readouterr().err) and "text not here" in said
    blocked = tmp_path / "file"
    blocked.write_text("x")
    assert main(["dark-of-the-gullick", "--out", str(blocked)]) == 2
    monkeypatch.setattr(_pool, "TRIES", 0)
    with pytest.raises(InputError, match="names of dark-of-the-gullick cannot be replaced"):
        rename_case(own_case(), tmp_path / "c", seed=1)


def test_nothing_that_is_there_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tale_case(tmp_path, ENGLISH)
    before = {file: file.read_bytes() for file in case.goldset.folder.rglob("*") if file.is_file()}
    for folder in (case.goldset.folder, case.gold, tmp_path):
        with pytest.raises(InputError, match="is not empty"):
            rename_case(case, folder, seed=1)
        assert main(["dark-of-the-gullick", "--out", str(folder)]) == 2
    assert {file: file.read_bytes() for file in case.goldset.folder.rglob("*") if file.is_file()} == before
    assert capsys.readouterr().err.count("name a new or an empty folder") == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [({"names": ["\u202e"]}, "visible signs are allowed"), ({"blocks": [99]}, "stands in block 99")],
)
def test_gold_with_faults_is_not_renamed(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    case = tale_case(tmp_path, ENGLISH)
    [file] = case.gold.glob("*.json")
    raw: dict[str, Any] = json.loads(file.read_text("utf-8"))
    raw["entities"][0] |= change
    file.write_text(json.dumps(raw), "utf-8")
    with pytest.raises(InputError, match=f"the gold of own-tale has faults: .*{words}"):
        rename_case(case, tmp_path / "new", seed=1)
    assert not (tmp_path / "new").exists()
