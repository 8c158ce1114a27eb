"""Results that nobody could have made are refused by their field; those within bounds are shown, whatever they say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from evals import __main__ as entry
from evals.compare import compare, shown
from evals.live import Live, Wish, report_lines
from evals.records import BCubed, RunResult
from evals.report.__main__ import as_json
from evals.report.__main__ import main as report_main
from evals.report.groups import grouped
from evals.report.markdown import report
from evals.report.page import page
from evals.results import read_result, write_result
from tests.evals.report.results import HOSTILE, chapter, run

BASE = json.loads(run(chapter(1, missed=1), chapter(2)).model_dump_json())
Change = Callable[[dict[str, Any]], object]


def first(**fields: object) -> Change:
    return lambda said: said["chapters"][0].update(fields)


FAULTS: dict[str, tuple[Change, str]] = {
    "huge money": (first(usd=1e308), r"chapters\[0\].usd: .*less than or equal to 1000000, got 1e\+308"),
    "endless money": (first(usd=float("inf")), r"chapters\[0\]: usd is inf"),
    "money that is no number": (first(estimate_usd=float("nan")), r"chapters\[0\]: estimate_usd is nan"),
    "money owed": (first(usd=-0.5), r"chapters\[0\].usd: .*greater than or equal to 0"),
    "no words": (first(words=-1), r"chapters\[0\].words: "),
    "more words than there are": (first(words=10**400), r"chapters\[0\].words: .*integer of 1329 bits"),
    "calls": (first(n_calls=-1), r"chapters\[0\].n_calls: "),
    "a share beyond all": (first(cached_share=1.5), r"chapters\[0\].cached_share: "),
    "tokens": (first(usage={"input": -4}), r"chapters\[0\]: usage.input is -4"),
    "endless tokens": (first(usage={"output": 10**99}), r"chapters\[0\]: usage.output is too large"),
    "trouble": (first(trouble={"missing": -3}), r"chapters\[0\].trouble.missing: "),
    "a negative sum": (first(b_cubed={"precision_sum": -1.0, "n_said": 2}), r"b_cubed.precision_sum: "),
    "a sum beyond its items": (first(b_cubed={"recall_sum": 3.0, "n_gold": 2}), r"b_cubed: recall_sum is 3"),
    "a number of no chapter": (first(chapter=-1), r"chapters\[0\].chapter: "),
    "a seed": (lambda said: said.update(seed=10**40), r"seed: "),
    "a chapter twice": (
        lambda said: said["chapters"].append(said["chapters"][0]),
        r"chapters hold 'marsh-light' 1 twice",
    ),
    "an item twice": (
        lambda said: said["chapters"][0]["outcomes"].append(said["chapters"][0]["outcomes"][0]),
        r"chapters\[0\]: outcomes hold 'entity \| Oda' of gold twice",
    ),
    "no list": (lambda said: said.update(chapters={"a": 1}), r"chapters: "),
    "a field too many": (lambda said: said.update(mood="good"), r"mood: "),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_result_beyond_its_bounds_is_refused_by_its_field(name: str, tmp_path: Path) -> None:
    change, words = FAULTS[name]
    said = json.loads(json.dumps(BASE))
    change(said)
    path = tmp_path / "r.json"
    path.write_text(json.dumps(said), "utf-8")
    with pytest.raises(InputError, match=words) as caught:
        read_result(path)
    assert str(caught.value).startswith(f"{path} is no result") and "\n" not in str(caught.value)
    assert "python -m evals run" in caught.value.hint


def test_report_and_compare_end_with_the_code_of_a_wrong_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write_result(RunResult.model_validate(BASE), tmp_path / "good.json")
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(BASE | {"seed": 10**40}), "utf-8")
    for words in (["report", str(bad)], ["compare", str(good), str(bad)], ["compare", str(bad), str(good)]):
        assert entry.main(words) == 2
        assert "bad.json is no result of `python -m evals run`: seed: " in capsys.readouterr().err


def test_a_sum_of_shares_may_be_rounded() -> None:
    assert BCubed(precision_sum=3.0000000000000004, n_said=3).precision_sum > 3


money = st.sampled_from([0.0, 5e-324, 1e-300, 0.004, 1e6])
counts = st.sampled_from([0, 1, 10**12])


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(usd=money, estimate=money, words=counts, calls=counts, name=st.sampled_from(HOSTILE))
def test_every_result_within_its_bounds_is_shown(
    usd: float, estimate: float, words: int, calls: int, name: str
) -> None:
    fields: dict[str, Any] = {"usd": usd, "estimate_usd": estimate, "words": words, "n_calls": calls}
    a = run(chapter(1, missed=1, **fields), chapter(2, wrong=1), name=name, price_model=name, command=name)
    b = run(chapter(1, **fields), chapter(2), name="b")
    groups = grouped([a, b])
    assert report(groups) and page(groups) and [as_json(group) for group in groups]
    assert list(shown(compare(a, b, price_model="gpt-6-luna")))


@pytest.mark.parametrize(
    "evil", ["<img src=x onerror=alert(1)>", "[a](http://evil.example)", "a\x1b[31mb", "*b* | `c` ![d](e)"]
)
def test_no_word_of_a_result_is_markup_in_markdown(evil: str) -> None:
    hostile = run(
        chapter(1, missed=2, people=(evil, "Hesk"), case=evil, language=evil, trouble={evil: 3}),
        name=evil,
        price_model=evil,
        command=evil,
        version=evil,
        prompts={evil: evil},
    )
    live = Live(Wish(evil), results=[hostile], stopped=evil, notes=[evil])
    for text in (report(grouped([hostile])), "\n".join(report_lines(live))):
        assert evil not in text and "\x1b" not in text and "<img" not in text
        assert not any(sign in text.replace(f"\\{sign}", "") for sign in ("[a]", "`c`", "[d]"))


def test_compare_shows_no_word_that_steers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b]0;mine\x07\u202e\x9b"
    old = run(chapter(people=(evil, "Hesk"), case=evil, missed=1), name=evil)
    new = run(chapter(people=(evil, "Hesk"), case=evil, missed=3), name=evil, answers=evil)
    paths = [str(write_result(one, tmp_path / f"{at}.json")) for at, one in enumerate((old, new))]
    for more in ([], ["--json"]):
        assert entry.main(["compare", *paths, *more]) == 0
        assert not {c for c in capsys.readouterr().out if c != "\n" and not c.isprintable()}


def test_a_report_takes_the_place_of_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_result(run(chapter()), tmp_path / "r.json")
    before = path.read_bytes()
    other = str(tmp_path / "x" / ".." / "r.json")
    assert report_main([str(path), "--md", other]) == 2
    assert report_main([str(path), "--md", str(tmp_path / "r"), "--html", str(tmp_path / "r")]) == 2
    assert path.read_bytes() == before and capsys.readouterr().err.count("is named twice") == 2
