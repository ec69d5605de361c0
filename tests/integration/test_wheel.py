"""The built wheel, installed into an empty environment elsewhere, reads and answers.

The environment gets the wheel alone. Its dependencies come from this environment's
site-packages by a line in a .pth file: such a folder is searched, but .pth files in it are
not followed, so an editable install of the project there cannot be what is found.
Where the system lets us, all of it runs without any network interface.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from desktop_rag.foundation.version import VERSION

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SECONDS = 120

CONTRACT = """The lease began on 1 March 2021 and runs for five years.

The notice period for the tenant is eleven weeks. Notice has to be given in writing.

The rent is due on the third working day of each month.
"""

NOTES = """# Expedition

## Provisions

The expedition carried forty tins of pemmican and two barrels of oatmeal.

## Route

They crossed the glacier at its narrowest point and camped below the northern ridge.
"""

CHINESE = """出院小结

患者因急性阑尾炎入院，当天接受了腹腔镜手术，手术过程顺利。

医生建议出院后休息十四天，一个月内不要提重物。复诊时间定在六月三日。
"""


@dataclass(frozen=True)
class Installed:
    """A fresh environment with the wheel in it, and nothing else of the project."""

    home: Path

    @property
    def scripts(self) -> Path:
        return self.home / ("Scripts" if os.name == "nt" else "bin")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        program = str(self.scripts / command[0])
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
        }
        return subprocess.run(
            [*without_network(), program, *command[1:]],
            cwd=self.home.parent,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )

    def json(self, *command: str) -> dict[str, Any]:
        run = self.run("desktop-rag", *command, "--json")
        assert run.returncode == 0, run.stderr + run.stdout
        result = json.loads(run.stdout)
        assert isinstance(result, dict)
        return result


def without_network() -> list[str]:
    """Return what to put before a command so that no network interface exists for it."""
    prefix = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") is None:
        return []
    tried = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if tried.returncode == 0 else []


def run_python(*arguments: str) -> None:
    run = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    run_python("-m", "build", "--wheel", "--no-isolation", "-o", str(folder), str(REPOSITORY))
    (wheel,) = folder.glob("*.whl")
    environment = Installed(folder / "空 environment")
    venv.create(environment.home, with_pip=False, symlinks=os.name != "nt")
    python = shutil.which("python", path=str(environment.scripts))
    assert python is not None
    pip = ["-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    run_python(*pip, str(wheel))
    wheel.unlink()
    (site_packages,) = environment.home.rglob("site-packages")
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return environment


@pytest.fixture(scope="module")
def library(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A library with four files read; gives the command line's options that name it."""
    folder = tmp_path_factory.mktemp("documents") / "我的 documents, all"
    folder.mkdir()
    (folder / "lease contract.txt").write_text(CONTRACT, "utf-8")
    (folder / "expedition.md").write_text(NOTES, "utf-8")
    (folder / "出院小结.txt").write_text(CHINESE, "utf-8")
    write_pdf(folder / "observatory.pdf")
    options = ["--data-dir", str(folder.parent / "数据 folder")]
    report = installed.json(*options, "index", str(folder))
    assert report["files"]["added"] == 4
    assert report["files"]["failed"] == 0
    assert report["problems"] == []
    return options


def write_pdf(path: Path) -> None:
    with pymupdf.open() as document:
        for text in (
            "The observatory stands on a hill above the town of Marbach.",
            "The main telescope has a mirror of ninety centimetres and was built in 1907.",
        ):
            document.new_page().insert_textbox((72, 72, 500, 300), text, fontsize=12)
        document.save(path)


def test_the_program_is_the_installed_one_with_its_models_and_guide(installed: Installed) -> None:
    program = (
        "import desktop_rag; from desktop_rag.foundation import paths;"
        "print(desktop_rag.__file__, paths.models_dir(), paths.resources_dir(), sep='\\n');"
        "print(desktop_rag.__version__, (paths.models_dir() / 'manifest.json').is_file(),"
        " (paths.resources_dir() / 'guide' / 'guide.zh.md').is_file())"
    )
    *places, facts = installed.run("python", "-I", "-X", "utf8", "-c", program).stdout.splitlines()
    assert all(Path(place).is_relative_to(installed.home.resolve()) for place in places)
    assert facts == f"{VERSION} True True"


@pytest.mark.parametrize(
    ("question", "words", "name", "page"),
    [
        (
            "How long is the notice period for the tenant?",
            "eleven weeks",
            "lease contract.txt",
            None,
        ),
        ("What did the expedition carry to eat?", "forty tins of pemmican", "expedition.md", None),
        ("How large is the mirror of the telescope?", "ninety centimetres", "observatory.pdf", 2),
        ("出院后需要休息多少天？", "十四天", "出院小结.txt", None),
    ],
)
def test_questions_are_answered_with_quotes(
    installed: Installed,
    library: list[str],
    question: str,
    words: str,
    name: str,
    page: int | None,
) -> None:
    answer = installed.json(*library, "ask", question)
    assert answer["outcome"] == "answer", answer
    assert words in answer["answer"]
    citation = next(cited for cited in answer["citations"] if words in cited["quote"])
    assert Path(citation["path"]).name == name
    assert citation["page"] == page


def test_a_question_about_something_else_is_not_found(
    installed: Installed, library: list[str]
) -> None:
    answer = installed.json(*library, "ask", "Who won the chess championship in Reykjavik?")
    assert answer["outcome"] == "not_found"
    assert answer["coverage"] == {"ready": 4, "files": 4}


def test_the_installation_finds_itself_in_order(installed: Installed, library: list[str]) -> None:
    run = installed.run("desktop-rag", *library, "doctor", "--json")
    assert run.returncode == 0, run.stderr
    assert VERSION in run.stdout
