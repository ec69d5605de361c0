from __future__ import annotations

import io

import msgpack
import pytest

from desktop_rag.domain.document import Coverage, LineBox, UnreadableUnit
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.prepared import PreparedDocument, PreparedParent, PreparedSegment
from desktop_rag.foundation.frames import LONGEST_FRAME, FrameError, read_frame, write_frame
from desktop_rag.ingestion.wire import DocumentBuilder, document_frames


def large_document() -> PreparedDocument:
    segments = tuple(
        PreparedSegment(
            *(10 * i, 10 * i + 9, i % 7, f"合同 {i} " * 60, f"{i:032x}", "space"),
            *("terms " * 40, 99, "zh", i % 9 + 1, ("Head", "Sub")),
            lines=(LineBox(10 * i, 10 * i + 9, 1, 72.5, 80.1, 300.25, 92.0),) * 4,
        )
        for i in range(3000)
    )
    return PreparedDocument(
        kind="pdf",
        text="\U0001f600 Text \udc80. " * 60_000,
        title="Title",
        language="zh",
        metadata=Metadata({"author": "A", "year": 2024}),
        coverage=Coverage(5, 0, 2, tuple(UnreadableUnit(i, "no text: scanned") for i in range(9))),
        parents=tuple(PreparedParent(i, i + 1, None, ("Head",)) for i in range(7)),
        segments=segments,
        pages=16,
        headings=tuple(f"Heading {i}" for i in range(20_000)),
    )


def test_a_document_comes_out_as_it_went_in() -> None:
    document = large_document()
    stream = io.BytesIO()
    for frame in document_frames(document):
        write_frame(stream, *frame)
    stream.seek(0)

    builder, result = DocumentBuilder(), None
    while (frame := read_frame(stream)) is not None:
        result = builder.add(*frame)

    assert result == document


def test_no_frame_is_longer_than_the_limit() -> None:
    sizes = [
        len(msgpack.packb(frame, unicode_errors="surrogatepass"))
        for frame in document_frames(large_document())
    ]

    assert max(sizes) <= LONGEST_FRAME
    assert len(sizes) > 10
    with pytest.raises(FrameError, match="frame of"):
        write_frame(io.BytesIO(), "text", "x" * LONGEST_FRAME)


@pytest.mark.parametrize("data", [b"\x00\x00", b"\x00\x00\x00\x09short", b"a printed line\n"])
def test_what_is_no_frame_is_an_error(data: bytes) -> None:
    with pytest.raises(FrameError):
        read_frame(io.BytesIO(data))


def test_the_end_of_the_stream_is_none() -> None:
    assert read_frame(io.BytesIO()) is None


def test_unknown_frames_are_an_error() -> None:
    with pytest.raises(FrameError, match="unknown"):
        DocumentBuilder().add("noise", None)
