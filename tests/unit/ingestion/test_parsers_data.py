from __future__ import annotations

import json
import plistlib

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import json as json_parser
from tests.helpers.parsed import headings, parsed, pieces, reasons, texts


def test_json_says_name_and_value() -> None:
    long = "A long remark. " * 20
    value = {
        "name": "合同",
        "paid": True,
        "rate": None,
        "tags": ["a", 2],
        "items": [{"code": "SKU-1", "price": {"net": 1.5}}, {"code": "SKU-2"}],
        "remark": long,
        "empty": {},
    }
    document = parsed(json.dumps(value), "a.json")

    assert document.kind == "json"
    assert pieces(document) == [
        ("paragraph", "name: 合同\npaid: true\nrate: null\ntags: a, 2"),
        ("heading", "items"),
        ("paragraph", "code: SKU-1\nprice.net: 1.5"),
        ("paragraph", "code: SKU-2"),
        ("paragraph", f"remark: {long.strip()}"),
    ]


def test_json_lines_and_broken_ones() -> None:
    document = parsed('{"a": 1}\n\n{"a": [{"b": 2}, {"b": 3}]}\n{"a": \n', "a.jsonl")

    assert texts(document, "paragraph") == ["a: 1", "b: 2", "b: 3"]
    assert [(u.page, u.reason) for u in document.coverage.unreadable] == [(4, "a line is broken")]


@pytest.mark.parametrize("text", ['// a comment\n{"a": 1,}', "{" * 5000, "[" * 100_000, "1" * 5000])
def test_what_is_no_json_is_read_as_it_is(text: str) -> None:
    document = parsed(text, "a.json")

    assert document.document.text == text
    assert document.kind == "json"


def test_json_is_bounded_and_never_gives_halves_of_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert parsed('["\\ud800 words"]', "a.json").document.text == "\ufffd words"
    deep: object = "deep"
    for _ in range(100):
        deep = {"k": deep}
    assert parsed(json.dumps(deep), "a.json").document.text.endswith(": …")

    monkeypatch.setattr(json_parser, "MAX_VALUES", 2)
    document = parsed('[{"a": 1, "b": 2, "c": 3}]', "a.json")
    assert document.document.text == "a: 1\nb: 2"
    assert reasons(document) == ["only the first 2 values are read"]


def test_a_notebook_has_text_code_and_outputs() -> None:
    book = {
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": ["# Results\n", "\n", "Some *words*."]},
            {
                "cell_type": "code",
                "source": "print(1)",
                "outputs": [
                    {"output_type": "stream", "text": ["1\n"]},
                    {"data": {"image/png": "xx", "text/plain": "<Figure>"}},
                    {"ename": "ValueError", "evalue": "wrong"},
                ],
            },
            {"cell_type": "markdown", "source": " "},
        ],
    }
    document = parsed(json.dumps(book), "a.ipynb")

    assert (document.kind, document.title) == ("ipynb", "Results")
    assert pieces(document) == [
        ("heading", "Results"),
        ("paragraph", "Some *words*."),
        ("code", "print(1)"),
        ("note", "1"),
        ("note", "<Figure>"),
        ("note", "ValueError: wrong"),
    ]


def test_a_cut_off_notebook_is_damaged() -> None:
    for text in ('{"cells": [', "[]"):
        with pytest.raises(KnownError) as caught:
            parsed(text, "a.ipynb")
        assert caught.value.title == "Damaged"


def test_settings_keep_their_text_and_have_sections() -> None:
    toml = 'name = "x"\n\n[tool.a]  # why\nk = 1\n[[list]]\nk = 2\n'
    yaml = "---\nname: x\nsection:\n  k: v\n\nlist:  # why\n- a\n"

    assert parsed(toml, "a.toml").document.text == toml
    assert headings(parsed(toml, "a.ini")) == [(2, "tool.a"), (2, "list")]
    assert parsed(yaml, "a.yml").document.text == yaml
    assert headings(parsed(yaml, "a.yaml")) == [(2, "section"), (2, "list")]
    assert texts(parsed(yaml, "a.yaml"), "code") == ["name: x", "  k: v", "- a"]


def test_links_give_their_address() -> None:
    address = "https://example.org/a"
    for content, name in (
        (f"[InternetShortcut]\r\nURL={address}\r\n".encode(), "a.url"),
        (plistlib.dumps({"URL": address}), "a.webloc"),
        (plistlib.dumps({"URL": address}, fmt=plistlib.FMT_BINARY), "a.webloc"),
    ):
        document = parsed(content, name)
        assert document.kind == "link"
        assert document.document.text == document.document.metadata["address"] == address
    for content, name in (("[InternetShortcut]", "a.url"), ("bplist00", "a.webloc")):
        with pytest.raises(KnownError) as caught:
            parsed(content, name)
        assert caught.value.title == "Damaged"
