"""The language of a text, and an honest "und" where no table fits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.detect import detect_language, primary
from analyzer.text.languages import language_table, languages


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            "The lamp went out and nobody in the room moved, for they had all heard the step on the stair, and it was not his.",
        ),
        (
            "fr",
            "La lampe s'éteignit et personne ne bougea dans la chambre, car ils avaient tous entendu le pas qui montait.",
        ),
        (
            "de",
            "Die Lampe erlosch, und niemand im Zimmer rührte sich, denn sie hatten alle den Schritt auf der Treppe gehört.",
        ),
        (
            "es",
            "La lámpara se apagó y nadie se movió en el cuarto, porque todos habían oído los pasos que subían por la escalera.",
        ),
        (
            "ru",
            "Лампа погасла, и никто в комнате не шевельнулся, потому что все они слышали шаги на лестнице, и это был не он.",
        ),
        ("ko", "등불이 꺼졌고 방 안의 아무도 움직이지 않았다. 모두가 계단을 오르는 발소리를 들었기 때문이다."),
        ("zh-Hant", "燈滅了，屋裡的人都沒有動，因為每個人都聽見了樓梯上的腳步聲，而那不是他的。"),
        ("ja", "灯りが消え、部屋の誰も動かなかった。階段を上る足音を皆が聞いていたからである。"),
        (
            "und",
            "La lampada si spense e nessuno nella stanza si mosse, perché tutti avevano sentito il passo sulle scale.",
        ),
        ("und", "A lâmpada apagou-se e ninguém se mexeu, porque todos tinham ouvido o passo na escada de madeira."),
        ("und", "De lamp ging uit en niemand in de kamer bewoog, want ze hadden allemaal de stap op de trap gehoord."),
        ("und", "Lampa zgasła i nikt w izbie się nie poruszył, bo wszyscy usłyszeli krok na schodach."),
        ("und", "El llum es va apagar i ningú no es va moure, perquè tots havien sentit el pas a l'escala."),
        ("und", "Світло згасло, і ніхто в кімнаті не ворухнувся, бо всі почули кроки на сходах."),
        ("und", "Лампата изгасна и никой в стаята не помръдна, защото всички чуха стъпките по стълбите."),
        ("und", "Lampan slocknade och ingen i rummet rörde sig, ty alla hade hört stegen i trappan."),
        ("und", "दीपक बुझ गया और कमरे में कोई नहीं हिला।"),
        ("und", "انطفأ المصباح ولم يتحرك أحد في الغرفة."),
        ("und", "12 — 14!"),
        ("und", ""),
    ],
)
def test_the_language_is_named_or_left_open(language: str, text: str) -> None:
    tag, confidence = detect_language(text)
    assert tag == language
    assert 0 <= confidence <= 1


def test_names_in_another_script_do_not_turn_the_language() -> None:
    assert detect_language("민수는 New York Times 기자와 Mr. Brown을 만났다. 아무 말도 하지 않았다.")[0] == "ko"
    assert detect_language("他在 Paris 遇見了 Monsieur Roche，兩個人都沒有說話，雨下了一整夜。")[0] == "zh-Hant"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gets_a_tag_with_a_table(text: str) -> None:
    tag, confidence = detect_language(text)
    assert language_table(tag).tag == primary(tag) in languages()
    assert 0 <= confidence <= 1
