from __future__ import annotations

import io
import logging
import struct
import zipfile
from pathlib import Path

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers import parts, registry
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.limits import ParseLimits, limited
from desktop_rag.ingestion.parsers.parts import content_of_part
from tests.helpers.parsed import inside, parsed, words_inside, zipped

CUT_PICTURE = b"\x89PNG\r\n\x1a\n"


def test_the_files_in_an_archive_are_documents_of_their_own() -> None:
    archive = zipped(
        {
            "b/page.html": "<h1>Page</h1><p>Words",
            "a.txt": "Plain words.",
            "b/": "",
            "__MACOSX/._a.txt": "no",
            "b/.DS_Store": "no",
            "scan.png": CUT_PICTURE,
        }
    )

    assert words_inside(archive, "a.zip") == {
        "a.txt": "Plain words.",
        "b/page.html": "Page\n\nWords",
        "scan.png": "Damaged",
    }
    document = parsed(archive, "a.zip")
    assert document.document.text == "a.txt\nb/page.html\nscan.png"
    assert document.blocks == ()


def test_archives_in_archives_end_somewhere() -> None:
    archive = zipped({"0.txt": "level 0"})
    for level in range(1, 6):
        archive = zipped({f"{level}.txt": f"level {level}", f"{level}.zip": archive})
    found = words_inside(archive, "a.zip")

    assert found["5.zip/4.zip/3.txt"] == "level 3"
    assert found["5.zip/4.zip/3.zip/2.zip"] == "Nested too deeply"
    assert not any(words == "level 1" for words in found.values())


def test_the_number_and_size_of_parts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zipped({f"{n}.txt": f"words {n} " * 50 for n in range(4)})
    with limited(ParseLimits(unpacked=1000)):
        found = words_inside(archive, "a.zip")
        assert found["0.txt"].startswith("words 0")
        assert found["3.txt"] in ("Too large", "Unpacks to too much")

    monkeypatch.setattr(parts._Visit, "__init__", _few_parts(parts._Visit.__init__))
    assert words_inside(archive, "a.zip")["3.txt"] == "Too many parts"


def _few_parts(original):  # type: ignore[no-untyped-def]
    def made(self, *arguments) -> None:  # type: ignore[no-untyped-def]
        original(self, *arguments, left=2)

    return made


def test_a_bug_in_a_parser_costs_one_part(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def parse(self, source: object, name: str) -> None:
            raise IndexError("a bug")

    monkeypatch.setitem(registry._PARSERS, Format.JSON, Broken())
    archive = zipped({"a.json": "{}", "b.txt": "secret words"})

    with caplog.at_level(logging.ERROR):
        found = words_inside(archive, "a.zip")
    assert found == {"a.json": "Could not be read", "b.txt": "secret words"}
    assert "IndexError" in caplog.text
    assert "secret words" not in caplog.text


def test_what_cannot_be_read_says_why() -> None:
    found = inside(zipped({"a.png": CUT_PICTURE, "b.txt": " "}), "a.zip")
    titles = {name: problem.title for name, problem in found.items()}  # type: ignore[union-attr]
    assert titles == {"a.png": "Damaged", "b.txt": "No text"}
    assert all(name in problem.message for name, problem in found.items())  # type: ignore[union-attr]

    with pytest.raises(KnownError) as caught:
        parsed(zipped({"a/": ""}), "a.zip")
    assert caught.value.title == "No text"


def test_a_scan_in_an_archive_says_what_would_read_it(scanned_page: bytes) -> None:
    found = inside(zipped({"scan.pdf": scanned_page}), "a.zip")["scan.pdf"]

    assert isinstance(found, KnownError)
    assert found.title == "No text: scanned"
    assert "not installed" in found.message


@pytest.fixture
def scanned_page() -> bytes:
    import pymupdf

    page = pymupdf.open()
    page.new_page().insert_text((72, 72), "Words of a scan.", fontsize=20)
    picture = page[0].get_pixmap(dpi=72)
    scan = pymupdf.open()
    scan.new_page().insert_image(scan[0].rect, pixmap=picture)
    content: bytes = scan.tobytes()
    return content


def test_a_bomb_inside_is_stopped() -> None:
    archive = zipped({"bomb.txt": b"0" * (70 << 20), "a.txt": "Plain words."})

    assert words_inside(archive, "a.zip") == {
        "a.txt": "Plain words.",
        "bomb.txt": "Unpacks to too much",
    }


def locked(files: dict[str, str], *names: str) -> bytes:
    """Set the flag of entries that need a password."""
    content = bytearray(zipped(files))
    for mark, flags, name_size, header in ((b"PK\x03\x04", 6, 26, 30), (b"PK\x01\x02", 8, 28, 46)):
        place = content.find(mark)
        while place >= 0:
            (size,) = struct.unpack_from("<H", content, place + name_size)
            name = content[place + header : place + header + size].decode()
            content[place + flags] |= name in names
            place = content.find(mark, place + 4)
    return bytes(content)


def test_what_needs_a_password_says_so() -> None:
    files = {"a.txt": "words", "b.txt": "words"}
    assert words_inside(locked(files, "b.txt"), "a.zip") == {
        "a.txt": "words",
        "b.txt": "Needs a password",
    }
    with pytest.raises(KnownError) as caught:
        parsed(locked(files, "a.txt", "b.txt"), "a.zip")
    assert caught.value.title == "Needs a password"


def test_names_are_safe_and_each_there_once() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("../../etc/a.txt", "up")
        archive.writestr("/b.txt", "root")
        archive.writestr("c:\\d\t.txt", "odd")
        archive.writestr("same.txt", "one")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("same.txt", "one")
        archive.writestr("Same .txt/", "")
        archive.writestr(f"{'long' * 90}.txt", "long")
    found = words_inside(target.getvalue(), "a.zip")

    assert found["etc/a.txt"] == "up"
    assert found["b.txt"] == "root"
    assert found["same.txt"] == found["same (2).txt"] == "one"
    assert not any(set(name) & set("\\\t") or ".." in name for name in found)
    assert max(len(name) for name in found) <= 120


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "cp437"])
def test_names_of_other_zip_programs_are_legible(encoding: str) -> None:
    name = "résumé été.txt" if encoding == "cp437" else "合同付款期限.txt"
    raw = name.encode(encoding)
    content = zipped({"x" * len(raw): "words"}).replace(b"x" * len(raw), raw)

    assert list(inside(content, "a.zip")) == [name]


def test_ten_thousand_small_files_are_read() -> None:
    archive = zipped({f"{n}.txt": f"words {n}" for n in range(10_000)})

    assert len(inside(archive, "a.zip")) == 10_000


def test_a_part_is_found_again_by_its_place(tmp_path: Path) -> None:
    inner = zipped({"a.txt": "inner", "b.txt": "other"})
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"in.zip": inner, "in.zip/a.txt": "of a folder"}))
    with path.open("rb") as file:
        assert list(inside(file.read(), "a.zip"))

    assert content_of_part(path, "in.zip/b.txt") == b"other"
    contents = {content_of_part(path, "in.zip/a.txt"), content_of_part(path, "in.zip/a (2).txt")}
    assert contents == {b"inner", b"of a folder"}
    with pytest.raises(KnownError, match="No longer there"):
        content_of_part(path, "c.txt")
