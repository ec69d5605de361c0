"""Adding and removing sources so that no file is ever in two of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileStatus, Source
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.ignore import rule_for, rules_readmitting
from desktop_rag.ingestion.listing import UNKNOWN_STAT, is_within, join
from desktop_rag.ingestion.scan import SourceScanner
from desktop_rag.ingestion.survey import Paths

if TYPE_CHECKING:
    from desktop_rag.store.knowledge_store import KnowledgeStore


@dataclass(frozen=True, slots=True)
class Spot:
    """A path in terms of a source: ``relpath`` is "" for all of it."""

    source: Source
    relpath: str


def by_source(spots: Iterable[Spot]) -> dict[int, Paths]:
    """Return what is to be looked at, by source id."""
    paths: dict[int, dict[str, bool]] = {}
    for spot in spots:
        paths.setdefault(spot.source.id, {})[spot.relpath] = True
    return dict(paths)


class SourceBook:
    """The sources as the store has them, and how paths relate to them.

    Args:
        store: keeps the sources.
        data_dir: the program's own data, which is never read.
    """

    def __init__(self, store: KnowledgeStore, data_dir: Path) -> None:
        self._store = store
        self._data_dir = data_dir

    def add(self, path: str) -> Spot:
        """Return where ``path`` is in the library, adding a source if it is in none.

        A path inside a source belongs to it; a rule of the user's that leaves it out
        gives way. Sources inside a new one become part of it, with all that is stored.

        Raises:
            KnownError: there is no such file or folder, or it is the program's own.
        """
        is_folder = self.check(path)
        if not is_folder:
            path = os.path.realpath(path)  # links to files are not followed when they are read
        for source in self._store.sources():
            relpath = relative(source.path, path)
            if relpath == "":
                return Spot(source, "")
            if relpath is None or not self._scanner(source).lists(relpath, is_folder):
                continue
            return Spot(self._readmit(source, relpath, is_folder), relpath)
        source = self._store.add_source(path, is_folder)
        if is_folder:
            source = self._absorb(source)
        return Spot(source, "")

    def find(self, path: str) -> Spot:
        """Return where ``path`` is in the library.

        Raises:
            KnownError: it is in no source.
        """
        for source in self._store.sources():
            relpath = relative(source.path, path)
            if relpath is not None:
                return Spot(source, relpath)
        raise KnownError(
            "Not in the library", f"“{path}” is in none of the folders that were added.", path
        )

    def leave_out(self, spot: Spot) -> Source:
        """Add the rule that leaves out a path of a source; return the source with it."""
        is_folder = os.path.isdir(os.path.join(spot.source.path, spot.relpath))
        rule = rule_for(spot.relpath, is_folder)
        rules = tuple(line for line in spot.source.ignore_rules if line != rule)
        return self._set_rules(spot.source, (*rules, rule))

    def known_paths(self, paths: Sequence[str]) -> set[str]:
        """Return the real paths of the sources, and their files, that ``paths`` may meet.

        What the user left out counts as known too, unless one of ``paths`` brings it back.
        """
        known: set[str] = set()
        for source in self._store.sources():
            inside = [p for path in paths if (p := relative(source.path, path)) is not None]
            if not inside and all(relative(path, source.path) is None for path in paths):
                continue
            scanner, root = self._scanner(source), os.path.realpath(source.path)
            back = [p for p in inside if p and scanner.ignores(p, os.path.isdir(join(root, p)))]
            known.add(root)
            known.update(
                join(root, record.relpath)
                for record in self._store.files_on_disk(source.id)
                if record.status is not FileStatus.IGNORED
                or not any(is_within(record.relpath, path) for path in back)
            )
        return known

    def _scanner(self, source: Source) -> SourceScanner:
        return SourceScanner(source, (self._data_dir,))

    def check(self, path: str) -> bool:
        """Return whether ``path`` is a folder.

        Raises:
            KnownError: it is neither a file nor a folder, or the program's own.
        """
        if relative(str(self._data_dir), path) is not None:
            raise KnownError(
                "Belongs to the program",
                f"“{path}” holds the library itself, which is not read.",
                path,
            )
        if os.path.isdir(path):
            return True
        if os.path.isfile(path):
            return False
        raise KnownError("Not found", f"There is no file or folder “{path}”.", path)

    def _readmit(self, source: Source, relpath: str, is_folder: bool) -> Source:
        if not self._scanner(source).ignores(relpath, is_folder):
            return source
        return self._set_rules(source, rules_readmitting(source.ignore_rules, relpath, is_folder))

    def _set_rules(self, source: Source, rules: Sequence[str]) -> Source:
        self._store.set_ignore_rules(source.id, tuple(rules))
        return replace(source, ignore_rules=tuple(rules))

    def _absorb(self, outer: Source) -> Source:
        """Take over the files of sources that lie inside a new one."""
        rules: list[str] = list(outer.ignore_rules)
        scanner = self._scanner(outer)
        for inner in self._store.sources():
            prefix = relative(outer.path, inner.path)
            if inner.id == outer.id or not prefix or not scanner.lists(prefix, inner.is_folder):
                continue
            rules += rules_below(inner.ignore_rules, prefix)
            files = self._store.files_on_disk(inner.id)
            self._store.move_files(
                [
                    (
                        record.id,
                        outer.id,
                        f"{prefix}/{record.relpath}" if record.relpath else prefix,
                        record.stat or UNKNOWN_STAT,
                    )
                    for record in files
                ]
            )
            self._store.remove_source(inner.id)
        return self._set_rules(outer, rules) if rules else outer


def relative(root: str, path: str) -> str | None:
    """Return ``path`` relative to ``root`` with ``/``, "" for the root, None if outside.

    Links are resolved, so that two names of one folder are one source.
    """
    for base, target in ((root, path), (os.path.realpath(root), os.path.realpath(path))):
        if target == base:
            return ""
        prefix = base if base.endswith(os.sep) else base + os.sep
        if target.startswith(prefix):
            return target[len(prefix) :].replace(os.sep, "/")
    return None


def rules_below(lines: Sequence[str], prefix: str) -> list[str]:
    """Return a source's rules as they are written from a folder above it."""
    anchor = rule_for(prefix, is_folder=True)
    moved = []
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        bang, pattern = ("!", line[1:]) if line.startswith("!") else ("", line)
        anchored = "/" in pattern.rstrip("/")
        moved.append(f"{bang}{anchor}{pattern.lstrip('/') if anchored else f'**/{pattern}'}")
    return moved
