from __future__ import annotations

import logging

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import parts, registry, zip_archive
from desktop_rag.ingestion.parsers.formats import Format
from tests.helpers.parsed import headings, parsed, pieces, reasons, zipped


def test_an_archive_has_a_heading_for_each_file() -> None:
    archive = zipped(
        {
            "b/page.html": "<h1>Page</h1><p>Words",
            "a.txt": "Plain words.",
            "b/": "",
            "__MACOSX/._a.txt": "no",
            "b/.DS_Store": "no",
            "scan.png": b"\x89PNG\r\n\x1a\n",
        }
    )
    document = parsed(archive, "a.zip")

    assert pieces(document) == [
        ("heading", "a.txt"),
        ("paragraph", "Plain words."),
        ("heading", "b/page.html"),
        ("heading", "Page"),
        ("paragraph", "Words"),
    ]
    assert headings(document) == [(1, "a.txt"), (1, "b/page.html"), (2, "Page")]
    assert reasons(document) == ["“scan.png”: Damaged"]


def test_archives_in_archives_end_somewhere() -> None:
    archive = zipped({"0.txt": "level 0"})
    for level in range(1, 6):
        archive = zipped({f"{level}.txt": f"level {level}", f"{level}.zip": archive})
    document = parsed(archive, "a.zip")

    assert "level 3" in document.document.text
    assert "level 1" not in document.document.text
    assert any("Nested too deeply" in reason for reason in reasons(document))


def test_the_number_and_size_of_parts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zipped({f"{n}.txt": f"words {n} " * 50 for n in range(4)})
    monkeypatch.setattr(zip_archive, "MAX_PARTS", 3)
    assert reasons(parsed(archive, "a.zip")) == ["“the rest”: only the first 3 files are read"]

    monkeypatch.setattr(parts, "MAX_BYTES", 1000)
    monkeypatch.setattr(parts, "_Budget", _Budget)
    assert "“2.txt”: Too large" in reasons(parsed(archive, "a.zip"))


class _Budget:
    def __init__(self) -> None:
        self.parts, self.bytes, self.depth = 100, 1000, 0


def test_a_bug_in_a_parser_costs_one_part(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def parse(self, source: object, name: str) -> None:
            raise IndexError("a bug")

    monkeypatch.setitem(registry._PARSERS, Format.JSON, Broken())
    archive = zipped({"a.json": "{}", "b.txt": "secret words"})

    with caplog.at_level(logging.ERROR):
        document = parsed(archive, "a.zip")
    assert reasons(document) == ["“a.json”: Could not be read"]
    assert "IndexError" in caplog.text
    assert "secret words" not in caplog.text


def test_archives_of_nothing_readable_say_so() -> None:
    picture = b"\x89PNG\r\n\x1a\n"
    for files, title in (
        ({"a.png": picture}, "Damaged"),
        ({"a.png": picture, "b.txt": " "}, "No text"),
        ({"a/": ""}, "No text"),
    ):
        with pytest.raises(KnownError) as caught:
            parsed(zipped(files), "a.zip")
        assert caught.value.title == title
        assert all(name in caught.value.message for name in files if "." in name)


def test_a_bomb_inside_is_stopped() -> None:
    archive = zipped({"bomb.txt": b"0" * (70 << 20), "a.txt": "Plain words."})
    document = parsed(archive, "a.zip")

    assert document.document.text == "a.txt\n\nPlain words."
    assert reasons(document) == ["“bomb.txt”: Unpacks to too much"]


def test_an_archive_with_a_password_says_so() -> None:
    content = bytearray(zipped({"a.txt": "words", "b.txt": "words"}))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(mark)
        while place >= 0:
            content[place + flags] |= 1
            place = content.find(mark, place + 4)

    with pytest.raises(KnownError) as caught:
        parsed(bytes(content), "a.zip")
    assert caught.value.title == "Needs a password"


def test_not_every_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MAX_REASONS", 2)
    files = {f"{n}.png": b"\x89PNG\r\n\x1a\n" for n in range(5)}

    assert reasons(parsed(zipped(files | {"z.txt": "words"}), "a.zip")) == [
        "“0.png”: Damaged",
        "“1.png”: Damaged",
        "3 more could not be read",
    ]
