"""What decisions do to the bible: for the author at once, for readers never before the chapter whose words carry them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bible import Bible, fold
from analyzer.models.decision import (
    About,
    Confirm,
    Decided,
    Decision,
    Merge,
    NeverMerge,
    Plane,
    Reject,
    Rename,
    Reveal,
    Split,
    Undo,
    Words,
)
from analyzer.models.facts import EntityFact, Evidence, Fact, NameFact, RelationFact, SameFact
from analyzer.models.story import KnowledgeFact, RevealFact, SecretEventFact, SecretFact
from analyzer.models.text import Place
from analyzer.prefix import cast_part
from analyzer.rulings import Rulings, rulings_of
from tests.harness import person

LANGUAGES = ("Oda Marrin", "마라 벨", "林黛玉", "田中花子")
"""A name in English, Korean, Chinese and Japanese."""


def evidence(chapter: int, text: str = "x") -> tuple[Evidence, ...]:
    return (Evidence(chapter=chapter, block=1, sentence=1, start=0, end=len(text), text=text),)


def words(chapter: int) -> Words:
    return Words(chapter=chapter, no=chapter, place=Place(1, 1), text=f"sentence of {chapter}")


def relation(subject: str, kind: str, target: str, chapter: int = 1) -> RelationFact:
    claim = f"{subject} {kind} {target} {chapter}"
    return RelationFact(
        claim=claim, chapter=chapter, subject=subject, relation=kind, object=target, evidence=evidence(chapter)
    )


def decided(*decisions: Decision) -> list[Decided]:
    return [Decided(id=f"d{n}", at=float(n), decision=one) for n, one in enumerate(decisions, 1)]


def anchors(facts: Iterable[Fact]) -> dict[str, str]:
    return {f.anchor: f.entity for f in facts if isinstance(f, EntityFact)}


def ruled(facts: Sequence[Fact], *decisions: Decision, last: int = 99, more: dict[str, str] | None = None) -> Rulings:
    """Return the decisions over a text whose chapters end at `last`."""
    return rulings_of(
        decided(*decisions), {**anchors(facts), **(more or {})}, lambda w: w.chapter if w.chapter <= last else 0
    )


def view(facts: Sequence[Fact], *decisions: Decision, through: int = 9, plane: Plane = "author") -> Bible:
    return fold(facts, through=through, handles=anchors(facts), decisions=ruled(facts, *decisions), plane=plane)


def anchor_of(handle: str, facts: Sequence[Fact]) -> str:
    return next(a for a, h in anchors(facts).items() if h == handle)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_new_name_is_shown_and_the_names_matched_stay(name: str) -> None:
    facts = person("@1", name)
    seen = view(facts, Rename(entity=anchor_of("@1", facts), label="The Weaver"))
    assert seen.cast["@1"].called == ("The Weaver", name)
    assert seen.cast["@1"].surfaces == (name,)
    assert f"@1 character: The Weaver / {name}\n" in cast_part(seen, tuple(seen.cast.values())).text


def test_readers_see_a_new_name_from_its_words_on_or_from_where_it_is_the_entitys_own() -> None:
    facts = [*person("@1", "The Stranger"), NameFact(entity="@1", surface="Voss", name_kind="family", chapter=5)]
    told = Rename(entity=anchor_of("@1", facts), label="Hanno Voss", words=words(7))
    own = Rename(entity=anchor_of("@1", facts), label="Voss")
    nowhere = Rename(entity=anchor_of("@1", facts), label="The Killer")

    def called(n: int, one: Decision, plane: Plane = "reader") -> str:
        return view(facts, one, through=n, plane=plane).cast["@1"].called[0]

    assert [called(n, told) for n in (1, 6, 7)] == ["The Stranger", "The Stranger", "Hanno Voss"]
    assert [called(n, own) for n in (4, 5)] == ["The Stranger", "Voss"]
    assert [called(9, nowhere), called(1, nowhere, "author")] == ["The Stranger", "The Killer"]


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_merge_joins_for_readers_from_its_words_on_and_for_the_author_everywhere(name: str) -> None:
    facts = [
        *person("@1", name),
        *person("@2", "The Mask"),
        relation("@2", "loves", "@1"),
        relation("@2", "from", "@3"),
    ]
    merge = Merge(entity=anchor_of("@2", facts), into=anchor_of("@1", facts), words=words(4))
    assert [list(view(facts, merge, through=n, plane="reader").cast) for n in (3, 4)] == [["@1", "@2"], ["@1"]]
    author = view(facts, merge, through=1)
    assert list(author.cast) == ["@1"] and author.cast["@1"].surfaces == (name, "The Mask")
    assert [(r.subject, r.object) for r in author.relations] == [("@1", "@3")]


def test_a_merge_without_words_is_never_shown_to_readers() -> None:
    facts = [*person("@1", "Oda"), *person("@2", "The Mask")]
    merge = Merge(entity=anchor_of("@2", facts), into=anchor_of("@1", facts))
    assert list(view(facts, merge, plane="reader").cast) == ["@1", "@2"]
    assert list(view(facts, merge).cast) == ["@1"]


def test_two_kept_apart_are_two_whatever_merges_say_even_by_way_of_a_third() -> None:
    facts: list[Fact] = [*person("@1", "Oda"), *person("@2", "Pia"), *person("@3", "The Girl")]
    facts += [SameFact(entity="@3", same_as="@1", chapter=1), SameFact(entity="@3", same_as="@2", chapter=1)]
    apart = NeverMerge(entity=anchor_of("@1", facts), other=anchor_of("@2", facts))
    assert list(view(facts).cast) == ["@1"]
    assert list(view(facts, apart).cast) == ["@1", "@2"]
    assert view(facts, apart).cast["@1"].merged == ("@3",)


@pytest.mark.parametrize("other", ["Bela Tesk", "벨라", "王武", "花子さん"])
def test_a_name_that_an_analysis_gave_to_another_goes_back_to_whom_it_was_kept_apart_for(other: str) -> None:
    before = [*person("@1", "Anna"), *person("@2", other)]
    after: list[Fact] = [*person("@1", "Anna"), NameFact(entity="@1", surface=other, name_kind="epithet", chapter=2)]
    apart = NeverMerge(entity=f"name:{'Anna'}", other=f"name:{other}")
    handles = {"name:Anna": "@1", f"name:{other}": "@2"}
    rulings = rulings_of(decided(apart), handles, lambda _w: 0)
    seen = fold(after, through=2, handles=handles, decisions=rulings)
    assert {h: e.surfaces for h, e in seen.cast.items()} == {"@1": ("Anna",), "@2": (other,)}
    assert list(fold(before, through=2, handles=handles, decisions=rulings).cast) == ["@1", "@2"]


def test_split_gives_names_to_a_handle_of_their_own_and_shows_the_first_by_what_is_left() -> None:
    facts: list[Fact] = [
        *person("@1", "Mrs. Voss", "Ilse Voss"),
        NameFact(entity="@1", surface="Mrs. Voss", name_kind="title", chapter=3),
    ]
    split = Split(entity=anchor_of("@1", facts), other="name:Mrs. Voss#2", surfaces=("Mrs. Voss",))
    rulings = ruled(facts, split, more={"name:Mrs. Voss#2": "@7"})
    seen = fold(facts, through=3, handles=anchors(facts), decisions=rulings)
    assert {h: e.surfaces for h, e in seen.cast.items()} == {"@1": ("Ilse Voss",), "@7": ("Mrs. Voss",)}
    assert seen.cast["@7"].entity.anchor == "name:Mrs. Voss#2"


def test_split_takes_a_joined_handle_out_again() -> None:
    facts: list[Fact] = [*person("@1", "Oda"), *person("@2", "Pia"), SameFact(entity="@2", same_as="@1", chapter=1)]
    assert list(view(facts, Split(entity=anchor_of("@1", facts), other=anchor_of("@2", facts))).cast) == ["@1", "@2"]


def test_reject_hides_somebody_with_all_that_hangs_on_him() -> None:
    facts: list[Fact] = [
        *person("@1", "Oda"),
        *person("@2", "Nobody"),
        relation("@1", "friend_of", "@2"),
        KnowledgeFact(chapter=1, piece="k", knower="@2", proposition="p", stance="knows", evidence=evidence(1)),
        SecretFact(secret="s1", chapter=1, proposition="p", holders=("@1", "@2"), evidence=evidence(1)),
        SecretFact(secret="s2", chapter=1, proposition="p", holders=("@2",), evidence=evidence(1)),
    ]
    seen = view(facts, Reject(about=(About(fact="entity", ends=(anchor_of("@2", facts),)),)))
    assert list(seen.cast) == ["@1"] and seen.relations == ()
    secrets = [f for f in seen.of(SecretFact) if isinstance(f, SecretFact)]
    assert [(f.secret, f.holders) for f in secrets] == [("s1", ("@1",))] and seen.of(KnowledgeFact) == ()


def test_reject_of_a_relation_holds_for_both_orders_of_a_symmetric_one_and_after_merges() -> None:
    facts: list[Fact] = [
        *person("@1", "Oda"), *person("@2", "Ludo"), *person("@3", "The Boy"),
        SameFact(entity="@3", same_as="@2", chapter=2),
        relation("@2", "friend_of", "@1"), relation("@3", "friend_of", "@1", 2), relation("@1", "loves", "@2"),
        relation("@2", "loves", "@1"),
    ]  # fmt: skip
    a, b = anchor_of("@1", facts), anchor_of("@2", facts)
    reject = Reject(about=(About(fact="relation", ends=(a, b), words=("friend_of",)),))
    assert [r.relation for r in view(facts, reject).relations] == ["loves", "loves"]
    directed = Reject(about=(About(fact="relation", ends=(a, b), words=("loves",)),))
    assert [(r.subject, r.relation) for r in view(facts, directed, through=1).relations] == [
        ("@1", "friend_of"), ("@2", "loves"),
    ]  # fmt: skip


def test_reject_of_a_secret_takes_along_what_happens_to_it_and_leaves_what_people_know() -> None:
    facts: list[Fact] = [
        *person("@1", "Oda"),
        SecretFact(secret="s1", chapter=1, proposition="p", holders=("@1",), evidence=evidence(1)),
        SecretEventFact(secret="s1", chapter=2, event="touched", evidence=evidence(2)),
        KnowledgeFact(
            chapter=2, piece="k", knower="@1", proposition="p", stance="knows", secret="s1", evidence=evidence(2)
        ),
    ]
    seen = view(facts, Reject(about=(About(fact="secret", words=("s1",)),)))
    assert seen.of(SecretFact, SecretEventFact) == ()
    assert [f.secret for f in seen.of(KnowledgeFact) if isinstance(f, KnowledgeFact)] == [""]


def test_a_reveal_joins_where_it_is_confirmed_and_parts_where_it_is_rejected() -> None:
    facts: list[Fact] = [
        *person("@1", "Edmond"), *person("@2", "The Abbé"),
        RevealFact(reveal="r", chapter=4, persona="@2", behind="@1", evidence=evidence(4)),
    ]  # fmt: skip
    persona, behind = anchor_of("@2", facts), anchor_of("@1", facts)
    assert list(view(facts).cast) == ["@1", "@2"]
    yes = Reveal(persona=persona, behind=behind, words=words(4))
    assert [list(view(facts, yes, through=n, plane="reader").cast) for n in (3, 4)] == [["@1", "@2"], ["@1"]]
    no = Reveal(persona=persona, behind=behind, status="rejected")
    assert view(facts, no).of(RevealFact) == () and view(facts, yes).of(RevealFact) != ()
    same: list[Fact] = [*facts, SameFact(entity="@2", same_as="@1", chapter=5)]
    assert list(view(same, no).cast) == ["@1", "@2"]


def test_the_latest_of_contradicting_decisions_wins_and_tells_which_it_overrules() -> None:
    facts: list[Fact] = [*person("@1", "Oda"), *person("@2", "Pia"), *person("@3", "Ludo")]
    a, b, c = (anchor_of(h, facts) for h in ("@1", "@2", "@3"))
    join, apart = Merge(entity=b, into=a, words=words(1)), NeverMerge(entity=a, other=b)
    assert list(view(facts, apart, join).cast) == ["@1", "@3"]
    assert list(view(facts, join, apart).cast) == ["@1", "@2", "@3"]
    overruled = ruled(facts, join, apart, Merge(entity=c, into=a, words=words(1))).settled.overruled
    assert [(o.id, o.by) for o in overruled] == [("d1", "d2")]
    by_way = ruled(facts, apart, Merge(entity=c, into=a, words=words(1)), Merge(entity=c, into=b, words=words(1)))
    assert [o.id for o in by_way.settled.overruled] == ["d1"]
    about = (About(fact="entity", ends=(b,)),)
    assert list(view(facts, Reject(about=about), Confirm(about=about)).cast) == ["@1", "@2", "@3"]
    assert list(view(facts, Confirm(about=about), Reject(about=about)).cast) == ["@1", "@3"]
    assert list(view(facts, Reject(about=about), join).cast) == ["@1", "@3"]
    names = Rename(entity=a, label="First"), Rename(entity=a, label="Second")
    assert view(facts, *names).cast["@1"].called[0] == "Second"


def test_what_was_undone_does_nothing() -> None:
    facts = [*person("@1", "Oda"), *person("@2", "Pia")]
    join = Merge(entity=anchor_of("@2", facts), into=anchor_of("@1", facts))
    assert list(view(facts, join, Undo(decision="d1")).cast) == ["@1", "@2"]


def test_decisions_about_nobody_do_nothing() -> None:
    facts = person("@1", "Oda")
    lost: list[Decision] = [
        Merge(entity="name:Gone", into="name:Lost", words=words(1)),
        NeverMerge(entity="name:Gone", other="name:Oda"),
        Rename(entity="name:Gone", label="X"),
        Reject(about=(About(fact="entity", ends=("name:Gone",)),)),
        Split(entity="name:Gone", other="name:Lost", surfaces=("Oda",)),
    ]
    assert view(facts, *lost).cast == view(facts).cast


# --- properties ----------------------------------------------------------------------------------------------------------

HANDLES = [f"@{n}" for n in range(1, 7)]
_handle = st.sampled_from(HANDLES)
_pair = st.lists(_handle, min_size=2, max_size=2, unique=True)
_chapter = st.integers(1, 5)
_words = st.one_of(st.none(), _chapter.map(words))


def _anchor(handle: str) -> str:
    return f"name:N{handle[1:]}"


@st.composite
def histories(draw: st.DrawFn) -> list[Fact]:
    facts: list[Fact] = []
    for handle in HANDLES:
        chapter = draw(_chapter)
        name = f"N{handle[1:]}"
        facts += [
            EntityFact(entity=handle, entity_kind="character", label=name, anchor=f"name:{name}", chapter=chapter),
            NameFact(entity=handle, surface=name, name_kind="given", chapter=chapter),
        ]
    for a, b in draw(st.lists(_pair, max_size=3)):
        facts.append(SameFact(entity=a, same_as=b, chapter=draw(_chapter)))
    for handle in draw(st.lists(_handle, max_size=3)):
        surface = draw(st.sampled_from(["N1", "N2", "마라", "林黛"]))
        facts.append(NameFact(entity=handle, surface=surface, name_kind="epithet", chapter=draw(_chapter)))
    for a, b in draw(st.lists(_pair, max_size=4)):
        facts.append(relation(a, draw(st.sampled_from(["loves", "friend_of"])), b, draw(_chapter)))
    return sorted(facts, key=lambda fact: fact.chapter)


@st.composite
def decisions(draw: st.DrawFn) -> Decision:
    a, b = map(_anchor, draw(_pair))
    kind = draw(st.sampled_from(["merge", "rename", "reveal", "apart", "split", "entity", "relation", "same"]))
    if kind == "merge":
        return Merge(entity=a, into=b, words=draw(_words))
    if kind == "rename":
        return Rename(entity=a, label=draw(st.sampled_from(["N1", "마라", "New"])), words=draw(_words))
    if kind == "reveal":
        status = draw(st.sampled_from(["confirmed", "rejected"]))
        return Reveal(persona=a, behind=b, status=status, words=draw(_words) if status == "confirmed" else None)
    if kind == "apart":
        return NeverMerge(entity=a, other=b)
    if kind == "split":
        return Split(entity=a, other=b, surfaces=draw(st.sampled_from([(), ("마라",), ("N1", "林黛")])))
    about = {
        "entity": About(fact="entity", ends=(a,)),
        "relation": About(fact="relation", ends=(a, b), words=("loves",)),
        "same": About(fact="same", ends=tuple(sorted((a, b)))),
    }[kind]
    return Confirm(about=(about,)) if draw(st.booleans()) else Reject(about=(about,))


def seen(bible: Bible) -> tuple[object, ...]:
    """Return all a bible shows."""
    return (
        {h: (e.called, e.surfaces, e.merged, e.presences, e.entity) for h, e in bible.cast.items()},
        list(bible.cast),
        bible.relations,
        bible.of(NameFact, SameFact, RelationFact),
    )


@given(histories(), st.lists(decisions(), max_size=6))
@settings(max_examples=150)
def test_a_reader_of_n_chapters_sees_what_the_book_cut_after_them_shows(
    facts: list[Fact], made: list[Decision]
) -> None:
    handles = {_anchor(handle): handle for handle in HANDLES}
    whole = rulings_of(decided(*made), handles, lambda w: w.chapter)
    for n in range(6):
        cut = rulings_of(decided(*made), handles, lambda w, n=n: w.chapter if w.chapter <= n else 0)  # type: ignore[misc]
        reader = fold(facts, through=n, handles=handles, decisions=whole, plane="reader")
        only = fold([f for f in facts if f.chapter <= n], through=n, handles=handles, decisions=cut, plane="reader")
        assert seen(reader) == seen(only)


@given(histories(), st.lists(decisions(), max_size=6))
@settings(max_examples=100)
def test_folded_chapter_by_chapter_it_is_what_it_is_folded_at_once(facts: list[Fact], made: list[Decision]) -> None:
    handles = {_anchor(handle): handle for handle in HANDLES}
    rulings = rulings_of(decided(*made), handles, lambda w: w.chapter)
    last = Bible(0, ruled=rulings.known(0, "reader"))
    for n in range(1, 6):
        known = tuple(f for f in facts if f.chapter <= n)
        last = last.followed_by(known[len(last.facts) :], Bible(n, known, handles, rulings.known(n, "reader")))
        assert seen(last) == seen(fold(facts, through=n, handles=handles, decisions=rulings, plane="reader"))


@given(histories(), st.lists(decisions(), max_size=6))
@settings(max_examples=60)
def test_nobody_kept_apart_by_a_decision_that_holds_is_joined(facts: list[Fact], made: list[Decision]) -> None:
    handles = {_anchor(handle): handle for handle in HANDLES}
    rulings = rulings_of(decided(*made), handles, lambda w: w.chapter)
    bible = fold(facts, through=5, handles=handles, decisions=rulings)
    assert all(bible.root(a) != bible.root(b) for a, b in rulings.settled.apart)
    assert all(bible.root(a) == bible.root(b) for a, b in rulings.settled.joins)
    assert not set(bible.cast) & bible.ruled.gone(bible.root)
