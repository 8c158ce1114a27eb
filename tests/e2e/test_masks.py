"""A disguise of a bundled serial, with truthful answers: two of the cast before it falls, two after, and a dated reveal between."""

from __future__ import annotations

from pathlib import Path

from analyzer import pipeline
from analyzer.bible import Bible, fold
from analyzer.models.story import READER
from analyzer.storage.store import Store
from analyzer.turns import ties
from evals.goldset.cases import own_case
from evals.runs import TRUTHFUL, run_book


def test_a_disguise_falls_in_the_chapter_whose_words_tell_it_and_never_joins_the_two(tmp_path: Path) -> None:
    case = own_case("goose-in-the-paper")
    book = run_book(case, TRUTHFUL, tmp_path)
    with Store.open(book) as store:
        facts, handles = [row.fact for row in store.facts()], store.handles()

    def at(chapter: int) -> Bible:
        return fold(facts, through=chapter, handles=handles)

    who = {surface: handle for handle, entry in at(3).cast.items() for surface in entry.surfaces}
    kiln_worker, brother = who["오춘삼"], who["기남"]
    assert kiln_worker != brother and {kiln_worker, brother} <= set(at(1).cast)
    masks = [r for r in at(3).reveals if r.is_mask]
    assert [(r.chapter, {r.persona, r.behind}) for r in masks] == [(3, {kiln_worker, brother})]
    assert masks[0].persona == kiln_worker and masks[0].to[0] == READER and len(masks[0].to) > 1
    assert "오춘삼" in masks[0].evidence[0].text or "한기남" in masks[0].evidence[0].text
    assert not [r for r in at(2).reveals if r.is_mask]
    manuscript = pipeline.manuscript_of(book)
    chapter = manuscript.chapter(3)
    assert chapter is not None and chapter.sentence_text(masks[0].evidence[0].place) == masks[0].evidence[0].text
    ended = [tie for tie in ties(at(3)).values() if tie.until == 3 and tie.turns]
    assert ended and all(ties(at(2))[tie.triple].until is None for tie in ended)
