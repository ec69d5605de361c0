"""Rows of files: reading them as records, and changing what they hold."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import replace

from desktop_rag.domain.document import Coverage
from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Problem
from desktop_rag.store.changes import log_change
from desktop_rag.store.codec import (
    pack_ids,
    pack_inode,
    pack_text,
    unpack_coverage,
    unpack_inode,
    unpack_text,
)
from desktop_rag.store.documents import drop_unheld
from desktop_rag.store.sql import ids_of, inserted_id
from desktop_rag.store.texts import IN_IDS

SILENT = (FileStatus.FAILED, FileStatus.IGNORED)
"""A file in these states holds no document: nothing of it is ever found."""

_RECORD = (
    "SELECT f.id, f.source_id, f.relpath, f.path, "
    "CASE WHEN f.status = 'ready' AND f.change > ? THEN 'reading' ELSE f.status END, "
    "f.size, f.mtime_ns, f.ctime_ns, f.inode, f.content_hash, f.document_id, "
    "f.problem_title, f.problem_message, d.kind, d.pages, d.coverage, d.segments, "
    "f.container_id, d.encoding FROM files AS f LEFT JOIN documents AS d ON d.id = f.document_id "
)


def select_files(
    connection: sqlite3.Connection, reached: int, where: str, arguments: Iterable[object] = ()
) -> list[FileRecord]:
    """Return records; a file whose change is beyond ``reached`` is still being read."""
    rows = connection.execute(f"{_RECORD}{where} ORDER BY f.id", (reached, *arguments))
    return [_record(row) for row in rows]


def _record(row: tuple) -> FileRecord:  # type: ignore[type-arg]
    return FileRecord(
        id=row[0],
        source_id=row[1],
        relpath=unpack_text(row[2]),
        path=unpack_text(row[3]),
        status=FileStatus(row[4]),
        stat=None if row[5] is None else FileStat(row[5], row[6], row[7], unpack_inode(row[8])),
        content_hash=row[9],
        document_id=row[10],
        problem=None if row[11] is None else Problem(unpack_text(row[11]), unpack_text(row[12])),
        kind=row[13],
        pages=row[14],
        coverage=Coverage() if row[15] is None else unpack_coverage(row[15]),
        segments=row[16] or 0,
        container_id=row[17],
        encoding=row[18],
    )


def stat_columns(stat: FileStat) -> tuple[int, int, int, int]:
    """Return the four columns of a stat."""
    return (stat.size, stat.mtime_ns, stat.ctime_ns, pack_inode(stat.inode))


def full_path(connection: sqlite3.Connection, source_id: int, relpath: str) -> str:
    """Return a file's absolute path; ``relpath`` is "" for a source that is one file.

    Raises:
        LookupError: there is no such source.
    """
    row = connection.execute("SELECT path FROM sources WHERE id = ?", (source_id,)).fetchone()
    if row is None:
        raise LookupError(f"there is no source {source_id}")
    root = unpack_text(row[0])
    return os.path.join(root, *relpath.split("/")) if relpath else root


def put_file(
    connection: sqlite3.Connection,
    source_id: int,
    relpath: str,
    stat: FileStat,
    status: FileStatus,
) -> int:
    """Insert a file, or give an existing one a new status; return its id.

    An existing file that holds a document keeps the stat that the document was read
    at, so that a crash before it is read again cannot hide the change.
    """
    row = connection.execute(
        "SELECT id, document_id FROM files WHERE source_id = ? AND relpath = ?",
        (source_id, pack_text(relpath)),
    ).fetchone()
    if row is None:
        path = full_path(connection, source_id, relpath)
        return inserted_id(
            connection.execute(
                "INSERT INTO files (source_id, relpath, path, status, size, mtime_ns, ctime_ns, "
                "inode) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (source_id, pack_text(relpath), pack_text(path), status, *stat_columns(stat)),
            )
        )
    file_id: int = row[0]
    connection.execute(
        "UPDATE files SET status = ?, problem_title = NULL, problem_message = NULL WHERE id = ?",
        (status, file_id),
    )
    if row[1] is None:
        set_stat(connection, file_id, stat)
    return file_id


def put_member(connection: sqlite3.Connection, container_id: int, name: str, size: int) -> int:
    """Insert a file that lies in another, unless it is there; return its id.

    Its times and inode are its container's; ``name`` is its place in there.

    Raises:
        LookupError: there is no such container any more.
    """
    row = connection.execute(
        "SELECT source_id, relpath, mtime_ns, ctime_ns, inode FROM files WHERE id = ?",
        (container_id,),
    ).fetchone()
    if row is None:
        raise LookupError(f"there is no file {container_id}")
    source_id, within = row[0], unpack_text(row[1])
    relpath = f"{within}/{name}" if within else name
    known = connection.execute(
        "SELECT id FROM files WHERE source_id = ? AND relpath = ?", (source_id, pack_text(relpath))
    ).fetchone()
    if known is not None:
        return int(known[0])
    path = full_path(connection, source_id, relpath)
    return inserted_id(
        connection.execute(
            "INSERT INTO files (source_id, relpath, path, status, size, mtime_ns, ctime_ns, "
            "inode, container_id) VALUES (?, ?, ?, 'waiting', ?, ?, ?, ?, ?)",
            (source_id, pack_text(relpath), pack_text(path), size, *row[2:], container_id),
        )
    )


def members_of(connection: sqlite3.Connection, file_ids: Collection[int]) -> list[int]:
    """Return the files that lie in these."""
    found = connection.execute(
        f"SELECT id FROM files WHERE container_id {IN_IDS} ORDER BY id", (pack_ids(file_ids),)
    )
    return ids_of(found)


def member_moves(
    connection: sqlite3.Connection, moves: Iterable[tuple[int, int, str, FileStat]]
) -> list[tuple[int, int, str, FileStat]]:
    """Return where the members of files go that get new places (see ``move_files``)."""
    found: list[tuple[int, int, str, FileStat]] = []
    for container_id, source_id, relpath, stat in moves:
        rows = connection.execute(
            "SELECT m.id, m.relpath, c.relpath, m.size FROM files AS m "
            "JOIN files AS c ON c.id = m.container_id WHERE c.id = ?",
            (container_id,),
        )
        for member_id, member, container, size in rows.fetchall():
            within = unpack_text(container)
            name = unpack_text(member)[len(within) + 1 if within else 0 :]
            place = f"{relpath}/{name}" if relpath else name
            found.append((member_id, source_id, place, replace(stat, size=size)))
    return found


def set_stat(connection: sqlite3.Connection, file_id: int, stat: FileStat) -> None:
    """Note what a file's content was last compared at."""
    connection.execute(
        "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ? WHERE id = ?",
        (*stat_columns(stat), file_id),
    )


def set_status(
    connection: sqlite3.Connection,
    file_ids: Iterable[int],
    status: FileStatus,
    problem: Problem | None,
) -> None:
    """Set the status and the problem (or none) of files."""
    title = None if problem is None else pack_text(problem.title)
    message = None if problem is None else pack_text(problem.message)
    connection.executemany(
        "UPDATE files SET status = ?, problem_title = ?, problem_message = ? WHERE id = ?",
        [(status, title, message, file_id) for file_id in file_ids],
    )


def hold_document(
    connection: sqlite3.Connection,
    file_id: int,
    stat: FileStat,
    content_hash: str,
    document_id: int,
) -> set[int]:
    """Make a file hold a document and let go of its former one; return texts gone silent.

    Raises:
        LookupError: there is no such file any more.
    """
    former = connection.execute("SELECT document_id FROM files WHERE id = ?", (file_id,)).fetchone()
    if former is None:
        raise LookupError(f"there is no file {file_id}")
    connection.execute(
        "UPDATE files SET document_id = ?, content_hash = ?, status = 'ready', "
        "problem_title = NULL, problem_message = NULL WHERE id = ?",
        (document_id, content_hash, file_id),
    )
    set_stat(connection, file_id, stat)
    if former[0] is None or former[0] == document_id:
        return set()
    return drop_unheld(connection, [former[0]])


def release_documents(connection: sqlite3.Connection, file_ids: Collection[int]) -> set[int]:
    """Make files hold nothing; return texts gone silent."""
    packed = pack_ids(file_ids)
    held = ids_of(
        connection.execute(
            f"SELECT DISTINCT document_id FROM files WHERE id {IN_IDS} AND document_id IS NOT NULL",
            (packed,),
        )
    )
    if not held:
        return set()
    connection.execute(f"UPDATE files SET document_id = NULL WHERE id {IN_IDS}", (packed,))
    return drop_unheld(connection, held)


def log_files(
    connection: sqlite3.Connection, file_ids: Collection[int], texts: Iterable[int] = ()
) -> int:
    """Log a change of files; each is ready only when the indexes have passed it."""
    change = log_change(connection, texts, file_ids)
    connection.execute(
        f"UPDATE files SET change = ? WHERE id {IN_IDS}", (change, pack_ids(file_ids))
    )
    return change


def move_file(
    connection: sqlite3.Connection, file_id: int, source_id: int, relpath: str, stat: FileStat
) -> None:
    """Give a file a new place; what it holds stays."""
    path = full_path(connection, source_id, relpath)
    connection.execute(
        "UPDATE files SET source_id = ?, relpath = ?, path = ? WHERE id = ?",
        (source_id, pack_text(relpath), pack_text(path), file_id),
    )
    set_stat(connection, file_id, stat)


def delete_files(connection: sqlite3.Connection, file_ids: Collection[int]) -> set[int]:
    """Delete files and the documents that only they held; return texts gone silent."""
    silent = release_documents(connection, file_ids)
    connection.execute(f"DELETE FROM files WHERE id {IN_IDS}", (pack_ids(file_ids),))
    return silent


def occupants(
    connection: sqlite3.Connection, places: Iterable[tuple[int, str]], moving: Collection[int]
) -> list[int]:
    """Return the files that stand at ``places`` and are not among ``moving``."""
    found: set[int] = set()
    for source_id, relpath in places:
        rows = connection.execute(
            "SELECT id FROM files WHERE source_id = ? AND relpath = ?",
            (source_id, pack_text(relpath)),
        )
        found.update(ids_of(rows))
    return sorted(found.difference(moving))


def park(connection: sqlite3.Connection, file_ids: Iterable[int]) -> None:
    """Take files off their places, so that two of them can change places with each other."""
    # NUL is in no file's name, so a parked place is nobody's.
    connection.executemany(
        "UPDATE files SET relpath = ? WHERE id = ?",
        [(f"\x00{file_id}", file_id) for file_id in file_ids],
    )
