"""What a model file of llama.cpp says about itself in its header.

Read here and not by the package ``gguf``: that one makes an object of every token and tensor
(seconds for a large vocabulary) and brings a client that downloads.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import os
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from desktop_rag.foundation.errors import KnownError

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
_FORMATS = {
    **{0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?"},
    **{10: "Q", 11: "q", 12: "d"},
}
"""Types of values and their formats in ``struct``, little endian."""

_MOST_ENTRIES = 1_000_000
_MOST_DIMENSIONS = 8
_MOST_KEPT = 4096
"""Numbers of an array that are kept; a longer one is known by its length alone."""

_PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$", re.IGNORECASE)
_BYTES_A_VALUE = 2
"""Of what the model remembers of its context: 16 bits."""

BATCH_TOKENS = 128
"""How much of a question is read in one go: after each, reading can be cancelled."""

_OVERHEAD_BYTES = 160 << 20
"""The program, llama.cpp and its buffers, beside what depends on the model; measured 60 to
120 MB with models of 0.1 to 8 billion parameters."""


class _DamagedError(Exception):
    """The file does not hold what its header promises."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """A model's own description of itself.

    ``name`` is the file's, which is what its user knows it by. ``size`` is in bytes, of all
    its parts together; ``context`` is what it was trained with, in tokens; ``context_bytes``
    is what a token of context takes in memory.
    """

    path: Path
    name: str
    architecture: str
    size: int
    context: int
    context_bytes: int
    vocabulary: int
    has_template: bool

    def memory_bytes(self, context: int) -> int:
        """Return what the model takes in memory with ``context`` tokens, about."""
        batch = BATCH_TOKENS * self.vocabulary * 4
        return self.size + context * self.context_bytes + batch + _OVERHEAD_BYTES


def read_header(path: Path) -> GgufHeader:
    """Read a model file's header.

    Raises:
        KnownError: it is gone, damaged, incomplete, or no model that can write.
    """
    try:
        with path.open("rb") as file:
            values, vocabulary = _values(file, path)
    except OSError as error:
        message = f"“{path}” cannot be read. Choose another model file in the settings."
        raise KnownError("Model file is missing", message, str(path)) from error
    except (_DamagedError, struct.error, UnicodeDecodeError) as error:
        raise _damaged(path) from error
    architecture = str(values.get("general.architecture", ""))
    _check_kind(path, architecture, values)
    return _header(path, architecture, values, vocabulary)


def _header(path: Path, architecture: str, values: dict[str, Any], vocabulary: int) -> GgufHeader:
    context = values.get(f"{architecture}.context_length")
    if not isinstance(context, int) or context < 1:
        raise _damaged(path)
    return GgufHeader(
        path,
        _PART.sub("", path.name).removesuffix(".gguf"),
        architecture,
        _size_of_parts(path),
        context,
        _context_bytes(architecture, values),
        vocabulary,
        "tokenizer.chat_template" in values,
    )


def _check_kind(path: Path, architecture: str, values: dict[str, Any]) -> None:
    if architecture == "clip" or f"{architecture}.pooling_type" in values or not architecture:
        message = (
            f"“{path.name}” is a model of another kind, for pictures or for search. "
            "Choose one that writes (“Instruct” or “Chat” is often in its name)."
        )
        raise KnownError("Not a model that writes", message, str(path))


def _context_bytes(architecture: str, values: dict[str, Any]) -> int:
    def number(key: str, default: int) -> int:
        value = values.get(f"{architecture}.{key}", default)
        found = max(value) if isinstance(value, tuple) and value else value
        return int(found) if isinstance(found, (int, float)) else default

    heads = max(1, number("attention.head_count", 1))
    length = number("embedding_length", 0) // heads
    both = number("attention.key_length", length) + number("attention.value_length", length)
    kept_heads = number("attention.head_count_kv", heads)
    return number("block_count", 1) * kept_heads * both * _BYTES_A_VALUE


def _size_of_parts(path: Path) -> int:
    """Return the bytes of a model that may be in several files, of which this is the first."""
    split = _PART.search(path.name)
    if split is None:
        return path.stat().st_size
    stem, count = path.name[: split.start()], int(split[2])
    parts = [path.with_name(f"{stem}-{n:05}-of-{count:05}.gguf") for n in range(1, count + 1)]
    missing = next((part for part in parts if not part.is_file()), None)
    if missing is not None or int(split[1]) != 1:
        name = missing.name if missing is not None else parts[0].name
        message = f"The model has {count} files, and needs all of them: choose the first one."
        raise KnownError("Part of the model is missing", f"“{name}”: {message}", str(path))
    return sum(part.stat().st_size for part in parts)


def _damaged(path: Path) -> KnownError:
    message = (
        f"“{path.name}” is damaged, not complete, or no GGUF file. "
        "Get it again, or choose another one."
    )
    return KnownError("Model file is damaged", message, str(path))


def _values(file: BinaryIO, path: Path) -> tuple[dict[str, Any], int]:
    """Return the header's values and how many tokens the model knows."""
    size = os.fstat(file.fileno()).st_size
    reader = _Reader(file, size)
    if file.read(4) != _MAGIC or reader.number("I") not in _VERSIONS:
        raise _DamagedError
    tensors, entries = reader.count(), reader.count()
    values: dict[str, Any] = {}
    for _ in range(entries):
        key = reader.text()
        values[key] = reader.value(reader.number("I"))
    vocabulary = values.get("tokenizer.ggml.tokens", 0)
    reader.check_tensors(tensors, int(values.get("general.alignment", 32)))
    return values, vocabulary if isinstance(vocabulary, int) else len(vocabulary)


class _Reader:
    """Reads values of the format; long arrays are skipped, their length is returned."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size

    def number(self, form: str) -> Any:  # noqa: ANN401
        return struct.unpack(f"<{form}", self._file.read(struct.calcsize(form)))[0]

    def count(self) -> int:
        """Read a number of things that follow."""
        count = int(self.number("Q"))
        if count > self._size or count > _MOST_ENTRIES:
            raise _DamagedError
        return count

    def text(self) -> str:
        length = self.number("Q")
        if length > self._size - self._file.tell():
            raise _DamagedError
        return self._file.read(length).decode("utf-8", "replace")

    def value(self, kind: int) -> Any:  # noqa: ANN401
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY:
            return self._array(self.number("I"), self.count())
        if kind not in _FORMATS:
            raise _DamagedError
        return self.number(_FORMATS[kind])

    def _array(self, kind: int, count: int) -> Any:  # noqa: ANN401
        if kind == _STRING:
            for _ in range(count):
                self._skip(self.number("Q"))
            return count
        if kind not in _FORMATS:
            raise _DamagedError
        if count > _MOST_KEPT:
            self._skip(count * struct.calcsize(_FORMATS[kind]))
            return count
        return tuple(self.number(_FORMATS[kind]) for _ in range(count))

    def _skip(self, length: int) -> None:
        if length > self._size - self._file.tell():
            raise _DamagedError
        self._file.seek(length, os.SEEK_CUR)

    def check_tensors(self, count: int, alignment: int) -> None:
        """See that every tensor begins within the file."""
        last = 0
        for _ in range(count):
            self._skip(self.number("Q"))
            dimensions = self.number("I")
            if dimensions > _MOST_DIMENSIONS:
                raise _DamagedError
            self._skip(8 * dimensions + 4)
            last = max(last, self.number("Q"))
        start = -(-self._file.tell() // max(1, alignment)) * max(1, alignment)
        if count and start + last >= self._size:
            raise _DamagedError
