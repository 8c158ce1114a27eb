"""Names of several words, possessive names, and nouns with capitals: each kind in several languages."""

import pytest

from analyzer.text.candidates import BookStats, descriptors, new_forms
from analyzer.text.languages import language_table


def forms(text, language, chapter_of, book=""):
    table = language_table(language)
    stats = BookStats.of_text(book, table) if book else None
    return {form.surface: form for form in new_forms(chapter_of(text, language), table, (), stats)}


def described(text, language, chapter_of):
    return {found.head: found for found in descriptors(chapter_of(text, language), language_table(language))}


def test_a_church_keeps_its_possessive_and_the_saint_alone_is_not_asked_about(chapter_of):
    found = forms("They rang at Saint Wenna’s all day. The roof of Saint Wenna’s had fallen in.", "en", chapter_of)
    assert found["Saint Wenna’s"].n == 2
    assert "Saint Wenna" not in found


def test_an_owner_with_his_goods_stays_a_plain_name(chapter_of):
    found = forms("She took Marrow’s hat, and Marrow’s boots, and they met Marrow.", "en", chapter_of)
    assert "Marrow" in found and not any(surface.endswith("’s") for surface in found)


def test_a_house_is_called_by_its_owner_after_a_word_of_place(chapter_of):
    found = forms("They supped at Marrow’s, and Marrow paid.", "en", chapter_of)
    assert {"Marrow’s", "Marrow"} <= set(found)


def test_a_common_noun_with_a_capital_belongs_to_the_possessive_before_it(chapter_of):
    found = forms("He was born in Marrow’s Yard, and no yard was dirtier.", "en", chapter_of)
    assert "Marrow’s Yard" in found and "Yard" not in found


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "The boat was bound for Great Wenlow, and they slept.", "Great Wenlow"),
        ("fr", "Le bateau partait pour Grand Brisac, et ils dormaient.", "Grand Brisac"),
        ("es", "El barco salía para Buena Serra, y dormían.", "Buena Serra"),
    ],
)
def test_an_adjective_with_a_capital_belongs_to_the_name(language, text, name, chapter_of):
    assert name in forms(text, language, chapter_of)


def test_an_adjective_that_opens_a_sentence_belongs_to_no_name(chapter_of):
    assert "Poor Wenlow" not in forms("Poor Wenlow slept. They woke Wenlow.", "en", chapter_of)


def test_a_thing_is_called_by_a_name_and_a_noun_after_an_article(chapter_of):
    found = forms(
        "They saw the Skerry light go out. Skerry was dark, and a Skerry lamp is a rare thing.", "en", chapter_of
    )
    assert "Skerry light" in found and "Skerry lamp" not in found


def test_a_hyphenated_noun_that_comes_back_with_an_article_is_a_thing_with_a_name(chapter_of):
    found = forms("He wrote it in the tide-book. The tide-book was gone, and the day-book too.", "en", chapter_of)
    assert found["tide-book"].n == 2
    assert "day-book" not in found


@pytest.mark.parametrize(
    ("language", "text", "whole", "inner"),
    [
        ("en", "She lived in the village of the Orrins, and the Orrins fished.", "village of the Orrins", "Orrins"),
        ("fr", "Elle vivait dans le village des Orrins, et ils pêchaient.", "village des Orrins", "Orrins"),
    ],
)
def test_a_people_and_its_village_are_both_asked_about(language, text, whole, inner, chapter_of):
    assert {whole, inner} <= set(forms(text, language, chapter_of))


def test_a_title_in_a_row_of_capitals_begins_another_name(chapter_of):
    found = forms("In Sloe Lane Aunt Meg was asleep.", "en", chapter_of)
    assert {"Sloe Lane", "Aunt Meg"} <= set(found)


GERMAN = """Am Abend sagte Brakel, daß die Mühle leer sei. Das Korn war verkauft, und Brakel ging mit der Laterne in den Keller.
„Brakel“, rief Frau Imsen, „der Müller kommt.“ Der Keller war dunkel. Die Laterne ging aus. Brakel blieb stehen.
Ein Kornhändler aus Wessel trat ein. Der Kornhändler fragte nach dem Korn. Brakel reiste nach Wessel und nach Wessel zurück."""


def test_german_names_are_told_from_nouns_by_articles_titles_and_speech(chapter_of):
    found = forms(GERMAN, "de", chapter_of)
    assert {"Brakel", "Frau Imsen", "Wessel"} <= set(found)
    assert not {"Mühle", "Korn", "Laterne", "Keller", "Abend", "Kornhändler"} & set(found)


def test_a_german_name_with_an_article_counts_where_it_is_called(chapter_of):
    text = (
        "Der Veitl lachte. „Komm, Veitl, komm!“ sagte Veitl zu sich. Der Stein lag da. Der Stein fiel. Der Stein brach."
    )
    found = forms(text, "de", chapter_of)
    assert "Veitl" in found and "Stein" not in found


def test_german_descriptions_know_cases_and_compounds(chapter_of):
    found = described(
        "Sein Vater rief den alten Holzhändler. Die Tochter des Müllers kam mit dem Brief.", "de", chapter_of
    )
    assert (found["vater"].relation, found["vater"].possessor) == ("parent_of", "third")
    assert {"holzhändler", "tochter", "müller", "brief"} <= set(found)


def test_russian_names_and_descriptions_stand_without_articles(chapter_of):
    text = (
        "Вошёл Оршанин. — Где моя сестра? — спросил Оршанин. Старуха позвала дворника. Обернувшись, он увидел Ладогу."
    )
    found = forms(text, "ru", chapter_of)
    assert "Оршанин" in found and "Обернувшись" not in found
    people = described(text, "ru", chapter_of)
    assert (people["сестра"].relation, people["сестра"].possessor) == ("sibling_of", "speaker")
    assert {"старуха", "дворник"} <= set(people)


def test_spanish_names_and_descriptions(chapter_of):
    text = (
        "Don Ramiro Velarde llegó a Torrijal. —Mi hermana espera —dijo Velarde. El molinero abrió la puerta a su hija."
    )
    found = forms(text, "es", chapter_of)
    assert {"Ramiro Velarde", "Torrijal"} & set(found) and "Torrijal" in found
    people = described(text, "es", chapter_of)
    assert (people["hermana"].relation, people["hermana"].possessor) == ("sibling_of", "speaker")
    assert (people["hija"].relation, people["hija"].possessor) == ("child_of", "third")
    assert "molinero" in people


@pytest.mark.parametrize(
    ("language", "text", "heads"),
    [
        (
            "en",
            "The reed-wives sang. A lamplighterman and two cuttermen drank.",
            {"reed-wives", "cuttermen", "lamplighterman"},
        ),
        ("ko", "주막집노파가 웃었다. 뱃사공들은 노래하였다.", {"뱃사공"}),
        ("zh", "那漁夫笑了。眾人都看那木匠。", {"漁夫", "木匠"}),
        ("de", "Die Salzfrauen sangen. Der Turmwächter schlief.", {"salzfrauen", "turmwächter"}),
    ],
)
def test_people_are_found_by_the_noun_their_word_ends_in(language, text, heads, chapter_of):
    assert heads <= set(described(text, language, chapter_of))


def test_no_person_is_made_of_a_word_that_only_ends_like_one(chapter_of):
    assert not described("A talisman hung there. The human voice and a Roman coin.", "en", chapter_of)


def test_somebody_is_described_without_an_article(chapter_of):
    found = described("Someone came up the stair and put out the lamp.", "en", chapter_of)
    assert found["someone"].kind_hint == "character"


def test_each_new_man_is_another_until_the_man_comes_back(chapter_of):
    text = "A man in a grey coat sang. Then came a man with a drum. The man woke."
    found = [f for f in descriptors(chapter_of(text, "en"), language_table("en")) if f.head == "man"]
    assert sorted(f.surface for f in found) == ["a man in a grey coat", "a man with a drum"]
    assert sorted(f.n for f in found) == [1, 2]


def test_a_description_is_shown_by_its_most_telling_words(chapter_of):
    text = "The clerk bowed. It was the salt-master’s clerk. The clerk left."
    clerk = described(text, "en", chapter_of)["clerk"]
    assert (clerk.surface, clerk.possessor) == ("the salt-master’s clerk", "the salt-master")


def test_people_of_a_place_are_described_with_the_place(chapter_of):
    found = described("The sexton of Saint Wenna’s slept, and a judge from Orme woke.", "en", chapter_of)
    assert found["sexton"].surface == "the sexton of Saint Wenna" and found["judge"].possessor == "Orme"


def test_a_possessor_is_a_name_and_no_sentence_before_it(chapter_of):
    found = described("The boy was gone. Ilse’s brother knew. Brask was Ilse’s cousin.", "en", chapter_of)
    assert (found["brother"].surface, found["brother"].possessor) == ("Ilse’s brother", "Ilse")
    assert (found["cousin"].surface, found["cousin"].possessor) == ("Ilse’s cousin", "Ilse")


def test_kin_of_kin_belongs_to_that_kin(chapter_of):
    father = described("“My wife’s father is dead,” he said.", "en", chapter_of)["father"]
    assert (father.possessor, father.relation) == ("my wife", "parent_of")


@pytest.mark.parametrize(
    ("language", "text", "head"),
    [
        ("en", "His mother slept. Her mother sang.", "mother"),
        ("zh", "他母親睡了。她母親唱歌。", "母親"),
        ("ko", "그의 어머니는 잤다. 그녀의 어머니는 노래하였다.", "어머니"),
        ("de", "Seine Mutter schlief. Ihre Mutter sang.", "mutter"),
    ],
)
def test_his_and_her_kin_are_two_people(language, text, head, chapter_of):
    found = [f for f in descriptors(chapter_of(text, language), language_table(language)) if f.head == head]
    assert len(found) == 2
