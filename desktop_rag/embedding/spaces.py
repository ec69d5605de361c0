"""All models together: each is a space of vectors of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop_rag.embedding.bge import BgeEmbeddingModel
from desktop_rag.embedding.manifest import load_manifest
from desktop_rag.embedding.pool import EmbeddingPool
from desktop_rag.foundation.language import ENGLISH


class EmbeddingSpaces:
    """The models by name and by language, and the pool that they share.

    Args:
        models: at least one, with distinct names.
        pool: closed together with the models.

    Raises:
        ValueError: no models, or two of one name.
    """

    def __init__(self, models: Sequence[BgeEmbeddingModel], pool: EmbeddingPool) -> None:
        self._by_name = {model.name: model for model in models}
        if not models or len(self._by_name) != len(models):
            raise ValueError("spaces need at least one model, each of its own name")
        self._by_language: dict[str, BgeEmbeddingModel] = {}
        for model in models:
            self._by_language.setdefault(model.spec.language, model)
        self._pool = pool

    @property
    def names(self) -> tuple[str, ...]:
        """The spaces' names, in the manifest's order."""
        return tuple(self._by_name)

    @property
    def dimensions(self) -> dict[str, int]:
        """The length of a vector by space."""
        return {name: model.dimension for name, model in self._by_name.items()}

    @property
    def languages(self) -> dict[str, str]:
        """The language ("en", "zh") that each space's model reads."""
        return {name: model.spec.language for name, model in self._by_name.items()}

    @property
    def pool(self) -> EmbeddingPool:
        """The threads for work in the background."""
        return self._pool

    def get(self, name: str) -> BgeEmbeddingModel:
        """Return the model of a space.

        Raises:
            ValueError: there is no such space.
        """
        try:
            return self._by_name[name]
        except KeyError as error:
            raise ValueError(f"no model is named {name!r}") from error

    def for_language(self, language: str) -> BgeEmbeddingModel:
        """Return the language's model; the English one reads all that has none."""
        found = self._by_language.get(language) or self._by_language.get(ENGLISH)
        return found or next(iter(self._by_name.values()))

    def close(self) -> None:
        """End the threads and free the models."""
        self._pool.close()
        for model in self._by_name.values():
            model.close()


def open_spaces(models_dir: Path, threads: int | None = None) -> EmbeddingSpaces:
    """Return every model of the manifest; nothing of them is loaded before its first use.

    Raises:
        KnownError: the manifest is missing or damaged.
    """
    specs = load_manifest(models_dir)
    pool = EmbeddingPool(threads)
    return EmbeddingSpaces([BgeEmbeddingModel(spec, pool) for spec in specs], pool)
