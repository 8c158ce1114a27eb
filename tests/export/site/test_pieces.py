"""Pieces: applied in order they are the book as of each chapter, and none of them knows of a later one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.export.planes import Plane, seen
from analyzer.export.site.ids import Ids, short_hash
from analyzer.export.site.pieces import Piece, patch, pieces, script_json
from analyzer.export.site.snapshot import PAGES, ROW_CLASSES, Shown
from analyzer.models.facts import EntityFact, Fact, NameFact, PresenceFact, SameFact, StoredFact
from analyzer.models.story import CardFact, RevealFact
from analyzer.models.text import Place
from tests.export.site.sites import AUTHOR, applied, chapters, site, snapshots, value_of, views
from tests.export.story_tale import LANGUAGES, LAST, Words, said, stored, story
from tests.export.test_spoilers import books, reveal_ids

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
ROWS = chapters(LAST)


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(books(), st.booleans())
def test_pieces_are_the_same_bytes_whether_or_not_later_chapters_are_at_hand(
    book: tuple[StoredFact, ...], is_confirmed: bool
) -> None:
    confirmed = reveal_ids(book) if is_confirmed else frozenset()
    whole = site(views(book, confirmed=confirmed), ROWS)
    assert whole == site(views(book, confirmed=confirmed, ending=True), ROWS)
    for no, piece in enumerate(whole, start=1):
        assert not [later for later in range(no + 1, LAST + 1) if f"⟦{later}⟧" in piece.script]


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(books(), st.booleans())
def test_pieces_applied_in_order_are_the_snapshot_of_each_chapter(
    book: tuple[StoredFact, ...], is_confirmed: bool
) -> None:
    view_of = views(book, confirmed=reveal_ids(book) if is_confirmed else frozenset())
    made = [value_of(piece) for piece in site(view_of, ROWS)]
    for no, rows in enumerate(snapshots(view_of, ROWS), start=1):
        assert applied(made[:no]) == json.loads(json.dumps(rows))


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(books())
def test_no_handle_leaves_and_every_id_is_known(book: tuple[StoredFact, ...]) -> None:
    for rows in snapshots(views(book), ROWS):
        said_keys = set(rows.pop("said", {}))
        assert all(re.fullmatch("[0-9]+@[0-9]+", key) for key in said_keys)
        assert not re.search("@[0-9]", json.dumps(rows))
        cast = set(rows.get("entity", {})) | {"reader", "?"}
        for kind, name in (("there", None), ("relation", "a"), ("relation", "b"), ("change", "e"), ("known", "e")):
            for fields in rows.get(kind, {}).values():
                assert set(fields) <= cast if name is None else fields[name] in cast


def renumbered(book: Sequence[StoredFact], by: int) -> tuple[StoredFact, ...]:
    """Return a book in which every handle is another number, in the same order, as an edited book may have them."""

    def other(found: re.Match[str]) -> str:
        return f"@{int(found.group(1)) * by + 7}"

    text = [re.sub(r"@([0-9]+)", other, one.model_dump_json()) for one in book]
    return tuple(StoredFact.model_validate_json(one) for one in text)


@settings(max_examples=30, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(2, 9))
def test_a_site_says_nothing_of_how_handles_are_numbered(book: tuple[StoredFact, ...], by: int) -> None:
    confirmed = reveal_ids(book)
    again = renumbered(book, by)
    told = site(views(book, confirmed=confirmed), ROWS)
    assert told == site(views(again, confirmed=reveal_ids(again)), ROWS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_persona_is_a_page_of_its_own_until_the_reveal_and_says_so_from_then_on(language: str) -> None:
    words = LANGUAGES[language]
    book = stored(story(words))
    before, after = snapshots(views(book, confirmed=frozenset({"r00000001"})), ROWS)[-2:]
    [weaver] = [key for key, row in before["entity"].items() if row["name"] == words.weaver]
    [ludo] = [key for key, row in before["entity"].items() if row["name"] == words.ludo]
    assert "into" not in before["entity"][weaver] and weaver in before["there"]["1"]
    older, row = after["entity"][ludo], after["entity"][weaver]
    assert (older["into"], older["at"], older["why"], older["name"]) == (weaver, LAST, "reveal", words.ludo)
    assert row["was"] == [[ludo, LAST, "reveal"]] and older["past"] == {"1": "m"}
    assert [after["quote"][number]["text"] for number in older["q"]] == [words.sentence.format(LAST)]
    assert ludo not in json.dumps([after["there"], after["relation"], after["change"]])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reveal_that_is_not_confirmed_is_nowhere(language: str) -> None:
    book = stored(story(LANGUAGES[language]))
    last = snapshots(views(book), ROWS)[-1]
    assert not [row for row in last["entity"].values() if "into" in row or "was" in row]
    assert "reveal" not in last


def test_whoever_enters_and_turns_out_to_be_another_in_one_chapter_has_no_page_of_their_own() -> None:
    words = LANGUAGES["en"]
    cast = [
        EntityFact(
            entity=handle, entity_kind="character", label=name, anchor=name, chapter=no, evidence=said(words, no)
        )
        for handle, name, no in (("@1", "Oda", 1), ("@2", "a hooded one", 2))
    ]
    book = stored([*cast, SameFact(entity="@2", same_as="@1", chapter=2)])
    last = snapshots(views(book), chapters(2))[-1]
    assert [row["name"] for row in last["entity"].values()] == ["Oda"] and "was" not in next(
        iter(last["entity"].values())
    )


def test_a_merge_that_is_no_reveal_leaves_the_older_page_with_where_it_is_told() -> None:
    words = LANGUAGES["ko"]
    cast = [
        EntityFact(entity=handle, entity_kind="character", label=name, anchor=name, chapter=1, evidence=said(words, 1))
        for handle, name in (("@1", "오다"), ("@2", "두건 쓴 사람"))
    ]
    there = [PresenceFact(entity="@2", chapter=1, presence="on_page", n_mentions=1, first=Place(2, 1))]
    book = stored([*cast, *there, SameFact(entity="@2", same_as="@1", chapter=3, evidence=said(words, 3))])
    first, _, last = snapshots(views(book), chapters(3))
    older = next(row for row in last["entity"].values() if row["name"] == "두건 쓴 사람")
    assert (older["why"], older["at"], older["past"]) == ("same", 3, {"1": "p"})
    assert last["there"]["1"][older["into"]] == ["p", 1] and len(first["entity"]) == 2


def test_a_name_given_late_is_not_there_before() -> None:
    words = LANGUAGES["zh"]
    made = [value_of(piece) for piece in site(views(stored(story(words))), ROWS)]
    for no, value in enumerate(made, start=1):
        assert (words.hesk_named in json.dumps(value, ensure_ascii=False)) == (no == 3), no


def test_somebody_in_a_note_who_is_not_known_yet_is_somebody_and_a_link_once_known() -> None:
    words = LANGUAGES["ja"]
    cast = [
        EntityFact(
            entity=handle, entity_kind="character", label=name, anchor=name, chapter=no, evidence=said(words, no)
        )
        for handle, name, no in (("@1", "小田", 1), ("@9", "流渡", 2))
    ]
    book = stored([*cast, CardFact(chapter=1, summary="@1は@9を待つ。")])
    first, second = snapshots(views(book), chapters(2))
    assert first["card"]["1"]["summary"][0::2] == ["", "は", "を待つ。"] and first["card"]["1"]["summary"][3] == "?"
    assert second["card"]["1"]["summary"][3] == [*second["entity"]][1]


def shown_names(rows: dict[str, Any]) -> set[str]:
    return {row["name"] for row in rows["entity"].values()}


def test_what_is_hidden_is_in_no_piece() -> None:
    words: Words = LANGUAGES["en"]
    book = stored(story(words))
    plain = snapshots(views(book), ROWS)[-1]
    assert {words.mill, words.letter} <= shown_names(plain)
    for page, gone in {
        "places": [], "things": [], "secrets": ["secret", "hush"], "knowledge": ["known"], "threads": ["thread", "step"],
        "relations": ["relation", "said", "turn"], "cards": ["card"], "reveals": ["reveal"],
    }.items():  # fmt: skip
        last = snapshots(views(book), ROWS, Shown(hide=frozenset({page})))[-1]
        assert not [kind for kind in gone if kind in last], page
    last = snapshots(views(book), ROWS, Shown(hide=frozenset({"places", "things"})))[-1]
    assert not {words.mill, words.letter} & shown_names(last)
    [possession] = [row for row in last["change"].values() if row["attr"] == "possession"]
    assert "of" not in possession and possession["value"] == [words.letter]
    looks = snapshots(views(book), ROWS, Shown(hide=frozenset({"looks"})))[-1]["change"]
    states = snapshots(views(book), ROWS, Shown(hide=frozenset({"changes"})))[-1]["change"]
    assert {row["look"] for row in looks.values()} == {False} and {row["look"] for row in states.values()} == {True}
    kinds = snapshots(views(book), ROWS, Shown(relations=frozenset({"employs"})))[-1]["relation"]
    assert {row["k"] for row in plain["relation"].values()} - {row["k"] for row in kinds.values()} == {"employs"}
    assert set(PAGES) >= {"graph", "meet", "timeline"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_quotes_no_sentence_of_the_manuscript_is_in_any_piece(language: str) -> None:
    words = LANGUAGES[language]
    made = site(views(stored(story(words))), ROWS, Shown(quotes=False))
    text = "".join(piece.script for piece in made)
    assert not [no for no in range(1, LAST + 1) if words.sentence.format(no) in text]
    assert '"at":"7.1"' in text


def test_a_proposal_that_is_to_be_marked_is_there_and_joins_nobody() -> None:
    book = stored(story(LANGUAGES["en"]))
    view = lambda n: seen(book, through=n, plane=Plane("reader"), proposals=True)  # noqa: E731
    last = snapshots(view, ROWS)[-1]
    assert [row["status"] for row in last["reveal"].values()] == ["proposed"]
    assert not [row for row in last["entity"].values() if "into" in row]


def test_the_author_sees_secrets_and_proposals_from_the_start() -> None:
    words = LANGUAGES["en"]
    book = stored(story(words))
    first, *_, last = snapshots(views(book, plane=AUTHOR), ROWS)
    assert len(first["secret"]) == 1 and [row["status"] for row in last["reveal"].values()] == ["proposed"]
    assert "secret" not in snapshots(views(book), ROWS)[0]


def test_the_name_of_a_piece_follows_from_the_one_before_alone() -> None:
    made = site(views(stored(story(LANGUAGES["en"]))), ROWS)
    assert made[0].name == "first" and [a.after for a in made[:-1]] == [b.name for b in made[1:]]
    other = list(pieces("first", enumerate([{"card": {"1": {"summary": ["x"]}}}, {}], start=1)))
    assert other[0].after != made[0].after and len({p.after for p in (*made, *other)}) == len(made) + 2
    assert all(re.fullmatch(r"[a-z2-7]{20}", piece.after) for piece in made)


HOSTILE = "</script><script>alert(1)</script><!-- \u2028\u2029 \u202e \x00 ]]> ‮ 🜁 __proto__"


def test_nothing_in_a_piece_ends_its_script() -> None:
    piece = Piece(1, "a", "b", script_json({"rows": {"card": {"1": {"summary": [HOSTILE]}}}}))
    assert not re.search("[<>&\u2028\u2029]", piece.script)
    assert value_of(piece)["rows"]["card"]["1"]["summary"] == [HOSTILE]


ROW = st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3)
RECORDS = st.dictionaries(st.sampled_from(ROW_CLASSES[:3]), st.dictionaries(st.sampled_from("123"), ROW), max_size=3)


@given(st.lists(RECORDS, max_size=4))
def test_patches_applied_make_the_rows_again(history: list[dict[str, Any]]) -> None:
    before: dict[str, Any] = {}
    patches = []
    for records in history:
        patches.append({"rows": patch(before, records)})
        before = records
        assert applied(patches) == {kind: rows for kind, rows in records.items() if rows}


@given(st.lists(st.tuples(st.sampled_from(["character", "place"]), st.text(max_size=3)), max_size=20))
def test_every_one_of_the_cast_has_an_id_of_their_own_that_says_nothing(cast: list[tuple[str, str]]) -> None:
    ids = Ids()
    given_ids = [ids.enter(f"@{at}", kind, name) for at, (kind, name) in enumerate(cast)]
    assert len(set(given_ids)) == len(cast) and all(re.fullmatch("e[a-z2-7]{10}", one) for one in given_ids)
    assert [ids.enter(f"@{at}", "group", "other") for at in range(len(cast))] == given_ids


@given(st.permutations(range(6)))
def test_new_rows_are_numbered_by_where_they_stand_whatever_order_they_come_in(order: list[int]) -> None:
    rows = [(at, {"c": at // 3 + 1, "q": [[at // 3 + 1, f"{9 - at}.1", "", ""]], "what": at}) for at in range(6)]
    found = Ids().numbered("card", [rows[at] for at in order])
    assert [row["what"] for row in found.values()] == [2, 1, 0, 5, 4, 3] and [*found] == [*"123456"]


def test_equal_words_have_equal_hashes_and_parts_do_not_run_together() -> None:
    assert short_hash("ab", "c") != short_hash("a", "bc") and short_hash("가") == short_hash("가")


def test_a_name_fact_of_a_descriptor_is_no_name_of_a_named_one() -> None:
    words = LANGUAGES["en"]
    facts: list[Fact] = [
        EntityFact(entity="@1", entity_kind="character", label="Oda", anchor="Oda", chapter=1, evidence=said(words, 1)),
        NameFact(entity="@1", surface="Oda", name_kind="full", chapter=1),
        NameFact(entity="@1", surface="narrator:1", name_kind="descriptor", chapter=1),
        RevealFact(reveal="r1", chapter=1, persona="@1", behind="@1", called="the stranger", evidence=said(words, 1)),
    ]
    [row] = snapshots(views(stored(facts)), chapters(1))[0]["entity"].values()
    assert (row["name"], row["names"], row["narrator"], row["unnamed"]) == ("Oda", [], True, False)
