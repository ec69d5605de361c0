"""What is counted, as trec_eval and SQuAD's script count it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from math import log2

import numpy as np

QUOTE_CHARACTERS = 300
"""A quote counts up to here, so that long ones don't win by their length."""

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def ndcg(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Return normalised discounted cumulative gain at ``k``: linear gain over log2(rank + 1)."""
    gains = [relevant.get(document, 0) for document in ranked[:k]]
    ideal = _discounted(sorted(relevant.values(), reverse=True)[:k])
    return _discounted(gains) / ideal if ideal else 0.0


def reciprocal_rank(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Return 1 / rank of the first relevant document within ``k``, else 0."""
    for rank, document in enumerate(ranked[:k], start=1):
        if relevant.get(document, 0) > 0:
            return 1.0 / rank
    return 0.0


def recall(ranked: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Return the share of the relevant documents that are within ``k``."""
    wanted = {document for document, gain in relevant.items() if gain > 0}
    return len(wanted.intersection(ranked[:k])) / len(wanted) if wanted else 0.0


def answer_hit(quotes: Sequence[str], answers: Sequence[str]) -> bool:
    """Tell whether one of the quotes, cut at 300 characters, holds one of the answers."""
    texts = [normalised(quote[:QUOTE_CHARACTERS]) for quote in quotes]
    wanted = [text for answer in answers if (text := normalised(answer))]
    return any(answer in text for answer in wanted for text in texts)


def normalised(text: str) -> str:
    """Return text as SQuAD compares it: lower case, no punctuation, no articles, single spaces.

    Punctuation is what Unicode calls so, and width makes no difference: the Chinese
    sets need both.
    """
    folded = unicodedata.normalize("NFKC", text).lower()
    kept = "".join(c for c in folded if not unicodedata.category(c).startswith(("P", "S")))
    return " ".join(_ARTICLES.sub(" ", kept).split())


def area_under_curve(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Return the chance that a positive scores above a negative, ties counted half.

    Raises:
        ValueError: one side is empty.
    """
    if not positives or not negatives:
        raise ValueError("an area under the curve needs positives and negatives")
    below = np.sort(np.asarray(negatives))
    left = np.searchsorted(below, positives, side="left")
    right = np.searchsorted(below, positives, side="right")
    return float((left + right).mean() / 2 / len(below))


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
