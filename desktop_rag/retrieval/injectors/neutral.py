"""Text of documents made harmless for a prompt: it is data, whatever it says."""

from __future__ import annotations

import re

_SPECIAL = re.compile(
    r"<(?=\s*/?\s*[|｜]|\s*/?(?:s|sys|system|user|assistant|tool|sources?|question|instructions?|think|"
    r"start_of_turn|end_of_turn|bos|eos|unk|pad|begin_of_text|end_of_text)\b|<\s*/?SYS)",
    re.IGNORECASE,
)
"""What chat templates of language models use to tell messages apart, and our own marks."""

_INSTRUCTION_MARK = re.compile(r"\[(?=/?INST\])", re.IGNORECASE)
_CITATION = re.compile(r"[\[【［](\s*\d[\d\s,，、;–-]*)[\]】］]")
_ROLE = re.compile(
    r"^([ \t]*)(#{2,}[ \t]*)?"
    r"(system|user|assistant|human|ai|instruction|系统|用户|助手)(?=[ \t]*[:：])",
    re.IGNORECASE | re.MULTILINE,
)


def neutral(text: str) -> str:
    """Return ``text`` so that nothing in it can be taken for the prompt's own structure.

    Marks of messages get a look-alike sign, citation marks become round brackets, roles at
    the beginning of a line are put in quotation marks. A reader sees hardly a difference; the
    text that is quoted and checked is the document's own.
    """
    text = _SPECIAL.sub("‹", text)
    text = _INSTRUCTION_MARK.sub("(", text)
    text = _CITATION.sub(r"(\1)", text)
    return _ROLE.sub(r"\1“\3”", text)
