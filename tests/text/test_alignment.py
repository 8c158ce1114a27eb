"""Old and new chapters of an edited text: told by their words, whatever their numbers, titles and places."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.hashing import bytes_sha256
from analyzer.text.alignment import Alignment, Print, align, print_of
from tests.harness import book_of

EN = (
    "Mira Voss counted the lanterns twice.\nNobody had lit the seventh one.\nThe ferry would be late again.",
    "Toban kept his hat on in the kitchen.\nHis sister laughed at the wet floor.\nThey ate without a candle.",
    "The toll house burned before midnight.\nA boy carried the ledger to safety.\nHe never said who had sent him.",
    "Snow closed the upper road for a week.\nLetters lay unread at the post house.\nMira walked there alone.",
)
KO = (
    "미라는 등불을 두 번 세어 보았다.\n일곱 번째 등불은 아무도 켜지 않았다.\n나룻배는 오늘도 늦을 것이었다.",
    "도반은 부엌에서도 모자를 벗지 않았다.\n누이는 젖은 바닥을 보고 웃었다.\n두 사람은 촛불 없이 밥을 먹었다.",
    "자정이 되기 전에 통행세 집이 불탔다.\n한 소년이 장부를 안고 뛰어나왔다.\n누가 보냈는지는 끝내 말하지 않았다.",
    "눈이 쌓여 윗길이 이레 동안 막혔다.\n우체집에는 읽지 않은 편지가 쌓였다.\n미라는 혼자 그곳까지 걸어갔다.",
)
ZH = (
    "米拉把灯笼数了两遍。\n第七盏灯一直没有人点。\n渡船今天恐怕又要晚到了。",
    "托班在厨房里也没有摘下帽子。\n妹妹看着湿漉漉的地板笑了。\n两个人没有点蜡烛就吃了饭。",
    "收税的房子在半夜以前烧掉了。\n一个男孩抱着账本跑了出来。\n他始终没有说是谁叫他去的。",
    "大雪把上面的路封了整整七天。\n驿站里堆着没有人看的信件。\n米拉一个人走到了那个地方。",
)
JA = (
    "ミラは提灯の数を二度かぞえた。\n七つ目の提灯には誰も火を入れていなかった。\n渡し舟は今日も遅れるのだろう。",
    "トバンは台所でも帽子を取らなかった。\n妹は濡れた床を見て笑い出した。\n二人は蝋燭もなしに夕飯を食べた。",
    "真夜中になる前に関所の小屋が燃えた。\n少年が一人帳面を抱えて飛び出した。\n誰に頼まれたのかは言わなかった。",
    "雪のせいで上の道は七日も閉ざされた。\n宿場には読まれない手紙が積まれていた。\nミラは一人でそこまで歩いて行った。",
)
STORIES = {"en": EN, "ko": KO, "zh": ZH, "ja": JA}
NEW = {
    "en": "Besides the well an old dog slept.\nIt belonged to a widow from the hills.\nShe sold ribbons and thread.",
    "ko": "우물가에는 늙은 개가 잠들어 있었다.\n산골에서 온 과부의 개였다.\n과부는 실과 댕기를 팔았다.",
    "zh": "井边睡着一条很老的狗。\n那是山里来的寡妇养的狗。\n她靠卖丝带和针线过日子。",
    "ja": "井戸のそばで老いた犬が眠っていた。\n山から来た未亡人の飼い犬だった。\n女は糸とリボンを売り歩いていた。",
}
LANGUAGES = pytest.mark.parametrize("language", STORIES)


def prints(chapters: Sequence[str], language: str = "en", ids: bool = False) -> list[Print]:
    made = book_of(*chapters, language=language).chapters
    found = [print_of(chapter, bytes_sha256(chapter.text.encode())) for chapter in made]
    return [p._replace(id=p.no) for p in found] if ids else found


def aligned(old: Sequence[str], new: Sequence[str], language: str = "en") -> Alignment:
    return align(prints(old, language, ids=True), prints(new, language))


def ids(found: Alignment) -> list[int]:
    return [chapter.id for chapter in found.chapters]


def changes(found: Alignment) -> list[str]:
    return [chapter.change for chapter in found.chapters]


@LANGUAGES
def test_an_unchanged_text_is_the_same_throughout(language: str) -> None:
    found = aligned(STORIES[language], STORIES[language], language)
    assert ids(found) == [1, 2, 3, 4]
    assert set(changes(found)) == {"same"}
    assert not any(chapter.moved for chapter in found.chapters)


@LANGUAGES
@pytest.mark.parametrize("at", [0, 2, 4])
def test_an_inserted_chapter_is_new_and_all_others_stay(language: str, at: int) -> None:
    story = list(STORIES[language])
    found = aligned(story, [*story[:at], NEW[language], *story[at:]], language)
    assert ids(found) == [*range(1, at + 1), 5, *range(at + 1, 5)]
    assert changes(found).count("new") == 1
    assert found.gone == ()
    assert found.next_id == 6


@LANGUAGES
def test_a_chapter_taken_out_is_gone_and_its_id_is_not_given_again(language: str) -> None:
    story = STORIES[language]
    found = aligned(story, [story[0], *story[2:]], language)
    assert (ids(found), found.gone, found.next_id) == ([1, 3, 4], (2,), 5)


@LANGUAGES
def test_a_chapter_that_moved_is_known_where_it_stands_now(language: str) -> None:
    one, two, three, four = STORIES[language]
    found = aligned((one, two, three, four), (two, three, four, one), language)
    assert ids(found) == [2, 3, 4, 1]
    assert [chapter.moved for chapter in found.chapters] == [False, False, False, True]
    assert set(changes(found)) == {"same"}


@LANGUAGES
def test_a_changed_paragraph_leaves_the_chapter_what_it_is(language: str) -> None:
    story = list(STORIES[language])
    story[1] = "\n".join([*story[1].split("\n")[:2], NEW[language].split("\n")[0]])
    found = aligned(STORIES[language], story, language)
    assert ids(found) == [1, 2, 3, 4]
    assert changes(found) == ["same", "changed", "same", "same"]
    assert found.chapters[1].n_changed == 1


@LANGUAGES
def test_a_split_chapter_is_its_greater_piece_and_the_other_knows_where_it_is_from(language: str) -> None:
    story = STORIES[language]
    first, *rest = story[1].split("\n")
    found = aligned(story, [story[0], first, "\n".join(rest), *story[2:]], language)
    assert ids(found) == [1, 5, 2, 3, 4]
    assert found.chapters[1].origins == (2,)
    assert changes(found) == ["same", "split", "split", "same", "same"]


@LANGUAGES
def test_a_chapter_that_stands_there_twice_is_repeated_and_nothing_was_cut_off(language: str) -> None:
    one, two, three, four = STORIES[language]
    found = aligned((one, two, three, four), (one, two, two, three, four), language)
    assert sorted(changes(found)) == ["repeated", "same", "same", "same", "same"]
    assert next(chapter.origins for chapter in found.chapters if chapter.change == "repeated") == (2,)
    longer = f"{two}\n{NEW[language]}"
    edited = aligned((one, two, three, four), (one, longer, three, four, two), language)
    assert "split" not in changes(edited)


@LANGUAGES
def test_merged_chapters_are_one_that_knows_of_both(language: str) -> None:
    one, two, three, four = STORIES[language]
    found = aligned((one, two, three, four), (one, f"{two}\n{three}", four), language)
    merged = found.chapters[1]
    assert {merged.id, *merged.origins} == {2, 3}
    assert changes(found) == ["same", "merged", "same"]
    assert len(found.gone) == 1


@LANGUAGES
def test_a_rewritten_first_chapter_is_the_first_chapter(language: str) -> None:
    story = STORIES[language]
    found = aligned(story, [NEW[language], *story[1:]], language)
    assert ids(found) == [1, 2, 3, 4]
    assert changes(found)[0] == "rewritten"


@LANGUAGES
def test_other_quotes_spaces_and_cuts_change_no_word(language: str) -> None:
    story = STORIES[language]
    marked = [text.replace(".", "!").replace("。", "！") for text in story]
    assert set(changes(aligned(story, marked, language))) == {"punctuation"}
    assert ids(aligned(story, marked, language)) == [1, 2, 3, 4]


def test_another_title_is_told_and_nothing_else() -> None:
    new = [print_._replace(title="The Quay" if print_.no == 2 else "") for print_ in prints(EN)]
    found = align(prints(EN, ids=True), new)
    assert changes(found) == ["same", "title", "same", "same"]
    assert ids(found) == [1, 2, 3, 4]


def test_a_rewritten_chapter_beside_a_new_one_is_told_by_its_title() -> None:
    old = [print_._replace(title=f"Part {print_.no}") for print_ in prints(EN, ids=True)]
    new = [
        print_._replace(title=title)
        for print_, title in zip(
            prints([NEW["en"], "Nothing of this was there.\nIt was all made up.", *EN[1:]]),
            ("Before", "Part 1", "Part 2", "Part 3", "Part 4"),
            strict=True,
        )
    ]
    assert [c.id for c in align(old, new).chapters] == [5, 1, 2, 3, 4]


def test_a_refrain_makes_no_chapters_alike() -> None:
    refrain = "And the river went on and on without them."
    old = [f"{text}\n{refrain}" for text in EN]
    found = aligned(old, [f"{NEW['en']}\n{refrain}", *old])
    assert (ids(found), changes(found)[0]) == ([5, 1, 2, 3, 4], "new")


def test_chapters_of_the_same_words_keep_their_order() -> None:
    found = aligned((EN[0], EN[0], EN[1]), (EN[0], EN[2], EN[0], EN[1]))
    assert ids(found) == [1, 4, 2, 3]


def test_empty_chapters_are_told_by_their_place() -> None:
    assert ids(aligned(("", EN[0]), ("", EN[0]))) == [1, 2]


def test_nothing_known_gives_ids_in_order() -> None:
    found = align([], prints(EN), next_id=1)
    assert (ids(found), found.next_id) == ([1, 2, 3, 4], 5)


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), max_size=8))
def test_whatever_is_done_to_a_text_ids_are_unique_and_nobody_is_two(old: list[int], new: list[int]) -> None:
    texts = [*EN, NEW["en"], ""]
    found = aligned([texts[n] for n in old], [texts[n] for n in new])
    assert len(set(ids(found))) == len(new)
    was = [chapter.old_no for chapter in found.chapters if chapter.old_no]
    assert len(set(was)) == len(was)
    assert set(was) | set(found.gone) == set(range(1, len(old) + 1))
    assert not set(was) & set(found.gone)


@given(st.permutations(range(4)))
def test_any_order_of_the_same_chapters_is_found_again(order: list[int]) -> None:
    found = aligned(EN, [EN[n] for n in order])
    assert ids(found) == [n + 1 for n in order]
    assert found.gone == ()
