"""What is searched for a question."""

from __future__ import annotations

import pytest

from desktop_rag.domain.messages import AiMessage, SystemMessage, UserMessage
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.retrieval.transformers.conversational import ConversationalQueryTransformer
from desktop_rag.retrieval.transformers.default import DefaultQueryTransformer


def asked(text: str, *history) -> Query:
    return Query(text, QueryContext(history=history))


def searched(query: Query, **settings: int) -> list[str]:
    return [one.text for one in ConversationalQueryTransformer(**settings).transform(query)]


def test_the_default_searches_the_question():
    query = asked("why?", UserMessage("before"))
    assert DefaultQueryTransformer().transform(query) == [query]


def test_without_history_there_is_the_question_alone():
    query = asked("Warranty of pump P-100?")
    assert ConversationalQueryTransformer().transform(query) == [query]
    assert searched(asked("why?", SystemMessage("be brief"))) == ["why?"]


def test_a_follow_up_is_searched_with_what_was_said_before_it():
    query = asked(
        "and the P-200?",
        UserMessage("old"),
        AiMessage("older answer"),
        UserMessage("Warranty of pump P-100?"),
        AiMessage("Two years."),
    )
    queries = ConversationalQueryTransformer().transform(query)
    assert [one.text for one in queries] == [
        "and the P-200?",
        "Warranty of pump P-100?\nand the P-200?",
        "Warranty of pump P-100?\nTwo years.\nand the P-200?",
    ]
    assert all(one.context is query.context for one in queries)


def test_a_long_answer_is_cut():
    query = asked("more", UserMessage("q"), AiMessage("x" * 1000))
    assert searched(query, answer_characters=5)[-1] == "q\nxxxxx\nmore"
    assert searched(query, answer_characters=0) == ["more", "q\nmore"]


def test_a_question_without_an_answer_counts_too():
    assert searched(asked("more", UserMessage("q"))) == ["more", "q\nmore"]


def test_the_length_is_checked_when_built():
    with pytest.raises(ValueError, match="answer_characters"):
        ConversationalQueryTransformer(answer_characters=-1)
