from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.bible import Bible, fold
from analyzer.models.facts import RELATION_KINDS, Fact, RelationFact, SameFact
from tests.harness import person, unnamed
from tests.strategies import histories


def same(a: str, b: str, chapter: int = 1) -> SameFact:
    return SameFact(entity=a, same_as=b, chapter=chapter)


def relation(triple: str, chapter: int = 1) -> RelationFact:
    subject, kind, target = triple.split()
    return RelationFact(claim=triple, chapter=chapter, subject=subject, relation=kind, object=target, evidence=())


def cast_of(*handles: str) -> list[Fact]:
    return [fact for handle in handles for fact in person(handle, f"N{handle}")]


def test_an_empty_bible_has_nobody() -> None:
    bible = fold([], through=5)
    assert bible.cast == {} and bible.relations == () and bible.root("@1") == "@1" and bible.handle_for("x") == ""


def test_merges_chain_into_the_oldest_handle_whatever_their_order() -> None:
    for merges in (
        [same("@9", "@5"), same("@5", "@2")],
        [same("@5", "@2"), same("@9", "@5")],
        [same("@2", "@9"), same("@9", "@5")],
        [same("@9", "@2"), same("@9", "@5"), same("@5", "@9"), same("@2", "@2")],
    ):
        bible = fold([*cast_of("@2", "@5", "@9"), *merges], through=1)
        assert list(bible.cast) == ["@2"]
        assert {bible.root(h) for h in ("@2", "@5", "@9")} == {"@2"}
        assert set(bible.cast["@2"].merged) == {"@5", "@9"}


def test_the_cast_is_in_order_of_arrival_whatever_its_handles() -> None:
    bible = fold(cast_of("@10", "@9", "@2"), through=1)
    assert list(bible.cast) == ["@10", "@9", "@2"]
    assert bible.by_arrival("@2", "@10") == ("@10", "@2")


def test_a_merge_keeps_the_handle_with_the_lowest_number_and_the_words_of_who_came_first() -> None:
    merged = fold([*person("@10", "Oda"), *person("@9", "The Weaver"), same("@9", "@10")], through=1)
    assert [(handle, entry.entity.label) for handle, entry in merged.cast.items()] == [("@9", "Oda")]
    assert fold([*cast_of("@10", "@9"), same("@9", "@10")], through=1).root("@10") == "@9"


def test_names_and_presences_of_a_merged_one_go_to_the_one_it_became() -> None:
    bible = fold([*person("@1", "Oda"), *person("@2", "The Weaver"), same("@2", "@1")], through=1)
    assert bible.cast["@1"].surfaces == ("Oda", "The Weaver")


def test_a_merge_of_a_later_chapter_is_not_known_before() -> None:
    facts = [*cast_of("@1", "@2"), same("@2", "@1", chapter=3)]
    assert list(fold(facts, through=2).cast) == ["@1", "@2"]
    assert list(fold(facts, through=3).cast) == ["@1"]


def test_relations_follow_merges_and_nobody_is_related_to_himself() -> None:
    facts = [
        *cast_of("@1", "@2", "@3"),
        relation("@3 loves @2"),
        relation("@1 sibling_of @3"),
        relation("@2 friend_of @3"),
    ]
    bible = fold([*facts, same("@3", "@1")], through=1)
    assert [(r.subject, r.relation, r.object) for r in bible.relations] == [
        ("@1", "loves", "@2"),
        ("@1", "friend_of", "@2"),
    ]


def test_an_unnamed_entity_has_no_surfaces_until_a_name_is_its_own() -> None:
    clerk = unnamed("@1", "the clerk", (1, 1))
    assert fold(clerk, through=1).cast["@1"].surfaces == ()
    bible = fold([*clerk, *person("@2", "Eustace", chapter=2), same("@2", "@1", chapter=2)], through=2)
    assert bible.cast["@1"].surfaces == ("Eustace",)


def test_a_merged_entity_whose_older_half_has_no_fact_keeps_the_older_handle() -> None:
    bible = fold([*person("@5", "Oda"), same("@5", "@2")], through=1)
    assert [entry.handle for entry in bible.cast.values()] == ["@2"]


@given(histories())
def test_folding_again_changes_nothing(facts: list[Fact]) -> None:
    once = fold(facts, through=4)
    again = fold(once.facts, through=4)
    assert (again.cast, again.relations, again.same) == (once.cast, once.relations, once.same)


@given(histories(), st.integers(0, 30))
def test_a_fold_that_goes_on_from_an_earlier_one_is_the_fold_of_all(facts: list[Fact], cut: int) -> None:
    earlier, new = Bible(4, tuple(facts[:cut])), facts[cut:]
    grown, whole = earlier.followed_by(new, Bible(4, tuple(facts))), Bible(4, tuple(facts))
    assert (grown.cast, grown.relations, grown.same) == (whole.cast, whole.relations, whole.same)
    assert list(grown.cast) == list(whole.cast)
    assert earlier.cast == Bible(4, tuple(facts[:cut])).cast


@given(histories())
def test_as_of_is_the_same_fold_stopped_earlier(facts: list[Fact]) -> None:
    for chapter in range(5):
        early = fold([f for f in facts if f.chapter <= chapter], through=chapter)
        late = fold(facts, through=chapter)
        assert (early.cast, early.relations, early.same) == (late.cast, late.relations, late.same)


@given(histories())
def test_roots_are_roots_and_the_oldest_of_their_kin(facts: list[Fact]) -> None:
    bible = fold(facts, through=4)
    for handle, root in bible.same.items():
        assert bible.root(root) == root
        assert int(root[1:]) < int(handle[1:])
    assert all(bible.root(handle) == handle for handle in bible.cast)
    members = [h for handle, entry in bible.cast.items() for h in (handle, *entry.merged)]
    assert len(members) == len(set(members))


@given(histories())
def test_relations_name_the_living_cast_in_canonical_order(facts: list[Fact]) -> None:
    bible = fold(facts, through=4)
    for found in bible.relations:
        assert found.subject != found.object
        assert {found.subject, found.object} <= set(bible.cast)
        if RELATION_KINDS[found.relation].symmetric:
            assert int(found.subject[1:]) < int(found.object[1:])


@given(histories())
def test_the_past_only_grows(facts: list[Fact]) -> None:
    for chapter in range(1, 4):
        before, after = fold(facts, through=chapter), fold(facts, through=chapter + 1)
        assert {after.root(h) for h in before.cast} <= set(after.cast)
