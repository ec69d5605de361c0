"""Tiny graphs in the format of ONNX, written byte by byte."""

from __future__ import annotations

FLOAT, INT64, INT = 1, 7, 2
"""Types of ONNX: two of elements, and that of an attribute (onnx.proto3)."""


def _varint(value: int) -> bytes:
    low, high = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])


def field(number: int, value: int | str | bytes) -> bytes:
    """Encode a field of Protocol Buffers: a number, a text or a message."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def tensor(name: str, kind: int, *sizes: str | int) -> bytes:
    """Encode an input or output; sizes that vary have names."""
    dims = (field(1, size) if isinstance(size, int) else field(2, size) for size in sizes)
    shape = b"".join(field(1, size) for size in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def node(kind: str, source: str, target: str, attribute: bytes) -> bytes:
    """Encode an operation with one input, one output and one attribute."""
    return field(1, source) + field(2, target) + field(4, kind) + field(5, attribute)


def summing_graph(*inputs: str) -> bytes:
    """Return a graph whose one number is the sum of its token ids; other inputs do not count."""
    to_float = field(1, "to") + field(3, FLOAT) + field(20, INT)
    axes = field(1, "axes") + field(8, 1) + field(20, 7)
    graph = field(1, node("Cast", "input_ids", "floats", to_float))
    graph += field(1, node("ReduceSum", "floats", "logits", axes)) + field(2, "sum")
    for name in inputs or ("input_ids", "attention_mask"):
        graph += field(11, tensor(name, INT64, 1, "length"))
    graph += field(12, tensor("logits", FLOAT, 1, 1))
    return field(1, 6) + field(7, graph) + field(8, field(1, "") + field(2, 11))
