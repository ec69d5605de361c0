"""The windows of LangChain4j's chat memories, with the cases that its tests pin."""

from __future__ import annotations

import pytest

from desktop_rag.conversation.memory import ChatMemory, MessageWindow, TokenWindow, Windows
from desktop_rag.domain.messages import AiMessage, SystemMessage, UserMessage

SYSTEM = SystemMessage("be brief")


def user(*numbers: int) -> tuple[UserMessage, ...]:
    return tuple(UserMessage(f"u{number}") for number in numbers)


def words(text: str) -> int:
    return len(text.split())


def test_the_oldest_message_goes_first():
    memory = ChatMemory(MessageWindow(3), [*user(1, 2), AiMessage("a"), *user(3)])
    assert memory.messages == (UserMessage("u2"), AiMessage("a"), UserMessage("u3"))


def test_a_system_message_at_the_beginning_stays():
    memory = ChatMemory(MessageWindow(3), [SYSTEM, *user(1, 2, 3, 4)])
    assert memory.messages == (SYSTEM, *user(3, 4))


def test_the_same_system_message_is_ignored():
    memory = ChatMemory(MessageWindow(5), [SYSTEM, *user(1), SYSTEM])
    assert memory.messages == (SYSTEM, *user(1))


def test_another_system_message_replaces_the_first_and_goes_to_the_end():
    other = SystemMessage("be long")
    memory = ChatMemory(MessageWindow(5), [SYSTEM, *user(1), other])
    assert memory.messages == (*user(1), other)


def test_another_system_message_is_first_where_that_is_wanted():
    other = SystemMessage("be long")
    memory = ChatMemory(MessageWindow(3), [SYSTEM, *user(1, 2), other], system_first=True)
    assert memory.messages == (other, *user(1, 2))


def test_reads_are_within_the_window_too():
    assert MessageWindow(2).keep([SYSTEM, *user(1, 2, 3)]) == (SYSTEM, *user(3))
    assert MessageWindow(1).keep([SYSTEM, *user(1)]) == (SYSTEM,)


def test_tokens_are_bounded_message_by_message():
    said = [UserMessage("one two three"), AiMessage("four five"), UserMessage("six")]
    assert TokenWindow(6, words).keep(said) == tuple(said)
    assert TokenWindow(5, words).keep(said) == tuple(said[1:])
    assert TokenWindow(2, words).keep(said) == (said[2],)


def test_a_message_that_is_too_long_alone_goes_but_a_system_message_does_not():
    long = UserMessage("one two three")
    assert TokenWindow(2, words).keep([long]) == ()
    assert TokenWindow(1, words).keep([SYSTEM, long]) == (SYSTEM,)


def test_the_system_message_counts_too():
    assert TokenWindow(3, words).keep([SYSTEM, *user(1, 2)]) == (SYSTEM, *user(2))


def test_windows_hold_together_and_what_is_cleared_is_gone():
    window = Windows(MessageWindow(2), TokenWindow(3, words))
    memory = ChatMemory(window, [UserMessage("a b c"), UserMessage("d"), AiMessage("e f g")])
    assert memory.messages == (AiMessage("e f g"),)
    memory.clear()
    assert memory.messages == ()


@pytest.mark.parametrize("bad", [0, -1])
def test_limits_are_positive(bad):
    with pytest.raises(ValueError, match="max_messages"):
        MessageWindow(bad)
    with pytest.raises(ValueError, match="max_tokens"):
        TokenWindow(bad, words)
