"""Numbers, dates and names in a text: what a source must have if a sentence states it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class FactKind(StrEnum):
    """Kinds of facts; those of one kind can be mistaken for each other."""

    NUMBER = "number"
    YEAR = "year"
    PERCENT = "percent"
    DATE = "date"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Fact:
    """A number, date or name as it stands at ``text[start:end]``.

    ``value`` is its usual form; ``forms`` are all values that it bears out (a day bears out
    its month and its year). Vague facts ("one", "first") bear out but state nothing.
    """

    kind: FactKind
    value: str
    start: int
    end: int
    forms: frozenset[str]
    vague: bool = False

    def bears_out(self, stated: Fact) -> bool:
        """Whether a source with this fact has what a sentence states."""
        return stated.value in self.forms


def free_of(found: Sequence[Fact], start: int, end: int) -> bool:
    """Whether no fact found so far touches ``[start, end)``."""
    return all(end <= one.start or start >= one.end for one in found)
