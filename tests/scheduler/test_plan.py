"""The estimate against bills that were measured, and what it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.run import Price
from analyzer.models.text import Manuscript
from analyzer.scheduler.plan import Estimate, estimate
from analyzer.scheduler.rates import Calibration, Rate, calibration
from analyzer.scheduler.signs import PAST, Signs, near_pairs, signs_by_chapter
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from analyzer.text.candidates.candidate import FormCandidate
from analyzer.text.candidates.placing import sentences_of
from analyzer.text.manuscript import manuscript_from_text, read_manuscript

GOLDSETS = Path(__file__).parents[2] / "goldsets"
PRICE = Price(
    model="luna", input=0.1, cache_read=0.01, cache_write=0.125, output=0.5, source="of the bills", date="2026-11-29"
)
BILLS = {
    ("dark-of-the-gullick", "en"): (1.106, 1.063, 1.032, 0.916, 0.921, 1.004, 1.040, 1.026, 1.007),
    ("ferry-of-wujiu", "zh"): (1.222, 1.386, 1.721),
    ("glass-of-kanoura", "ja"): (1.241, 1.300, 1.461),
    ("goose-in-the-paper", "ko"): (1.073, 1.142, 1.289),
}
"""US cents a chapter at PRICE with truthful answers. Source: the report of `python -m evals.calibrate`."""
SERIAL = "\n\n".join(
    f"Chapter {n}\n\nOda Marrin met Captain Hesk at Sallow. Captain Hesk knew Oda Marrin and Pia Velm."
    for n in (1, 2, 3)
)
FILLED = {
    "en": ("Brask saw Ilse. ", "The rain went on over the roofs. ", "Jonas slept. ", ("Brask", "Ilse", "Jonas")),
    "ko": ("도현은 해주를 보았다. ", "비가 오래 내리고 또 내렸다. ", "민석이 웃었다. ", ("도현", "해주", "민석")),
    "zh": ("柳青河見了玄石。", "雨下了很久，屋上都是水。", "趙明遠笑道。", ("柳青河", "玄石", "趙明遠")),
    "ja": ("三枝は黒沢を見た。", "雨は長く降りつづいた。", "小林は笑った。", ("三枝", "黒沢", "小林")),
}
"""By language: a sentence of two, one of nobody, one of a third, and the names."""


def read(name: str, language: str) -> Manuscript:
    return read_manuscript(GOLDSETS / name / "serial.txt", language=language)


def of_chapter(book: Manuscript, number: int) -> Estimate:
    """The estimate of a chapter, those before it being done."""
    done = {("cast_forms", n) for n in range(1, number)}
    return estimate(book, [number], model="luna", price=PRICE, done=done)


@pytest.mark.parametrize(("name", "language"), BILLS)
def test_the_likely_figure_of_an_own_serial_is_within_a_quarter_of_its_bill(name: str, language: str) -> None:
    bill = sum(BILLS[name, language]) / 100
    made = estimate(read(name, language), range(1, len(BILLS[name, language]) + 1), model="luna", price=PRICE)
    assert made.likely_usd == pytest.approx(bill, rel=0.25)


@pytest.mark.parametrize(("name", "language"), BILLS)
def test_low_and_high_hold_the_bill_of_every_chapter(name: str, language: str) -> None:
    book = read(name, language)
    for number, cents in enumerate(BILLS[name, language], 1):
        made = of_chapter(book, number)
        assert made.low_usd is not None and made.high_usd is not None
        assert made.low_usd <= cents / 100 <= made.high_usd, f"chapter {number}"


def test_chapters_one_by_one_come_to_the_whole() -> None:
    book = read("goose-in-the-paper", "ko")
    whole = estimate(book, (1, 2, 3), model="luna", price=PRICE)
    parts = [of_chapter(book, n) for n in (1, 2, 3)]
    assert sum(p.n_questions for p in parts) == whole.n_questions
    assert sum(p.likely_usd or 0 for p in parts) == pytest.approx(whole.likely_usd or 0)


def test_names_of_chapters_that_are_done_are_not_asked_about_again() -> None:
    book = manuscript_from_text(SERIAL, title="Weir", language="en")
    alone = estimate(book, [2], model="luna", price=PRICE)
    after = of_chapter(book, 2)
    asked = [{row.step: row.n_questions for row in made.rows} for made in (alone, after)]
    assert asked[0]["cast_forms"] > asked[1]["cast_forms"] == 0
    assert asked[0]["relation_kind"] == asked[1]["relation_kind"] > 0


def test_what_is_done_costs_nothing_and_a_chapter_gone_from_the_book_does_not_matter() -> None:
    book = manuscript_from_text(SERIAL, title="Weir", language="en")
    every = {(step.name, n) for step in load_steps() for n in (1, 2, 3, 99)}
    made = estimate(book, (1, 2, 3), model="luna", price=PRICE, done=every)
    assert (made.n_questions, made.n_calls, made.likely_usd) == (0, 0, 0)


def test_without_a_price_there_is_no_money() -> None:
    book = manuscript_from_text(SERIAL, title="Weir", language="en")
    made = estimate(book, (1, 2, 3), model="nobody", price=None)
    assert made.n_questions > 0 and (made.low_usd, made.likely_usd, made.high_usd) == (None, None, None)


def test_bounds_are_shares_of_the_likely_figure() -> None:
    book = manuscript_from_text(SERIAL, title="Weir", language="en")
    measured = Calibration({"cast_forms": Rate("new_names", 1.0, 1.0, 2.0, 20.0, 2.0)}, 0.5, 3.0)
    made = estimate(book, [1], model="luna", price=PRICE, measured=measured)
    assert made.likely_usd and made.low_usd == made.likely_usd * 0.5 and made.high_usd == made.likely_usd * 3.0


def test_every_step_that_asks_is_calibrated() -> None:
    assert set(calibration().rates) == {step.name for step in load_steps() if isinstance(step, AskStep)}
    assert 0 < calibration().low < 1 < calibration().high


@settings(max_examples=60)
@given(n=st.integers(0, 5000), more=st.integers(0, 5000), step=st.sampled_from(sorted(calibration().rates)))
def test_more_signs_never_ask_less_and_a_few_never_ask_more_than_was_seen(n: int, more: int, step: str) -> None:
    rate = calibration().rates[step]
    few, many = (
        rate.questions(Signs(*[n] * len(Signs._fields))),
        rate.questions(Signs(*[n + more] * len(Signs._fields))),
    )
    assert 0 <= few <= many
    assert few <= rate.most * n + 0.5


@pytest.mark.parametrize("language", FILLED)
def test_names_are_a_pair_only_where_their_sentences_are_near(language: str) -> None:
    two, filler, third, names = FILLED[language]
    text = two + filler * 40 + third
    chapter = manuscript_from_text(text, title="Pairs", language=language).chapters[0]
    table = sentences_of(chapter)
    forms = [FormCandidate(name, (table.place(chapter.text.index(name)),), 1, 1.0) for name in names]
    assert near_pairs(chapter, forms) == 1
    assert near_pairs(chapter, forms, len(text)) == 3
    assert near_pairs(chapter, forms[:1]) == near_pairs(chapter, ()) == 0


@pytest.mark.parametrize("n_chapters", [1, 48, 49, 130])
def test_a_long_book_is_sampled_and_its_other_chapters_go_by_length(n_chapters: int) -> None:
    part = "Oda Marrin met Captain Hesk at Sallow. Captain Hesk knew Oda Marrin and Pia Velm."
    text = "\n\n".join(f"Chapter {n}\n\n{part}" for n in range(1, n_chapters + 1))
    book = manuscript_from_text(text, title="Long", language="en")
    found = signs_by_chapter(book, range(1, n_chapters + 1))
    assert len(found) == n_chapters
    assert len({signs.names for signs in found.values()}) == 1
    assert len({signs.pairs for signs in found.values()}) == 1


def test_a_chapter_has_its_sentences_and_a_past_that_grows_to_a_bound() -> None:
    text = "\n\n".join(f"Chapter {n}\n\n" + "Oda Marrin met Captain Hesk. " * n for n in range(1, 13))
    book = manuscript_from_text(text, title="Long", language="en")
    found = signs_by_chapter(book, range(1, 13))
    assert [signs.past for signs in found.values()] == [min(n, PAST) for n in range(12)]
    assert [signs.sentences for signs in found.values()] == list(range(1, 13))
    assert signs_by_chapter(book, [7])[7].past == 0  # nothing before it is read


def test_what_was_open_before_is_asked_about_only_where_there_is_a_before() -> None:
    book = manuscript_from_text(SERIAL, title="Weir", language="en")
    first, third = ({row.step: row.n_questions for row in of_chapter(book, n).rows} for n in (1, 3))
    assert first["thread_touch"] == first["relation_turn"] == 0 < third["thread_touch"]


def test_no_chapter_no_signs() -> None:
    assert signs_by_chapter(manuscript_from_text(SERIAL, title="Weir", language="en"), []) == {}
