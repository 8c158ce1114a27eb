"""Chapters overlap as far as their data allows: what does not run along the book need not wait for the chapter before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from analyzer import pipeline
from analyzer.models.question import Pack
from analyzer.models.run import Reply
from analyzer.steps._registry import load_steps
from evals.made_serial import ByKey, printed, story_of, world_of

HELD = "relation_select"
"""A step that fans out: every chapter's may run beside every other's."""
N_CHAPTERS = 3
TIMEOUT_S = 30.0


class Holding(ByKey):
    """Answers from the world, but holds what `HELD` asks of the first chapter until it is asked of the last one too."""

    def __init__(self) -> None:
        super().__init__(world_of())
        self.last_came = asyncio.Event()
        self.log: list[tuple[str, str, int]] = []

    async def ask(
        self, pack: Pack, *, max_output_tokens: int, on_first_event: Callable[[], None] | None = None
    ) -> Reply:
        self.log.append(("sent", pack.step, pack.chapter))
        if pack.step == HELD and pack.chapter == N_CHAPTERS:
            self.last_came.set()
        if pack.step == HELD and pack.chapter == 1:
            await asyncio.wait_for(self.last_came.wait(), TIMEOUT_S)
        reply = await super().ask(pack, max_output_tokens=max_output_tokens, on_first_event=on_first_event)
        self.log.append(("back", pack.step, pack.chapter))
        return reply


def test_later_chapters_are_asked_about_while_the_first_is_still_in_flight_and_the_cast_goes_in_order(
    tmp_path: Path,
) -> None:
    text = tmp_path / "serial.txt"
    text.write_text(printed(story_of(world_of(), N_CHAPTERS)), "utf-8")
    book = pipeline.init(text, book=tmp_path / "book", language="en")
    asker = Holding()
    outcome = pipeline.run(book, asker=asker, concurrency=16)
    assert outcome.error is None and outcome.exit_code == 0
    at = {entry: n for n, entry in enumerate(asker.log)}
    assert at["sent", HELD, N_CHAPTERS] < at["back", HELD, 1]
    carried = {step.name for step in load_steps() if step.carries}
    for no in range(2, N_CHAPTERS + 1):
        ended = max(
            n for (what, step, chapter), n in at.items() if step in carried and (what, chapter) == ("back", no - 1)
        )
        began = min(asker.log.index(entry) for entry in at if entry[1] in carried and entry[::2] == ("sent", no))
        assert ended < began
