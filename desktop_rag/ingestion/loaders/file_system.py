"""Documents from files and folders, as LangChain4j's loader gives them."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import Document
from desktop_rag.domain.metadata import Metadata
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.loaders.globs import compile_glob
from desktop_rag.ingestion.parsers.parser import Parser
from desktop_rag.ingestion.parsers.problems import NO_TEXT
from desktop_rag.ingestion.parsers.text import TextParser

_log = logging.getLogger(__name__)

FILE_NAME = "file_name"
DIRECTORY = "absolute_directory_path"


class FileSystemDocumentLoader:
    """Loads documents with the metadata ``file_name`` and ``absolute_directory_path``.

    It follows langchain4j-facts 2: globs see the path below the folder, blank files and
    files that fail are skipped and counted. Different on purpose: the order is that of
    the sorted paths, not the file system's, and a folder that cannot be listed is skipped
    like a file.

    Args:
        parser: of every file; None for text in any encoding.
    """

    def __init__(self, parser: Parser | None = None) -> None:
        self._parser = parser or TextParser()

    def load_document(self, path: Path) -> Document:
        """Load one file.

        Raises:
            ValueError: ``path`` is not a file.
            KnownError: the parser cannot read it, or there is no text in it.
            OSError: it cannot be opened.
        """
        if not path.is_file():
            raise ValueError(f"not a file: {path}")
        document = self._parser.parse(path, path.name).document
        return Document(document.text, _with_source(document.metadata, path))

    def load_documents(
        self, directory: Path, glob: str | None = None, *, recursive: bool = False
    ) -> list[Document]:
        """Load the files of a folder, in the order of their paths.

        Args:
            directory: the folder.
            glob: which files, by their path below the folder with "/"; None for all.
            recursive: whether to go into its folders.

        Raises:
            ValueError: ``directory`` is not a folder, or ``glob`` is malformed.
        """
        if not directory.is_dir():
            raise ValueError(f"not a directory: {directory}")
        matcher = compile_glob(glob) if glob is not None else None
        documents: list[Document] = []
        blank = failed = 0
        for path in _files(directory, recursive=recursive):
            if matcher and not matcher.fullmatch(path.relative_to(directory).as_posix()):
                continue
            try:
                documents.append(self.load_document(path))
            except Exception as error:  # whatever a file does, the others are loaded
                if isinstance(error, KnownError) and error.title == NO_TEXT:
                    blank += 1
                else:
                    failed += 1
                    _log.warning("%s was not loaded: %s", path.name, type(error).__name__)
        if blank or failed:
            _log.warning("skipped %d blank files and %d that failed", blank, failed)
        return documents


def _files(directory: Path, *, recursive: bool) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError as error:
        _log.warning("a folder was not listed: %s", error.strerror)
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if recursive:
                yield from _files(Path(entry.path), recursive=True)
        elif entry.is_file():
            yield Path(entry.path)


def _with_source(metadata: Metadata, path: Path) -> Metadata:
    source = {FILE_NAME: path.name, DIRECTORY: str(path.absolute().parent)}
    clashes = sorted(source.keys() & metadata.keys())
    if clashes:
        _log.warning("metadata of the parser is replaced: %s", ", ".join(clashes))
    return Metadata({**metadata, **source})
