"""What is counted, on tiny texts, with rules and with truthful answers."""

from pathlib import Path

import pytest

from analyzer.export.show import CastRow
from analyzer.text.manuscript import manuscript_from_text
from evals.public.annotated import Chain, Document, Printed
from evals.public.measures import by_sentence, candidates, entities, kinship, presence
from evals.public.novels import encounters, plays, sentences
from evals.public.readers import litbank
from evals.public.runs import Said, read
from evals.scoring.figures import Counted, pooled
from tests.evals.cast_rows import row


def chain(ident: str, *names: str) -> Chain:
    return Chain(ident, ("character",), tuple(Printed(name, f"{ident}:{i}") for i, name in enumerate(names)))


def said(document: Document, *cast: CastRow) -> Said:
    return Said(document, manuscript_from_text(document.text, title="", language=document.language), cast, ())


TEXT = "Tobin and Tobin Hale and Orla and Maud."
TWO = Document("d", TEXT, "en", (chain("t", "Tobin", "Tobin Hale"), chain("o", "Orla", "Maud")))


@pytest.mark.parametrize(
    ("cast", "precision", "recall"),
    [
        ([row("@1", "Tobin", "Tobin Hale"), row("@2", "Orla", "Maud")], (4, 4), (4, 4)),
        ([row("@1", "Tobin", "Tobin Hale"), row("@2", "Orla")], (3, 3), (2.5, 4)),
        ([row("@1", "Tobin"), row("@2", "Tobin Hale"), row("@3", "Orla", "Maud")], (4, 4), (3, 4)),
        ([row("@1", "Tobin", "Tobin Hale", "Orla", "Maud")], (2, 4), (4, 4)),
        ([], None, (0, 4)),
    ],
)
def test_b_cubed_counts_mentions_that_are_together_rightly(
    cast: list[CastRow], precision: Counted | None, recall: Counted
) -> None:
    found = entities(said(TWO, *cast)).by_measure
    assert found.get("B-cubed precision") == precision and found["B-cubed recall"] == recall


def test_errors_tell_their_kind_and_place_without_a_sentence() -> None:
    found = entities(said(TWO, row("@1", "Tobin", kind="place"), row("@2", "Tobin Hale"), row("@3", "Brack")))
    kinds = {error.kind: error for error in found.errors}
    assert kinds["one person is several of the cast: its forms share a word"].at == "t:0"
    assert kinds["a person is not in the cast"].text == "Orla"
    assert kinds["a cast entry is nothing annotated: character"].text == "Brack"
    assert not any(error.kind.startswith("a person is taken") for error in found.errors), "one of its entries is right"
    alone = entities(said(TWO, row("@1", "Tobin", "Tobin Hale", kind="place")))
    assert "a person is taken for a place" in {error.kind for error in alone.errors}


def test_what_is_not_annotated_is_no_error_where_a_set_has_people_only() -> None:
    found = entities(said(TWO, row("@3", "Brack")), complete=False)
    assert "cast entries that are annotated" not in found.by_measure
    assert "candidates that are names" not in candidates(TWO, complete=False).by_measure


def test_candidates_are_held_against_names_and_descriptions(data: Path) -> None:
    (document,) = litbank(data / "gold" / "litbank")
    found = candidates(document)
    assert found.by_measure["names among candidates"] == (3.0, 3.0)
    assert found.by_measure["people without a name among candidates"] == (1.0, 1.0)
    hit, n = found.by_measure["candidates that are names"]
    assert hit == n and found.words > 0


def test_truthful_answers_find_and_join_everybody_with_a_name(data: Path) -> None:
    (document,) = litbank(data / "gold" / "litbank")
    found = entities(read(document, "truthful")).by_measure
    assert found["named in the cast"] == (3.0, 3.0) and found["kind"] == (3.0, 3.0)
    assert found["B-cubed recall"][0] == found["B-cubed recall"][1]


def test_presence_is_held_against_the_list_of_each_chapter(data: Path) -> None:
    (document,) = encounters(data / "gold" / "sgb")
    truthful = list(presence(read(document, "truthful")))
    assert [c.by_measure["present, found"] for c in truthful] == [(2.0, 2.0), (1.0, 1.0)]
    assert [c.by_measure["said to be present, right"] for c in truthful] == [(2.0, 2.0), (1.0, 1.0)]
    rules = list(presence(read(document, "rules")))
    assert [c.by_measure["present, found"] for c in rules] == [(2.0, 2.0), (1.0, 1.0)]


def test_a_pronoun_is_nobody_that_names_could_find(data: Path) -> None:
    (document,) = sentences(data / "gold" / "dekker-sentences")
    found = by_sentence(read(document, "truthful"))
    assert found.by_measure["in the sentence, found"] == (3.0, 4.0)
    assert [error.kind for error in found.errors] == ["somebody meant is not found: no name stands there"]
    assert found.errors[0].at == "sentence 2"


def test_relations_of_a_list_are_found_with_truthful_answers_and_others_count_neither_way(data: Path) -> None:
    (document,) = plays(data / "gold" / "gerdracor")
    found = kinship(read(document, "truthful")).by_measure
    assert found["stated relations, found"] == (1.0, 1.0) and found["relations stated, right"] == (1.0, 1.0)


def test_an_interval_is_over_documents_seeded_and_never_empty() -> None:
    counts = [(1.0, 2.0), (2.0, 2.0), (0.0, 3.0), (0.0, 0.0)]
    figure = pooled(counts)
    assert (figure.hit, figure.n) == (3.0, 7.0) and figure == pooled(counts)
    assert figure.low is not None and figure.high is not None and figure.low < 3 / 7 < figure.high
    alone = pooled([(5.0, 5.0)])
    assert alone.share == 1.0 and alone.low is not None and 0.5 < alone.low < 1.0
    assert pooled([]).share is None
