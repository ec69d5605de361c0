"""Parts for tests that split and prepare texts, with the real models' tokenizers."""

from __future__ import annotations

import random
from functools import lru_cache

from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.foundation.paths import models_dir
from desktop_rag.ingestion.model_text import TextSpace, text_spaces
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.preparation import Preparation
from desktop_rag.ingestion.splitters.sizes import SegmentSizes, SizeCounter
from desktop_rag.ingestion.splitters.structural import StructuralSplitter

_TEXT = """
the contract payment term of thirty days begins when goods arrive and both parties have
signed a protocol that names every defect found by their engineers during acceptance
tests while late delivery costs one percent a week unless strikes floods or war prevent
it which must be shown with documents from chambers of commerce within two weeks
"""
WORDS = tuple(_TEXT.split())


@lru_cache(maxsize=1)
def spaces() -> dict[str, TextSpace]:
    """The spaces of the delivered models."""
    return text_spaces(models_dir())


def splitter(sizes: SegmentSizes | None = None) -> StructuralSplitter:
    """A splitter that counts with the delivered tokenizers."""
    counters = {language: SizeCounter(space.counter) for language, space in spaces().items()}
    return StructuralSplitter(counters, sizes)


def prepared(text: str, name: str = "a.txt", sizes: SegmentSizes | None = None) -> PreparedDocument:
    """Parse and prepare a text under a file name."""
    return Preparation(spaces(), sizes).prepare(parse_bytes(text.encode(), name))


def paragraphs(seed: int, count: int, most_sentences: int) -> list[str]:
    """Return made-up paragraphs of 1 to ``most_sentences`` sentences."""
    rng = random.Random(seed)
    return [
        " ".join(_sentence(rng) for _ in range(rng.randint(1, most_sentences)))
        for _ in range(count)
    ]


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(5, 25))).capitalize() + "."
