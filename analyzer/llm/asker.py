"""The one door to whoever answers: a transport takes a pack and returns a reply.

A transport never parses answers, never retries, never prices, never writes: the run does. It maps foreign errors to
`TransientModelError` and `PermanentModelError`. Keys never appear in anything it returns or raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, runtime_checkable

from analyzer.models.base import Record
from analyzer.models.question import Pack, Question
from analyzer.models.run import AnsweredBy, Reply, Usage

FLEX = "flex"
"""A provider's slower tier as it is asked for and named in a reply, and the word of `Reply.finish` for a call it served."""
Release = Literal["first_event", "first_end", "prewarm", "at_once"]
"""When the other calls on a prefix may start: at the writer's first streamed event, at its end, after a prewarm, at once."""


class Profile(Record):
    """What a provider or model needs: found by documentation or evaluation, one row each.

    `min_prefix_tokens`: below it nothing is cached. `max_pack`: 0 means the step's own pack size. `answer_format` names an entry of
    llm/formats. `max_options` 0: no bound (at a decisions endpoint: on the options of a select). `context_chars` 0: the whole
    chapter; else about so many code points of it around the question (`answer_format` letter_json only). `output_tokens_per_line`
    bounds max_tokens. `instant`: code on this machine answers at once and for nothing, so that nobody waits for its answers to be
    committed. `cache_lifetime_s` is how long an entry that nobody uses is kept (0: not known), `cache_unit` in how many tokens at a
    time it is read, `calls_per_prefix` how many calls a minute one machine's entry serves (0: no bound known). `max_decisions`
    above 0 makes it a decisions endpoint: most questions of one request, by which packs are cut; `max_choices` is the most choices
    of one of them.
    """

    name: str
    release: Release = "first_end"
    cache_marks: bool = False
    min_prefix_tokens: int = 1024
    max_pack: int = 0
    max_options: int = 0
    context_chars: int = 0
    answer_format: Literal["lines", "letter_json"] = "lines"
    priced: bool = True
    concurrency: int = 8
    output_tokens_per_line: int = 24
    instant: bool = False
    cache_lifetime_s: float = 0.0
    cache_unit: int = 1
    calls_per_prefix: int = 0
    max_decisions: int = 0
    max_choices: int = 0


class Asker(Protocol):
    """A transport. `model` is the name the bill shows; `answered_by` says who answers; `params` enter the request hash."""

    model: str
    answered_by: AnsweredBy
    profile: Profile
    params: dict[str, object]

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Send `pack` and return the reply; calls `on_first_event` once the prefix can be read, where the profile says so."""
        ...

    async def close(self) -> None:
        """Release what it holds; ends a child process it started."""
        ...


@runtime_checkable
class Dividing(Protocol):
    """A transport that leaves some questions to another one beside it, which has its own model name, price and cache."""

    beside: Asker

    def takes(self, question: Question) -> bool:
        """Say whether it answers this question itself."""
        ...

    def weight(self, question: Question) -> int:
        """Return how many of the `max_decisions` of a request the question takes."""
        ...

    def worst_usage(self, pack: Pack, *, writes_cache: bool) -> Usage:
        """Return the most that asking `pack` can use, over all requests it may take."""
        ...


def asker_of(asker: Asker, question: Question) -> Asker:
    """Return who answers a question: `asker`, or the one beside it. The one place where that is decided."""
    return asker.beside if isinstance(asker, Dividing) and not asker.takes(question) else asker


def askers_in(asker: Asker) -> tuple[Asker, ...]:
    """Return all who answer for `asker`: itself, and the one beside it where there is one."""
    return (asker, asker.beside) if isinstance(asker, Dividing) else (asker,)


@runtime_checkable
class Weighing(Protocol):
    """A transport whose answers rest on more than a question shows: on all that is asked beside it, and for some steps on the whole book.

    An answer of it serves a task whose inputs are the very same, no other.
    """

    def rests_on(self, step: str) -> str:
        """Return a hash of what answers to a step's questions rest on in the whole book; "" where on nothing."""
        ...


def of_whole_book(asker: Asker, step: str) -> str:
    """Return the hash of what the answers of `asker` to a step rest on in the whole book; "" where on nothing."""
    return asker.rests_on(step) if isinstance(asker, Weighing) else ""


@runtime_checkable
class Recalling(Protocol):
    """A transport whose answers rest on what it was asked before: a run that goes on tells it that first."""

    answered_by: AnsweredBy

    def recall(self, questions: Sequence[Question]) -> None:
        """Take in the questions it answered in earlier runs, in the order it answered them."""
        ...
