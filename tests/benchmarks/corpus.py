"""What is indexed and asked: a shared collection where there is one, else made-up texts."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SHARED_VARIABLE = "DESKTOP_RAG_SHARED"
COLLECTION = "scifact_train"
MADE_UP_DOCUMENTS = 2_000

_SYLLABLES = ("ba", "do", "ke", "li", "mo", "nu", "pa", "re", "cha", "gri", "plo", "ster", "thun")


def shared_dir() -> Path | None:
    """Return the folder with shared data, or None where there is none."""
    folder = Path(os.environ.get(SHARED_VARIABLE) or REPOSITORY.parent / "shared")
    return folder if folder.is_dir() else None


def load(limit: int | None) -> tuple[list[str], list[str]]:
    """Return texts (title, newline, text) and questions about them, always the same."""
    shared = shared_dir()
    if shared is None:
        return _made_up(limit or MADE_UP_DOCUMENTS)
    folder = shared / "data" / COLLECTION
    texts = [f"{row['title']}\n{row['text']}" for row in _rows(folder / "corpus.jsonl")]
    return texts[:limit], [row["text"] for row in _rows(folder / "queries.jsonl")]


def write(folder: Path, texts: list[str]) -> None:
    """Write one file a text."""
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number:06d}.txt").write_text(text, "utf-8")


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _made_up(count: int) -> tuple[list[str], list[str]]:
    chance = random.Random(7)
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 3))) for _ in range(5_000)]

    def sentence() -> str:
        return " ".join(chance.choices(words, k=chance.randint(8, 20))).capitalize() + "."

    texts = [
        f"{sentence()}\n\n" + " ".join(sentence() for _ in range(chance.randint(5, 20)))
        for _ in range(count)
    ]
    return texts, [sentence().replace(".", "?") for _ in range(300)]
