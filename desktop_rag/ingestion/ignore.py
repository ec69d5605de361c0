"""What is left out: temporary and hidden files by default, the rest by the user's rules."""

from __future__ import annotations

import re
import stat
from collections.abc import Collection, Sequence
from enum import StrEnum

import pathspec

_IGNORED_FILES = re.compile(
    r"""
    (?P<hidden>
        \..*                                # also ._x of macOS, .~lock.x# of LibreOffice
    ) | (?P<temporary>
      ~\$.*                                 # owner files of Microsoft Office
    | ~WR[A-Z]\d{4}\.tmp | ~.*\.tmp         # scratch files of Word
    | .*~ | \#.*\#                          # backups and autosaves of editors
    | .*\.(?:tmp|temp|bak|swp|swo|swx|lock|lck|laccdb|ldb)
    | .*\.sb-[0-9a-f]{8}-[A-Za-z0-9]{6}     # macOS writes a document here, then renames it
    | .*\.tmp\.\d+ | .*\.kate-swp
    ) | (?P<unfinished>
      .*\.(?:crdownload|part|partial|filepart|opdownload|download|aria2|!ut|!qb|bc!|td)
    ) | (?P<system>
      thumbs\.db | ehthumbs\.db | desktop\.ini | icon\r
    )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_IGNORED_FOLDERS = re.compile(
    r"""
    (?P<versions> CVS | _darcs | \.git | \.hg | \.svn | \.bzr )
    | (?P<hidden> \..* )
    | (?P<program> node_modules | bower_components | __pycache__ | site-packages )
    | (?P<system>
        \$RECYCLE\.BIN | System\ Volume\ Information | RECYCLER | lost\+found
      | @eaDir | \#recycle | __MACOSX
    )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_BUILD_FOLDERS = frozenset({"build", "dist", "target", "out", "bin", "obj", "vendor", "venv"})
_PROJECT_FILES = frozenset(
    {
        "Cargo.toml",
        "CMakeLists.txt",
        "Makefile",
        "build.gradle",
        "build.gradle.kts",
        "composer.json",
        "go.mod",
        "package.json",
        "pom.xml",
        "pyproject.toml",
        "setup.py",
    }
)
_CACHE_MARKERS = ("CACHEDIR.TAG", "pyvenv.cfg")
_WINDOWS_HIDDEN = getattr(stat, "FILE_ATTRIBUTE_HIDDEN", 2)
_MACOS_HIDDEN = getattr(stat, "UF_HIDDEN", 0x8000)
_SPECIAL = re.compile(r"([\\*?\[\]])")


class Left(StrEnum):
    """Why something is left out without a rule of the user's, in plain words."""

    HIDDEN = "hidden"
    TEMPORARY = "temporary file, lock or backup"
    UNFINISHED = "unfinished download"
    SYSTEM = "belongs to the system"
    VERSIONS = "version control"
    PROGRAM = "parts of a program"
    BUILD = "made by a program's build"
    CACHE = "marked as a cache"
    LINK = "link to somewhere else"
    NO_FILE = "neither file nor folder"
    OWN = "the library itself"


def why_file_left(name: str) -> Left | None:
    """Return why a file of this name is never listed, None for one that is."""
    return _why(_IGNORED_FILES, name)


def why_folder_left(name: str, siblings: Collection[str] = ()) -> Left | None:
    """Return why a folder of this name is never entered, None for one that is.

    Words that people use for folders of documents too ("build", "target") count as
    build output only beside a file that makes their parent a program's project.
    """
    if name.lower() in _BUILD_FOLDERS and not _PROJECT_FILES.isdisjoint(siblings):
        return Left.BUILD
    return _why(_IGNORED_FOLDERS, name)


def _why(pattern: re.Pattern[str], name: str) -> Left | None:
    found = pattern.fullmatch(name)
    return None if found is None else Left[str(found.lastgroup).upper()]


def ignored_file(name: str) -> bool:
    """Whether a file of this name is never listed: hidden, temporary, lock or backup."""
    return why_file_left(name) is not None


def ignored_folder(name: str, siblings: Collection[str] = ()) -> bool:
    """Whether a folder of this name is never entered: hidden, version control, build output."""
    return why_folder_left(name, siblings) is not None


def is_cache(names: Collection[str]) -> bool:
    """Whether a folder with these entries says itself that it holds no documents."""
    return any(marker in names for marker in _CACHE_MARKERS)


def hidden_attribute(status: object) -> bool:
    """Whether the file system marks the file as hidden (Windows and macOS)."""
    attributes: int = getattr(status, "st_file_attributes", 0)
    flags: int = getattr(status, "st_flags", 0)
    return bool(attributes & _WINDOWS_HIDDEN or flags & _MACOS_HIDDEN)


class IgnoreRules:
    """A source's own rules in .gitignore syntax, relative to its root.

    Raises:
        ValueError: a line is not a valid pattern.
    """

    __slots__ = ("_asked", "_spec", "lines")

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.lines = tuple(lines)
        self._asked = [line for line in self.lines if line]  # as pathspec counts them
        self._spec = pathspec.GitIgnoreSpec.from_lines(self.lines) if self.lines else None

    def __bool__(self) -> bool:
        return self._spec is not None

    def ignores(self, relpath: str, is_folder: bool = False) -> bool:
        """Whether a rule leaves this path out. ``relpath`` uses ``/``."""
        return self.rule(relpath, is_folder) != ""

    def rule(self, relpath: str, is_folder: bool = False) -> str:
        """Return the line that leaves a path out, "" if none does."""
        if self._spec is None:
            return ""
        found = self._spec.check_file(f"{relpath}/" if is_folder else relpath)
        return self._asked[found.index] if found.include and found.index is not None else ""


def rule_for(relpath: str, is_folder: bool) -> str:
    """Return the rule that leaves out exactly this path (and, for a folder, all in it)."""
    literal = _SPECIAL.sub(r"\\\1", relpath).replace("\n", "?").replace("\r", "?")
    if literal.endswith(" ") and not is_folder:
        literal = f"{literal[:-1]}\\ "
    return f"/{literal}/" if is_folder else f"/{literal}"


def rules_readmitting(lines: Sequence[str], relpath: str, is_folder: bool) -> tuple[str, ...]:
    """Return the rules changed so that they no longer leave ``relpath`` out.

    The path's own rule is dropped; if another still matches, an exception is added.
    """
    own = {rule_for(relpath, True), rule_for(relpath, False)}
    kept = tuple(line for line in lines if line not in own)
    if not IgnoreRules(kept).ignores(relpath, is_folder):
        return kept
    return (*kept, f"!{rule_for(relpath, is_folder)}")
