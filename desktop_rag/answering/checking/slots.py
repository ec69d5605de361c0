"""Whether a fact stands where the source has it: among the same words, not merely somewhere.

A sentence may take a number that the source has for something else. So each fact of the
sentence is a slot with words around it; the facts of the source that could stand in it
compete, each with the words around its own places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_rag.answering.checking.facts import Fact, FactKind
from desktop_rag.answering.checking.reading import ReadText, Term

_REACH = 4.0
"""Words; a word so far from a fact counts half of one beside it."""

_SHARPNESS = 2
"""Places share most of their words; the few that differ decide."""


def doubt(stated: Fact, claim: ReadText, source: ReadText, weights: Mapping[str, float]) -> float:
    """Return how much better another fact of the source fits, 0 (none does) to 1.

    0.5 where one fits as well; ``weights`` says how telling each term is.
    """
    if stated.vague and not any(fact.bears_out(stated) for fact in source.facts):
        return 0.0
    around = _around(stated, claim, weights)
    own = max((_fit(around, at, source) for at in _places(stated, source)), default=0.0)
    known = frozenset(form for fact in claim.facts for form in (fact.value, *fact.forms))
    rivals = max(
        (
            _fit(around, source.place(fact), source)
            for fact in source.facts
            if (fact.kind is FactKind.NAME) is (stated.kind is FactKind.NAME)
            and fact.value not in known
            and not (stated.bears_out(fact) or fact.bears_out(stated))
        ),
        default=0.0,
    )
    if rivals <= 0.0:
        return 0.0
    return float(1.0 / (1.0 + (own / rivals) ** _SHARPNESS))


def _places(stated: Fact, source: ReadText) -> list[float]:
    """Return where the source has a fact; a name may also stand among its plain words."""
    found = [source.place(fact) for fact in source.facts if fact.bears_out(stated)]
    if found or stated.kind is not FactKind.NAME:
        return found
    last = stated.value.split()[-1:]
    return [one.at for one in source.terms if one.term in last]


def _around(fact: Fact, text: ReadText, weights: Mapping[str, float]) -> dict[str, float]:
    """Return the terms around a fact with what each counts, together 1."""
    at = text.place(fact)
    own = {one.term for one in text.terms if fact.start <= one.start < fact.end}
    counts: dict[str, float] = {}
    for one in text.terms:
        if one.term not in own:
            count = weights.get(one.term, 0.0) * _nearness(abs(one.at - at))
            counts[one.term] = max(counts.get(one.term, 0.0), count)
    whole = sum(counts.values())
    return {term: count / whole for term, count in counts.items()} if whole else {}


def _fit(around: Mapping[str, float], at: float, source: ReadText) -> float:
    return sum(
        count * _nearness(nearest)
        for term, count in around.items()
        if (nearest := _nearest(term, at, source.terms)) is not None
    )


def _nearest(term: str, at: float, terms: Sequence[Term]) -> float | None:
    return min((abs(one.at - at) for one in terms if one.term == term), default=None)


def _nearness(distance: float) -> float:
    return 1.0 / (1.0 + distance / _REACH)
