"""Decisions of the author in a run: later casts follow them, only what is shown otherwise is asked anew, confirmed facts stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from analyzer.bible import fold
from analyzer.models.decision import (
    About,
    Confirm,
    Decision,
    Kept,
    Merge,
    NeverMerge,
    Reject,
    Rename,
    Split,
    Undo,
    Words,
)
from analyzer.models.facts import ClaimFact, EntityFact, NameFact
from analyzer.models.question import Pack
from analyzer.models.text import Place
from analyzer.steps._step import ComputeStep, Effects, Step, Unit
from analyzer.storage.store import Store
from analyzer.text.standing import Standing
from tests.scheduler.tiny import ENTITIES, STEPS, TEXTS, TINY, Teller, analyse, book_of, contents, honest, make_entities

LATER = (*TEXTS, ("Anna met Bela again.", "안나 saw 王武 and 시몬."), ("林黛 left.",))
LONGER = book_of(LATER)


def words(no: int, text: str) -> Words:
    return Words(chapter=no, no=no, place=Place(1, 1), text=text)


async def decided_after_a_run(folder: Path, *decisions: Decision) -> None:
    """Analyse with another model, so that everybody has a handle, then decide."""
    await analyse(folder, Teller(model="first"), manuscript=LONGER)
    decide(folder, *decisions)


def decide(folder: Path, *decisions: Decision) -> None:
    with Store.open(folder, create=True) as store:
        for at, one in enumerate(decisions):
            store.decide(one, at=float(at))


def handle(folder: Path, name: str) -> str:
    with Store.open(folder) as store:
        return store.handles()[f"form:{name}"]


def cast_lines(asker: Teller, chapter: int) -> str:
    """Return the cast part that the packs of a chapter share."""
    [text] = {
        part.text for pack in asker.asked if pack.chapter == chapter for part in pack.parts if part.name == "cast"
    }
    return text


def prefixes(asker: Teller) -> dict[tuple[str, int], tuple[str, ...]]:
    return {(pack.step, pack.chapter): tuple(part.text for part in pack.parts) for pack in asker.asked}


async def test_a_book_without_decisions_is_shown_and_known_as_before(tmp_path: Path) -> None:
    plain, about_nobody = Teller(), Teller()
    await analyse(tmp_path / "plain", plain, manuscript=LONGER)
    nobody = NeverMerge(entity="form:Nobody", other="form:Noone")
    decide(tmp_path / "other", nobody, Rename(entity="form:Nobody", label="X"))
    await analyse(tmp_path / "other", about_nobody, manuscript=LONGER)
    assert prefixes(plain) == prefixes(about_nobody)
    wanted, found = contents(tmp_path / "plain"), contents(tmp_path / "other")
    assert {table: rows for table, rows in wanted.items() if table != "decisions"} == {
        table: rows for table, rows in found.items() if table != "decisions"
    }


@pytest.mark.parametrize(("one", "other"), [("Anna", "안나"), ("Bela", "벨라"), ("안나", "王武")])
async def test_merged_ones_are_one_line_of_the_casts_after_their_words_and_two_before(
    tmp_path: Path, one: str, other: str
) -> None:
    await decided_after_a_run(tmp_path, Merge(entity=f"form:{other}", into=f"form:{one}", words=words(3, TEXTS[2][0])))
    asker = Teller()
    await analyse(tmp_path, asker, manuscript=LONGER)
    a, b = handle(tmp_path, one), handle(tmp_path, other)
    assert f"{a} " in cast_lines(asker, 4) and f"{b} " not in cast_lines(asker, 4)
    assert other in next(line for line in cast_lines(asker, 4).splitlines() if line.startswith(f"{a} "))
    three = cast_lines(asker, 3)
    assert all(f"{h} " in three for h in (a, b) if f"{h} character" in three or f"{h} place" in three)
    assert f"/ {other}" not in three


async def test_only_what_is_shown_otherwise_is_asked_anew_and_nothing_when_it_is_undone(tmp_path: Path) -> None:
    await analyse(tmp_path, Teller(), manuscript=LONGER)
    before = contents(tmp_path)
    decide(tmp_path, Merge(entity="form:안나", into="form:Anna", words=words(3, TEXTS[2][0])))
    asker = Teller()
    await analyse(tmp_path, asker, manuscript=LONGER)
    assert asker.asked and {pack.chapter for pack in asker.asked} == {4}
    assert all(handle(tmp_path, "안나") not in pack.tail for pack in asker.asked)
    with Store.open(tmp_path) as store:
        store.decide(Undo(decision="d1"), at=9.0)
    again = Teller()
    await analyse(tmp_path, again, manuscript=LONGER)
    after = contents(tmp_path)
    assert again.asked == [] and after["facts"] == before["facts"] and after["tasks"] == before["tasks"]


async def test_a_second_run_over_the_same_decisions_does_nothing(tmp_path: Path) -> None:
    await decided_after_a_run(
        tmp_path,
        Merge(entity="form:안나", into="form:Anna", words=words(2, TEXTS[1][0])),
        Rename(entity="form:Bela", label="The Laugher", words=words(1, TEXTS[0][1])),
        Reject(about=(About(fact="entity", ends=("form:王武",)),)),
    )
    await analyse(tmp_path, Teller(), manuscript=LONGER)
    again = Teller()
    outcome = await analyse(tmp_path, again, manuscript=LONGER)
    assert (again.asked, outcome.n_tasks) == ([], 0)


async def test_chapters_run_one_by_one_with_decisions_leave_what_a_run_over_all_leaves(tmp_path: Path) -> None:
    made: Sequence[Decision] = (
        Merge(entity="form:안나", into="form:Anna", words=words(2, TEXTS[1][0])),
        NeverMerge(entity="form:Anna", other="form:Bela"),
        Reject(about=(About(fact="entity", ends=("form:시몬",)),)),
    )
    for name in ("all", "each"):
        await decided_after_a_run(tmp_path / name, *made)
    await analyse(tmp_path / "all", Teller(), manuscript=LONGER)
    for no in range(1, 6):
        await analyse(tmp_path / "each", Teller(), manuscript=LONGER, chapters=[no])
    assert contents(tmp_path / "all") == contents(tmp_path / "each")


async def test_a_new_name_stands_in_later_casts_and_is_not_looked_for_in_the_text(tmp_path: Path) -> None:
    await decided_after_a_run(tmp_path, Rename(entity="form:Bela", label="王武", words=words(1, TEXTS[0][1])))
    asker = Teller()
    await analyse(tmp_path, asker, manuscript=TINY)
    bela = handle(tmp_path, "Bela")
    assert any(line.startswith(f"{bela} ") and "王武 / Bela" in line for line in cast_lines(asker, 3).splitlines())
    assert handle(tmp_path, "王武") != bela


async def test_who_was_rejected_stands_in_no_later_cast(tmp_path: Path) -> None:
    await decided_after_a_run(tmp_path, Reject(about=(About(fact="entity", ends=("form:Bela",)),)))
    asker = Teller()
    await analyse(tmp_path, asker, manuscript=LONGER)
    bela = handle(tmp_path, "Bela")
    assert all(f"{bela} " not in cast_lines(asker, no) for no in (2, 3, 4, 5))
    assert not [pack for pack in asker.asked if pack.step in ("presence", "kind") and f"{bela} " in pack.tail]


# --- an analysis that joins whom the author keeps apart -------------------------------------------------------------------


def joining(of: str, to: str) -> ComputeStep:
    """Return a step like `entities` that takes `of` for a name of `to`."""

    def compute(unit: Unit, view: object) -> Effects:
        made = make_entities(unit, view)  # type: ignore[arg-type]
        facts = []
        target = view.handle_for(f"form:{to}") or "@1"  # type: ignore[attr-defined]
        for fact, because in made.facts:
            if isinstance(fact, EntityFact) and fact.label == of:
                continue
            if isinstance(fact, NameFact) and fact.surface == of:
                fact = fact.model_copy(update={"entity": target})
            facts.append((fact, because))
        return Effects(tuple(facts))

    return ComputeStep(name=ENTITIES.name, reads=ENTITIES.reads, writes=ENTITIES.writes, compute=compute, carries=True)


@pytest.mark.parametrize(("name", "no"), [("Bela", 4), ("안나", 4), ("林黛", 5)])
async def test_names_split_off_are_another_line_of_later_casts_whatever_the_analysis_joins(
    tmp_path: Path, name: str, no: int
) -> None:
    steps: Sequence[Step] = [joining(name, "Anna"), *(step for step in STEPS if step.name != "entities")]
    await analyse(tmp_path, Teller(), steps=steps, manuscript=LONGER)
    anna = handle(tmp_path, "Anna")
    with Store.open(tmp_path) as store:
        given, anchor = store.give_handle(name)
        store.decide(Split(entity="form:Anna", other=anchor, surfaces=(name,)), at=1.0)
    asker = Teller()
    await analyse(tmp_path, asker, steps=steps, manuscript=LONGER)
    lines = cast_lines(asker, no).splitlines()
    assert not any(line.startswith(f"{anna} ") and name in line for line in lines)
    assert any(line.startswith(f"{given} ") and name in line for line in lines)
    assert contents(tmp_path)


# --- confirmed facts ----------------------------------------------------------------------------------------------------


def unsure(name: str) -> Callable[[Pack], str]:
    """Return answers that call a form no name and claim nothing of the pairs."""

    def tell(pack: Pack) -> str:
        lines = honest(pack).split("\n")
        return "\n".join(
            f"{n} -" if pack.step == "kind" or (pack.step == "forms" and name in q.text) else line
            for n, (q, line) in enumerate(zip(pack.questions, lines, strict=True), 1)
        )

    return tell


def kept_of(folder: Path, kind: type, about: str = "") -> list[Kept]:
    with Store.open(folder) as store:
        return [
            Kept(step=s.step, fact=s.fact, words=(words(s.chapter, LATER[s.chapter - 1][0]),))
            for s in store.facts()
            if isinstance(s.fact, kind) and about in str(s.fact)
        ]


@pytest.mark.parametrize("name", ["Anna", "안나", "林黛"])
async def test_somebody_confirmed_stays_where_a_run_is_unsure_of_him_and_goes_with_his_words(
    tmp_path: Path, name: str
) -> None:
    await analyse(tmp_path, Teller(), manuscript=LONGER)
    who = handle(tmp_path, name)
    kept = [k for k in [*kept_of(tmp_path, EntityFact), *kept_of(tmp_path, NameFact)] if k.fact.entity == who]  # type: ignore[union-attr]
    decide(tmp_path, Confirm(about=(About(fact="entity", ends=(f"form:{name}",)),), kept=tuple(kept)))
    no = kept[0].fact.chapter

    async def handles_after(texts: Sequence[Sequence[str]]) -> set[str]:
        await analyse(tmp_path, Teller(unsure(name), model="other"), manuscript=book_of(texts))
        with Store.open(tmp_path) as store:
            assert store.verify() == []
            return set(fold((s.fact for s in store.facts()), through=9).cast)

    assert who in await handles_after(LATER)
    moved = [list(rows) for rows in LATER]
    moved[no - 1].insert(0, "Nobody came.")
    assert who in await handles_after(moved)
    gone = [list(rows) for rows in LATER]
    gone[no - 1][0] = f"Only {name} was there."
    assert who not in await handles_after(gone)


async def test_a_confirmed_claim_is_kept_with_its_sentence_and_dropped_when_the_author_takes_it_back(
    tmp_path: Path,
) -> None:
    await analyse(tmp_path, Teller(), manuscript=TINY)
    kept = kept_of(tmp_path, ClaimFact)[:1]
    assert kept
    decide(tmp_path, Confirm(about=(About(fact="name", ends=("x",), words=("y",)),), kept=tuple(kept)))

    async def claims() -> list[str]:
        await analyse(tmp_path, Teller(unsure("~"), model="other"), manuscript=TINY)
        with Store.open(tmp_path) as store:
            return [s.fact.claim for s in store.facts() if isinstance(s.fact, ClaimFact)]

    assert await claims() == [kept[0].fact.claim]  # type: ignore[union-attr]
    with Store.open(tmp_path) as store:
        store.decide(Undo(decision="d1"), at=5.0)
    assert await claims() == []


# --- where words stand -----------------------------------------------------------------------------------------------------


def test_a_sentence_is_found_in_its_own_chapter_and_in_what_took_over_its_text_alone() -> None:
    book = book_of([["Anna met Bela at Corvin."], ["안나가 웃었다."], ["林黛看見王武。"], ["안나가 웃었다."]])
    standing = Standing.of(book.chapters)
    assert [
        standing.chapter_of(words(no, text)) for no, text in ((1, "Anna met Bela, at corvin"), (2, "안나가  웃었다"))
    ] == [1, 2]
    assert standing.chapter_of(words(3, "안나가 웃었다.")) == 0, "a like sentence of another chapter was not meant"
    assert standing.chapter_of(words(1, "…")) == 0
    moved = Standing.of([c.model_copy(update={"id": 10 + c.no, "origins": (2,)}) for c in book.chapters])
    assert moved.chapter_of(words(2, "안나가 웃었다.")) == 4, "of several the last, so that nothing is shown too early"
