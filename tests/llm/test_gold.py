from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyzer.errors import ConfigError, InputError
from analyzer.llm.asker import Recalling
from analyzer.llm.formats import parse_reply
from analyzer.llm.transports.gold import GoldAnswers, true_answer
from analyzer.llm.transports.gold_book import GoldView, bare, checked_gold, load_gold, triples
from analyzer.models.gold import GoldChapter, GoldEntity, GoldRelation
from analyzer.models.question import Answer, Option, Pack, Part, Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.text.languages import language_table
from analyzer.text.manuscript import read_manuscript
from tests.harness import book_of
from tests.tiny import write_book

BOOK = book_of(
    "Oda Marrin met Ludo. Her brother laughed. The stranger Pym was there.\nMy father came, said Pia. Oda loved Pym."
)
CHAPTER = BOOK.chapters[0]


def entity(id: str, *names: str, descriptors: tuple[str, ...] = (), kind: str = "character", **more: Any) -> GoldEntity:
    return GoldEntity(id=id, kind=kind, names=names, descriptors=descriptors, **more)


def relation(triple: str, *spots: tuple[int, int], **more: Any) -> GoldRelation:
    subject, kind, target = triple.split()
    shown = tuple({"block": block, "start": start, "end": start + 1} for block, start in spots)
    return GoldRelation.model_validate({"subject": subject, "kind": kind, "object": target, "evidence": shown, **more})


GOLD = GoldChapter(
    book="b",
    chapter=1,
    body_start=0,
    body_end=len(BOOK.text),
    block_starts=tuple(block.start for block in CHAPTER.blocks),
    entities=(
        entity("oda", "Oda Marrin", "Oda"),
        entity("ludo", "Ludo", descriptors=("her brother",)),
        entity("pym", "Pym", descriptors=("the stranger",)),
        entity("true_name", "Jonas", descriptors=("the drowned man",), presence="mentioned_only"),
        entity("pia", "Pia"),
        entity("father", descriptors=("my father",)),
        entity("corvin", "Corvin", kind="place"),
    ),
    relations=(
        relation("oda sibling_of ludo", (1, 22)),
        relation("oda loves pym", (2, 27), status="former", affinity="+", alternates=("lover_of", "~suspects")),
        relation("father parent_of pia", (2, 0)),
    ),
)
VIEW = GoldView(GOLD, CHAPTER, language_table("en"))
REFS = {
    "oda": Ref(handle="@1", names=("Oda Marrin", "Oda")),
    "ludo": Ref(handle="@2", names=("Ludo",)),
    "pym": Ref(handle="@3", names=("Pym",)),
    "pia": Ref(handle="@4", names=("Pia",)),
    "nobody": Ref(handle="@9", names=("Hosea",)),
}


def asked(ask: str, *about: str | Ref, options: tuple[Any, ...] = (), detail: str = "", **more: Any) -> Question:
    refs = tuple(REFS[a] if isinstance(a, str) else a for a in about)
    made = tuple(
        o if isinstance(o, Option) else Option(mark="abcdefgh"[i], key=o, text=o) for i, o in enumerate(options)
    )
    key = QuestionKey(step="s", ask=ask, chapter=1, about=refs, detail=detail)
    return Question(key=key, type=more.pop("type", "choice"), text="?", options=made, **more)


def handle(name: str, key: str = "") -> Option:
    ref = REFS[name]
    return Option(mark=ref.handle, key=key or ref.handle, ref=ref)


def picked(question: Question) -> tuple[str, ...]:
    return true_answer(question, VIEW).picked


KINDS = ("character", "place", "group")


@pytest.mark.parametrize(
    ("surface", "found"),
    [
        ("Oda", ("character",)),
        ("oda marrin", ("character",)),
        ("Miss Oda", ("character",)),
        ("Corvin", ("place",)),
        ("Hosea", ()),
    ],
)
def test_the_kind_is_that_of_who_is_named(surface: str, found: tuple[str, ...]) -> None:
    assert picked(asked("cast.kind", Ref(names=(surface,)), options=KINDS)) == found


def test_a_kind_that_is_not_offered_is_not_answered() -> None:
    assert picked(asked("cast.kind", Ref(names=("Corvin",)), options=("character",))) == ()


def test_sameness_goes_to_the_known_handle_first_and_to_the_first_form_else() -> None:
    forms = (
        Option(mark="a", key="form:Oda", text="Oda", ref=Ref(names=("Oda",))),
        Option(mark="b", key="form:Oda Marrin", text="Oda Marrin", ref=Ref(names=("Oda Marrin",))),
    )
    about = Ref(names=("Oda Marrin",))
    assert picked(asked("cast.same", about, options=forms)) == ("form:Oda",)
    assert picked(asked("cast.same", about, options=(*forms, handle("oda")))) == ("@1",)
    assert picked(asked("cast.same", Ref(names=("Oda",)), options=forms)) == ()
    assert picked(asked("cast.same", Ref(names=("Hosea",)), options=forms)) == ()


def test_a_persona_is_not_the_one_behind_it() -> None:
    options = (Option(mark="a", key="form:Jonas", text="Jonas", ref=Ref(names=("Jonas",))), handle("oda"))
    assert picked(asked("cast.same", Ref(names=("Pym",)), options=options)) == ()


def test_a_description_is_the_named_one_it_means_else_a_relative_else_of_its_own() -> None:
    brother = Ref(names=("her brother",), places=(Place(1, 2),))
    choices = (handle("oda", "is:@1"), handle("ludo", "is:@2"), Option(mark="c", key="own", text="own"))
    assert picked(asked("cast.who", brother, options=choices)) == ("is:@2",)
    father = Ref(names=("my father",), places=(Place(2, 1),))
    tied = (handle("oda", "tie:@1"), handle("pia", "tie:@4"), Option(mark="c", key="own", text="own"))
    assert picked(asked("cast.who", father, options=tied)) == ("tie:@4",)
    assert picked(asked("cast.who", father, options=tied[:1] + tied[2:])) == ("own",)
    assert picked(asked("cast.who", Ref(names=("the cook",)), options=tied)) == ()


def test_presence_in_our_words() -> None:
    options = ("on_page", "mentioned", "historical")
    assert picked(asked("cast.presence", "oda", options=options)) == ("on_page",)
    assert picked(asked("cast.presence", Ref(names=("Jonas",)), options=options)) == ("mentioned",)
    assert picked(asked("cast.presence", "nobody", options=options)) == ()


def test_a_select_names_all_partners_of_the_family_and_no_others() -> None:
    options = tuple(handle(n) for n in ("ludo", "pym", "pia", "nobody"))
    for family, found in (("kin", ("@2",)), ("romance", ("@3",)), ("work", ())):
        question = asked("relation.select", "oda", options=options, detail=family, type="select", max_picks=9)
        assert picked(question) == found


def test_a_kind_question_gets_kind_direction_and_sentence() -> None:
    kinds = ("loves:ab", "loves:ba", "lover_of:ab")
    answer = true_answer(
        asked("relation.kind", "oda", "pym", options=kinds, detail="romance", type="select", max_picks=3), VIEW
    )
    assert answer.picked == ("loves:ab",) and answer.sentences == (Place(2, 2),)
    turned = asked("relation.kind", "pym", "oda", options=kinds, detail="romance", type="select", max_picks=3)
    assert picked(turned) == ("loves:ba",)
    symmetric = asked("relation.kind", "ludo", "oda", options=("sibling_of:ab",), detail="kin", type="select")
    assert picked(symmetric) == ("sibling_of:ab",)


def test_an_alternate_answers_where_the_kind_itself_is_not_offered() -> None:
    conflict = ("suspects:ab", "suspects:ba")
    assert picked(asked("relation.kind", "oda", "pym", options=conflict, type="select")) == ("suspects:ba",)
    assert picked(asked("relation.kind", "oda", "pia", options=conflict, type="select")) == ()


def test_a_confirmation_says_for_reverse_or_deny() -> None:
    options = ("for", "reverse", "nearest", "deny")
    assert picked(asked("relation.confirm", "oda", "pym", options=options, detail="first:loves")) == ("for",)
    assert picked(asked("relation.confirm", "pym", "oda", options=options, detail="first:loves")) == ("reverse",)
    assert picked(asked("relation.confirm", "oda", "pia", options=options, detail="first:loves")) == ("deny",)
    assert picked(asked("relation.confirm", "pym", "oda", options=("for", "deny"), detail="first:loves")) == ("deny",)
    assert picked(asked("relation.confirm", "ludo", "oda", options=options, detail="second:sibling_of")) == ("for",)
    assert picked(asked("relation.confirm", "pym", "oda", options=options, detail="second:suspects")) == ("for",)


def test_details_are_those_of_the_relation() -> None:
    for attribute, options, value in (
        ("status", ("current", "former"), "former"),
        ("affinity", ("+", "0", "-"), "+"),
        ("visibility", ("public", "secret"), "public"),
    ):
        assert picked(asked("relation.detail", "oda", "pym", options=options, detail=f"{attribute}:loves")) == (value,)
    assert picked(asked("relation.detail", "oda", "pia", options=("current",), detail="status:loves")) == ()


def test_a_question_of_a_kind_it_does_not_know_gets_a_hyphen() -> None:
    assert true_answer(asked("weather.today", "oda", options=("rain",)), VIEW).status == "none"


def pack(*questions: Question, tail: str, cast: str = "@1 character: Oda\n@2 character: Ludo\n") -> Pack:
    parts = (Part(name="system", text="S"), Part(name="cast", text=cast), Part(name="chapter", text="C"))
    return Pack(step="s", chapter=1, parts=parts, tail=tail, questions=questions)


async def reply(asker: GoldAnswers, made: Pack) -> list[Answer]:
    got = await asker.ask(made, max_output_tokens=100)
    assert got.answered_by == "gold" and got.model == "gold"
    return list(parse_reply(got.text, made.questions, CHAPTER).answers)


async def test_only_marks_rendered_in_the_message_are_used() -> None:
    asker = GoldAnswers({1: VIEW})
    select = asked("relation.select", "oda", options=(handle("ludo"),), detail="kin", type="select", max_picks=9)
    kind = asked("cast.kind", Ref(names=("Oda",)), options=KINDS)
    there = await reply(asker, pack(select, kind, tail="1. @1\n2. “Oda” | a character; b place; c group"))
    assert [answer.picked for answer in there] == [("@2",), ("character",)]
    hidden = await reply(asker, pack(select, kind, tail="1. @1\n2. “Oda”", cast="@1 character: Oda\n"))
    assert [answer.status for answer in hidden] == ["none", "none"]


async def test_a_chapter_without_gold_gets_a_hyphen_everywhere() -> None:
    asker = GoldAnswers({})
    kind = asked("cast.kind", Ref(names=("Oda",)), options=KINDS)
    [answer] = await reply(asker, pack(kind, tail="a character"))
    assert answer.status == "none"


async def test_the_usage_is_what_a_model_would_have_had() -> None:
    got = await GoldAnswers({1: VIEW}).ask(pack(tail="some words"), max_output_tokens=9)
    assert got.usage.total_input > 0


def test_gold_made_for_another_text_is_refused(tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    gold = load_gold(tmp_path / "gold")
    assert checked_gold(gold, read_manuscript(manuscript)) == gold
    last = max(gold)
    longer = {last: gold[last].model_copy(update={"body_end": 10**30})}
    with pytest.raises(InputError, match="end differs"):
        checked_gold(longer, read_manuscript(manuscript))
    manuscript.write_text(manuscript.read_text("utf-8").replace("Oda", "Ada"), encoding="utf-8")
    with pytest.raises(InputError, match="sha256") as caught:
        GoldAnswers.open(tmp_path / "gold", read_manuscript(manuscript))
    assert "edition" in caught.value.hint


def test_gold_of_a_chapter_the_manuscript_has_not_is_refused(tmp_path: Path) -> None:
    manuscript = write_book(tmp_path)
    file = tmp_path / "gold" / "chapter-3.json"
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "edition_chapter": 9}), encoding="utf-8")
    with pytest.raises(InputError, match="chapter 9"):
        GoldAnswers.open(tmp_path / "gold", read_manuscript(manuscript))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"book": "x"}', '{"book": 1}', "null"])
def test_a_file_that_is_no_gold_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"odd\.json"):
        load_gold(tmp_path)


@pytest.mark.parametrize("block", [0, 99, -1])
def test_evidence_in_a_block_that_is_not_there_is_refused(tmp_path: Path, block: int) -> None:
    write_book(tmp_path)
    file = tmp_path / "gold" / "chapter-1.json"
    gold = json.loads(file.read_text("utf-8"))
    gold["relations"][0]["evidence"][0]["block"] = block
    file.write_text(json.dumps(gold), encoding="utf-8")
    with pytest.raises(InputError, match=f"block {block}"):
        load_gold(tmp_path / "gold")


def test_no_folder_and_an_empty_one_say_what_to_pass(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="gold:DIR"):
        GoldAnswers.open(None, BOOK)
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(InputError, match="no gold chapters"):
            load_gold(folder)


def test_every_triple_that_states_a_relation() -> None:
    told = relation("oda sibling_of ludo", alternates=("~serves",), alternate_triples=[("oda", "owes", "pia")])
    assert triples(told) == {
        ("oda", "sibling_of", "ludo"),
        ("ludo", "sibling_of", "oda"),
        ("ludo", "serves", "oda"),
        ("oda", "owes", "pia"),
    }
    assert triples(told, alternates=False) == {("oda", "sibling_of", "ludo"), ("ludo", "sibling_of", "oda")}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the old jailer", "old jailer"),
        ("his the father", "father"),
        ("her", "her"),
        ("son père", "père"),
        ("那老人", "那老人"),
    ],
)
def test_determiners_are_no_part_of_a_description(text: str, shown: str) -> None:
    assert bare(text) == shown


def test_whom_an_unnamed_one_was_taken_for_is_recalled_from_what_was_asked_before() -> None:
    unnamed = Ref(handle="@7", names=("my father",), places=(Place(2, 1),))
    before = asked("cast.presence", unnamed, options=KINDS)
    nameless = Ref(handle="@7", names=("the man in the rain",))
    fresh = GoldAnswers({1: replace(VIEW, ids={})})
    assert fresh._views[1].of(nameless) is None
    resumed = GoldAnswers({1: replace(VIEW, ids={})})
    resumed.recall([before, before.model_copy(update={"key": before.key.model_copy(update={"chapter": 9})})])
    found = resumed._views[1].of(nameless)
    assert found is not None and found.id == "father"
    anybody: object = resumed
    assert isinstance(anybody, Recalling)
