from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.facts import Fact
from analyzer.models.story import SecretEventFact, SecretFact
from tests.harness import chapter_of
from tests.steps.knowing import LANGUAGES, TOLD, Case, cast, hides, ids, old_secret, run, scene, secret_says, touched

ONE, TWO = scene(), scene(no=2)
KEPT: dict[str, Any] = {
    "check": "kept",
    "proposition": "Mara has a letter",
    "holders": ["@1", "@2"],
    "hidden_from": ["@3"],
}


def noticed(*more: Fact, place: tuple[int, int] = (1, 1), chapter: Any = ONE, **said: Any) -> tuple[Fact, ...]:
    """Return a notice about @1 and what was said of it; `KEPT` but for what is given."""
    wanted = {k: v for k, v in (KEPT | said).items() if v is not None}
    return (hides(chapter, "@1", place), *secret_says(chapter, place, **wanted), *more)


def again(*events: str, to: Sequence[str] = (), places: Sequence[tuple[int, int]] = ((2, 1),)) -> tuple[Fact, ...]:
    """Return looks at the old secret, first and second, and to whom it was told."""
    looks: list[Fact] = [
        touched(TWO, "s1", event, *(() if event == "untouched" else places), look=look)
        for look, event in zip(("first", "second"), events, strict=False)
    ]
    return (*looks, *([touched(TWO, "s1", "to", to=to)] if to else []))


CASES = (
    Case("a secret kept from somebody", ("secret “Mara has a letter” @1+@2 from @3 1.1",), facts=noticed()),
    Case("the reader may be kept from it", ("secret “Mara has a letter” @1+@2 from @3+reader 1.1",),
         facts=noticed(hidden_from=["@3", "reader"])),
    Case("kept from nobody named is kept still", ("secret “Mara has a letter” @1+@2 from  1.1",), facts=noticed(hidden_from=[])),
    Case("who learns it here is told, and holds it no longer from before",
         ("secret “Mara has a letter” @1 from @3 1.1", "shared to @2 1.1"), facts=noticed(to=["@2"])),
    Case("who all are said to learn it here hold it, and are told nothing",
         ("secret “Mara has a letter” @1+@2 from @3 1.1", "shared to @4 1.1"), facts=noticed(to=["@1", "@2", "@4"])),
    Case("what comes out here is exposed", ("secret “Mara has a letter” @1+@2 from  1.1", "exposed to @3 1.1"),
         facts=noticed(check="out", to=["@3"])),
    Case("no secret", (), facts=noticed(check="open"), codes=("not_kept",)),
    Case("only private", (), facts=noticed(check="private"), codes=("not_kept",)),
    Case("nothing hidden", (), facts=noticed(check="none"), codes=("not_kept",)),
    Case("a doubt nobody could read leaves it undecided", (), facts=noticed(check=None), codes=("undecided",)),
    Case("nobody keeps it", (), facts=noticed(holders=[]), codes=("no_holder",)),
    Case("holders nobody could read are those noticed", ("secret “Mara has a letter” @1 from @3 1.1",), facts=noticed(holders=None)),
    Case("nobody in the cast keeps it", (), facts=noticed(holders=["@88"]), codes=("no_holder",)),
    Case("nothing could be said of it", (), facts=noticed(proposition=""), codes=("no_words",)),
    Case("a note nobody could read is the sentence itself", ("secret “Mara hid the letter in the mill.” @1+@2 from @3 1.1",),
         facts=noticed(proposition=None)),
    Case("a holder is not among those kept from it", ("secret “Mara has a letter” @1+@2 from @3 1.1",),
         facts=noticed(hidden_from=["@2", "@3"]), codes=("kept_from_holder",)),
    Case("said twice in a chapter is one secret", ("secret “Mara has a letter” @1+@2 from @3 1.1",), codes=("known_already",),
         facts=noticed(*noticed(place=(3, 1), proposition="Mara has a letter!"))),
    Case("the same words of others are another secret",
         ("secret “Mara has a letter” @1+@2 from @3 1.1", "secret “Mara has a letter” @4 from @3 3.1"),
         facts=noticed(*noticed(place=(3, 1), holders=["@4"]))),
    Case("two looks that agree touch an old one", ("touched to  2.1",), no=2, past=(old_secret(),), facts=again("touched", "touched")),
    Case("one look alone does not", (), no=2, past=(old_secret(),), facts=again("shared", "untouched"), codes=("undecided",)),
    Case("neither look, nothing", (), no=2, past=(old_secret(),), facts=again("untouched", "untouched")),
    Case("words must show it", (), no=2, past=(old_secret(),), facts=again("touched", "touched", places=()), codes=("no_evidence",)),
    Case("of two looks the weaker counts", ("shared to @3 2.1",), no=2, past=(old_secret(),), facts=again("shared", "exposed", to=["@3"])),
    Case("exposed to those it was kept from", ("exposed to @2 2.1",), no=2, past=(old_secret(),),
         facts=again("exposed", "exposed", to=["@2"])),
    Case("told to somebody it is shared even if only touched", ("shared to @2 2.1",), no=2, past=(old_secret(),),
         facts=again("touched", "shared", to=["@2"])),
    Case("who holds it cannot be told it", ("touched to  2.1",), no=2, past=(old_secret(),),
         facts=again("exposed", "exposed", to=["@1"]), codes=("nobody_told",)),
    Case("a notice taken for an old one is a look", ("touched to  2.1 1.1",), no=2, past=(old_secret(hidden=["@2", "@3"]),),
         facts=(*again("touched", "untouched"), *noticed(chapter=TWO, check="same:s1", holders=["@1"], hidden_from=[]))),
    Case("and adds those who turn out to hold it or to be kept from it",
         ("secret “who burned the mill” @4 from @3 2.1 1.1", "touched to  2.1 1.1"), no=2, past=(old_secret(),),
         facts=(*again("touched", "untouched"), *noticed(chapter=TWO, check="same:s1", holders=["@1", "@4"]))),
    Case("the words of an old one are the old one", ("touched to  2.1 1.1",), no=2, past=(old_secret(words="Mara has a letter"),),
         codes=("known_already",),
         facts=(*again("touched", "untouched"), *noticed(chapter=TWO, holders=["@1"], hidden_from=["@2"]))),
    *(Case(f"a secret in {tag}", (f"secret “{TOLD[tag]}” @1+@2 from @3 1.1",), language=tag,
           facts=noticed(chapter=scene(tag), proposition=TOLD[tag])) for tag in LANGUAGES),
    Case("nothing noticed, nothing stored", ()),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_secrets(case: Case) -> None:
    case.check("secrets")


def test_words_that_are_not_those_of_the_chapter_are_no_evidence() -> None:
    facts = [*cast(), *noticed(chapter=chapter_of("Mara burnt the letter in the mill. Tomas slept."))]
    told = run("secrets", ONE, facts=facts)
    assert told.codes == ["evidence_not_in_chapter"] and told.facts == []


def test_ids_outlive_a_chapter_that_moves() -> None:
    def of(no: int) -> str:
        told = run("secrets", scene(no=no), facts=[*cast(no=no), *noticed(chapter=scene(no=no))])
        [fact] = told.facts
        assert isinstance(fact, SecretFact)
        return fact.secret

    assert of(1) == of(7)


CHECKS = st.sampled_from(["kept", "out", "open", "private", "none", "same:s1", "same:s9"])
PEOPLE = st.lists(st.sampled_from(["@1", "@2", "@3", "@4", "@9", "reader"]), max_size=3)


@settings(max_examples=50)
@given(
    CHECKS, PEOPLE, PEOPLE, PEOPLE, st.lists(st.sampled_from(["touched", "shared", "exposed", "untouched"]), max_size=2)
)
def test_whatever_is_answered_no_fact_breaks_a_rule(
    check: str, holders: list[str], hidden: list[str], to: list[str], events: list[str]
) -> None:
    said = noticed(chapter=TWO, check=check, holders=holders, hidden_from=hidden, to=to)
    told = run("secrets", TWO, facts=[*cast(no=2), *said, *again(*events, to=to)], past=[old_secret()])
    for fact in told.facts:
        assert isinstance(fact, SecretFact | SecretEventFact)
        assert fact.evidence and all(TWO.sentence_text(e.place) == e.text for e in fact.evidence)
        if isinstance(fact, SecretFact):
            assert fact.holders and "reader" not in fact.holders and not set(fact.holders) & set(fact.hidden_from)
            assert {*fact.holders, *fact.hidden_from} <= {"@1", "@2", "@3", "@4", "reader"} and fact.proposition
        elif fact.secret == "s1" and fact.event != "touched":
            assert fact.to and "@1" not in fact.to
    assert len(told.facts) + len(told.codes) > 0 or set(events) <= {"untouched"}
