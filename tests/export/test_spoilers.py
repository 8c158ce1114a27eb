"""No view of chapters 1..N holds anything of a later chapter, on any plane, whatever the facts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.export.planes import AUTHOR, Plane, seen
from analyzer.models.evidence import Evidence
from analyzer.models.facts import EntityFact, Fact, NameFact, PresenceFact, RelationFact, SameFact, StoredFact
from analyzer.models.story import (
    READER,
    CardFact,
    ChangeFact,
    KnowledgeFact,
    Modality,
    RevealFact,
    SecretEvent,
    SecretEventFact,
    SecretFact,
    SpeechFact,
    Stance,
    ThreadEvent,
    ThreadEventFact,
    ThreadFact,
    Turn,
    TurnFact,
    Via,
)
from analyzer.models.text import Place
from tests.export.looking import as_json
from tests.export.story_tale import LANGUAGES, LAST, stored, story

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
KINDS = ("employs", "deceives", "sibling_of")


def told(chapter: int, block: int, source: str = "narration") -> tuple[Evidence, ...]:
    text = f"words⟦{chapter}⟧"
    return (
        Evidence(chapter=chapter, block=block, sentence=1, start=0, end=len(text), text=text, source=source),
    )  # fmt: skip


class Maker:
    """Draws facts chapter by chapter; all words of a chapter's facts carry its number as ⟦n⟧."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.people: list[str] = []
        self.of: dict[str, list[str]] = {"s": [], "t": []}
        self.ties: list[tuple[str, str, str]] = []

    def one(self, choices: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(list(choices)))

    def who(self) -> str:
        return str(self.one(self.people))

    def some(self, *more: str) -> tuple[str, ...]:
        return tuple(self.draw(st.lists(st.sampled_from([*self.people, *more]), max_size=3, unique=True)))

    def old_or_new(self, letter: str, chapter: int) -> str:
        name = f"{letter}{chapter}{len(self.of[letter]):07d}"
        found = str(self.one([name, *self.of[letter]]))
        self.of[letter].append(found)
        return found

    def words(self, chapter: int) -> str:
        """A note with a handle in it, of somebody who may come later."""
        return f"note⟦{chapter}⟧ {self.one(['@1', '@2', '@5', '@9'])}."

    def chapter(self, no: int) -> Iterator[Fact]:
        for _ in range(self.one((0, 1, 2))):
            handle = f"@{len(self.people) + 1}"
            self.people.append(handle)
            yield EntityFact(
                entity=handle, entity_kind="character", label=f"N{handle[1:]}⟦{no}⟧", anchor=handle, chapter=no,
                evidence=told(no, len(self.people)),
            )  # fmt: skip
        if not self.people:
            return
        for handle in self.some():
            yield PresenceFact(
                entity=handle, chapter=no, presence=self.one(("on_page", "mentioned")), n_mentions=no, first=Place(1, 1)
            )
        for _ in range(self.one((1, 3, 5))):
            yield self.fact(no, told(no, self.one((1, 2, 3)), self.one(("narration", "thought"))))

    def fact(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        made = (self.cast, self.tie, self.turn, self.change, self.secret, self.event, self.knowledge, self.thread, self.touch,
                self.reveal, self.speech, self.card)  # fmt: skip
        return self.one(made)(no, evidence)  # type: ignore[no-any-return]

    def cast(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        if self.one((True, False)):
            return SameFact(entity=self.who(), same_as=self.who(), chapter=no)
        return NameFact(entity=self.who(), surface=f"also⟦{no}⟧", name_kind="nickname", chapter=no)

    def tie(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        subject, kind, target = self.who(), self.one(KINDS), self.who()
        self.ties.append((subject, kind, target))
        return RelationFact(
            claim=f"claim⟦{no}⟧{len(self.ties)}", chapter=no, subject=subject, relation=kind, object=target, evidence=evidence,
            status=self.one(("current", "pretended", "former")), visibility=self.one(("public", "secret")),
        )  # fmt: skip

    def turn(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        if not self.ties:
            return self.tie(no, evidence)
        subject, kind, target = self.one(self.ties)
        return TurnFact(
            chapter=no, subject=subject, relation=kind, object=target, turn=self.one(get_args(Turn)), evidence=evidence
        )

    def change(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        return ChangeFact(
            change=f"c{no}{len(evidence)}", chapter=no, entity=self.who(), attribute=self.one(("mood", "appearance.hair")),
            op=self.one(("set", "end")), to=self.words(no), to_entity=self.one(("", *self.people)), evidence=evidence,
            modality=self.one(get_args(Modality)),
        )  # fmt: skip

    def secret(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        name = self.old_or_new("s", no)
        return SecretFact(
            secret=name, chapter=no, proposition=f"⟪{name}⟫{self.words(no)}", holders=(self.who(),),
            hidden_from=self.some(READER), evidence=evidence,
        )  # fmt: skip

    def event(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        if not self.of["s"]:
            return self.secret(no, evidence)
        return SecretEventFact(
            secret=self.one(self.of["s"]), chapter=no, event=self.one(get_args(SecretEvent)), to=self.some(READER),
            evidence=evidence,
        )  # fmt: skip

    def knowledge(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        secret = self.one(("", *self.of["s"]))
        return KnowledgeFact(
            chapter=no, piece=f"p{no}", knower=self.one([*self.people, READER]), stance=self.one(get_args(Stance)),
            proposition=f"⟪{secret}⟫{self.words(no)}", via=self.one((None, *get_args(Via))), secret=secret, evidence=evidence,
            told_by=self.one(("", *self.people)),
        )  # fmt: skip

    def thread(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        return ThreadFact(
            thread=self.old_or_new("t", no), chapter=no, kind=self.one(("object", "secret")), statement=self.words(no),
            about=self.some(), evidence=evidence,
        )  # fmt: skip

    def touch(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        if not self.of["t"]:
            return self.thread(no, evidence)
        return ThreadEventFact(
            thread=self.one(self.of["t"]), chapter=no, event=self.one(get_args(ThreadEvent)), evidence=evidence
        )

    def reveal(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        persona, behind = self.who(), self.who()
        return RevealFact(
            reveal=f"r{persona}{behind}",
            chapter=no,
            persona=persona,
            behind=behind,
            to=self.some(READER),
            evidence=evidence,
        )

    def speech(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        return SpeechFact(
            chapter=no,
            block=1,
            start=no,
            end=9,
            place=Place(1, 1),
            conversation=no,
            speaker=self.who(),
            hearers=self.some(),
        )

    def card(self, no: int, evidence: tuple[Evidence, ...]) -> Fact:
        return CardFact(
            chapter=no, summary=self.words(no), people=self.some(), time=f"t⟦{no}⟧", point_of_view=self.who()
        )


@st.composite
def books(draw: st.DrawFn) -> tuple[StoredFact, ...]:
    """Facts of five chapters, every class in them."""
    maker = Maker(draw)
    return stored([fact for no in range(1, LAST + 1) for fact in maker.chapter(no)])


def planes(book: Sequence[StoredFact], through: int) -> list[Plane]:
    found = [s.fact for s in book if isinstance(s.fact, EntityFact) and s.chapter <= through]
    people = [fact.entity for fact in found if fact.entity_kind == "character"]
    return [AUTHOR, Plane("reader"), *(Plane("character", handle) for handle in people)]


def reveal_ids(book: Sequence[StoredFact]) -> frozenset[str]:
    return frozenset(s.fact.reveal for s in book if isinstance(s.fact, RevealFact))


DATED = {"chapter", "since", "until", "first_chapter", "chapters", "no"}


def dates(value: Any, key: str = "") -> Iterator[int]:
    """Every chapter number in JSON, keys of presences included."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if key == "presence":
                yield int(name)
            yield from dates(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from dates(inner, key)
    elif isinstance(value, int) and key in DATED:
        yield value
    elif isinstance(value, str) and key == "where":
        yield int(value.partition(":")[0])


def check(book: Sequence[StoredFact], through: int, confirmed: frozenset[str]) -> None:
    until = [s for s in book if s.chapter <= through]
    for plane in planes(book, through):
        shown = as_json(seen(book, through=through, plane=plane, confirmed=confirmed))
        assert shown == as_json(seen(until, through=through, plane=plane, confirmed=confirmed)), plane
        for name, text in shown.items():
            assert not [no for no in range(through + 1, LAST + 1) if f"⟦{no}⟧" in text], (plane, name)
            assert max(dates(json.loads(text)), default=0) <= through, (plane, name)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST), st.booleans())
def test_a_view_as_of_a_chapter_is_that_of_a_book_that_ends_there(
    book: tuple[StoredFact, ...], through: int, is_confirmed: bool
) -> None:
    check(book, through, reveal_ids(book) if is_confirmed else frozenset())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tale_as_of_every_chapter_has_no_word_of_a_later_one(language: str) -> None:
    words = LANGUAGES[language]
    book = stored(story(words))
    for through in range(LAST + 1):
        check(book, through, frozenset())
        for plane in planes(book, through):
            text = "".join(as_json(seen(book, through=through, plane=plane)).values())
            assert words.hesk_named not in text or through >= 3
            assert words.wound not in text or through >= 4
            for no in range(through + 1, LAST + 1):
                assert words.sentence.format(no) not in text


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST))
def test_readers_are_never_shown_a_secret_that_is_kept_from_them(book: tuple[StoredFact, ...], through: int) -> None:
    facts = [s.fact for s in book if s.chapter <= through]
    first: dict[str, SecretFact] = {}
    for fact in facts:
        if isinstance(fact, SecretFact):
            first.setdefault(fact.secret, fact)
    told_of = {
        f.secret
        for f in facts
        if isinstance(f, SecretEventFact) and READER in f.to and f.event != "touched" and f.secret in first
        and f.chapter >= first[f.secret].chapter
    }  # fmt: skip
    kept = [name for name, fact in first.items() if READER in fact.hidden_from and name not in told_of]
    text = "".join(as_json(seen(book, through=through, plane=Plane("reader"))).values())
    assert not [name for name in kept if f"⟪{name}⟫" in text or f'"{name}"' in text]


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST))
def test_nobody_but_the_author_sees_a_reveal_that_is_not_confirmed_or_two_made_one_by_it(
    book: tuple[StoredFact, ...], through: int
) -> None:
    for plane in planes(book, through)[1:]:
        view = seen(book, through=through, plane=plane)
        merges = [s.fact for s in view.stored if isinstance(s.fact, SameFact)]
        assert not [s for s in view.stored if isinstance(s.fact, RevealFact) and s.fact.is_mask]
        assert view.bible.same == seen(stored(merges), through=through).bible.same


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST - 1), st.booleans())
def test_nothing_that_was_shown_once_is_hidden_by_a_later_chapter(
    book: tuple[StoredFact, ...], through: int, is_confirmed: bool
) -> None:
    confirmed = reveal_ids(book) if is_confirmed else frozenset()
    for plane in planes(book, through):
        now, then = (
            {s.fact_id for s in seen(book, through=no, plane=plane, confirmed=confirmed).stored}
            for no in (through, through + 1)
        )
        assert now <= then, plane


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST))
def test_a_character_knows_nothing_of_what_they_are_unaware_of(book: tuple[StoredFact, ...], through: int) -> None:
    for plane in planes(book, through)[2:]:
        view = seen(book, through=through, plane=plane)
        assert view.mind is not None
        assert not [s for s in view.stored if isinstance(s.fact, KnowledgeFact) and s.fact.stance == "unaware"]
        assert not [s for s in view.stored if isinstance(s.fact, ThreadFact | ThreadEventFact)]
        assert {s.fact_id for s in view.stored} <= {s.fact_id for s in book}
        for one in view.stored:
            if isinstance(one.fact, CardFact | PresenceFact):
                assert one.chapter in view.mind.scenes
