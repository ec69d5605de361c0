"""Builds every service, once; nothing else does.

Building is cheap: models, their runtime and the child processes come with the first
work that needs them.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from desktop_rag.embedding.spaces import open_spaces
from desktop_rag.foundation.memory import give_back_freed_memory
from desktop_rag.foundation.paths import models_dir, prepare_data_dir
from desktop_rag.foundation.settings import (
    FULL_SPEED,
    MAX_FILE_MB,
    READ_MEMORY_MB,
    READ_SECONDS_LIMIT,
    SPEED,
    Setting,
    Settings,
)
from desktop_rag.ingestion.reading import PageRenderer, ReadLimits, WorkerReader
from desktop_rag.services.assistant import Assistant
from desktop_rag.services.knowledge_base import KnowledgeBase
from desktop_rag.services.library import Library, LibraryLimits
from desktop_rag.services.owner import OwnerLock, in_use
from desktop_rag.services.services import Services
from desktop_rag.store.knowledge_store import KnowledgeStore

__all__ = ["KnowledgeBase", "open_library", "open_services"]


def open_services(data_dir: Path) -> Services:
    """Build the services of a data folder, which this process must own.

    Nothing runs yet: ``library.start`` begins to look for changes.

    Raises:
        KnownError: the folder or the program's own files cannot be used.
    """
    give_back_freed_memory()
    folder = prepare_data_dir(data_dir)
    settings = Settings(folder)
    with ExitStack() as parts:
        spaces = open_spaces(models_dir())
        parts.callback(spaces.close)
        dimensions = {name: spaces.get(name).dimension for name in spaces.names}
        store = KnowledgeStore.open(folder, dimensions)
        parts.callback(store.close)
        library = Library(
            store,
            spaces,
            WorkerReader(_limits(settings)),
            PageRenderer(),
            folder,
            LibraryLimits(settings.get(MAX_FILE_MB)),
        )
        parts.callback(library.close)
        library.set_full_speed(settings.get(SPEED) == FULL_SPEED)
        parts.callback(settings.listen(lambda setting: _follow(library, settings, setting)))
        assistant = Assistant(store, spaces)
        parts.callback(assistant.close)
        closing = parts.pop_all()
    return Services(library, assistant, store, settings, folder, closing.close)


def _follow(library: Library, settings: Settings, setting: Setting[Any]) -> None:
    if setting is SPEED:
        library.set_full_speed(settings.get(SPEED) == FULL_SPEED)


def _limits(settings: Settings) -> ReadLimits:
    return ReadLimits(
        seconds=settings.get(READ_SECONDS_LIMIT), memory_mb=settings.get(READ_MEMORY_MB)
    )


def open_library(data_dir: Path) -> KnowledgeBase:
    """Open a library for the programming interface; its folder is made when missing.

    Raises:
        KnownError: another process has it open, or the folder cannot be used.
    """
    lock = OwnerLock(prepare_data_dir(data_dir))
    if not lock.acquire():
        raise in_use(lock.data_dir)
    try:
        return KnowledgeBase(open_services(lock.data_dir), lock)
    except BaseException:
        lock.release()
        raise
