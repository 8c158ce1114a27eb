"""Quotes: exact, folded, stitched, fuzzy; what may serve as evidence and what never does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.fold import fold_quote
from analyzer.text.locate import Locator

ENGLISH = """The ferry left at dusk. “You will not tell him,” said Mara, “not while I’m alive.” She can’t have meant it.

He did not love her; he had never loved any-one but the sea. Old Tobin, the ferry\u00adman, coughed — and coughed again...
“Then who,” asked Mara, “will carry the lantern across the ice?” Nobody answered, and the lantern stayed on its hook."""
KOREAN = """나루터에는 안개가 짙었다. “누나는 오지 않을 거야.” 민서가 말했다. 하준은 대답하지 않고 등불만 바라보았다.
그는 누이를 미워하지 않았다. 다만 그날 밤의 일을 잊을 수 없었을 뿐이다. 강 건너에서 종소리가 세 번 울렸다."""
CHINESE = """渡口起了大雾。“她今晚不会来的，”老周说，“你还是回去吧。”阿宁没有回答，只把灯笼挂在船头。
他并不恨自己的姐姐，只是忘不了那天夜里的事。对岸的钟敲了三下，第３章的故事便从这里开始。"""
JAPANESE = """渡し場には霧が立ちこめていた。「姉さんは来ないよ」と健太が言った。美咲は答えず、提灯を見つめていた。
彼は姉を憎んではいなかった。ただ、あの夜のことを忘れられなかったのだ。対岸で鐘が三度鳴った。"""


def seen(text: str, quote: str) -> tuple[str, str] | None:
    located = Locator(text).locate(quote)
    return None if located is None else (located.state, text[located.start : located.end])


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (ENGLISH, "He did not love her"),
        (ENGLISH, "“not while I’m alive.”"),
        (ENGLISH, "Mara"),
        (KOREAN, "누이를 미워하지 않았다"),
        (CHINESE, "并不恨自己的姐姐"),
        (JAPANESE, "姉を憎んではいなかった"),
        (ENGLISH, "— and"),
    ],
)
def test_a_quote_as_written_is_exact(text: str, quote: str) -> None:
    assert seen(text, quote) == ("exact", quote)


@pytest.mark.parametrize(
    ("text", "quote", "slice_"),
    [
        (ENGLISH, '"You will not tell him," said Mara', "“You will not tell him,” said Mara"),
        (ENGLISH, "not while I'm  alive.", "not while I’m alive."),
        (ENGLISH, "the ferryman, coughed", "the ferry\u00adman, coughed"),
        (ENGLISH, "any\u2011one but the sea", "any-one but the sea"),
        (ENGLISH, "coughed--and coughed again…", "coughed — and coughed again..."),
        (ENGLISH, "again... “Then who", "again...\n“Then who"),
        (ENGLISH, "the Ferry left at Dusk", "The ferry left at dusk"),
        (KOREAN, '"누나는 오지 않을 거야."', "“누나는 오지 않을 거야.”"),
        (CHINESE, "「她今晚不会来的,」老周说", "“她今晚不会来的，”老周说"),
        (CHINESE, "第3章的故事", "第３章的故事"),
        (JAPANESE, "「姉さんは来ないよ」 と健太", "「姉さんは来ないよ」と健太"),
    ],
)
def test_a_quote_that_differs_in_glyphs_or_in_case_is_folded(text: str, quote: str, slice_: str) -> None:
    assert seen(text, quote) == ("folded", slice_)


@pytest.mark.parametrize(
    ("text", "quote", "slice_"),
    [
        (ENGLISH, "He did … love her", "He did not love her"),
        (ENGLISH, "He did [...] love her", "He did not love her"),
        (ENGLISH, "“You will ... tell him", "“You will not tell him"),
        (ENGLISH, "He did not . . . loved any-one", "He did not love her; he had never loved any-one"),
        (ENGLISH, "… love her;", "love her;"),
        (KOREAN, "그는 누이를 … 않았다", "그는 누이를 미워하지 않았다"),
        (CHINESE, "他……恨自己的姐姐", "他并不恨自己的姐姐"),
        (JAPANESE, "彼は姉を…いなかった", "彼は姉を憎んではいなかった"),
    ],
)
def test_an_elided_quote_is_stitched_and_never_more(text: str, quote: str, slice_: str) -> None:
    assert seen(text, quote) == ("stitched", slice_)


@pytest.mark.parametrize(
    ("text", "quote", "slice_"),
    [
        (ENGLISH, "He did love her; he had never", "He did not love her; he had never"),
        (ENGLISH, "You will tell him,” said Mara", "You will not tell him,” said Mara"),
        (ENGLISH, "She can have meant it", "She can’t have meant it"),
        (ENGLISH, "HE DID NOT LOVE HER: HE", "He did not love her; he"),
        (ENGLISH, "“Then who?” asked Mara", "“Then who,” asked Mara"),
        (ENGLISH, "will cary the lantren across the ice", "will carry the lantern across the ice"),
        (ENGLISH, "will carry lantern the across the ice?", "will carry the lantern across the ice?"),
        (KOREAN, "그는 누이를 미워하지. 다만 그날 밤의 일을", "그는 누이를 미워하지 않았다. 다만 그날 밤의 일을"),
        (KOREAN, "강 건너에서 종소리가 새 번 울렸다.", "강 건너에서 종소리가 세 번 울렸다."),
        (CHINESE, "他恨自己的姐姐，只是忘不了", "他并不恨自己的姐姐，只是忘不了"),
        (JAPANESE, "健太が言った。美咲答えず、提灯を見つめて", "健太が言った。美咲は答えず、提灯を見つめて"),
    ],
)
def test_anything_else_near_is_only_a_suggestion(text: str, quote: str, slice_: str) -> None:
    assert seen(text, quote) == ("fuzzy", slice_)


@pytest.mark.parametrize("quote", ["She can", "did not lov", "누이를 미워하", "I’m aliv"])
def test_a_quote_that_cuts_a_word_is_no_evidence(quote: str) -> None:
    located = seen(KOREAN if "누" in quote else ENGLISH, quote)
    assert located is None or located[0] == "fuzzy"


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "   ",
        "…",
        "!?!",
        "\ud800",
        "An entirely different sentence about taxes and bureaucratic forms",
        "完全无关的句子讲的是税收",
        "세금에 관한 전혀 다른 문장",
    ],
)
@pytest.mark.parametrize("text", [ENGLISH, KOREAN, CHINESE, ""])
def test_what_is_not_there_is_not_located(text: str, quote: str) -> None:
    assert Locator(text).locate(quote) is None


def test_a_whole_word_is_preferred_to_an_earlier_part_of_one() -> None:
    assert seen("The seaman saw the sea", "the sea") == ("exact", "the sea")
    located = Locator("seaman, sea").locate("sea")
    assert located is not None and located.start == 8


def test_an_ellipsis_of_the_text_itself_is_no_elision() -> None:
    assert seen("She waited… and waited.", "She waited… and waited.") == ("exact", "She waited… and waited.")
    assert seen("She waited… and waited.", "She waited... and waited.") == ("folded", "She waited… and waited.")


def test_pieces_in_the_wrong_order_or_far_apart_are_not_stitched() -> None:
    far = "The first half is here. " + "Filler words go on and on. " * 40 + "The other half is there."
    for text, quote in ((far, "first half … other half"), (ENGLISH, "the lantern stayed … The ferry left")):
        located = Locator(text).locate(quote)
        assert located is None or located.state == "fuzzy"


def test_hostile_quotes_are_data() -> None:
    assert seen("a (?P<x>.*) b", "(?P<x>.*)") == ("exact", "(?P<x>.*)")
    assert Locator("ab " * 10_000).locate("ab " * 9_000 + "cd") is None
    assert Locator("İstanbul’da İİ durdu").locate("i̇stanbul’da ii durdu") is not None


SIGNS = st.text(alphabet="abc ABé.,’'…-\u00ad\n\u3000가나雨ア？", max_size=60)


@given(SIGNS, st.data())
@settings(max_examples=200)
def test_every_state_keeps_its_promise(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = data.draw(st.one_of(st.just(text[start : start + 15]), SIGNS))
    located = Locator(text).locate(quote)
    if located is None:
        return
    written = text[located.start : located.end]
    assert 0 <= located.start < located.end <= len(text)
    assert 0 <= located.score <= 1
    if located.state == "exact":
        assert written == quote
    if located.state == "folded":
        assert fold_quote(written) == fold_quote(quote) or written.lower() == quote.lower()


@given(st.integers(0, 10_000))
@settings(max_examples=40)
def test_every_sentence_of_a_text_is_found_where_it_stands(seed: int) -> None:
    rng = random.Random(seed)
    words = ["ferry", "lantern", "Mara", "누나", "등불", "灯笼", "不", "提灯", "sea", "won’t"]
    sentences = [" ".join(rng.choices(words, k=6)) + "." for _ in range(12)]
    text = " ".join(sentences)
    locator = Locator(text)
    for sentence in sentences:
        located = locator.locate(sentence)
        assert located is not None
        assert (located.state, text[located.start : located.end]) == ("exact", sentence)
