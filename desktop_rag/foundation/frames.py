"""Frames: the messages between the owner and its child processes.

A frame is four bytes of length (big endian) and a msgpack array [kind, payload]. Long
results go in many frames, so that decoding one never holds the interpreter for long.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import msgpack

LONGEST_FRAME = 256 * 1024
"""Bytes, the four of the length not counted."""

Frame = tuple[str, Any]


class FrameError(Exception):
    """What came is not a frame: the other side writes something else or broke off."""


def write_frame(stream: BinaryIO, kind: str, payload: Any = None) -> None:  # noqa: ANN401
    """Write one frame and flush.

    Raises:
        FrameError: the frame is longer than ``LONGEST_FRAME``.
    """
    packed = pack((kind, payload))
    if len(packed) > LONGEST_FRAME:
        raise FrameError(f"a frame of {len(packed)} bytes ({kind})")
    stream.write(len(packed).to_bytes(4, "big") + packed)
    stream.flush()


def read_frame(stream: BinaryIO) -> Frame | None:
    """Read one frame, None at the end of the stream.

    Raises:
        FrameError: the stream ends within a frame, or holds none.
    """
    head = stream.read(4)
    if not head:
        return None
    length = int.from_bytes(head, "big")
    if len(head) < 4 or length > LONGEST_FRAME:
        raise FrameError("not the beginning of a frame")
    packed = stream.read(length)
    if len(packed) < length:
        raise FrameError("a frame broke off")
    kind, payload = unpack(packed)
    return kind, payload


def pack(value: Any) -> bytes:  # noqa: ANN401
    """Return a value as msgpack."""
    packed: bytes = msgpack.packb(value, unicode_errors="surrogatepass")
    return packed


def unpack(packed: bytes) -> Any:  # noqa: ANN401
    """Return the value that ``pack`` packed; lists come back as tuples."""
    return msgpack.unpackb(packed, unicode_errors="surrogatepass", use_list=False)
