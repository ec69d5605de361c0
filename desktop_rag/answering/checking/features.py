"""What speaks for a sentence, and what against it, in the passages that it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.answering.checking.facts import Fact, FactKind
from desktop_rag.answering.checking.names import name_key
from desktop_rag.answering.checking.polarity import turned
from desktop_rag.answering.checking.reading import ReadText, read_text
from desktop_rag.answering.checking.slots import doubt
from desktop_rag.answering.evidence import TermStore
from desktop_rag.domain.content import Content
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.scoring.late_interaction import best_match
from desktop_rag.retrieval.scoring.read_passage import ReadPassage, read_passage
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from desktop_rag.text.folding import fold_for_model

CHECK_FEATURES = (
    "sentence_coverage",
    "elsewhere",
    "match",
    "number_missing",
    "name_missing",
    "number_doubt",
    "name_doubt",
    "turned",
)
"""Names of the columns. The share of the sentence's terms, by idf, in the best sentence of the
passages, and the share in their other words; the late interaction of the sentence with the
passages; whether a number (a date) or a name is in none of them; how much better another
one fits in its place; whether a negation or an opposite differs."""

Row = npt.NDArray[np.float64]
_DEFAULT_IDF = 5.0
"""Of terms that no document has: rare ones."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A sentence of a content: which content, and its offsets in the segment's text."""

    content: int
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Findings:
    """A sentence held against contents; ``best`` is the sentence nearest to it.

    ``missing`` are facts that the contents have nowhere, ``doubtful`` the one that stands
    among other words there, if any.
    """

    row: Row
    best: Quoted | None
    missing: tuple[str, ...] = ()
    doubtful: str = ""
    same_language: bool = True

    @property
    def missing_number(self) -> bool:
        """Whether a number or a date is nowhere in the contents."""
        return self.of("number_missing") > 0.0

    def of(self, name: str) -> float:
        """Return one feature."""
        return float(self.row[CHECK_FEATURES.index(name)])


@dataclass(frozen=True, slots=True)
class _Passage:
    """A passage as it is compared: whole, and its sentences."""

    read: ReadPassage
    whole: ReadText
    sentences: tuple[ReadText, ...]


class ClaimReader:
    """Compares sentences with contents; thread-safe.

    Args:
        terms: the store's term statistics.
        vectors: gives token vectors, shared with ranking: the passages' are mostly there.
    """

    def __init__(self, terms: TermStore, vectors: TokenVectors) -> None:
        self._terms = terms
        self._vectors = vectors

    def read(
        self,
        claim: str,
        language: str,
        contents: Sequence[Content],
        cited: Sequence[int],
        cancel: CancelToken | None = None,
    ) -> Findings:
        """Hold ``claim`` against the contents at the positions ``cited``, taken together.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        stated = read_text(claim)
        passages = [_passage(contents[at]) for at in cited]
        match = self._match(claim, language, [one.read for one in passages], cancel)
        held = _Held(stated, passages, self._weights(stated))
        best = held.best
        return Findings(
            held.row(match),
            Quoted(cited[best[0]], passages[best[0]].read.spans[best[1]]) if best else None,
            tuple(held.written(one) for one in held.missing if not one.vague),
            held.doubtful,
            any(one.read.language == language for one in passages),
        )

    def _weights(self, stated: ReadText) -> Mapping[str, float]:
        terms = sorted(stated.words)
        statistics = self._terms.term_statistics(terms) if terms else {}
        return {term: statistics.get(term) or _DEFAULT_IDF for term in terms}

    def _match(
        self, claim: str, language: str, passages: Sequence[ReadPassage], cancel: CancelToken | None
    ) -> float:
        """Return the late interaction with the passages of the claim's own language."""
        same = [one for one in passages if one.language == language]
        folded = fold_for_model(claim, language)
        if not same or not folded:
            return 0.0
        own, *others = self._vectors.of(
            [(language, folded), *((language, one.text) for one in same)], cancel
        )
        return max(best_match(own, other) for other in others)


class _Held:
    """A sentence beside the passages that it cites."""

    def __init__(
        self, stated: ReadText, passages: Sequence[_Passage], weights: Mapping[str, float]
    ) -> None:
        self._stated = stated
        self._weights = weights
        self._source = read_text("\n\n".join(one.whole.text for one in passages))
        self._context = [one.read.context for one in passages]
        self.best = _best_sentence(stated, passages, weights)
        self._nearest = _window(passages, self.best)
        self.missing = [
            fact for fact in stated.facts if _is_missing(fact, self._source, self._context)
        ]
        self._doubts = {
            fact: doubt(fact, stated, self._source, weights)
            for fact in stated.facts
            if fact not in self.missing
        }

    @property
    def doubtful(self) -> str:
        """The fact that fits least, "" without any."""
        worst = max(self._doubts, key=lambda fact: self._doubts[fact], default=None)
        return "" if worst is None else self.written(worst)

    def written(self, fact: Fact) -> str:
        """Return a fact as the sentence has it."""
        return self._stated.text[fact.start : fact.end]

    def row(self, match: float) -> Row:
        """Return the features."""
        said = _coverage(self._stated, self._nearest, self._weights)
        anywhere = _coverage(self._stated, self._source, self._weights, self._context)
        absent = [one for one in self.missing if not one.vague]
        return np.array(
            (
                said,
                max(anywhere - said, 0.0),
                match,
                float(any(one.kind is not FactKind.NAME for one in absent)),
                float(any(one.kind is FactKind.NAME for one in absent)),
                _worst(self._doubts, of_names=False),
                _worst(self._doubts, of_names=True),
                turned(self._stated, self._nearest) if self.best else 0.0,
            )
        )


def _passage(content: Content) -> _Passage:
    read = read_passage(content.segment)
    text = content.segment.text
    return _Passage(read, read_text(text), tuple(read_text(text[a:b]) for a, b in read.spans))


def _best_sentence(
    stated: ReadText, passages: Sequence[_Passage], weights: Mapping[str, float]
) -> tuple[int, int] | None:
    """Return passage and number of the sentence with most of the claim's terms."""
    every = [
        (_coverage(stated, sentence, weights), -i, -j)
        for i, passage in enumerate(passages)
        for j, sentence in enumerate(passage.sentences)
    ]
    if not every:
        return None
    _, i, j = max(every)
    return -i, -j


def _window(passages: Sequence[_Passage], best: tuple[int, int] | None) -> ReadText:
    if best is None:
        return read_text("")
    return passages[best[0]].sentences[best[1]]


def _coverage(
    stated: ReadText, source: ReadText, weights: Mapping[str, float], context: Sequence[str] = ()
) -> float:
    """Return the share of what a claim states that a text has; numbers in any form."""
    words = source.words.union(*(read_text(one).words for one in context))
    facts = [one for one in stated.facts if one.kind is not FactKind.NAME and not one.vague]
    there = [one for one in facts if any(other.bears_out(one) for other in source.facts)]
    whole = sum(weights[term] for term in stated.plain) + _DEFAULT_IDF * len(facts)
    has = sum(weights[term] for term in stated.plain & words) + _DEFAULT_IDF * len(there)
    return has / whole if whole else 0.0


def _is_missing(fact: Fact, source: ReadText, context: Sequence[str]) -> bool:
    """Whether a fact is nowhere in the source; a name may also be among its plain words."""
    if any(one.bears_out(fact) for one in source.facts):
        return False
    if fact.kind is not FactKind.NAME:
        return not any(one.bears_out(fact) for text in context for one in read_text(text).facts)
    folded = name_key("\n".join((source.text, *context)))
    if fact.value.isascii():
        return not set(fact.value.split()) <= set(folded.split())
    return fact.value not in folded


def _worst(doubts: Mapping[Fact, float], of_names: bool) -> float:
    return max(
        (value for fact, value in doubts.items() if (fact.kind is FactKind.NAME) is of_names),
        default=0.0,
    )
