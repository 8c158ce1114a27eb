"""Secrets: those that enter in a chapter, and those of before that it touches, as they stand at its end."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.bible import Bible
from analyzer.knowledge import Secret, secrets
from analyzer.models.story import READER
from evals.records import ItemClass
from evals.said import Said

CLASS: ItemClass = "secret"


def said(bible: Bible, number: int) -> Iterator[Said]:
    """Yield every secret that chapter `number` brings or touches; the reader is nobody gold lists."""
    for secret in secrets(bible, through=number):
        evidence = tuple(dict.fromkeys(e for e in secret.evidence if e.chapter == number))
        if evidence:
            yield Said(_fields(secret, number), evidence)


def _fields(secret: Secret, number: int) -> dict[str, object]:
    here = [event for event in secret.events if event.chapter == number and event.event != "touched"]
    learnt = dict.fromkeys(handle for event in here for handle in event.to)
    return {
        "proposition": secret.fact.proposition,
        "holders": secret.holders,
        "hidden_from": tuple(h for h in secret.kept_from if h != READER),
        "exposed_to": tuple(h for h in learnt if h != READER),
    }
