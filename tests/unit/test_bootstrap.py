"""The set-up: what it installs first, when it starts anew, and what it says is missing."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The set-up script, at work on a folder of its own, installing nothing."""
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "scripts" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "bootstrap", module)
    spec.loader.exec_module(module)
    environment = tmp_path / ".venv"
    environment.mkdir()
    for name in ("requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "LOCK", tmp_path / "requirements.lock")
    monkeypatch.setattr(module, "ENVIRONMENT", environment)
    monkeypatch.setattr(module, "INSTALLED", environment / "installed")
    monkeypatch.setattr(module, "_runs", lambda: True)
    return module


@pytest.fixture
def done(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the set-up did: "anew", "install"."""
    steps: list[str] = []
    monkeypatch.setattr(bootstrap.venv, "create", lambda *args, **options: steps.append("anew"))
    monkeypatch.setattr(bootstrap, "_install_packages", lambda: steps.append("install"))
    return steps


def test_the_build_tools_come_with_their_hashes(bootstrap: ModuleType) -> None:
    lines = list(bootstrap._entries(bootstrap.BUILD_TOOLS))
    names = {line.split("==")[0] for line in lines if line[0].isalpha()}
    assert names == set(bootstrap.BUILD_TOOLS)
    assert sum("--hash=sha256:" in line for line in lines) >= len(names)


def test_a_first_run_makes_the_environment_and_a_second_finds_it(
    bootstrap: ModuleType, done: list[str]
) -> None:
    assert not bootstrap.environment_is_current()
    bootstrap.prepare_environment()
    assert done == ["anew", "install"]
    assert bootstrap.environment_is_current()


def test_an_interrupted_run_starts_anew(
    bootstrap: ModuleType, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    bootstrap.prepare_environment()
    (bootstrap.ROOT / "pyproject.toml").write_text("[project]")
    with monkeypatch.context() as once:
        once.setattr(bootstrap, "_install_packages", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bootstrap.prepare_environment()
    done.clear()
    assert not bootstrap.environment_is_current()
    bootstrap.prepare_environment()
    assert done == ["anew", "install"]


def test_another_lock_is_installed_over_a_whole_environment(
    bootstrap: ModuleType, done: list[str]
) -> None:
    bootstrap.prepare_environment()
    done.clear()
    with bootstrap.LOCK.open("a", encoding="utf-8") as lock:
        lock.write("# renewed\n")
    assert not bootstrap.environment_is_current()
    bootstrap.prepare_environment()
    assert done == ["install"]


def test_a_moved_folder_or_a_dead_interpreter_means_anew(
    bootstrap: ModuleType, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap.prepare_environment()
    done.clear()
    monkeypatch.setattr(bootstrap, "_runs", lambda: False)
    assert not bootstrap.environment_is_current()
    bootstrap.prepare_environment()
    assert done == ["anew", "install"]
    done.clear()
    monkeypatch.setattr(bootstrap, "_runs", lambda: True)
    text = bootstrap.INSTALLED.read_text("utf-8")
    bootstrap.INSTALLED.write_text(text.replace(str(bootstrap.ROOT), "/elsewhere"), "utf-8")
    bootstrap.prepare_environment()
    assert done == ["anew", "install"]


def test_what_cannot_be_installed_is_named_with_the_command(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "_apt_prefix", lambda: None)
    needs = [bootstrap.Need("libegl1", lambda: False), bootstrap.Need("g++", lambda: True)]
    bootstrap.prepare_system(needs, required=[])
    output = capsys.readouterr()
    assert output.out == ""
    assert "apt-get install libegl1 " in output.err
    with pytest.raises(SystemExit, match="libegl1"):
        bootstrap.prepare_system(needs, required=needs)


def test_only_what_is_missing_is_installed(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(bootstrap, "_apt_prefix", lambda: [])
    monkeypatch.setattr(bootstrap, "_apt_install", lambda prefix, names: installed.extend(names))
    needs = [
        bootstrap.Need("libegl1", lambda: "libegl1" in installed),
        bootstrap.Need("g++", lambda: True),
    ]
    bootstrap.prepare_system(needs, required=needs)
    bootstrap.prepare_system(needs, required=needs)
    assert installed == ["libegl1"]
    assert capsys.readouterr().err == ""
