from __future__ import annotations

from analyzer.bible import fold
from analyzer.models.facts import Evidence, Fact, PresenceFact, SameFact
from analyzer.models.story import READER, RevealFact
from analyzer.models.text import Place
from evals.said.identity import said
from tests.harness import person, unnamed

SHOWN = (Evidence(chapter=2, block=3, sentence=1, start=0, end=5, text="I am "),)


def reveal(
    chapter: int, persona: str = "@1", behind: str = "@2", *, to: tuple[str, ...] = (READER,), called: str = ""
) -> RevealFact:
    return RevealFact(reveal="r", chapter=chapter, persona=persona, behind=behind, to=to, called=called, evidence=SHOWN)


def there(handle: str, chapter: int) -> PresenceFact:
    return PresenceFact(entity=handle, chapter=chapter, presence="mentioned", n_mentions=1, first=Place(7, 2))


def items(number: int, *facts: Fact) -> list[tuple[object, object, object, tuple[int, ...]]]:
    bible = fold([*person("@1", "Pell"), *person("@2", "Holm"), *unnamed("@3", "the boy"), *facts], through=number)
    return [
        (i.fields["persona"], i.fields["is"], i.fields["revealed_here"], tuple(e.block for e in i.evidence))
        for i in said(bible, number)
    ]


def test_a_reveal_is_said_in_its_chapter_with_its_words() -> None:
    assert items(2, reveal(2)) == [("Pell", "@2", True, (3,))]
    assert items(2, reveal(2, "@3")) == [("the boy", "@2", True, (3,))]
    assert items(2, reveal(2, "@2", "@2", called="Anders")) == [("Anders", "@2", True, (3,))]
    assert items(1, reveal(2)) == []


def test_later_it_is_said_as_known_where_the_mask_is_named_again() -> None:
    assert items(3, reveal(2), there("@1", 3)) == [("Pell", "@2", False, (7,))]
    assert items(3, reveal(2)) == []
    assert items(3, reveal(2, "@2", "@2", called="Anders"), there("@2", 3)) == []


def test_who_learns_it_later_is_no_second_reveal_to_the_reader() -> None:
    assert items(3, reveal(2), reveal(3, to=("@3",)), there("@1", 3)) == [("Pell", "@2", False, (3,))]


def test_merged_handles_are_followed() -> None:
    facts: list[Fact] = [
        *person("@4", "Holm the elder"),
        SameFact(entity="@4", same_as="@2", chapter=2),
        reveal(2, "@1", "@4"),
    ]
    assert items(2, *facts) == [("Pell", "@2", True, (3,))]
