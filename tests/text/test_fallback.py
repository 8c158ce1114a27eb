"""What works in a language without a table, and what honestly does not: own Italian and Polish pages."""

from __future__ import annotations

import pytest

from analyzer.text.candidates import narrator
from analyzer.text.candidates.descriptors import descriptors
from analyzer.text.candidates.forms import new_forms
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text
from analyzer.text.quotes import chapter_sources

UND = language_table("und")
ITALIAN = """Prologo

La lampada si spense e nessuno nella stanza si mosse, perché tutti avevano sentito il passo sulle scale.

Capitolo primo

«Chi è là?» chiese Orsina. «Sono io», rispose Tebaldo. Poi Orsina aprì la porta e Tebaldo entrò con la lanterna.

— Non c'è più tempo, — disse Tebaldo. Ma quella notte Orsina non partì.

Capitolo secondo

Pioveva da tre giorni… nessuno era venuto. Che fare? Sulla strada di Vallarga, Tebaldo aspettava ancora Orsina.

Epilogo

Io non li ho più visti, e non so che cosa ne sia stato di loro dopo quella notte di pioggia.
"""
POLISH = """Rozdział pierwszy

Lampa zgasła i nikt w izbie się nie poruszył, bo wszyscy usłyszeli krok na schodach, a to nie był on.

– Kto tam? – zapytała Jagna. – To ja – odpowiedział Witosz. Potem Jagna otworzyła drzwi i Witosz wszedł.

Rozdział drugi

„Nie ma już czasu”, powiedział Witosz. Ale tej nocy Jagna nie wyjechała, bo padało od trzech dni.
"""


@pytest.mark.parametrize(
    ("text", "chapters"),
    [
        (ITALIAN, [("prologue", ""), ("chapter", "primo"), ("chapter", "secondo"), ("epilogue", "")]),
        (POLISH, [("chapter", "pierwszy"), ("chapter", "drugi")]),
    ],
)
def test_a_page_without_a_table_is_left_open_and_cut_into_chapters(text: str, chapters: list[tuple[str, str]]) -> None:
    manuscript = manuscript_from_text(text, title="x", language=None)
    assert manuscript.language == "und"
    assert 0 < manuscript.language_certainty <= 1
    assert [(c.kind, c.label) for c in manuscript.chapters] == chapters


def test_sentences_and_speech_are_found_without_a_table() -> None:
    chapter = manuscript_from_text(ITALIAN, title="x", language=None).chapters[1]
    assert [len(block.sentences) for block in chapter.blocks] == [3, 2]
    sources = chapter_sources(chapter, UND)
    assert [s.source for s in sources[0]] == ["speech", "speech"]
    assert [s.source for s in sources[1]][:1] == ["speech"]
    polish = manuscript_from_text(POLISH, title="x", language=None).chapters[1]
    assert [s.source for s in chapter_sources(polish, UND)[0]] == ["speech"]


@pytest.mark.parametrize(("text", "names"), [(ITALIAN, {"Orsina", "Tebaldo"}), (POLISH, {"Jagna", "Witosz"})])
def test_names_show_by_their_capitals_without_a_table(text: str, names: set[str]) -> None:
    manuscript = manuscript_from_text(text, title="x", language=None)
    found = {form.surface for chapter in manuscript.chapters for form in new_forms(chapter, UND)}
    assert names <= found


def test_roles_kin_and_narrator_are_not_guessed_without_a_table() -> None:
    text = ITALIAN.replace("Orsina aprì", "sua sorella aprì").replace("nessuno era venuto", "il mugnaio era venuto")
    for chapter in manuscript_from_text(text, title="x", language=None).chapters:
        assert not descriptors(chapter, UND)
        assert narrator(chapter, UND) is None
