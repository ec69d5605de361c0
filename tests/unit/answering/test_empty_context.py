"""What is said where the documents have no answer: nothing found, own words, a model."""

from __future__ import annotations

import pytest

from desktop_rag.answering.empty_context import EmptyContext, EmptyContextReplies, Reply
from desktop_rag.domain.answer import AnswerKind
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError

NOTHING = Reply("Not found in your documents.")


class Model:
    """Says what it is told to say, and remembers what it was asked."""

    def __init__(self, text: str = "Two.", error: Exception | None = None) -> None:
        self.asked: list[str] = []
        self._text, self._error = text, error

    def answer(self, question: str, cancel: CancelToken | None = None) -> str:
        self.asked.append(question)
        if self._error is not None:
            raise self._error
        return self._text


@pytest.mark.parametrize("choice", [EmptyContext.NOT_FOUND, EmptyContext.OWN_TEXT])
def test_no_model_is_called_unless_that_is_wanted(choice: EmptyContext) -> None:
    model = Model()
    assert EmptyContextReplies(choice, "", model).reply("which?") == NOTHING
    assert EmptyContextReplies(choice, "Ask Ada.", model).reply("which?").notes == ()
    assert model.asked == []


def test_by_default_nothing_was_found_in_the_questions_language() -> None:
    assert EmptyContextReplies().reply("which?") == NOTHING
    assert EmptyContextReplies().reply("哪一个？").text == "文档中没有找到。"


def test_words_of_ones_own() -> None:
    replies = EmptyContextReplies(EmptyContext.OWN_TEXT, " Ask Ada. ")
    assert replies.reply("which?") == Reply("Ask Ada.")


def test_general_knowledge_comes_with_a_notice() -> None:
    model = Model(" Two. ")
    reply = EmptyContextReplies(EmptyContext.GENERAL, "", model).reply("What is 1 + 1?")
    assert (reply.text, reply.kind) == ("Two.", AnswerKind.GENERAL)
    assert reply.notes == ("This is general knowledge; it is not in your documents.",)
    assert model.asked == ["What is 1 + 1?"]


def test_without_a_model_nothing_was_found_and_it_says_why() -> None:
    reply = EmptyContextReplies(EmptyContext.GENERAL).reply("which?")
    assert (reply.text, reply.kind) == (NOTHING.text, AnswerKind.EXTRACTIVE)
    assert reply.notes == ("There is no language model that could answer from general knowledge.",)


def test_a_model_that_fails_or_is_silent_leaves_not_found() -> None:
    failing = Model(error=KnownError("No connection", "Start the model."))
    reply = EmptyContextReplies(EmptyContext.GENERAL, "", failing).reply("which?")
    assert (reply.text, reply.notes) == (NOTHING.text, ("No connection: Start the model.",))
    assert EmptyContextReplies(EmptyContext.GENERAL, "", Model(" ")).reply("which?") == NOTHING
    with pytest.raises(Cancelled):
        EmptyContextReplies(EmptyContext.GENERAL, "", Model(error=Cancelled())).reply("which?")
