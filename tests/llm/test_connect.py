from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from analyzer.errors import ConfigError
from analyzer.llm.connect import BASE_URL_KEY_ENV, answering_name, connect
from analyzer.llm.profiles import OPENAI, PROFILES, openai_params, openai_profile, provider_profile
from analyzer.llm.transports.inbox import Inbox
from analyzer.llm.transports.letter_chat import LetterChat
from analyzer.llm.transports.litellm_chat import LitellmChat
from analyzer.llm.transports.openai_chat import OpenAIChat
from analyzer.models.text import Manuscript

BOOK = Manuscript(title="t", language="en", text="", sha256="0" * 64, chapters=())


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "DEEPSEEK_API_KEY"):
        monkeypatch.setenv(name, "sk-test-0123456789")


@pytest.mark.parametrize(
    ("spec", "kind", "profile"),
    [
        ("gpt-6-luna", OpenAIChat, "openai"), ("openai/gpt-6-luna", OpenAIChat, "openai"), ("gpt-5.4-nano", OpenAIChat, "openai-older"),
        ("gpt-4o", OpenAIChat, "openai-older"), ("anthropic/claude-haiku-5-5", LitellmChat, "anthropic"),
        ("gemini/gemini-2.5-flash-lite", LitellmChat, "gemini"), ("deepseek/deepseek-flash", LitellmChat, "deepseek"),
        ("mistral/mistral-small", LitellmChat, "other"),
    ],
)  # fmt: skip
def test_a_name_finds_its_provider(spec: str, kind: type, profile: str) -> None:
    asker = connect(spec)
    assert isinstance(asker, kind) and asker.profile.name == profile
    assert asker.model == spec.removeprefix("openai/")


@pytest.mark.parametrize("spec", ["qwen2.5:7b", "gpt-6-luna", "org/model", "rules:x", "local"])
def test_any_name_with_a_base_url_is_a_model_there(spec: str) -> None:
    asker = connect(spec, base_url="http://127.0.0.1:8080/v1")
    assert isinstance(asker, OpenAIChat) and asker.profile.name == "compatible"


def test_openais_key_never_goes_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asker = connect("m", base_url="http://127.0.0.1:8080")
    assert isinstance(asker, OpenAIChat) and asker._key == "unused"
    monkeypatch.setenv(BASE_URL_KEY_ENV, "own-key-12345")
    asker = connect("m", base_url="http://127.0.0.1:8080")
    assert isinstance(asker, OpenAIChat) and asker._key == "own-key-12345"


def test_a_profile_may_be_named() -> None:
    assert connect("gpt-6-luna", base_url="http://127.0.0.1:8080", profile="openai").profile is OPENAI
    assert isinstance(connect("q", base_url="http://127.0.0.1:8080", profile="local-small"), LetterChat)
    with pytest.raises(ConfigError, match="anthropic, compatible"):
        connect("m", base_url="http://h", profile="best")


def test_an_inbox_is_a_folder(tmp_path: Path) -> None:
    assert isinstance(connect(f"inbox:{tmp_path / 'in'}"), Inbox)


@pytest.mark.parametrize(
    "spec", ["", " ", "luna", "opneai/gpt-6-luna", "anthropic/", "/x", "gpt-6-luna ", "rules:now", "x\ny", "inbox:", "local:", "inbox"]
)  # fmt: skip
def test_an_unknown_name_lists_what_is_allowed(spec: str) -> None:
    with pytest.raises(ConfigError) as caught:
        connect(spec, manuscript=BOOK)
    assert any(word in str(caught.value) for word in ("inbox:DIR", "local:FILE.gguf"))


def test_rules_and_gold_are_imported_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, gold = ModuleType("rules"), ModuleType("gold")
    rules.RuleAnswers = lambda manuscript: ("rules", manuscript)  # type: ignore[attr-defined]

    class GoldAnswers:
        @staticmethod
        def open(folder: Path | None, manuscript: Manuscript) -> object:
            return ("gold", folder, manuscript)

    gold.GoldAnswers = GoldAnswers  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "analyzer.llm.transports.rules", rules)
    monkeypatch.setitem(sys.modules, "analyzer.llm.transports.gold", gold)
    assert connect("rules", manuscript=BOOK) == ("rules", BOOK)
    assert connect("gold", manuscript=BOOK) == ("gold", None, BOOK)
    assert connect("gold:goldsets/x", manuscript=BOOK) == ("gold", Path("goldsets/x"), BOOK)
    with pytest.raises(ConfigError, match="manuscript"):
        connect("gold")


def test_no_offline_or_own_server_profile_has_a_price() -> None:
    unpriced = {name for name, profile in PROFILES.items() if not profile.priced}
    assert unpriced == {"compatible", "decisions-compatible", "local-small", "hand", "offline"}


def test_newer_models_get_the_newer_profile_and_minima_follow_the_model() -> None:
    assert [openai_profile(m).cache_marks for m in ("gpt-5.5", "gpt-5.6-luna", "gpt-6.2-sol", "gpt-7", "gpt-4o", "o3")] == [
        False, True, True, True, False, False,
    ]  # fmt: skip
    assert openai_params("gpt-6-luna") == {"reasoning_effort": "none", "temperature": 0}
    minima = [
        provider_profile("anthropic", m).min_prefix_tokens
        for m in ("claude-haiku-5-5", "claude-haiku-4-5", "claude-opus-4-7")
    ]
    assert minima == [512, 4096, 2048]


@pytest.mark.parametrize(
    "spec", ["gpt-6-luna", "openai/gpt-6-luna", "anthropic/claude-haiku-5-5", "rules", "inbox:{0}/in"]
)
def test_answers_are_stored_under_the_name_that_is_expected_of_the_spec(tmp_path: Path, spec: str) -> None:
    spec = spec.format(tmp_path)
    assert connect(spec, manuscript=BOOK).model == answering_name(spec)


def test_a_gold_folder_and_a_model_file_are_stored_without_their_path() -> None:
    assert [answering_name(spec) for spec in ("gold:a/b", "gold", "local:/x/y.gguf")] == [
        "gold",
        "gold",
        "local:y.gguf",
    ]
