"""A text comes whole and checked, or not at all with a plain reason; against a server on the loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from analyzer.errors import InputError
from evals.goldset.__main__ import main
from evals.goldset.fetch import fetch
from evals.goldset.manifest import Manifest, load_manifest
from evals.goldset.texts import cache_folder, find_text
from tests.evals.goldset.sets import own, public
from tests.evals.goldset.tales import CHINESE, ENGLISH, KOREAN

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Serve every GET by `answer`; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                answer(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def body(data: bytes, *, length: int | None = None, code: int = 200) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        handler.send_header("Content-Length", str(len(data) if length is None else length))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def moved(to: str, then: Answer | None = None) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        if then is not None and handler.path == "/there":
            then(handler)
            return
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"and so on " * 1000)


def silent(handler: BaseHTTPRequestHandler) -> None:
    handler.rfile.read(1)  # until the client gives up


def at(tmp_path: Path, url: str) -> tuple[Manifest, bytes]:
    folder, data = public(tmp_path, tale=KOREAN, url=f"{url}/tale.txt")
    return load_manifest(folder), data


def refused(manifest: Manifest, cache: Path, **more: float) -> str:
    with pytest.raises(InputError) as caught:
        fetch(manifest, cache, timeout_s=more.get("timeout_s", 5.0))
    assert not cache.exists() or list(cache.iterdir()) == []
    return str(caught.value)


def known(tmp_path: Path) -> bytes:
    """Return the bytes of the tale that `at` makes a goldset of."""
    return public(tmp_path / "other", tale=KOREAN)[1]


def test_a_good_file_lands_whole_in_the_cache_and_is_not_got_twice(tmp_path: Path) -> None:
    with serving(body(known(tmp_path))) as url:
        manifest, data = at(tmp_path, url)
        path = fetch(manifest, tmp_path / "cache")
    assert path.read_bytes() == data and [p.name for p in path.parent.iterdir()] == ["tale.txt"]
    assert fetch(manifest, tmp_path / "cache") == path  # the server is gone


def test_a_spoilt_file_in_the_cache_is_got_again(tmp_path: Path) -> None:
    with serving(body(known(tmp_path))) as url:
        manifest, data = at(tmp_path, url)
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / "tale.txt").write_bytes(data[:40])
        assert fetch(manifest, tmp_path / "cache").read_bytes() == data


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: data.replace("준호".encode(), "준수".encode()), "another edition of the same size"),
        (lambda data: data.replace("눈이".encode(), "비가".encode()), "chapters with gold are the same, but the rest"),
        (lambda data: data[:60], "it is cut short, or another edition"),
        (lambda data: b"", "it is empty"),
        (lambda data: data + data, "it is another edition: more than"),
        (lambda data: b"<!DOCTYPE html>\n<HTML><body>Not here</body></html>", "it is a web page, not the text"),
        (lambda data: bytes(100), "it is cut short"),
        (lambda data: data.replace(b"\n", b"\r\n"), "it is another edition: more than"),
    ],
)
def test_other_bytes_are_refused_and_said_to_be_what_they_are(
    tmp_path: Path, spoil: Callable[[bytes], bytes], said: str
) -> None:
    with serving(body(spoil(known(tmp_path)))) as url:
        manifest, _ = at(tmp_path, url)
        line = refused(manifest, tmp_path / "cache")
    assert f"the text at {url}/tale.txt is refused" in line
    assert said in line


def test_a_body_that_breaks_off_is_refused(tmp_path: Path) -> None:
    data = known(tmp_path)
    with serving(body(data[:70], length=len(data))) as url:
        manifest, _ = at(tmp_path, url)
        assert "cut short" in refused(manifest, tmp_path / "cache")


def test_a_missing_file_is_refused_with_the_servers_answer(tmp_path: Path) -> None:
    with serving(body(b"nothing here", code=404)) as url:
        manifest, _ = at(tmp_path, url)
        assert "answers 404 Not Found" in refused(manifest, tmp_path / "cache")


def test_a_redirect_on_the_same_host_is_followed(tmp_path: Path) -> None:
    with serving(moved("/there", body(known(tmp_path)))) as url:
        manifest, data = at(tmp_path, url)
        assert fetch(manifest, tmp_path / "cache").read_bytes() == data


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ("http://localhost:1/there", "sends to another host, localhost"),
        ("http://127.0.0.1:1/there", "sends to another host, 127.0.0.1"),
        ("https://example.org/tale.txt", "sends to another host, example.org"),
        ("http://example.org/tale.txt", "only https urls are"),
        ("file:///etc/passwd", "answers 302"),
        ("/tale.txt", "answers 302"),
    ],
)
def test_a_redirect_elsewhere_is_not_followed(tmp_path: Path, to: str, said: str) -> None:
    with serving(moved(to)) as url:
        manifest, _ = at(tmp_path, url)
        line = refused(manifest, tmp_path / "cache")
    assert said in line


def test_an_endless_body_is_read_no_further_than_the_edition_is_long(tmp_path: Path) -> None:
    with serving(endless) as url:
        manifest, data = at(tmp_path, url)
        assert f"more than {len(data):,} bytes" in refused(manifest, tmp_path / "cache")


def test_a_silent_server_is_given_up(tmp_path: Path) -> None:
    with serving(silent) as url:
        manifest, _ = at(tmp_path, url)
        assert "was silent" in refused(manifest, tmp_path / "cache", timeout_s=0.2)


def test_without_a_network_the_hint_is_to_give_a_folder(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        manifest, _ = at(tmp_path, f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(InputError, match="cannot be reached") as caught:
            fetch(manifest, tmp_path / "cache")
    assert "--from FOLDER" in caught.value.hint


def test_a_text_without_address_comes_only_from_a_folder(tmp_path: Path) -> None:
    folder, data = public(tmp_path, tale=CHINESE)
    manifest = load_manifest(folder)
    assert "the text has no address; it was made up" in refused(manifest, tmp_path / "cache")
    texts = tmp_path / "texts" / "deep" / "down"
    texts.mkdir(parents=True)
    (texts / "any name.txt").write_bytes(data)
    (texts / "another.txt").write_bytes(b"x" * len(data))
    assert fetch(manifest, tmp_path / "cache", source=tmp_path / "texts").read_bytes() == data


def test_a_folder_without_the_edition_is_refused(tmp_path: Path) -> None:
    folder, data = public(tmp_path, tale=ENGLISH)
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "book.txt").write_bytes(data.replace(b"weir", b"dam "))
    manifest = load_manifest(folder)
    with pytest.raises(InputError, match=r"no .txt file under .*texts is this edition"):
        fetch(manifest, tmp_path / "cache", source=texts)
    with pytest.raises(InputError, match="another edition of the same size"):
        fetch(manifest, tmp_path / "cache", source=texts / "book.txt")
    with pytest.raises(InputError, match="does not exist"):
        fetch(manifest, tmp_path / "cache", source=tmp_path / "nowhere")


@pytest.mark.parametrize("spoil", [lambda data: data.replace(b"\n", b"\r\n"), lambda data: b"\xef\xbb\xbf" + data])
def test_other_line_ends_and_a_byte_order_mark_are_named(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    folder, data = public(tmp_path, tale=CHINESE)
    (tmp_path / "book.txt").write_bytes(spoil(data))
    with pytest.raises(InputError, match="it is the edition with other line ends or a byte order mark"):
        fetch(load_manifest(folder), tmp_path / "cache", source=tmp_path / "book.txt")


def test_a_text_whose_other_chapters_differ_can_be_scored_but_is_not_fetched(tmp_path: Path) -> None:
    folder, data = public(tmp_path, tale=ENGLISH)
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "book.txt").write_bytes(data.replace(b"married", b"engaged"))
    manifest = load_manifest(folder)
    assert find_text(manifest, texts) == texts / "book.txt"
    with pytest.raises(InputError, match="the chapters with gold are the same"):
        fetch(manifest, tmp_path / "cache", source=texts)


def test_an_own_serial_needs_no_fetching(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has its text beside its gold"):
        fetch(load_manifest(own(tmp_path)), tmp_path / "cache")


def test_a_cache_that_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    folder, data = public(tmp_path)
    (tmp_path / "book.txt").write_bytes(data)
    (tmp_path / "cache").write_text("a file", "utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        fetch(load_manifest(folder), tmp_path / "cache", source=tmp_path / "book.txt")


def test_the_cache_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANALYZER_TEXTS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "analyzer" / "texts"
    monkeypatch.setenv("ANALYZER_TEXTS", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    assert cache_folder(tmp_path / "asked") == tmp_path / "asked"


def test_the_command_names_every_text_it_cannot_get(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "texts").mkdir()
    cache = ["--cache", str(tmp_path / "cache")]
    assert main(["fetch", "--from", str(tmp_path / "texts"), *cache]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 4 and all("is this edition" in line for line in lines)
    assert main(["fetch", "nowhere", *cache]) == 2
    assert "there is no goldset 'nowhere'" in capsys.readouterr().err
