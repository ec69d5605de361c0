"""What holds for the repository as a whole: its lock, its layers, its words."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from desktop_rag.foundation.atomic import file_checksum

ROOT = Path(__file__).resolve().parent.parent.parent
LOCK = (ROOT / "requirements.lock").read_text("utf-8")

MAX_LINES = 300
MAX_FUNCTION_LINES = 30

# put together here, so that this file is none of those it looks for
REGISTRY_HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("deb", "debian", "org"),
        ("registry", "npmjs"),
        ("crates", "io"),
        ("repo1", "maven"),
        ("proxy", "golang"),
    )
]
MACHINE_PATHS = ["/".join(("", *parts)) for parts in (("work", "main"), ("work", "shared"))]
MACHINE_PATHS += ["/" + "root/", "/opt/" + "wheels"]


@cache
def repository_files() -> tuple[Path, ...]:
    """Return what is, or would be, under version control; outside of a checkout, everything."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if run.returncode == 0:
        paths = [ROOT / name for name in run.stdout.decode().split("\0") if name]
    else:
        tops = [top for top in ROOT.iterdir() if not top.name.startswith(".") or top.name == ".ci"]
        paths = [path for top in tops for path in (top, *top.rglob("*"))]
        paths = [path for path in paths if "__pycache__" not in path.parts]
    return tuple(path for path in paths if path.is_file())


def modules() -> list[Path]:
    return [path for path in repository_files() if path.suffix == ".py"]


def own_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def product_modules() -> list[Path]:
    return sorted((ROOT / "desktop_rag").rglob("*.py"))


def locked_requirements() -> list[str]:
    joined = LOCK.replace("\\\n", " ")
    return [line for line in joined.splitlines() if line and not line.lstrip().startswith("#")]


def test_everything_in_the_lock_has_a_version_and_hashes() -> None:
    assert len(locked_requirements()) > 30
    for requirement in locked_requirements():
        assert re.match(r"[a-z0-9-]+==[\w.]+ ", requirement), requirement
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", requirement), requirement


def test_the_lock_names_no_place_to_get_things_from() -> None:
    assert "://" not in LOCK
    options = {word.split("=")[0] for word in LOCK.split() if word.startswith("-")}
    assert options == {"--hash"} | (options & {"-r"})
    assert not any(line.startswith("-") for line in LOCK.splitlines())


def test_the_lock_has_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    names = {re.split(r"[<>=]", entry)[0].strip() for entry in wanted}
    locked = {requirement.split("==")[0] for requirement in locked_requirements()}
    assert names <= locked


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    unwanted = re.compile("|".join(map(re.escape, REGISTRY_HOSTS + MACHINE_PATHS)))
    found = []
    for path in repository_files():
        if "models" in path.relative_to(ROOT).parts[:1]:
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{own_name(path)}: {match.group()}" for match in unwanted.finditer(text)]
    assert found == []


def test_import_contracts_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout


def test_costly_libraries_are_imported_late() -> None:
    names = []
    parsers = "desktop_rag.ingestion.parsers"
    for path in product_modules():
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts)
        runs_in_children = name.startswith(
            ("desktop_rag.worker", f"{parsers}.pdf", f"{parsers}.picture_open")
        )
        if parts[1] != "gui" and parts[-1] not in ("__init__", "__main__") and not runs_in_children:
            names.append(name)
    program = (
        "import importlib, json, sys\n"
        "for name in json.load(sys.stdin): importlib.import_module(name)\n"
        "print(sorted({'PySide6', 'pymupdf', 'onnxruntime'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(names),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (run.stdout.strip(), run.stderr) == ("[]", "")


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        own_name(path)
        for path in modules()
        if path.relative_to(ROOT).parts[0] != "tests"
        and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert silent == []


def test_files_and_functions_stay_small() -> None:
    large = []
    for path in product_modules():
        text = path.read_text("utf-8")
        if len(text.splitlines()) >= MAX_LINES:
            large.append(f"{own_name(path)}: {len(text.splitlines())} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = _body_lines(node)
                if lines > MAX_FUNCTION_LINES:
                    large.append(f"{own_name(path)}: {node.name} has {lines} lines")
    assert large == []


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's lines from its name to its end, without its docstring."""
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        assert first.end_lineno is not None
        lines -= first.end_lineno - first.lineno + 1
    return lines


def test_nothing_is_left_to_do_later() -> None:
    marks = re.compile(r"#.*\b(" + "TO" + "DO|FIX" + "ME|X" + r"XX)\b")
    found = [own_name(path) for path in modules() if marks.search(path.read_text("utf-8"))]
    assert found == []


def test_the_manifest_tells_the_checksums_of_the_models() -> None:
    manifest = json.loads((ROOT / "models" / "manifest.json").read_text("utf-8"))
    assert {model["language"] for model in manifest["models"]} == {"en", "zh"}
    for model in manifest["models"]:
        assert model["licence"] == "MIT"
        for name, checksum in model["files"].items():
            assert file_checksum(ROOT / "models" / model["folder"] / name) == checksum


def test_the_guide_says_the_same_in_both_languages() -> None:
    guides = [
        (ROOT / "resources" / "guide" / f"guide.{language}.md").read_text("utf-8")
        for language in ("en", "zh")
    ]
    shapes = [
        [line.split()[0] for line in guide.splitlines() if line.startswith("#")] for guide in guides
    ]
    assert shapes[0] == shapes[1]
    rows = [guide.count("\n| ") for guide in guides]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/design.md"])
def test_links_between_pages_lead_somewhere(page: str) -> None:
    path = ROOT / page
    targets = re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_the_licence_is_the_one_that_the_pdf_library_asks_for() -> None:
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in (ROOT / "LICENSE").read_text("utf-8")[:200]
