"""Desktop RAG: a private knowledge base for one person's computer.

Three lines are enough::

    import desktop_rag

    with desktop_rag.open_library("my-library") as library:
        library.add("papers")
        print(library.ask("How much memory does a trace take?").text)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.foundation.version import VERSION

if TYPE_CHECKING:
    from desktop_rag.bootstrap import KnowledgeBase
    from desktop_rag.services.slots import Slots

__version__ = VERSION

__all__ = ["__version__", "open_library"]


def open_library(data_dir: str | Path, slots: Slots | None = None) -> KnowledgeBase:
    """Open the library kept in a folder; the folder is made when it is missing.

    Args:
        data_dir: the data folder, not the folder with your documents.
        slots: parts of your own that questions go through (``docs/extending.md``).

    Raises:
        KnownError: another process has the library open, or its folder cannot be used.
    """
    from desktop_rag.bootstrap import open_library as open_knowledge_base
    from desktop_rag.services.slots import NO_SLOTS

    return open_knowledge_base(Path(data_dir), slots or NO_SLOTS)
