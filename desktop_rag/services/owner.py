"""One owner per data folder: its lock, and where it can be reached."""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

import filelock

from desktop_rag.foundation.errors import KnownError, explain_os_error
from desktop_rag.foundation.paths import prepare_data_dir

LOCK_NAME = "owner.lock"
OWNER_NAME = "owner.json"
KEY_NAME = "owner.key"
SOCKET_NAME = "owner.sock"

LASTING_COMMANDS = frozenset({"index", "trials", "watch"})
"""Commands that go on until all work is done, or for ever: they don't hold up an owner
that ends, nor a window that wants to be the owner."""

FALLBACK_PREFIX = "desktop-rag-"

_MAX_SOCKET_PATH = 100
"""Bytes. A Unix socket's path has 108 on Linux and 104 on macOS, with the final NUL."""


@dataclass(frozen=True, slots=True)
class OwnerAddress:
    """How to reach the owner: its process, and the address of its socket or pipe."""

    pid: int
    address: str


class OwnerLock:
    """The right to open a data folder; the system gives it back when a process dies."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._lock = filelock.FileLock(
            data_dir / LOCK_NAME, timeout=0, mode=0o600, thread_local=False
        )

    def acquire(self) -> bool:
        """Become the owner; False when another process is.

        Raises:
            KnownError: the folder cannot be made or written to.
        """
        prepare_data_dir(self.data_dir)
        try:
            self._lock.acquire()
        except filelock.Timeout:
            return False
        except OSError as error:
            raise explain_os_error(error) or _unusable(self.data_dir, error) from error
        return True

    def release(self) -> None:
        """Let another process become the owner. Harmless when nothing is held."""
        self._lock.release()

    def __enter__(self) -> OwnerLock:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.release()


def _unusable(data_dir: Path, error: OSError) -> KnownError:
    message = (
        f"A lock could not be had in “{data_dir}” ({error.strerror or error}). "
        "Choose another folder with --data-dir."
    )
    return KnownError("The data folder cannot be used", message, str(data_dir))


def read_owner(data_dir: Path) -> OwnerAddress | None:
    """Return where the last owner said that it can be reached; it may be gone since."""
    try:
        fields = json.loads((data_dir / OWNER_NAME).read_bytes())
        return OwnerAddress(pid=int(fields["pid"]), address=str(fields["address"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_owner(data_dir: Path, address: str) -> None:
    """Tell other processes where this one listens."""
    owner = OwnerAddress(os.getpid(), address)
    _write_private(data_dir / OWNER_NAME, json.dumps(asdict(owner)).encode("ascii"))


def forget_owner(data_dir: Path) -> None:
    """Remove what this or a killed owner left: its address and its socket."""
    owner = read_owner(data_dir)
    if owner is not None and sys.platform != "win32":
        _remove_short_folder(Path(owner.address).parent, owner.pid)
    for name in (SOCKET_NAME, OWNER_NAME):
        with suppress(OSError):
            (data_dir / name).unlink()


def _remove_short_folder(folder: Path, pid: int) -> None:
    """Remove the folder that ``_short_folder`` made, and nothing else.

    A data folder may have been copied or moved with the address of an owner in it, so
    what belongs to another running process, or holds anything but a socket, stays.
    """
    if not folder.name.startswith(FALLBACK_PREFIX):
        return
    import psutil

    if pid != os.getpid() and psutil.pid_exists(pid):
        return
    with suppress(OSError):
        if os.listdir(folder) == [SOCKET_NAME]:
            (folder / SOCKET_NAME).unlink()
        folder.rmdir()


def new_key(data_dir: Path) -> bytes:
    """Make the secret by which owner and clients know each other, readable by this user."""
    key = secrets.token_bytes(32)
    _write_private(data_dir / KEY_NAME, key)
    return key


def read_key(data_dir: Path) -> bytes | None:
    """Return the secret of the present owner, None where there is none."""
    try:
        return (data_dir / KEY_NAME).read_bytes() or None
    except OSError:
        return None


def socket_addresses(data_dir: Path) -> Iterator[str]:
    """Yield where an owner may listen, the best first, each made when it is asked for.

    The socket belongs into the data folder. Where the path is too long for one, or the
    file system knows no sockets, a private folder for temporary files has it.
    """
    if sys.platform == "win32":
        yield rf"\\.\pipe\{FALLBACK_PREFIX}{secrets.token_hex(16)}"
        return
    inside = data_dir / SOCKET_NAME
    if len(os.fsencode(inside)) <= _MAX_SOCKET_PATH:
        yield str(inside)
    yield str(_short_folder() / SOCKET_NAME)


def _short_folder() -> Path:
    """Make a folder with a short path that only this user can enter."""
    root = os.environ.get("XDG_RUNTIME_DIR", "")
    short = len(os.fsencode(root)) <= _MAX_SOCKET_PATH // 2
    usable = root if root and short and os.access(root, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix=FALLBACK_PREFIX, dir=usable))


def in_use(data_dir: Path) -> KnownError:
    """Return the error for a folder whose owner doesn't answer."""
    owner = read_owner(data_dir)
    process = f" (process {owner.pid})" if owner is not None else ""
    return KnownError(
        "The data folder is in use",
        f"Another Desktop RAG{process} works with “{data_dir}” and doesn't answer. "
        "Wait for it to finish, or close it, and try again.",
        str(data_dir),
    )


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that nobody but this user can read at any moment.

    Whoever reads it half written finds no sense in it, and looks again.
    """
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
