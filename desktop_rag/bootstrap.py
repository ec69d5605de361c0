"""Builds every service, once; nothing else does.

Building is cheap: models, their runtime and the child processes come with the first
work that needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_rag.embedding.spaces import EmbeddingSpaces, open_spaces
from desktop_rag.foundation.data_place import check_data_place
from desktop_rag.foundation.memory import give_back_freed_memory
from desktop_rag.foundation.paths import models_dir, prepare_data_dir
from desktop_rag.foundation.settings import (
    FULL_SPEED,
    MAX_FILE_MB,
    NOT_FOUND_TEXT,
    OCR,
    OCR_PAGE_SECONDS,
    READ_DEPTH,
    READ_MEMORY_MB,
    READ_PAGES,
    READ_SECONDS_LIMIT,
    READ_TEXT_MB,
    READ_UNPACKED_MB,
    RERANK_FOLDER,
    SPEED,
    WHEN_NOT_FOUND,
    Setting,
    Settings,
)
from desktop_rag.foundation.step_settings import STEP_SETTINGS, wanted_steps
from desktop_rag.ingestion.ocr_models import find_ocr_models
from desktop_rag.ingestion.ocr_reader import PAGE_LIMITS, WorkerRecogniser
from desktop_rag.ingestion.parsers.limits import ParseLimits
from desktop_rag.ingestion.reading import PageRenderer, ReadLimits, WorkerReader
from desktop_rag.retrieval.injectors.prompts import FOLDER as PROMPTS
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.services.assistant import Assistant
from desktop_rag.services.knowledge_base import KnowledgeBase
from desktop_rag.services.language_models import LanguageModels
from desktop_rag.services.library import Library, LibraryLimits
from desktop_rag.services.owner import OwnerLock, in_use
from desktop_rag.services.services import Services
from desktop_rag.services.slots import NO_SLOTS, Slots
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.dictionary import DICTIONARY_FILE, BilingualDictionary

__all__ = ["KnowledgeBase", "open_library", "open_services"]


def open_services(data_dir: Path, slots: Slots = NO_SLOTS) -> Services:
    """Build the services of a data folder, which this process must own.

    Nothing runs yet: ``library.start`` begins to look for changes. ``slots`` are parts of
    one's own that questions go through.

    Raises:
        KnownError: the folder or the program's own files cannot be used; a folder on a
            network drive or in a synchronised one is refused.
    """
    give_back_freed_memory()
    check_data_place(data_dir)
    folder = prepare_data_dir(data_dir)
    settings = Settings(folder)
    with ExitStack() as parts:
        spaces = open_spaces(models_dir())
        parts.callback(spaces.close)
        store = _store(folder, spaces)
        parts.callback(store.close)
        reader, recogniser = WorkerReader(), _recogniser()
        limits = LibraryLimits(settings.get(MAX_FILE_MB))
        library = Library(store, spaces, reader, PageRenderer(), folder, limits, recogniser)
        parts.callback(library.close)
        dictionary = BilingualDictionary(folder / DICTIONARY_FILE)
        parts.callback(dictionary.close)
        models = LanguageModels(settings)
        prompts = Prompts(folder / PROMPTS)
        assistant = Assistant(store, spaces, None, slots, dictionary, prompts)
        assistant.parts.writers.follow(models.current)
        assistant.parts.steps.follow(models.for_steps)
        parts.callback(assistant.close)
        parts.callback(models.close)
        parts.callback(_obey(settings, library, assistant, reader, recogniser))
        closing = parts.pop_all()
    return Services(library, assistant, store, settings, folder, closing.close, models)


def _store(folder: Path, spaces: EmbeddingSpaces) -> KnowledgeStore:
    """Open the store with a place for each model's vectors."""
    dimensions = {name: spaces.get(name).dimension for name in spaces.names}
    store = KnowledgeStore.open(folder, dimensions)
    store.follow_models({name: spaces.get(name).spec.fingerprint for name in spaces.names})
    return store


def _obey(
    settings: Settings,
    library: Library,
    assistant: Assistant,
    reader: WorkerReader,
    recogniser: WorkerRecogniser | None,
) -> Callable[[], None]:
    """Do as the settings say, now and whenever one changes; return what ends that."""

    def follow(setting: Setting[Any] | None = None) -> None:
        reader.limits = _limits(settings)
        if recogniser is not None:
            recogniser.limits = replace(PAGE_LIMITS, seconds=settings.get(OCR_PAGE_SECONDS))
        if setting in (None, OCR):
            library.set_recognition(settings.get(OCR))
        if setting in (None, SPEED):
            library.set_full_speed(settings.get(SPEED) == FULL_SPEED)
        if setting in (None, RERANK_FOLDER):
            assistant.parts.reranker.use(settings.get(RERANK_FOLDER))
        if setting is None or setting in STEP_SETTINGS:
            assistant.parts.steps.use(wanted_steps(settings.get))
        if setting in (None, WHEN_NOT_FOUND, NOT_FOUND_TEXT):
            assistant.set_empty_context(settings.get(WHEN_NOT_FOUND), settings.get(NOT_FOUND_TEXT))

    follow()
    return settings.listen(follow)


def _recogniser() -> WorkerRecogniser | None:
    """Return what recognises pages, None when the part "ocr" is not installed."""
    return None if find_ocr_models() is None else WorkerRecogniser()


def _limits(settings: Settings) -> ReadLimits:
    parse = ParseLimits(
        pages=settings.get(READ_PAGES),
        text=settings.get(READ_TEXT_MB) * 1_000_000,
        unpacked=settings.get(READ_UNPACKED_MB) << 20,
        depth=settings.get(READ_DEPTH),
    )
    return ReadLimits(settings.get(READ_SECONDS_LIMIT), settings.get(READ_MEMORY_MB), parse)


def open_library(data_dir: Path, slots: Slots = NO_SLOTS) -> KnowledgeBase:
    """Open a library for the programming interface; its folder is made when missing.

    ``slots`` are parts of one's own that questions go through.

    Raises:
        KnownError: another process has it open, or the folder cannot be used.
    """
    lock = OwnerLock(prepare_data_dir(data_dir))
    if not lock.acquire():
        raise in_use(lock.data_dir)
    try:
        return KnowledgeBase(open_services(lock.data_dir, slots), lock)
    except BaseException:
        lock.release()
        raise
