"""The author's last word: whatever he said before of the same, it holds, and going back to it is a decision again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.models.decision import About, Confirm, Decision, Merge, NeverMerge, Reject, Rename, Reveal, Split
from analyzer.models.facts import Fact, NameFact, SameFact
from tests.harness import person
from tests.test_rulings import LANGUAGES, anchor_of, ruled, view, words


@pytest.fixture
def book(own: Path) -> Path:
    """A book of the tiny serial, to be decided about."""
    return own


def shown(book: Path) -> tuple[object, ...]:
    cast = [(row.handle, row.name, row.names, row.also) for row in pipeline.show_cast(book)]
    return cast, [(r.subject, r.relation, r.object) for r in pipeline.show_relations(book)]


A_OR_B: list[tuple[list[str], list[str]]] = [
    (["reject", "@4 employs @3"], ["confirm", "@4 employs @3"]),
    (["reject", "@3"], ["confirm", "@3"]),
    (["reject", "@5 called Pia"], ["confirm", "@5 called Pia"]),
    (["split", "@5", "Pia"], ["confirm", "@5 called Pia"]),
    (["merge", "@1", "@3"], ["never-merge", "@1", "@3"]),
    (["reveal", "@1", "@3"], ["never-merge", "@3", "@1"]),
    (["rename", "@1", "안나 보스"], ["rename", "@1", "林黛玉"]),
]


def decided(book: Path, *taken: Sequence[str]) -> tuple[object, ...]:
    """Return what is shown after these decisions, each of them taken and in force when it was."""
    made = [pipeline.decide(book, verb, rest) for verb, *rest in taken]
    assert [row.id for row in made] == [f"d{n}" for n in range(1, len(taken) + 1)]
    assert not any("in force already" in line for row in made for line in row.told)
    assert not made[-1].overruled_by
    return shown(book)


@pytest.fixture(scope="module")
def alone(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[object, ...]]:
    """What is shown after one decision alone, by its words."""

    @cache
    def after(*words: str) -> tuple[object, ...]:
        copy = tmp_path_factory.mktemp("alone") / "own"
        shutil.copytree(finished.parent, copy)
        return decided(copy / finished.name, words)

    return after


@pytest.mark.parametrize(("one", "other"), A_OR_B, ids=lambda words: " ".join(words))
@pytest.mark.parametrize("turns", [2, 3, 4])
def test_who_goes_back_to_an_earlier_decision_has_the_last_word(
    finished: Path, tmp_path: Path, alone: Callable[..., object], one: list[str], other: list[str], turns: int
) -> None:
    for first, second in ((one, other), (other, one)):
        said = [(first, second)[n % 2] for n in range(turns)]
        copy = tmp_path / f"{first[0]}-{first[-1]}"
        shutil.copytree(finished.parent, copy)
        assert decided(copy / finished.name, *said) == alone(*said[-1])


def test_a_decision_that_holds_is_not_added_again_whatever_was_decided_of_others_between(book: Path) -> None:
    pipeline.decide(book, "rename", ["@1", "안나"])
    pipeline.decide(book, "rename", ["@3", "林黛玉"])
    again = pipeline.decide(book, "rename", ["@1", "안나"])
    assert again.id == "d1" and "in force already" in again.told[0] and len(pipeline.decisions(book)) == 2


def test_undoing_the_last_word_brings_back_the_one_before_it(book: Path) -> None:
    for name in ("안나", "林黛玉", "안나"):
        pipeline.decide(book, "rename", ["@1", name])
    assert [d.overruled_by for d in pipeline.decisions(book)] == ["", "d3", ""]
    pipeline.undo(book)
    assert {row.handle: row.name for row in pipeline.show_cast(book)}["@1"] == "林黛玉"


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_an_analysis_joined_is_parted_and_joined_again_by_the_last_word(name: str) -> None:
    facts: list[Fact] = [*person("@1", name), *person("@2", "Mask"), SameFact(entity="@2", same_as="@1", chapter=1)]
    a, b = anchor_of("@1", facts), anchor_of("@2", facts)
    joined = Confirm(about=(About(fact="same", ends=(a, b)),))
    for apart in (NeverMerge(entity=a, other=b), Split(entity=a, other=b), Reject(about=joined.about)):
        assert list(view(facts, apart, joined).cast) == ["@1"]
        assert list(view(facts, joined, apart).cast) == ["@1", "@2"]
        assert list(view(facts, apart, joined, apart).cast) == ["@1", "@2"]
        assert [o.id for o in ruled(facts, joined, apart).settled.overruled] == ["d1"]


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_name_confirmed_after_a_split_stays_whose_it_was(name: str) -> None:
    facts: list[Fact] = [*person("@1", "Oda"), NameFact(entity="@1", surface=name, name_kind="epithet", chapter=1)]
    away = Split(entity="name:Oda", other="name:x", surfaces=(name,))
    own = Confirm(about=(About(fact="name", ends=("name:Oda",), words=(name,)),))
    more = {"name:x": "@7"}

    def names(*decisions: Decision) -> set[str]:
        from analyzer.bible import fold

        rulings = ruled(facts, *decisions, more=more)
        return set(fold(facts, through=1, handles=dict(rulings.handles), decisions=rulings).cast["@1"].surfaces)

    assert name in names(away, own) and name in names(own, away, own)
    assert name not in names(own, away) and name not in names(away, own, away)


def test_the_later_sentence_is_the_one_that_shows_it_to_readers() -> None:
    facts = [*person("@1", "Oda"), *person("@2", "The Mask")]
    a, b = anchor_of("@1", facts), anchor_of("@2", facts)

    def joined(*decisions: Decision) -> list[int]:
        return [n for n in range(1, 6) if len(view(facts, *decisions, through=n, plane="reader").cast) == 1]

    early, late = Merge(entity=b, into=a, words=words(2)), Merge(entity=a, into=b, words=words(5))
    assert joined(early, late) == [5] and joined(late, early) == [2, 3, 4, 5]
    assert joined(early, Reveal(persona=b, behind=a, words=words(4))) == [4, 5]
    assert joined(early, Merge(entity=b, into=a)) == [2, 3, 4, 5]  # without a sentence it takes none back
    assert [(o.id, o.by) for o in ruled(facts, early, late).settled.overruled] == [("d1", "d2")]
    names = [Rename(entity=a, label="Voss", words=words(n)) for n in (2, 4)]
    seen = [view(facts, *names, through=n, plane="reader").cast["@1"].called[0] for n in (1, 2, 3, 4)]
    assert seen == ["Oda", "Oda", "Oda", "Voss"]


def test_a_decision_about_somebody_who_was_never_there_hides_nothing_else() -> None:
    facts: list[Fact] = [*person("@1", "Oda"), *person("@2", "Pia")]
    seen = view(facts, Reject(about=(About(fact="entity", ends=("name:Gone",)),)))
    assert list(seen.cast) == ["@1", "@2"] and seen.of(NameFact) == view(facts).of(NameFact)
