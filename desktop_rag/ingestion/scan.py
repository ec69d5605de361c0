"""What is on the disk: a source's files with what a later scan compares."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from desktop_rag.domain.files import FileStat, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.entries import (
    identity,
    in_the_cloud,
    is_in_the_cloud,
    is_junction,
    names_in,
    placeholder_of,
    stands_for,
)
from desktop_rag.ingestion.ignore import (
    IgnoreRules,
    Left,
    hidden_attribute,
    ignored_file,
    ignored_folder,
    is_cache,
    why_file_left,
    why_folder_left,
)
from desktop_rag.ingestion.listing import (
    UNKNOWN_STAT,
    Listing,
    file_stat,
    folder_of,
    join,
    regular_stat,
)

OnLeft = Callable[[str, str], None]
"""Called with the relative path of what is left out and the rule that does so."""

OnFile = Callable[[str, FileStat], None]
"""Called with the relative path of a file that is to be read."""


class SourceScanner:
    """Looks at one source's part of the disk; symbolic links are not followed.

    Each real file is met once that way, whatever the links form, and none that the
    user did not add. The source's own path may be a link. An instance serves one look:
    what it has learned about a folder it doesn't ask again.

    Args:
        source: the folder or file.
        excluded: folders never entered (the program's own data).

    ``on_left`` and ``on_file`` may be set: they are told what a scan leaves out, and why, and
    what is to be read.
    """

    def __init__(self, source: Source, excluded: Iterable[Path] = ()) -> None:
        self._source = source
        self._root = source.path
        self._rules = IgnoreRules(source.ignore_rules)
        self._verdicts: dict[str, bool] = {}
        self.on_left: OnLeft = _unheard
        self.on_file: OnFile = _unheard
        self._excluded = {key for path in excluded if (key := identity(path)) is not None}

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
        pending = [(path, within, self._covering_rule(within) if within else "")]
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
        return bool(self._covering_rule(relpath)) or self._rules.ignores(relpath, is_folder)

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
            files = listing.remote if is_in_the_cloud(path) else listing.files
            self._note(relpath, found, files, self._covering_rule(relpath), listing)
        elif os.path.exists(placeholder_of(path)):
            rule = self._covering_rule(relpath)
            self._note(relpath, UNKNOWN_STAT, listing.remote, rule, listing)

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
            ignored_folder(name, names_in(folder))
            or os.path.islink(path)
            or is_cache(names_in(path))
            or identity(Path(path)) in self._excluded
        )

    def _covering_rule(self, relpath: str) -> str:
        """Return the user's rule that leaves out a folder at or above ``relpath``, or ""."""
        if not self._rules:
            return ""
        names = relpath.split("/")
        above = ("/".join(names[:depth]) for depth in range(1, len(names)))
        rule = next(filter(None, (self._rules.rule(folder, True) for folder in above)), "")
        if rule or not os.path.isdir(join(self._root, relpath)):
            return rule
        return self._rules.rule(relpath, True)

    def _list_folder(
        self, folder: str, prefix: str, by_rule: str, listing: Listing
    ) -> list[tuple[str, str, str]]:
        """Note a folder's files; return the folders in it that are to be entered."""
        entries = self._entries(folder, prefix, listing)
        if entries is None:
            return []
        names = {entry.name for entry in entries}
        if prefix and is_cache(names):
            self.on_left(prefix, Left.CACHE)
            return []
        listing.folders += 1
        inside: list[tuple[str, str, str]] = []
        for entry in entries:
            relpath = f"{prefix}/{entry.name}" if prefix else entry.name
            try:
                rule = self._meet(entry, relpath, names, by_rule, listing)
            except FileNotFoundError:
                continue
            except OSError:
                listing.unreadable.append(relpath)
                continue
            if rule is not None:
                inside.append((entry.path, relpath, rule))
        return inside

    def _meet(
        self,
        entry: os.DirEntry[str],
        relpath: str,
        siblings: set[str],
        by_rule: str,
        listing: Listing,
    ) -> str | None:
        """Note what an entry is; return the rule for a folder that is to be entered ("": none)."""
        elsewhere = stands_for(entry.name)
        if elsewhere is not None and entry.is_file(follow_symlinks=False):
            self._meet_placeholder(relpath, elsewhere, siblings, by_rule, listing)
            return None
        left = self._why_left(entry, siblings)
        if left is not None:
            self.on_left(relpath, left)
            return None
        if entry.is_dir(follow_symlinks=False):
            return by_rule or self._rules.rule(relpath, is_folder=True)
        self._note_entry(entry, relpath, by_rule, listing)
        return None

    def _meet_placeholder(
        self, relpath: str, name: str, siblings: set[str], by_rule: str, listing: Listing
    ) -> None:
        """Note the file that a placeholder stands for, unless it is there itself."""
        meant = "/".join([*relpath.split("/")[:-1], name])
        left = why_file_left(name)
        if left is not None:
            self.on_left(meant, left)
        elif name not in siblings:
            self._note(meant, UNKNOWN_STAT, listing.remote, by_rule, listing)

    def _entries(self, folder: str, prefix: str, listing: Listing) -> list[os.DirEntry[str]] | None:
        """Return what is in a folder by name, None if it cannot be opened."""
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            listing.unreadable.append(prefix)
            return None

    def _note_entry(
        self, entry: os.DirEntry[str], relpath: str, by_rule: str, listing: Listing
    ) -> None:
        # On Windows a DirEntry's own stat lacks the inode that renames are known by.
        status = os.lstat(entry.path) if os.name == "nt" else entry.stat(follow_symlinks=False)
        if hidden_attribute(status):
            self.on_left(relpath, Left.HIDDEN)
            return
        files = listing.remote if in_the_cloud(status) else listing.files
        self._note(relpath, file_stat(status), files, by_rule, listing)

    def _note(
        self,
        relpath: str,
        found: FileStat,
        files: dict[str, FileStat],
        by_rule: str,
        listing: Listing,
    ) -> None:
        """Note a file among ``files``, or among those that a rule of the user's leaves out."""
        rule = by_rule or self._rules.rule(relpath)
        if rule:
            self.on_left(relpath, rule)
        elif files is listing.files:
            self.on_file(relpath, found)
        (listing.ignored if rule else files)[relpath] = found

    def _why_left(self, entry: os.DirEntry[str], siblings: set[str]) -> Left | None:
        """Return why an entry is neither listed nor entered, None if it is."""
        if entry.is_file(follow_symlinks=False):
            return why_file_left(entry.name)
        if not entry.is_dir(follow_symlinks=False):
            return Left.LINK if entry.is_symlink() else Left.NO_FILE
        if is_junction(entry):
            return Left.LINK
        if any(entry.inode() == inode for _, inode in self._excluded) and (
            identity(Path(entry.path)) in self._excluded
        ):
            return Left.OWN
        return why_folder_left(entry.name, siblings)


def _unheard(_relpath: str, _what: object) -> None:
    """Nobody asks."""
