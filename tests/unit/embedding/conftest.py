from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_rag.embedding.bge import BgeEmbeddingModel
from desktop_rag.embedding.spaces import EmbeddingSpaces, open_spaces
from desktop_rag.foundation.paths import models_dir


@pytest.fixture(scope="session")
def spaces() -> Iterator[EmbeddingSpaces]:
    """Both models, loaded, with the threads of their pool running."""
    opened = open_spaces(models_dir(), threads=2)
    for name in opened.names:
        opened.get(name).embed(["warm", "up", "now"])
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def english(spaces: EmbeddingSpaces) -> BgeEmbeddingModel:
    return spaces.for_language("en")


@pytest.fixture(scope="session")
def chinese(spaces: EmbeddingSpaces) -> BgeEmbeddingModel:
    return spaces.for_language("zh")
