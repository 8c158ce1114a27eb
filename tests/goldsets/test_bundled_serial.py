"""The bundled serial and its gold agree with each other, and give nothing away before its time."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from analyzer.models.facts import RELATION_KINDS, EntityKind, Modifier, Source, Status
from analyzer.models.gold import GoldChapter, GoldEvidence, GoldItem, GoldRelation

FOLDER = Path(__file__).parents[2] / "goldsets" / "dark-of-the-gullick"
TEXT = (FOLDER / "serial.txt").read_text("utf-8")
CHAPTERS = tuple(
    GoldChapter.model_validate_json(path.read_text("utf-8")) for path in sorted((FOLDER / "gold").glob("*.json"))
)
READ_TWICE = (1, 2, 3)
SECTIONS = ("changes", "appearance", "identities", "secrets", "knowledge", "plants")
REVEAL = 8
each_chapter = pytest.mark.parametrize("gold", CHAPTERS, ids=lambda gold: f"chapter{gold.chapter}")


def blocks_of(gold: GoldChapter) -> list[str]:
    return TEXT[gold.body_start : gold.body_end].split("\n\n")


def heading_of(gold: GoldChapter) -> str:
    return TEXT[: gold.body_start].rstrip("\n").rsplit("\n", 1)[1]


def items_of(gold: GoldChapter) -> list[GoldItem]:
    return [item for section in SECTIONS for item in getattr(gold, section)]


def evidence_of(gold: GoldChapter) -> list[GoldEvidence]:
    return [e for r in gold.relations for e in r.evidence] + [e for item in items_of(gold) for e in item.evidence]


def printed(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def relation(chapter: int, subject: str, kind: str, target: str) -> GoldRelation:
    found = [
        r
        for r in CHAPTERS[chapter - 1].relations
        if (r.subject, r.kind, r.object) == (subject, kind, target)
        or (RELATION_KINDS[kind].symmetric and (r.object, r.kind, r.subject) == (subject, kind, target))
    ]
    assert len(found) == 1, (chapter, subject, kind, target)
    return found[0]


def extra(item: GoldItem, field: str) -> object:
    return (item.model_extra or {}).get(field)


def test_nine_chapters_are_there_in_order_and_the_gold_covers_each() -> None:
    numbers = [int(n) for n in re.findall(r"^Chapter (\d+): .+$", TEXT, re.MULTILINE)]
    assert numbers == [gold.chapter for gold in CHAPTERS] == list(range(1, 10))
    assert TEXT.startswith("The Dark of the Gullick\n")


@each_chapter
def test_body_hash_and_blocks_are_those_of_the_text(gold: GoldChapter) -> None:
    body = TEXT[gold.body_start : gold.body_end]
    assert hashlib.sha256(body.encode()).hexdigest() == gold.body_sha256
    assert heading_of(gold).startswith(f"Chapter {gold.chapter}: ")
    assert TEXT[gold.body_end :].lstrip("\n").startswith("Chapter ") or gold is CHAPTERS[-1]
    assert len(blocks_of(gold)) == len(gold.block_starts)
    for start, block in zip(gold.block_starts, blocks_of(gold), strict=True):
        assert block.strip() == block != ""
        assert TEXT[start : start + len(block)] == block


@each_chapter
def test_a_chapter_is_long_enough(gold: GoldChapter) -> None:
    assert 1200 <= len(TEXT[gold.body_start : gold.body_end].split()) <= 1750


@each_chapter
def test_evidence_lies_inside_its_block_on_word_borders(gold: GoldChapter) -> None:
    blocks = blocks_of(gold)
    assert evidence_of(gold)
    for e in evidence_of(gold):
        block = blocks[e.block - 1]
        assert 1 <= e.block <= len(blocks) and 0 <= e.start < e.end <= len(block)
        assert block[e.start : e.end].strip() == block[e.start : e.end]
        assert not (e.start and block[e.start - 1].isalnum() and block[e.start].isalnum())
        assert not (e.end < len(block) and block[e.end - 1].isalnum() and block[e.end].isalnum())
        assert TEXT[slice(*gold.span(e))] == block[e.start : e.end]


@each_chapter
def test_every_item_has_evidence(gold: GoldChapter) -> None:
    assert all(r.evidence for r in gold.relations) and all(item.evidence for item in items_of(gold))


@each_chapter
def test_names_and_descriptors_are_printed_in_the_chapter(gold: GoldChapter) -> None:
    text = heading_of(gold) + "\n" + "\n".join(blocks_of(gold))
    for entity in gold.entities:
        assert entity.kind in EntityKind.__args__  # type: ignore[attr-defined]
        assert entity.names or entity.descriptors, entity.id
        assert [n for n in entity.names if not printed(n, text)] == [], entity.id
        assert [d for d in entity.descriptors if d.lower() not in text.lower()] == [], entity.id
        for block in entity.blocks:
            assert any(printed(n, blocks_of(gold)[block - 1]) for n in entity.names), (entity.id, block)


@each_chapter
def test_a_name_belongs_to_one_entity(gold: GoldChapter) -> None:
    names = [name for entity in gold.entities for name in entity.names]
    assert len(names) == len(set(names))


@each_chapter
def test_relations_have_known_kinds_and_ends_of_an_allowed_kind(gold: GoldChapter) -> None:
    for r in gold.relations:
        rule = RELATION_KINDS[r.kind]
        assert r.subject != r.object
        assert gold.by_id[r.subject].kind in rule.subjects, r
        assert gold.by_id[r.object].kind in rule.objects, r
        assert all(a.lstrip("~") in RELATION_KINDS for a in r.alternates), r
        assert all(k in RELATION_KINDS and {s, o} <= set(gold.by_id) for s, k, o in r.alternate_triples), r
        assert r.status in Status.__args__ and set(r.status_alternates) <= set(Status.__args__)  # type: ignore[attr-defined]
        assert r.source in Source.__args__ and r.modifier in (None, *Modifier.__args__)  # type: ignore[attr-defined]
        assert r.affinity in "+0-" and r.visibility in ("public", "secret")


def key_of(r: GoldRelation) -> tuple[str, ...]:
    ends = sorted((r.subject, r.object)) if RELATION_KINDS[r.kind].symmetric else [r.subject, r.object]
    return (r.kind, *ends)


@each_chapter
def test_a_relation_stands_once_and_in_one_direction(gold: GoldChapter) -> None:
    keys = [key_of(r) for r in gold.relations]
    assert len(keys) == len(set(keys))
    one_way = {"parent_of", "grandparent_of", "aunt_uncle_of", "guardian_of", "employs", "mentors", "member_of"}
    for r in gold.relations:
        if r.kind in one_way:
            assert (r.kind, r.object, r.subject) not in keys, r


def test_again_means_the_same_pair_kind_and_status_stood_in_an_earlier_chapter() -> None:
    status: dict[tuple[str, ...], str] = {}
    for gold in CHAPTERS:
        for r in gold.relations:
            assert r.again == (status.get(key_of(r)) == r.status), (gold.chapter, r)
        status |= {key_of(r): r.status for r in gold.relations}


@each_chapter
def test_items_name_only_entities_of_the_chapter(gold: GoldChapter) -> None:
    for item in items_of(gold):
        for field in ("entity", "is", "knower"):
            value = extra(item, field)
            assert value is None or value in gold.by_id, item
        for field in ("holders", "hidden_from", "exposed_to"):
            assert set(extra(item, field) or []) <= set(gold.by_id), item  # type: ignore[call-overload]


def test_ids_keep_their_kind_and_a_name_its_owner_through_all_chapters() -> None:
    kinds: dict[str, str] = {}
    owners: dict[str, str] = {}
    for gold in CHAPTERS:
        assert len(gold.by_id) == len(gold.entities)
        for entity in gold.entities:
            assert re.fullmatch(r"[a-z][a-z_]*", entity.id)
            assert kinds.setdefault(entity.id, entity.kind) == entity.kind, entity.id
            for name in entity.names:
                assert owners.setdefault(name, entity.id) == entity.id, name


def test_the_persona_is_a_person_like_any_other_until_its_chapter() -> None:
    for gold in CHAPTERS:
        personas = [e for e in gold.entities if e.persona_of or e.revealed_in]
        if gold.chapter < REVEAL:
            assert personas == []
        for entity in personas:
            assert (entity.id, entity.persona_of, entity.revealed_in) == ("pym", "jonas", REVEAL)
            assert "jonas" in gold.by_id
    assert CHAPTERS[REVEAL - 1].by_id["pym"].persona_of == "jonas"


def test_no_chapter_before_the_reveal_ties_the_persona_to_who_is_behind_it() -> None:
    home = {"keziah", "sol", "barnaby", "anne", "prue", "vinnie", "amory", "jonas"}
    for gold in CHAPTERS[: REVEAL - 1]:
        for r in gold.relations:
            if "pym" in (r.subject, r.object):
                assert {r.subject, r.object} != {"pym", "jonas"}
                kin = RELATION_KINDS[r.kind].family == "kin"
                assert not (kin and home & {r.subject, r.object}), (gold.chapter, r)
        for item in items_of(gold):
            told = f"{extra(item, 'proposition')} {extra(item, 'persona')} {extra(item, 'what')} {extra(item, 'to')}"
            if "Pym" in told:
                assert not re.search(r"Jonas|captain|father", told), told
        if "pym" in gold.by_id and "jonas" in gold.by_id:
            pym, jonas = gold.by_id["pym"], gold.by_id["jonas"]
            assert not set(pym.names + pym.descriptors) & set(jonas.names + jonas.descriptors)
        assert all("pym" not in r.alternates and "Pym" not in str(r.alternate_triples) for r in gold.relations)


def test_a_name_is_held_back_until_the_chapter_that_prints_it() -> None:
    first_named = {"ship_boys_mother": 2, "harbour_clerk": 4, "ferryman": 5, "roland_father": 4, "hexley_judge": 9}
    for entity_id, chapter in first_named.items():
        seen = [(g.chapter, g.by_id[entity_id].names) for g in CHAPTERS if entity_id in g.by_id]
        assert min(n for n, names in seen if names) == chapter, entity_id
        assert min(n for n, _ in seen) < chapter, entity_id


KIN = [
    (1, "barnaby", "parent_of", "jonas"),
    (1, "barnaby", "grandparent_of", "keziah"),
    (1, "jonas", "parent_of", "keziah"),
    (1, "anne", "parent_of", "sol"),
    (1, "jonas", "sibling_of", "prue"),
    (1, "prue", "aunt_uncle_of", "keziah"),
    (1, "vinnie", "cousin_of", "keziah"),
    (1, "prue", "spouse_of", "amory"),
    (1, "fennimore", "guardian_of", "sol"),
    (2, "fennimore", "aunt_uncle_of", "roland"),
    (5, "ferryman", "sibling_of", "bridget"),
    (7, "barnaby", "in_law_of", "amory"),
    (1, "salt_office", "employs", "keziah"),
    (1, "bridget", "mentors", "keziah"),
    (1, "bridget", "leads", "pan_wives"),
    (1, "toby", "member_of", "constant_anne"),
    (2, "roland", "commands", "sedulous"),
    (2, "ship_boys_mother", "owns", "pelican"),
    (1, "ferryman", "from", "great_annet"),
    (1, "keziah", "lives_in", "whin_house"),
    (8, "ferryman", "rescues", "jonas"),
    (6, "bridget", "rescues", "keziah"),
]


@pytest.mark.parametrize(("chapter", "subject", "kind", "target"), KIN)
def test_family_work_and_place_are_core(chapter: int, subject: str, kind: str, target: str) -> None:
    assert relation(chapter, subject, kind, target).level == "core"


def test_three_generations_stand_in_one_chapter() -> None:
    grandchildren = {r.object for r in CHAPTERS[0].relations if r.kind == "grandparent_of"}
    assert {"keziah", "sol", "vinnie"} <= grandchildren


def test_a_romance_is_secret_and_then_out() -> None:
    assert relation(3, "harbour_clerk", "lover_of", "vinnie").visibility == "secret"
    assert relation(7, "harbour_clerk", "lover_of", "vinnie").visibility == "public"
    assert relation(9, "harbour_clerk", "betrothed_to", "vinnie").status == "current"


def test_a_rumour_is_alleged_a_sham_pretended_and_a_betrothal_ends() -> None:
    assert relation(2, "roland", "betrothed_to", "vinnie").status == "alleged"
    assert relation(6, "ferryman", "leads", "lanternmen").status == "alleged"
    assert relation(5, "pym", "in_law_of", "ferryman").status == "pretended"
    assert relation(4, "roland", "betrothed_to", "keziah").status == "current"
    assert relation(7, "roland", "betrothed_to", "keziah").status == "former"
    assert relation(7, "harbour_master", "employs", "harbour_clerk").status == "former"


def test_the_false_friend_is_a_friend_until_the_reader_is_shown() -> None:
    for gold in CHAPTERS[:5]:
        for r in gold.relations:
            assert not (r.subject == "fennimore" and r.kind in ("enemy_of", "betrays", "harms")), (gold.chapter, r)
    assert relation(6, "fennimore", "friend_of", "jonas").status == "pretended"
    assert relation(6, "fennimore", "enemy_of", "keziah").visibility == "secret"


@pytest.mark.parametrize(
    ("words", "kind", "pair"),
    [
        ("He is no brother of mine", "sibling_of", {"abel", "micah"}),
        ("was no uncle of theirs", "aunt_uncle_of", {"fennimore", "sol"}),
        ("He’s been a father to them", "parent_of", {"fennimore", "keziah"}),
        ("Mrs. Oddy was our mother", "parent_of", {"ship_boys_mother", "sol"}),
        ("he was Bailiff’s father", "parent_of", {"pym", "jackdaw"}),
    ],
)
def test_denied_courtesy_and_dreamed_kin_is_in_the_text_but_not_in_the_gold(
    words: str, kind: str, pair: set[str]
) -> None:
    assert TEXT.count(words) == 1
    assert not [r for g in CHAPTERS for r in g.relations if r.kind == kind and {r.subject, r.object} == pair]


def test_two_pairs_share_a_surname() -> None:
    named = {name for gold in CHAPTERS for entity in gold.entities for name in entity.names}
    assert {"Ambrose Fennimore", "Lieutenant Roland Fennimore", "Abel Tarbuck", "Micah Tarbuck"} <= named


def test_one_person_goes_by_title_given_name_and_nickname() -> None:
    names = {e.id: {n for g in CHAPTERS if e.id in g.by_id for n in g.by_id[e.id].names} for e in CHAPTERS[0].entities}
    assert {"Miss Ruddock", "Keziah", "Kezzy"} <= names["keziah"]
    assert {"Doctor Amory", "Gideon", "Uncle Gideon"} <= names["amory"]
    assert {"Captain Ruddock", "Jonas", "Captain Jonas Ruddock"} <= names["jonas"]
    assert {"Mr. Fennimore", "Uncle Fenny", "Ambrose"} <= names["fennimore"]


def test_ten_places_objects_a_letter_and_groups_have_names() -> None:
    named = {
        kind: {e.id for g in CHAPTERS for e in g.entities if e.kind == kind and e.names} for kind in ("place", "object")
    }
    assert len(named["place"]) >= 10 and len(named["object"]) >= 4
    assert "anne_letter" in CHAPTERS[7].by_id and CHAPTERS[7].by_id["anne_letter"].kind == "text"
    assert {"lanternmen", "pan_wives"} <= {e.id for g in CHAPTERS for e in g.entities if e.kind == "group"}


def test_secrets_have_holders_and_people_kept_out() -> None:
    secrets = [s for gold in CHAPTERS for s in gold.secrets if s.level == "core"]
    assert sum(1 for s in secrets if extra(s, "holders") and extra(s, "hidden_from")) >= 8
    assert sum(1 for s in secrets if extra(s, "exposed_to")) >= 4


def test_what_is_planted_early_is_paid_late() -> None:
    events = [(gold.chapter, extra(p, "kind"), extra(p, "event")) for gold in CHAPTERS for p in gold.plants]
    assert {"object", "promise"} <= {kind for n, kind, event in events if event == "plant" and n <= 3}
    assert {"object", "promise"} <= {kind for n, kind, event in events if event == "payoff" and n >= 8}


def test_appearance_changes_hair_a_scar_and_a_limp() -> None:
    looks = {(g.chapter, extra(a, "entity"), extra(a, "feature")) for g in CHAPTERS for a in g.appearance}
    assert {(1, "keziah", "hair"), (6, "keziah", "hair"), (9, "keziah", "hair")} <= looks
    assert {(3, "roland", "face"), (7, "roland", "mark"), (2, "pym", "gait"), (2, "pym", "mark")} <= looks


def readings_of(letter: str) -> dict[int, GoldChapter]:
    files = sorted((FOLDER / "readings" / letter).glob("*.json"))
    read = [GoldChapter.model_validate_json(file.read_text("utf-8")) for file in files]
    return {gold.chapter: gold for gold in read}


@pytest.mark.parametrize("letter", ["A", "B"])
def test_both_readings_of_the_adjudicated_chapters_lie_beside_the_gold(letter: str) -> None:
    read = readings_of(letter)
    assert tuple(read) == READ_TWICE
    for number, reading in read.items():
        gold = CHAPTERS[number - 1]
        assert (reading.body_sha256, reading.block_starts) == (gold.body_sha256, gold.block_starts)


@each_chapter
def test_who_noted_an_entry_is_said_where_there_were_two_readers(gold: GoldChapter) -> None:
    raw = json.loads((FOLDER / "gold" / f"chapter-{gold.chapter:02}.json").read_text("utf-8"))
    noted = {entry.get("annotators", "") for section in ("entities", "relations", *SECTIONS) for entry in raw[section]}
    assert noted <= ({"A", "B", "AB", "J"} if gold.chapter in READ_TWICE else {""})


def test_the_reveal_is_an_identity_of_its_chapter_only() -> None:
    revealed = [(g.chapter, extra(i, "persona")) for g in CHAPTERS for i in g.identities if extra(i, "is") == "jonas"]
    assert (REVEAL, "Mr. Pym") in revealed
    assert {persona for n, persona in revealed if n < REVEAL} <= {"owner and master of the Constant Anne"}


def test_speech_stands_in_curly_quotes_and_no_straight_ones() -> None:
    assert '"' not in TEXT and "'" not in TEXT
    for gold in CHAPTERS:
        for block in blocks_of(gold):
            marks = [ch for ch in block if ch in "“”"]
            assert all(a != b for a, b in pairwise(marks)) and marks[:1] in ([], ["“"]), block
            assert marks[-1:] in ([], ["”"]), block


@each_chapter
def test_blocks_hold_no_markup_so_that_offsets_hold_for_any_reader(gold: GoldChapter) -> None:
    assert [block for block in blocks_of(gold) if re.search(r"[*_`#<>\[\]\\]|  |\n", block)] == []
