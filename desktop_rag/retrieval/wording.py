"""What is told when a part of the search gives nothing, in the question's language."""

from __future__ import annotations

from desktop_rag.foundation.language import CHINESE, language_of

_FAILED = {
    "en": "A part of the search failed, so something may be missing from the answer.",
    "zh": "部分搜索失败，答案可能有遗漏。",
}
_TOO_SLOW = {
    "en": "A part of the search took too long, so something may be missing from the answer.",
    "zh": "部分搜索耗时过长，答案可能有遗漏。",
}


def failed_note(question: str) -> str:
    """Return the note about a retriever that raised an error."""
    return _FAILED[_language(question)]


def too_slow_note(question: str) -> str:
    """Return the note about a retriever that exceeded its time."""
    return _TOO_SLOW[_language(question)]


def _language(question: str) -> str:
    return "zh" if language_of(question) == CHINESE else "en"
