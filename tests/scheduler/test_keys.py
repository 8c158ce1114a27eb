"""What an answer's id covers: all it may depend on, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.bible import Bible
from analyzer.hashing import canonical_json, content_hash
from analyzer.models.question import NONE, NONE_MARK, Option, Pack, Part, Question, QuestionKey, Ref
from analyzer.models.text import Chapter, Manuscript, Place
from analyzer.scheduler.chapters import named_in
from analyzer.scheduler.events import RunOptions
from analyzer.scheduler.facts import BookFacts
from analyzer.scheduler.graph import build_graph
from analyzer.scheduler.keys import (
    OptionParts,
    Shown,
    again_key,
    code_hash,
    part_hash,
    request_hash,
    reuse_key,
    shown,
    strict_key,
)
from analyzer.storage.store import Store
from analyzer.text.languages import language_table
from tests.scheduler.tiny import STEPS, TEXTS, TINY, Teller, analyse, book_of

CAST = "CAST BEFORE THIS CHAPTER\n@1 character: Anna\n@2 place: Corvin\n@12 character: 벨라\n\n"


def prefix(cast: str = CAST, *, system: str = "rules\n\n", chapter: str = "CHAPTER 1\n[1] Night.\n\n") -> Shown:
    return shown(
        (
            Part(name="system", text=system),
            Part(name="cast", text=cast),
            Part(name="chapter", text=chapter),
        )
    )


QUESTION = Question(
    key=QuestionKey(step="kind", ask="relation.kind", chapter=1, about=(Ref(handle="@1"), Ref(handle="@12"))),
    type="choice",
    text="@1 and @12 are",
    options=(Option(mark="a", key="friend_of", text="friends"), Option(mark=NONE_MARK, key=NONE)),
)


def key(question: Question = QUESTION, **more: object) -> str:
    given: dict[str, object] = {
        "instructions": "Pick.",
        "prefix": prefix(),
        "model": "m",
        "params": {"temperature": 0},
        **more,
    }
    return reuse_key(question, **given)  # type: ignore[arg-type]


def test_questions_that_share_options_have_the_ids_they_have_alone() -> None:
    shared = OptionParts()
    for text in ("@1 and @2 are", "@2 and @12 are"):
        question = QUESTION.model_copy(update={"text": text})
        assert key(question, options=shared) == key(question)


def _by_text(option: Option) -> tuple[bool, str]:
    """Put options that only the prefix shows behind the others, in an order of their own."""
    return not option.text, "" if option.text else canonical_json([option.mark, option.key, option.text])


def test_the_order_of_options_matters_where_it_is_shown() -> None:
    real = [Option(mark=mark, key=mark, text=text) for mark, text in (("a", "friends"), ("b", "foes"))]
    assert key(QUESTION.model_copy(update={"options": tuple(reversed(real))})) != key(
        QUESTION.model_copy(update={"options": tuple(real)})
    )
    handles = tuple(Option(mark=mark, key=mark) for mark in ("@2", "@12"))
    assert key(QUESTION.model_copy(update={"options": handles})) == key(
        QUESTION.model_copy(update={"options": handles[::-1]})
    )


def test_the_number_of_the_chapter_is_no_part_of_what_is_asked() -> None:
    moved = QUESTION.key.model_copy(update={"chapter": QUESTION.key.chapter + 7})
    assert key(QUESTION.model_copy(update={"key": moved})) == key(QUESTION)


def test_the_id_is_the_content_hash_of_one_list() -> None:
    shown_prefix = prefix()
    named = sorted(shown_prefix.lines.keys() & {"@1", "@2", "@12"})
    question = QUESTION.model_copy(update={"text": " ".join(named)})
    listed = [
        shown_prefix.system_hash,
        shown_prefix.chapter_hash,
        part_hash("Pick."),
        [question.key.step, question.key.asked, question.type, question.text, question.evidence],
        [list(place) for place in question.sentences],
        [question.closed_evidence, question.max_picks],
        [[option.mark, option.key, option.text] for option in sorted(question.options, key=_by_text)],
        [[handle, list(shown_prefix.lines[handle])] for handle in named],
        "m",
        {"temperature": 0},
    ]
    assert key(question) == content_hash("answer", listed)


@pytest.mark.parametrize(
    "change",
    [
        {"instructions": "Pick one."},
        {"model": "n"},
        {"params": {"temperature": 1}},
        {"prefix": prefix(system="other rules\n\n")},
        {"prefix": prefix(chapter="CHAPTER 1\n[1] Day.\n\n")},
        {"prefix": prefix(CAST.replace("벨라", "벨라 / 시몬"))},
        {"prefix": prefix(CAST.replace("@1 character: Anna", "@1 character: Anna / 安娜"))},
    ],
)
def test_whatever_an_answer_may_depend_on_changes_its_id(change: dict[str, object]) -> None:
    assert key(**change) != key()


@pytest.mark.parametrize(
    "update",
    [
        {"text": "@1 and @12 may be"},
        {"options": (Option(mark="a", key="friend_of", text="mates"), QUESTION.options[1])},
        {"options": (Option(mark="a", key="ally_of", text="friends"), QUESTION.options[1])},
        {"sentences": (Place(1, 1),)},
        {"evidence": "must"},
        {"max_picks": 2},
        {"key": QUESTION.key.model_copy(update={"detail": "kin"})},
    ],
)
def test_whatever_is_shown_of_a_question_changes_its_id(update: dict[str, object]) -> None:
    assert key(QUESTION.model_copy(update=update)) != key()


def test_other_cast_lines_may_move_without_a_question_being_asked_again() -> None:
    moved = prefix(CAST.replace("@2 place: Corvin\n", "@2 place: Corvin / 城\n@3 place: 港\n"))
    assert key(prefix=moved) == key()
    assert strict_key(key(), prefix=moved) != strict_key(key(), prefix=prefix())


def test_the_other_wording_has_an_id_of_its_own_even_in_the_same_words() -> None:
    assert len({key(), again_key(key(), instructions="Pick."), again_key(key(), instructions="Choose.")}) == 3


def test_a_handle_is_not_taken_for_a_longer_one() -> None:
    alone = QUESTION.model_copy(
        update={"text": "@1 is", "key": QUESTION.key.model_copy(update={"about": (Ref(handle="@1"),)})}
    )
    moved = prefix(CAST.replace("@12 character: 벨라", "@12 character: 시몬"))
    assert key(alone, prefix=moved) == key(alone)


def test_the_scope_is_what_the_prefix_shows_and_author_text_cannot_add_to_it() -> None:
    added = Part(name="added", text="CAST THIS CHAPTER ADDS\n@13 character: x @14 y\n@1 also: Nan\n\n")
    chapter = Part(name="chapter", text="CHAPTER 1\n@15 character: z\n\n")
    seen = shown((*prefix().parts[:2], chapter, added))
    assert seen.scope == {"@1", "@2", "@12", "@13"}
    assert seen.lines["@1"] == ("@1 character: Anna", "@1 also: Nan")


def test_a_request_is_known_by_its_bytes_model_and_parameters() -> None:
    pack = Pack(step="kind", chapter=1, parts=prefix().parts, tail="1. ?", questions=(QUESTION,))
    base = request_hash(pack, model="m", params={})
    assert base == request_hash(pack.model_copy(update={"step": "x", "chapter": 9}), model="m", params={})
    assert len({base, request_hash(pack.model_copy(update={"tail": "2. ?"}), model="m", params={})}) == 2
    assert len({base, request_hash(pack, model="n", params={}), request_hash(pack, model="m", params={"t": 0})}) == 3


def test_the_code_hash_is_stable_within_a_process() -> None:
    assert code_hash() == code_hash()


def edited(no: int, rows: tuple[str, ...]) -> Manuscript:
    return book_of([rows if n == no else row for n, row in enumerate(TEXTS, 1)])


async def test_after_an_edit_only_what_depends_on_the_changed_text_is_asked_again(tmp_path: Path) -> None:
    await analyse(tmp_path, Teller())
    again = Teller()
    outcome = await analyse(tmp_path, again, manuscript=edited(2, (*TEXTS[1], "The day broke.")))
    assert outcome.exit_code == 0
    assert {pack.chapter for pack in again.asked} == {2}
    assert outcome.n_unchanged >= len(STEPS)


async def test_facts_on_removed_text_disappear_also_in_the_first_chapter(tmp_path: Path) -> None:
    await analyse(tmp_path, Teller())
    book = edited(1, ("Anna came.",))
    await analyse(tmp_path, Teller(), manuscript=book)
    with Store.open(tmp_path) as store:
        forms = [f.fact for f in store.facts(through=1, classes=["form"])]
        assert [f.surface for f in forms] == ["Anna"]  # type: ignore[union-attr]
        assert store.verify() == []


async def test_a_strict_run_asks_again_where_any_byte_of_the_prefix_moved_and_nowhere_else(tmp_path: Path) -> None:
    await analyse(tmp_path, Teller())
    same = Teller()
    await analyse(tmp_path, same, options=RunOptions(strict=True))
    assert same.asked == []
    book = book_of([*TEXTS[:1], (TEXTS[1][0], "Anna wrote."), TEXTS[2]])
    plain, strict, settled = Teller(), Teller(), Teller()
    await analyse(tmp_path, plain, manuscript=book)
    await analyse(tmp_path, strict, manuscript=book, options=RunOptions(strict=True))
    await analyse(tmp_path, settled, manuscript=book, options=RunOptions(strict=True))
    assert {pack.chapter for pack in plain.asked} == {2}
    assert 1 not in {pack.chapter for pack in strict.asked}
    assert settled.asked == []


async def test_handles_stay_and_are_never_given_twice_when_the_book_changes(tmp_path: Path) -> None:
    await analyse(tmp_path, Teller())
    with Store.open(tmp_path) as store:
        before = store.handles()
    await analyse(tmp_path, Teller(), manuscript=edited(1, ("カンナ came with Dora.",)))
    with Store.open(tmp_path) as store:
        after = store.handles()
    assert before.items() <= after.items()
    assert len(set(after.values())) == len(after)


@pytest.mark.parametrize(
    ("language", "name", "text", "other"),
    [
        ("en", "Anna", "Then Anna's boat came.", "Then Annabel came."),
        ("ko", "안나", "그때 안나는 웃었다.", "그때 비가 왔다."),
        ("zh", "林黛", "那时林黛笑了。", "那时下雨了。"),
        ("ja", "カンナ", "その時カンナは笑った。", "その時雨が降った。"),
    ],
)
async def test_who_is_named_in_a_chapter_is_found_in_each_language(
    language: str, name: str, text: str, other: str, tmp_path: Path
) -> None:
    book = book_of([[f"{name} {name}"]])
    await analyse(tmp_path, Teller(), manuscript=book)
    with Store.open(tmp_path) as store:
        facts, handles = store.facts(), store.handles()
    if not handles:
        pytest.fail(f"the tiny steps found nobody in {name!r}")
    bible = BookFacts(build_graph(STEPS), facts, run=frozenset(), handles=handles).open(2).bible
    table = language_table(language)
    assert named_in(_chapter(text, language), bible, table) == {"@1"}
    assert named_in(_chapter(other, language), bible, table) == frozenset()


def _chapter(text: str, language: str) -> Chapter:
    return book_of([[text]], language=language).chapters[0]


async def test_what_stands_before_a_chapter_is_the_fold_of_all_carried_facts_before_it(tmp_path: Path) -> None:
    await analyse(tmp_path, Teller())
    with Store.open(tmp_path) as store:
        stored, handles = store.facts(), store.handles()
    graph = build_graph(STEPS)
    facts = BookFacts(graph, stored, run=frozenset(), handles=handles)
    for no in range(1, len(TINY.chapters) + 2):
        before = tuple(f.fact for f in stored if f.chapter < no and f.fact.fact in graph.carried)
        whole = Bible(no - 1, before, handles)
        assert facts.open(no).bible.cast == whole.cast
