"""The packages that the program is made of, as they are installed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import metadata

_PROGRAM = "desktop-rag"
_TOOLS = "dev"
"""The extra whose packages build and test the program and are no part of it."""

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


def used_packages() -> list[metadata.Distribution]:
    """Return the installed packages that the program needs or can use, by name.

    All that are installed, where the program runs from its source and names none.
    """
    installed = {_plain(one.name): one for one in metadata.distributions()}
    if _PROGRAM not in installed:
        return _sorted(installed.values())
    found: dict[str, metadata.Distribution] = {}
    waiting = list(_required(installed[_PROGRAM], own=True))
    while waiting:
        name = waiting.pop()
        if name in installed and name not in found:
            found[name] = installed[name]
            waiting += _required(installed[name], own=False)
    return _sorted(found.values())


def _required(package: metadata.Distribution, own: bool) -> Iterator[str]:
    """Yield what a package needs; of the program itself also what its extras need."""
    for line in package.requires or ():
        extra = _EXTRA.search(line)
        name = _REQUIREMENT.match(line)
        if name and (extra is None or (own and extra[1] != _TOOLS)):
            yield _plain(name[1])


def _plain(name: str) -> str:
    """Return a name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _sorted(packages: Iterable[metadata.Distribution]) -> list[metadata.Distribution]:
    return sorted(packages, key=lambda one: one.name.casefold())
