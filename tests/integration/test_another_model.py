"""A model in the place of another: vectors of the two are never compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.embedding.manifest import ModelSpec


def test_another_model_reads_the_texts_again_when_it_may(
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
        assert services.assistant.search("pump warranty", mode="vector").results == ()
        (found,) = services.assistant.search("pump warranty").results
        assert found.path == str(folder / "pump.txt")
        assert any("language model" in note for note in services.library.status().notes)
        services.library.accept_model()
        assert services.library.index([]).embedded == 0
        assert services.library.status().notes == ()
        (found,) = services.assistant.search("pump warranty", mode="vector").results
        assert found.path == str(folder / "pump.txt")
    finally:
        services.close()

    services = open_services(data_dir)
    assert services.library.model_change() is None
    services.close()
