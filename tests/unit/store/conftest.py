from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import SPACES, simple_analyse
from tests.helpers.vector_bench import Bench

OpenStore = Callable[..., KnowledgeStore]


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the library in ``tmp_path / "library"``; what is left open is closed after the test."""
    opened: list[KnowledgeStore] = []

    def opening(exact_limit: int = 20_000, folder: str = "library") -> KnowledgeStore:
        store = KnowledgeStore.open(tmp_path / folder, SPACES, exact_limit, simple_analyse)
        opened.append(store)
        return store

    yield opening
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> KnowledgeStore:
    return open_store()


@pytest.fixture
def source_id(store: KnowledgeStore) -> int:
    return store.add_source("/docs", True).id


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """The folder that ``open_store`` opens by default."""
    return tmp_path / "library"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "library")
    yield bench
    bench.close()
