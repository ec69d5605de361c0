"""What is on the disk: a source's files with what a later scan compares."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.domain.files import FileStat, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.ignore import (
    IgnoreRules,
    hidden_attribute,
    ignored_file,
    ignored_folder,
    is_cache,
)

_INODE_SPAN = 1 << 64
_INODE_SIGN = 1 << 63
_REPARSE_POINT = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0x400)
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003)

UNKNOWN_STAT = FileStat(-1, 0, 0, 0)
"""Equal to no file's: the next look compares contents."""


@dataclass(slots=True)
class Listing:
    """A source's files by relative path (``/`` between names, "" for a single file).

    ``within`` is the part of the source that was looked at, "" for all of it.
    ``ignored`` are those that a rule of the user's leaves out. ``unreadable`` are
    folders that could not be opened: what is in them is unknown, not gone.
    """

    within: str = ""
    files: dict[str, FileStat] = field(default_factory=dict)
    ignored: dict[str, FileStat] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    folders: int = 0

    def covers(self, relpath: str) -> bool:
        """Whether ``relpath`` would be listed here if it existed."""
        if not is_within(relpath, self.within):
            return False
        return not any(is_within(relpath, folder) for folder in self.unreadable)


def is_within(relpath: str, folder: str) -> bool:
    """Whether ``relpath`` is ``folder`` or below it; everything is within ""."""
    return not folder or relpath == folder or relpath.startswith(f"{folder}/")


def file_stat(status: os.stat_result) -> FileStat:
    """Return what a scan compares; inodes are folded into signed 64 bits for SQLite."""
    inode = status.st_ino % _INODE_SPAN
    if inode >= _INODE_SIGN:
        inode -= _INODE_SPAN
    return FileStat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, inode)


def regular_stat(path: str) -> FileStat | None:
    """Return the stat of a regular file, None if there is none (or a link, or a pipe).

    Raises:
        OSError: the path cannot be looked at for another reason than its absence.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return file_stat(status) if stat.S_ISREG(status.st_mode) else None


def join(root: str, relpath: str) -> str:
    """Return the path of a source's file on the disk."""
    return os.path.join(root, *relpath.split("/")) if relpath else root


def folder_of(source: Source) -> str:
    """Return the folder whose presence tells whether a source can be reached."""
    return source.path if source.is_folder else os.path.dirname(source.path)


class SourceScanner:
    """Looks at one source's part of the disk; symbolic links are not followed.

    Each real file is met once that way, whatever the links form, and none that the
    user did not add. The source's own path may be a link. An instance serves one look:
    what it has learned about a folder it doesn't ask again.

    Args:
        source: the folder or file.
        excluded: folders never entered (the program's own data).
    """

    def __init__(self, source: Source, excluded: Iterable[Path] = ()) -> None:
        self._source = source
        self._root = source.path
        self._rules = IgnoreRules(source.ignore_rules)
        self._verdicts: dict[str, bool] = {}
        self._excluded = {key for path in excluded if (key := _identity(path)) is not None}

    def available(self) -> bool:
        """Whether the source's folder can be reached (a single file's: the one it is in).

        A file that is not in its folder was deleted; a folder that is not there may be
        on a drive that was taken away.
        """
        return os.path.isdir(folder_of(self._source))

    def scan(self, within: str = "", cancel: CancelToken | None = None) -> Listing:
        """Return all files at or below ``within``.

        Raises:
            Cancelled: the token was set.
        """
        if not self._source.is_folder:
            return self._single()
        if within and self._left_out(within):
            return Listing(within)
        listing = Listing(within)
        path = join(self._root, within)
        if within and not os.path.isdir(path):
            self._note_file(within, path, listing)
            return listing
        pending = [(path, within, bool(within) and self._rule_covers(within))]
        while pending:
            if cancel is not None:
                cancel.check()
            folder, prefix, by_rule = pending.pop()
            pending.extend(reversed(self._list_folder(folder, prefix, by_rule, listing)))
        return listing

    def lists(self, relpath: str, is_folder: bool) -> bool:
        """Whether the default rules admit ``relpath`` (the user's rules are not asked)."""
        if not self._source.is_folder:
            return relpath == ""
        if not relpath:
            return True
        return not self._left_out(relpath, is_folder)

    def ignores(self, relpath: str, is_folder: bool) -> bool:
        """Whether a rule of the user's leaves ``relpath`` out."""
        return self._rule_covers(relpath) or self._rules.ignores(relpath, is_folder)

    def _single(self) -> Listing:
        listing = Listing()
        self._note_file("", self._root, listing)
        return listing

    def _note_file(self, relpath: str, path: str, listing: Listing) -> None:
        try:
            found = regular_stat(path)
        except OSError:
            listing.unreadable.append(relpath)
            return
        if found is not None:
            ignored = self.ignores(relpath, is_folder=False)
            (listing.ignored if ignored else listing.files)[relpath] = found

    def _left_out(self, relpath: str, is_folder: bool | None = None) -> bool:
        """Whether the default rules leave out ``relpath`` or a folder above it."""
        parent, _, name = relpath.rpartition("/")
        if self._folder_left_out(parent):
            return True
        if is_folder is None:
            is_folder = os.path.isdir(join(self._root, relpath))
        return self._folder_left_out(relpath) if is_folder else ignored_file(name)

    def _folder_left_out(self, relpath: str) -> bool:
        """The same for a folder; remembered, as many files ask about the same one."""
        if not relpath:
            return False
        verdict = self._verdicts.get(relpath)
        if verdict is None:
            parent, _, name = relpath.rpartition("/")
            verdict = self._folder_left_out(parent) or self._is_left_out(parent, name)
            self._verdicts[relpath] = verdict
        return verdict

    def _is_left_out(self, parent: str, name: str) -> bool:
        folder = join(self._root, parent)
        path = os.path.join(folder, name)
        return (
            ignored_folder(name, _names_in(folder))
            or os.path.islink(path)
            or is_cache(_names_in(path))
            or _identity(Path(path)) in self._excluded
        )

    def _rule_covers(self, relpath: str) -> bool:
        """Whether a rule of the user's leaves out a folder at or above ``relpath``."""
        if not self._rules:
            return False
        names = relpath.split("/")
        return any(
            self._rules.ignores("/".join(names[:depth]), is_folder=True)
            for depth in range(1, len(names))
        ) or (os.path.isdir(join(self._root, relpath)) and self._rules.ignores(relpath, True))

    def _list_folder(
        self, folder: str, prefix: str, by_rule: bool, listing: Listing
    ) -> list[tuple[str, str, bool]]:
        """Note a folder's files; return the folders in it that are to be entered."""
        try:
            with os.scandir(folder) as entries_of:
                entries = sorted(entries_of, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError:
            listing.unreadable.append(prefix)
            return []
        names = {entry.name for entry in entries}
        if prefix and is_cache(names):
            return []
        listing.folders += 1
        inside: list[tuple[str, str, bool]] = []
        for entry in entries:
            relpath = f"{prefix}/{entry.name}" if prefix else entry.name
            try:
                if self._is_open_folder(entry, names):
                    ruled = by_rule or self._rules.ignores(relpath, is_folder=True)
                    inside.append((entry.path, relpath, ruled))
                elif entry.is_file(follow_symlinks=False) and not ignored_file(entry.name):
                    self._note_entry(entry, relpath, by_rule, listing)
            except FileNotFoundError:
                continue
            except OSError:
                listing.unreadable.append(relpath)
        return inside

    def _note_entry(
        self, entry: os.DirEntry[str], relpath: str, by_rule: bool, listing: Listing
    ) -> None:
        # On Windows a DirEntry's own stat lacks the inode that renames are known by.
        status = os.lstat(entry.path) if os.name == "nt" else entry.stat(follow_symlinks=False)
        if hidden_attribute(status):
            return
        ignored = by_rule or self._rules.ignores(relpath)
        (listing.ignored if ignored else listing.files)[relpath] = file_stat(status)

    def _is_open_folder(self, entry: os.DirEntry[str], siblings: set[str]) -> bool:
        if not entry.is_dir(follow_symlinks=False):
            return False
        if ignored_folder(entry.name, siblings) or _is_junction(entry):
            return False
        if any(entry.inode() == inode for _, inode in self._excluded):
            return _identity(Path(entry.path)) not in self._excluded
        return True


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Whether a Windows folder is a link to another one."""
    if os.name != "nt":
        return False
    status = entry.stat(follow_symlinks=False)
    attributes = getattr(status, "st_file_attributes", 0)
    return bool(attributes & _REPARSE_POINT) and (getattr(status, "st_reparse_tag", 0) == _JUNCTION)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _names_in(folder: str) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()
