"""What holds of the whole tree: layers, sizes, documentation, locked packages."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import get_args

import pytest

import analyzer.errors
from analyzer import pipeline
from analyzer.errors import AnalyzerError
from analyzer.models.issue import IssueCode
from analyzer.steps._step import AskStep
from tests.harness import STEPS

ROOT = Path(__file__).parent.parent
MAX_LINES = 400
SKIPPED = {
    ".git",
    ".venv",
    ".demo",
    ".bench",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
}
SKIPPED |= {".import_linter_cache", ".grimp_cache", "build", "dist", "node_modules"}
COMMANDS = (
    "init",
    "chapters",
    "plan",
    "run",
    "status",
    "bill",
    "show cast",
    "show relations",
    "show chapter",
    "why",
    "verify",
    "review",
    "decide",
    "timeline",
    "changes",
    "knows",
    "threads",
    "export",
    "shelf",
)


def files(*suffixes: str, under: str = "") -> Iterator[Path]:
    """Yield the project's own files."""
    for path in sorted((ROOT / under).rglob("*")):
        parts = path.relative_to(ROOT).parts
        own = path.is_file() and not SKIPPED & set(parts) and not parts[0].endswith(".egg-info")
        if own and (not suffixes or path.suffix in suffixes):
            yield path


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_layers_hold() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_module_of_the_package_is_in_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [layers] = [c for c in settings["tool"]["importlinter"]["contracts"] if c["type"] == "layers"]
    named = {part.strip() for layer in layers["layers"] for part in layer.split("|")}
    there = {
        f"analyzer.{p.stem}" for p in (ROOT / "analyzer").iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()
    }
    assert there - named == {"analyzer.__init__", "analyzer.__main__"}


def test_the_package_knows_nothing_of_its_evaluation_and_tests() -> None:
    for path in files(".py", under="analyzer"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [n for n in names if n.split(".")[0] in ("evals", "tests")], name(path)


@pytest.mark.parametrize("step", STEPS)
def test_every_step_has_a_test_and_a_docstring_that_says_what_it_decides(step: str) -> None:
    assert (ROOT / "tests" / "steps" / f"test_{step}.py").is_file()
    module = sys.modules[f"analyzer.steps.{step}"]
    assert module.__doc__ and len(module.__doc__.split()) > 5


def test_architecture_names_every_step_and_no_other() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    table = text.split("## Steps")[1].split("##")[0]
    named = {
        word
        for line in table.splitlines()
        if line.startswith("| `")
        for word in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert named == set(STEPS)


def test_no_step_declares_what_it_does_not_read() -> None:
    """A declared class that the module never names would make the step wait for nothing."""
    words = {"form": ".forms(", "proposal": ".proposals(", "claim": "claims", "detail": ".details(", "vote": ".votes("}
    for step_name, step in STEPS.items():
        source = inspect.getsource(sys.modules[f"analyzer.steps.{step_name}"])
        for declared in step.reads & set(words):
            assert words[declared] in source, (step_name, declared)


def test_no_file_of_the_package_is_longer_than_the_house_limit() -> None:
    long = {
        name(p): n for p in files(".py", under="analyzer") if (n := len(p.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


def test_every_module_and_public_name_of_the_package_has_a_docstring() -> None:
    missing = []
    for path in files(".py", under="analyzer"):
        tree = ast.parse(path.read_text("utf-8"))
        if path.name != "__init__.py" and not ast.get_docstring(tree):
            missing.append(name(path))
        for node in tree.body:
            public = isinstance(
                node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            ) and not node.name.startswith("_")
            if public and not ast.get_docstring(node):  # type: ignore[arg-type]
                missing.append(f"{name(path)}: {node.name}")  # type: ignore[attr-defined]
    assert missing == []


def test_every_public_symbol_of_the_pipeline_is_documented() -> None:
    for symbol in pipeline.__all__:
        value = getattr(pipeline, symbol)
        if inspect.isfunction(value) or inspect.isclass(value):
            assert value.__doc__ and not value.__doc__.startswith(f"{symbol}("), symbol
        if is_dataclass(value) and inspect.isclass(value):
            assert value.__dataclass_params__.frozen  # type: ignore[attr-defined]
    public = {n for n, v in vars(pipeline).items() if inspect.isfunction(v) and v.__module__ == "analyzer.pipeline"}
    assert {n for n in public if not n.startswith("_")} <= set(pipeline.__all__)


def test_the_table_of_exit_codes_is_that_of_the_classes() -> None:
    assert analyzer.errors.__doc__
    code = 0
    told: dict[str, int] = {}
    for line in analyzer.errors.__doc__.splitlines():
        found = re.match(r"\s+([A-Z]\w*Error)\s+(?:exit ([0-9]+))?", line)
        if found:
            code = int(found.group(2)) if found.group(2) else code
            told[found.group(1)] = code
    classes = {
        n: c.exit_code for n, c in vars(analyzer.errors).items() if inspect.isclass(c) and issubclass(c, AnalyzerError)
    }
    assert told == classes


def test_every_issue_code_is_raised_somewhere() -> None:
    text = "\n".join(p.read_text("utf-8") for p in files(".py", under="analyzer") if p.name != "issue.py")
    unused = [code for code in get_args(IssueCode) if f'"{code}"' not in text]
    assert unused == [], "a code nobody can meet is a promise nobody keeps"


def documentation() -> str:
    return "\n".join(p.read_text("utf-8") for p in files(".md") if "goldsets" not in p.parts)


@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="the documentation stands in README.md")
def test_the_documentation_names_every_command() -> None:
    text = documentation()
    missing = [c for c in COMMANDS if not re.search(rf"analyzer {c.split()[0]}\b", text) or c.split()[-1] not in text]
    assert missing == []


def test_no_file_names_a_folder_of_the_machine_it_was_made_on() -> None:
    machine = re.compile(r"(?<![\w.])/(?:work|opt/av|root|home/\w+|Users/\w+)/\w")
    found = []
    for path in files():
        if path == Path(__file__):
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name(path)}: {m.group()}" for m in machine.finditer(text)]
    assert found == []


def test_nothing_is_left_for_later() -> None:
    later = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "NotImplemented" + "Error", "To be " + "filled")))
    found = [f"{name(p)}: {m.group()}" for p in files(".py", ".md", ".toml") if "goldsets" not in p.parts
             for m in later.finditer(p.read_text("utf-8"))]  # fmt: skip
    assert found == []


@pytest.mark.parametrize(
    "lock", ["requirements.lock", "requirements-local.lock", "requirements-ray.lock", "requirements-peers.lock"]
)
def test_the_lock_names_versions_and_hashes_and_no_registry(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text and "index-url" not in text and "find-links" not in text
    pins = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", text, re.MULTILINE)
    assert pins and all(re.search(rf"^{re.escape(n)}(?:\[[^\]]*\])?==.*\\$", text, re.MULTILINE) for n, _ in pins)
    for entry in re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in entry, entry.split("\n")[0]


def test_the_lock_and_the_project_agree_on_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    pins = dict(
        re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    )
    for dependency in wanted:
        package, _, version = dependency.partition("==")
        assert version and pins.get(package) == version, dependency
    assert pins["litellm"] == "1.110.2"


@pytest.mark.parametrize("name", ["ray", "peers"])
def test_the_lock_of_an_extra_holds_the_versions_it_names_and_no_other_of_what_is_locked_already(name: str) -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"][name]
    pin = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
    extra = dict(pin.findall((ROOT / f"requirements-{name}.lock").read_text("utf-8")))
    assert wanted == [f"{one.partition('==')[0]}=={extra[one.partition('==')[0]]}" for one in wanted]
    known = dict(pin.findall((ROOT / "requirements.lock").read_text("utf-8")))
    assert {name: extra[name] for name in extra.keys() & known} == {name: known[name] for name in extra.keys() & known}


def test_ask_steps_say_how_their_packs_are_cut() -> None:
    for step in STEPS.values():
        if isinstance(step, AskStep):
            assert 1 <= step.pack_size <= 100 and step.n_groups >= 1


def test_the_typed_package_says_so_in_its_settings() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert settings["mypy"]["strict"] and settings["pytest"]["ini_options"]["filterwarnings"] == ["error"]
