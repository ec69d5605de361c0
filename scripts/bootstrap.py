"""Sets the project up: system packages where it may, and the virtual environment in .venv.

It installs what is missing and nothing else, says what it cannot install, and fails only
when what is missing is needed. Run it through ``make``; the standard library is all it uses.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import functools
import glob
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
READY = ENVIRONMENT / "ready"
"""Newer than the lock when the command line works; the Makefile looks at it."""

WINDOW_READY = ENVIRONMENT / "window"
"""There when the window's libraries are; the Makefile looks at it too."""

INSTALLED = ENVIRONMENT / "installed"
"""Says for which lock and which place .venv was finished; missing while it is worked on."""

BUILD_TOOLS = ("pip", "setuptools", "pybind11", "numpy")
"""What hnswlib is compiled with, installed first so that the build takes nothing unpinned."""

WINDOW_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""What Qt's libraries and its X11 platform load: shared library, Debian's package of it."""

CHINESE_FONTS = "/usr/share/fonts/**/*[Cc][Jj][Kk]*"


@dataclass(frozen=True)
class Need:
    """A Debian package, and how to see whether what it brings is there."""

    package: str
    present: Callable[[], bool]


def build_needs() -> list[Need]:
    """Return what making the environment and compiling hnswlib takes."""
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return [
        Need("python3-venv", lambda: importlib.util.find_spec("ensurepip") is not None),
        Need("python3-dev", headers.is_file),
        Need("g++", lambda: shutil.which("c++") is not None),
    ]


def window_needs() -> list[Need]:
    """Return what the window cannot do without."""
    return [
        Need(package, functools.partial(_loads, library))
        for library, package in WINDOW_LIBRARIES.items()
    ]


def comforts() -> list[Need]:
    """Return what makes Chinese legible, and the tests complete."""
    return [
        Need("fonts-noto-cjk", _has_chinese_font),
        Need("xvfb", lambda: shutil.which("xvfb-run") is not None),
        Need("xauth", lambda: shutil.which("xauth") is not None),
    ]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_chinese_font() -> bool:
    if glob.glob(CHINESE_FONTS, recursive=True):
        return True
    command = ["fc-list", ":lang=zh", "family"]
    with contextlib.suppress(OSError):
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        return bool(found.stdout.strip())
    return False


def prepare_system(wanted: list[Need], required: list[Need]) -> None:
    """Install what is missing of the system, as far as possible, and say what is not.

    Raises:
        SystemExit: something that is required is missing still.
    """
    if missing := _missing(wanted):
        if (prefix := _apt_prefix()) is not None:
            _apt_install(prefix, [need.package for need in missing])
        missing = _missing(missing)
    if not missing:
        return
    names = " ".join(need.package for need in missing)
    say(f"Missing of the system: {names}")
    say(f"Install them with: sudo apt-get install {names}   (these are Debian's names)")
    if lacking := [need.package for need in missing if need in required]:
        raise SystemExit(f"Needed here: {' '.join(lacking)}. Install what is needed and try again.")


def _missing(wanted: list[Need]) -> list[Need]:
    importlib.invalidate_caches()
    return [need for need in wanted if not need.present()]


def _apt_prefix() -> list[str] | None:
    """Return what to put before apt-get, or None where it may not be used."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]
    with contextlib.suppress(OSError):
        if subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0:
            return sudo
    return None


def _apt_install(prefix: list[str], packages: list[str]) -> None:
    say(f"Installing for the system: {' '.join(packages)}")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    subprocess.run([*apt, "update"], stdout=sys.stderr, check=False)
    install = [*apt, "install", "-y", "--no-install-recommends", *packages]
    subprocess.run(install, stdout=sys.stderr, check=False)


def environment_is_current() -> bool:
    """Return whether .venv was finished for this lock, in this place, and still works."""
    return INSTALLED.is_file() and INSTALLED.read_text("utf-8") == _fingerprint() and _runs()


def prepare_environment() -> None:
    """Make .venv what the lock says; start anew when it was left half finished."""
    recorded = INSTALLED.read_text("utf-8") if INSTALLED.is_file() else ""
    same_place = recorded.splitlines()[:1] == [str(ROOT)]
    INSTALLED.unlink(missing_ok=True)
    if not same_place or not _runs():
        say(f"Making the virtual environment with Python {sys.version.split()[0]}")
        venv.create(ENVIRONMENT, clear=True, with_pip=True, symlinks=os.name != "nt")
    _install_packages()
    INSTALLED.write_text(_fingerprint(), "utf-8")


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for name in ("requirements.lock", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return f"{ROOT}\n{digest.hexdigest()}\n"


def _python() -> Path:
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _runs() -> bool:
    command = [str(_python()), "-c", "import pip"]
    with contextlib.suppress(OSError):
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


def _install_packages() -> None:
    say("Installing what requirements.lock names (this takes a few minutes the first time)")
    tools = ENVIRONMENT / "build-tools.lock"
    tools.write_text("\n".join(_entries(BUILD_TOOLS)), "utf-8")
    hashed = ["--require-hashes", "--no-deps"]
    _pip(*hashed, "-r", str(tools))
    _pip(*hashed, "--no-build-isolation", "-r", str(LOCK))
    _pip("--no-deps", "--no-build-isolation", "--no-index", "-e", str(ROOT))
    tools.unlink()


def _entries(names: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of the lock that belong to the packages named, hashes included."""
    wanted = False
    for line in LOCK.read_text("utf-8").splitlines():
        if line[:1].isalnum():
            wanted = line.split("==")[0] in names
        if wanted:
            yield line


def _pip(*arguments: str) -> None:
    command = [str(_python()), "-m", "pip", "install", "--quiet", "--no-input", *arguments]
    command += ["--disable-pip-version-check"]
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
        raise SystemExit("The packages could not be installed; pip said why above.")


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Let one set-up run at a time; a second one waits for the first."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with Path(__file__).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    """Tell the user on stderr; stdout belongs to the program that runs next."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Set everything up; with the argument ``window``, insist on the window's libraries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("need", nargs="?", choices=["window"], help="what must work")
    insists_on_window = parser.parse_args().need == "window"
    with alone():
        build = [] if environment_is_current() else build_needs()
        window = window_needs()
        if sys.platform == "linux":
            required = build + (window if insists_on_window else [])
            prepare_system(build + window + comforts(), required)
        if build:
            prepare_environment()
        READY.touch()
        if sys.platform != "linux" or not _missing(window):
            WINDOW_READY.touch()


if __name__ == "__main__":
    main()
