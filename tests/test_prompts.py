from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import given

from analyzer.errors import DefinitionError
from analyzer.models.facts import RELATION_KINDS
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.text import Place
from analyzer.prompts import (
    ENDS,
    fill,
    prompt_exists,
    prompt_text,
    render_questions,
    render_tail,
    shared_options,
    system_text,
    wording_name,
)
from analyzer.prompts.phrases import phrases
from analyzer.steps._step import AskStep
from tests.harness import STEPS
from tests.strategies import author_text

ASK = {name: step for name, step in STEPS.items() if isinstance(step, AskStep)}
KEY = QuestionKey(step="s", ask="a", chapter=1, about=())


def question(
    text: str = "Who?", *options: str, places: tuple[tuple[int, int], ...] = (), evidence: str = "no"
) -> Question:
    made = tuple(Option(mark="abcdef"[i], key=o, text=o) for i, o in enumerate(options))
    return Question(
        key=KEY, type="choice", text=text, options=made, sentences=tuple(Place(*p) for p in places), evidence=evidence,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize("name", ASK)
def test_every_step_has_its_prompt_and_the_other_wording_where_it_may_need_one(name: str) -> None:
    step = ASK[name]
    assert prompt_exists(step.prompt)
    if step.suspicious_none:
        assert prompt_exists(f"{step.prompt}.again")


def test_every_prompt_belongs_to_a_step() -> None:
    named = {step.prompt for step in ASK.values()}
    named |= {f"{name}.again" for name in named} | {"system", "system.letter_json", "format.lines", "decisions"}
    there = {p.name.removesuffix(".md") for p in files("analyzer.prompts").iterdir() if p.name.endswith(".md")}
    assert there <= named


@pytest.mark.parametrize("name", ASK)
def test_both_wordings_take_the_same_slots(name: str) -> None:
    step = ASK[name]
    texts = {prompt_text(wording_name(step.prompt, wording)) for wording in (0, 1)}
    assert len({frozenset(re.findall(r"\{([a-z_]+)\}", text)) for text in texts}) == 1


def test_a_missing_and_an_unknown_slot_are_refused_by_name() -> None:
    with pytest.raises(DefinitionError, match="family"):
        fill("relation_select", {})
    with pytest.raises(DefinitionError, match="colour"):
        fill("relation_select", {"family": "kin", "colour": "red"})
    with pytest.raises(DefinitionError, match=r"no prompt file nowhere\.md"):
        prompt_text("nowhere")


def test_values_put_into_slots_are_never_filled_again() -> None:
    assert "{family} and {question}" in fill("relation_select", {"family": "{family} and {question}"})


def test_the_system_part_is_the_same_for_every_step_and_names_its_format() -> None:
    assert system_text("lines") == system_text("lines")
    assert prompt_text("format.lines") in system_text("lines")
    assert system_text("letter_json") != system_text("lines")
    with pytest.raises(DefinitionError):
        system_text("xml")


def test_every_kind_of_relation_has_words_for_both_ends_and_a_nearest_kind() -> None:
    rows = phrases()
    assert set(rows) == set(RELATION_KINDS)
    for kind, row in rows.items():
        for text in (row.says, row.again):
            assert text.count("{a}") == 1 and text.count("{b}") == 1, kind
        assert row.says != row.again
        assert row.nearest and set(row.nearest) <= set(RELATION_KINDS) - {kind}


def test_no_two_kinds_of_a_family_are_said_in_the_same_words() -> None:
    said = [(RELATION_KINDS[kind].family, row.put("@1", "@2")) for kind, row in phrases().items()]
    assert len(said) == len(set(said))


def test_shown_ends_cannot_be_taken_for_placeholders() -> None:
    assert phrases()["loves"].put("{b}", "{a}") == "{b} is in love with {a}"


def test_options_shared_by_all_are_listed_once_and_others_with_each_question() -> None:
    alike = [question("Who?", "one", "two"), question("And who?", "one", "two")]
    assert shared_options(alike) == alike[0].options
    assert render_questions(alike) == "Options for every question: a one; b two\n1. Who?\n2. And who?"
    different = [question("Who?", "one"), question("And who?", "two")]
    assert shared_options(different) == ()
    assert render_questions(different) == "1. Who? | a one\n2. And who? | a two"
    assert render_questions(alike[:1]) == "1. Who? | a one; b two"
    assert shared_options([]) == () and render_questions([]) == ""


def test_options_without_a_text_stand_in_the_prefix_and_are_not_listed() -> None:
    handles = (Option(mark="@1", key="@1"), Option(mark="@2", key="@2"))
    asked = Question(key=KEY, type="select", text="@3 Oda", options=handles)
    assert render_questions([asked, asked]) == "1. @3 Oda\n2. @3 Oda"


def test_sentences_are_shown_only_where_evidence_is_asked_for() -> None:
    assert (
        render_questions([question("Who?", "one", places=((1, 2), (3, 4)), evidence="must")])
        == "1. Who? | a one | see 1.2 3.4"
    )
    assert render_questions([question("Who?", "one", places=((1, 2),))]) == "1. Who? | a one"


@given(author_text, author_text)
def test_text_in_a_question_or_an_option_cannot_add_a_line(text: str, option: str) -> None:
    asked = [question(text, option, "two"), question("Who?", "three")]
    assert len(render_questions(asked).splitlines()) == len(asked)
    tail = render_tail("cast_presence", {}, asked)
    assert tail.split("\n").count("QUESTIONS") == tail.split("\n").count("ANSWERS") == 1


def test_no_prompt_speaks_of_a_book_or_a_person_of_the_gold() -> None:
    everything = " ".join(
        prompt_text(p.name.removesuffix(".md")) for p in files("analyzer.prompts").iterdir() if p.name.endswith(".md")
    )
    for name in ("Keziah", "Ruddock", "Gullick", "Edmond", "Dantès", "Villefort", "林黛", "悟空"):
        assert name not in everything


@pytest.mark.parametrize("turned", [False, True])
def test_shared_options_mean_the_two_in_the_order_the_line_names_them(turned: bool) -> None:
    pairs = [("@1", "한만석", "@25", "식구"), ("@3", "阿拾", "@7", "顾家"), ("@10", "Keziah", "@8", "Whin House")]
    questions = []
    for a, a_name, b, b_name in pairs:
        ends = (Ref(handle=a, names=(a_name,)), Ref(handle=b, names=(b_name,)))
        named = (f"{b} {b_name}", f"{a} {a_name}") if turned else (f"{a} {a_name}", f"{b} {b_name}")
        options = (
            Option(mark="a", key="deny", text="nothing of the kind is told"),
            Option(mark="b", key="for", text=f"{b} counts {a} among its own"),
            Option(mark="c", key="reverse", text=f"{a} counts {b} among its own"),
        )
        key = QuestionKey(step="s", ask="relation.confirm", chapter=1, about=ends)
        questions.append(Question(key=key, type="choice", text=" and ".join(named), options=options))

    lines = render_questions(questions).splitlines()

    assert lines[0] == ENDS
    shared = dict(part.split(" ", 1) for part in lines[1].partition(": ")[2].split("; "))
    for line, question in zip(lines[2:], questions, strict=True):
        first, second = re.findall(r"@[0-9]+", line)
        read = {mark: text.replace("X", first).replace("Y", second) for mark, text in shared.items()}
        assert read == {o.mark: o.text for o in question.options}
