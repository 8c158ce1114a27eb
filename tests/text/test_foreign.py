"""Chapters in another language than their book, and the two Chinese scripts: found, shown, read by their own tables."""

from __future__ import annotations

import pytest

from analyzer.text.detect import detect_language, primary
from analyzer.text.fold import fold_name as matched_form
from analyzer.text.foreign import other_languages, with_languages
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text, preview
from analyzer.text.namefold import fold_name
from analyzer.text.names import NameMatcher
from tests.text.test_chapters import PROSE

SIMPLIFIED = "灯灭了，屋里的人都没有动，因为每个人都听见了楼梯上的脚步声，而那不是他的。" * 4


def mixed(*parts: tuple[str, str]) -> str:
    """Chapters of (heading, language of the prose below it)."""
    return "\n\n".join(
        f"{heading}\n\n{PROSE[language].strip()}\n\n{PROSE[language].strip()}" for heading, language in parts
    )


@pytest.mark.parametrize(
    ("book", "other", "headings"),
    [
        ("en", "fr", ("Chapter 1", "Chapitre 2", "Chapter 3")),
        ("fr", "ru", ("Chapitre 1", "Глава вторая", "Chapitre 3")),
        ("ko", "en", ("제1장", "Chapter Two", "제3장")),
        ("zh", "ja", ("第一章", "第二話", "第三章")),
        ("ja", "en", ("第一話", "第二話", "第三話")),
        ("de", "es", ("Erstes Kapitel", "Capítulo segundo", "Drittes Kapitel")),
        ("ru", "fr", ("Глава 1", "Глава 2", "Глава 3")),
    ],
)
def test_a_chapter_in_another_language_is_found_and_read_by_its_own_table(
    book: str, other: str, headings: tuple[str, str, str]
) -> None:
    text = mixed((headings[0], book), (headings[1], other), (headings[2], book))
    manuscript = manuscript_from_text(text, title="x", language=None)
    assert [primary(c.language) for c in manuscript.chapters[:3]] == [book, other, book]
    assert [c.heading for c in manuscript.chapters[:3]] == list(headings)
    assert [primary(row.language) for row in preview(manuscript)[:3]] == [book, other, book]
    assert preview(manuscript)[1].reason.startswith("chapter word and number")


def test_sentences_of_a_foreign_chapter_are_cut_by_its_own_abbreviations() -> None:
    french = (
        "M. Tardieu avait fermé la porte et il était sorti dans la cour avec sa lampe, car on entendait le vent. " * 4
    )
    text = f"Chapter 1\n\n{PROSE['en']}\n\n{PROSE['en']}\n\nChapter 2\n\n{french}\n\nChapter 3\n\n{PROSE['en']}\n"
    chapter = manuscript_from_text(text, title="x", language=None).chapters[1]
    assert chapter.language == "fr"
    assert len(chapter.blocks[0].sentences) == 4


def test_the_authors_word_on_the_language_is_not_undone_chapter_by_chapter() -> None:
    text = mixed(("Capítulo 1", "es"), ("Capítulo 2", "es"))
    assert {c.language for c in manuscript_from_text(text, title="x", language="und").chapters} == {"und"}


def test_the_certainty_is_kept_and_is_whole_where_the_author_named_the_language() -> None:
    text = mixed(("Chapitre 1", "fr"), ("Chapitre 2", "fr"))
    assert 0.5 < manuscript_from_text(text, title="x", language=None).language_certainty <= 1
    assert manuscript_from_text(text, title="x", language="fr").language_certainty == 1


def test_a_letter_or_a_short_chapter_in_another_language_makes_no_exception() -> None:
    text = f"Chapter 1\n\n{PROSE['en']}\n\nMa chère amie, je suis arrivé hier soir.\n\n{PROSE['en']}\n\nChapter 2\n\nOui.\n"
    assert {c.language for c in manuscript_from_text(text, title="x", language=None).chapters} == {"en"}


def test_a_language_without_a_table_makes_no_exception() -> None:
    italian = "La lampada si spense e nessuno nella stanza si mosse, perché tutti avevano sentito il passo. " * 6
    text = f"Chapter 1\n\n{PROSE['en']}\n\n{PROSE['en']}\n\nChapter 2\n\n{italian}\n\nChapter 3\n\n{PROSE['en']}\n"
    assert {c.language for c in manuscript_from_text(text, title="x", language=None).chapters} == {"en"}


def test_a_language_already_set_for_a_chapter_stays() -> None:
    from analyzer.text.chapters import split_chapters
    from analyzer.text.readers._reader import SourceText

    text = mixed(("Chapter 1", "en"), ("Chapter 2", "fr"))
    plan = split_chapters(SourceText("x", text), language_table("en"))
    plan = plan._replace(chapters=(plan.chapters[0]._replace(language="de"), plan.chapters[1]))
    assert [c.language for c in with_languages(plan, text, {"en"}).chapters] == ["de", "fr"]


def test_a_book_in_one_language_holds_no_other() -> None:
    for language in ("en", "fr", "de", "es", "ru", "ko", "zh", "ja"):
        assert other_languages(PROSE[language] * 20, {language}) == ()


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        (SIMPLIFIED, "zh-Hans"),
        (PROSE["zh"], "zh-Hant"),
        (SIMPLIFIED + PROSE["zh"], "zh"),
        ("他走了，我也走了。", "zh"),
        ("他在 Paris 遇见了 Monsieur Roche，两个人都没有说话，雨下了一整夜。", "zh-Hans"),
        (PROSE["ja"], "ja"),
    ],
)
def test_the_two_chinese_scripts_are_told_apart_by_signs_only_one_has(text: str, tag: str) -> None:
    found, certainty = detect_language(text)
    assert found == tag
    assert 0.7 < certainty <= 1


def test_no_sign_counts_for_both_chinese_scripts() -> None:
    script = language_table("zh").script
    assert not set(script["simplified"]) & set(script["traditional"])
    assert len(script["simplified"]) > 300 < len(script["traditional"])


@pytest.mark.parametrize("tag", ["zh", "zh-Hans", "zh-Hant", "zh-TW", "ZH-hant-HK"])
def test_both_chinese_scripts_share_one_table_that_is_loaded_once(tag: str) -> None:
    assert language_table(tag) is language_table("zh")


def test_a_book_in_either_chinese_script_says_so_and_is_cut_alike() -> None:
    for prose, tag in ((PROSE["zh"], "zh-Hant"), (SIMPLIFIED, "zh-Hans")):
        manuscript = manuscript_from_text(f"第一章\n\n{prose}\n\n第二章\n\n{prose}\n", title="x", language=None)
        assert manuscript.language == tag
        assert [(c.label, c.language) for c in manuscript.chapters] == [("一", tag), ("二", tag)]


def test_names_in_the_two_chinese_scripts_are_never_made_one_by_conversion() -> None:
    # 云 is a name of its own and the simplified 雲; 范 and 範 are two surnames; only the author or a reader can tell
    for one, other in (("張雲", "张云"), ("雲生", "云生"), ("範明", "范明")):
        assert fold_name(one) != fold_name(other)
        assert matched_form(one) != matched_form(other)
    matcher = NameMatcher.build({"張雲": ["@1"], "张云": ["@2"]}, language_table("zh-Hant"))
    assert [m.handles for m in matcher.find("張雲來了，张云也来了。")] == [("@1",), ("@2",)]
