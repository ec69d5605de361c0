from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.chat_models.protocols import ChatReply, Piece
from desktop_rag.chat_models.reasoning import ReplyBuilder


def built(*pieces: str) -> tuple[ChatReply, list[Piece]]:
    told: list[Piece] = []
    builder = ReplyBuilder(told.append)
    for piece in pieces:
        builder.add(piece)
    return builder.finish(), told


@pytest.mark.parametrize(
    ("written", "text", "reasoning"),
    [
        ("Plain <b>text</b>.", "Plain <b>text</b>.", ""),
        ("<think>\nLet me see.\n</think>\n\nYes.", "Yes.", "Let me see."),
        ("<thinking>Hm.</thinking>Yes.", "Yes.", "Hm."),
        ("◁think▷嗯。◁/think▷好的。", "好的。", "嗯。"),
        ("<think>It never ends", "", "It never ends"),
        ("<think></think>Yes.", "Yes.", ""),
        ("The template opened it.</think>Yes.", "Yes.", "The template opened it."),
        ("Yes. <think>Hm.</think> No.", "Yes.  No.", "Hm."),
        ("2 <thin air", "2 <thin air", ""),
        ("ends with <thi", "ends with <thi", ""),
    ],
)
def test_reasoning_is_told_from_the_reply(written: str, text: str, reasoning: str) -> None:
    for pieces in ([written], list(written), [written[:3], written[3:]]):
        reply, told = built(*pieces)
        assert (reply.text, reply.reasoning) == (text, reasoning)
        shown = "".join(piece.text for piece in told)
        assert not any(tag in shown for tag in ("<think>", "</think>", "◁think▷"))


def test_pieces_say_which_they_are() -> None:
    _, told = built("<th", "ink>Hm", "m.</thi", "nk>Ye", "s.")
    assert told == [
        Piece("Hm", reasoning=True),
        Piece("m.", reasoning=True),
        Piece("Ye"),
        Piece("s."),
    ]


def test_a_servers_own_reasoning_is_kept_apart() -> None:
    told: list[Piece] = []
    builder = ReplyBuilder(told.append)
    builder.add_reasoning("Hm.")
    builder.add("Yes.")
    assert builder.finish() == ChatReply("Yes.", "Hm.")
    assert told == [Piece("Hm.", reasoning=True), Piece("Yes.")]


@given(st.lists(st.sampled_from(["<think>", "</think>", "<th", "ink>", "a", " ", "<", "/"])))
def test_how_a_text_is_cut_into_pieces_makes_no_difference(parts: list[str]) -> None:
    whole, _ = built("".join(parts))
    assert built(*parts)[0] == whole
    assert built(*"".join(parts))[0] == whole
