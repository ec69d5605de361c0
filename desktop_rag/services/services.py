"""The two doors of the program, opened together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # so that a command which is the owner's guest loads nothing heavy
    from desktop_rag.foundation.settings import Settings
    from desktop_rag.services.assistant import Assistant
    from desktop_rag.services.language_models import LanguageModels
    from desktop_rag.services.library import Library
    from desktop_rag.store.knowledge_store import KnowledgeStore


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a command, the window or another program works with.

    Only ``bootstrap`` builds one. ``on_close`` ends what stands behind the parts
    (threads, child processes, the store), in the right order.
    """

    library: Library
    assistant: Assistant
    store: KnowledgeStore
    settings: Settings
    data_dir: Path
    on_close: Callable[[], None]
    models: LanguageModels

    def close(self) -> None:
        """Stop all work within seconds and save; what was not read is read next time."""
        self.on_close()


OpenServices = Callable[[Path], Services]
"""Builds the services of a data folder, and starts nothing yet."""
