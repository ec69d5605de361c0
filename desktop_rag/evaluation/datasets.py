"""Collections in the manner of BEIR: a corpus, questions, judgements, perhaps answers."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.foundation.errors import KnownError

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
JUDGEMENTS = "qrels.tsv"
ANSWERS = "answers.jsonl"
UNANSWERABLE = "unanswerable.jsonl"


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """A question that no document answers; ``passage`` is the one it seems to be about."""

    text: str
    passage: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A collection in memory.

    ``documents`` are texts (title, newline, text) by id, in the order of the file, blank
    rows left out and counted in ``blank``. ``queries`` are those with a judgement.
    ``judgements`` give relevance > 0 by query and document. ``answers`` and
    ``unanswerable`` are empty where the collection has none.
    """

    name: str
    documents: Mapping[str, str]
    blank: int
    queries: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, int]]
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unanswerable: tuple[Unanswerable, ...] = ()


def load_dataset(folder: Path, limit: int | None = None) -> Dataset:
    """Read a collection; ``limit`` keeps the first so many questions of each kind.

    Raises:
        KnownError: a file is missing or is not what it should be.
        ValueError: ``limit`` is not positive.
    """
    if limit is not None and limit <= 0:
        raise ValueError(f"limit must be greater than 0, not {limit}")
    try:
        return _loaded(folder, limit)
    except OSError as error:
        raise _unusable(folder, f"“{error.filename}” can't be read") from error
    except (ValueError, KeyError, TypeError) as error:
        raise _unusable(folder, f"a row is not what it should be ({error})") from error


def _loaded(folder: Path, limit: int | None) -> Dataset:
    rows = {str(row["_id"]): _written(row) for row in _rows(folder / CORPUS)}
    documents = {row: text for row, text in rows.items() if text.strip()}
    judgements = _judgements(folder / JUDGEMENTS)
    queries = {
        str(row["_id"]): str(row["text"])
        for row in _rows(folder / QUERIES)
        if str(row["_id"]) in judgements and str(row["text"]).strip()
    }
    return Dataset(
        name=folder.name,
        documents=documents,
        blank=len(rows) - len(documents),
        queries=dict(list(queries.items())[:limit]),
        judgements=judgements,
        answers={
            str(row["_id"]): tuple(map(str, row["answers"]))
            for row in _rows(folder / ANSWERS, optional=True)
        },
        unanswerable=tuple(
            Unanswerable(str(row["text"]), row.get("passage"))
            for row in _rows(folder / UNANSWERABLE, optional=True)
        )[:limit],
    )


def _written(row: Mapping[str, Any]) -> str:
    title, text = str(row.get("title") or ""), str(row.get("text") or "")
    return f"{title}\n{text}" if title.strip() else text


def _rows(path: Path, optional: bool = False) -> Iterator[dict[str, Any]]:
    if optional and not path.exists():
        return
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    judged: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            relevance = int(row["score"])
            if relevance > 0:
                judged.setdefault(row["query-id"], {})[row["corpus-id"]] = relevance
    return judged


def _unusable(folder: Path, reason: str) -> KnownError:
    return KnownError(
        "Not a data set",
        f"“{folder}” can't be measured: {reason}. A data set has {CORPUS}, {QUERIES} "
        f"and {JUDGEMENTS}.",
        str(folder),
    )
