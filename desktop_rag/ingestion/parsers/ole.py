"""Office files of before 2007: which they are, and what they say of themselves."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop_rag.domain.metadata import MetadataValue
from desktop_rag.ingestion.parsers.office_package import clean, metadata_of
from desktop_rag.ingestion.parsers.problems import damaged, needs_password

WORD, EXCEL, POWERPOINT = "doc", "xls", "ppt"

_STREAMS = (
    *(("worddocument", WORD), ("workbook", EXCEL), ("book", EXCEL)),
    ("powerpoint document", POWERPOINT),
)
_ENCRYPTED_STREAMS = frozenset({"encryptedpackage", "encryptedsummary"})
_WORD_FLAGS = 10
_WORD_ENCRYPTED = 0x0100
"""MS-DOC 2.5.2: the bit fEncrypted of the field at byte 10 of the document stream."""

_USER_TOKEN = 12
_ENCRYPTED_TOKEN = 0xF3D1C4DF
"""MS-PPT 2.3.2: the token at byte 12 of the stream of the current user."""


def kind_of_ole(source: Path | bytes, name: str) -> str | None:
    """Return which kind of Office file this is: "doc", "xls", "ppt", None for another.

    Raises:
        KnownError: it is damaged, or only a password opens it.
        OSError: it could not be read.
    """
    with _opened(source, name) as ole:
        streams = {"/".join(path).lower(): path for path in ole.listdir()}
        if _ENCRYPTED_STREAMS & streams.keys():
            raise needs_password(name, "the program that made it")
        kind = next((kind for stream, kind in _STREAMS if stream in streams), None)
        if (
            kind == WORD
            and _number(ole, streams["worddocument"], _WORD_FLAGS, "<H") & _WORD_ENCRYPTED
        ):
            raise needs_password(name, "Word")
        user = streams.get("current user")
        if (
            kind == POWERPOINT
            and user
            and _number(ole, user, _USER_TOKEN, "<I") == _ENCRYPTED_TOKEN
        ):
            raise needs_password(name, "PowerPoint")
        return kind


def ole_properties(source: Path | bytes) -> tuple[str, dict[str, MetadataValue]]:
    """Return the title and the other properties, as far as there are any."""
    try:
        with _opened(source, "") as ole:
            found = ole.get_metadata()
    except Exception:  # properties are an addition, and the library trusts what files say
        return "", {}
    created = found.create_time
    said = {
        "title": _words(found.title, found.codepage),
        "creator": _words(found.author, found.codepage),
        "subject": _words(found.subject, found.codepage),
        "keywords": _words(found.keywords, found.codepage),
        "created": "" if created is None else created.isoformat()[:10],
    }
    return said["title"], metadata_of(said)


def _words(value: object, code_page: int | None) -> str:
    if isinstance(value, bytes):
        page = f"cp{code_page}" if code_page and code_page not in (1200, 65001) else "utf-8"
        try:
            decoded = value.decode(page, "replace")
        except LookupError:
            decoded = value.decode("cp1252", "replace")
        return " ".join(clean(decoded).split())
    return " ".join(clean(value).split()) if isinstance(value, str) else ""


@contextmanager
def _opened(source: Path | bytes, name: str) -> Iterator[Any]:
    import olefile  # needed by the processes that read files alone

    try:
        ole = olefile.OleFileIO(io.BytesIO(source) if isinstance(source, bytes) else str(source))
    except (FileNotFoundError, PermissionError, MemoryError):
        raise
    except Exception as error:  # whatever the library meets in a broken file
        raise damaged(name) from error
    try:
        yield ole
    finally:
        ole.close()


def _number(ole: Any, stream: list[str], place: int, form: str) -> int:  # noqa: ANN401
    try:
        head = ole.openstream(stream).read(place + struct.calcsize(form))
        return int(struct.unpack_from(form, head, place)[0])
    except (OSError, struct.error):
        return 0
