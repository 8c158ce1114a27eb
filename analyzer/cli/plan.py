"""`analyzer plan`: what a run would ask and cost, without asking."""

from __future__ import annotations

import typer

from analyzer.cli._app import AsJson, BaseUrl, Book, Chapters, Model, Off
from analyzer.cli._screen import print_json, say


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def plan(
        book: Book,
        chapters: Chapters = None,
        model: Model = None,
        base_url: BaseUrl = None,
        off: Off = None,
        as_json: AsJson = False,
    ) -> None:
        """Estimate calls, tokens and money per step (low, likely, high) and say why each task would run; sends nothing."""
        from analyzer import pipeline
        from analyzer.cli._estimate import print_due, print_estimate

        left = tuple(off) if off else None
        made = pipeline.plan(book, model=model, chapters=chapters, base_url=base_url, off=left)
        note = pipeline.unpriced_note(made.model, base_url=base_url)
        if note:
            say(note)
        tasks = pipeline.due(book, model=model, chapters=chapters, off=left)
        if as_json:
            print_json(made.model_dump(mode="json") | {"tasks": [task.model_dump(mode="json") for task in tasks]})
            return
        print_estimate(made)
        print_due(tasks)
        say("nothing was sent")
