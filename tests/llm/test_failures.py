from __future__ import annotations

import httpx2
import openai
import pytest

from analyzer.errors import PermanentModelError, TransientModelError
from analyzer.llm.transports.failures import is_refusal, retry_after_s, scrub, to_model_error
from analyzer.llm.transports.litellm_chat import foreign_errors, load_litellm

SECRET = "key-9f8e7d6c5b4a"
REQUEST = httpx2.Request("POST", "https://h/v1/chat/completions")


def exported(module: object) -> list[type[Exception]]:
    found = [item for item in list(vars(module).values()) if isinstance(item, type) and issubclass(item, Exception)]
    return [item for item in found if item.__module__.startswith(("openai", "litellm"))]


def made(kind: type[Exception], status: int | None = None) -> Exception:
    """Return an instance without running a constructor that wants a dozen arguments."""
    error = kind.__new__(kind)
    Exception.__init__(error, f"failed with {SECRET}")
    error.message = f"failed with {SECRET}"  # type: ignore[attr-defined]
    for name in ("num_retries", "max_retries", "original_exception"):
        setattr(error, name, None)
    if status is not None:
        error.status_code = status  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize("kind", exported(openai), ids=lambda kind: kind.__name__)
def test_every_exception_of_openai_is_caught_and_mapped(kind: type[Exception]) -> None:
    if not issubclass(
        kind, openai.InvalidWebhookSignatureError
    ):  # raised by a webhook check only, which is never called
        assert issubclass(kind, openai.OpenAIError), "the transport would not catch it"
    found = to_model_error(made(kind), model="m", key_env="K", secrets=[SECRET])
    assert isinstance(found, TransientModelError | PermanentModelError)
    assert SECRET not in f"{found} {found.hint} {found.where}"


def test_every_exception_of_litellm_is_caught_and_mapped() -> None:
    litellm = load_litellm()
    modules = [litellm, litellm.exceptions]
    caught = foreign_errors(modules)
    kinds = {kind for module in modules for kind in exported(module)}
    assert len(kinds) > 30
    for kind in kinds:
        assert issubclass(kind, caught), f"{kind} is not caught"
        found = to_model_error(made(kind), model="m", key_env="K", secrets=[SECRET])
        assert isinstance(found, TransientModelError | PermanentModelError)
        assert SECRET not in str(found)


EXPECTED = {
    "RateLimitError": TransientModelError, "APITimeoutError": TransientModelError, "APIConnectionError": TransientModelError,
    "APIResponseValidationError": TransientModelError, "APIError": TransientModelError,
    "AuthenticationError": PermanentModelError, "PermissionDeniedError": PermanentModelError,
    "NotFoundError": PermanentModelError, "BadRequestError": PermanentModelError, "UnprocessableEntityError": PermanentModelError,
}  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), EXPECTED.items())
def test_the_known_ones_come_out_as_they_should(name: str, expected: type[Exception]) -> None:
    kind = getattr(openai, name)
    assert type(to_model_error(made(kind, getattr(kind, "status_code", None)), model="m", key_env="K")) is expected


def test_a_quota_inside_a_message_is_permanent_as_litellm_hides_the_body() -> None:
    error = made(openai.RateLimitError, 429)
    error.args = ('litellm.RateLimitError: {"error": {"code": "insufficient_quota"}}',)
    assert isinstance(to_model_error(error, model="m", key_env="K"), PermanentModelError)


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdefgh12345678.", "Bearer abc.def", "?key=AIzaSyD-1234567890abc", 'api_key="topsecret1"',
        "Authorization: Basic dXNlcjpwdw==", "token=abcdef123456", "x-api-key: sk-ant-api03-abcdefgh",
    ],
)  # fmt: skip
def test_whatever_looks_like_a_key_is_blanked(text: str) -> None:
    shown = scrub(text)
    assert "***" in shown
    for secret in ("abcdefgh12345678", "abc.def", "SyD-1234567890abc", "topsecret1", "abcdef123456", "api03"):
        assert secret not in shown


def test_every_key_of_the_environment_is_blanked_whatever_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_VENDOR_KEY", "plainwords-4711")
    monkeypatch.setenv("SOME_FLAG", "ordinary-value")
    assert scrub("got plainwords-4711 and ordinary-value") == "got *** and ordinary-value"


def test_a_scrubbed_text_is_one_short_line_without_controls() -> None:
    shown = scrub("a\n\x1b[31mb" + "x" * 5000, ["short"])
    assert "\n" not in shown and "\x1b" not in shown and len(shown) == 300


def test_a_short_secret_does_not_blank_out_words() -> None:
    assert scrub("a bad day", ["a"]) == "a bad day"


def test_refusals_are_known_by_class_or_code() -> None:
    assert is_refusal(
        openai.BadRequestError("no", response=httpx2.Response(400, request=REQUEST), body={"code": "content_filter"})
    )
    assert not is_refusal(
        openai.BadRequestError("no", response=httpx2.Response(400, request=REQUEST), body={"code": "x"})
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [("3", 3.0), (" 3.5 ", 3.5), ("-3", None), ("1e9", None), ("nan", None), ("", None), ("x", None)],
)
def test_retry_after_takes_plain_seconds_only(value: str, expected: float | None) -> None:
    assert retry_after_s({"retry-after": value}) == expected
