from __future__ import annotations

import pytest

from analyzer.models.facts import EntityFact, EntityKind, FormFact
from analyzer.models.text import Place
from analyzer.steps.cast_same import _Clusters
from analyzer.text.languages import language_table
from tests.harness import Case, Ran, chapter_of, ids, lines_of, person, picks, run_step
from tests.steps.tale import EN


def form(
    surface: str, place: tuple[int, int], n: int = 1, kind: EntityKind = "character", chapter: int = 1
) -> FormFact:
    return FormFact(surface=surface, entity_kind=kind, chapter=chapter, first=Place(*place), n_mentions=n)


FORMS = (
    form("Mara", (1, 1), 3),
    form("Mara Vell", (1, 1)),
    form("Tomas", (1, 2), 3),
    form("Tomas Vell", (1, 2), 2),
    form("Corvin", (1, 1), kind="place"),
)
SECOND = (form("Vell", (1, 1), chapter=2), form("the Miller", (1, 2), chapter=2))
KNOWN = (*person("@1", "Mara Vell", "Mara"), *person("@2", "Tomas Vell", "Tomas"))


def joined(*pairs: tuple[str, str]) -> dict[str, str]:
    """Answers by mark of the shared options: beings sort by place, then by surface."""
    return {f"“{a}” (": b for a, b in pairs}


CASES = (
    Case(
        "full and given name are one person, shown by the fuller form",
        EN,
        (
            "entity @1 place Corvin",
            "name @1 Corvin full",
            "entity @2 character Mara Vell",
            "name @2 Mara given",
            "name @2 Mara Vell full",
            "entity @3 character Tomas Vell",
            "name @3 Tomas given",
            "name @3 Tomas Vell full",
        ),
        facts=FORMS,
        say=joined(("Mara", "b"), ("Tomas", "d")),
    ),
    Case(
        "nothing joined means one entity for every form, in order of first appearance",
        EN,
        (
            "entity @1 place Corvin",
            "name @1 Corvin full",
            "entity @2 character Mara",
            "name @2 Mara full",
            "entity @3 character Mara Vell",
            "name @3 Mara Vell full",
        ),
        facts=(FORMS[0], FORMS[1], FORMS[4]),
    ),
    Case(
        "picking itself joins nothing",
        EN,
        ("entity @1 character Mara", "name @1 Mara full", "entity @2 character Mara Vell", "name @2 Mara Vell full"),
        facts=FORMS[:2],
        say=joined(("Mara", "a"), ("Mara Vell", "b")),
    ),
    Case(
        "a circle of picks is one entity",
        EN,
        ("entity @1 character Mara Vell", "name @1 Mara given", "name @1 Mara Vell full"),
        facts=FORMS[:2],
        say=joined(("Mara", "b"), ("Mara Vell", "a")),
    ),
    Case(
        "a new name of a known entity makes no new one, and is classed against its label",
        "Vell came. The Miller was there.",
        ("name @1 Vell family", "entity @3 character the Miller", "name @3 the Miller full"),
        start=KNOWN,
        facts=SECOND,
        say=joined(("Vell", "@1")),
        no=2,
    ),
    Case(
        "two forms that lead to two known entities are not joined",
        "Vell came. The Miller was there.",
        ("name @1 Vell family", "name @2 the Miller title"),
        start=KNOWN,
        facts=SECOND,
        say=joined(("Vell", "@1"), ("the Miller", "@2")),
        no=2,
    ),
    Case("without a form there is nothing to give", EN, ()),
    Case("an unparsed line leaves the form an entity of its own", EN,
         ("entity @1 character Mara", "name @1 Mara full", "entity @2 character Mara Vell", "name @2 Mara Vell full"),
         facts=FORMS[:2], say=lambda q: "the same as the other"),
    Case(
        "a handle that is not offered joins nothing",
        EN,
        ("entity @1 character Mara", "name @1 Mara full", "entity @2 character Mara Vell", "name @2 Mara Vell full"),
        facts=FORMS[:2],
        say=lambda q: "@77",
    ),
    Case(
        "korean",
        "마라가 왔다. 마라 벨이 웃었다.",
        ("entity @1 character 마라 벨", "name @1 마라 given", "name @1 마라 벨 full"),
        facts=(form("마라", (1, 1), 2), form("마라 벨", (1, 2))),
        say=joined(("마라", "b")),
        language="ko",
    ),
    Case(
        "chinese",
        "林黛來了。林姑娘笑了。",
        ("entity @1 character 林黛", "name @1 林黛 full", "name @1 林姑娘 epithet"),
        facts=(form("林黛", (1, 1), 4), form("林姑娘", (1, 2))),
        say=joined(("林姑娘", "a")),
        language="zh",
    ),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_same(case: Case) -> None:
    case.check("cast_same")


def test_a_cluster_never_holds_two_known_entities() -> None:
    clusters = _Clusters([form("A", (1, 1)), form("B", (1, 2)), form("C", (1, 3))], language_table("en"))
    assert clusters.link("A", "@1", "one")
    assert clusters.link("B", "@2", "two")
    assert clusters.link("C", "form:A", "three")
    assert not clusters.link("C", "form:B", "four")
    assert not clusters.link("C", "@2", "five")
    assert clusters.find("C") == clusters.find("A") != clusters.find("B")


@pytest.mark.parametrize("order", [("Odile Varga", "Ilse Varga"), ("Ilse Varga", "Odile Varga")])
def test_a_bare_family_name_never_joins_two_full_names(order: tuple[str, str]) -> None:
    forms = [form(name, (1, i)) for i, name in enumerate((*order, "Varga", "Mrs. Varga"), 1)]
    clusters = _Clusters(forms, language_table("en"))
    assert clusters.link("Varga", f"form:{order[0]}", "one")
    assert not clusters.link(order[1], "form:Varga", "two")
    assert clusters.link("Mrs. Varga", "form:Varga", "three")
    assert clusters.find(order[0]) == clusters.find("Mrs. Varga") != clusters.find(order[1])


def test_a_full_name_said_to_be_another_full_name_is_a_nickname() -> None:
    clusters = _Clusters([form("Absalom Varga", (1, 1)), form("Sol Varga", (1, 2))], language_table("en"))
    assert clusters.link("Sol Varga", "form:Absalom Varga", "one")


def test_two_people_with_one_surname_stay_two() -> None:
    forms = (form("Gerard Noir", (1, 1), 2), form("Old Noir", (1, 2), 2))
    ran = run_step("cast_same", chapter_of("Gerard Noir came. Old Noir slept."), facts=forms)
    assert [line for line in ran.facts if line.startswith("entity")] == [
        "entity @1 character Gerard Noir",
        "entity @2 character Old Noir",
    ]


def test_the_question_names_every_other_form_once() -> None:
    [beings] = run_step("cast_same", chapter_of(EN), facts=FORMS).shown
    assert lines_of(beings) == [
        "Options for every question: a “Mara”; b “Mara Vell”; c “Tomas”; d “Tomas Vell”",
        "1. “Mara” (1.1)",
        "2. “Mara Vell” (1.1)",
        "3. “Tomas” (1.2)",
        "4. “Tomas Vell” (1.2)",
    ]


def test_a_place_and_a_person_are_never_offered_to_each_other() -> None:
    forms = (FORMS[0], FORMS[4], form("the mill", (1, 1), kind="place"))
    for question in run_step("cast_same", chapter_of(EN), facts=forms).questions:
        offered = {option.key for option in question.options}
        assert ("form:Mara" in offered) != ("form:Corvin" in offered)


def test_a_handle_once_given_comes_back_for_its_anchor_and_is_never_reused() -> None:
    handles = {"name:Mara": "@9", "name:Gone": "@12"}
    ran = run_step("cast_same", chapter_of(EN), facts=FORMS[:3], handles=handles)
    given = {line.split()[1] for line in ran.facts if line.startswith("entity")}
    assert given == {"@9", "@13", "@14"}
    again = run_step("cast_same", chapter_of(EN), facts=FORMS[:3], handles=handles)
    assert again.facts == ran.facts


def test_every_entity_rests_on_words_of_the_chapter() -> None:
    chapter = chapter_of(EN)
    for fact, _ in run_step("cast_same", chapter, facts=FORMS).effects.facts:
        if isinstance(fact, EntityFact):
            [shown] = fact.evidence
            assert chapter.sentence_text(shown.place) == shown.text


HOUSES = (
    ("en", "Hale", "Ida Hale", "Rob Hale"),
    ("ko", "한씨", "한만석", "한기주"),
    ("zh", "欧阳", "欧阳文远", "欧阳秋"),
    ("ja", "田中", "田中一郎", "田中花子"),
)


def house(language: str, names: tuple[str, ...], **say: str) -> Ran:
    """Ask about these names, in this order; `say` are the option keys picked by place (n0, n1, …)."""
    ends = " " if language == "en" else ""
    text = ends.join(f"{name}。" if not ends else f"{name} came." for name in names)
    forms = [form(name, (1, 1), 2) for name in names]
    picked = {f"“{names[int(n[1:])]}” (": key for n, key in say.items()}
    return run_step("cast_same", chapter_of(text, language=language), facts=forms, say=picks(picked))


@pytest.mark.parametrize(("language", "bare", "one", "other"), HOUSES)
def test_a_bare_surname_of_two_people_may_be_said_to_mean_now_one_now_another(
    language: str, bare: str, one: str, other: str
) -> None:
    ran = house(language, (bare, one, other), n0="several")
    entities = {line.split(" ", 3)[3]: line.split()[1] for line in ran.facts if line.startswith("entity")}
    assert set(entities) == {one, other}
    named = {line.split()[1] for line in ran.facts if line.startswith("name") and f" {bare} family" in line}
    assert named == set(entities.values())


@pytest.mark.parametrize(("language", "bare", "one", "other"), HOUSES)
def test_a_surname_of_one_person_is_not_offered_as_that_of_several(
    language: str, bare: str, one: str, other: str
) -> None:
    assert all(o.key != "several" for q in house(language, (bare, one)).questions for o in q.options)


@pytest.mark.parametrize(("language", "bare", "one", "other"), HOUSES)
def test_a_bare_surname_said_to_be_one_of_them_is_that_ones_alone(
    language: str, bare: str, one: str, other: str
) -> None:
    ran = house(language, (bare, one, other), n0=f"form:{one}")
    assert len([line for line in ran.facts if line.startswith("entity")]) == 2
    assert (
        len(
            [
                line
                for line in ran.facts
                if line.startswith("name") and line.split(" ", 2)[2].startswith(f"{bare} ") and line.count(" ") == 3
            ]
        )
        == 1
    )


def test_a_bare_surname_in_one_word_never_joins_two_full_names() -> None:
    ran = house("ja", ("田中", "田中一郎", "田中花子"), n1="form:田中", n2="form:田中")
    assert len([line for line in ran.facts if line.startswith("entity")]) == 2
    assert ran.codes == ["conflicting_merge"]


def test_several_said_of_a_name_nobody_shares_leaves_it_a_name_of_its_own() -> None:
    ran = house("en", ("Hale", "Ida Hale", "Rob Hale", "Quill"), n3="several")
    assert any(line.startswith("entity") and line.endswith("character Quill") for line in ran.facts)


@pytest.mark.parametrize(
    ("language", "family", "head"),
    [
        ("en", "the Hales", "Rob Hale"),
        ("ko", "한씨네", "한만석"),
        ("zh", "贾家", "贾仲和"),
        ("ja", "田中家", "田中一郎"),
    ],
)
def test_a_family_is_never_offered_as_another_name_of_its_head(language: str, family: str, head: str) -> None:
    forms = (form(family, (1, 1), kind="group"), form(head, (1, 1)), form("X", (1, 1)), form("Y", (1, 1), kind="place"))
    ran = run_step("cast_same", chapter_of(f"{family} {head} X Y.", language=language), facts=forms)
    offered = {q.key.about[0].names[0]: {o.key for o in q.options} for q in ran.questions}
    assert f"form:{head}" not in offered[family] and f"form:{family}" not in offered[head]
    assert "form:Y" in offered[family]
