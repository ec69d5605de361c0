"""A dictionary of both languages in a file of its own, so that it costs no memory.

Made from CC-CEDICT when it is first asked (about three seconds), and made again when that
has another edition or the file is damaged.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from desktop_rag.foundation.atomic import atomic_path
from desktop_rag.text import cedict
from desktop_rag.text.cedict import Pair

_log = logging.getLogger(__name__)

DICTIONARY_FILE = "dictionary.db"
_FORMAT = "1"

Meanings = Mapping[str, Sequence[tuple[str, int]]]
"""By word, what it can mean in the other language, with the rank of the sense, 0 first."""


class BilingualDictionary:
    """What words mean in the other language; may be asked from any thread.

    Args:
        path: where its file is, or is made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None
        self._unusable = False

    def meanings(self, words: Iterable[str]) -> Meanings:
        """Return what each word means; those that are not in it are left out.

        Chinese words are simplified; English expressions are their stems, joined by
        spaces. Nothing is known while the file can't be made (the disk is full): that is
        logged, and tried again by the next program.
        """
        with self._lock:
            if self._unusable:
                return {}
            try:
                return self._looked_up(words)
            except (OSError, sqlite3.Error) as error:
                self._unusable = True
                _log.warning("No dictionary for questions in another language: %s", error)
                return {}

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _looked_up(self, words: Iterable[str]) -> Meanings:
        wanted = json.dumps(list(dict.fromkeys(words)), ensure_ascii=True)
        try:
            return _meanings(self._connection(), wanted)
        except sqlite3.DatabaseError:
            self._close()
            self._path.unlink(missing_ok=True)
            return _meanings(self._connection(), wanted)

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            if not _is_current(self._path):
                _make(self._path)
            self._open = _connected(self._path)
        return self._open


def _connected(path: Path) -> sqlite3.Connection:
    # Used under a lock, by whichever thread asks.
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)


def _meanings(connection: sqlite3.Connection, wanted: str) -> Meanings:
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    rows = connection.execute(
        "SELECT word, meaning, rank FROM meanings "
        "WHERE word IN (SELECT value FROM json_each(?)) ORDER BY word, rank, meaning",
        (wanted,),
    )
    for word, meaning, rank in rows:
        found[word].append((meaning, rank))
    return found


def _edition() -> str:
    return f"{_FORMAT} {cedict.edition()}"


def _is_current(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        with closing(_connected(path)) as connection:
            row = connection.execute("SELECT edition FROM about").fetchone()
    except sqlite3.DatabaseError:
        return False
    return row is not None and row[0] == _edition()


def _make(path: Path) -> None:
    with atomic_path(path) as temporary, closing(sqlite3.connect(temporary)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("CREATE TABLE about (edition TEXT NOT NULL)")
        connection.execute(
            "CREATE TABLE meanings (word TEXT, rank INTEGER, meaning TEXT, "
            "PRIMARY KEY (word, rank, meaning)) WITHOUT ROWID"
        )
        rows = sorted(set(_rows(cedict.pairs())))
        connection.executemany("INSERT INTO meanings VALUES (?, ?, ?)", rows)
        connection.execute("INSERT INTO about VALUES (?)", (_edition(),))
        connection.commit()
    path.chmod(0o600)


def _rows(pairs: Iterable[Pair]) -> Iterator[tuple[str, int, str]]:
    for pair in pairs:
        yield pair.chinese, pair.rank, pair.english
        if key := pair.english_key:
            yield key, pair.rank, pair.chinese
