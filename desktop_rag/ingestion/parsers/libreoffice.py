"""Old formats that LibreOffice turns into new ones, where it is installed."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import psutil

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.problems import damaged, needs_libreoffice

SECONDS = 60.0
"""Of one conversion; the limit of a whole file is two minutes."""

_PREFIX = "desktop-rag-office-"
"""Of our folders; the number of the reading process follows."""

_MEMORY_KB = 4 << 20
"""Address space that LibreOffice may take, more than the reading process itself."""

_GUARDED = f"""
ulimit -S -v {_MEMORY_KB} 2>/dev/null
(while kill -0 $PPID 2>/dev/null; do sleep 1; done; kill -KILL 0) &
"$0" "$@"
"""
"""Runs the program with its own limit (that of the reading process is too tight for it), and
ends it within a second should the reading process be gone, which can be killed with its owner."""

_PARTS = {"doc": ("sw", "Writer"), "ppt": ("sd", "Impress")}
"""Of LibreOffice: the library in which a part is, and what the part is called."""

_PROGRAMS = ("soffice", "libreoffice")
_USUAL_PLACES = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
    r"C:\Program Files (x86)\LibreOffice\program\soffice.exe",
)
_SETTINGS: tuple[tuple[str, str, str], ...] = (
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Writer/Content/Update", "Link", "0"),
    ("Inet/Settings", "ooInetProxyType", "2"),
    *(("Inet/Settings", f"ooInet{kind}ProxyName", "127.0.0.1") for kind in ("HTTP", "HTTPS")),
    *(("Inet/Settings", f"ooInet{kind}ProxyPort", "9") for kind in ("HTTP", "HTTPS")),
)
"""Of the profile: no macro runs, and no picture or part that a document points at is fetched;
should a way be left, it leads to a proxy that is none (the port "discard")."""

_NO_PROXY = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")
_OPTIONS = ("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck")


def find_libreoffice() -> str | None:
    """Return LibreOffice's program, None where it is not installed."""
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    return found or next((path for path in _USUAL_PLACES if Path(path).is_file()), None)


def converted(source: Path | bytes, name: str, suffix: str, target: str) -> bytes:
    """Return a document in another format.

    LibreOffice runs without a window, with a profile of its own that is gone afterwards, so
    one that the user has open is not disturbed. Macros of documents are not run, and nothing
    that they point at is fetched.

    Args:
        source: the file or its content.
        name: the file's name, for messages.
        suffix: the format it has: "doc".
        target: the format to make: "docx".

    Raises:
        KnownError: LibreOffice, or its part for this format, is not installed; it cannot
            read the file, or takes too long.
        OSError: the file could not be read.
    """
    program = find_libreoffice()
    if program is None:
        raise needs_libreoffice(name)
    remove_leftovers()
    prefix = f"{_PREFIX}{os.getpid()}-"
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        given = place / f"document.{suffix}"
        given.write_bytes(source if isinstance(source, bytes) else source.read_bytes())
        _write_profile(place / "profile")
        _run(_command(program, place, given, target), place, name)
        made = place / "made" / f"document.{target}"
        if not made.is_file():
            raise _failed(program, name, suffix)
        return made.read_bytes()


def _failed(program: str, name: str, suffix: str) -> KnownError:
    """Return why nothing was made: a part that is installed by itself may be missing.

    A LibreOffice that keeps its parts in other files than these is taken to have them all.
    """
    folder = Path(program).resolve().parent
    there = {
        part: any(folder.glob(f"*{part}lo.*")) or any(folder.glob(f"../Frameworks/*{part}lo.*"))
        for part, _ in _PARTS.values()
    }
    part, called = _PARTS[suffix]
    if any(there.values()) and not there[part]:
        return needs_libreoffice(name, f"LibreOffice {called}")
    return damaged(name)


def remove_leftovers() -> None:
    """Remove what conversions have left behind whose process was killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        process = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if process.isdigit() and not psutil.pid_exists(int(process)):
            _remove_pipe(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _remove_pipe(folder: Path) -> None:
    """Remove the socket of a LibreOffice that was killed.

    It is not in the temporary folder of ``TMPDIR`` and named by its profile's address
    (``sal/osl/unx/pipe.cxx`` and ``desktop/source/app/officeipcthread.cxx``).
    """
    if os.name != "nt":
        address = _profile_address(folder).encode("utf-16-le")
        digest = hashlib.md5(address, usedforsecurity=False).digest()
        name = "".join(f"{byte:x}" for byte in digest)
        for place in ("/tmp", "/var/tmp"):
            Path(place, f"OSL_PIPE_{os.getuid()}_SingleOfficeIPC_{name}").unlink(missing_ok=True)


def _profile_address(folder: Path) -> str:
    return (folder / "profile").as_uri()


def _write_profile(profile: Path) -> None:
    items = "".join(
        f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value}</value></prop></item>"
        for path, name, value in _SETTINGS
    )
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<oor:items xmlns:oor="http://openoffice.org/2001/registry">{items}</oor:items>',
        encoding="utf-8",
    )


def _command(program: str, place: Path, given: Path, target: str) -> list[str]:
    command = [
        *(program, f"-env:UserInstallation={_profile_address(place)}", *_OPTIONS),
        *("--convert-to", target, "--outdir", str(place / "made"), str(given)),
    ]
    return command if os.name == "nt" else ["/bin/sh", "-c", _GUARDED, *command]


def _run(command: list[str], place: Path, name: str) -> None:
    windows = os.name == "nt"
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=place,
        env={**os.environ, **_NO_PROXY, **dict.fromkeys(_TEMPORARY, str(place))},
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
        _remove_pipe(place)


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
