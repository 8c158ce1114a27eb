"""A report as Markdown: tables that read well as plain text too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from evals.report.groups import Group, joined_labels, label_notes
from evals.report.mistakes import class_title, mistakes, votes_of
from evals.report.summary import GLOSSARY, headline_table, how_made, lead
from evals.report.tables import Table, tables
from evals.report.wording import counted_words, shown, width

_MARKUP = re.compile(r"[\\`*\[\]<>|~$&]|(?<!\w)_|_(?!\w)")


def plain_text(text: str) -> str:
    """Return text as Markdown that means just that text; nothing of it becomes a tag, a link or a column."""
    line = _MARKUP.sub(
        lambda sign: f"&{_NAMED[sign.group()]};" if sign.group() in _NAMED else f"\\{sign.group()}", text
    )
    return re.sub(r"://|(?i:\bwww\.)", lambda found: found.group()[0] + "\u2060" + found.group()[1:], line)


def said(text: object) -> str:
    """Return somebody else's words as one line of Markdown that means just them, cut where it is too long."""
    return plain_text(shown(text))


_NAMED = {"<": "lt", ">": "gt", "&": "amp"}


def report(groups: Sequence[Group]) -> str:
    """Return the whole report."""
    parts = [f"# Evaluation: {plain_text(', '.join(g.name for g in groups))}", plain_text(lead(groups))]
    parts += [f"* **{label.upper()}** ({plain_text(name)}): {told}" for name, label, told in label_notes(groups)]
    for table in (headline_table(groups), *tables(groups)):
        parts.append(f"## {plain_text(table.title)}\n\n{table_text(table)}")
    for group in groups:
        parts.append("\n".join(_mistakes(group)))
    parts.append("## Words\n\n" + "\n".join(f"* **{word}**: {told}" for word, told in GLOSSARY))
    parts += ["\n".join(_made(group)) for group in groups]
    return "\n\n".join(parts) + "\n"


def table_text(table: Table) -> str:
    """Return a table with its columns padded to equal width, its label above and its note below."""
    rows = [table.columns, *table.rows]
    cells = [[plain_text(shown(cell)) for cell in row] for row in rows]
    right = set(table.right)
    wide = [max(3, *(width(row[i]) for row in cells)) for i in range(len(table.columns))]
    lines = [_line(row, wide, right) for row in cells]
    rule = "|".join("-" * (w + 1) + ":" if i in right else "-" * (w + 2) for i, w in enumerate(wide))
    label = f"*{plain_text(table.label)}*"
    note = f"\n\n{plain_text(table.note)}" if table.note else ""
    return "\n".join((label, "", lines[0], f"|{rule}|", *lines[1:])) + note


def _line(cells: Sequence[str], wide: Sequence[int], right: set[int]) -> str:
    padded = []
    for i, cell in enumerate(cells):
        gap = " " * (wide[i] - width(cell))
        padded.append(gap + cell if i in right else cell + gap)
    return f"| {' | '.join(padded)} |"


def _mistakes(group: Group) -> Iterator[str]:
    found = mistakes(group.first)
    yield f"## Errors of {plain_text(group.name)} ({counted_words(len(found), 'item')}; {joined_labels([group])})"
    for case, of_case in groupby(found, key=lambda m: m.case):
        yield f"\n### {plain_text(case)}"
        own = sorted(of_case, key=lambda m: class_title(m.cls, m.kind))
        for title, rows in groupby(own, key=lambda m: class_title(m.cls, m.kind)):
            yield f"\n**{title}**\n"
            for row in rows:
                yield f"* {row.chapter}: {plain_text(row.text)}{_more(row.why, votes_of(row))}"


def _more(why: str, votes: str) -> str:
    told = "; ".join(filter(None, (why, f"votes: {votes}" if votes else "")))
    return f" ({plain_text(told)})" if told else ""


def _made(group: Group) -> Iterable[str]:
    yield f"## How to reproduce {plain_text(group.name)}\n"
    for name, told in how_made(group.first):
        yield f"* {name}: {plain_text(told)}"
