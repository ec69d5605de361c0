"""Texts and tables as they go wrong in practice, from the bytes to what the model reads."""

from __future__ import annotations

import pytest

from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.preparation import Preparation
from desktop_rag.text.analysis import analyse_query
from tests.helpers.preparing import spaces

TERM = "合同付款期限为三十天。"


def prepared(data: bytes, name: str = "a.txt") -> PreparedDocument:
    return Preparation(spaces()).prepare(parse_bytes(data, name))


def found(document: PreparedDocument, question: str) -> bool:
    """Whether each word of the question is one that the document can be found by."""
    terms = {term for segment in document.segments for term in segment.terms.split()}
    return set(analyse_query(question)) <= terms


@pytest.mark.parametrize(
    ("data", "encoding", "words"),
    [
        (TERM.encode("gbk"), "gb18030", "付款期限"),
        ((TERM * 100).encode("gbk"), "gb18030", "付款期限"),
        (TERM.encode("utf-16-le"), "utf-16-le", "付款期限"),
        ((TERM * 100).encode("utf-16-le"), "utf-16-le", "付款期限"),
        ("合約付款期限為三十天，請於期限內完成。".encode("big5"), "big5", "付款期限"),
        ("契約の支払期限は三十日です。".encode("shift_jis"), "shift_jis", "支払期限"),
        ("The café is closed.".encode("cp1252"), "cp1252", "café"),
        (("A note on the café. " * 50).encode() + b"\xe9 end", "utf-8", "café"),
        (TERM.encode() * 3 + TERM.encode()[:-1], "utf-8", "付款期限"),
    ],
)
def test_b13_the_right_words_are_found_and_the_guess_is_kept(
    data: bytes, encoding: str, words: str
) -> None:
    document = prepared(data)

    assert document.encoding == encoding
    assert words in document.text
    assert found(document, words)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_b14_every_row_is_read_with_the_header(delimiter: str) -> None:
    rows = [["Name", "Region", "Units"], *([f"N{n}", f"R{n}", f"{n * 7}"] for n in range(200))]
    rows[50][1] = '"over two\nlines"'
    lines = "\r\n".join(delimiter.join(row) for row in rows)

    document = prepared(("\ufeff" + lines).encode(), "a.csv")

    assert len(document.segments) > 5
    for segment in document.segments:
        assert "Name | Region | Units" in segment.text
    assert "N49 | over two lines | 343" in document.text


@pytest.mark.parametrize(
    ("unit", "size"), [("a", 5_000_000), ("合同付款", 1_000_000), ("x1/y-2,", 1_000_000)]
)
def test_b17_a_long_line_is_read_whole_within_the_models_limit(unit: str, size: int) -> None:
    line = (unit * (size // len(unit.encode())))[:-1]

    document = prepared(f"{line}\0z".encode())

    joined = "".join(document.text[s.start : s.end] for s in document.segments)
    assert "\0" not in joined
    same = joined == f"{line}z"  # a difference of megabytes is not to be written out
    assert same
    limits = {space.name: space.max_tokens for space in spaces().values()}
    assert all(segment.tokens <= limits[segment.space] for segment in document.segments)
