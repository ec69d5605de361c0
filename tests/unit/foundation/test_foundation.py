"""Errors, cancellation, language, paths and the version."""

from __future__ import annotations

import errno
import gc
import os
import stat
import sys
import threading
import weakref
from pathlib import Path

import pytest

import desktop_rag
from desktop_rag.foundation import paths
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError, explain_os_error
from desktop_rag.foundation.language import language_of
from desktop_rag.foundation.version import VERSION


def test_a_known_error_says_what_and_where() -> None:
    error = KnownError("Needs a password", "“Minutes.pdf” needs a password.", "Minutes.pdf")
    assert str(error) == "Needs a password: “Minutes.pdf” needs a password."
    assert (error.title, error.path) == ("Needs a password", "Minutes.pdf")


@pytest.mark.parametrize(
    ("number", "title"),
    [
        (errno.ENOSPC, "Disk full"),
        (errno.EDQUOT, "Disk full"),
        (errno.EACCES, "Not allowed"),
        (errno.EROFS, "Read only"),
        (errno.EIO, "Drive not connected"),
    ],
)
def test_errors_of_the_disk_are_known(number: int, title: str) -> None:
    known = explain_os_error(OSError(number, "whatever", "/some/file"))
    assert known is not None
    assert (known.title, known.path) == (title, "/some/file")


def test_other_errors_of_the_system_are_not() -> None:
    assert explain_os_error(OSError(errno.EINVAL, "odd")) is None
    assert explain_os_error(OSError("no number")) is None


def test_a_token_stops_work_and_wakes_who_waits() -> None:
    token = CancelToken()
    token.check()
    assert not token.wait(0)
    thread = threading.Thread(target=token.cancel)
    thread.start()
    assert token.wait(10)
    thread.join()
    with pytest.raises(Cancelled):
        token.check()


def test_a_child_token_follows_its_parent_and_not_the_reverse() -> None:
    parent = CancelToken()
    first, second = parent.child(), parent.child()
    first.cancel()
    assert (parent.cancelled, first.cancelled, second.cancelled) == (False, True, False)
    parent.cancel()
    assert second.cancelled
    assert parent.child().cancelled


def test_a_parent_does_not_keep_its_children_alive() -> None:
    parent = CancelToken()
    child = weakref.ref(parent.child())
    gc.collect()
    assert child() is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The patient shall be informed.", "en"),
        ("患者应当被告知。", "zh"),
        ("患者應當被告知。", "zh"),
        ("使用 TensorFlow 训练神经网络模型", "zh"),
        ("The word 水 means water in Chinese", "en"),
        ("これは日本語の文章です。", "en"),
        ("한국어 문장입니다.", "en"),
        ("12345 — 67 %", "en"),
        ("", "en"),
        ("Ελληνικά", "en"),
    ],
)
def test_language_is_told_by_the_script(text: str, language: str) -> None:
    assert language_of(text) == language


def test_models_and_resources_are_found_in_the_source_tree() -> None:
    assert (paths.models_dir() / "manifest.json").is_file()
    assert (paths.resources_dir() / "guide" / "guide.en.md").is_file()


def test_models_are_found_inside_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "desktop_rag" / "_models").mkdir(parents=True)
    monkeypatch.setattr(paths, "package_dir", lambda: tmp_path / "desktop_rag")
    assert paths.models_dir() == tmp_path / "desktop_rag" / "_models"


def test_models_are_found_in_a_frozen_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.models_dir() == tmp_path / "models"


def test_the_data_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(paths.DATA_DIR_VARIABLE, str(tmp_path / "资料"))
    assert paths.default_data_dir() == tmp_path / "资料"
    monkeypatch.setenv(paths.DATA_DIR_VARIABLE, "")
    assert paths.default_data_dir().name == "desktop-rag"


def test_the_data_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = paths.prepare_data_dir(tmp_path / "a" / "数据 folder")
    assert folder.is_dir()
    assert folder.is_absolute()
    if os.name != "nt":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert paths.prepare_data_dir(folder) == folder


def test_a_file_in_the_place_of_the_data_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(KnownError) as caught:
        paths.prepare_data_dir(tmp_path / "data")
    assert caught.value.title == "Not a folder"
    assert caught.value.path == str(tmp_path / "data")


def test_a_data_folder_that_cannot_be_made_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(KnownError) as caught:
        paths.prepare_data_dir(tmp_path / "data")
    assert caught.value.title == "Read only"


def test_the_version_is_said_in_one_place() -> None:
    assert desktop_rag.__version__ == VERSION
