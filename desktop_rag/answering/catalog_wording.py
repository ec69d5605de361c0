"""The sentences of an answer about the library, in the question's language."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.answering.catalog_words import day, span, thing
from desktop_rag.domain.catalog import CatalogAction, CatalogQuery, DateMeaning, Mention

LISTED = 100
"""Files named in the answer's text; the citations have all of them."""

_DATE_NOTES = {
    DateMeaning.STATED: (
        "A file’s date is the one in its name, or else the one that it states, or else that of "
        "its last change.",
        "文件的日期取自文件名，其次是文件自己注明的日期，否则是最后修改日期。",
    ),
    DateMeaning.CHANGED: (
        "The dates are those of the files’ last change.",
        "日期为文件的最后修改日期。",
    ),
    DateMeaning.ARRIVED: (
        "The dates say when a file came to its folder or was changed there, whichever is later.",
        "日期为文件放入文件夹或在其中被修改的日期，以较晚者为准。",
    ),
}
_STATES = {
    "failed": ("could not be read", "无法读取"),
    "waiting": ("not read yet", "尚未读取"),
    "reading": ("not read yet", "尚未读取"),
    "unavailable": ("out of reach", "暂时无法访问"),
}


def heading(query: CatalogQuery, count: int, in_text: bool, limited: bool, chinese: bool) -> str:
    """Return the sentence before the files: how many there are, and of what.

    ``in_text``: what they are about was found in their text alone. ``limited``: the
    question was put to a part of the library.
    """
    one, many = thing(query.kind, query.noun, chinese)
    if chinese:
        return _chinese_heading(query, count, many, in_text, limited)
    conditions = " ".join(["", *_english_conditions(query, count == 1)])
    if count == 0:
        where = "among those that you limited the question to" if limited else "in your library"
        return f"There are no {many}{conditions} {where}."
    if query.is_ordered:
        which = "newest" if query.action is CatalogAction.NEWEST else "oldest"
        if count == 1:
            sentence = f"The {which} {one}{conditions}:"
        else:
            sentence = f"The {count} {which} {many}{conditions}:"
    else:
        verb, noun = ("is", one) if count == 1 else ("are", many)
        sentence = f"There {verb} {count:,} {noun}{conditions}:"
    return f"{_english_aside(query, in_text)}{sentence}"


def unknown(chinese: bool) -> str:
    """Return what is said where the files could not be looked at: not that there are none."""
    return "无法查看文件列表。" if chinese else "The list of files could not be looked at."


def line(name: str, iso: str, status: str, number: int, chinese: bool) -> str:
    """Return one file: its name, its date where dates matter, why it is not found otherwise."""
    state = _STATES.get(status)
    said = [name, day(iso, chinese) if iso else "", state[chinese] if state else ""]
    return f"• {(' · ').join(filter(None, said))} [{number}]"


def more(count: int, chinese: bool) -> str:
    """Return the line in place of files that are not named in the text."""
    return (
        f"……另有 {count:,} 个，见来源列表。"
        if chinese
        else f"… and {count:,} more, see the sources."
    )


def date_note(query: CatalogQuery, chinese: bool) -> str:
    """Return which date of a file counts."""
    return _DATE_NOTES[query.meaning][chinese]


def _english_aside(query: CatalogQuery, in_text: bool) -> str:
    if not in_text or query.mentions:
        return ""
    words = query.topic or query.noun
    return f"No name, title, heading or folder says “{words}”, but the text does. "


def _english_conditions(query: CatalogQuery, is_one: bool) -> list[str]:
    said = []
    if query.folder:
        said.append(f"in the folder “{query.folder}”")
    if query.author:
        said.append(f"{'from' if query.kind == 'mail' else 'by'} {query.author}")
    if query.topic:
        said.append(f"about “{query.topic}”")
    if query.mentions:
        verb = "mentions" if is_one else "mention"
        said.append(f"that {verb} {_mentioned(query.mentions, ' or ', ' and ')}")
    if query.unread:
        said.append("that could not be read or wait to be read")
    if query.dates is not None:
        said.append(span(query.dates, query.meaning, chinese=False))
    return said


def _chinese_heading(
    query: CatalogQuery, count: int, counted: str, in_text: bool, limited: bool
) -> str:
    conditions = "、".join(_chinese_conditions(query))
    of = f"{conditions}的" if conditions else ""
    plain = counted[1:]
    if count == 0:
        return f"{'限定的范围内' if limited else '资料库中'}没有{of}{plain}。"
    if query.is_ordered:
        which = "最新" if query.action is CatalogAction.NEWEST else "最早"
        return f"{of}{plain}中，{which}的{'是' if count == 1 else f' {count} {counted}是'}："
    aside = ""
    if in_text and not query.mentions:
        words = query.topic or plain.strip()
        aside = f"文件名、标题和文件夹名中都没有“{words}”，但正文中有。"
    things = f"{counted[0]}{of}{plain}" if of else counted
    return f"{aside}资料库中有 {count:,} {things}："


def _chinese_conditions(query: CatalogQuery) -> list[str]:
    said = []
    if query.folder:
        said.append(f"“{query.folder}”文件夹中")
    if query.author:
        said.append(f"作者为{query.author}")
    if query.topic:
        said.append(f"关于“{query.topic}”")
    if query.mentions:
        said.append(f"提到{_mentioned(query.mentions, '或', '和')}")
    if query.unread:
        said.append("无法读取或尚未读取")
    if query.dates is not None:
        said.append(span(query.dates, query.meaning, chinese=True))
    return said


def _mentioned(mentions: Sequence[Mention], either: str, both: str) -> str:
    return either.join(both.join(f"“{part}”" for part in mention) for mention in mentions)
