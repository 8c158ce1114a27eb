import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import ConfigError
from analyzer.models.text import Manuscript
from analyzer.text.candidates import BookStats
from analyzer.text.candidates.grams import gram_counts
from analyzer.text.candidates.lexicon import alternation, method_of, relation_words, word_list
from analyzer.text.languages import LanguageTable, language_table


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="甲乙丙丁。", max_size=60))
def test_gram_counts_are_those_of_the_text(text):
    counts = gram_counts(text).counts
    runs = text.split("。")
    for gram, n in counts.items():
        assert n == sum(run[i : i + len(gram)] == gram for run in runs for i in range(len(run)))


def test_a_piece_of_a_longer_word_has_little_variety():
    found = gram_counts("見柳青河。與柳青河。問柳青河去。柳青河來。喚柳青河到。")
    assert found.variety["柳青河"] > found.variety["青河"] == 1 or found.variety["青河"] < found.variety["柳青河"]


@pytest.mark.parametrize(
    ("tag", "text", "word"),
    [("en", "the Mill and the mill, by Orla.", "mill"), ("ko", "해주는 갔다. 해주는 왔다.", "해주는")],
)
def test_words_are_counted_with_their_case(tag, text, word):
    manuscript = Manuscript(title="", language=tag, text=text, sha256="", chapters=())
    assert BookStats.of(manuscript).n_word(word) == text.count(word)


def test_capitals_at_sentence_openings_are_not_counted_inside():
    stats = BookStats.of_text("Orla came. Orla left, and Orla slept by Mill Lane.", language_table("en"))
    assert stats.n_inside("Orla") == 1 and stats.n_inside("Lane") == 0 + (stats.inside.get("Lane", 0))


def test_a_word_list_of_the_wrong_shape_is_refused():
    with pytest.raises(ConfigError, match="stopwords"):
        word_list({"stopwords": 7}, "stopwords")


def test_an_unknown_method_is_refused():
    with pytest.raises(ConfigError, match="runes"):
        method_of(LanguageTable(tag="xx", names={"method": "runes"}), "")


@pytest.mark.parametrize(
    ("text", "method"), [("해주는 갔다", "particles"), ("柳青河到了", "characters"), ("Jonas came", "capitals")]
)
def test_a_table_without_method_goes_by_the_script(text, method):
    assert method_of(LanguageTable(tag="xx"), text) == method


def test_settings_beside_relations_are_no_words():
    assert relation_words({"parent_of": "father mother", "child_of": "son", "note": "x"}) == {
        "father": "parent_of",
        "mother": "parent_of",
        "son": "child_of",
    }


def test_an_empty_alternation_matches_nothing():
    import re

    assert re.search(alternation([]), "anything") is None
