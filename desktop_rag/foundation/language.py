"""Which of the two model languages a text is in, by its script."""

from __future__ import annotations

import re

ENGLISH = "en"
CHINESE = "zh"

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7af\u1100-\u11ff]")
_LETTERS = re.compile(r"[^\W\d_]")

_CHINESE_SHARE = 0.2
"""A Han character says about as much as a short word of letters, so text that mixes
both is Chinese well before Han characters are the majority of its letters."""


def language_of(text: str) -> str:
    """Return "zh" for text that is mostly Chinese, else "en" (the model for all the rest)."""
    letters = len(_LETTERS.findall(text))
    if not letters:
        return ENGLISH
    han = len(_HAN.findall(text))
    if len(_KANA_OR_HANGUL.findall(text)) > han:
        return ENGLISH
    return CHINESE if han / letters >= _CHINESE_SHARE else ENGLISH
