import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.models.facts import RELATION_KINDS
from analyzer.text.candidates import descriptors
from analyzer.text.candidates.heads import head_rules
from analyzer.text.languages import language_table

ENGLISH = """Jonas found his father in the boathouse. “My sister,” said the pilot, “is a friend of your mother.”
A tall young woman, daughter to Captain Brask, opened the letter. The jailer’s wife had written it.
Ilse’s brother laughed. The crew of the ship stood in the yard, and two sailors slept.
He will note the second page. “Come,” cried the glassblower."""

KOREAN = """해주의 어머니는 주막집에서 노파와 이야기하였다. 내 동생은 은행에 갔다.
그의 누이동생이 편지를 들고 우물가로 왔다. 목사들은 예배당에서 기다렸다.
지배인의 딸은 웃었다. 늙은 하인이 문을 열었다."""

CHINESE = """那老婦人見了柳青河的師父，問：「你父親在客店麼？」
我妻子說：「那妖精拿了書信。」眾人都笑。"""

FRENCH = (
    """Son père attendait à l'auberge. «Ma sœur», dit le geôlier. La fille du capitaine Brasque lisait une lettre."""
)

JAPANESE = """彼の父は宿屋の主人に会った。私の妹は手紙を書いた。その老婆は笑った。"""


def by_head(found):
    heads = {}
    for candidate in found:
        heads.setdefault(candidate.head, []).append(candidate)
    return heads


def test_english_kin_roles_places_and_things_are_found_with_their_ties(chapter_of):
    found = by_head(descriptors(chapter_of(ENGLISH, "en"), language_table("en")))
    father = found["father"][0]
    assert (father.surface, father.relation, father.possessor) == ("his father", "parent_of", "third")
    assert (found["sister"][0].relation, found["sister"][0].possessor) == ("sibling_of", "speaker")
    assert (found["mother"][0].relation, found["mother"][0].possessor) == ("parent_of", "addressee")
    assert (found["brother"][0].relation, found["brother"][0].possessor) == ("sibling_of", "Ilse")
    daughter = found["daughter"][0]
    assert (daughter.relation, daughter.possessor) == ("child_of", "Captain Brask")
    assert daughter.surface == "a tall young woman, daughter to Captain Brask"
    assert found["crew"][0].kind_hint == "group" and found["sailors"][0].kind_hint == "group"
    assert found["ship"][0].kind_hint == "object" and found["letter"][0].kind_hint == "text"
    assert found["yard"][0].kind_hint == "place"
    assert "pilot" in found and "jailer" in found


def test_a_noun_that_speaks_is_found_though_no_list_has_it(chapter_of):
    assert "glassblower" in by_head(descriptors(chapter_of(ENGLISH, "en"), language_table("en")))


def test_verbs_that_look_like_nouns_are_left_out(chapter_of):
    assert not {"will", "note"} & set(by_head(descriptors(chapter_of(ENGLISH, "en"), language_table("en"))))


def test_korean_descriptions_are_found_before_particles(chapter_of):
    chapter = chapter_of(KOREAN, "ko")
    at = chapter.text.index("해주")
    found = by_head(descriptors(chapter, language_table("ko"), [(at, at + 2, "@1")]))
    assert (found["어머니"][0].relation, found["어머니"][0].possessor) == ("parent_of", "해주")
    assert (found["동생"][0].relation, found["동생"][0].possessor) == ("sibling_of", "speaker")
    assert (found["누이동생"][0].surface, found["누이동생"][0].possessor) == ("그의 누이동생", "third")
    assert (found["딸"][0].relation, found["딸"][0].possessor) == ("child_of", "지배인")
    assert found["목사"][0].kind_hint == "group"
    assert {"노파", "주막집", "우물가", "편지", "하인", "은행", "예배당"} <= set(found)


def test_chinese_descriptions_are_found_without_spaces(chapter_of):
    chapter = chapter_of(CHINESE, "zh")
    at = chapter.text.index("柳青河")
    found = by_head(descriptors(chapter, language_table("zh"), [(at, at + 3, "@1")]))
    assert found["老婦人"][0].surface == "那老婦人"
    assert (found["師父"][0].relation, found["師父"][0].possessor) == ("mentors", "柳青河")
    assert (found["父親"][0].relation, found["父親"][0].possessor) == ("parent_of", "addressee")
    assert (found["妻子"][0].relation, found["妻子"][0].possessor) == ("spouse_of", "speaker")
    assert found["客店"][0].kind_hint == "place" and found["眾人"][0].kind_hint == "group"


def test_french_and_japanese_descriptions_are_found(chapter_of):
    french = by_head(descriptors(chapter_of(FRENCH, "fr"), language_table("fr")))
    assert (french["père"][0].relation, french["père"][0].possessor) == ("parent_of", "third")
    assert (french["sœur"][0].relation, french["sœur"][0].possessor) == ("sibling_of", "speaker")
    assert {"auberge", "geôlier", "fille", "lettre"} <= set(french)
    japanese = by_head(descriptors(chapter_of(JAPANESE, "ja"), language_table("ja")))
    assert (japanese["父"][0].relation, japanese["父"][0].possessor) == ("parent_of", "third")
    assert (japanese["妹"][0].relation, japanese["妹"][0].possessor) == ("sibling_of", "speaker")
    assert {"老婆", "手紙", "宿屋の主人"} & set(japanese) >= {"老婆", "手紙"}


def test_roles_are_one_candidate_a_noun_and_kin_one_for_each_possessor(chapter_of):
    text = "His father came. My father stayed. The pilot slept. A pilot woke. The old pilot spoke."
    found = by_head(descriptors(chapter_of(text, "en"), language_table("en")))
    assert len(found["pilot"]) == 1 and found["pilot"][0].n == 3
    assert {c.possessor for c in found["father"]} == {"third", "speaker"}


def test_kin_of_the_same_word_far_apart_may_be_two_people(chapter_of):
    filler = "\n".join(
        "The rain fell on the roofs and nobody came down to the water that long evening." for _ in range(12)
    )
    text = f"Her uncle came.\n{filler}\nHer uncle left."
    found = by_head(descriptors(chapter_of(text, "en"), language_table("en")))
    assert len(found["uncle"]) == 2
    near = by_head(descriptors(chapter_of("Her uncle came.\nHer uncle left.", "en"), language_table("en")))
    assert len(near["uncle"]) == 1


def test_words_of_a_known_name_are_no_description(chapter_of):
    chapter = chapter_of("They met the Tall Man at the inn.", "en")
    at = chapter.text.index("Tall Man")
    assert "man" not in by_head(descriptors(chapter, language_table("en"), [(at, at + 8, "@1")]))


@pytest.mark.parametrize("tag", ["en", "ko", "zh", "ja", "fr", "de", "es", "ru"])
def test_every_relation_of_a_table_is_canonical_or_an_inverse(tag):
    canonical = set(RELATION_KINDS) | {rule.inverse for rule in RELATION_KINDS.values()}
    heads = head_rules(language_table(tag)).heads
    assert heads and all(head.relation in canonical for head in heads.values())
    assert {"parent_of", "child_of", "sibling_of", "spouse_of"} <= {head.relation for head in heads.values()}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(
        st.sampled_from(
            [
                "his",
                "the",
                "father",
                "pilot",
                ",",
                "of",
                "Ilse’s",
                "’s",
                "그의",
                "어머니는",
                "노파",
                "我",
                "父親",
                "の父",
            ]
        ),
        max_size=12,
    ),
    tag=st.sampled_from(["en", "ko", "zh", "ja", "fr", "de", "es", "ru", "und"]),
)
def test_places_are_in_order_and_hold_the_noun(chapter_of, words, tag):
    chapter = chapter_of(" ".join(words), tag)
    for candidate in descriptors(chapter, language_table(tag)):
        assert candidate.places == tuple(sorted(set(candidate.places)))
        assert candidate.surface in candidate.surfaces and candidate.n >= 1
        assert candidate.head.split()[-1] in chapter.text.casefold()


@pytest.mark.parametrize(
    ("tag", "text", "heads"),
    [
        (
            "en",
            "The slave bowed to a statesman, and the inhabitants of the town fled.",
            {"slave", "statesman", "inhabitants"},
        ),
        ("ko", "재판관은 배달부를 불렀다. 묘지기가 왔다.", {"재판관", "배달부", "묘지기"}),
        ("zh", "那聽差叫了一個車夫來。", {"聽差", "車夫"}),
        ("fr", "Le majordome salua une comédienne et deux cavaliers.", {"majordome", "comédienne", "cavaliers"}),
        ("de", "Der Gastwirt rief einen Hausierer.", {"gastwirt", "hausierer"}),
    ],
)
def test_people_of_many_trades_are_described(chapter_of, tag, text, heads):
    found = descriptors(chapter_of(text, tag), language_table(tag))
    assert heads <= {d.head.lower() for d in found}


def test_the_end_of_a_verb_that_reads_like_a_determiner_is_none(chapter_of):
    found = by_head(
        descriptors(chapter_of("炉に吊るしてある手紙を取った。ある手紙には名がない。", "ja"), language_table("ja"))
    )
    assert sorted(surface for candidate in found["手紙"] for surface in candidate.surfaces) == ["ある手紙", "手紙"]
