"""A case through the real pipeline with some answerer, scored: the one way a `RunResult` comes about.

Nothing is measured by a clock here and no time is kept, so that equal runs give equal results.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from analyzer import __version__, pipeline
from analyzer.hashing import content_hash
from analyzer.llm.asker import Asker
from analyzer.llm.prices import price_of
from analyzer.llm.usage import count_tokens
from analyzer.models.issue import Issue
from analyzer.models.question import NONE, Question
from analyzer.models.rows import AnswerRow
from analyzer.models.run import CallRecord, Usage
from analyzer.models.text import Manuscript
from analyzer.prompts import prompt_text, system_text, wording_name
from analyzer.scheduler.events import RunOutcome
from analyzer.scheduler.plan import estimate
from analyzer.steps._registry import load_steps
from analyzer.steps._step import AskStep
from analyzer.storage.store import Store
from evals.goldset.cases import Case, by_chapter
from evals.records import Asked, BCubed, ChapterResult, Label, Outcome, RunResult, Traced
from evals.scoring.clusters import b_cubed
from evals.scoring.outcomes import compare_matched, shown_names
from evals.scoring.verdicts import Verdict
from evals.traces import traced_name, traces_of
from evals.tracing_story import part_of
from evals.trail import Trail, trails

INTERRUPTED = 130
"""How a run ends that was told to stop."""
HAN_CHARS_PER_WORD = 2
"""Characters of a script without spaces that count as one word."""
LINE_CHARS, OPTIONS_KEPT = 240, 14
"""How much of a question as shown is kept in a result. Source: the longest list of relation kinds has 13 options."""


@dataclass(frozen=True)
class Answerer:
    """Who answers: `of` gives for a case the model's name (`gold:FOLDER`, `rules`) or a transport made for it.

    `off` are the parts it knows nothing of, which are not asked.
    """

    name: str
    label: Label
    of: Callable[[Case], Asker | str]
    off: tuple[str, ...] | None = None


STORY: tuple[str, ...] = tuple(dict.fromkeys(s.part for s in load_steps() if s.part not in ("cast", "relations")))
"""The parts beside cast and relations, each of which may be left out of a run."""
TRUTHFUL = Answerer("gold", "truthful", lambda case: f"gold:{case.gold}")
"""Every question answered from gold by its key: what candidates, options and rules allow."""
RULES = Answerer("rules", "rules", lambda _case: "rules")
"""No model: whatever the words themselves say."""


@dataclass(frozen=True)
class CaseRun:
    """One case as scored, with what was asked."""

    chapters: tuple[ChapterResult, ...]
    asked: tuple[Asked, ...]


def alone(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield cases as they are read: an own serial as a whole, each public chapter alone with an empty cast before it.

    A case that is one chapter already stays as it is.
    """
    for case in cases:
        yield from by_chapter(case) if case.public and case.gold.is_dir() else (case,)


def run_cases(
    cases: Iterable[Case],
    answerer: Answerer,
    *,
    name: str = "",
    seed: int = 0,
    verdicts: Sequence[Verdict] = (),
    price_model: str = pipeline.DEFAULT_MODEL,
    command: str = "",
) -> RunResult:
    """Run and score cases; one without its text is unscored and says why. Money is what `price_model` would have charged."""
    chapters: list[ChapterResult] = []
    asked: list[Asked] = []
    with tempfile.TemporaryDirectory() as folder:
        for case in alone(cases):
            if case.manuscript is None:
                chapters += [_unscored(case, number, answerer) for number in case.numbers]
                continue
            found = run_case(case, answerer, Path(folder), verdicts=verdicts, price_model=price_model)
            chapters += found.chapters
            asked += found.asked
    return result_of(
        answerer, CaseRun(tuple(chapters), tuple(asked)), name=name, seed=seed, price_model=price_model, command=command
    )


def result_of(
    answerer: Answerer, run: CaseRun, *, name: str = "", seed: int = 0, price_model: str = "", command: str = ""
) -> RunResult:
    """Return what was scored (of one case or of several put together) as the result of a whole run."""
    return RunResult(
        name=name or answerer.name,
        label=answerer.label,
        answers=answerer.name,
        seed=seed,
        price_model=price_model,
        chapters=run.chapters,
        asked=run.asked,
        version=__version__,
        prompts=prompt_hashes(),
        command=command,
    )


def prompt_hashes() -> dict[str, str]:
    """Return a short hash of every prompt file and phrase table by its name."""
    found = {
        f.name: f.read_text("utf-8") for f in files("analyzer.prompts").iterdir() if f.name.endswith((".md", ".toml"))
    }
    return {name: content_hash("prompt", found[name]).partition(":")[2][:12] for name in sorted(found)}


def _unscored(case: Case, number: int, answerer: Answerer) -> ChapterResult:
    return ChapterResult(
        case=case.name, chapter=number, language=case.language, label=answerer.label, unscored=case.unscored
    )


def run_case(
    case: Case,
    answerer: Answerer,
    folder: Path,
    *,
    verdicts: Sequence[Verdict] = (),
    price_model: str = pipeline.DEFAULT_MODEL,
) -> CaseRun:
    """Run one case in `folder` (its book stays there as `case.name`) and score every chapter that has gold.

    Raises what stopped the run: a score of half a run would look like a bad one.
    """
    book = run_book(case, answerer, folder)
    return read_run(case, answerer.label, book, verdicts=verdicts, price_model=price_model, off=answerer.off or ())


def run_book(case: Case, answerer: Answerer, folder: Path) -> Path:
    """Run one case in `folder` and return its book (`folder/NAME`); raises what stopped the run."""
    book, outcome = start_book(case, answerer, folder)
    if outcome.error is not None:
        raise outcome.error
    if outcome.exit_code == INTERRUPTED:
        raise KeyboardInterrupt  # the run listens for it itself and ends in order; half a run must not be scored
    return book


def start_book(case: Case, answerer: Answerer, folder: Path, **wishes: Any) -> tuple[Path, RunOutcome]:
    """Run one case in `folder` and return its book and how the run ended, whatever ended it.

    `wishes` go to `pipeline.run` as they are (`on_event`, and fields of RunRequest).
    """
    book = pipeline.init(case.text(), book=folder / case.name, language=case.language)
    answers = answerer.of(case)
    wishes.setdefault("off", answerer.off)
    if isinstance(answers, str):
        return book, pipeline.run(book, model=answers, chapters=case.chapters, **wishes)
    return book, pipeline.run(book, asker=answers, chapters=case.chapters, allow_unpriced=True, **wishes)


def read_run(
    case: Case,
    label: Label,
    book: Path,
    *,
    verdicts: Sequence[Verdict] = (),
    price_model: str = pipeline.DEFAULT_MODEL,
    off: Collection[str] = (),
) -> CaseRun:
    """Score a book that was run for a case; chapters it did not finish count as they are. Of parts that were `off` nothing counts."""
    manuscript = pipeline.manuscript_of(book)
    with Store.open(book) as opened:
        stored = _Stored(opened.calls(), opened.all_answers(), opened.issues())
    rows = [
        _result(
            case, trail.wanted.chapter, label, _compared(case, trail, verdicts, off), stored, manuscript, price_model
        )
        for trail in trails(case, book)
    ]
    return CaseRun(tuple(rows), tuple(_asked(case, row) for row in stored.answers))


class _Compared(NamedTuple):
    """A chapter's outcomes, B-cubed, names in outcomes by handle, and how its items came or were lost."""

    outcomes: tuple[Outcome, ...]
    b_cubed: BCubed
    handles: dict[str, str]
    traced: dict[str, Traced]


class _Stored(NamedTuple):
    """What a book's store holds of how it came about."""

    calls: list[CallRecord]
    answers: list[AnswerRow]
    issues: list[tuple[str, Issue]]


def _compared(case: Case, trail: Trail, verdicts: Sequence[Verdict], off: Collection[str]) -> _Compared:
    wanted, said, matched = trail.wanted, trail.said, trail.matched
    found = compare_matched(wanted, said, matched, verdicts=verdicts, case=case.name)
    outcomes = tuple(outcome for outcome in found if part_of(outcome.cls) not in off)
    _, names = shown_names(wanted, said, matched)
    keys = {traced_name(outcome.side, outcome.key) for outcome in found if part_of(outcome.cls) in off}
    traced = {name: one for name, one in traces_of(trail).items() if name not in keys}
    return _Compared(outcomes, b_cubed(wanted, said), dict(sorted(names.items())), traced)


def _result(
    case: Case,
    number: int,
    label: Label,
    compared: _Compared,
    store: _Stored,
    manuscript: Manuscript,
    price_model: str,
) -> ChapterResult:
    calls = [c for c in store.calls if c.chapter == number]
    usage = sum((c.usage for c in calls if c.usage), Usage())
    price = price_of(price_model)
    answers = [a for a in store.answers if a.chapter == number]
    chapter = manuscript.chapter(number)
    before = {("cast_forms", a.chapter) for a in store.answers if a.chapter < number}
    expected = estimate(manuscript, [number], model=price_model, price=price, done=before)
    return ChapterResult(
        case=case.name,
        chapter=number,
        language=case.language,
        label=label,
        outcomes=compared.outcomes,
        b_cubed=compared.b_cubed,
        n_calls=len(calls),
        n_questions=len({a.key for a in answers}),
        words=words_of(chapter.text) if chapter else 0,
        usd=round(price.cost_usd(usage), 8) if price else 0.0,
        usage=usage,
        estimate_usd=round(expected.likely_usd or 0.0, 8),
        cached_share=round(usage.cache_read / usage.total_input, 4) if usage.total_input else None,
        trouble=_trouble(answers, number, store),
        handles=compared.handles,
        traced=compared.traced,
    )


def _trouble(answers: Iterable[AnswerRow], number: int, store: _Stored) -> dict[str, int]:
    """Return how many questions ended without an answer, by how, and how often each rule at the door refused one.

    What has no answer is in no answer's row: an issue says so, and ends with how.
    """
    last: dict[str, str] = {row.key: row.answer.status for row in answers}
    found = Counter(status for status in last.values() if status not in ("answered", "none"))
    for _, issue in store.issues:
        if issue.chapter == number and issue.code != "near_tie":  # its answer has a row
            unanswered = issue.code == "unanswered"
            left = issue.detail.rpartition(": ")[2] if unanswered else issue.code
            found[left if unanswered or left == "refused" else f"rule:{left}"] += 1
    return dict(sorted(found.items()))


def words_of(text: str) -> int:
    """Return how long a chapter is in words, two characters being one where words stand without spaces."""
    n_words, n_chars = len(text.split()), sum(not sign.isspace() for sign in text)
    return n_words if n_words * 10 > n_chars else n_chars // HAN_CHARS_PER_WORD


def wording_of(question: Question) -> str:
    """Return the hash of a question as it is shown, under its step's prompt: an answer stands as long as this does.

    Options without a text (handles of the cast) are not shown with the question, but in the prefix; `max_sentences` is never shown.
    """
    shown = question.model_copy(update={"options": tuple(o for o in question.options if o.text)})
    return content_hash(
        "wording", [shown.model_dump(mode="json", exclude={"max_sentences"}), instructions_of(question.key.step)]
    )


@lru_cache(maxsize=64)
def instructions_of(step: str) -> str:
    """Return a hash of what stands before a step's questions: the standing instructions and its prompts, slots unfilled."""
    prompts = {one.name: one.prompt for one in load_steps() if isinstance(one, AskStep)}
    if step not in prompts:
        return ""
    names = [wording_name(prompts[step], wording) for wording in (0, 1)]
    return content_hash("instructions", [system_text("lines"), *map(prompt_text, names)])


def _asked(case: Case, row: AnswerRow) -> Asked:
    keys = [option.key for option in row.question.options if option.key != NONE]
    shown = "\n".join([row.question.text, *(f"{o.mark} {o.text}" for o in row.question.options)])
    return Asked(
        case=case.name,
        chapter=row.chapter,
        step=row.step,
        key=row.key,
        wording=wording_of(row.question),
        picked=row.answer.picked,
        at=tuple(keys.index(key) for key in row.answer.picked if key in keys),
        n_options=len(keys),
        status=row.answer.status,
        tokens=(count_tokens(shown), count_tokens(row.answer.raw)),
        about=tuple(dict.fromkeys(word for ref in row.question.key.about for word in (ref.handle, *ref.names) if word)),
        cited=tuple(dict.fromkeys(map(str, (*row.answer.sentences, *(p for own in row.answer.by_pick for p in own))))),
        line="" if case.public else row.question.text[:LINE_CHARS],
        options=_options(case, row.question),
    )


def _options(case: Case, question: Question) -> dict[str, str]:
    """Return the first options that have words of their own (others stand in the prefix); of a public edition their keys alone."""
    shown = [o for o in question.options if o.text][:OPTIONS_KEPT]
    return {o.key: "" if case.public else o.text[:LINE_CHARS] for o in shown}
