"""What is told of a search, in the question's language: what failed, what was searched too."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.chat_models.step_figures import StepProblem
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


_WITHOUT = {
    "en": "The language model did not help with this question ({reason}), so a step was done "
    "without it: {step}.",
    "zh": "语言模型未能协助处理这个问题（{reason}），以下步骤未使用它：{step}。",
}
_REASONS = {
    StepProblem.FAILED: ("it failed", "出错"),
    StepProblem.TOO_SLOW: ("it took too long", "耗时过长"),
    StepProblem.BLANK: ("it said nothing", "没有回答"),
    StepProblem.GARBAGE: ("its reply was of no use", "回答无法使用"),
    StepProblem.BUSY: ("it is busy", "正忙"),
    StepProblem.RESTING: ("it failed several times just now", "刚才多次出错"),
}
_STEPS = {
    "rewriting": ("rewriting the question", "改写问题"),
    "compressing": ("rewriting the question", "改写问题"),
    "expanding": ("other ways to ask", "换说法提问"),
    "hyde": ("imagining an answer", "设想答案"),
    "step_back": ("a more general question", "更一般的问题"),
    "translation": ("translating the question", "翻译问题"),
    "routing": ("choosing collections", "选择资料集"),
    "filtering": ("limiting the files", "限定文件"),
    "ranking": ("judging passages", "判断段落"),
    "compression": ("shortening passages", "精简段落"),
    "intent": ("telling what is asked for", "判断提问意图"),
}


def step_note(question: str, step: str, problem: StepProblem) -> str:
    """Return the note about a step that the language model was no help with."""
    language = _language(question)
    at = 1 if language == "zh" else 0
    return _WITHOUT[language].format(reason=_REASONS[problem][at], step=_STEPS[step][at])


def rewritten_note(question: str, text: str) -> str:
    """Return the note about a text that a language model had searched as well."""
    if _language(question) == "zh":
        return f"同时搜索了“{text}”（由语言模型改写）。"
    return f"Searched for “{text}” too, as the language model put it."


def filtered_note(question: str, condition: str) -> str:
    """Return the note about a condition that a language model read out of the question."""
    if _language(question) == "zh":
        return f"只搜索了符合此条件的文件：{condition}（由语言模型从问题中得出）。"
    return f"Only files with {condition} were searched, as the language model read the question."


def not_filtered_note(question: str) -> str:
    """Return the note about a condition that could not be understood."""
    if _language(question) == "zh":
        return "语言模型给出的限定条件无法理解，因此搜索了所有文件。"
    return "The language model's limit could not be understood, so all files were searched."


def _language(question: str) -> str:
    return "zh" if language_of(question) == CHINESE else "en"
