"""Questions with the evidence that the program finds for them: what the models are fitted on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from zlib import crc32

import numpy as np

from desktop_rag.answering.evidence import Evidence
from desktop_rag.domain.content import Content
from desktop_rag.domain.filter import IsNotIn
from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.datasets import Dataset
from desktop_rag.evaluation.libraries import name_of, opened, row_of, write_documents
from desktop_rag.evaluation.logistic import Values
from desktop_rag.retrieval.aggregators.relative import DEPTH
from desktop_rag.services.assistant_parts import AssistantParts
from desktop_rag.services.services import OpenServices

_SMALL_SIZES = (1, 2, 3, 5, 10, 20)
"""Documents of the small libraries: in those, rare and missing words weigh differently."""

_FROM_ONE_DOCUMENT = 3
_STRANGERS = 6


class CaseKind(StrEnum):
    """Whether the library answers the question, and if not, how near it comes.

    ``ADVERSARIAL``: written to look answerable by a passage that is there.
    ``TAKEN_AWAY``: answerable, but its documents are not searched, or not there.
    ``OFF_TOPIC``: of another collection.
    """

    ANSWERABLE = "answerable"
    ADVERSARIAL = "adversarial"
    TAKEN_AWAY = "taken_away"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True)
class Case:
    """One question; ``holds`` is 1 for each sentence of a right document with an answer.

    ``hits`` is 1 for each sentence with an answer, whatever its document. ``judging`` tells
    the half that is kept out of fitting; ``small`` tells the small libraries.
    """

    kind: CaseKind
    evidence: Evidence
    holds: Values
    hits: Values
    judging: bool
    small: bool


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many questions of the whole collection, and how many small libraries."""

    questions: int = 1_000
    small_libraries: int = 40
    seed: int = 1


def gather(
    open_services: OpenServices,
    dataset: Dataset,
    off_topic: Sequence[str],
    folder: Path,
    sizes: Sizes,
    tell: Callable[[str], None],
) -> list[Case]:
    """Ask a collection's questions in a library of all its documents, and in small ones."""
    chance = random.Random(sizes.seed)
    queries = chance.sample(list(dataset.queries), min(sizes.questions, len(dataset.queries)))
    cases: list[Case | None] = []
    with _asking(open_services, dataset, folder / "whole", small=False) as asker:
        tell(f"{dataset.name}: {len(queries)} questions of {len(dataset.documents)} documents")
        cases += asker.whole(queries, chance, off_topic)
    for number in range(sizes.small_libraries):
        part = _part_of(dataset, queries, chance)
        tell(f"{dataset.name}: small library {number + 1} of {sizes.small_libraries}")
        with _asking(open_services, part, folder / f"small-{number}", small=True) as asker:
            cases += asker.small(queries, chance, off_topic, dataset)
    return [case for case in cases if case is not None]


class _Asker:
    """Asks one library."""

    def __init__(self, parts: AssistantParts, dataset: Dataset, small: bool) -> None:
        self._parts = parts
        self._dataset = dataset
        self._rows = list(dataset.documents)
        self._small = small

    def whole(
        self, queries: Sequence[str], chance: random.Random, off_topic: Sequence[str]
    ) -> Iterator[Case | None]:
        """Yield cases of every kind."""
        dataset = self._dataset
        for number, query in enumerate(queries):
            yield self.answerable(dataset, query)
            if number % 3 == 0:
                yield self.taken_away(dataset, query)
        unanswerable = list(dataset.unanswerable)
        for one in chance.sample(unanswerable, min(len(queries) * 2 // 3, len(unanswerable))):
            yield self._case(CaseKind.ADVERSARIAL, one.text)
        for text in chance.sample(list(off_topic), min(len(queries) // 3, len(off_topic))):
            yield self._case(CaseKind.OFF_TOPIC, text)

    def small(
        self,
        queries: Sequence[str],
        chance: random.Random,
        off_topic: Sequence[str],
        whole: Dataset,
    ) -> Iterator[Case | None]:
        """Yield cases of a library of a few documents."""
        own = self._dataset
        for query in list(own.queries)[: _FROM_ONE_DOCUMENT * len(own.documents)]:
            yield self.answerable(own, query)
        about = [one for one in whole.unanswerable if one.passage in own.documents]
        for one in about[: 2 * len(own.documents)]:
            yield self._case(CaseKind.ADVERSARIAL, one.text)
        for query in chance.sample(list(queries), min(_STRANGERS, len(queries))):
            if query not in own.queries:
                yield self._case(CaseKind.TAKEN_AWAY, whole.queries[query])
        for text in chance.sample(list(off_topic), min(_STRANGERS // 2, len(off_topic))):
            yield self._case(CaseKind.OFF_TOPIC, text)

    def answerable(self, dataset: Dataset, query: str) -> Case | None:
        """Return the case of a question with answers; None where nothing was found."""
        return self._case(
            CaseKind.ANSWERABLE,
            dataset.queries[query],
            dataset.answers.get(query, ()),
            dataset.judgements[query],
        )

    def taken_away(self, dataset: Dataset, query: str) -> Case | None:
        """Return the case of a question whose documents are not searched."""
        away = dataset.judgements[query]
        return self._case(CaseKind.TAKEN_AWAY, dataset.queries[query], without=away)

    def _case(
        self,
        kind: CaseKind,
        text: str,
        answers: Sequence[str] = (),
        relevant: Mapping[str, int] | None = None,
        without: Mapping[str, int] | None = None,
    ) -> Case | None:
        augmentor = self._parts.augmentor("hybrid", rerank=True, depth=DEPTH, cancel=None)
        found = augmentor.augment(UserMessage(text), self._context(without or {}))
        contents = found.contents[: self._parts.answerer.passages]
        read = self._parts.evidence.read(found.question, contents)
        if not read:
            return None
        evidence = read[0]
        hits = np.zeros(len(evidence.sentences))
        right = np.zeros(len(evidence.sentences))
        for position, sentence in enumerate(evidence.sentences):
            content = contents[sentence.content]
            quote = content.segment.text[slice(*sentence.span)]
            hits[position] = bool(answers) and metrics.answer_hit([quote], answers)
            right[position] = bool(relevant) and self._row(content) in (relevant or {})
        judging = crc32(text.encode()) % 2 == 1
        return Case(kind, evidence, hits * right, hits, judging, self._small)

    def _context(self, without: Mapping[str, int]) -> QueryContext:
        names = frozenset(name_of(self._rows.index(row), self._dataset.suffix) for row in without)
        return QueryContext(filter=IsNotIn("file_name", names) if names else None)

    def _row(self, content: Content) -> str:
        return self._rows[row_of(str(content.segment.metadata["path"]))]


@contextmanager
def _asking(
    open_services: OpenServices, dataset: Dataset, folder: Path, small: bool
) -> Iterator[_Asker]:
    write_documents(dataset, folder / "documents")
    with opened(open_services, folder / "library") as services:
        services.library.index((str(folder / "documents"),))
        yield _Asker(services.assistant.parts, dataset, small)


def _part_of(dataset: Dataset, queries: Sequence[str], chance: random.Random) -> Dataset:
    """Return a few documents with the questions that they answer."""
    asked = {document: query for query in queries for document in dataset.judgements[query]}
    rows = chance.sample(list(asked), min(chance.choice(_SMALL_SIZES), len(asked)))
    kept = {row: dataset.documents[row] for row in rows}
    answered = {
        query: dataset.queries[query]
        for query in queries
        if kept.keys() & dataset.judgements[query].keys()
    }
    return replace(dataset, documents=kept, queries=answered)
