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

_FLOAT, _INT64, _INT = 1, 7, 2
"""Types of ONNX: two of elements, and that of an attribute (onnx.proto3)."""


def _varint(value: int) -> bytes:
    low, high = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])


def _field(number: int, value: int | str | bytes) -> bytes:
    """Encode a field of Protocol Buffers: a number, a text or a message."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, kind: int, *sizes: str | int) -> bytes:
    dims = (_field(1, size) if isinstance(size, int) else _field(2, size) for size in sizes)
    shape = b"".join(_field(1, size) for size in dims)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _node(kind: str, source: str, target: str, attribute: bytes) -> bytes:
    return _field(1, source) + _field(2, target) + _field(4, kind) + _field(5, attribute)


def graph_without_token_types() -> bytes:
    """Return a graph whose rows are the ids themselves: input ids and mask in, no types."""
    to_float = _field(1, "to") + _field(3, _FLOAT) + _field(20, _INT)
    axes = _field(1, "axes") + _field(8, 2) + _field(20, 7)
    graph = (
        _field(1, _node("Cast", "input_ids", "floats", to_float))
        + _field(1, _node("Unsqueeze", "floats", "hidden", axes))
        + _field(2, "ids")
        + _field(11, _tensor("input_ids", _INT64, 1, "length"))
        + _field(11, _tensor("attention_mask", _INT64, 1, "length"))
        + _field(12, _tensor("hidden", _FLOAT, 1, "length", 1))
    )
    return _field(1, 6) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 11))


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
