"""A re-ranking model from a folder of the user's."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.embedding.cross_encoder import CrossEncoder
from desktop_rag.embedding.manifest import load_manifest
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.foundation.paths import models_dir
from desktop_rag.foundation.settings import RERANK_FOLDER
from desktop_rag.retrieval.scoring.cross_encoder import CrossEncoderScoringModel
from tests.helpers.tiny_graph import summing_graph


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model whose score is the sum of the ids of all tokens."""
    made = tmp_path / "reranker"
    made.mkdir()
    shutil.copy(load_manifest(models_dir())[0].tokenizer_path, made / "tokenizer.json")
    (made / "model.onnx").write_bytes(summing_graph())
    return made


def test_question_and_passage_are_read_together(folder: Path) -> None:
    encoder = CrossEncoder(folder)
    alone, longer = encoder.score("pump", "seal"), encoder.score("pump", "seal and valve")
    assert longer > alone > 0
    assert encoder.score("pump", "seal") == encoder.score("seal", "pump")
    endless = encoder.score("pump", "seal " * 5000)
    assert endless == encoder.score("pump", "seal " * 9000)


def test_passages_are_scored_in_order_and_can_be_cancelled(folder: Path) -> None:
    token = CancelToken()
    with ThreadPoolExecutor(2) as pool:
        model = CrossEncoderScoringModel(CrossEncoder(folder), pool, token)
        few, many = model.score_all(["seal", "seal and valve"], "pump")
        assert few < many
        token.cancel()
        with pytest.raises(Cancelled):
            model.score_all(["seal"], "pump")


def test_what_is_no_such_model_is_said(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(summing_graph("input_ids", "pixels"))
    with pytest.raises(KnownError, match="pixels"):
        CrossEncoder(folder).load()
    (folder / "model.onnx").write_bytes(b"damaged")
    with pytest.raises(KnownError, match="damaged"):
        CrossEncoder(folder).load()
    (folder / "model.onnx").unlink()
    with pytest.raises(KnownError, match="no model"):
        CrossEncoder(folder).load()


def test_answers_use_it_when_the_settings_name_it_and_do_without_when_it_is_no_good(
    folder: Path, data_dir: Path, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("The warranty of the pump lasts seven years.")
    services = open_services(data_dir)
    try:
        services.library.index([docs])
        services.settings.set(RERANK_FOLDER, str(folder))
        answer = services.assistant.ask("How long is the warranty of the pump?")
        assert answer.contents
        assert not any("re-ranking" in note for note in answer.notes)
        services.settings.set(RERANK_FOLDER, str(tmp_path))
        answer = services.assistant.ask("How long is the warranty of the pump?")
        assert answer.contents
        assert any("re-ranking model cannot be used" in note for note in answer.notes)
    finally:
        services.close()
