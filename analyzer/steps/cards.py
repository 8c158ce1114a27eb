"""Makes a chapter's card of what was said, who and what is there by code; rules at the door keep handles and length true."""

from __future__ import annotations

import re

from analyzer.bible import Bible
from analyzer.models.issue import Issue, IssueCode
from analyzer.models.story import CardFact, CardSayFact
from analyzer.steps._card import OUTSIDE
from analyzer.steps._step import ComputeStep, Effects, Unit
from analyzer.text.sentences import split_sentences

FEWEST, MOST = 2, 5
"""Sentences of a summary. Source: what a card is (story bible)."""
HANDLE = re.compile(r"@([1-9][0-9]*)")


def compute(unit: Unit, bible: Bible) -> Effects:
    """Return the card: people and places on the page in order of arrival; no card where there is no summary that passes."""
    said = {
        f.what: f.value for f in bible.of(CardSayFact) if isinstance(f, CardSayFact) and f.chapter == unit.chapter.no
    }
    no = unit.chapter.no
    issues: list[Issue] = []

    def odd(code: IssueCode, detail: str) -> None:
        issues.append(Issue(code=code, step=STEP.name, chapter=no, detail=detail))

    summary = " ".join(said.get("summary", "").split())
    if not summary:
        return Effects()
    for handle in dict.fromkeys(found.group() for found in HANDLE.finditer(summary)):
        if bible.root(handle) not in bible.cast:
            odd("unknown_handle", f"the summary speaks of {handle}, which is nobody's handle")
            return Effects((), tuple(issues))
    n_sentences = len(split_sentences(summary, unit.table))
    if not FEWEST <= n_sentences <= MOST:
        odd("odd_length", f"the summary has {n_sentences} sentences, {FEWEST} to {MOST} make a card")
    there = [e for e in bible.cast.values() if any(p.chapter == no and p.presence == "on_page" for p in e.presences)]
    eyes = said.get("point_of_view", "")
    card = CardFact(
        chapter=no,
        summary=HANDLE.sub(lambda found: bible.root(found.group()), summary),
        people=tuple(e.handle for e in there if e.entity.entity_kind in ("character", "group")),
        places=tuple(e.handle for e in there if e.entity.entity_kind == "place"),
        time=" ".join(said.get("time", "").split()),
        point_of_view=eyes if eyes == OUTSIDE or eyes in bible.cast else "",
    )
    return Effects(((card, ()),), tuple(issues))


STEP = ComputeStep(
    name="cards",
    part="card",
    reads=frozenset({"entity", "name", "same", "presence", "card_say"}),
    writes=frozenset({"card"}),
    compute=compute,
)
