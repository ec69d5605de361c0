from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from desktop_rag.foundation.paths import models_dir
from desktop_rag.services import diagnosis
from desktop_rag.services.owner import write_owner


def test_versions_name_what_is_installed():
    versions = diagnosis.versions()

    assert versions["desktop_rag"]
    assert set(versions["libraries"]) >= {"numpy", "onnxruntime", "tantivy", "hnswlib"}
    assert versions["libraries"]["numpy"]


def test_a_damaged_model_is_named(tmp_path):
    manifest = json.loads((models_dir() / "manifest.json").read_text(encoding="utf-8"))
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    found = diagnosis.models(tmp_path)

    assert len(found) == len(manifest["models"])
    assert not any(model["ok"] for model in found)
    assert all("Install the program again" in str(model["problem"]) for model in found)


def test_a_missing_manifest_is_named(tmp_path):
    found = diagnosis.models(tmp_path)

    assert [model["ok"] for model in found] == [False]


def test_the_processor_has_a_count_and_a_kind():
    found = diagnosis.processor()

    assert found["processors"]
    assert found["machine"]
    assert found["memory_bytes"]


def test_a_folder_that_is_not_there_is_looked_at_from_above(tmp_path):
    found = diagnosis.data_folder(tmp_path / "new" / "library")

    assert (found["exists"], found["bytes"], found["owner"]) == (False, 0, None)
    assert found["writable"] is True
    assert found["free_bytes"]


def test_the_folder_has_a_size_and_perhaps_an_owner(data_dir):
    (data_dir / "library.db").write_bytes(bytes(1000))
    (data_dir / "indexes").mkdir()
    (data_dir / "indexes" / "words").write_bytes(bytes(500))
    write_owner(data_dir, "nowhere")

    found = diagnosis.data_folder(data_dir)

    assert found["owner"] == os.getpid()
    assert int(str(found["bytes"])) >= 1500


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify")


@linux
@pytest.mark.parametrize(
    ("content", "method", "ok"),
    [("524288\n", "inotify", True), ("128\n", "inotify", False), (None, "polling", False)],
)
def test_too_few_watches_are_told(tmp_path, monkeypatch, content, method, ok):
    if content is not None:
        (tmp_path / "max_user_watches").write_text(content)
    monkeypatch.setattr(diagnosis, "_INOTIFY", Path(tmp_path))

    found = diagnosis.watching()

    assert (found["method"], found["ok"]) == (method, ok)
    assert (found["problem"] is None) is ok


@linux
def test_a_missing_chinese_font_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert diagnosis.chinese_font()["present"] is None

    script = tmp_path / "fc-list"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert diagnosis.chinese_font()["present"] is False

    script.write_text("#!/bin/sh\necho Noto Sans CJK SC\n")
    assert diagnosis.chinese_font()["present"] is True
