"""Our own run once over gold, in the words it would use at the provider: what is asked and the true reply, kept by the request's words."""

from __future__ import annotations

from collections.abc import Callable

from analyzer import pipeline
from analyzer.llm.asker import Asker
from analyzer.llm.profiles import openai_params, openai_profile
from analyzer.models.question import Pack
from analyzer.models.run import AnsweredBy, Reply
from evals.bench._truth import key_of


class Recorded:
    """Answers from gold under the default model's name and profile, so that the packs are those of a paid run, and keeps every reply."""

    answered_by: AnsweredBy = "scripted"

    def __init__(self, gold: Asker) -> None:
        self.model = pipeline.DEFAULT_MODEL
        self.profile = openai_profile(self.model)
        self.params = openai_params(self.model)
        self.replies: dict[str, str] = {}
        self._gold = gold

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        """Return gold's reply."""
        reply = await self._gold.ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)
        self.replies[key_of([*(part.text for part in pack.parts), pack.tail])] = reply.text
        return reply

    async def close(self) -> None:
        """Hold nothing."""
