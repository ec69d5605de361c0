"""A real store filled with a few texts, and models that know nothing but words."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from desktop_rag.domain.files import FileStat, FileStatus
from desktop_rag.foundation.paths import models_dir
from desktop_rag.ingestion.model_text import text_spaces
from desktop_rag.ingestion.parsers.markdown import MarkdownParser
from desktop_rag.ingestion.parsers.text import parse_text
from desktop_rag.ingestion.preparation import Preparation
from desktop_rag.store.knowledge_store import KnowledgeStore

_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")
NAMES = {"en": "bge-small-en-v1.5", "zh": "bge-small-zh-v1.5"}


class WordModel:
    """Each word is a direction of its own; a text is the mean of its words.

    Its tokens are words and Chinese characters, so what shares words is near.
    """

    def __init__(self, name: str, dimension: int) -> None:
        self.name, self.dimension, self.max_tokens = name, dimension, 512
        self.runs: list[str] = []

    @property
    def counter(self) -> WordModel:
        return self

    def count(self, text: str) -> int:
        return len(_TOKEN.findall(text))

    def embed(self, texts: Any, cancel: Any = None) -> Any:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Any:
        return _unit(self.token_vectors(text).sum(axis=0))

    def token_vectors(self, text: str) -> Any:
        self.runs.append(text)
        words = _TOKEN.findall(text.lower()) or [""]
        return np.stack([self._word(word) for word in words])

    def query_token_vectors(self, text: str) -> Any:
        return self.token_vectors(text)

    def _word(self, word: str) -> Any:
        stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
        generator = np.random.default_rng(zlib.crc32(stem.encode()))
        return _unit(generator.standard_normal(self.dimension))


def _unit(vector: Any) -> Any:
    return (vector / np.linalg.norm(vector)).astype(np.float32)


class WordSpaces:
    """One word model a language."""

    def __init__(self, dimension: int = 256) -> None:
        self._models = {lang: WordModel(name, dimension) for lang, name in NAMES.items()}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(NAMES.values())

    @property
    def dimensions(self) -> dict[str, int]:
        return {model.name: model.dimension for model in self._models.values()}

    @property
    def languages(self) -> dict[str, str]:
        return {name: language for language, name in NAMES.items()}

    def get(self, name: str) -> WordModel:
        return next(model for model in self._models.values() if model.name == name)

    def for_language(self, language: str) -> WordModel:
        return self._models.get(language, self._models["en"])


def open_store(folder: Path, spaces: Any) -> KnowledgeStore:
    """An empty library."""
    dimensions = {name: spaces.get(name).dimension for name in spaces.names}
    return KnowledgeStore.open(folder, dimensions)


def fill(
    store: KnowledgeStore,
    spaces: Any,
    texts: Mapping[str, str],
    root: str = "/library",
    waiting: int = 0,
    failed: int = 0,
) -> dict[str, int]:
    """Read texts as files of a folder; return each one's file number by its name.

    Names in ``.md`` are Markdown. ``waiting`` and ``failed`` add files that were not read.
    """
    source = store.add_source(root, True).id
    preparation = Preparation(text_spaces(models_dir()))
    stat = FileStat(1, 1_735_689_600_000_000_000, 1, 1)
    numbers: dict[str, int] = {}
    for name, text in texts.items():
        [number] = store.put_files(source, [(name, stat, FileStatus.WAITING)])
        parsed = (
            MarkdownParser().parse(text.encode(), name)
            if name.endswith(".md")
            else parse_text(text)
        )
        prepared = preparation.prepare(parsed)
        vectors = {
            one.text_hash: spaces.get(one.space).embed([one.text])[0] for one in prepared.segments
        }
        key = f"{zlib.crc32(text.encode()):08x}:{name.endswith('.md')}"
        store.commit_document(number, stat, key, key, prepared, vectors)
        numbers[name] = number
    names = [f"more-{i}.txt" for i in range(waiting + failed)]
    more = store.put_files(source, [(name, stat, FileStatus.WAITING) for name in names])
    if failed:
        store.set_status(more[:failed], FileStatus.FAILED)
    store.flush()
    return numbers
