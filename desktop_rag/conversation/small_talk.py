"""Short replies to greetings and thanks where no language model does it."""

from __future__ import annotations

import re

from desktop_rag.domain.answer import Answer, AnswerKind, Outcome
from desktop_rag.foundation.language import CHINESE, language_of

_THANKS = re.compile(r"\b(?:thanks?|thx|cheers)\b|谢|感谢", re.IGNORECASE)
_BYE = re.compile(r"\bbye|goodbye|see you|再见|拜拜|晚安|good night", re.IGNORECASE)
_WHO = re.compile(
    r"\b(?:who|what) (?:are|can)\b|what all can|是谁|叫什么|是什么|什么|干啥", re.IGNORECASE
)

_WORDS = {
    "en": {
        "thanks": "You are welcome.",
        "bye": "Goodbye.",
        "who": "This is Desktop RAG. It answers questions from the files that you have added, "
        "and shows the very words it found. Nothing leaves this computer.",
        "hello": "Hello. Ask anything about your files.",
        "note": "This answer is not from your documents.",
    },
    "zh": {
        "thanks": "不客气。",
        "bye": "再见。",
        "who": "这里是 Desktop RAG，根据您添加的文件回答问题，并给出原文。"
        "所有内容都留在这台电脑上。",
        "hello": "您好，有什么想从文件里了解的，尽管问。",
        "note": "这个回答并非来自您的文档。",
    },
}


def not_from_documents(question: str) -> str:
    """Return the sentence that marks an answer for which nothing was searched."""
    return _words(question)["note"]


def small_talk(question: str, text: str = "", model: str = "") -> Answer:
    """Return the answer to a question that searches nothing, marked as such.

    Args:
        question: what the user wrote.
        text: what a language model says; "" for the program's own words.
        model: the model's name.
    """
    return Answer(
        text=text or _reply(question),
        outcome=Outcome.ANSWER,
        confidence=1.0,
        kind=AnswerKind.GENERAL,
        notes=(not_from_documents(question),),
        model=model if text else "",
    )


def _reply(question: str) -> str:
    words = _words(question)
    for name, sign in (("thanks", _THANKS), ("bye", _BYE), ("who", _WHO)):
        if sign.search(question):
            return words[name]
    return words["hello"]


def _words(question: str) -> dict[str, str]:
    return _WORDS["zh" if language_of(question) == CHINESE else "en"]
