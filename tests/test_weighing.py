"""What is refused, turned round or told before a decision is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.errors import ConfigError
from analyzer.models.evidence import Evidence
from analyzer.models.facts import EntityFact, Fact, NameFact, SameFact
from analyzer.models.story import RevealFact
from analyzer.storage.store import Store
from tests.test_rejected_people import put

NAMES = {
    "en": ("Jonas Ruddock", "the Ferryman"),
    "ko": ("김도윤", "뱃사공"),
    "zh": ("林黛玉", "摆渡人"),
    "ja": ("山本花子", "渡し守"),
}
"""The person and the mask."""


def entity(handle: str, name: str, kind: str = "character") -> list[Fact]:
    found = EntityFact(entity=handle, entity_kind=kind, label=name, anchor=f"name:{name}", chapter=1)
    return [found, NameFact(entity=handle, surface=name, name_kind="full", chapter=1)]


def book_of(folder: Path, *facts: Fact) -> Path:
    manuscript = folder / "serial.txt"
    manuscript.write_text("Chapter 1\n\nOne.\n\nChapter 2\n\nTwo.\n", "utf-8")
    book = pipeline.init(manuscript, language="en")
    with Store.open(book) as store:
        put(store, list(facts), {f.anchor: f.entity for f in facts if isinstance(f, EntityFact)})
        put(store, [], {}, chapter=2)
    return book


def reveal(persona: str, behind: str) -> RevealFact:
    told = Evidence(chapter=2, block=1, sentence=1, start=0, end=4, text="Two.")
    return RevealFact(reveal="r1", chapter=1, persona=persona, behind=behind, evidence=(told,))


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("words", [["reveal", "@1", "@2"], ["reveal", "@2", "@1"], ["confirm", "@1 is @2"]])
def test_a_reveal_typed_either_way_is_the_one_proposed_with_its_sentence(
    tmp_path: Path, language: str, words: list[str]
) -> None:
    person, mask = NAMES[language]
    book = book_of(tmp_path, *entity("@1", person), *entity("@2", mask), reveal("@2", "@1"))
    made = pipeline.decide(book, words[0], words[1:])
    assert (made.what, made.words, made.since) == (f"@2 {mask} is @1 {person}", "Two.", 2)
    turned = f"taken as it is proposed: @2 {mask} is @1 {person}"
    assert (turned in made.told) == (words[1:] != ["@2", "@1"])
    assert len(pipeline.show_cast(book, plane="reader")) == 1
    assert not [row for row in pipeline.review(book) if row.kind == "reveal"]


@pytest.mark.parametrize("words", [["reveal", "@1", "@2"], ["reject", "@1 is @2"], ["reject", "@2 is @1"]])
def test_a_reveal_is_rejected_either_way(tmp_path: Path, words: list[str]) -> None:
    person, mask = NAMES["zh"]
    book = book_of(tmp_path, *entity("@1", person), *entity("@2", mask), reveal("@2", "@1"))
    made = pipeline.decide(book, words[0], words[1:], rejected=words[0] == "reveal")
    assert made.what == f"@2 {mask} is not @1 {person}"
    assert pipeline.show_reveals(book) == () and pipeline.review(book) == ()


def test_a_reveal_is_known_by_the_handles_its_two_have_become(tmp_path: Path) -> None:
    person, mask = NAMES["ko"]
    facts = [*entity("@1", person), *entity("@2", mask), *entity("@3", "The Boatman")]
    joined = SameFact(entity="@3", same_as="@2", chapter=1)
    book = book_of(tmp_path, *facts, joined, reveal("@3", "@1"))
    assert pipeline.decide(book, "reveal", ["@1", "@2"]).since == 2


def test_a_reveal_nobody_proposed_stays_as_it_was_typed(tmp_path: Path) -> None:
    person, mask = NAMES["en"]
    book = book_of(tmp_path, *entity("@1", person), *entity("@2", mask))
    made = pipeline.decide(book, "reveal", ["@1", "@2"])
    assert made.what == f"@1 {person} is @2 {mask}" and not any("proposed" in line for line in made.told)


KINDS = ("character", "group", "place", "object", "lore")


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("verb", ["merge", "reveal"])
def test_two_of_different_kinds_are_never_made_one(tmp_path: Path, language: str, verb: str) -> None:
    name = NAMES[language][0]
    facts = [fact for n, kind in enumerate(KINDS, 1) for fact in entity(f"@{n}", f"{name} {kind}", kind)]
    for n, kind in enumerate(KINDS, 6):
        facts += entity(f"@{n}", f"{name} {kind} too", kind)
    book = book_of(tmp_path, *facts)
    for n, one in enumerate(KINDS if language == "en" else KINDS[:1], 1):  # a kind is the same in every language
        for m, other in enumerate(KINDS, 6):
            is_fine = one == other or (verb == "merge" and {one, other} == {"character", "group"})
            if is_fine:
                pipeline.decide(book, verb, [f"@{n}", f"@{m}"])
                pipeline.undo(book)
                continue
            with pytest.raises(ConfigError, match=f"is of kind {one}, @{m} .* of kind {other}, they cannot be one"):
                pipeline.decide(book, verb, [f"@{n}", f"@{m}"])
    assert all(row.undone for row in pipeline.decisions(book))


def test_what_is_rejected_or_kept_apart_may_be_of_any_kind(tmp_path: Path) -> None:
    book = book_of(tmp_path, *entity("@1", "Anna"), *entity("@2", "Thames", "place"), reveal("@1", "@2"))
    assert pipeline.decide(book, "reveal", ["@1", "@2"], rejected=True).id == "d1"
    assert pipeline.decide(book, "never-merge", ["@1", "@2"]).id == "d2"


@pytest.mark.parametrize(
    "label",
    ["@7", "＠7", "@ 7", "Anna @12", "@٧", "[12.3]", "［12.3］", "(4:1)", "12.3", "Anna [1.2]", "reader", "Reader", "form:Anna",
     "narrator:x", "character:@7"],
)  # fmt: skip
def test_a_name_that_looks_like_a_handle_or_a_mark_is_refused(tmp_path: Path, label: str) -> None:
    book = book_of(tmp_path, *entity("@1", "Anna"))
    with pytest.raises(ConfigError, match="looks like a handle"):
        pipeline.decide(book, "rename", ["@1", label])
    assert pipeline.decisions(book) == ()


@pytest.mark.parametrize(
    "label", ["The Reader", "Anna 7", "R2", "3.5号", "김 7번", "No. 6", "M:N", "林黛玉", "花子@home"]
)
def test_other_names_are_names(tmp_path: Path, label: str) -> None:
    book = book_of(tmp_path, *entity("@1", "Anna"))
    pipeline.decide(book, "rename", ["@1", label])
    assert pipeline.show_cast(book)[0].name == label


@pytest.mark.parametrize("language", NAMES)
def test_a_name_of_somebody_else_is_taken_and_told(tmp_path: Path, language: str) -> None:
    person, mask = NAMES[language]
    book = book_of(tmp_path, *entity("@1", person), *entity("@2", mask))
    made = pipeline.decide(book, "rename", ["@2", person.upper()])
    assert f"{person.upper()} is a name of @1 {person} too; if they are one: merge @2 @1" in made.told
    own = pipeline.decide(book, "rename", ["@1", "Nobody Else"])
    assert not any("if they are one" in line for line in own.told)


@pytest.mark.parametrize("language", NAMES)
def test_what_was_decided_is_told_with_the_names_of_before(tmp_path: Path, language: str) -> None:
    person, mask = NAMES[language]
    book = book_of(tmp_path, *entity("@1", person), *entity("@2", mask), *entity("@3", "Third"))
    said = [
        pipeline.decide(book, "rename", ["@3", "Fourth"]).what,
        pipeline.decide(book, "merge", ["@3", "@1"]).what,
        pipeline.decide(book, "reveal", ["@2", "@1"]).what,
        pipeline.decide(book, "rename", ["@3", "Fifth"]).what,
    ]
    assert said == [
        "@3 Third is called Fourth", f"@3 Fourth is @1 {person}", f"@2 {mask} is @1 {person}", "@3 Fourth is called Fifth",
    ]  # fmt: skip
    assert [row.what for row in pipeline.decisions(book)] == said


def test_somebody_rejected_is_told_by_name(tmp_path: Path) -> None:
    book = book_of(tmp_path, *entity("@1", "林黛玉"), *entity("@2", "Anna"))
    assert pipeline.decide(book, "reject", ["@1"]).what == "entity @1 林黛玉"


@pytest.mark.parametrize("language", NAMES)
def test_a_strange_name_waits_as_another_s_than_itself(tmp_path: Path, language: str) -> None:
    person, mask = NAMES[language]
    book = book_of(tmp_path, *entity("@1", person), NameFact(entity="@1", surface=mask, name_kind="full", chapter=1))
    with Store.open(book) as store:
        facts = [s.model_copy(update={"because": ("answer:1",)}) for s in store.facts()]
        [row] = [task for task in store.tasks() if task.n_facts]
        store.commit_task(row, facts, [], {})
    said = {row.what for row in pipeline.review(book) if row.kind == "merge"}
    assert said == {f"@1 {mask} called {person}", f"@1 {person} called {mask}"}
