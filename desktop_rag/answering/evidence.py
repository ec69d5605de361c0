"""The sentences that may answer a question, and what speaks for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.answering.answer_types import AnswerType, asked_for, holds
from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.embedding.model import Matrix
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.scoring.late_interaction import best_match
from desktop_rag.retrieval.scoring.read_passage import ReadPassage, read_passage
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from desktop_rag.text.analysis import analyse, analyse_query
from desktop_rag.text.folding import fold_for_model

Features = npt.NDArray[np.float64]

SENTENCE_FEATURES = (
    "passage_match",
    "passage_coverage",
    "rank",
    "sentence_match",
    "window_match",
    "coverage",
    "coverage_with_before",
    "answer_type",
    "length",
    "news",
)
"""Names of the columns, in order. Of the passage: its late interaction with the question;
the share of the question's terms, by idf, that it holds; 1 / rank. Of the sentence, by its
token vectors within the passage: late interaction, alone and together with the sentences
before and after. Of its words: the share of the question's terms, alone and together with
the context and the sentence before; whether it has what kind of thing is asked for; the
logarithm of its number of terms; the share of its terms that are not the question's.

The passage's fused score, its vector's cosine, a cosine of the sentence's mean token vector
and the coverage of the sentence after were tried: they add nothing to these (hit@1, hit@3 and
areas under the curve within .003), and the fused score means something else in every library.
"""


class TermStore(Protocol):
    """Knows how rare terms are."""

    def term_statistics(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return the idf of each term."""
        ...


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a content: ``span`` are offsets in the segment's own text."""

    content: int
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sentences with their features, one row each, all read by one language's model."""

    sentences: tuple[Sentence, ...]
    features: Features
    language: str


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    terms: frozenset[str]
    idf: Mapping[str, float]
    kind: AnswerType | None
    vectors: Matrix

    def of_words(
        self,
        sentence: str,
        terms: frozenset[str],
        before: frozenset[str],
    ) -> tuple[float, ...]:
        """Return the features that are of the sentence's words alone."""
        return (
            self.coverage(terms),
            self.coverage(terms | before),
            holds(sentence, self.kind, self.text),
            float(np.log1p(len(terms))),
            len(terms - self.terms) / len(terms) if terms else 0.0,
        )

    def coverage(self, terms: frozenset[str]) -> float:
        """Return the share of the question's terms, weighted by idf, that are in ``terms``."""
        whole = sum(self.idf.values())
        return sum(self.idf[term] for term in self.terms & terms) / whole if whole else 0.0


class EvidenceReader:
    """Reads passages sentence by sentence; one run of the model a passage.

    Args:
        terms: the store's term statistics.
        vectors: gives token vectors, shared with the re-ranking.
    """

    def __init__(self, terms: TermStore, vectors: TokenVectors) -> None:
        self._terms = terms
        self._vectors = vectors

    def read(
        self, question: Query, contents: Sequence[Content], cancel: CancelToken | None = None
    ) -> list[Evidence]:
        """Return every distinct sentence of the contents, in their order.

        Passages in a language that the question is translated to are compared with that.

        One evidence a language, that of the best content first: what one model makes of
        its passages doesn't compare with what another makes of others.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        passages = [read_passage(content.segment) for content in contents]
        matrices = self._vectors.of([(one.language, one.text) for one in passages], cancel)
        languages = dict.fromkeys(one.language for one in passages)
        asked = {language: self._question(question, language) for language in languages}
        found: dict[str, dict[str, tuple[Sentence, Features]]] = {}
        for index, (passage, matrix) in enumerate(zip(passages, matrices, strict=True)):
            rows = self._rows(asked[passage.language], index + 1, passage, matrix)
            known = found.setdefault(passage.language, {})
            for span, folded, row in zip(passage.spans, passage.folded, rows, strict=True):
                known.setdefault(folded, (Sentence(index, span), row))
        return [
            _evidence(list(rows.values()), language) for language, rows in found.items() if rows
        ]

    def _question(self, question: Query, language: str) -> _Question:
        text = question.in_language(language)
        terms = analyse_query(text)
        statistics = self._terms.term_statistics(terms) if terms else {}
        folded = fold_for_model(text, language)
        vectors = self._vectors.model(language).query_token_vectors(folded)
        idf = {term: statistics.get(term, 0.0) for term in terms}
        asked = question.text
        return _Question(asked, frozenset(terms), idf, asked_for(asked), vectors)

    def _rows(
        self, asked: _Question, rank: int, passage: ReadPassage, matrix: Matrix
    ) -> list[Features]:
        tokens = asked.vectors
        context = frozenset(analyse(passage.context))
        terms = [frozenset(analyse(sentence)) for sentence in passage.folded]
        of_passage = (
            best_match(tokens, matrix),
            asked.coverage(context.union(*terms)),
            1.0 / rank,
        )
        before = [context, *(context | own for own in terms)]
        ends = self._ends(passage)
        rows = []
        for at, sentence in enumerate(passage.folded):
            alone = matrix[ends[at] : ends[at + 1]]
            window = matrix[ends[max(at - 1, 0)] : ends[min(at + 2, len(ends) - 1)]]
            of_meaning = (best_match(tokens, alone), best_match(tokens, window))
            of_words = asked.of_words(sentence, terms[at], before[at])
            rows.append(np.array((*of_passage, *of_meaning, *of_words)))
        return rows

    def _ends(self, passage: ReadPassage) -> list[int]:
        """Return the row of the first token of each sentence, and of what is behind the last."""
        counter = self._vectors.model(passage.language).counter
        counts = [counter.count(sentence) for sentence in passage.folded]
        first = counter.count(passage.context) if passage.context else 0
        return list(accumulate(counts, initial=first))


def _evidence(rows: Sequence[tuple[Sentence, Features]], language: str) -> Evidence:
    return Evidence(tuple(one for one, _ in rows), np.array([row for _, row in rows]), language)
