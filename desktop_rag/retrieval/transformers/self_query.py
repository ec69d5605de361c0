"""A language model reads out of the question which files it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from desktop_rag.domain.filter import Filter, all_of
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.sql_condition import parse_sql_condition
from desktop_rag.retrieval.sql_values import SqlConditionError
from desktop_rag.retrieval.wording import filtered_note, not_filtered_note

COLUMNS: Mapping[str, str] = {
    "file_name": "text, the file's name with its ending",
    "folder": "text, the whole path of its folder",
    "type": "text: pdf, docx, xlsx, pptx, md, txt, html, eml, csv",
    "author": "text",
    "title": "text",
    "modified": "text, a date as 2025-01-31",
}
"""What a condition may be about, and what it is, told to the model."""

_FENCE = re.compile(r"```(?:sql)?\s*(.*?)(?:```|$)", re.IGNORECASE | re.DOTALL)
_SELECT = re.compile(r"SELECT\b[^\n]*\bWHERE\b[^\n]*", re.IGNORECASE)
_NONE = re.compile(r"^\W*none\W*$", re.IGNORECASE)


class SelfQueryTransformer:
    """Limits a question by the condition that a model writes for it (langchain4j-facts 8).

    The condition becomes a filter, beside the one that the question has already; it is never
    run. One that cannot be read is left out, which is said, and so is one that is used.

    Args:
        steps: asks the model.
        columns: what a condition may be about, each with its meaning.
    """

    def __init__(self, steps: ModelSteps, columns: Mapping[str, str] = COLUMNS) -> None:
        self._steps = steps
        self._columns = columns

    def transform(self, query: Query) -> list[Query]:
        """Return the query alone, with the condition in its context."""
        told = "\n".join(f"{name}: {meaning}" for name, meaning in self._columns.items())
        reply = self._steps.ask("filtering", query.text, {"columns": told}, str)
        if reply is None or _NONE.match(reply):
            return [query]
        found = read_condition(reply, self._columns)
        if found is None:
            self._steps.tell(not_filtered_note(query.text))
            return [query]
        text, condition = found
        self._steps.tell(filtered_note(query.text, text))
        context = replace(query.context, filter=all_of(query.context.filter, condition))
        return [replace(query, context=context)]


def read_condition(reply: str, columns: Mapping[str, str]) -> tuple[str, Filter] | None:
    """Return the condition in a reply, as text and as a filter; None where there is none.

    The whole reply is tried, then what is fenced, then a SELECT with a WHERE on one line.
    """
    tried = [reply.strip()]
    tried += [found.strip() for found in _FENCE.findall(reply)]
    tried += [found.strip() for found in _SELECT.findall(reply)]
    for text in tried:
        try:
            return " ".join(text.split()), parse_sql_condition(text, columns)
        except SqlConditionError:
            continue
    return None
