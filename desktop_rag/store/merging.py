"""Puts an exported library into this one, in one transaction.

What is here stays as it is: a file that is in both libraries at the same place, a text, a
document, a chat. All else comes with new ids, above every id that was ever given here.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_rag.store.changes import log_change
from desktop_rag.store.codec import pack_strings, pack_text, unpack_strings, unpack_text
from desktop_rag.store.merged_sources import merge_sources
from desktop_rag.store.moved_paths import MovedPaths
from desktop_rag.store.sql import ids_of, next_id
from desktop_rag.store.texts import note_bare

OTHER = "other"
"""The name under which the exported database is attached."""

_BATCH = 4000
"""Ids in a row of the change log, which the indexes follow at once."""

_IDS = frozenset({"document_id", "source_id", "segment_id", "parent_id"})
"""Metadata of citations that mean nothing in another library."""

_MAPS = ("spaces", "sources", "texts", "files", "documents", "chats")

_USABLE = """NOT EXISTS (SELECT 1 FROM other.segments AS s WHERE s.document_id = o.id
    AND s.text_id NOT IN (SELECT old FROM temp.map_texts))"""
_DOCUMENT = "JOIN temp.map_documents AS d ON d.old = {} AND d.fresh"
_COMES = """(o.origin = 'segment' OR EXISTS (SELECT 1 FROM other.files AS f
    JOIN temp.map_files AS m ON m.old = f.id WHERE f.document_id = o.id))"""


@dataclass(frozen=True, slots=True)
class MergeReport:
    """What came: numbers, and the folders here that are not there (``missing``).

    ``waiting`` files have to be read, since they were not when they were exported, or
    with another model; ``skipped`` ones were here already.
    """

    sources: int
    files: int
    passages: int
    chats: int
    waiting: int
    skipped: int
    missing: tuple[str, ...] = ()


def merge(connection: sqlite3.Connection, paths: MovedPaths) -> MergeReport:
    """Take over everything of the attached library; for a transaction.

    Raises:
        KnownError: a source overlaps one that is here, or cannot be on this computer.
    """
    _define_functions(connection, paths)
    for name in _MAPS:
        connection.execute(f"DROP TABLE IF EXISTS temp.map_{name}")
        connection.execute(
            f"CREATE TEMP TABLE map_{name} (old INTEGER PRIMARY KEY, new INTEGER, fresh INTEGER)"
        )
    before = {name: _count(connection, name) for name in ("sources", "segments", "chats")}
    places = merge_sources(connection, paths)
    paths.check_all_used()
    skipped = _map_rows(connection)
    _insert_documents(connection)
    waiting = _insert_files(connection)
    _insert_others(connection)
    files = _count(connection, "temp.map_files")
    added = {name: _count(connection, name) - number for name, number in before.items()}
    return MergeReport(
        sources=added["sources"],
        files=files,
        passages=added["segments"],
        chats=added["chats"],
        waiting=waiting,
        skipped=skipped,
        missing=tuple(sorted(path for path in places if not os.path.exists(path))),
    )


def _define_functions(connection: sqlite3.Connection, paths: MovedPaths) -> None:
    def moved(value: str | bytes) -> str | bytes:
        return pack_text(paths.place(unpack_text(value)))

    def moved_all(value: str) -> str:
        return pack_strings([paths.place(path) for path in unpack_strings(value)])

    def moved_values(value: str) -> str:
        values = {key: each for key, each in json.loads(value).items() if key not in _IDS}
        for key in ("path", "folder"):
            if isinstance(values.get(key), str):
                values[key] = paths.place(values[key])
        return json.dumps(values)

    def placed(root: str | bytes, relpath: str | bytes) -> str | bytes:
        names = unpack_text(relpath)
        path = unpack_text(root)
        return pack_text(os.path.join(path, *names.split("/")) if names else path)

    for name, arguments, function in (
        ("moved", 1, moved),
        ("moved_all", 1, moved_all),
        ("moved_values", 1, moved_values),
        ("placed", 2, placed),
    ):
        connection.create_function(name, arguments, function, deterministic=True)


def _map_rows(connection: sqlite3.Connection) -> int:
    """Note the new id of each row that comes; return how many files are here already."""
    connection.execute(
        "INSERT INTO temp.map_spaces SELECT o.id, n.id, 0 FROM other.spaces AS o "
        "JOIN main.spaces AS n ON n.name = o.name AND n.dimension = o.dimension "
        "AND n.fingerprint IS o.fingerprint"
    )
    _map(connection, "texts", "n.hash = o.hash", "o.space_id IN (SELECT old FROM temp.map_spaces)")
    above = next_id(connection, "files") - 1
    connection.execute(
        "INSERT INTO temp.map_files SELECT o.id, o.id + ?, 1 FROM other.files AS o "
        "JOIN temp.map_sources AS s ON s.old = o.source_id WHERE NOT EXISTS "
        "(SELECT 1 FROM main.files AS n WHERE n.source_id = s.new AND n.relpath = o.relpath)",
        (above,),
    )
    alone = (
        "DELETE FROM temp.map_files WHERE old IN (SELECT id FROM other.files WHERE "
        "container_id IS NOT NULL AND container_id NOT IN (SELECT old FROM temp.map_files))"
    )
    while connection.execute(alone).rowcount:
        continue
    _map(connection, "documents", "n.key = o.key", f"{_USABLE} AND {_COMES}")
    _map(connection, "chats", "n.title = o.title AND n.created_at = o.created_at", "1")
    return _count(connection, "other.files") - _count(connection, "temp.map_files")


def _map(connection: sqlite3.Connection, table: str, same: str, where: str) -> None:
    above = next_id(connection, table) - 1
    connection.execute(
        f"INSERT OR IGNORE INTO temp.map_{table} SELECT o.id, coalesce(n.id, o.id + ?), "
        f"n.id IS NULL FROM other.{table} AS o LEFT JOIN main.{table} AS n ON {same} "
        f"WHERE {where} ORDER BY o.id, n.id",
        (above,),
    )


def _insert(
    connection: sqlite3.Connection, table: str, joined: str, given: Mapping[str, str]
) -> None:
    """Copy rows ``t`` of a table; ``given`` has the expressions of columns that change."""
    columns = [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
    values = ", ".join(given.get(name, f't."{name}"') for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    connection.execute(
        f"INSERT OR IGNORE INTO main.{table} ({names}) SELECT {values} FROM other.{table} AS t "
        f"{joined}"
    )


def _insert_documents(connection: sqlite3.Connection) -> None:
    """Insert the documents that are not here, with the texts of theirs that are not."""
    _insert_texts(connection)
    above = {name: next_id(connection, name) - 1 for name in ("parents", "segments")}
    of_document = _DOCUMENT.format("t.document_id")
    held = {"document_id": "d.new"}
    _insert(connection, "documents", _DOCUMENT.format("t.id"), {"id": "d.new"})
    _insert(connection, "document_texts", of_document, held)
    _insert(connection, "parents", of_document, {**held, "id": f"t.id + {above['parents']}"})
    _insert(
        connection,
        "segments",
        f"{of_document} JOIN temp.map_texts AS x ON x.old = t.text_id ORDER BY t.id",
        {
            **held,
            "id": f"t.id + {above['segments']}",
            "parent_id": f"t.parent_id + {above['parents']}",
            "text_id": "x.new",
        },
    )


def _insert_texts(connection: sqlite3.Connection) -> None:
    wanted = (
        "JOIN temp.map_texts AS x ON x.old = {} AND x.fresh AND x.old IN (SELECT s.text_id "
        f"FROM other.segments AS s {_DOCUMENT.format('s.document_id')})"
    )
    space = "(SELECT new FROM temp.map_spaces WHERE old = t.space_id)"
    _insert(connection, "texts", wanted.format("t.id"), {"id": "x.new", "space_id": space})
    _insert(connection, "vectors", wanted.format("t.text_id"), {"text_id": "x.new"})
    connection.execute(
        "UPDATE main.texts SET terms = (SELECT o.terms FROM other.texts AS o "
        "WHERE o.hash = main.texts.hash) WHERE terms IS NULL"
    )
    bare = connection.execute(
        "SELECT 1 FROM temp.map_texts AS x JOIN main.texts AS t ON t.id = x.new WHERE x.fresh "
        "AND NOT EXISTS (SELECT 1 FROM main.vectors WHERE text_id = x.new) LIMIT 1"
    ).fetchone()
    if bare is not None:
        note_bare(connection)


def _insert_files(connection: sqlite3.Connection) -> int:
    """Insert files and log them; return how many have to be read."""
    _insert(
        connection,
        "files",
        "JOIN temp.map_files AS m ON m.old = t.id "
        "JOIN temp.map_sources AS s ON s.old = t.source_id "
        "JOIN main.sources AS r ON r.id = s.new LEFT JOIN temp.map_documents AS d "
        "ON d.old = t.document_id ORDER BY t.id",
        {
            "id": "m.new",
            "source_id": "s.new",
            "path": "placed(r.path, t.relpath)",
            "document_id": "d.new",
            "container_id": "(SELECT new FROM temp.map_files WHERE old = t.container_id)",
            "status": "CASE WHEN t.status IN ('failed', 'ignored', 'waiting') THEN t.status "
            "WHEN d.new IS NULL THEN 'waiting' ELSE 'ready' END",
            "change": "0",
        },
    )
    _log_all(connection)
    counted = connection.execute(
        "SELECT COUNT(*) FROM main.files WHERE status = 'waiting' "
        "AND id IN (SELECT new FROM temp.map_files)"
    )
    return int(counted.fetchone()[0])


def _log_all(connection: sqlite3.Connection) -> None:
    """Have the indexes follow, in batches; the files are ready when they have."""
    texts = ids_of(
        connection.execute(
            "SELECT DISTINCT s.text_id FROM main.segments AS s JOIN temp.map_documents AS d "
            "ON d.new = s.document_id ORDER BY s.text_id"
        ).fetchall()
    )
    files = ids_of(connection.execute("SELECT new FROM temp.map_files").fetchall())
    for at in range(0, len(texts), _BATCH):
        log_change(connection, texts[at : at + _BATCH])
    for at in range(0, len(files), _BATCH):
        log_change(connection, (), files[at : at + _BATCH])
    connection.execute(
        "UPDATE main.files SET change = (SELECT MAX(change) FROM main.change_log) "
        "WHERE id IN (SELECT new FROM temp.map_files)"
    )


def _insert_others(connection: sqlite3.Connection) -> None:
    """Chats with their messages, collections, and what OCR has read."""
    above = next_id(connection, "messages") - 1
    chat = "JOIN temp.map_chats AS c ON c.old = {} AND c.fresh"
    _insert(connection, "chats", chat.format("t.id"), {"id": "c.new"})
    of_chat = {"id": f"t.id + {above}", "chat_id": "c.new"}
    _insert(connection, "messages", f"{chat.format('t.chat_id')} ORDER BY t.id", of_chat)
    _insert(
        connection,
        "citations",
        f"JOIN other.messages AS m ON m.id = t.message_id {chat.format('m.chat_id')} ORDER BY t.id",
        {
            "id": "NULL",
            "message_id": f"t.message_id + {above}",
            "path": "moved(t.path)",
            "paths": "moved_all(t.paths)",
            "metadata": "moved_values(t.metadata)",
            "document_id": "(SELECT new FROM temp.map_documents WHERE old = t.document_id)",
        },
    )
    _insert(connection, "collections", "", {"id": "NULL"})
    connection.execute(
        "INSERT OR IGNORE INTO main.collection_sources SELECT n.id, s.new "
        "FROM other.collection_sources AS t JOIN other.collections AS o ON o.id = t.collection_id "
        "JOIN main.collections AS n ON n.name = o.name "
        "JOIN temp.map_sources AS s ON s.old = t.source_id"
    )
    _insert(connection, "ocr_pages", "", {"id": "NULL"})


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])
