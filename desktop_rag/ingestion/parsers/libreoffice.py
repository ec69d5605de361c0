"""Old formats that LibreOffice turns into new ones, where it is installed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.problems import damaged, needs_libreoffice

SECONDS = 60.0
"""Of one conversion; the limit of a whole file is two minutes."""

_LONGEST = 90
"""Seconds after which a conversion ends by itself, should the reading process be gone."""

_PREFIX = "desktop-rag-office-"
_STALE = 600.0
"""Seconds after which a folder of ours is what a process left that was killed."""

_MEMORY_KB = 4 << 20
"""Address space that LibreOffice may take, more than the reading process itself."""

_PROGRAMS = ("soffice", "libreoffice")
_USUAL_PLACES = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
    r"C:\Program Files (x86)\LibreOffice\program\soffice.exe",
)
_OPTIONS = ("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck")


def find_libreoffice() -> str | None:
    """Return LibreOffice's program, None where it is not installed."""
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    return found or next((path for path in _USUAL_PLACES if Path(path).is_file()), None)


def converted(source: Path | bytes, name: str, suffix: str, target: str) -> bytes:
    """Return a document in another format.

    LibreOffice runs without a window, with a profile of its own that is gone afterwards;
    macros in documents are not run in this mode.

    Args:
        source: the file or its content.
        name: the file's name, for messages.
        suffix: the format it has: "doc".
        target: the format to make: "docx".

    Raises:
        KnownError: LibreOffice is not installed, cannot read the file, or takes too long.
        OSError: the file could not be read.
    """
    program = find_libreoffice()
    if program is None:
        raise needs_libreoffice(name)
    _remove_stale()
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        given = place / f"document.{suffix}"
        given.write_bytes(source if isinstance(source, bytes) else source.read_bytes())
        _run(_command(program, place, given, target), place, name)
        made = place / "made" / f"document.{target}"
        if not made.is_file():
            raise damaged(name)
        return made.read_bytes()


def _remove_stale() -> None:
    """Remove what killed processes have left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            if time.time() - folder.stat().st_mtime > _STALE:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # gone already, or another user's
            continue


def _command(program: str, place: Path, given: Path, target: str) -> list[str]:
    profile = (place / "profile").as_uri()
    command = [
        *(program, f"-env:UserInstallation={profile}", *_OPTIONS),
        *("--convert-to", target, "--outdir", str(place / "made"), str(given)),
    ]
    if sys.platform == "linux":  # the limit of the reading process is too tight for it
        limit = f'ulimit -S -v {_MEMORY_KB} 2>/dev/null; exec timeout -s KILL {_LONGEST} "$0" "$@"'
        return ["/bin/sh", "-c", limit, *command]
    return command


def _run(command: list[str], place: Path, name: str) -> None:
    windows = os.name == "nt"
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=place,
        env={**os.environ, "TMPDIR": str(place)},
        start_new_session=not windows,
    )
    try:
        process.wait(timeout=SECONDS)
    except subprocess.TimeoutExpired as error:
        raise KnownError(
            "Took too long",
            f"LibreOffice needed more than {SECONDS:.0f} seconds for “{name}”. Save it in the "
            "newer format, then it will be read.",
        ) from error
    finally:
        _end(process, group=not windows)


def _end(process: subprocess.Popen[bytes], *, group: bool) -> None:
    """End the program and all that it has started."""
    if group:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            process.kill()
    else:
        process.kill()
    process.wait()
