from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.services.json_text import decode, encode, to_json

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


def test_chinese_is_written_as_it_is():
    assert to_json({"answer": "付款期限"}) == '{"answer": "付款期限"}'


def test_a_name_that_is_not_utf8_comes_back_as_the_same_bytes():
    name = os.fsdecode(b"caf\xe9.txt")

    data = encode({"path": name})

    assert data == b'{"path": "caf\\udce9.txt"}'
    assert os.fsencode(json.loads(data)["path"]) == b"caf\xe9.txt"


@given(ANY_TEXT)
def test_any_text_is_valid_utf8_on_one_line_and_comes_back(text):
    data = encode({"text": text})

    assert len(data.decode("utf-8").splitlines()) == 1
    assert decode(data)["text"].encode("utf-16", "surrogatepass") == text.encode(
        "utf-16", "surrogatepass"
    )


@pytest.mark.parametrize("data", [b"", b"[]", b"nonsense", b"\x80\x04pickle", b'"text"'])
def test_anything_but_an_object_is_refused(data):
    with pytest.raises(ValueError, match=r".*"):
        decode(data)
