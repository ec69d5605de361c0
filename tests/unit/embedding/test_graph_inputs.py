"""A model is fed what its graph asks for: a graph without token types is not given any."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
from pathlib import Path

import numpy as np

from desktop_rag.embedding.bge import BgeEmbeddingModel
from desktop_rag.embedding.manifest import load_manifest
from desktop_rag.embedding.pool import EmbeddingPool
from desktop_rag.foundation.paths import models_dir
from tests.helpers.tiny_graph import FLOAT, INT, INT64, field, node, tensor


def graph_without_token_types() -> bytes:
    """Return a graph whose rows are the ids themselves: input ids and mask in, no types."""
    to_float = field(1, "to") + field(3, FLOAT) + field(20, INT)
    axes = field(1, "axes") + field(8, 2) + field(20, 7)
    graph = (
        field(1, node("Cast", "input_ids", "floats", to_float))
        + field(1, node("Unsqueeze", "floats", "hidden", axes))
        + field(2, "ids")
        + field(11, tensor("input_ids", INT64, 1, "length"))
        + field(11, tensor("attention_mask", INT64, 1, "length"))
        + field(12, tensor("hidden", FLOAT, 1, "length", 1))
    )
    return field(1, 6) + field(7, graph) + field(8, field(1, "") + field(2, 11))


def test_d2_a_graph_without_token_types_is_given_none(tmp_path: Path) -> None:
    spec = load_manifest(models_dir())[0]
    shutil.copy(spec.tokenizer_path, tmp_path)
    graph = graph_without_token_types()
    (tmp_path / spec.model_path.name).write_bytes(graph)
    checksum = hashlib.sha256(graph).hexdigest()
    own = dataclasses.replace(spec, folder=tmp_path, dimension=1, model_sha256=checksum)
    model = BgeEmbeddingModel(own, EmbeddingPool(1))

    rows = model.token_vectors("one two three")

    assert rows.shape == (3, 1)
    assert np.array_equal(model.embed_text("one"), np.ones(1, np.float32))
    model.close()


def test_d2_the_delivered_graphs_ask_for_token_types() -> None:
    for spec in load_manifest(models_dir()):
        model = BgeEmbeddingModel(spec, EmbeddingPool(1))
        session = model._opened()
        names = {item.name for item in session.get_inputs()}
        assert names == {"input_ids", "attention_mask", "token_type_ids"}
        model.close()
