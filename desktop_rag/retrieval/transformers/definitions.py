"""Acronyms as a text defines them: "Service Level Agreement (SLA)", "SLA（服务水平协议）"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_HAN_RUN = re.compile(f"[“「《]([{_HAN}]{{2,20}})[”」》]\\s*$|([{_HAN}]{{2,20}})\\s*$")
_HAN_ALONE = re.compile(f"[{_HAN}]{{2,20}}")
_FUNCTION = re.compile(
    "[的了是在和与为及或被把对从以其这那即按称叫将由向]|签订|签署|根据|依据|按照|所谓|简称|通过|包括|采用|关于"
)
"""What a term hardly has inside it, so that it begins behind the last of these."""

_INSIDE = re.compile(r"[,，;；:：]|\s[-–—]\s")
_POSSESSIVE = re.compile("['’]s?$")
_MOST_BEFORE = 200


def long_form(acronym: str, texts: Iterable[str]) -> str:
    """Return what an acronym stands for in most of the texts, "" where none tells."""
    found: Counter[str] = Counter()
    spelt: dict[str, str] = {}
    han: list[str] = []
    for text in texts:
        for form in _defined(acronym, text):
            if _HAN_ALONE.fullmatch(form):
                han.append(form)
            else:
                spelt.setdefault(form.casefold(), form)
                found[form.casefold()] += 1
    if found:
        return spelt[found.most_common(1)[0][0]]
    return _common_end(han)


def _defined(acronym: str, text: str) -> Iterable[str]:
    name = re.escape(acronym)
    # What the Chinese model reads has no capitals.
    for one in re.finditer(rf"[(（]\s*{name}s?\s*[)）]", text, re.IGNORECASE):
        before = text[max(0, one.start() - _MOST_BEFORE) : one.start()].rstrip()
        form = _han_before(before) or _words_before(acronym, before)
        if form:
            yield form
    inside = rf"(?<![^\W{_HAN}]){name}s?\s*[(（]([^()（）]{{3,90}})[)）]"
    for one in re.finditer(inside, text, re.IGNORECASE):
        yield from _forms_inside(acronym, one[1])


def _forms_inside(acronym: str, inside: str) -> Iterable[str]:
    for part in _INSIDE.split(inside):
        words = part.strip(" \t\n\"'“”‘’")
        if _HAN_ALONE.fullmatch(words) or _words_before(acronym, words) == words:
            yield words


def _han_before(before: str) -> str:
    """Return the Chinese term that a text ends with, "" where it ends otherwise."""
    found = _HAN_RUN.search(before)
    if found is None:
        return ""
    if found[1]:
        return found[1]
    last = _FUNCTION.split(found[2])[-1]
    return last if len(last) > 1 else ""


def _words_before(acronym: str, before: str) -> str:
    """Return the words at the end of a text whose letters make the acronym.

    From the end, each of its letters is looked for to the left; the first one must begin
    a word (the matching of Schwartz and Hearst, 2003). The words may be at most so many as
    the acronym has letters and five more, and twice as many.
    """
    at = len(before)
    for number, letter in enumerate(reversed(acronym.lower()), start=1):
        if not letter.isalnum():
            continue
        first = number == len(acronym)
        at = _last(before, letter, at, first)
        if at < 0:
            return ""
    form = _POSSESSIVE.sub("", before[at:].strip())
    words = len(re.findall(r"[^\W_]+", form))
    fits = 2 <= words <= min(len(acronym) + 5, len(acronym) * 2) and len(form) > len(acronym)
    holds_itself = re.search(rf"(?<!\w){re.escape(acronym)}(?!\w)", form) is not None
    ends = re.search(r"[.!?;:。；：()（）]", form) is not None
    return "" if not fits or holds_itself or ends else " ".join(form.split())


def _last(text: str, letter: str, end: int, at_start: bool) -> int:
    """Return the last place of a letter before ``end``, if need be at a word's start, or -1."""
    lower = text.lower()
    at = lower.rfind(letter, 0, end)
    while at > 0 and at_start and lower[at - 1].isalnum():
        at = lower.rfind(letter, 0, at)
    return at


def _common_end(forms: list[str]) -> str:
    """Return what Chinese forms have in common at their end: words before the term differ."""
    common = ""
    for letters in zip(*(reversed(form) for form in forms), strict=False):
        if len(set(letters)) > 1:
            break
        common = letters[0] + common
    if len(common) > 1:
        return common
    return Counter(forms).most_common(1)[0][0] if forms else ""
