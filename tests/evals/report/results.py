"""Small results of runs to report on: outcomes are made by hand, no run is needed."""

from __future__ import annotations

from typing import Any

from evals.records import Asked, BCubed, ChapterResult, Label, Outcome, RunResult

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=http://evil.example/x.png onerror=alert(1)>",
    "\u202eabc\u202c\u200f",
    "a\x00b\x1b[31mc\x07",
    "$\\frac{1}{0}$ & \"quoted\" 'single' ]]> <!-- --",
    "| cell | [link](http://evil.example) `code` **bold** <b>",
    "y" * 20_000,
    "{{7*7}} W0000Wxx",
    "김서윤 </svg>",
)


def entity(name: str, *, side: Any = "gold", hit: bool = True, kind: str = "character", **more: Any) -> Outcome:
    hits = {"named": hit, "kind": hit, "presence": hit} if hit else {"named": False}
    if side == "said":
        hits["single"] = True
    key = f"entity | {name}"
    return Outcome(
        cls="entity",
        side=side,
        chapter=1,
        key=key,
        text=name,
        group=kind,
        hits=hits,
        partner=key if hit else "",
        **more,
    )


def relation(
    subject: str, kind: str, target: str, *, side: Any = "gold", hit: bool = True, family: str = "kin", **more: Any
) -> Outcome:
    given: dict[str, Any] = {
        "cls": "relation",
        "side": side,
        "chapter": 1,
        "key": f"relation | {subject} | {kind} | {target}",
        "text": f"{subject} {kind} {target}",
        "group": family,
        "hits": {"pair": hit, "family": hit, "kind": hit} | ({"evidence": True} if hit and side == "said" else {}),
    }
    return Outcome(**(given | more))


def chapter(
    number: int = 1,
    *,
    case: str = "marsh-light",
    language: str = "en",
    label: Label = "truthful",
    people: tuple[str, ...] = ("Oda", "Hesk"),
    missed: int = 0,
    wrong: int = 0,
    **more: Any,
) -> ChapterResult:
    """Return a chapter in which everybody and ten relations are found, but for `missed`; `wrong` statements come on top."""
    first, last = people[0], people[-1]
    outcomes = [entity(name, side=side) for name in people for side in ("gold", "said")]
    for i in range(10):
        end = f"{last} {i}" if i else last
        hit = i >= missed
        outcomes.append(relation(first, "friend_of", end, hit=hit, family="bond"))
        if hit:
            outcomes.append(relation(first, "friend_of", end, side="said", family="bond"))
    outcomes += [
        relation(first, "harms", f"{last} {i}", side="said", hit=False, family="conflict") for i in range(wrong)
    ]
    given: dict[str, Any] = {
        "b_cubed": BCubed(precision_sum=2, n_said=2, recall_sum=1, n_gold=2),
        "n_calls": 4,
        "n_questions": 40,
        "words": 2000,
        "usd": 0.004 + number / 10_000,
        "estimate_usd": 0.005,
        "cached_share": 0.8,
        "handles": {"@1": first, "@2": last},
    }
    return ChapterResult(
        case=case, chapter=number, language=language, label=label, outcomes=tuple(outcomes), **(given | more)
    )


def unscored(number: int = 1, *, case: str = "old-novel", label: Label = "truthful") -> ChapterResult:
    return ChapterResult(case=case, chapter=number, language="fr", label=label, unscored="text not here")


def run(*chapters: ChapterResult, name: str = "first", label: Label = "truthful", **more: Any) -> RunResult:
    given: dict[str, Any] = {"answers": name, "price_model": "openai/small", "version": "0.1.0"}
    given |= {"prompts": {"system.md": "abc123"}, "command": "python -m evals run --seed 0"}
    return RunResult(name=name, label=label, chapters=chapters, **(given | more))


def asked(key: str, *picked: str, step: str = "relation_select", case: str = "marsh-light", **more: Any) -> Asked:
    return Asked(case=case, chapter=1, step=step, key=key, wording="w", picked=picked, **more)
