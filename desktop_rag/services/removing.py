"""When what was removed is gone from every answer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.cancellation import CancelToken

if TYPE_CHECKING:
    from desktop_rag.services.reports import Removal
    from desktop_rag.services.services import Services

_LOOK_SECONDS = 0.05

_QUIET_SECONDS = 10.0
"""How long the erasing of words may take that a quiet library does at once; a library
that is reading does it when it is done."""


def wait_until_left_out(
    services: Services, removals: Sequence[Removal], cancel: CancelToken
) -> None:
    """Return when nothing of the removed paths can be found any more.

    What else the library has to do, which may take hours, is not waited for.

    Raises:
        Cancelled: ``cancel`` was set; the removal stands.
    """
    paths = [removal.path for removal in removals if removal.kind == "ignored"]
    while any(_is_in(services, path) for path in paths):
        cancel.check()
        cancel.wait(_LOOK_SECONDS)
    services.store.flush()
    if services.library.progress().state == "idle":
        services.library.wait_settled(_QUIET_SECONDS)


def _is_in(services: Services, path: str) -> bool:
    inside = os.path.join(path, "")
    return any(
        file.status is not FileStatus.IGNORED
        for file in services.library.files()
        if file.path == path or file.path.startswith(inside)
    )
