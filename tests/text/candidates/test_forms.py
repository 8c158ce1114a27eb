import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.text.candidates import BookStats, new_forms
from analyzer.text.candidates.candidate import LONGEST_FORM, MOST_WORDS
from analyzer.text.languages import language_table

ENGLISH = """The ferry from Saint Orlan came in late, and Captain Brask swore at the fog.
“Where is Ilse?” asked the harbourmaster. “Ilse Maurer should have met us.”
However, nobody on Quay Street had seen her. Captain Brask went up the hill to old Maurer, and Maurer shook his head.
The marquis of the upper town had sent for the Silver Guild, and Brask & Sons were not on its list.
“Don’t wait, Jonas,” said Ilse’s brother. Jonas waited. He thought of the Island of Velm and of the Maurer family.
However late it was, Jonas would wait. The Very Tall Man laughed, and the royalists laughed with him."""

KOREAN = """안개가 걷히자 해주가 부두로 내려왔다.
"해주야, 어디 가니?" 하고 박도현이 물었다.
"도현 씨를 찾으러 가요." 해주는 웃었다.
그 노인은 해주를 바라보았다. 해주의 손에는 편지가 있었다.
박도현은 한빛은행 서문지점에 다니는 사람이다. 그는 월령산 아래 소라동에 산다.
"유 군, 소라동 예배당에서 만나세." 하고 박도현은 말하였다. 사람들은 해주에게 길을 물었다."""

CHINESE = """白雲鎮上有個少年，名喚柳青河，住在石磨山下。
柳青河道：「師父，我要往落星寺去。」
那道人笑道：「青河，你若見了玄石真人，把這枝『照夜燈』交與他。」
柳青河大喜，辭了師父，徑往落星寺來。玄石真人見了，問：「柳青河，你從白雲鎮來麼？」
柳青河道：「正是。」玄石真人道：「落星寺不是容易來的。」"""

JAPANESE = """三枝さんは朝早く宿を出た。小樽へ行くつもりであった。
「三枝さん、手紙をお忘れです」と宿の娘が云った。ラーゲルという西洋人が笑った。
三枝は白根町の郵便局へ寄り、黒沢先生に端書を出した。Mはまだ来ない。"""

FRENCH = """Le bateau de Saint-Orlan arriva tard, et le capitaine Brasque jurait contre la brume.
--Où est Ilse? demanda le vieux Maurer. Ilse Maurer devait nous attendre à Velmont.
L'armateur se taisait. M. de Karsac descendit la rue du Quai, et Ilse courut vers l'île d'Orm.
«Attendez, Jonas», dit Ilse. Jonas attendit le marquis."""


def surfaces(chapter, tag: str, known=()) -> set[str]:
    return {c.surface for c in new_forms(chapter, language_table(tag), known)}


def test_english_names_with_titles_places_firms_and_groups_are_found(chapter_of):
    found = surfaces(chapter_of(ENGLISH, "en"), "en")
    wanted = {
        "Captain Brask",
        "Ilse",
        "Ilse Maurer",
        "Maurer",
        "old Maurer",
        "Jonas",
        "Quay Street",
        "Silver Guild",
        "Brask & Sons",
        "Velm",
        "Maurer family",
        "Very Tall Man",
        "the marquis",
        "royalists",
    }
    assert wanted <= found


def test_english_words_capitalised_only_by_their_sentence_are_no_names(chapter_of):
    found = surfaces(chapter_of(ENGLISH, "en"), "en")
    assert not {"However", "Don’t", "Where", "The", "He"} & found


def test_a_word_seen_in_lowercase_in_the_book_is_no_name_at_a_sentence_opening(chapter_of):
    chapter = chapter_of("Lanterns swung. Merrow came.", "en")
    table = language_table("en")
    book = BookStats.of_text("He lit the lanterns. The lanterns and lanterns; then came Merrow.", table)
    assert {c.surface for c in new_forms(chapter, table, (), book)} == {"Merrow"}


def test_korean_names_are_found_without_their_particles(chapter_of):
    found = surfaces(chapter_of(KOREAN, "ko"), "ko")
    assert {"해주", "박도현", "월령산", "소라동", "소라동 예배당", "한빛은행", "유 군"} <= found
    assert not {"해주가", "해주를", "박도현은", "사람들"} & found


def test_chinese_names_are_found_without_spaces(chapter_of):
    found = surfaces(chapter_of(CHINESE, "zh"), "zh")
    assert {"柳青河", "玄石真人", "落星寺", "白雲鎮", "照夜燈"} <= found
    assert not {"師父", "青河道", "落星"} & found


def test_japanese_names_are_found_by_script_and_honorific(chapter_of):
    found = surfaces(chapter_of(JAPANESE, "ja"), "ja")
    assert {"三枝", "小樽", "ラーゲル", "白根町", "黒沢先生", "M"} <= found
    assert not {"宿", "手紙", "娘"} & found


def test_french_elisions_are_no_part_of_a_name(chapter_of):
    found = surfaces(chapter_of(FRENCH, "fr"), "fr")
    assert {
        "Ilse",
        "Ilse Maurer",
        "Velmont",
        "Jonas",
        "M. de Karsac",
        "Orm",
        "le marquis",
        "capitaine Brasque",
    } <= found
    assert not {"L'armateur", "Où", "Attendez"} & found


@pytest.mark.parametrize(
    ("text", "tag", "known", "left"),
    [
        (ENGLISH, "en", ("Ilse", "the Silver Guild"), {"Ilse", "Silver Guild"}),
        (KOREAN, "ko", ("해주",), {"해주"}),
        (CHINESE, "zh", ("柳青河",), {"柳青河"}),
    ],
)
def test_names_already_in_the_cast_are_left_out(chapter_of, text, tag, known, left):
    assert not left & surfaces(chapter_of(text, tag), tag, known)


def test_every_place_of_a_form_is_a_sentence_that_shows_it(chapter_of):
    for text, tag in ((ENGLISH, "en"), (KOREAN, "ko"), (CHINESE, "zh"), (JAPANESE, "ja"), (FRENCH, "fr")):
        chapter = chapter_of(text, tag)
        for candidate in new_forms(chapter, language_table(tag)):
            assert candidate.places == tuple(sorted(set(candidate.places)))
            assert candidate.n >= len(candidate.places) >= 1
            first = candidate.surface.split()[-1]
            for place in candidate.places:
                sentence = chapter.sentence_text(place)
                assert sentence is not None and first.casefold() in sentence.casefold(), (candidate, sentence)


def test_candidates_come_best_first_and_in_the_same_order_every_time(chapter_of):
    chapter = chapter_of(ENGLISH, "en")
    once, again = (new_forms(chapter, language_table("en")) for _ in range(2))
    assert once == again
    assert [c.score for c in once] == sorted((c.score for c in once), reverse=True)


def test_hints_say_what_a_cue_says(chapter_of):
    hints = {c.surface: (c.hint, c.cue) for c in new_forms(chapter_of(ENGLISH, "en"), language_table("en"))}
    assert hints["Captain Brask"] == ("character", "title")
    assert hints["royalists"] == ("group", "group_suffix")
    korean = {c.surface: c.hint for c in new_forms(chapter_of(KOREAN, "ko"), language_table("ko"))}
    assert korean["월령산"] == "place" and korean["박도현"] == "character"


def test_a_bare_table_still_gives_capital_runs(chapter_of):
    found = {c.surface for c in new_forms(chapter_of("Ayer vio a Lupe en Toledo.", "und"), language_table("und"))}
    assert {"Lupe", "Toledo"} <= found


def test_an_unspaced_text_in_a_bare_table_is_read_as_unspaced(chapter_of):
    chapter = chapter_of("柳青河到了。人說柳青河好。山下見柳青河。今日柳青河不在。", "und")
    assert "柳青河" in {c.surface for c in new_forms(chapter, language_table("und"))}


@pytest.mark.parametrize("tag", ["en", "ko", "zh", "ja", "fr", "de", "es", "ru", "und"])
@pytest.mark.parametrize(
    "text", ["", "…", "!!!", "A", "가", "王", "‘", "“", "\u200b", "12.3 [4]", "M. M. M.", "’s’s", "《》"]
)
def test_odd_little_texts_are_survived(chapter_of, text, tag):
    assert isinstance(new_forms(chapter_of(text, tag), language_table(tag)), tuple)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(alphabet=" .,“”’'-\n_&ABEabeßÉéçO’d가나해주는이王李道：「」柳青河山《》ァカさ1", max_size=80),
    tag=st.sampled_from(["en", "ko", "zh", "ja", "fr", "de", "es", "ru", "und"]),
)
def test_surfaces_are_words_of_the_text(chapter_of, text, tag):
    chapter = chapter_of(text, tag)
    flat = " ".join(chapter.text.casefold().split())
    for candidate in new_forms(chapter, language_table(tag)):
        assert candidate.surface and candidate.surface == candidate.surface.strip()
        assert " ".join(candidate.surface.casefold().split()) in flat
        assert all(chapter.sentence_text(place) is not None for place in candidate.places)


def test_a_long_run_without_any_border_takes_linear_time(chapter_of):
    table = language_table("en")
    chapter = chapter_of("Ab de " * 4000, "en")
    began = time.process_time()
    new_forms(chapter, table)
    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    ("tag", "text", "names", "words"),
    [
        ("en", "Don't wait, Ilse. Ain't it late? We've seen Ilse.", {"Ilse"}, {"Don't", "Ain't", "We've"}),
        ("en", "“Shouldn’t we go?” asked Ilse. “They’ll come,” said Ilse.", {"Ilse"}, {"Shouldn’t", "They’ll"}),
        ("en", "Trembling, Ilse rose. Obligingly Jonas followed Ilse.", {"Ilse", "Jonas"}, {"Trembling", "Obligingly"}),
        (
            "fr",
            "Croyez-vous Ilse? Lorsqu’il vint, Ilse partit. Donne-moi Jonas.",
            {"Ilse"},
            {"Croyez-vous", "Lorsqu’il"},
        ),
        ("fr", "Devinez, dit Ilse. Parlons, dit Ilse.", {"Ilse"}, {"Devinez", "Parlons"}),
        ("ko", '"해주야, 어디 가니?" 해주는 웃었다. 해주의 집이다.', {"해주"}, set()),
        ("zh", "柳青河道：「正是。」柳青河大喜。玄石問：「柳青河，你來麼？」", {"柳青河"}, set()),
    ],
)
def test_words_that_have_drawn_in_another_or_end_like_verbs_open_sentences_without_being_names(
    chapter_of, tag, text, names, words
):
    found = surfaces(chapter_of(text, tag), tag)
    assert names <= found and found.isdisjoint(words)


def test_a_name_that_ends_like_a_verb_is_kept_where_it_stands_inside_a_sentence(chapter_of):
    assert "Harding" in surfaces(chapter_of("Harding rose. They thanked Harding.", "en"), "en")


@pytest.mark.parametrize("name", ["贾仲和", "贾仲与", "賈仲和"])
def test_a_name_that_never_stands_without_its_last_character_has_it_though_it_is_a_word(chapter_of, name):
    text = f"{name}笑道：“好。”他见了{name}，便问：“谁？”{name}大喜。王武听{name}说。"
    assert name in surfaces(chapter_of(text, "zh"), "zh") and name[:2] not in surfaces(chapter_of(text, "zh"), "zh")
    apart = text + f"{name[:2]}道：“正是。”"
    assert name not in surfaces(chapter_of(apart, "zh"), "zh")


RUN_EN = "“Ho,” said " + "Bartholomew " * 40 + "and went. “Ho,” said Ilse."
LIST_EN = "I saw " + "Edward Albert George Andrew Patrick David Louis Charles " * 3 + "Voss and Ilse. “Ho,” said Ilse."


@pytest.mark.parametrize(
    ("tag", "text", "name"),
    [
        ("en", RUN_EN, "Ilse"),
        ("en", LIST_EN, "Ilse"),
        ("en", f"The sign said {'Aa' * 200}. “Ho,” said Ilse.", "Ilse"),
        ("fr", f"«Ho», dit {'Barthélemy ' * 40}. «Ho», dit Ilse. Ilse partit.", "Ilse"),
        (
            "ko",
            f'"{"김해주" * 60}야, 가자." {"해주 " * 60}는 웃었다. 해주의 집이다. 해주에게 물었다. 해주는 갔다.',
            "해주",
        ),
        ("zh", f"『{'照夜' * 90}』。柳青河道：「正是。」柳青河大喜。玄石問：「柳青河，你來麼？」", "柳青河"),
    ],
)
def test_a_run_or_list_too_long_for_a_name_is_no_candidate(chapter_of, tag, text, name):
    found = surfaces(chapter_of(text, tag), tag)
    assert name in found and all(len(s) <= LONGEST_FORM and len(s.split()) <= MOST_WORDS for s in found)


def test_a_long_title_of_somebody_stays_a_candidate(chapter_of):
    name = "Don Alvaro Luis Miguel Jorge Esteban de Karsac"
    assert any(
        name.startswith(s) and len(s) > 30 for s in surfaces(chapter_of(f"“Ho,” said {name}. It rained.", "en"), "en")
    )
