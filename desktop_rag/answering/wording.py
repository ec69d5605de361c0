"""The sentences of an answer that are not quotes, in the question's language."""

from __future__ import annotations

import os
from collections.abc import Sequence

from desktop_rag.domain.answer import Citation, LibraryCoverage
from desktop_rag.foundation.language import CHINESE

_NOT_FOUND = {
    "en": "Not found in your documents.",
    "zh": "文档中没有找到。",
}

_GENERAL = {
    "en": "This is general knowledge; it is not in your documents.",
    "zh": "以上是一般知识，并非来自你的文档。",
}
_NO_MODEL = {
    "en": "There is no language model that could answer from general knowledge.",
    "zh": "没有可用的语言模型，因此无法用一般知识回答。",
}

_WRITTEN = {
    "instead": (
        "{} Here are quotes instead of a written answer.",
        "{}因此这里给出的是原文摘录，而不是写成的回答。",
    ),
    "broke_off": ("The answer breaks off here: {}", "回答在此中断：{}"),
    "cut": (
        "The answer is too long for the model and ends early.",
        "回答超出模型的长度，提前结束。",
    ),
    "blank": ("The language model wrote nothing.", "语言模型没有写出任何内容。"),
    "unsupported": (
        "Your documents do not bear out any of this. Trust the quotes alone.",
        "你的文档不能证实以上任何内容，请只以原文摘录为准。",
    ),
}


def written_note(name: str, language: str, *values: str) -> str:
    """Return a note about a written answer; ``values`` are what it names."""
    return _WRITTEN[name][int(_key(language) == "zh")].format(*values)


def not_found(language: str) -> str:
    """Return what is said where no passage answers the question."""
    return _NOT_FOUND[_key(language)]


def general_note(language: str) -> str:
    """Return the notice under an answer that no document gave."""
    return _GENERAL[_key(language)]


def no_model_note(language: str) -> str:
    """Return why nothing is answered from general knowledge."""
    return _NO_MODEL[_key(language)]


def differing_note(language: str, citations: Sequence[Citation]) -> str:
    """Return that files say the same thing differently, the one that changed last first."""
    ordered = sorted(citations, key=_changed, reverse=True)
    if _key(language) == "zh":
        files = "；".join(
            f"[{one.number}] {_file(one)}{_when(one, '（修改于 {}）')}" for one in ordered
        )
        return f"文件中的说法不一致：{files}。"
    files = "; ".join(
        f"[{one.number}] {_file(one)}{_when(one, ' (changed {})')}" for one in ordered
    )
    return f"Your files say this differently: {files}."


def _changed(citation: Citation) -> str:
    return str(citation.metadata.get("modified", ""))


def _when(citation: Citation, words: str) -> str:
    changed = _changed(citation)
    return words.format(changed) if changed else ""


def _file(citation: Citation) -> str:
    return os.path.basename(citation.path)


def quoted(quote: str, number: int) -> str:
    """Return one paragraph of an answer: the quote in quotation marks, and its number."""
    return f"“{' '.join(quote.split())}” [{number}]"


def coverage_note(coverage: LibraryCoverage, language: str) -> str:
    """Return what the answer could not see of the library, "" where it saw all."""
    chinese = _key(language) == "zh"
    if coverage.files == 0:
        return "资料库中还没有文件。" if chinese else "There are no files in the library yet."
    waiting = coverage.files - coverage.ready - coverage.failed
    parts = []
    if waiting > 0:
        parts.append(_waiting(waiting, coverage.files, chinese))
    if coverage.failed > 0:
        parts.append(_failed(coverage.failed, coverage.files, chinese))
    return ("" if chinese else " ").join(parts)


def _waiting(count: int, files: int, chinese: bool) -> str:
    if chinese:
        return f"{files:,} 个文件中有 {count:,} 个尚未读取，答案可能不完整。"
    have = "has" if count == 1 else "have"
    return f"{count:,} of {files:,} files {have} not been read yet; the answer may be incomplete."


def _failed(count: int, files: int, chinese: bool) -> str:
    if chinese:
        return f"{files:,} 个文件中有 {count:,} 个无法读取。"
    return f"{count:,} of {files:,} files could not be read."


def _key(language: str) -> str:
    return "zh" if language == CHINESE else "en"
