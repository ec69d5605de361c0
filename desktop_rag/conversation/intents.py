"""Tells what a question wants: rules first, then a language model, and else it is looked up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from desktop_rag.domain.intent import Intent
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import CHINESE, language_of
from desktop_rag.foundation.paths import resources_dir

FILE = "intents.json"
_RETRIEVERS = frozenset({"vector", "keyword", "names", "catalog"})
_LANGUAGES = frozenset({"en", "zh"})
_FIRST = (Intent.GENERAL, Intent.COMPARISON, Intent.SUMMARY, Intent.LIST, Intent.LOOKUP)
"""A sign of looking up is in nearly every question, so it is asked about last."""


@dataclass(frozen=True, slots=True)
class IntentPlan:
    """What an intent does: whom it asks (none: nothing is searched), and its template's name.

    ``signs`` are, by language, what tells it in a question.
    """

    retrievers: tuple[str, ...]
    template: str
    signs: Mapping[str, tuple[re.Pattern[str], ...]]


Plans = Mapping[Intent, IntentPlan]
AskModel = Callable[[str], Intent | None]
"""What a language model takes a question for; None where it is no help."""


@cache
def load_plans(path: Path | None = None) -> Plans:
    """Return the plan of each intent, from the resources; read and checked once.

    Raises:
        KnownError: the file is missing or damaged.
    """
    path = path or resources_dir() / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if set(data) != set(Intent):
            raise ValueError("it must have every intent, and no other")
        return {intent: _plan(data[intent.value]) for intent in Intent}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, re.error) as error:
        raise KnownError(
            "A file of the program is damaged",
            f"“{path.name}” can't be used ({error}). Install the program again.",
            str(path),
        ) from error


def _plan(data: Mapping[str, Any]) -> IntentPlan:
    retrievers, template, signs = data["retrievers"], data["template"], data["signs"]
    unknown = set(retrievers) - _RETRIEVERS
    if unknown:
        raise ValueError(f"there is no retriever {', '.join(sorted(unknown))}")
    if not template.strip() or set(signs) != _LANGUAGES:
        raise ValueError("an intent needs a template, and signs in en and zh")
    compiled = {
        language: tuple(re.compile(sign, re.IGNORECASE) for sign in found)
        for language, found in signs.items()
    }
    return IntentPlan(tuple(retrievers), template, compiled)


class IntentRecogniser:
    """Knows an intent by its signs; asks a model only where there are none.

    A model that fails costs nothing: the question is looked up. Nor is its word enough for
    ``GENERAL``, which would leave the documents out: that takes a sign.

    Args:
        plans: the intents with their signs.
    """

    def __init__(self, plans: Plans | None = None) -> None:
        self._plans = load_plans() if plans is None else plans

    def recognise(self, question: str, ask_model: AskModel | None = None) -> Intent:
        """Return what ``question`` wants."""
        told = self._by_signs(question)
        if told is None and ask_model is not None:
            told = ask_model(question)
            if told is Intent.GENERAL:
                told = None
        return told or Intent.LOOKUP

    def plan(self, intent: Intent) -> IntentPlan:
        """Return what an intent does."""
        return self._plans[intent]

    def _by_signs(self, question: str) -> Intent | None:
        language = "zh" if language_of(question) == CHINESE else "en"
        text = " ".join(question.split())
        for intent in _FIRST:
            if any(sign.search(text) for sign in self._plans[intent].signs[language]):
                return intent
        return None
