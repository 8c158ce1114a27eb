"""Headings in every language: numbers in all their shapes, kinds, and lines that only look like a heading."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.headings import match_heading
from analyzer.text.languages import language_table, languages
from analyzer.text.manuscript import preview
from tests.text.test_chapters import PROSE, book

SHAPES = {
    "en": [
        "Chapter 7",
        "Chapter VII",
        "CHAPTER SEVEN",
        "Seventh Chapter",
        "Chapter the Seventh",
        "Ch. 7: Rope",
        "[Chapter 7]",
    ],
    "fr": [
        "Chapitre 7",
        "CHAPITRE VII",
        "Chapitre sept",
        "Septième chapitre",
        "CHAPITRE SEPTIEME",
        "Épisode 7 – La corde",
    ],
    "de": [
        "Kapitel 7",
        "7. Kapitel",
        "Kapitel VII",
        "Siebentes Kapitel",
        "Das siebte Kapitel",
        "Kapitel Sieben: Das Seil",
    ],
    "es": [
        "Capítulo 7",
        "CAPITULO VII",
        "Capítulo séptimo",
        "CAPITULO SEPTIMO",
        "Séptimo capítulo",
        "Capítulo siete. La cuerda",
    ],
    "ru": ["Глава 7", "Глава VII", "Глава седьмая", "ГЛАВА СЕДЬМАЯ", "Седьмая глава", "Глава 7. Верёвка"],
    "ko": ["제7장", "제 7 장", "제칠장", "7화", "7화. 밧줄", "일곱째 마당", "챕터 7", "７화"],
    "zh": ["第七章", "第七回　繩", "第7章", "第７章 繩", "第柒章", "7章 绳", "Chapter 7", "第七話"],
    "ja": ["第七章", "第七話　縄", "７話", "その七", "其の七", "第7話「縄」", "第七夜"],
    "und": [
        "Capitolo 7",
        "Capitolo settimo",
        "CAPITOLO VII",
        "Rozdział 7",
        "Rozdział siódmy",
        "Kapitola 7",
        "Capítulo sétimo",
        "7. fejezet",
    ],
}
LAST = {
    "en": ["Final Chapter", "The Last Chapter: Home"],
    "fr": ["Dernier chapitre", "CHAPITRE DERNIER"],
    "de": ["Letztes Kapitel", "Das letzte Kapitel"] ,
    "es": ["Último capítulo", "CAPITULO FINAL"],
    "ru": ["Последняя глава", "Глава последняя"],
    "ko": ["최종화", "마지막 화"],
    "zh": ["最終章", "大结局"],
    "ja": ["最終話", "最終章　家"],
    "und": ["Ultimo capitolo", "Ostatni rozdział"],
}  # fmt: skip
KINDS = {
    "en": {
        "prologue": "Prologue",
        "interlude": "Interlude",
        "side_story": "Bonus Chapter",
        "epilogue": "EPILOGUE",
        "front": "Foreword",
        "back": "Acknowledgements",
    },
    "fr": {
        "prologue": "Prologue",
        "interlude": "Intermède",
        "side_story": "Hors-série",
        "epilogue": "EPILOGUE",
        "front": "PREFACE",
        "back": "Postface",
    },
    "de": {
        "prologue": "Prolog",
        "interlude": "Zwischenspiel",
        "side_story": "Bonuskapitel",
        "epilogue": "Epilog",
        "front": "Vorwort",
        "back": "Nachwort",
    },
    "es": {
        "prologue": "PROLOGO",
        "interlude": "Interludio",
        "side_story": "Historia paralela",
        "epilogue": "Epílogo",
        "front": "Prefacio",
        "back": "Apéndice",
    },
    "ru": {
        "prologue": "Пролог",
        "interlude": "Интерлюдия",
        "side_story": "Побочная история",
        "epilogue": "ЭПИЛОГ",
        "front": "Предисловие",
        "back": "Послесловие автора",
    },
    "ko": {
        "prologue": "프롤로그",
        "interlude": "막간",
        "side_story": "외전",
        "epilogue": "에필로그",
        "front": "작가의 말",
        "back": "작가 후기",
    },
    "zh": {
        "prologue": "楔子",
        "interlude": "间章",
        "side_story": "番外",
        "epilogue": "尾聲",
        "front": "前言",
        "back": "后记",
    },
    "ja": {
        "prologue": "プロローグ",
        "interlude": "幕間",
        "side_story": "番外編",
        "epilogue": "終章",
        "front": "まえがき",
        "back": "あとがき",
    },
    "und": {
        "prologue": "Prologo",
        "interlude": "Intermezzo",
        "side_story": "Bonus",
        "epilogue": "Epilog",
        "front": "Prefazione",
        "back": "Posłowie",
    },
}
PARTS = {
    "en": ("Part One", "PART TWO"), "fr": ("Première partie", "Livre II"), "de": ("Erster Teil", "Zweites Buch"),
    "es": ("Primera parte", "PARTE SEGUNDA"), "ru": ("Часть первая", "Книга вторая"), "ko": ("제1부", "2권"),
    "zh": ("第一卷", "卷二　雪"), "ja": ("第一部", "二の巻"), "und": ("Parte prima", "Część 2"),
}  # fmt: skip
NO_HEADINGS = [
    "1984",
    "3-2",
    "3–2",
    "12:30",
    "1.500",
    "24.12.",
    "2 : 1",
    "I am.",
    "...",
    "—",
    "!",
    "①",
    "VII",
    "Mix",
    "DI",
    "III, IV",
]


@pytest.mark.parametrize(("language", "line"), [(tag, line) for tag, lines in SHAPES.items() for line in lines])
def test_every_shape_of_a_number_has_its_value_and_label(language: str, line: str) -> None:
    heading = match_heading(line, language_table(language))
    assert heading is not None and heading.style == "word"
    assert heading.number == 7
    assert heading.label and heading.label in line


@pytest.mark.parametrize(("language", "line"), [(tag, line) for tag, lines in LAST.items() for line in lines])
def test_a_last_chapter_needs_no_number(language: str, line: str) -> None:
    first = SHAPES[language][0]
    manuscript = book(language, first, "~", line, "~")
    assert [(c.kind, c.heading) for c in manuscript.chapters] == [("chapter", first), ("chapter", line)]


@pytest.mark.parametrize(
    ("language", "kind", "line"), [(tag, kind, line) for tag, kinds in KINDS.items() for kind, line in kinds.items()]
)
def test_every_kind_is_known_in_every_language(language: str, kind: str, line: str) -> None:
    numbered = (SHAPES[language][0], "~")
    manuscript = book(language, *((line, "~", *numbered) if kind == "front" else (*numbered, line, "~")))
    assert {(c.kind, c.heading) for c in manuscript.chapters} == {("chapter", SHAPES[language][0]), (kind, line)}


@pytest.mark.parametrize("language", PARTS)
def test_chapters_may_start_again_in_every_part_and_keep_their_labels(language: str) -> None:
    one, two = SHAPES[language][0].replace("7", "1"), SHAPES[language][0].replace("7", "2")
    if language in ("zh", "ja"):
        one, two = "第一章", "第二章"
    first, second = PARTS[language]
    manuscript = book(language, first, one, "~", two, "~", second, one, "~", two, "~")
    assert [c.heading for c in manuscript.chapters] == [one, two, one, two]
    assert [c.no for c in manuscript.chapters] == [1, 2, 3, 4]
    assert [d.reason for d in manuscript.dropped] == ["part heading", "part heading"]
    assert {row.confidence for row in preview(manuscript)} == {0.98}


@pytest.mark.parametrize("language", SHAPES)
@pytest.mark.parametrize("line", NO_HEADINGS)
def test_a_line_that_only_looks_like_a_number_is_a_block(language: str, line: str) -> None:
    first = SHAPES[language][0]
    manuscript = book(language, first, "~", line, "~")
    assert [c.heading for c in manuscript.chapters] == [first]
    assert len(book(language, "~", line, "~").chapters) == 1


def test_a_poem_of_lines_like_roman_numerals_is_no_chapters() -> None:
    poem = ["MIX", "I", "DIM", "VIVID", "LID", "I", "CIVIL", "MILD", "II", "MIDI"]
    manuscript = book("en", "Chapter 1", "~", *poem, "~", "Chapter 2", "~")
    assert [c.label for c in manuscript.chapters] == ["1", "2"]
    assert len(book("en", "~", *poem, "~").chapters) == 1


@pytest.mark.parametrize(
    ("language", "letter", "items", "closing"),
    [
        ("en", "Dear Ilse,", ["1. Mend the roof", "2. Feed the goose", "3. Burn this list"], "Yours, Piers"),
        ("fr", "Chère Odile,", ["1. Le toit", "2. L'oie", "3. La liste"], "Votre dévoué Bastien"),
        ("de", "Liebe Ilse,", ["1. Das Dach", "2. Die Gans", "3. Die Liste"], "Dein Piers"),
        ("es", "Querida Orla:", ["I. El tejado", "II. La oca", "III. La lista"], "Suyo, Ramiro"),
        ("ru", "Милая Вера,", ["1. Крыша", "2. Гусыня", "3. Список"], "Твой Тихон"),
        ("ko", "가온에게", ["1. 지붕", "2. 거위", "3. 목록"], "나루"),
        ("zh", "親愛的月兒：", ["一、屋頂", "二、鵝", "三、單子"], "河"),
        ("ja", "葵へ", ["一、屋根", "二、鵞鳥", "三、紙"], "蓮"),
        ("und", "Cara Orla,", ["1. Il tetto", "2. L'oca", "3. La lista"], "Tuo Piero"),
    ],
)
def test_a_numbered_list_inside_a_letter_is_no_chapters(
    language: str, letter: str, items: list[str], closing: str
) -> None:
    assert len(book(language, "~", letter, *items, closing, "~").chapters) == 1
    headed = book(language, SHAPES[language][0], "~", letter, *items, closing, "~")
    assert [c.heading for c in headed.chapters] == [SHAPES[language][0]]


def test_a_list_of_long_items_in_a_book_of_bare_numbers_starts_no_chapter() -> None:
    items = ["1. Mend the roof before the rain", "2. Feed the goose and count her eggs", "3. Burn this list at once"]
    manuscript = book("en", "1", "~", "2", "~", "The letter said:", *items, "~", "3", "~")
    assert [c.label for c in manuscript.chapters] == ["1", "2", "3"]


def test_lettered_and_decimal_numbers_are_chapters_of_their_own() -> None:
    manuscript = book(
        "en", "Chapter 1", "~", "Chapter 2a", "~", "Chapter 2b", "~", "Chapter 2.5", "~", "Chapter 3", "~"
    )
    assert [c.label for c in manuscript.chapters] == ["1", "2a", "2b", "2.5", "3"]


@pytest.mark.parametrize(
    ("language", "title", "lines"),
    [
        ("de", "Inhalt", ["Erstes Kapitel", "Zweites Kapitel", "Drittes Kapitel"]),
        ("es", "Índice", ["Capítulo primero", "Capítulo segundo", "Capítulo tercero"]),
        ("es", "INDICE", ["I. La puerta", "II. El pozo", "III. La oca"]),
        ("ru", "Оглавление", ["Глава первая", "Глава вторая", "Глава третья"]),
        ("fr", "Table des matières", ["Chapitre I", "Chapitre II", "Chapitre III"]),
        ("ko", "차례", ["제1장 비", "제2장 눈", "제3장 안개"]),
        ("zh", "目录", ["第一章 雨", "第二章 雪", "第三章 雾"]),
        ("ja", "目次", ["第一話　雨", "第二話　雪", "第三話　霧"]),
        ("und", "Indice", ["Capitolo primo", "Capitolo secondo", "Capitolo terzo"]),
        ("und", "Spis treści", ["Rozdział 1", "Rozdział 2", "Rozdział 3"]),
    ],
)
def test_a_contents_list_is_no_chapters_in_any_language(language: str, title: str, lines: list[str]) -> None:
    parts = [part for line in lines for part in (line, "~")]
    manuscript = book(language, f"{title}\n\n" + "\n".join(lines), *parts)
    assert [c.heading for c in manuscript.chapters] == lines
    assert [d.reason for d in manuscript.dropped] == ["contents"]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Das zweite Kapitel seines Lebens begann mit Regen."),
        ("de", "Teil der Wahrheit war das."),
        ("es", "Parte de la verdad era esa."),
        ("es", "El capítulo tres de la ley fue leído en voz alta."),
        ("fr", "Partie de rien, elle avait tout."),
        ("ru", "Глава города приехал в три часа."),
        ("ru", "Часть вторая была труднее, и она уснула."),
        ("ko", "1장의 종이를 꺼냈다."),
        ("ko", "3회전에서 졌다."),
        ("zh", "第一回合他就輸了。"),
        ("zh", "三章之後，他不再讀了。"),
        ("ja", "第一話を読み終えた彼は、灯りを消した。"),
        ("und", "Parte della verità era questa."),
    ],
)
def test_prose_that_begins_like_a_heading_stays_a_block_in_every_language(language: str, line: str) -> None:
    first = SHAPES[language][0]
    manuscript = book(language, first, "~", line, "~")
    assert [c.heading for c in manuscript.chapters] == [first]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40), st.sampled_from(languages()), st.sampled_from(languages()))
def test_any_line_is_a_heading_or_none_and_its_label_stands_in_it(line: str, language: str, other: str) -> None:
    heading = match_heading(line.strip(), language_table(language), [language_table(other)])
    assert heading is None or heading.number is None or heading.number >= 0


def test_prose_of_every_language_is_known() -> None:
    assert set(SHAPES) == set(KINDS) == set(PARTS) == set(LAST) == set(languages()) == set(PROSE)
