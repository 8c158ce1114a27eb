"""Secrets: those that enter in a chapter, and those of before that it touches, as they stand at its end."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.bible import Bible
from analyzer.knowledge import Secret, secrets
from analyzer.models.evidence import Evidence
from analyzer.models.story import READER
from evals.records import ItemClass
from evals.said import Said

CLASS: ItemClass = "secret"


def said(bible: Bible, number: int) -> Iterator[Said]:
    """Yield every secret that chapter `number` brings or touches; the reader is nobody gold lists."""
    for secret in secrets(bible, through=number):
        if secret.fact.chapter == number or any(event.chapter == number for event in secret.events):
            yield Said(_fields(secret, number), _evidence(secret, number))


def _fields(secret: Secret, number: int) -> dict[str, object]:
    here = [event for event in secret.events if event.chapter == number and event.event != "touched"]
    learnt = dict.fromkeys(handle for event in here for handle in event.to)
    return {
        "proposition": secret.fact.proposition,
        "holders": secret.holders,
        "hidden_from": tuple(h for h in secret.kept_from if h != READER),
        "exposed_to": tuple(h for h in learnt if h != READER),
    }


def _evidence(secret: Secret, number: int) -> tuple[Evidence, ...]:
    own = secret.fact.evidence if secret.fact.chapter == number else ()
    return (*own, *(e for event in secret.events if event.chapter == number for e in event.evidence if e not in own))
