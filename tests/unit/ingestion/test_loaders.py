from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from desktop_rag.domain.document import Document, ParsedDocument
from desktop_rag.domain.metadata import Metadata
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.loaders.file_system import FileSystemDocumentLoader
from desktop_rag.ingestion.loaders.globs import compile_glob
from desktop_rag.ingestion.parsers.text import parse_text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files in three folders, one of them blank."""
    for name in ("b.banana", "a.txt", ".hidden.txt", "banana/c.banana", "banana/deep/d.banana"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"words of {name}", encoding="utf-8")
    (tmp_path / "blank.txt").write_text(" \n\t", encoding="utf-8")
    return tmp_path


def names(documents: list[Document]) -> list[str]:
    return [str(document.metadata["file_name"]) for document in documents]


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.banana", ["b.banana"]),
        ("**.banana", ["b.banana", "c.banana", "d.banana"]),
        ("banana/*.banana", ["c.banana"]),
        ("**/*.banana", ["c.banana", "d.banana"]),
        ("*.BANANA", []),
        ("*.txt", [".hidden.txt", "a.txt"]),
        ("*.{txt,banana}", [".hidden.txt", "a.txt", "b.banana"]),
        ("[ab].*", ["a.txt", "b.banana"]),
        ("?.[!t]*", ["b.banana"]),
    ],
)
def test_globs_see_the_path_below_the_folder(folder: Path, glob: str, found: list[str]) -> None:
    loaded = FileSystemDocumentLoader().load_documents(folder, glob, recursive=True)

    assert names(loaded) == found


def test_folders_are_entered_when_asked_to(folder: Path) -> None:
    loader = FileSystemDocumentLoader()

    assert names(loader.load_documents(folder)) == [".hidden.txt", "a.txt", "b.banana"]
    assert len(loader.load_documents(folder, recursive=True)) == 5


def test_documents_know_where_they_came_from(folder: Path) -> None:
    document = FileSystemDocumentLoader().load_document(folder / "banana" / "c.banana")

    assert document.text == "words of banana/c.banana"
    assert dict(document.metadata) == {
        "file_name": "c.banana",
        "absolute_directory_path": str(folder / "banana"),
    }


class _Parser:
    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        del source
        if name == "a.txt":
            raise RuntimeError("a bug")
        parsed = parse_text("words")
        metadata = Metadata({"file_name": "of the parser", "author": "A"})
        return ParsedDocument(Document("words", metadata), parsed.blocks, parsed.coverage, "text")


def test_the_source_wins_over_the_parser(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    document = FileSystemDocumentLoader(_Parser()).load_document(folder / "b.banana")

    assert document.metadata["file_name"] == "b.banana"
    assert document.metadata["author"] == "A"
    assert "file_name" in caplog.text


def test_blank_and_failing_files_are_skipped_and_counted(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        loaded = FileSystemDocumentLoader(_Parser()).load_documents(folder)
        blank = FileSystemDocumentLoader().load_documents(folder, "blank.txt")

    assert names(loaded) == [".hidden.txt", "b.banana", "blank.txt"]
    assert blank == []
    summaries = [r.getMessage() for r in caplog.records if "skipped" in r.getMessage()]
    assert summaries == [
        "skipped 0 blank files and 1 that failed",
        "skipped 1 blank files and 0 that failed",
    ]


def test_every_file_that_fails_is_named_in_the_log(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    FileSystemDocumentLoader(_Parser()).load_documents(folder)

    assert "a.txt was not loaded: RuntimeError" in caplog.text


def test_a_folder_that_cannot_be_listed_costs_itself_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = os.scandir

    def refuse(path: object) -> object:
        if str(path).endswith("deep"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    loaded = FileSystemDocumentLoader().load_documents(folder, "**.banana", recursive=True)

    assert names(loaded) == ["b.banana", "c.banana"]
    assert "Permission denied" in caplog.text


def test_a_file_that_cannot_be_read_is_skipped_in_a_folder_and_raised_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "a.txt":
            raise OSError(5, "Input/output error", str(path))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    loader = FileSystemDocumentLoader()

    assert names(loader.load_documents(folder)) == [".hidden.txt", "b.banana"]
    with pytest.raises(OSError, match="Input/output"):
        loader.load_document(folder / "a.txt")


def test_malformed_bytes_become_replacement_characters(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes("naïve ".encode() + b"\xff" + " café".encode())

    assert FileSystemDocumentLoader().load_document(path).text == "naïve \ufffd café"


def test_a_single_blank_file_is_a_known_error(folder: Path) -> None:
    with pytest.raises(KnownError) as caught:
        FileSystemDocumentLoader().load_document(folder / "blank.txt")

    assert caught.value.title == "No text"


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be locked this way")
def test_what_is_no_file_or_folder_is_refused(folder: Path) -> None:
    loader = FileSystemDocumentLoader()

    with pytest.raises(ValueError, match="not a directory"):
        loader.load_documents(folder / "a.txt")
    with pytest.raises(ValueError, match="not a file"):
        loader.load_document(folder / "banana")
    with pytest.raises(ValueError, match="not a file"):
        loader.load_document(folder / "gone.txt")


@pytest.mark.parametrize("glob", ["", "  ", "[abc", "{a,b"])
def test_malformed_globs_are_refused(glob: str) -> None:
    with pytest.raises(ValueError, match=r"glob|bracket|brace"):
        compile_glob(glob)
