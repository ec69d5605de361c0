"""A source's own rules, and what is left out by them and by the program's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileStatus, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.ignore import IgnoreRules
from desktop_rag.ingestion.left_out import LeftOut, left_out

if TYPE_CHECKING:
    from desktop_rag.services.reports import Progress
    from desktop_rag.services.services import Services

_BY_HAND = "left out by you"


def list_left_out(services: Services, cancel: CancelToken) -> list[LeftOut]:
    """Return all that is left out, on the disk and inside files, each with its rule.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    sources = services.store.sources()
    rules = {source.id: IgnoreRules(source.ignore_rules) for source in sources}
    inside = [
        LeftOut(file.path, False, rules[file.source_id].rule(file.relpath) or _BY_HAND, True)
        for file in services.store.files(statuses=(FileStatus.IGNORED,))
        if file.container_id is not None
    ]
    return [*left_out(sources, services.data_dir, cancel), *inside]


def change_rules(
    services: Services,
    path: str,
    added: Iterable[str],
    dropped: Iterable[str],
    on_progress: Callable[[Progress], None],
    cancel: CancelToken,
) -> tuple[str, ...]:
    """Add and drop lines of a source's rules, bring it up to date, and return its rules.

    Raises:
        KnownError: the path is no source, or a line is no rule; nothing is changed then.
        Cancelled: ``cancel`` was set; the rules hold, the work goes on at the next start.
    """
    source = _source_at(services, path)
    gone, new = set(dropped), [line for line in added if line.strip()]
    rules = (*(line for line in source.ignore_rules if line not in gone and line not in new), *new)
    if rules == source.ignore_rules:
        return rules
    try:
        IgnoreRules(rules)
    except ValueError as error:
        raise KnownError(
            "Not a rule",
            f"{error} Rules are written as in a .gitignore file: *.log, /drafts/, !keep.log.",
            path,
        ) from error
    services.store.set_ignore_rules(source.id, rules)
    services.library.index((path,), on_progress=on_progress, cancel=cancel)
    return rules


def _source_at(services: Services, path: str) -> Source:
    for source in services.store.sources():
        if source.path == path:
            return source
    raise not_a_source(path)


def not_a_source(path: str) -> KnownError:
    """Return the error about a path that was not added."""
    return KnownError(
        "Not in the library", f"“{path}” is none of the folders that were added.", path
    )
