"""A model in the place of another: vectors of the two are never compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.embedding.manifest import ModelSpec


def test_files_are_read_again_for_another_model(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "pump.txt").write_text("The warranty of pump P-100 lasts two years.", "utf-8")
    services = open_services(data_dir)
    services.library.index([folder])
    services.close()

    monkeypatch.setattr(ModelSpec, "fingerprint", property(lambda spec: f"new {spec.name}"))
    services = open_services(data_dir)
    try:
        assert [file.status.value for file in services.library.files()] == ["waiting"]
        assert services.assistant.search("pump warranty", mode="vector").results == ()
        assert any("language model" in note for note in services.library.status().notes)
        report = services.library.index([])
        assert report.embedded == 1
        assert [file.status.value for file in services.library.files()] == ["ready"]
        assert services.library.status().notes == ()
    finally:
        services.close()

    services = open_services(data_dir)
    assert [file.status.value for file in services.library.files()] == ["ready"]
    services.close()
