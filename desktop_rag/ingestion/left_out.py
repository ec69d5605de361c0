"""What is left out of sources, each with the rule that does so."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.files import Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.ignore import Left
from desktop_rag.ingestion.listing import join
from desktop_rag.ingestion.scan import SourceScanner


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or folder that is not in the library, and why.

    ``rule`` is a line of the source's own rules if ``own_rule``, else a few words. What
    lies in a folder that is never entered is not listed one by one.
    """

    path: str
    is_folder: bool
    rule: str
    own_rule: bool


def left_out(
    sources: Iterable[Source], data_dir: Path, cancel: CancelToken | None = None
) -> list[LeftOut]:
    """Look at the disk and return all that is left out, by source, then by path.

    Args:
        sources: where to look; those that cannot be reached give nothing.
        data_dir: the program's own folder.
        cancel: ends the look early.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    found: list[LeftOut] = []
    for source in sources:
        scanner = SourceScanner(source, (data_dir,))
        rules: dict[str, str] = {}
        scanner.on_left = rules.__setitem__
        scanner.scan(cancel=cancel)
        for relpath, rule in sorted(rules.items()):
            path = join(source.path, relpath)
            own_rule = not isinstance(rule, Left)
            is_folder = os.path.isdir(path) and not os.path.islink(path)
            found.append(LeftOut(path, is_folder, str(rule), own_rule))
    return found
