"""What a sentence states between two names, and what it does not: own sentences, names in square brackets."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.facts import RELATION_KINDS
from analyzer.models.text import Block, Chapter, Span
from analyzer.text.kinship import Named, kin_statements
from analyzer.text.languages import language_table

Read = Callable[[str, str], set[str]]


def stated(language: str, marked: str) -> set[str]:
    """`subject relation object` of everything a one-sentence chapter states; `[Тихона=Тихон]` is a declined name."""
    names: list[Named] = []
    plain, at = "", 0
    for match in re.finditer(r"\[(.*?)\]", marked):
        plain += marked[at : match.start()]
        surface, _, name = match[1].partition("=")
        names.append(Named(len(plain), len(plain) + len(surface), name or surface))
        plain += surface
        at = match.end()
    plain += marked[at:]
    block = Block(no=1, start=0, text=plain, sentences=(Span(0, len(plain)),))
    chapter = Chapter(no=1, start=0, body_start=0, end=len(plain), language=language, blocks=(block,))
    handles = {name: f"@{i}" for i, name in enumerate(dict.fromkeys(n.handle for n in names), 1)}
    back = {handle: name for name, handle in handles.items()}
    found = kin_statements(chapter, language_table(language), [n._replace(handle=handles[n.handle]) for n in names])
    return {f"{back[s.subject]} {s.relation} {back[s.object]}" for s in found}


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("en", "[Orla] was the daughter of [Tobin].", "Tobin parent_of Orla"),
        ("en", "[Orla], the daughter of [Tobin], kept the ferry.", "Tobin parent_of Orla"),
        ("en", "[Tobin], father of [Orla], kept the ferry.", "Tobin parent_of Orla"),
        ("en", "[Tobin]’s daughter [Orla] kept the ferry.", "Tobin parent_of Orla"),
        ("en", "[Tobin]'s wife, [Maud], kept the ferry.", "Maud spouse_of Tobin"),
        ("en", "[Tobin] had a sister, [Maud].", "Maud sibling_of Tobin"),
        ("en", "[Tobin] had a younger sister named [Maud].", "Maud sibling_of Tobin"),
        ("en", "She waved to [Maud], [Tobin]’s sister-in-law.", "Maud in_law_of Tobin"),
        ("en", "The uncle of [Tobin], [Piers], kept the ferry.", "Piers aunt_uncle_of Tobin"),
        ("en", "[Tobin] and his wife [Maud] kept the ferry.", "Maud spouse_of Tobin"),
        ("en", "[Tobin] married [Maud].", "Tobin spouse_of Maud"),
        ("de", "[Orla], [Tobin]s Tochter, lachte.", "Tobin parent_of Orla"),
        ("de", "[Orla], die Tochter von [Tobin], lachte.", "Tobin parent_of Orla"),
        ("de", "[Orla] war die jüngste Tochter des [Tobin].", "Tobin parent_of Orla"),
        ("de", "[Orla], ein junges Kind, der [Maud] Tochter.", "Maud parent_of Orla"),
        ("de", "[Maud], [Tobin]s alte Geliebte.", "Maud lover_of Tobin"),
        ("de", "[Tobin] und seine Schwester [Maud] lachten.", "Maud sibling_of Tobin"),
        ("de", "[Tobin] heiratete [Maud].", "Tobin spouse_of Maud"),
        ("de", "[Piers], Bedienter des [Tobin].", "Piers serves Tobin"),
        ("en", "[Tobin]’s servant [Piers] kept the ferry.", "Piers serves Tobin"),
        ("en", "[Piers], captain of the [Heron], slept.", "Piers commands Heron"),
        ("en", "[Piers] lived in [Harrowby].", "Piers lives_in Harrowby"),
        ("ko", "[가온]의 오라비 [나루]는 강가에 산다.", "나루 sibling_of 가온"),
        ("ko", "[나루]는 [가온]의 아버지였다.", "나루 parent_of 가온"),
        ("ko", "[가온]에게는 [누리]라는 누이동생이 있었다.", "누리 sibling_of 가온"),
        ("ko", "[나루]는 [누리]를 아내로 맞았다.", "누리 spouse_of 나루"),
        ("zh", "[柳青]是[柳河]的哥哥。", "柳青 sibling_of 柳河"),
        ("zh", "[柳河]的妻子[杜若]來了。", "杜若 spouse_of 柳河"),
        ("zh", "[柳河]有個女兒，名叫[柳月]。", "柳河 parent_of 柳月"),
        ("ja", "[葵]は[蓮]の姉である。", "葵 sibling_of 蓮"),
        ("ja", "[蓮]の妻の[葵]が来た。", "葵 spouse_of 蓮"),
        ("fr", "[Odile], fille de [Bastien], gardait le bac.", "Bastien parent_of Odile"),
        ("fr", "[Bastien] était le frère de [Odile].", "Bastien sibling_of Odile"),
        ("fr", "La tante de [Bastien], [Odile], gardait le bac.", "Odile aunt_uncle_of Bastien"),
        ("fr", "[Bastien] avait une sœur nommée [Odile].", "Odile sibling_of Bastien"),
        ("es", "[Orla], hija de [Ramiro], cuidaba la barca.", "Ramiro parent_of Orla"),
        ("es", "[Orla] era la hija menor de [Ramiro].", "Ramiro parent_of Orla"),
        ("es", "[Ramiro] es el tío de [Orla].", "Ramiro aunt_uncle_of Orla"),
        ("es", "La tía de [Ramiro], [Orla], cuidaba la barca.", "Orla aunt_uncle_of Ramiro"),
        ("es", "[Ramiro] tenía una hermana llamada [Orla].", "Orla sibling_of Ramiro"),
        ("es", "[Ramiro] y su esposa [Orla] reían.", "Orla spouse_of Ramiro"),
        ("es", "[Ramiro] se casó con [Orla].", "Orla spouse_of Ramiro"),
        ("es", "[Ramiro] vivía en [Torrijal].", "Ramiro lives_in Torrijal"),
        ("ru", "[Вера], дочь [Тихона=Тихон], сторожила лодку.", "Тихон parent_of Вера"),
        ("ru", "[Вера] — младшая сестра [Тихона=Тихон].", "Вера sibling_of Тихон"),
        ("ru", "[Вера] была родной сестрой [Тихона=Тихон].", "Вера sibling_of Тихон"),
        ("ru", "[Тихон] и его сестра [Вера] смеялись.", "Вера sibling_of Тихон"),
        ("ru", "У [Тихона=Тихон] была сестра по имени [Вера].", "Вера sibling_of Тихон"),
        ("ru", "Вошла жена [Тихона=Тихон], [Вера].", "Вера spouse_of Тихон"),
        ("ru", "[Тихон] женился на [Вере=Вера].", "Вера spouse_of Тихон"),
        ("ru", "[Вера] вышла замуж за [Тихона=Тихон].", "Вера spouse_of Тихон"),
        ("ru", "[Тихон] жил в [Ладоге=Ладога].", "Тихон lives_in Ладога"),
        ("ru", "[Тихон] приходился [Вере=Вера] дядей.", "Тихон aunt_uncle_of Вера"),
    ],
)
def test_a_sentence_states_a_relation_in_canonical_direction(language, sentence, expected):
    assert expected in stated(language, sentence) | {
        " ".join(reversed(s.split())) for s in stated(language, sentence) if RELATION_KINDS[s.split()[1]].symmetric
    }


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "[Orla] was not the daughter of [Tobin]."),
        ("en", "It is not true that [Orla] is the daughter of [Tobin]."),
        ("en", "Is [Orla] the daughter of [Tobin]?"),
        ("en", "And [Orla] is the daughter of [Tobin]?"),
        ("en", "If [Orla] is the daughter of [Tobin], we are lost."),
        ("en", "All that night he dreamed that in some other country [Orla] was the daughter of [Tobin]."),
        ("en", "[Orla] was like the daughter of [Tobin]."),
        ("en", "[Piers] pretended before them all that [Orla] was the daughter of [Tobin]."),
        ("en", "[Orla] was the daughter of [Tobin]’s neighbour."),
        ("en", "[Tobin]’s wife, [Maud], and [Orla] came down."),
        ("en", "He greeted the father of [Orla], [Maud], and [Piers]."),
        ("en", "[Orla] saw the daughter of [Tobin]."),
        ("en", "[Tobin] was a father to [Orla]."),
        ("en", "“This is my friend’s house and [Tobin]’s wife, [Maud], said so.”"),
        ("ko", "[나루]는 [가온]의 아버지가 아니었다."),
        ("ko", "[나루]는 [가온]의 아버지를 보았다."),
        ("ko", "꿈에서 [나루]는 [가온]의 아버지였다."),
        ("ko", "[나루]는 [가온]의 아버지이다?"),
        ("zh", "[柳青]不是[柳河]的哥哥。"),
        ("zh", "如果[柳青]是[柳河]的哥哥，就好了。"),
        ("zh", "[柳青]看見[柳河]的哥哥。"),
        ("ja", "[葵]は[蓮]の姉ではない。"),
        ("ja", "もし[葵]は[蓮]の姉であるなら。"),
        ("ja", "[葵]は[蓮]の姉を見た。"),
        ("fr", "[Odile] n’est pas la fille de [Bastien]."),
        ("fr", "Il rêva que [Odile] était la fille de [Bastien]."),
        ("fr", "[Odile] est la fille de [Bastien] ?"),
        ("es", "[Orla] no era la hija de [Ramiro]."),
        ("es", "¿[Orla] es la hija de [Ramiro]?"),
        ("es", "Si [Orla] es la hija de [Ramiro], estamos perdidos."),
        ("es", "Soñó que [Orla] era la hija de [Ramiro]."),
        ("es", "[Orla] vio a la hija de [Ramiro]."),
        ("ru", "[Вера] не была дочерью [Тихона=Тихон]."),
        ("ru", "[Вера] — дочь [Тихона=Тихон]?"),
        ("ru", "Если [Вера] — дочь [Тихона=Тихон], мы пропали."),
        ("ru", "Ему снилось, что [Вера] была дочерью [Тихона=Тихон]."),
        ("ru", "[Вера] увидела дочь [Тихона=Тихон]."),
    ],
)
def test_what_is_denied_asked_supposed_dreamt_compared_or_listed_states_nothing(language, sentence):
    assert stated(language, sentence) == set()


def test_a_name_after_a_comma_in_speech_is_who_is_spoken_to():
    assert stated("en", "“I met [Tobin]’s mother, [Orla],” he said.") == set()
    assert stated("en", "He met [Tobin]’s mother, [Orla].") == {"Orla parent_of Tobin"}


def test_a_negation_in_another_clause_denies_nothing():
    assert stated("en", "She did not stay; [Orla] was the daughter of [Tobin].") == {"Tobin parent_of Orla"}


def test_nobody_is_related_to_themselves():
    assert stated("en", "[Orla], the daughter of [Orla].") == set()


def test_marks_of_the_author_cannot_pass_for_names():
    sentence = "\ue000@1\ue001, the daughter of \ue000@2\ue001, and [Orla] and [Tobin] slept beside a daughter."
    assert stated("en", sentence) == set()


def test_a_language_without_patterns_states_nothing():
    assert stated("und", "[Orla], the daughter of [Tobin].") == set()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["[Orla]", "[Tobin]", " daughter of ", "’s wife ", ", ", " was the ", ".", "“", "\ue000"]))
)
def test_any_text_gives_only_known_kinds_between_named_ones(pieces):
    for line in stated("en", "".join(pieces) or "x"):
        subject, relation, target = line.split()
        assert {subject, target} == {"Orla", "Tobin"} and relation in RELATION_KINDS


@pytest.mark.parametrize(
    "sentence",
    [
        "[Orla] war nicht die Tochter von [Tobin].",
        "Ist [Orla] die Tochter von [Tobin]?",
        "[Orla] lachte wie [Tobin]s Tochter.",
    ],
)
def test_german_denials_questions_and_comparisons_state_nothing(sentence):
    assert stated("de", sentence) == set()
