from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from desktop_rag.embedding.bge import BgeEmbeddingModel
from desktop_rag.embedding.manifest import load_manifest
from desktop_rag.embedding.pool import EmbeddingPool
from desktop_rag.embedding.spaces import EmbeddingSpaces, open_spaces
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import models_dir


def test_each_model_is_a_space() -> None:
    spaces = open_spaces(models_dir())
    assert spaces.names == ("bge-small-en-v1.5", "bge-small-zh-v1.5")
    assert spaces.dimensions == {"bge-small-en-v1.5": 384, "bge-small-zh-v1.5": 512}
    assert spaces.get("bge-small-zh-v1.5") is spaces.for_language("zh")
    assert spaces.for_language("en").name == "bge-small-en-v1.5"
    assert spaces.for_language("fr") is spaces.for_language("en")
    spaces.close()


def test_an_unknown_space_is_refused() -> None:
    spaces = open_spaces(models_dir())
    with pytest.raises(ValueError, match="nothing"):
        spaces.get("nothing")
    spaces.close()


def test_names_must_be_distinct_and_there_must_be_one() -> None:
    pool = EmbeddingPool(1)
    model = BgeEmbeddingModel(load_manifest(models_dir())[0], pool)
    for models in ([], [model, model]):
        with pytest.raises(ValueError, match="at least one"):
            EmbeddingSpaces(models, pool)


def test_a_closed_model_is_not_used() -> None:
    spaces = open_spaces(models_dir())
    spaces.close()
    with pytest.raises(RuntimeError, match="closed"):
        spaces.for_language("en").embed_query("hello")


def test_a_missing_manifest_is_a_known_error(tmp_path: Path) -> None:
    with pytest.raises(KnownError):
        open_spaces(tmp_path)


def test_a_damaged_model_is_found_at_first_use(tmp_path: Path) -> None:
    spec = load_manifest(models_dir())[0]
    (tmp_path / "tokenizer.json").write_bytes(spec.tokenizer_path.read_bytes())
    (tmp_path / "model_quantized.onnx").write_bytes(b"not a model")
    model = BgeEmbeddingModel(dataclasses.replace(spec, folder=tmp_path), EmbeddingPool(1))
    for use in (model.embed_query, model.embed_text, model.token_vectors):
        with pytest.raises(KnownError) as caught:
            use("hello")
        assert caught.value.title == "A model file is damaged"
        assert caught.value.path == str(tmp_path / "model_quantized.onnx")
