"""Quotations and whose words a sentence is, in several languages' marks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.models.text import Span
from analyzer.text.languages import language_table, languages
from analyzer.text.manuscript import manuscript_from_text
from analyzer.text.quotes import chapter_sources, quotation_spans, source_of


def quotations(text: str, language: str) -> list[str]:
    return [text[s.start : s.end] for s in quotation_spans(text, language_table(language))]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "“Sit,” she said. “Please.”", ["“Sit,”", "“Please.”"]),
        ("en", '"Sit," she said. "Please."', ['"Sit,"', '"Please."']),
        ("en", "“He said ‘no’ twice.”", ["“He said ‘no’ twice.”", "‘no’"]),
        ("en", "‘Don’t,’ she said. ‘It’s late.’", ["‘Don’t,’", "‘It’s late.’"]),
        ("en", "The miller’s boys’ boat.", []),
        ("en", "“No end to it", ["“No end to it"]),
        ("fr", "« Viens », dit-il.", ["« Viens »"]),
        ("fr", "— Viens, dit-il.", ["— Viens, dit-il."]),
        ("fr", "--Non.", ["--Non."]),
        ("de", "„Komm“, sagte er. „Schnell.“", ["„Komm“", "„Schnell.“"]),
        ("de", "»Komm«, sagte er.", ["»Komm«"]),
        ("es", "—Ven —dijo ella—. Es tarde.", ["—Ven ", "—. Es tarde."]),
        ("ru", "— Иди, — сказал он. — Поздно.", ["— Иди, ", "— Поздно."]),
        ("ru", "Он сказал: «Иди».", ["«Иди»"]),
        ("de", "»Er sagte ›nein‹ zu mir«, rief sie.", ["»Er sagte ›nein‹ zu mir«", "›nein‹"]),
        ("de", "„Er sagte ‚nein‘ zu mir“, rief sie.", ["„Er sagte ‚nein‘ zu mir“", "‚nein‘"]),
        ("de", "– Komm, sagte er.", ["– Komm, sagte er."]),
        ("fr", "« Il a dit “non” hier », dit-elle.", ["« Il a dit “non” hier »", "“non”"]),
        ("es", "«Dijo “no” ayer», respondió.", ["«Dijo “no” ayer»", "“no”"]),
        ("es", "—¿Vienes? —preguntó.", ["—¿Vienes? "]),
        ("ru", "«Он сказал „нет“ вчера», — ответила она.", ["«Он сказал „нет“ вчера»", "„нет“"]),
        ("ru", "– Кто там? – спросил он.", ["– Кто там? "]),
        ("zh", "她说：“他说‘不’。”", ["“他说‘不’。”", "‘不’"]),
        ("zh", "她說：『她說「不」。』", ["『她說「不」。』", "「不」"]),
        ("ja", "「彼は『いいえ』と言った」", ["「彼は『いいえ』と言った」", "『いいえ』"]),
        ("ko", "“그가 ‘아니’라고 했어.”", ["“그가 ‘아니’라고 했어.”", "‘아니’"]),
        ("und", "„Chodź”, powiedziała.", ["„Chodź”"]),
        ("und", "«Vieni» disse lei.", ["«Vieni»"]),
        ("und", "– Chodź – powiedziała.", ["– Chodź – powiedziała."]),
        ("ko", '"가자." 그가 말했다.', ['"가자."']),
        ("ko", "'가자'하고 생각했다.", ["'가자'"]),
        ("zh", "他說：「她說『不』。」", ["「她說『不』。」", "『不』"]),
        ("zh", "他說：“走吧。”", ["“走吧。”"]),
        ("ja", "「行こう」と彼は言った。", ["「行こう」"]),
    ],
)
def test_quotations_are_found_with_their_marks(language: str, text: str, expected: list[str]) -> None:
    assert quotations(text, language) == expected


def sources(language: str, *blocks: str) -> list[list[str]]:
    manuscript = manuscript_from_text("\n\n".join(blocks), title="x", language=language)
    assert len(manuscript.chapters[0].blocks) == len(blocks)
    found = chapter_sources(manuscript.chapters[0], language_table(language))
    return [[stretch.source for stretch in stretches] for stretches in found]


@pytest.mark.parametrize(
    ("language", "blocks", "expected"),
    [
        ("en", ["“Sit,” she said.", "He sat."], [["speech"], []]),
        ("en", ["“Who is there?” he thought.", "Nobody."], [["thought"], []]),
        ("en", ["The so-called “harbour” was a ditch."], [[]]),
        (
            "en",
            ["The letter said:", "“Come home at once.", "“Bring the lamp.”", "“Well?” said Ilse."],
            [[], ["document"], ["document"], ["speech"]],
        ),
        (
            "en",
            ["Dear Ilse,", "The roof has fallen in.", "Yours, the ferryman", "She wept."],
            [["document"]] * 3 + [[]],
        ),
        ("en", ["He read the letter: “Come home.”"], [["document"]]),
        ("en", ["_Nobody must know._ She shut the door of the _Anchor_."], [["thought"]]),
        ("ko", ["'누가 왔을까?' 그는 몸을 떨었다.", '"누구요?"'], [["thought"], ["speech"]]),
        ("zh", ["他心想：「不好。」", "「誰？」他問。"], [["thought"], ["speech"]]),
        ("zh", ["信中寫道：「速歸。」"], [["document"]]),
        ("ja", ["（誰だろう。）彼は思った。", "「どなた」"], [["thought"], ["speech"]]),
        ("ru", ["— Иди, — сказал он. — Поздно.", "Он ушёл."], [["speech", "speech"], []]),
        ("de", ["„Wer ist da?“ dachte sie.", "„Ich“, sagte er."], [["thought"], ["speech"]]),
        ("de", ["Im Brief stand geschrieben: „Komm heim.“"], [["document"]]),
        ("de", ["Liebe Ilse,", "das Dach ist fort.", "Dein Bruder", "Sie weinte."], [["document"]] * 3 + [[]]),
        ("es", ["—Ven —dijo ella—. Es tarde.", "Él se fue."], [["speech", "speech"], []]),
        ("es", ["«¿Quién será?», pensó.", "Nadie."], [["thought"], []]),
        ("es", ["Querida Orla:", "El techo cayó.", "Suyo, el barquero", "Lloró."], [["document"]] * 3 + [[]]),
        ("ru", ["«Кто там?» — подумала она.", "«Я», — сказал он."], [["thought"], ["speech"]]),
        ("ru", ["Милая Вера,", "крыша рухнула.", "Твой Тихон", "Она плакала."], [["document"]] * 3 + [[]]),
        ("ru", ["Она вошла. «Это я», — сказал он."], [["speech"]]),
        ("de", ["Sie kam. „Ich bin es“, sagte er."], [["speech"]]),
        ("es", ["Entró. «Soy yo», dijo."], [["speech"]]),
        ("de", ["Sie kam. Der „Hafen“ war ein Graben."], [[]]),
        ("zh", ["她心想：“不好。”", "“谁？”他问。"], [["thought"], ["speech"]]),
        ("ja", ["澪は手をついた。「わたし、お嫁には行きません」"], [["speech"]]),
        ("zh", ["她跪下了。「我不嫁」"], [["speech"]]),
        ("ko", ['미오는 무릎을 꿇었다. "저는 안 가요"'], [["speech"]]),
        ("en", ["She knelt. “I will not go”"], [["speech"]]),
        ("ja", ["名は「澪」。「港」は溝だった。"], [[]]),
        ("fr", ["« Viens, dit-il.", "--Non.", "--Pourquoi ?»", "Elle partit."], [["speech"]] * 3 + [[]]),
    ],
)
def test_whose_words_they_are(language: str, blocks: list[str], expected: list[list[str]]) -> None:
    assert sources(language, *blocks) == expected


def test_speech_of_several_paragraphs_with_a_mark_at_each_start() -> None:
    found = sources("en", "“It began in spring.", "“Then the rain came.”", "She fell silent.")
    assert found == [["speech"], ["speech"], []]


@pytest.mark.parametrize(
    ("language", "blocks"),
    [
        ("de", ["»Es war im Frühling.", "»Dann kam der Regen.«"]),
        ("de", ["„Es war im Frühling.", "„Dann kam der Regen.“"]),
        ("es", ["«Fue en primavera.", "»Luego vino la lluvia.»"]),
        ("ru", ["«Это было весной.", "«Потом пошёл дождь»."]),
        ("fr", ["« C’était au printemps.", "« Puis vint la pluie. »"]),
        ("zh", ["「那是春天。", "「後來下雨了。」"]),
        ("zh", ["“那是春天。", "“后来下雨了。”"]),
        ("ko", ["“봄이었다.", "“그리고 비가 왔다.”"]),
    ],
)
def test_speech_goes_on_over_paragraphs_in_every_language(language: str, blocks: list[str]) -> None:
    assert sources(language, *blocks) == [["speech"], ["speech"]]


def test_speech_of_several_paragraphs_with_a_mark_only_at_the_end() -> None:
    assert sources("ja", "「春のことだ。", "雨が来た。", "それで終わりだ」", "彼は黙った。") == [["speech"]] * 3 + [[]]


def test_a_forgotten_closing_mark_does_not_swallow_the_chapter() -> None:
    assert sources("en", "“It began in spring.", "She fell silent.", "“And then?” he asked.") == [
        ["speech"],
        [],
        ["speech"],
    ]


def test_a_chapter_without_blocks_has_no_sources() -> None:
    chapter = manuscript_from_text("Chapter 1\n\nShe slept.\n\nChapter 2\n", title="x", language="en").chapters[1]
    assert chapter_sources(chapter, language_table("en")) == ()
    assert source_of(chapter, 1, Span(0, 4), language_table("en")) == "narration"


def test_the_source_of_a_sentence_is_that_of_most_of_it() -> None:
    table = language_table("en")
    chapter = manuscript_from_text(
        "“The boat is gone,” she said. He ran out into the rain.", title="x", language="en"
    ).chapters[0]
    first, second = chapter.blocks[0].sentences
    assert source_of(chapter, 1, first, table) == "speech"
    assert source_of(chapter, 1, second, table) == "narration"
    assert source_of(chapter, 9, first, table) == "narration"
    assert source_of(chapter, 1, Span(0, 0), table) == "narration"


TEXTS = st.text(st.sampled_from("ab Éж다說。.!?…,\"'“”‘’«»「」『』„（）—- \n"), max_size=120)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(languages()))
def test_quotations_are_ordered_inside_the_block_and_nested_or_apart(text: str, language: str) -> None:
    spans = quotation_spans(text, language_table(language))
    assert list(spans) == sorted(spans, key=lambda s: (s.start, -s.end))
    for i, span in enumerate(spans):
        assert 0 <= span.start < span.end <= len(text)
        for later in spans[i + 1 :]:
            assert later.start >= span.end or later.end <= span.end


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=6), st.sampled_from(languages()))
def test_stretches_are_in_order_apart_and_inside_their_block(blocks: list[str], language: str) -> None:
    chapter = manuscript_from_text("\n\n".join(blocks), title="x", language=language).chapters[0]
    found = chapter_sources(chapter, language_table(language))
    assert len(found) == len(chapter.blocks)
    for block, stretches in zip(chapter.blocks, found, strict=True):
        at = 0
        for stretch in stretches:
            assert at <= stretch.start < stretch.end <= len(block.text)
            at = stretch.end
