"""A report as one HTML page: no script, no request to anywhere; every word of a manuscript, a model or a file is escaped.

The page forbids itself scripts and addresses by its policy, too, so that a mistake here could not be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from evals.report.charts import Chart, charts, said_classes, table_of
from evals.report.draw import N_COLOURS, SIGNS, draw, drawn_height
from evals.report.groups import Group, label_notes
from evals.report.mistakes import Exchange, Mistake, class_title, mistakes, votes_of
from evals.report.summary import GLOSSARY, Headline, headlines, how_made, lead
from evals.report.tables import Table, tables
from evals.report.wording import LONGEST, counted_words, shown

STYLE = Path(__file__).with_name("page.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MADE_CHARS = 4000
"""Of one line of how a run was made: the hashes of all prompts take a quarter of it."""
WORDS_HEIGHT = 130.0
"""Points that the words around a plot take, for putting plots into two columns of like height."""
_SECTIONS = (
    ("short", "In short"),
    ("plots", "Plots"),
    ("errors", "Errors"),
    ("tables", "All tables"),
    ("words", "Words"),
    ("made", "How to reproduce"),
)


def said(text: object, limit: int = LONGEST) -> str:
    """Return somebody else's words as HTML: one line, cut, escaped, set apart from the direction of what is around them."""
    return f"<bdi>{escape(shown(text, limit), quote=True)}</bdi>"


def page(groups: Sequence[Group]) -> str:
    """Return the whole page; equal results give equal bytes."""
    style = STYLE.read_text("utf-8")
    title = escape(shown(f"Evaluation: {', '.join(g.name for g in groups)}", 120))
    body = "\n".join(
        (
            _top(groups),
            _section("short", "\n".join(_cards(group) for group in groups)),
            _section("plots", _plots(groups)),
            _section("errors", "\n".join(_errors(group) for group in groups)),
            _section("tables", "\n".join(_folded(table) for table in tables(groups))),
            _section("words", _words()),
            _section("made", "\n".join(_made(group) for group in groups)),
        )
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _section(id: str, inside: str) -> str:
    return f'<section id="{id}">\n<h2>{dict(_SECTIONS)[id]}</h2>\n{inside}\n</section>'


def _label(text: str) -> str:
    return f'<span class="label">{escape(text)}</span>'


def _top(groups: Sequence[Group]) -> str:
    notes = "".join(
        f'<p class="by">{_label(label)} <strong>{said(name)}</strong>: {escape(told)}</p>\n'
        for name, label, told in label_notes(groups)
    )
    links = "".join(f'<a href="#{id}">{title}</a> ' for id, title in _SECTIONS)
    return (
        f'<header>\n<h1>How well the chapters were read</h1>\n<p class="lead">{escape(lead(groups))}</p>\n'
        f"{notes}<nav>{links}</nav>\n</header>"
    )


def _cards(group: Group) -> str:
    cards = "\n".join(_card(group, one) for one in headlines(group))
    return f'<h3>{said(group.name)}</h3>\n<div class="cards">\n{cards}\n</div>'


def _card(group: Group, one: Headline) -> str:
    standing = ""
    if one.mark:
        told = f"{one.standing} ({one.mark})" if one.standing else one.mark
        tone = {True: "above", False: "below", None: "faint"}[one.above]
        standing = f'<p class="{tone}">{escape(told)}</p>'
    more = f'<p class="faint">{escape(one.more)}</p>' if one.more else ""
    return (
        f'<div class="card"><p class="name">{escape(one.name)}</p><p class="value">{escape(one.value)}</p><p>{_label(group.label)}</p>'
        f'<p class="faint">{escape(one.n)}; 95 % interval {escape(one.interval)}</p>{standing}{more}</div>'
    )


def _plots(groups: Sequence[Group]) -> str:
    sides: tuple[list[str], list[str]] = ([], [])
    heights = [0.0, 0.0]
    for chart in charts(groups):
        shorter = heights.index(min(heights))
        sides[shorter].append(_plot(chart, groups))
        heights[shorter] += drawn_height(chart) + WORDS_HEIGHT
    if not sides[0]:
        return "<p>Nothing to draw: no chapter has a score.</p>"
    inside = "\n".join(f"<div>\n{chr(10).join(side)}\n</div>" for side in sides if side)
    return f'<div class="plots">\n{inside}\n</div>'


def _plot(chart: Chart, groups: Sequence[Group]) -> str:
    keys = "".join(
        f'<span class="key run{run % N_COLOURS + 1}">{SIGNS[run % len(SIGNS)]} <b>{said(group.name)} {_label(group.label)}</b></span>'
        for run, group in enumerate(groups)
    )
    return (
        f'<figure id="{chart.id}">\n<figcaption><h3>{escape(chart.title)}</h3><p class="faint">{escape(chart.says)}</p>'
        f"<p>{keys}</p></figcaption>\n{draw(chart)}\n"
        f"<details><summary>The same numbers as a table</summary>\n{_table(table_of(chart))}\n</details>\n</figure>"
    )


def _table(table: Table) -> str:
    right = set(table.right)

    def cell(tag: str, i: int, text: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        kind = ' class="num"' if i in right else ""
        return f"<{tag}{scope}{kind}>{said(text)}</{tag}>"

    head = "".join(cell("th", i, name) for i, name in enumerate(table.columns))
    rows = "\n".join(f"<tr>{''.join(cell('td', i, text) for i, text in enumerate(row))}</tr>" for row in table.rows)
    note = f'\n<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll"><table id="{table.id}">\n<caption>{said(table.title)} {_label(shown(table.label))}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>{note}"
    )


def _folded(table: Table) -> str:
    return f"<details><summary>{said(table.title)}</summary>\n{_table(table)}\n</details>"


def _errors(group: Group) -> str:
    found = mistakes(group.first)
    head = f"<h3>{said(group.name)} {_label(group.label)}</h3>"
    if not found:
        return f"{head}\n<p>No errors.</p>"
    written = set(said_classes([group]))
    own, never = [m for m in found if m.cls in written], [m for m in found if m.cls not in written]
    told = f"<p>{counted_words(len(own), 'item')}: open a text, then a sort of error, then one of them to see what was asked.</p>"
    parts = [head, told, *_by_case(own)]
    if never:
        note = "<p>Gold has them, but no step writes such items yet, so nothing was asked.</p>"
        inside = "\n".join(_by_case(never))
        title = f"Not attempted: {counted_words(len(never), 'core item')} of other classes"
        parts.append(f"<details><summary>{title}</summary>\n{note}\n{inside}\n</details>")
    return "\n".join(parts)


def _by_case(found: Iterable[Mistake]) -> Iterator[str]:
    for case, of_case in groupby(found, key=lambda m: m.case):
        own = list(of_case)
        order = list(dict.fromkeys(class_title(m.cls, m.kind) for m in own))
        kinds = []
        for title in order:
            rows = [m for m in own if class_title(m.cls, m.kind) == title]
            items = "\n".join(f"<li>{_item(row)}</li>" for row in rows)
            kinds.append(
                f'<details class="kind"><summary>{escape(title)} ({len(rows)})</summary>\n<ul class="items">\n{items}\n</ul></details>'
            )
        inside = "\n".join(kinds)
        yield f'<details class="case"><summary>{said(case)} ({len(own)})</summary>\n{inside}\n</details>'


def _item(one: Mistake) -> str:
    votes = votes_of(one)
    extra = "; ".join(filter(None, (one.why, f"votes: {votes}" if votes else "")))
    why = f' <span class="why">{said(extra)}</span>' if extra else ""
    line = f'<span class="where">chapter {one.chapter}</span> {said(one.text)}{why}'
    if not one.exchanges:
        return line
    asked = "\n".join(_exchange(e) for e in one.exchanges)
    more = f'\n<p class="faint">and {one.n_more} more in the result</p>' if one.n_more else ""
    return f'<details><summary>{line}</summary>\n<dl class="asked">\n{asked}\n</dl>{more}\n</details>'


def _exchange(one: Exchange) -> str:
    cited = f"; sentences {said(one.cited)}" if one.cited else ""
    return f"<dt><code>{said(one.ask)}</code> {said(one.question)}</dt><dd>→ {said(one.picked)}{cited}</dd>"


def _words() -> str:
    return (
        '<dl class="words">\n'
        + "\n".join(f"<dt>{escape(word)}</dt><dd>{escape(told)}</dd>" for word, told in GLOSSARY)
        + "\n</dl>"
    )


def _made(group: Group) -> str:
    rows = "\n".join(
        f"<dt>{escape(name)}</dt><dd><code>{said(told, MADE_CHARS)}</code></dd>" for name, told in how_made(group.first)
    )
    return f'<h3>{said(group.name)} {_label(group.label)}</h3>\n<dl class="words">\n{rows}\n</dl>'
