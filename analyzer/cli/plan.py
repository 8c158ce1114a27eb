"""`analyzer plan`: what a run would ask and cost, without asking."""

from __future__ import annotations

from typing import Annotated

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
        explain: Annotated[
            bool, typer.Option("--explain", help="What each step asks, in which packs, for which tokens, and why.")
        ] = False,
        as_json: AsJson = False,
    ) -> None:
        """Estimate calls, tokens and money per step (low, likely, high) and say why each task would run; sends nothing."""
        from analyzer import pipeline
        from analyzer.cli._estimate import print_due, print_estimate, print_explained

        left = tuple(off) if off else None
        told = None
        if explain:
            told = pipeline.explain(book, model=model, chapters=chapters, base_url=base_url, off=left)
            made = told.estimate
        else:
            made = pipeline.plan(book, model=model, chapters=chapters, base_url=base_url, off=left)
        note = pipeline.unpriced_note(made.model, base_url=base_url)
        if note:
            say(note)
        tasks = pipeline.due(book, model=model, chapters=chapters, off=left)
        if as_json:
            parts = told.model_dump(mode="json", include={"steps"}) if told else {}
            print_json(
                made.model_dump(mode="json") | parts | {"tasks": [task.model_dump(mode="json") for task in tasks]}
            )
            return
        if told:
            print_explained(told, by_chapter=chapters is not None)
        print_estimate(made)
        print_due(tasks)
        say("nothing was sent")
