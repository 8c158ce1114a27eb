"""What decisions of the author do to each plane of the tale."""

from __future__ import annotations

import pytest

from analyzer.export.identity_rows import reveal_rows
from analyzer.export.naming import who
from analyzer.export.planes import AUTHOR
from analyzer.export.secret_rows import knowledge_rows, secret_rows
from analyzer.models.decision import About, Decided, Decision, Merge, Reject, Rename, Reveal, Words
from analyzer.models.facts import EntityFact
from analyzer.models.text import Place
from analyzer.rulings import Rulings, rulings_of
from tests.export.story_tale import LANGUAGES, story
from tests.export.test_planes import EN, READERS, character, look


def ruled(*decisions: Decision, language: str = "en") -> Rulings:
    handles = {f.anchor: f.entity for f in story(LANGUAGES[language]) if isinstance(f, EntityFact)}
    decided = [Decided(id=f"d{at}", at=float(at), decision=decision) for at, decision in enumerate(decisions)]
    return rulings_of(decided, handles, lambda words: words.no)


def revealed(status: str = "confirmed") -> Reveal:
    words = Words(chapter=5, no=5, place=Place(13, 1), text=EN.sentence.format(5))
    ends = f"name:{EN.weaver}", f"name:{EN.ludo}"
    return Reveal(persona=ends[0], behind=ends[1], status=status, words=words)


def test_a_reveal_the_author_confirms_makes_one_of_two_for_whom_it_was_told_from_its_chapter_on() -> None:
    decisions = ruled(revealed())
    for plane, is_one in ((READERS, True), (character("@1"), True), (character("@2"), True), (character("@3"), False)):
        assert ("@6" not in look(plane, decisions=decisions).bible.cast) == is_one, plane
        before = look(plane, 4, decisions=decisions)
        assert before.bible.root("@6") == "@6" and before.bible.root("@2") == "@2" and reveal_rows(before) == ()
        rows = reveal_rows(look(plane, decisions=decisions))
        assert [row.status for row in rows] == (["confirmed"] if is_one else [])
    [row] = reveal_rows(look(AUTHOR, decisions=decisions))
    assert (row.status, row.persona.name, row.behind.name) == ("confirmed", EN.weaver, EN.ludo)


def test_what_the_author_rejects_is_on_no_plane_with_what_hangs_on_it() -> None:
    decisions = ruled(Reject(about=(About(fact="secret", words=("s00000001",)),)), revealed("rejected"))
    for plane in (AUTHOR, READERS, character("@1"), character("@3")):
        view = look(plane, decisions=decisions)
        assert secret_rows(view) == () and reveal_rows(view) == ()
        assert all(row.secret == "" for row in knowledge_rows(view))
        assert "@6" in view.bible.cast or plane in (character("@3"),)
    assert secret_rows(look(AUTHOR)) != ()


def test_a_name_of_the_author_s_is_shown_to_readers_from_its_words_on() -> None:
    words = Words(chapter=3, no=3, place=Place(1, 1), text="x")
    decisions = ruled(Rename(entity=f"name:{EN.hesk}", label="The Captain", words=words))
    assert who(look(AUTHOR, 1, decisions=decisions), "@3").name == "The Captain"
    assert who(look(READERS, 2, decisions=decisions), "@3").name == EN.hesk
    assert who(look(READERS, 3, decisions=decisions), "@3").name == "The Captain"


def merged(words: Words, one: str, other: str) -> Merge:
    return Merge(entity=f"name:{one}", into=f"name:{other}", words=words)


def at(chapter: int) -> Words:
    return Words(chapter=chapter, no=chapter, place=Place(1, 1), text="x")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_merge_of_the_author_s_is_known_to_whom_a_scene_tells_it_and_to_themselves(language: str) -> None:
    words = LANGUAGES[language]
    decisions = ruled(merged(at(5), words.weaver, words.ludo), language=language)
    for handle, through, is_one in (
        ("@1", 4, False),
        ("@1", 5, True),
        ("@2", 5, True),
        ("@3", 5, False),  # not there in chapter 5
    ):
        view = look(character(handle), through, language=language, decisions=decisions)
        assert (view.bible.root("@6") == "@2") == is_one, (handle, through)
    for plane in (AUTHOR, READERS):
        assert look(plane, language=language, decisions=decisions).bible.root("@6") == "@2"


def test_a_merge_about_somebody_told_where_they_are_not_is_theirs_and_a_moved_date_is_moved_for_them_too() -> None:
    elsewhere = ruled(merged(at(3), EN.hesk, EN.ludo))
    assert look(character("@3"), decisions=elsewhere).bible.root("@6") == "@3"
    assert look(character("@2"), 3, decisions=elsewhere).bible.root("@6") == "@3"  # @2 is there
    moved = ruled(merged(at(4), EN.weaver, EN.ludo), merged(at(5), EN.weaver, EN.ludo))
    assert look(character("@3"), decisions=moved).bible.root("@6") == "@6"  # there in 4, not in 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_of_the_author_s_is_known_to_a_character_from_the_next_scene_with_its_bearer(language: str) -> None:
    hesk = LANGUAGES[language].hesk
    decisions = ruled(Rename(entity=f"name:{hesk}", label="The Captain", words=at(3)), language=language)

    def called(handle: str, through: int) -> str:
        return look(character(handle), through, language=language, decisions=decisions).bible.cast["@3"].called[0]

    assert called("@2", 5) != "The Captain"  # they part in chapter 2
    assert [called("@1", n) == "The Captain" for n in (3, 4)] == [False, True]  # they meet again in 4
    assert [called("@3", n) == "The Captain" for n in (2, 3)] == [False, True]  # himself


def test_a_name_of_the_author_s_that_a_character_has_heard_is_shown_to_them() -> None:
    decisions = ruled(Rename(entity=f"name:{EN.hesk}", label=EN.hesk, words=at(5)))
    assert look(character("@2"), decisions=decisions).bible.cast["@3"].called[0] == EN.hesk
