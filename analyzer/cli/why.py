"""`analyzer why`: what a fact rests on, or why a claim fell."""

from __future__ import annotations

from typing import Annotated

import typer

from analyzer.cli._app import AsJson, Book
from analyzer.cli._screen import print_json, safe, usd


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def why(
        book: Book,
        fact: Annotated[
            str,
            typer.Argument(
                metavar="FACT",
                help="An id as printed (of a fact, change, secret, thread …), or words: '@1 parent_of @2'.",
            ),
        ],
        as_json: AsJson = False,
    ) -> None:
        """Show candidate, question, options, answer, votes, evidence, rule, tokens and cost of a fact kept or dropped."""
        from analyzer import pipeline

        rows = pipeline.why(book, fact)
        if as_json:
            print_json(list(rows))
            return
        for row in rows:
            print(safe(f"{'kept' if row.kept else 'dropped'}: {row.what}   [{row.fact_id}]"))
            print(safe(f"  rule: {row.rule}"))
            for line in row.evidence:
                print(safe(f"  evidence: {line}"))
            for line in row.trail:
                print(safe(f"  {line}"))
            if row.votes:
                print(safe(f"  votes: {', '.join(row.votes)}"))
            for asked in row.asked:
                print(safe(f"  {asked.step} ({asked.answered_by}, {asked.model}): {asked.question}"))
                print(safe(f"    options: {'; '.join(asked.options)[:400]}"))
                cost = (
                    f", {asked.input_tokens} tokens in, {asked.output_tokens} out, {usd(asked.cost_usd)}"
                    if asked.input_tokens
                    else ""
                )
                print(safe(f"    answer: {asked.raw} -> {', '.join(asked.picked) or asked.status}{cost}"))
