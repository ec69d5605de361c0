"""Files as they come from broken disks and downloads; the same seed gives the same ones."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

_NUMBER = re.compile(rb'"\d+"')
_NONSENSE = (b'"-1"', b'"99999999999"', b'""', b'"x"')

Mutation = Callable[[bytes, random.Random], bytes]


def cut(content: bytes, chance: random.Random) -> bytes:
    """Return the beginning alone."""
    return content[: chance.randrange(len(content))]


def flip(content: bytes, chance: random.Random) -> bytes:
    """Return the content with some bits turned."""
    changed = bytearray(content)
    for _ in range(chance.randrange(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def blank(content: bytes, chance: random.Random) -> bytes:
    """Return the content with a stretch of zeros in it."""
    start = chance.randrange(len(content))
    end = min(len(content), start + chance.randrange(1, 400))
    return content[:start] + bytes(end - start) + content[end:]


def insert(content: bytes, chance: random.Random) -> bytes:
    """Return the content with bytes put in that mean nothing."""
    place = chance.randrange(len(content))
    return content[:place] + chance.randbytes(20) + content[place:]


def within(content: bytes, chance: random.Random) -> bytes:
    """Return an archive with one of its parts changed; anything else with nonsense numbers."""
    if not content.startswith(b"PK\x03\x04"):
        return _nonsense(content, chance)
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(target, "w") as new:
        names = [name for name in old.namelist() if old.getinfo(name).file_size]
        chosen = chance.choice(names)
        change = chance.choice((cut, flip, insert, _nonsense))
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, change(part, chance) if name == chosen else part)
    return target.getvalue()


MUTATIONS: tuple[Mutation, ...] = (cut, flip, blank, insert, within)


def _nonsense(content: bytes, chance: random.Random) -> bytes:
    most = chance.randrange(1, 4)
    return _NUMBER.sub(lambda _: chance.choice(_NONSENSE), content, count=most)
