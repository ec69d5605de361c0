"""Collections in the manner of BEIR: a corpus, questions, judgements, perhaps answers.

Others are Markdown files with questions and the very characters that answer them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.evaluation.spans import Passage
from desktop_rag.foundation.errors import KnownError

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
JUDGEMENTS = "qrels.tsv"
ANSWERS = "answers.jsonl"
UNANSWERABLE = "unanswerable.jsonl"
SPANS = "gold_spans.jsonl"


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
    ``unanswerable`` are empty where the collection has none. ``spans`` are the passages
    that a query needs, in collections of Markdown files; ``suffix`` is how the name of a
    document's file ends.
    """

    name: str
    documents: Mapping[str, str]
    blank: int
    queries: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, int]]
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unanswerable: tuple[Unanswerable, ...] = ()
    spans: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)
    suffix: str = ".txt"


def load_dataset(folder: Path, limit: int | None = None) -> Dataset:
    """Read a collection; ``limit`` keeps the first so many questions of each kind.

    Raises:
        KnownError: a file is missing or is not what it should be.
        ValueError: ``limit`` is not positive.
    """
    if limit is not None and limit <= 0:
        raise ValueError(f"limit must be greater than 0, not {limit}")
    try:
        if (folder / SPANS).exists():
            return _loaded_with_spans(folder, limit)
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


def _loaded_with_spans(folder: Path, limit: int | None) -> Dataset:
    documents = {
        path.stem: path.read_bytes().decode("utf-8-sig") for path in sorted(folder.glob("*.md"))
    }
    rows = {str(row["_id"]): row for row in _rows(folder / SPANS) if row["refs"]}
    spans = {query: _passages(row, documents) for query, row in rows.items()}
    return Dataset(
        name=folder.name,
        documents=documents,
        blank=0,
        queries=dict([(query, str(row["text"])) for query, row in rows.items()][:limit]),
        judgements={
            query: {passage.document: 1 for passage in passages}
            for query, passages in spans.items()
        },
        spans=spans,
        suffix=".md",
    )


def _passages(row: Mapping[str, Any], documents: Mapping[str, str]) -> tuple[Passage, ...]:
    """Return where the answer stands; offsets that hold other words are an error."""
    document = str(row["doc"])
    passages = []
    for part in row["refs"]:
        passage = Passage(document, int(part["start"]), int(part["end"]))
        if not passage.start < passage.end:
            raise ValueError(f"{row['_id']} needs an empty passage")
        if documents[document][passage.start : passage.end] != part["content"]:
            raise ValueError(f"{row['_id']} needs words that are not at their place")
        passages.append(passage)
    return tuple(passages)


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
        f"and {JUDGEMENTS}, or Markdown files and {SPANS}.",
        str(folder),
    )
