"""What is told of a search, in the question's language: what failed, what was searched too."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.foundation.language import CHINESE, language_of

_FAILED = {
    "en": "A part of the search failed, so something may be missing from the answer.",
    "zh": "部分搜索失败，答案可能有遗漏。",
}
_TOO_SLOW = {
    "en": "A part of the search took too long, so something may be missing from the answer.",
    "zh": "部分搜索耗时过长，答案可能有遗漏。",
}
_BUSY = {
    "en": "A part of the search does not answer and was left out, so something may be missing "
    "from the answer.",
    "zh": "部分搜索没有响应，已略过，答案可能有遗漏。",
}


def failed_note(question: str) -> str:
    """Return the note about a retriever that raised an error."""
    return _FAILED[_language(question)]


def too_slow_note(question: str) -> str:
    """Return the note about a retriever that exceeded its time."""
    return _TOO_SLOW[_language(question)]


def busy_note(question: str) -> str:
    """Return the note about a retriever that still hangs with former questions."""
    return _BUSY[_language(question)]


def spelling_note(question: str, corrections: Sequence[tuple[str, str]]) -> str:
    """Return the note about words (as written, as meant) that were searched as meant, too."""
    if _language(question) == "zh":
        return "".join(
            f"同时搜索了“{meant}”：文档中没有“{written}”。" for written, meant in corrections
        )
    return " ".join(
        f"Searched for “{meant}” too: “{written}” is nowhere in your documents."
        for written, meant in corrections
    )


def acronym_note(question: str, forms: Sequence[tuple[str, str]]) -> str:
    """Return the note about words (as written, other words for them) searched both ways."""
    if _language(question) == "zh":
        return "".join(
            f"同时搜索了“{other}”：文档中把它和“{written}”写在一起。" for written, other in forms
        )
    return " ".join(
        f"Searched for “{other}” too: in your documents it means the same as “{written}”."
        for written, other in forms
    )


def translation_note(question: str, text: str) -> str:
    """Return the note about a question's words in the other language, searched as well."""
    if _language(question) == "zh":
        return f"文档有英文内容，因此也搜索了“{text}”。"
    return f"Some of your documents are in Chinese, so “{text}” was searched as well."


def _language(question: str) -> str:
    return "zh" if language_of(question) == CHINESE else "en"
