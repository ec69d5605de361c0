"""Collections in the manner of BEIR: a corpus, questions, judgements, perhaps answers.

Others are Markdown files with questions and the very characters that answer them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.conversation.chat_session import HISTORY_MESSAGES
from desktop_rag.domain.messages import AiMessage, ChatMessage, UserMessage
from desktop_rag.evaluation.metrics import normalised
from desktop_rag.evaluation.spans import Passage
from desktop_rag.foundation.errors import KnownError

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
JUDGEMENTS = "qrels.tsv"
ANSWERS = "answers.jsonl"
UNANSWERABLE = "unanswerable.jsonl"
CONVERSATIONS = "conversations.jsonl"
SPANS = "gold_spans.jsonl"

_SPEAKERS: Mapping[str, type[UserMessage] | type[AiMessage]] = {
    "user": UserMessage,
    "agent": AiMessage,
    "assistant": AiMessage,
}


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """A question that no document answers; ``passage`` is the one it seems to be about."""

    text: str
    passage: str | None = None
    row: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A collection in memory.

    ``documents`` are texts (title, newline, text) by id, in the order of the file, blank
    rows left out and counted in ``blank``. ``queries`` are those with a judgement.
    ``judgements`` give relevance > 0 by query and document. ``answers`` and
    ``unanswerable`` are empty where the collection has none; answers that were written, and
    are not the documents' own words, can't be quoted, so they are none. ``histories`` are
    the conversations before a query, as much of them as goes along in a chat, oldest message
    first. ``spans`` are the passages that a query needs, in collections of Markdown
    files; ``suffix`` is how the name of a document's file ends.
    """

    name: str
    documents: Mapping[str, str]
    blank: int
    queries: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, int]]
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unanswerable: tuple[Unanswerable, ...] = ()
    spans: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)
    histories: Mapping[str, tuple[ChatMessage, ...]] = field(default_factory=dict)
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
        answers=_answers(folder / ANSWERS, documents, judgements),
        unanswerable=tuple(
            Unanswerable(str(row["text"]), row.get("passage"), str(row.get("_id", "")))
            for row in _rows(folder / UNANSWERABLE, optional=True)
        )[:limit],
        histories={
            str(row["_id"]): history
            for row in _rows(folder / CONVERSATIONS, optional=True)
            if (history := tuple(map(_message, row["history"]))[-HISTORY_MESSAGES:])
        },
    )


def _answers(
    path: Path, documents: Mapping[str, str], judgements: Mapping[str, Collection[str]]
) -> dict[str, tuple[str, ...]]:
    """Return the answers, none at all where most are no words of a right document."""
    answers = {str(row["_id"]): tuple(map(str, row["answers"])) for row in _rows(path, True)}
    texts: dict[str, str] = {}
    judged = [row for row in answers if row in judgements]
    quotable = 0
    for row in judged:
        for document in judgements[row]:
            texts.setdefault(document, normalised(documents.get(document, "")))
        found = [texts[document] for document in judgements[row]]
        quotable += any(normalised(one) in text for one in answers[row] for text in found)
    return answers if quotable * 2 > len(judged) else {}


def _message(row: Mapping[str, Any]) -> ChatMessage:
    speaker = _SPEAKERS.get(row["role"])
    if speaker is None:
        raise ValueError(f"“{row['role']}” is none of {', '.join(_SPEAKERS)}")
    return speaker(str(row["text"]))


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
