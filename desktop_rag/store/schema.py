"""The database's tables, in the versions they went through.

Every id is AUTOINCREMENT: an id that came back after a deletion would be a wrong hit in
an index that has not yet followed. The file's ``user_version`` is the number of
migrations applied; sqlite-utils keeps the list of their names beside it.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlite_utils import Database

    Step = Callable[[Database], None]

_FIRST = (
    "CREATE TABLE library (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE sources (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        is_folder INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'available',
        visibility TEXT NOT NULL DEFAULT 'private',
        ignore_rules TEXT NOT NULL DEFAULT '[]')""",
    """CREATE TABLE collections (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        description TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE collection_sources (
        collection_id INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
        source_id INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
        PRIMARY KEY (collection_id, source_id)) WITHOUT ROWID""",
    "CREATE INDEX collection_sources_by_source ON collection_sources (source_id)",
    """CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        origin TEXT NOT NULL CHECK (origin IN ('file', 'segment')),
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        language TEXT NOT NULL,
        pages INTEGER,
        encoding TEXT,
        segments INTEGER NOT NULL,
        coverage TEXT NOT NULL,
        metadata TEXT NOT NULL,
        headings TEXT NOT NULL)""",
    """CREATE TABLE document_texts (
        document_id INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        block INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (document_id, block))""",
    """CREATE TABLE parents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        "start" INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        page INTEGER,
        heading_path TEXT NOT NULL)""",
    "CREATE INDEX parents_by_document ON parents (document_id)",
    """CREATE TABLE spaces (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        dimension INTEGER NOT NULL,
        fingerprint TEXT)""",
    """CREATE TABLE texts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        space_id INTEGER NOT NULL REFERENCES spaces,
        hash TEXT NOT NULL UNIQUE,
        tokens INTEGER NOT NULL,
        text TEXT NOT NULL,
        terms TEXT)""",
    """CREATE TABLE vectors (
        text_id INTEGER PRIMARY KEY REFERENCES texts ON DELETE CASCADE,
        vector BLOB NOT NULL)""",
    """CREATE TABLE segments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        parent_id INTEGER NOT NULL REFERENCES parents ON DELETE CASCADE,
        text_id INTEGER NOT NULL REFERENCES texts,
        ordinal INTEGER NOT NULL,
        "start" INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        page INTEGER,
        language TEXT NOT NULL,
        heading_path TEXT NOT NULL,
        lines BLOB NOT NULL)""",
    "CREATE INDEX segments_by_document ON segments (document_id)",
    "CREATE INDEX segments_by_parent ON segments (parent_id)",
    "CREATE INDEX segments_by_text ON segments (text_id, document_id)",
    """CREATE TABLE files (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        source_id INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
        relpath TEXT NOT NULL,
        path TEXT NOT NULL,
        status TEXT NOT NULL,
        size INTEGER,
        mtime_ns INTEGER,
        ctime_ns INTEGER,
        inode INTEGER,
        content_hash TEXT,
        document_id INTEGER REFERENCES documents,
        problem_title TEXT,
        problem_message TEXT,
        change INTEGER NOT NULL DEFAULT 0,
        UNIQUE (source_id, relpath))""",
    "CREATE INDEX files_by_path ON files (path)",
    "CREATE INDEX files_by_document ON files (document_id)",
    "CREATE INDEX files_by_status ON files (status, change)",
    """CREATE TABLE chats (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        created_at REAL NOT NULL,
        changed_at REAL NOT NULL)""",
    """CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        chat_id INTEGER NOT NULL REFERENCES chats ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
        text TEXT NOT NULL,
        created_at REAL NOT NULL,
        outcome TEXT,
        kind TEXT,
        confidence REAL,
        queries TEXT,
        notes TEXT,
        coverage TEXT,
        seconds REAL)""",
    "CREATE INDEX messages_by_chat ON messages (chat_id)",
    """CREATE TABLE citations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
        nearest INTEGER NOT NULL,
        number INTEGER NOT NULL,
        path TEXT NOT NULL,
        page INTEGER,
        "start" INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        quote TEXT NOT NULL,
        heading TEXT NOT NULL,
        paths TEXT NOT NULL,
        metadata TEXT NOT NULL,
        lines BLOB NOT NULL,
        document_id INTEGER)""",
    "CREATE INDEX citations_by_message ON citations (message_id)",
    """CREATE TABLE change_log (
        change INTEGER PRIMARY KEY AUTOINCREMENT,
        texts TEXT NOT NULL,
        files TEXT NOT NULL)""",
    "INSERT INTO library VALUES ('id', lower(hex(randomblob(16))))",
)
"""A document's own row is small; its text is in blocks, so that a passage of a long one
is read without the rest. ``citations.document_id`` is no reference: a citation outlives
its document."""


_OCR = (
    """CREATE TABLE ocr_pages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        content_hash TEXT NOT NULL,
        page INTEGER NOT NULL,
        lines TEXT NOT NULL,
        reason TEXT,
        UNIQUE (content_hash, page))""",
    "ALTER TABLE documents ADD COLUMN scanned INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX documents_scanned ON documents (id) WHERE scanned > 0",
    "CREATE INDEX files_by_content ON files (content_hash)",
)
"""What OCR has read, by content: a copy or another name costs nothing. ``documents.scanned``
counts the pages that OCR may read and has not."""


_CHATS = (
    "ALTER TABLE chats ADD COLUMN scope TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE chats ADD COLUMN deleted_at REAL",
    "ALTER TABLE messages ADD COLUMN sentences TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE messages ADD COLUMN model TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE messages ADD COLUMN reasoning TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE messages ADD COLUMN usage TEXT NOT NULL DEFAULT '[null, null]'",
    "ALTER TABLE messages ADD COLUMN feedback TEXT",
    "ALTER TABLE messages ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE messages ADD COLUMN terms TEXT",
)
"""Written answers with their check, what the user thinks of them, edited questions, chats that
can be brought back, and the terms by which messages are found (NULL until somebody searches)."""


def _create_first_tables(database: Database) -> None:
    for statement in _FIRST:
        database.execute(statement)


def _add_recognised_pages(database: Database) -> None:
    for statement in _OCR:
        database.execute(statement)


def _add_containers(database: Database) -> None:
    database.execute(
        "ALTER TABLE files ADD COLUMN container_id INTEGER REFERENCES files ON DELETE CASCADE"
    )
    database.execute("CREATE INDEX files_by_container ON files (container_id)")


def _add_chats(database: Database) -> None:
    for statement in _CHATS:
        database.execute(statement)


MIGRATIONS = (_create_first_tables, _add_recognised_pages, _add_containers, _add_chats)
"""Applied in order; never changed once released, only added to."""

SCHEMA_VERSION = len(MIGRATIONS)


def version_of(connection: sqlite3.Connection) -> int:
    """Return the schema version that a database is in; 0 for a new one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database to this program's version, each step in its own transaction.

    sqlite-utils is imported here, since a database that is up to date needs none of it.
    """
    from sqlite_utils import Database, Migrations

    steps = Migrations("desktop_rag")
    for number, step in enumerate(MIGRATIONS, start=1):
        steps(name=f"{number:04d}")(_numbered(step, number))
    steps.apply(Database(connection, execute_plugins=False))


def _numbered(step: Step, number: int) -> Step:
    def run(database: Database) -> None:
        step(database)
        database.execute(f"PRAGMA user_version = {number}")

    return run
