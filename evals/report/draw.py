"""Charts as SVG: the same bytes for the same numbers, text kept as text, colours of the page's own palette.

Words never reach the drawing library: it draws stand-ins of the same length, and the words are put in, escaped, afterwards. So no
name can be taken for mathematics or miss a glyph, and any script is shown in whatever font the reader's system has for it.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from html import escape
from itertools import accumulate
from math import floor, log10
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure as Canvas

from evals.records import Figure
from evals.report.charts import FOUND, RIGHT, Chart
from evals.report.wording import cents, percent, shown, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 370.0
"""Of a chart in points: two fit beside each other on a screen, and on a telephone 11 points stay readable."""
HEIGHT = 260.0
"""Of the cost chart, in points."""
POINT, HEAD, FOOT, ROW, SERIES = 72.0, 24.0, 24.0, 20.0, 13.0
"""Points to an inch; space above and below the rows; a row, and each further run in it."""
TEXT, SMALL = 11.0, 10.0
LETTER = 5.9
"""Mean width of a letter of `TEXT` size, in points."""
NAME, ASIDE = 24, 51.0
"""Columns of a row's name; points for the value beside a panel."""
MARKERS = ("o", "s", "D", "^", "v", "P")
SIGNS = ("●", "■", "◆", "▲", "▼", "✚")
"""Runs differ by shape as well as by colour; `SIGNS` are the shapes as the legend writes them."""
N_COLOURS = 6
_INK, _FAINT, _RULE, _PAPER = "#010101", "#020202", "#030303", "#050505"
_COLOURS = {_INK: "--ink", _FAINT: "--faint", _RULE: "--rule", _PAPER: "--paper"} | {
    f"#04000{i}": f"--run{i}" for i in range(1, 7)
}
_PANEL_WORDS = {FOUND: "core found", RIGHT: "stated, right"}
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": TEXT,
    "text.parse_math": False,
    "axes.unicode_minus": False,
    "path.simplify": False,
}


class _Words:
    """Stand-ins for words: letters of the same length, unique in a drawing."""

    def __init__(self) -> None:
        self.real: dict[str, str] = {}

    def __call__(self, text: str, limit: int = 26) -> str:
        line = _cut(text, limit)
        name = f"W{len(self.real):04}W"
        self.real[name] = line
        return name + "x" * max(0, width(line) - len(name))

    def put_into(self, svg: str) -> str:
        return re.sub(r"(W\d{4}W)x*", lambda found: escape(self.real[found.group(1)], quote=True), svg)


def _cut(text: str, limit: int) -> str:
    line = shown(text, 10_000)
    if width(line) <= limit:
        return line
    kept = ""
    for sign in line:
        if width(kept + sign) > limit - 1:
            break
        kept += sign
    return f"{kept}…"


def drawn_height(chart: Chart) -> float:
    """Return how high a chart is drawn, in points."""
    if chart.spots:
        return HEIGHT
    step = ROW + SERIES * (len(chart.runs) - 1)
    return HEAD + FOOT + sum(ROW if row.heading else step for row in chart.dots or chart.bills)


def draw(chart: Chart) -> str:
    """Return a chart as one `<svg>` element; raises nothing for any words."""
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("error")
        mpl.rcdefaults()  # a reader's own settings of the library must not change the bytes
        mpl.rcParams.update({**_SETTINGS, "svg.hashsalt": f"report {chart.id}"})
        words = _Words()
        canvas = _spots(chart, words) if chart.spots else _rows(chart, words)
        held = io.StringIO()
        canvas.savefig(
            held, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    return words.put_into(_inline(held.getvalue(), chart))


def _inline(svg: str, chart: Chart) -> str:
    """Return a drawing as it may stand in a page: no prologue, comment, style sheet, address or foreign id; the page's colours."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->|<style.*?</style>|<metadata>.*?</metadata>|<defs>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<svg[^>]*?viewBox=\"([^\"]*)\"[^>]*>", r'<svg viewBox="\1">', svg, count=1)
    svg = re.sub(r'\bid="', f'id="{chart.id}-', svg)
    svg = re.sub(r"url\(#", f"url(#{chart.id}-", svg)
    svg = re.sub(r'xlink:href="#', f'href="#{chart.id}-', svg)
    for sentinel, name in _COLOURS.items():
        svg = svg.replace(sentinel, f"var({name})")
    svg = re.sub(r"font-family: [^;\"]*; ?| transform=\"rotate\(-0[^\"]*\"", "", svg)
    told = f"{chart.title}. {chart.says} Runs: {'; '.join(chart.runs)}. The numbers stand in the table below."
    title = escape(told, quote=True)
    svg = re.sub(r"\n\s*", "\n", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1).strip()


def _colour(run: int) -> str:
    return f"#04000{run % N_COLOURS + 1}"


def _panel(canvas: Canvas, box: tuple[float, float, float, float]) -> Axes:
    """Return axes at (left, bottom, width, height) in points."""
    wide, high = canvas.get_size_inches() * POINT
    axes = canvas.add_axes((box[0] / wide, box[1] / high, box[2] / wide, box[3] / high))
    axes.set_facecolor("none")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0, labelsize=SMALL, labelcolor=_FAINT, pad=3)
    axes.grid(True, axis="x", color=_RULE, linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def _rows(chart: Chart, words: _Words) -> Canvas:
    """Return a chart of rows: names on the left, one panel of money or two of shares."""
    rows = [(row.name, row.heading) for row in chart.dots or chart.bills]
    step = ROW + SERIES * (len(chart.runs) - 1)
    tops = [0.0, *accumulate(ROW if heading else step for _, heading in rows)]
    canvas = Canvas(figsize=(WIDTH / POINT, drawn_height(chart) / POINT))
    left = min(160.0, max([50.0, *(width(_cut(n, NAME)) * LETTER + 12 for n, heading in rows if not heading)]))
    panels = ("bill",) if chart.bills else (FOUND, RIGHT)
    wide = (WIDTH - left) / len(panels) - ASIDE
    for i, panel in enumerate(panels):
        axes = _panel(canvas, (left + i * (wide + ASIDE), FOOT, wide, tops[-1]))
        axes.set_ylim(tops[-1], 0)
        axes.set_yticks([])
        if panel == "bill":
            _bills(chart, axes, words, tops)
        else:
            _shares(chart, axes, panel, words, tops)
        if not i:
            for top, (name, heading) in zip(tops, rows, strict=False):
                _name(axes, words, name, heading, top + (ROW if heading else step) / 2, left)
    return canvas


def _name(axes: Axes, words: _Words, name: str, heading: bool, y: float, left: float) -> None:
    axes.annotate(
        words(name, 44 if heading else NAME),
        (0, y),
        (-left, 0) if heading else (-8.0, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="left" if heading else "right",
        va="center",
        color=_INK,
        fontsize=TEXT,
        fontweight="bold" if heading else "normal",
    )


def _shares(chart: Chart, axes: Axes, panel: str, words: _Words, tops: Sequence[float]) -> None:
    marks = dict(chart.marks)
    told = f" (mark {marks[panel] * 100:.0f} %)" if panel in marks else ""
    axes.set_title(words(_PANEL_WORDS[panel] + told, 40), fontsize=SMALL, color=_INK, loc="left", pad=6)
    axes.set_xlim(-4, 104)
    axes.set_xticks([0, 50, 100], [words(n) for n in ("0", "50", "100 %")])
    if panel in marks:
        axes.axvline(marks[panel] * 100, color=_FAINT, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
    for top, dots in zip(tops, chart.dots, strict=False):
        for (run, of), value in sorted(dots.cells.items()):
            if of == panel and value.share is not None:
                y, x = _line(top, run), value.share * 100
                _interval(axes, value, y, run)
                _mark(axes, x, y, run, f"{panel}-{top:.0f}-{run}-{x:.1f}")
                _aside(axes, words(percent(value.share)), y, run)


def _bills(chart: Chart, axes: Axes, words: _Words, tops: Sequence[float]) -> None:
    most = max((value for b in chart.bills for pair in b.cells.values() for value in pair), default=0.0)
    axes.set_title(words("US cents a chapter; bill at the right", 44), fontsize=SMALL, color=_INK, loc="left", pad=6)
    axes.set_xlim(-0.03 * most, most * 1.05 or 1.0)
    ticks = _ticks(most)
    axes.set_xticks(ticks, [words(f"{tick:g}") for tick in ticks])
    for top, row in zip(tops, chart.bills, strict=False):
        for run, (estimate, bill) in sorted(row.cells.items()):
            y = _line(top, run)
            axes.plot([estimate, bill], [y, y], color=_colour(run), linewidth=1.5, alpha=0.6, zorder=2)
            _mark(axes, estimate, y, run, f"estimate-{top:.0f}-{run}-{estimate:.3f}", hollow=True)
            _mark(axes, bill, y, run, f"bill-{top:.0f}-{run}-{bill:.3f}")
            _aside(axes, words(cents(bill)), y, run)


def _spots(chart: Chart, words: _Words) -> Canvas:
    """Return cents across and shares up: small marks for chapters, large ones with their interval for runs."""
    canvas = Canvas(figsize=(WIDTH / POINT, HEIGHT / POINT))
    axes = _panel(canvas, (46, 40, WIDTH - 60, HEIGHT - 64))
    axes.grid(True, axis="y", color=_RULE, linewidth=0.8)
    marks = dict(chart.marks)
    most = max([*(spot.cents for spot in chart.spots), marks.get("cents", 0.0)]) * 1.12
    axes.set_xlim(0, most)
    axes.set_ylim(-4, 104)
    axes.set_yticks([0, 25, 50, 75, 100], [words(f"{n} %") for n in (0, 25, 50, 75, 100)])
    ticks = _ticks(most)
    axes.set_xticks(ticks, [words(f"{tick:g}") for tick in ticks])
    axes.set_xlabel(words("US cents for 4,000 words (dashed: mark 1 cent)", 60), fontsize=SMALL, color=_INK)
    axes.set_title(words("core relations found (dashed: mark 85 %)", 60), fontsize=SMALL, color=_INK, loc="left", pad=6)
    dashes: dict[str, Any] = {"color": _FAINT, "linewidth": 1.2, "linestyle": (0, (4, 3)), "zorder": 1}
    if FOUND in marks:
        axes.axhline(marks[FOUND] * 100, **dashes)
    if "cents" in marks:
        axes.axvline(marks["cents"], **dashes)
    for i, spot in enumerate(chart.spots):
        y = (spot.found.share or 0.0) * 100
        if spot.whole and spot.found.low is not None and spot.found.high is not None:
            axes.plot(
                [spot.cents] * 2,
                [spot.found.low * 100, spot.found.high * 100],
                color=_colour(spot.run),
                linewidth=2,
                zorder=3,
            )
        size = 11.0 if spot.whole else 5.0
        _mark(axes, spot.cents, y, spot.run, f"spot-{i}-{spot.cents:.3f}-{y:.1f}", size=size, hollow=not spot.whole)
    return canvas


def _ticks(most: float) -> list[float]:
    """Return 3 to 6 round values from 0 to `most`."""
    if most <= 0:
        return [0.0]
    unit = 10.0 ** floor(log10(most))
    step = next(s * unit for s in (0.2, 0.5, 1.0, 2.0) if most / (s * unit) <= 5.5)
    return [round(i * step, 10) for i in range(int(most / step) + 1)]


def _line(top: float, run: int) -> float:
    return top + ROW / 2 + run * SERIES


def _interval(axes: Axes, value: Figure, y: float, run: int) -> None:
    if value.low is not None and value.high is not None:
        ends = [value.low * 100, value.high * 100]
        axes.plot(ends, [y, y], color=_colour(run), linewidth=2.2, alpha=0.5, solid_capstyle="round", zorder=2)


def _mark(axes: Axes, x: float, y: float, run: int, gid: str, *, size: float = 6.5, hollow: bool = False) -> None:
    """Draw a mark whose group is called after its value."""
    [drawn] = axes.plot(
        [x],
        [y],
        marker=MARKERS[run % len(MARKERS)],
        markersize=size,
        color=_colour(run),
        markerfacecolor=_PAPER if hollow else _colour(run),
        markeredgewidth=1.4,
        linestyle="none",
        clip_on=False,
        zorder=4,
    )
    drawn.set_gid(gid)


def _aside(axes: Axes, text: str, y: float, run: int) -> None:
    """Write a value at the right of its panel."""
    axes.annotate(
        text,
        (1, y),
        (3, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center",
        color=_INK,
        fontsize=SMALL,
    )
