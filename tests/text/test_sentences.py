"""Where sentences end, language by language; whatever the text, its sentences cover it in order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.languages import language_table, languages
from analyzer.text.sentences import LONGEST, split_sentences


def sentences(text: str, language: str) -> list[str]:
    return [text[s.start : s.end] for s in split_sentences(text, language_table(language))]


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("en", "Mr. Hale met Dr. Orme at St. Bride’s.|Nobody else came."),
        ("en", "J. R. Hale signed it.|She did not."),
        ("en", "It was only I.|He left."),
        ("en", "“Wait!” she cried.|“Wait for me.”"),
        ("en", "“I said no. ‘Never again,’ I said.”|He laughed."),
        ("en", "“Is it late?” asked the boy.|“Very.”"),
        ("en", "He paused… then went on.|No one spoke."),
        ("en", "It cost 3.50 in all.|She paid at 5 p.m. and left."),
        ("en", "The line broke\nin the middle of it.|Then it ended."),
        ("fr", "M. Tardieu et Mme. Roche sont venus.|Mlle. Anne non."),
        ("fr", "--M. Tardieu est là ?|--Non, dit-elle."),
        ("fr", "« Où vas-tu ? » demanda-t-il.|« Là-bas. »"),
        ("de", "Am 3. Mai kam Dr. Lenz.|Es regnete."),
        ("de", "»Wer da?« rief er.|»Ich.«"),
        ("es", "¿Quién es?|¡Soy yo!|El Sr. Lara no contestó."),
        ("es", "—No sé —dijo la Sra. Lara—.|Pregunte usted."),
        ("ru", "— Кто там? — спросил он.|— Я."),
        ("ru", "Г. Орлов приехал в 1815 г.|Шёл снег и т. д. без конца."),
        ("de", "Herr Dr. Lenz u. a. kamen.|Frau Prof. Brakel nicht."),
        ("de", "„Wer?“, fragte er.|„Ich.“|Z. B. im 2. Haus am Bach."),
        ("es", "Vino D. Ramiro con la Srta. Orla.|Ud. lo sabe."),
        ("es", "Era tarde… y llovía.|Nadie habló."),
        ("ru", "Вошёл А. П. Оршанин.|На ул. Садовой было темно."),
        ("ru", "Он молчал… потом ушёл.|«Кто там?» — спросили.|Никто."),
        ("zh", "她问道：“谁在那里？”|没有人回答。"),
        ("und", "La dott.ssa non c’era.|Pioveva…|Nessuno aprì!"),
        ("und", "Kto tam?|Nikt nie odpowiedział."),
        ("ko", '그는 웃었다.|"누구세요?" 하고 물었다.|대답이 없었다.'),
        ("ko", '"가자."|그녀가 일어섰다…|밤이었다.'),
        ("zh", "她問道：「誰在那裡？」|沒有人回答。|風很大！"),
        ("zh", "「我……我不知道。」|他低下頭。"),
        ("zh", "他說「走吧！」，就走了。|門開著。"),
        ("ja", "「どなた？」と彼女は聞いた。|返事はなかった。"),
        ("ja", "「行こう。|早く！」|雨が降っていた……"),
        ("und", "Chi va là?|Nessuno rispose."),
        ("und", "वह चला गया।|कोई नहीं बोला।"),
    ],
)
def test_sentences_end_where_readers_see_them_end(language: str, marked: str) -> None:
    expected = marked.split("|")
    text = ("" if language in ("zh", "ja") else " ").join(expected)
    assert sentences(text, language) == expected


def test_stray_marks_join_the_sentence_before() -> None:
    assert sentences("He left. ” …", "en") == ["He left. ” …"]


def test_a_sentence_is_cut_only_above_the_limit_and_only_after_semicolon_or_comma() -> None:
    clause = "the rope ran out over the wet stones and down to the boats"
    short = ", ".join([clause] * 9) + "."
    long = ", ".join([clause] * 6) + "; " + ", ".join([clause] * 8) + "."
    assert len(short) < LONGEST < len(long)
    assert sentences(short, "en") == [short]
    parts = sentences(long, "en")
    assert parts[0].endswith(";")
    assert all(len(part) <= LONGEST for part in parts)
    assert " ".join(parts) == long
    assert sentences("x" * 2000, "en") == ["x" * 2000]


def test_a_long_sentence_in_a_script_without_spaces_is_cut_too() -> None:
    parts = sentences("雨一直下，" * 200 + "。", "zh")
    assert len(parts) > 1
    assert "".join(parts) == "雨一直下，" * 200 + "。"


TEXTS = st.text(st.sampled_from("aB Éж다說。.!?…,;\"'“”‘’«»「」—-- \n\t1M；，　🙂é\u0301"), max_size=200) | st.text(
    max_size=80
)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(languages()))
def test_sentences_are_in_order_and_cover_all_that_is_no_space(text: str, language: str) -> None:
    at = 0
    for span in split_sentences(text, language_table(language)):
        assert at <= span.start < span.end <= len(text)
        assert not text[at : span.start].strip()
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        at = span.end
    assert not text[at:].strip()


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("ab ,; "), min_size=600, max_size=2500))
def test_no_piece_is_longer_than_the_limit_where_a_comma_allows(text: str) -> None:
    for span in split_sentences(text, language_table("en")):
        piece = text[span.start : span.end]
        assert len(piece) <= LONGEST or not set(piece[:LONGEST].rstrip(" ")[:-1]) & set(",;")
