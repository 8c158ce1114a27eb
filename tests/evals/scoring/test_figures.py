from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.records import BCubed, ChapterResult, Outcome, RunResult
from evals.scoring.difference import difference, mcnemar
from evals.scoring.figures import (
    Pick,
    figure,
    lines,
    name_clusters,
    pooled,
    precision_of,
    recall_of,
    spread,
    wilson,
)
from tests.evals.scoring.readings import reading, rel, result, who

CAST = (who("oda", "Oda"), who("ludo", "Ludo"), who("hesk", "Hesk"))


def chapter(no: int, hits: str, *, side: str = "gold", language: str = "en", **more: object) -> ChapterResult:
    """Return a chapter of relations, one for each letter: + found, - not; r, w, d not in gold and judged right, wrong, debatable."""
    verdicts = {"r": "right", "w": "wrong", "d": "debatable"}
    outcomes = [
        Outcome(cls="relation", side=side, chapter=no, key=f"k{n}", text="", group="kin" if n % 2 else "work",
                hits={"pair": True, "family": letter == "+", "kind": False}, judged=verdicts.get(letter, ""))
        for n, letter in enumerate(hits)
    ]  # fmt: skip
    return ChapterResult(case="c", chapter=no, language=language, label="truthful", outcomes=tuple(outcomes), **more)


def run(*chapters: ChapterResult) -> RunResult:
    return RunResult(name="r", label="truthful", answers="gold", chapters=chapters)


def test_recall_pools_items_and_draws_chapters() -> None:
    got = figure([chapter(1, "++++"), chapter(2, "+---")], recall_of("relation"))
    assert (got.hit, got.n, got.share, got.interval) == (5, 8, 0.625, "bootstrap")
    assert got.low == 0.25 and got.high == 1.0


def test_one_chapter_falls_back_to_items_and_says_so() -> None:
    got = figure([chapter(1, "++--")], recall_of("relation"))
    assert (
        got.interval == "wilson"
        and got.low == pytest.approx(0.150, abs=1e-3)
        and got.high == pytest.approx(0.850, abs=1e-3)
    )


def test_all_right_is_no_certainty() -> None:
    got = figure([chapter(1, "++"), chapter(2, "++")], recall_of("relation"))
    assert got.interval == "wilson" and got.high == 1.0 and got.low == pytest.approx(0.510, abs=1e-3)


def test_nothing_to_count_has_no_share_and_no_interval() -> None:
    assert figure([], recall_of("relation")).share is None
    assert figure([chapter(1, "++")], precision_of("relation")).model_dump() == {
        "hit": 0, "n": 0, "share": None, "low": None, "high": None, "interval": "",
    }  # fmt: skip


def test_an_unscored_chapter_is_no_zero() -> None:
    missing = ChapterResult(case="d", chapter=9, language="ko", label="truthful", unscored="text not here")
    assert figure([chapter(1, "+-"), missing], recall_of("relation")) == figure(
        [chapter(1, "+-")], recall_of("relation")
    )
    assert [line.of for line in lines([chapter(1, "+-"), missing], "relation", "language")] == ["en"]


def test_precision_against_gold_and_as_judged_stand_side_by_side() -> None:
    (line,) = lines([chapter(1, "++r-wd", side="said")], "relation")
    assert (line.precision.hit, line.precision.n) == (2, 6)
    assert (line.precision_judged.hit, line.precision_judged.n) == (3, 5)
    assert (line.n_debatable, line.n_unjudged) == (1, 1)


def test_recall_as_judged_adds_what_was_said_in_other_words() -> None:
    (line,) = lines([chapter(1, "+-r")], "relation")
    assert (line.recall.hit, line.recall_judged.hit, line.recall_judged.n) == (1, 2, 3)


def test_lines_by_family_chapter_language_and_level_of_match() -> None:
    rows = [chapter(1, "++"), chapter(2, "-+", language="ko")]
    assert {x.of: (x.recall.hit, x.recall.n) for x in lines(rows, "relation", "family")} == {
        "kin": (2, 2),
        "work": (1, 2),
    }
    assert {x.of: x.recall.hit for x in lines(rows, "relation", "chapter")} == {"c 1": 2, "c 2": 1}
    assert {x.of: x.recall.hit for x in lines(rows, "relation", "language")} == {"en": 2, "ko": 1}
    assert {x.of: x.recall.hit for x in lines(rows, "relation", "match")} == {"pair": 4, "family": 3, "kind": 0}


def test_new_relations_are_counted_apart_from_those_that_hold_again() -> None:
    gold = reading(CAST, (rel("oda serves ludo", 1, again=True), rel("oda loves hesk", 9)))
    got = [result(gold, reading(CAST, (rel("oda loves hesk", 9),)))]
    assert figure(got, recall_of("relation")).share == 0.5
    assert figure(got, recall_of("relation", again=False)).share == 1.0


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda t: (min(t), max(t))), max_size=6),
    st.integers(0, 3),
)
def test_an_interval_holds_its_share_and_is_the_same_for_the_same_seed(
    counts: list[tuple[int, int]], seed: int
) -> None:
    got = pooled(counts, seed=seed)
    assert got == pooled(counts, seed=seed)
    if got.share is None:
        assert not sum(n for _, n in counts)
    else:
        assert got.low is not None and got.high is not None and 0 <= got.low <= got.share <= got.high <= 1


def test_wilson_bounds_as_published() -> None:
    low, high = wilson(81, 263)  # the worked example of Newcombe 1998, method 3
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_name_clusters_are_pooled_over_names() -> None:
    whole, half = (
        ChapterResult(
            case="c",
            chapter=n,
            language="en",
            label="rules",
            b_cubed=BCubed(precision_sum=p, n_said=2, recall_sum=r, n_gold=4),
        )
        for n, p, r in ((1, 2, 4), (2, 1, 2))
    )
    precision, recall = name_clusters([whole, half])
    assert (precision.share, recall.share) == (0.75, 0.75)


def test_repeats_give_mean_and_spread() -> None:
    got = spread([run(chapter(1, "++")), run(chapter(1, "+-")), run()], recall_of("relation"))
    assert (got.n_runs, got.mean, got.least, got.most) == (2, 0.75, 0.5, 1.0) and got.sd == pytest.approx(
        0.3536, abs=1e-4
    )
    assert spread([run(chapter(1, "++"))], recall_of("relation")).sd is None
    assert spread([], recall_of("relation")).mean is None


def test_exact_mcnemar() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 0) == 0.0625
    assert mcnemar(9, 1) == mcnemar(1, 9) == pytest.approx(0.0215, abs=1e-4)
    assert mcnemar(4, 4) == 1.0


def test_a_run_against_itself_changed_nothing() -> None:
    got = difference([chapter(1, "++-")], [chapter(1, "++-")], recall_of("relation"))
    assert (got.difference, got.low, got.high, got.p_items, got.p_draws) == (0, 0, 0, 1, 1)
    assert got.gained == got.lost == ()


def test_a_fall_of_many_items_is_told_from_luck_and_names_them() -> None:
    got = difference([chapter(1, "+" * 20)], [chapter(1, "-" * 10 + "+" * 10)], recall_of("relation"))
    assert got.difference == -0.5 and got.p_items < 0.01 and got.p_draws < 0.01
    assert got.high is not None and got.high < 0
    assert len(got.lost) == 10 and ("c", 1, "k0") in got.lost and got.gained == ()


def test_one_item_more_is_luck() -> None:
    got = difference([chapter(1, "+-" * 6)], [chapter(1, "++" + "+-" * 5)], recall_of("relation"))
    assert got.p_items == 1.0 and got.p_draws > 0.05 and got.gained == (("c", 1, "k1"),)


def test_only_chapters_both_runs_scored_are_compared() -> None:
    got = difference([chapter(1, "+"), chapter(2, "-")], [chapter(1, "+")], recall_of("relation"))
    assert (got.before, got.after) == (1.0, 1.0)
    assert difference([chapter(1, "+")], [], recall_of("relation")).difference is None


def test_what_only_one_run_said_counts_in_that_run() -> None:
    got = difference([chapter(1, "++", side="said")], [chapter(1, "++-+", side="said")], precision_of("relation"))
    assert (got.before, got.after, got.gained) == (1.0, 0.75, (("c", 1, "k3"),))


def test_a_pick_counts_only_its_own_items() -> None:
    rows = [chapter(1, "++--")]
    assert figure(rows, Pick("relation", group="kin")).n == 2
    assert figure(rows, Pick("entity")).n == 0
    assert figure(rows, Pick("relation", measure="via")).n == 0
    assert figure(rows, Pick("relation", level="optional")).n == 0
