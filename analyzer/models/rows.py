"""Rows: what the store keeps of a book beside its facts, one frozen record per kind.

Times are epoch seconds, money is US dollars. Made by the scheduler and the pipeline, kept and given back by the store.
"""

from __future__ import annotations

from typing import NamedTuple

from analyzer.models.base import Record
from analyzer.models.question import Answer, Question
from analyzer.models.run import AnsweredBy
from analyzer.models.text import ChapterKind


class BookRow(Record):
    """The book of a folder: `sha256` is that of the manuscript file, `manuscript_path` as the author gave it."""

    title: str
    language: str
    sha256: str
    manuscript_path: str
    created_at: float


class ChapterRow(Record):
    """A chapter as it was last read: `no` is its 1-based position, `text_sha256` says whether its text has moved.

    `id` is what the book knows it by wherever it stands, `origins` the ids of chapters its text once stood in, `blocks` a
    digest for every sentence of every block, by which it is recognised in an edited text.
    """

    no: int
    kind: ChapterKind
    label: str
    title: str
    text_sha256: str
    n_blocks: int
    id: int = 0
    origins: tuple[int, ...] = ()
    blocks: tuple[tuple[str, ...], ...] = ()


class AnswerRow(Record):
    """One stored answer: `answer_id` is the question's reuse key, `key` is `QuestionKey.text`, `wording` counts re-asks.

    `question` is what was shown, in the order shown; `call_id` is the call that brought the answer.
    """

    answer_id: str
    request_hash: str
    call_id: str
    step: str
    chapter: int
    key: str
    question: Question
    answer: Answer
    model: str
    answered_by: AnsweredBy
    wording: int = 0


class AttemptRow(Record):
    """A reply that could not be used: `problem` says why. Attempts are never answers and never reused."""

    call_id: str
    request_hash: str
    step: str
    chapter: int
    pack_size: int
    reply_text: str
    problem: str


class TaskRow(Record):
    """A task that was committed: a step at a chapter, over inputs hashed into `input_hash`.

    `model` was asked ("" for code alone), `code` is the hash of the program ("" for both: not known).
    """

    step: str
    chapter: int
    input_hash: str
    n_answers: int
    n_facts: int
    n_issues: int
    model: str = ""
    code: str = ""


class RunRow(Record):
    """One run: `cap_usd` None is no cap; `ended_at` None and `outcome` "" while it runs, or when it was killed."""

    run_id: str
    model: str
    confirm_model: str
    answered_by: AnsweredBy
    cap_usd: float | None
    started_at: float
    ended_at: float | None = None
    outcome: str = ""


class DecisionRow(Record):
    """What the author decided: `payload` is JSON text whose shape belongs to `kind`; never changed once given."""

    decision_id: str
    kind: str
    payload: str
    decided_at: float


class TaskId(NamedTuple):
    """Which task: a step at a chapter."""

    step: str
    chapter: int
