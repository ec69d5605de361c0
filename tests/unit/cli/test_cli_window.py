from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from desktop_rag.cli.window import check_screen, open_window
from desktop_rag.foundation.errors import KnownError

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux's loader")


@linux
def test_without_a_screen_the_commands_are_named(monkeypatch):
    for variable in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(variable, raising=False)

    with pytest.raises(KnownError, match="There is no screen"):
        check_screen()


@linux
def test_a_missing_library_of_the_system_is_named(monkeypatch):
    def load(path: str) -> None:
        assert Path(path).name == "libqxcb.so"
        raise OSError("libxcb-cursor.so.0: cannot open shared object file")

    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setattr(ctypes, "CDLL", load)

    with pytest.raises(KnownError, match=r"libxcb-cursor\.so\.0"):
        check_screen()


@linux
def test_one_way_to_a_screen_is_enough(monkeypatch):
    def load(path: str) -> None:
        if "wayland" in path:
            raise OSError("libwayland-client.so.0: cannot open shared object file")

    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(ctypes, "CDLL", load)

    check_screen()


def test_a_library_that_qt_s_own_import_misses_is_named(tmp_path):
    def run_window(_data_dir: Path, _paths: tuple[str, ...], _hidden: bool) -> int:
        raise ImportError("libEGL.so.1: cannot open shared object file")

    with pytest.raises(KnownError, match=r"libEGL\.so\.1"):
        open_window(tmp_path, (), run_window)


def test_a_missing_module_of_the_program_is_a_bug(tmp_path):
    def run_window(_data_dir: Path, _paths: tuple[str, ...], _hidden: bool) -> int:
        raise ImportError("no such name", name="desktop_rag.gui.app")

    with pytest.raises(ImportError):
        open_window(tmp_path, (), run_window)
