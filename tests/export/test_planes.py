"""What each plane leaves of the tale, and how it calls everybody."""

from __future__ import annotations

import pytest

from analyzer.errors import ConfigError
from analyzer.export.card_rows import card_rows
from analyzer.export.change_rows import change_rows
from analyzer.export.identity_rows import reveal_rows, turn_rows
from analyzer.export.naming import told, who
from analyzer.export.planes import AUTHOR, INTERMEDIATE, Plane, Seen, plane_of, seen
from analyzer.export.secret_rows import knowledge_rows, known_rows, secret_rows
from analyzer.export.show import relation_rows
from analyzer.export.speech_rows import speech_rows
from analyzer.export.thread_rows import thread_rows
from analyzer.models.facts import CLASS_OF, Fact, NameFact, PresenceFact, RelationFact, SameFact
from analyzer.models.story import (
    READER,
    ChangeFact,
    KnowledgeFact,
    RevealFact,
    SecretEventFact,
    SecretFact,
    SpeakerFact,
    SpeechFact,
    ThreadFact,
    TurnFact,
)
from analyzer.models.text import Place
from tests.export.story_tale import LANGUAGES, LAST, said, stored, story
from tests.harness import person

READERS = Plane("reader")
EN = LANGUAGES["en"]


def look(
    plane: Plane, through: int = LAST, *, language: str = "en", more: list[Fact] | None = None, **kw: object
) -> Seen:
    facts = [*story(LANGUAGES[language]), *(more or [])]
    return seen(stored(facts), through=through, plane=plane, **kw)  # type: ignore[arg-type]


def character(handle: str) -> Plane:
    return Plane("character", handle)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Author",
        "readers",
        "character",
        "character:",
        "character:7",
        "character:@0",
        "character:@٧",
        "character:@7 ",
    ],
)
def test_what_is_no_plane_is_refused(words: str) -> None:
    with pytest.raises(ConfigError, match="no plane"):
        plane_of(words)


def test_planes_are_read() -> None:
    assert plane_of("author") == AUTHOR and plane_of("reader") == READERS
    assert plane_of("character:@12") == character("@12")


@pytest.mark.parametrize(("handle", "through"), [("@9", 5), ("@4", 5), ("@5", 5), ("@1", 0)])
def test_nobody_and_no_thing_has_a_plane(handle: str, through: int) -> None:
    with pytest.raises(ConfigError):
        look(character(handle), through)


def test_every_class_is_a_fact_of_some_plane_or_leads_to_one() -> None:
    shown = {"entity", "name", "same", "presence", "relation", "speech", "reveal", "change", "secret", "secret_event",
             "knowledge", "thread", "thread_event", "turn", "card"}  # fmt: skip
    assert shown | INTERMEDIATE == set(CLASS_OF.values())
    assert not shown & INTERMEDIATE


def test_the_author_sees_everything_and_others_no_intermediate_fact() -> None:
    assert len(look(AUTHOR).stored) == len(stored(story(EN)))
    for plane in (READERS, character("@1")):
        assert not [s for s in look(plane).stored if s.fact.fact in INTERMEDIATE]


# --- readers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_secret_kept_from_readers_is_left_out_until_it_is_exposed_with_all_that_tells_of_it(language: str) -> None:
    will = LANGUAGES[language].will[-4:]
    for through in (1, 2, 3):
        view = look(READERS, through, language=language)
        assert secret_rows(view) == () and knowledge_rows(view) == ()
        assert not any(known_rows(view, handle) for handle in ("@1", "@2", "@3", READER))
    view = look(READERS, 4, language=language)
    [secret] = secret_rows(view)
    assert will in secret.proposition and secret.status == "out"
    assert len(knowledge_rows(view)) == 3


def test_a_secret_that_readers_were_told_at_once_is_theirs_whatever_a_later_chapter_says() -> None:
    more: list[Fact] = [
        SecretFact(secret="s2", chapter=1, proposition="open", holders=("@3",), hidden_from=("@1",), evidence=said(EN, 1, 20)),
        SecretFact(secret="s2", chapter=2, proposition="open", holders=("@3",), hidden_from=(READER,), evidence=said(EN, 2, 20)),
    ]  # fmt: skip
    for through in (1, 2):
        assert [row.secret for row in secret_rows(look(READERS, through, more=more))] == ["s2"]


def test_a_piece_in_the_words_of_a_hidden_secret_and_a_thread_on_its_sentence_are_left_out_too() -> None:
    more: list[Fact] = [
        KnowledgeFact(
            chapter=1, piece="p2", knower="@3", proposition=EN.will, stance="knows", evidence=said(EN, 1, 30)
        ),
        ThreadFact(thread="t2", chapter=1, kind="secret", statement="Where is the will?", evidence=said(EN, 1, 10)),
        ThreadFact(thread="t3", chapter=1, kind="secret", statement="Another one", evidence=said(EN, 1, 31)),
    ]  # fmt: skip
    view = look(READERS, 1, more=more)
    assert knowledge_rows(view) == ()
    assert [row.thread for row in thread_rows(view)] == ["t00000001", "t3"]
    assert len(thread_rows(look(READERS, 4, more=more))) == 3
    assert len(thread_rows(look(AUTHOR, 1, more=more))) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_persona_and_person_are_two_for_readers_until_the_author_confirms_the_reveal(language: str) -> None:
    words = LANGUAGES[language]
    for plane in (READERS, character("@1")):
        before = look(plane, language=language)
        assert {"@2", "@6"} <= set(before.bible.cast) and reveal_rows(before) == ()
        confirmed = frozenset({"r00000001"})
        assert "@6" in look(plane, 4, language=language, confirmed=confirmed).bible.cast
        after = look(plane, language=language, confirmed=confirmed)
        assert "@6" not in after.bible.cast
        [row] = reveal_rows(after)
        assert (row.persona.name, row.behind.name, row.status) == (words.weaver, words.ludo, "confirmed")
    [proposed] = reveal_rows(look(AUTHOR, language=language))
    assert proposed.status == "proposed" and proposed.where == "5:13.1"


def test_a_reveal_told_to_a_character_alone_is_theirs_alone_even_when_confirmed() -> None:
    more: list[Fact] = [
        RevealFact(reveal="r2", chapter=4, persona="@2", behind="@3", to=("@1",), evidence=said(EN, 4, 20))
    ]
    confirmed = frozenset({"r2"})
    assert not reveal_rows(look(READERS, more=more, confirmed=confirmed))
    assert "@3" in look(READERS, more=more, confirmed=confirmed).bible.cast
    assert "@3" not in look(character("@1"), more=more, confirmed=confirmed).bible.cast
    assert "@3" in look(character("@1"), 3, more=more, confirmed=confirmed).bible.cast
    assert [row.reveal for row in reveal_rows(look(AUTHOR, more=more, confirmed=confirmed))] == ["r2", "r00000001"]


# --- characters -----------------------------------------------------------------------------------------------------


def test_a_character_knows_the_chapters_where_they_are_on_the_page() -> None:
    view = look(character("@3"))
    assert view.mind is not None and view.mind.scenes == {1, 2, 4}
    assert {s.chapter for s in view.stored if isinstance(s.fact, PresenceFact)} == {1, 2, 4}
    assert [row.chapter for row in card_rows(view)] == [1]
    assert [row.where for row in change_rows(view)] == ["1:9.1", "2:9.1", "4:9.1", "4:9.1"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_given_where_a_character_is_not_with_its_bearer_is_unknown_to_them(language: str) -> None:
    named = LANGUAGES[language].hesk_named
    assert named not in look(character("@1"), 3, language=language).bible.cast["@3"].surfaces
    assert named in look(character("@1"), 4, language=language).bible.cast["@3"].surfaces  # they meet again
    assert named not in look(character("@2"), 5, language=language).bible.cast["@3"].surfaces
    assert named in look(character("@3"), 3, language=language).bible.cast["@3"].surfaces  # his own


def test_somebody_never_met_is_a_handle_and_nothing_else() -> None:
    view = look(character("@2"))
    assert "@4" in view.bible.cast and "@5" not in view.bible.cast
    assert who(view, "@5").name == "@5"
    assert told(view, "@2 and @5, @99") == "the Weaver and @5, @99"


def test_a_stranger_found_out_elsewhere_stays_a_stranger() -> None:
    more: list[Fact] = [*person("@8", "the Pilgrim"), SameFact(entity="@8", same_as="@6", chapter=4)]
    more.append(PresenceFact(entity="@8", chapter=3, presence="on_page", n_mentions=1))
    assert "@8" not in look(READERS, more=more).bible.cast
    assert "@8" in look(character("@2"), more=more).bible.cast  # not there in chapter 4
    assert "@8" not in look(character("@1"), more=more).bible.cast


def test_a_character_holds_secrets_and_learns_others_by_the_words_of_the_telling() -> None:
    [own] = secret_rows(look(character("@3"), 2))
    assert (own.chapter, [p.handle for p in own.kept_from]) == (1, ["@1", READER])
    assert secret_rows(look(character("@1"), 2)) == ()
    [learnt] = secret_rows(look(character("@1"), 3))
    assert (learnt.chapter, learnt.where) == (3, "3:10.1")
    assert [p.handle for p in learnt.holders] == ["@1"] and learnt.kept_from == ()
    assert all(quote.chapter == 3 for quote in learnt.evidence)


def test_a_secret_shared_elsewhere_is_no_news_to_its_holder() -> None:
    assert [e.chapter for row in secret_rows(look(character("@3"))) for e in row.events] == [4]


def test_nobody_knows_what_they_are_unaware_of_or_that_they_are_deceived() -> None:
    more: list[Fact] = [
        KnowledgeFact(
            chapter=3, piece="p3", knower="@1", proposition="a lie", stance="believes", via="deceived", told_by="@2",
            evidence=said(EN, 3, 40),
        )
    ]  # fmt: skip
    assert knowledge_rows(look(character("@1"), 2, more=more)) == ()
    [known, lied] = knowledge_rows(look(character("@1"), 3, more=more))
    assert (known.stance, lied.via) == ("knows", "told")
    [_, told_by_them] = knowledge_rows(look(character("@2"), 3, more=more))[1:]
    assert told_by_them.via == "deceived"
    assert [row.stance for row in known_rows(look(AUTHOR, 2), "@1")] == ["unaware"]
    assert known_rows(look(character("@1"), 2), "@1") == ()


def test_relations_kept_from_a_character_are_known_from_the_chapter_that_shows_them() -> None:
    def known(handle: str, through: int) -> dict[str, int]:
        view = look(character(handle), through)
        return {row.relation: row.since for row in relation_rows(view.bible, view.stored)}

    assert known("@1", 3) == {"sibling_of": 1}
    assert known("@1", 4) == {"sibling_of": 1, "deceives": 4}
    assert known("@3", 2) == {"sibling_of": 1, "deceives": 2, "employs": 2}
    assert known("@2", 2) == {"sibling_of": 1, "employs": 2}


def test_no_character_sees_a_pretence_or_what_is_only_thought() -> None:
    more: list[Fact] = [
        RelationFact(
            claim="x", chapter=1, subject="@1", relation="friend_of", object="@3", status="pretended", evidence=said(EN, 1, 50)
        ),
        RelationFact(
            claim="y", chapter=1, subject="@2", relation="loves", object="@3", evidence=said(EN, 1, 51, source="thought")
        ),
        ChangeFact(
            change="cc", chapter=1, entity="@3", attribute="mood", op="set", to="glad", evidence=said(EN, 1, 52, source="thought")
        ),
        ChangeFact(
            change="cd", chapter=1, entity="@3", attribute="goal", op="set", to="rule", modality="dreamt", evidence=said(EN, 1, 53)
        ),
        TurnFact(
            chapter=3, subject="@1", relation="sibling_of", object="@6", turn="pretended", evidence=said(EN, 3, 54)
        ),
    ]  # fmt: skip
    one = look(character("@1"), 3, more=more)
    assert [row.relation for row in relation_rows(one.bible, one.stored)] == ["sibling_of"]
    assert [row.attribute for row in change_rows(one)] == ["possession"] and turn_rows(one) == ()
    own = look(character("@3"), 3, more=more)
    assert {row.attribute for row in change_rows(own)} == {"possession", "location", "mood", "goal"}
    assert "loves" in {row.relation for row in relation_rows(own.bible, own.stored)}  # his end of it
    assert len(turn_rows(look(AUTHOR, 3, more=more))) == 1


def test_what_something_was_before_is_known_to_those_who_knew_it() -> None:
    def before(plane: Plane) -> list[str]:
        return [row.before for row in change_rows(look(plane, 4)) if row.attribute == "location" and row.chapter == 4]

    assert before(AUTHOR) == before(READERS) == before(character("@3")) == [EN.mill]
    assert before(character("@1")) == [""]


def test_a_character_hears_what_is_said_by_or_to_them_and_knows_no_threads() -> None:
    assert [row.chapter for row in speech_rows(look(AUTHOR))] == [3, 4]
    for handle, n in (("@1", 1), ("@2", 1), ("@3", 0)):
        view = look(character(handle))
        assert len(speech_rows(view)) == n and thread_rows(view) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_whose_speaker_was_asked_for_are_theirs_and_their_hearers(language: str) -> None:
    odd = SpeechFact(chapter=3, block=20, start=0, end=4, place=Place(20, 1), conversation=2)
    other = odd.model_copy(update={"block": 21, "place": Place(21, 1), "speaker": "@2", "by": "tag"})
    asked = SpeakerFact(chapter=3, place=Place(20, 1), block=20, start=0, speaker="@1")
    facts = stored([*story(LANGUAGES[language]), odd, other, asked])
    row = next(row for row in speech_rows(seen(facts, through=LAST)) if row.block == 20)
    assert row.speaker is not None and (row.speaker.handle, row.by) == ("@1", "asked")
    assert [who.handle for who in row.hearers] == ["@2"]
    for handle, heard in (("@1", True), ("@2", True), ("@3", False)):
        view = seen(facts, through=LAST, plane=character(handle))
        assert (20 in {row.block for row in speech_rows(view)}) is heard
    assert 20 not in {row.block for row in speech_rows(seen(facts, through=2))}


def test_whoever_turns_out_to_be_the_speaker_is_no_hearer_of_himself() -> None:
    odd = SpeechFact(chapter=3, block=20, start=0, end=4, place=Place(20, 1), conversation=2)
    other = odd.model_copy(update={"block": 21, "place": Place(21, 1), "speaker": "@8", "by": "tag"})
    asked = SpeakerFact(chapter=3, place=Place(20, 1), block=20, start=0, speaker="@1")
    more = [*person("@8", "the Pilgrim"), SameFact(entity="@8", same_as="@1", chapter=2)]
    rows = speech_rows(seen(stored([*story(EN), *more, odd, other, asked]), through=LAST))
    said_ = {row.block: (row.speaker.handle if row.speaker else "", row.hearers) for row in rows}
    assert (said_[20], said_[21]) == (("@1", ()), ("@1", ()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_nobody_known_are_on_nobodys_plane_whatever_a_store_says_of_hearers(language: str) -> None:
    odd = SpeechFact(
        chapter=3, block=20, start=0, end=4, place=Place(20, 1), conversation=2, hearers=("@1", "@2"), by="unknown"
    )
    facts = stored([*story(LANGUAGES[language]), odd])
    assert [row.hearers for row in speech_rows(seen(facts, through=LAST)) if row.block == 20] == [()]
    for handle in ("@1", "@2"):
        assert 20 not in {row.block for row in speech_rows(seen(facts, through=LAST, plane=character(handle)))}


def test_a_merged_character_is_looked_at_by_either_handle() -> None:
    more: list[Fact] = [
        *person("@8", "the Pilgrim"),
        SameFact(entity="@8", same_as="@1", chapter=2),
        PresenceFact(entity="@8", chapter=2, presence="on_page", n_mentions=1),
        NameFact(entity="@8", surface="Pilgrim Oda", name_kind="epithet", chapter=2),
    ]
    views = [look(character(handle), more=more) for handle in ("@1", "@8")]
    assert views[0].stored == views[1].stored and views[0].mind is not None
    assert views[0].mind.scenes == {1, 2, 3, 4, 5}
    assert "Pilgrim Oda" in views[0].bible.cast["@1"].surfaces


def test_events_of_a_secret_that_nobody_told_them_of_are_not_theirs() -> None:
    more: list[Fact] = [SecretEventFact(secret="s00000001", chapter=2, event="touched", evidence=said(EN, 2, 60))]
    assert not [s for s in look(character("@2"), more=more).stored if isinstance(s.fact, SecretEventFact)]
    assert [s.chapter for s in look(character("@3"), more=more).stored if isinstance(s.fact, SecretEventFact)] == [2, 4]


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("@1은 @2를 만난다", "오다는 베 짜는 사람을 만난다"),
        ("@1이 @3과 @6으로", "오다가 헤스크 대위와 루도로"),
        ("@4으로 간다", "버들방앗간으로 간다"),
        ("@1이다. @2은행", "오다이다. 베 짜는 사람은행"),
        ("@77은 @1", "@77은 오다"),
    ],
)
def test_korean_particles_go_with_the_name(note: str, shown: str) -> None:
    assert told(look(AUTHOR, language="ko"), note) == shown
