"""The filter that users type: ``type:pdf folder:contracts after:2025-01 "exact phrase" -word``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from desktop_rag.domain.file_kinds import kinds_of
from desktop_rag.domain.filter import (
    ContainsIgnoringCase,
    Filter,
    IsEqualTo,
    IsGreaterThanOrEqualTo,
    IsLessThan,
    Not,
    Or,
    all_of,
)
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import language_of
from desktop_rag.store.filter_sql import TEXT_KEY
from desktop_rag.text.folding import fold_for_model

_PART = re.compile(
    r"""(?P<minus>-?)(?:(?P<key>type|folder|file|author|after|before):)?
        (?:"(?P<phrase>[^"]*)"?|(?P<word>\S*))""",
    re.VERBOSE | re.IGNORECASE,
)
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_WORD_CHARACTER = re.compile(r"\w")
_IN_QUESTION = re.compile(
    r"""(?<!\S)(?:(?P<key_minus>-?)(?P<key>type|folder|file|author|after|before):
        (?:"(?P<key_phrase>[^"]*)"?|(?P<key_word>(?!//)[^\s"]\S*?(?=[?？!！。]*(?:\s|$))))
        |(?P<minus>-?)"(?P<phrase>[^"]*\w[^"]*)"(?!\w)
        |-(?P<word>[^\W\d_]\w+(?:-\w+)*)(?!\S))""",
    re.VERBOSE | re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"""^["'“]?(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could
    |should|would|will|has|have|had|name|tell|explain|describe)\b|[.?!。？！…]["'”]?\s*$|为什么|什么|
    怎么|如何|哪|谁|多少|几|吗""",
    re.VERBOSE | re.IGNORECASE,
)
_MOST_KEYWORDS = 12
"""A longer text is one that somebody wrote, not a query."""


class FilterError(KnownError):
    """A condition that cannot be understood."""


@dataclass(frozen=True, slots=True)
class _Part:
    key: str
    value: str
    negated: bool


def parse_filter(text: str) -> Filter | None:
    """Return the condition that ``text`` asks for, None where it asks for nothing.

    Parts are separated by spaces; a value with spaces stands in double quotes; ``-``
    before a part negates it. Several values of type, folder, file or author are
    alternatives, everything else must hold together. ``after`` includes the day, month
    or year it names, ``before`` ends in front of it. What is none of this is a word or
    phrase that a passage must contain, in any case of letters.

    Raises:
        FilterError: a key has no value, or a date is none.
    """
    parts = [part for part in map(_part, _PART.finditer(text)) if part is not None]
    alternatives: dict[str, Filter] = {}
    required: list[Filter] = []
    for part in parts:
        condition = _CONDITIONS[part.key](part.value)
        if part.negated:
            required.append(Not(condition))
        elif part.key in _ALTERNATIVES:
            known = alternatives.get(part.key)
            alternatives[part.key] = condition if known is None else Or(known, condition)
        else:
            required.append(condition)
    return all_of(*alternatives.values(), *required)


def split_question(text: str) -> tuple[str, Filter | None]:
    """Return what is searched for ``text``, and the condition that is typed in it.

    A key with its value right behind the colon is always a condition. A phrase in double
    quotes and a word with a minus before it are conditions among keywords, or beside a
    key; in a sentence they are most often part of what is asked ("what does the -v option
    do?"), and stay as they are. A phrase is searched as well; what is left is
    as it was typed.

    Raises:
        FilterError: a date is none, or a value is empty.
    """
    found = list(_IN_QUESTION.finditer(text))
    if not any(one["key"] for one in found) and _is_sentence(text):
        return text, None
    kept, at = "", 0
    for one in found:
        phrase = "" if one["minus"] else one["phrase"] or ""
        kept += text[at : one.start()] + phrase
        at = one.end()
    words = " ".join((kept + text[at:]).split()) if found else text
    return words, parse_filter(" ".join(one.group() for one in found))


def _is_sentence(text: str) -> bool:
    return _SENTENCE.search(text) is not None or len(text.split()) > _MOST_KEYWORDS


def _part(found: re.Match[str]) -> _Part | None:
    key = (found["key"] or TEXT_KEY).lower()
    value = (found["word"] if found["phrase"] is None else found["phrase"]).strip()
    if key == TEXT_KEY:
        if not _WORD_CHARACTER.search(value):
            return None
    elif not value:
        raise FilterError(
            "The filter is incomplete",
            f"“{key}:” needs a value right behind the colon, as in {_EXAMPLES[key]}.",
        )
    return _Part(key, value, found["minus"] == "-")


def _type(value: str) -> Filter:
    names = [name for part in value.split(",") if (name := part.strip())] or [value]
    first, *others = dict.fromkeys(kind for name in names for kind in kinds_of(name))
    condition: Filter = IsEqualTo("type", first)
    for kind in others:
        condition = Or(condition, IsEqualTo("type", kind))
    return condition


def _contains(key: str) -> Callable[[str], Filter]:
    return lambda value: ContainsIgnoringCase(key, value)


def _text(value: str) -> Filter:
    return ContainsIgnoringCase(TEXT_KEY, fold_for_model(value, language_of(value)))


def _after(value: str) -> Filter:
    return IsGreaterThanOrEqualTo("modified", _first_day(value))


def _before(value: str) -> Filter:
    return IsLessThan("modified", _first_day(value))


def _first_day(value: str) -> str:
    found = _DATE.fullmatch(value)
    try:
        if found:
            year, month, day = (int(number or 1) for number in found.groups())
            return date(year, month, day).isoformat()
    except ValueError:
        pass
    raise FilterError(
        "Not a date",
        f"“{value}” is not a date. Write it as 2025, 2025-01 or 2025-01-31.",
    )


_CONDITIONS: dict[str, Callable[[str], Filter]] = {
    "type": _type,
    "folder": _contains("folder"),
    "file": _contains("file_name"),
    "author": _contains("author"),
    "after": _after,
    "before": _before,
    TEXT_KEY: _text,
}
_ALTERNATIVES = frozenset({"type", "folder", "file", "author"})
_EXAMPLES = {
    "type": "type:pdf",
    "folder": "folder:contracts",
    "file": "file:minutes",
    "author": 'author:"Ada Lovelace"',
    "after": "after:2025-01",
    "before": "before:2025-01-31",
}
