from __future__ import annotations

import struct
from pathlib import Path

import pytest

from desktop_rag.chat_models.gguf_file import read_header
from desktop_rag.foundation.errors import KnownError
from tests.helpers.small_gguf import real_gguf, text, write_gguf


def test_the_real_models_header() -> None:
    header = read_header(real_gguf())
    assert (header.name, header.context) == ("SmolLM2-135M-Instruct.Q4_1", 8192)
    assert header.context_bytes == 30 * 3 * (64 + 64) * 2
    assert header.vocabulary == 49152
    assert header.has_template
    assert header.memory_bytes(8192) - header.memory_bytes(4096) == 4096 * header.context_bytes


def test_arrays_of_heads_count_with_the_largest(tmp_path: Path) -> None:
    header = read_header(write_gguf(tmp_path / "small.gguf"))
    assert header.context_bytes == 4 * 2 * (16 + 16) * 2
    assert (header.name, header.context, header.vocabulary) == ("small", 2048, 3)


def test_every_cut_of_a_header_is_damaged(tmp_path: Path) -> None:
    whole = write_gguf(tmp_path / "whole.gguf").read_bytes()
    cut = tmp_path / "cut.gguf"
    for length in range(0, len(whole) - 1, 7):
        cut.write_bytes(whole[:length])
        with pytest.raises(KnownError, match="damaged") as caught:
            read_header(cut)
        assert "cut.gguf" in caught.value.message
        assert caught.value.path == str(cut)


@pytest.mark.parametrize(
    "content", [b"", b"%PDF-1.7 " * 40, b"GGUF" + b"\xff" * 200, b"GGUF\x01\0\0\0" + b"\0" * 200]
)
def test_what_is_no_model_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.gguf"
    path.write_bytes(content)
    with pytest.raises(KnownError, match=r"other\.gguf"):
        read_header(path)


def test_a_tensor_beyond_the_end_is_damage(tmp_path: Path) -> None:
    tensor = text("blk.0") + struct.pack("<IQIQ", 1, 32, 0, 1 << 20)
    path = write_gguf(tmp_path / "short.gguf", tensor + b"\0" * 64, 1)
    with pytest.raises(KnownError, match="not complete"):
        read_header(path)


@pytest.mark.parametrize("changed", [{"general__architecture": "clip"}, {"llama__pooling_type": 1}])
def test_models_that_do_not_write_are_refused(tmp_path: Path, changed: dict[str, object]) -> None:
    with pytest.raises(KnownError, match="Not a model that writes"):
        read_header(write_gguf(tmp_path / "m.gguf", **changed))


def test_a_model_in_parts_needs_all_of_them(tmp_path: Path) -> None:
    first = write_gguf(tmp_path / "big-00001-of-00002.gguf")
    with pytest.raises(KnownError, match="big-00002-of-00002"):
        read_header(first)
    second = write_gguf(tmp_path / "big-00002-of-00002.gguf")
    header = read_header(first)
    assert header.size == first.stat().st_size + second.stat().st_size
    assert header.name == "big"
    with pytest.raises(KnownError, match="choose the first"):
        read_header(second)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match=r"gone\.gguf"):
        read_header(tmp_path / "gone.gguf")
