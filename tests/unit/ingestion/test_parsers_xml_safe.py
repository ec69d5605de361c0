"""XML that declares what it should not, and XML that may be read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.parsers.xml_safe import BrokenXml, parse_xml, stream_xml
from tests.helpers.office_files import WORD, zipped


def problem(content: bytes, name: str) -> KnownError:
    with pytest.raises(KnownError) as caught:
        parse_bytes(content, name)
    return caught.value


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text("the secret words")
    return path


def test_entities_that_reach_for_files_are_refused(secret: Path) -> None:
    kind = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    document = f"{kind}<w:document {WORD}><w:body><w:p><w:r><w:t>&e;</w:t></w:r></w:p></w:body>"
    parts = {"[Content_Types].xml": "<Types/>", "word/document.xml": document + "</w:document>"}

    assert problem(zipped(parts), "a.docx").title == "Not safe to read"


@pytest.mark.parametrize(
    "content",
    [
        b'<?xml version="1.0"?><!-- a --><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
        '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'.encode("utf-16"),
        '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'.encode("utf-16-le"),
        b'<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><x/>',
        b"<!--" + b"-" * 70_000 + b'--><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
        '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'.encode("utf-32"),
        b'<!DOCTYPE x [<!ELEMENT x ANY><!ENTITY a "b">]><x>&a;</x>',
        b'<!DOCTYPE x [<!-- <!ELEMENT --><!ENTITY a "b">]><x>&a;</x>',
        b"<!DOCTYPE x [<!ATTLIST x a CDATA \"]>\"> <!ENTITY a 'b'>]><x>&a;</x>",
        b"<!DOCTYPE x [%parts;]><x/>",
        b'<!DOCTYPE x SYSTEM "a.dtd" [<!ENTITY % a "b"> <!ELEMENT x ANY>]><x/>',
    ],
)
def test_declarations_are_refused_in_any_disguise(content: bytes) -> None:
    with pytest.raises(KnownError) as caught:
        parse_xml(content, "a.xml")
    assert caught.value.title == "Not safe to read"

    with pytest.raises(KnownError):
        list(stream_xml(io.BytesIO(content), "a.xml", ("{*}x",)))


@pytest.mark.parametrize(
    "content",
    [
        b'<?xml version="1.0" encoding="utf-7"?>+ADwAIQ-DOCTYPE x+AFs-<x/>',
        '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'.encode("cp037"),
        b"no XML at all",
        b"",
    ],
)
def test_what_does_not_begin_like_xml_is_broken(content: bytes) -> None:
    with pytest.raises(BrokenXml):
        parse_xml(content, "a.xml")


def test_a_bomb_of_entities_has_a_reason() -> None:
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    bomb = f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]><x>&e9;</x>'

    error = problem(bomb.encode(), "a.xml")

    assert error.title == "Not safe to read"
    assert "Save it again" in error.message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_type_that_declares_elements_is_read(encoding: str) -> None:
    declared = (
        "<!DOCTYPE lease [\n<!-- what's in a lease -->\n<!ELEMENT lease (party+, rent)>\n"
        '<!ATTLIST rent days CDATA "]>30">\n<!NOTATION gif PUBLIC "-//gif">\n<?a b?>\n]>\n'
    )
    document = f"{declared}<!-- then --><lease><party>Ada</party><rent>Thirty</rent></lease>"

    parsed = parse_bytes(document.encode(encoding), "a.xml")

    assert parsed.document.text == "party: Ada\nrent: Thirty"


def test_a_type_without_declarations_is_no_harm(secret: Path) -> None:
    root = parse_xml(f'<!DOCTYPE x SYSTEM "{secret.as_uri()}"><x>words</x>'.encode(), "a.xml")

    assert root.text == "words"
