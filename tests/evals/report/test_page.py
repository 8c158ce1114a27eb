"""The page: escapes everything, asks nobody, is the same for the same results, and never shows a figure without its label."""

from __future__ import annotations

import re
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
import pytest

from evals.records import Label, RunResult
from evals.report.charts import Chart, charts, table_of
from evals.report.draw import draw
from evals.report.groups import grouped
from evals.report.page import POLICY, page
from evals.report.wording import LABELS, cents, percent
from tests.evals.report.results import HOSTILE, asked, chapter, relation, run, unscored

VOID = {"meta", "br", "link", "img", "input"}


class _Tree(HTMLParser):
    """Checks that tags nest, and gathers tags, attributes, ids, and text by the element it stands in."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append((self.open[-1] if self.open else "", data))


def made(*results: RunResult) -> str:
    return page(grouped(results))


@pytest.fixture(scope="module")
def hostile() -> str:
    """A page in which every place that can hold somebody else's words holds hostile ones."""
    chapters = []
    questions = []
    for i, words in enumerate(HOSTILE, 1):
        one = chapter(
            i, case=words, people=(words, f"{words}!"), missed=2, wrong=1, trouble={words: 1, f"rule:{words}": 2}
        )
        extra = relation(words, words, words, hit=False, family=words)
        chapters.append(one.model_copy(update={"outcomes": (*one.outcomes, extra)}))
        questions.append(
            asked(
                f"relation.select:bond [@1={words}] ch1", words, case=words, about=("@1", words), line=words
            ).model_copy(update={"chapter": i, "options": {words: words}, "cited": (words,)})
        )
    result = run(
        *chapters,
        unscored(99).model_copy(update={"unscored": HOSTILE[1], "case": HOSTILE[0]}),
        name=HOSTILE[0],
        answers=HOSTILE[1],
        command=HOSTILE[5],
        version=HOSTILE[3],
        price_model=HOSTILE[4],
        prompts={HOSTILE[0]: HOSTILE[1]},
        asked=tuple(questions),
    )
    return made(result)


def test_hostile_words_become_no_tag_and_no_attribute(hostile: str) -> None:
    tree = _Tree(hostile)
    tags = {tag for tag, _ in tree.tags}
    assert not tags & {"script", "img", "iframe", "object", "embed", "link", "base", "form", "input"}
    assert not [a for _, attrs in tree.tags for a in attrs if a.startswith("on") or a in ("src", "srcset", "action")]
    assert "alert(1)" in "".join(text for _, text in tree.words), "the words themselves are still shown"


def test_control_characters_and_direction_overrides_are_shown_not_obeyed(hostile: str) -> None:
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u2028\u2029]", hostile)
    assert "\ufffd" in hostile


def test_a_huge_name_is_cut_and_says_how_much_is_missing(hostile: str) -> None:
    assert "y" * 400 not in hostile
    assert re.search(r"y… \([\d,]+ more characters\)", hostile)


def test_a_name_like_a_stand_in_of_the_drawing_is_shown_as_it_is() -> None:
    drawn = draw(charts(grouped([run(chapter(case="W0000Wxxxx"), chapter(case="W0003W"))]))[3])
    assert ">W0000Wxxxx<" in drawn and ">W0003W<" in drawn


@pytest.mark.parametrize("which", ["hostile", "plain"])
def test_the_page_asks_nobody_for_anything(which: str, hostile: str) -> None:
    text = hostile if which == "hostile" else made(run(chapter(missed=1)))
    tree = _Tree(text)
    for tag, attrs in tree.tags:
        for name, value in attrs.items():
            if name in ("href", "xlink:href"):
                assert value.startswith("#"), (tag, value)
            if name == "style":
                assert "url(" not in value.replace("url(#", ""), (tag, value)
            if name not in ("content", "aria-label"):
                assert "//" not in value, (tag, name, value)
    assert all(attrs.get("content") == POLICY for _, attrs in tree.tags if "http-equiv" in attrs)
    assert any("http-equiv" in attrs for _, attrs in tree.tags)
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style and "@import" not in style and text.count("<style") == 1


def test_every_link_leads_to_something_and_no_id_is_there_twice(hostile: str) -> None:
    tree = _Tree(hostile)
    ids = [attrs["id"] for _, attrs in tree.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    wanted = {a["href"][1:] for _, a in tree.tags if a.get("href", "").startswith("#")}
    wanted |= set(re.findall(r"url\(#([^)]+)\)", hostile))
    assert wanted <= set(ids)


def test_equal_results_give_equal_bytes_in_another_process_too(tmp_path: Path) -> None:
    result = run(chapter(missed=1), chapter(2, wrong=2))
    file, out = tmp_path / "r.json", tmp_path / "r.html"
    file.write_text(result.model_dump_json(), "utf-8")
    command = [sys.executable, "-m", "evals.report", str(file), "--html", str(out)]
    subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[3], timeout=120)
    assert out.read_text("utf-8") == made(result) == made(result)


def test_a_readers_own_settings_of_the_drawing_library_change_nothing() -> None:
    chart = charts(grouped([run(chapter(missed=1))]))[0]
    plain = draw(chart)
    with mpl.rc_context(
        {"axes.grid": False, "font.size": 30, "svg.fonttype": "path", "lines.linewidth": 9, "text.usetex": True}
    ):
        assert draw(chart) == plain
        assert mpl.rcParams["font.size"] == 30


def _drawn_values(chart: Chart) -> list[str]:
    """Return the values a drawing's marks are called after, in percent or cents."""
    found = []
    for gid in re.findall(rf'id="{chart.id}-((?:found|right|estimate|bill|spot)-[^"]*)"', draw(chart)):
        kind, *_, last = gid.split("-")
        found.append(cents(float(last)) if kind in ("estimate", "bill") else f"{float(last):.1f} %")
    return found


def test_every_plot_has_a_table_with_just_the_numbers_that_are_drawn() -> None:
    groups = grouped(
        [
            run(chapter(missed=3), chapter(2, wrong=2, language="ko"), chapter(3, case="second")),
            run(chapter(missed=7, label="rules"), name="second", label="rules"),
        ]
    )
    made_charts = charts(groups)
    assert [c.id for c in made_charts] == ["class", "family", "language", "chapter", "cost", "bill"]
    text = page(groups)
    for chart in made_charts:
        table = table_of(chart)
        places = [i for i, name in enumerate(table.columns) if name in _VALUES]
        told = sorted(row[i] for row in table.rows for i in places if row[i] != "–")
        assert sorted(_drawn_values(chart)) == told, chart.id
        inside = text[text.index(f'<figure id="{chart.id}"') :].partition("</figure>")[0]
        assert f'<table id="{table.id}"' in inside and 'role="img" aria-label="' in inside
        for value in told:
            assert value in inside


_VALUES = ("found", "right", "relations found", "estimate (cents)", "bill (cents)")


@pytest.mark.parametrize("label", ["by hand", "provider"])
def test_the_label_stands_beside_every_card_plot_and_table(label: Label) -> None:
    words, meaning = LABELS[label]
    text = made(run(chapter(label=label, missed=1), label=label))
    blocks = re.findall(r'<div class="card">.*?</div>|<figure.*?</figure>|<table.*?</table>', text, re.DOTALL)
    assert escape(meaning) in text and len(blocks) > 15
    assert all(escape(words) in block for block in blocks)


def test_answers_of_two_sorts_in_one_run_are_both_named() -> None:
    [group] = grouped([run(chapter(), chapter(2, label="simulated"))])
    assert group.label == "truthful answers + simulated answers"


def test_a_run_without_a_score_shows_no_figure_and_says_why() -> None:
    text = made(run(unscored(1), unscored(2)))
    assert "Nothing was measured" in text and "text not here 2" in text and "Nothing to draw" in text
    assert "0.0 %" not in text and "<svg" not in text


def test_an_empty_run_makes_a_page() -> None:
    assert "Nothing was measured" in made(run())


def test_one_chapter_is_marked_as_wilsons_interval() -> None:
    assert re.search(r"95 % interval [\d.]+–[\d.]+ w<", made(run(chapter(missed=2))))


def test_forty_chapters_have_a_row_each_in_the_drawing() -> None:
    [chart] = [
        c for c in charts(grouped([run(*(chapter(n, missed=n % 4) for n in range(1, 41)))])) if c.id == "chapter"
    ]
    drawn = draw(chart)
    rows = [float(y) for y in re.findall(r' y="([\d.]+)"[^>]*>chapter \d+<', drawn)]
    assert len(rows) == 40
    assert min(b - a for a, b in pairwise(rows)) >= 15, "names must not lie over each other"


@pytest.mark.parametrize("name", ["기러기 종이", "雁与纸", "雁と紙", "L’oie de papier", "ورق"])
def test_names_in_any_script_stay_text_in_the_drawing(name: str) -> None:
    drawn = draw(charts(grouped([run(chapter(case=name))]))[3])
    assert f">{name}</text>" in drawn and "font-family" not in drawn


def test_only_a_whole_is_a_hundred_percent() -> None:
    assert [percent(x) for x in (1.0, 0.9999, 0.0, 0.0001, None)] == ["100.0 %", "99.9 %", "0.0 %", "0.1 %", "–"]
