"""Answers that a model writes: streamed, checked, and quotes where the model fails."""

from __future__ import annotations

import threading

import pytest

from desktop_rag.domain.answer import AnswerKind, Outcome, Support
from desktop_rag.domain.events import Step
from desktop_rag.domain.messages import AiMessage, SystemMessage, UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from tests.helpers.answering_desk import Desk
from tests.helpers.scripted_model import Half, Hang, ScriptedModel

RENT = "When is the rent due?"
SAID = "The rent is due on the first day [1]."
GONE = KnownError("The model is gone", "Start the server again.")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory):
    opened = Desk(tmp_path_factory.mktemp("desk"))
    opened.pool.submit(int).result()
    yield opened
    opened.close()


def test_what_the_model_writes_is_the_answer_with_exact_quotes(desk):
    answer = desk.written(ScriptedModel([SAID]), RENT)

    assert answer.text == SAID
    assert answer.kind is AnswerKind.GENERATIVE
    assert answer.outcome is Outcome.ANSWER
    assert answer.model == "Scripted"
    assert answer.usage.written == 9
    [sentence] = answer.sentences
    assert answer.text[sentence.start : sentence.end] == SAID
    assert sentence.numbers == (1,)
    assert sentence.support is not Support.UNSUPPORTED
    [citation] = answer.citations
    document = desk.store.document(citation.document_id)
    assert document.text[citation.start : citation.end] == citation.quote
    assert citation.quote == "The rent is due on the first day."


def test_sources_come_before_the_first_word_and_pieces_make_the_text(desk):
    events = []
    desk.written(ScriptedModel([SAID]), RENT, on_event=events.append)

    assert [one.step for one in events[:3]] == [Step.ANSWERING, Step.SOURCES, Step.TEXT]
    assert {one.step for one in events[2:]} == {Step.TEXT}
    assert len(events) > 4
    assert "".join(one.detail for one in events[2:]) == SAID
    assert events[1].detail[0].quote == "The rent is due on the first day."


def test_the_model_reads_instructions_the_chat_and_the_numbered_sources(desk):
    model = ScriptedModel([SAID])
    history = (UserMessage("Hello"), AiMessage("Good day."))
    desk.written(model, RENT, *history)

    [asked] = model.asked
    assert isinstance(asked[0], SystemMessage)
    assert asked[1:3] == history
    assert "[1] file: lease.md" in asked[-1].text
    assert "The rent is due on the first day." in asked[-1].text
    assert f"Question: {RENT}" in asked[-1].text
    assert model.options[0].max_tokens == 1024


def test_messages_and_reply_fit_into_the_context(desk):
    model = ScriptedModel([SAID], context_tokens=400)
    history = [
        UserMessage("word " * 90),
        AiMessage("word " * 90),
        UserMessage("Hi"),
        AiMessage("Yes"),
    ]
    desk.written(model, "rent deposit lease parties pets", *history)

    [asked] = model.asked
    read = sum(model.count_tokens(one.text) for one in asked)
    assert read + model.options[0].max_tokens <= 400
    assert asked[1:3] == (UserMessage("Hi"), AiMessage("Yes"))
    assert "[1]" in asked[-1].text


def test_nothing_is_invented_where_the_passages_do_not_answer(desk):
    model = ScriptedModel(["Paris [1]."])
    answer = desk.written(model, "What is the capital of France called today?")

    assert model.asked == []
    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.citations == ()


def test_a_model_that_finds_nothing_says_so_and_nothing_of_it_is_streamed(desk):
    events = []
    answer = desk.written(ScriptedModel([" NOT_FOUND. "]), RENT, on_event=events.append)

    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.text == "Not found in your documents."
    assert answer.nearest
    assert Step.TEXT not in [one.step for one in events]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (GONE, "The model is gone"),
        (RuntimeError("a bug"), "The language model failed"),
        ("", "wrote nothing"),
        ("  \n ", "wrote nothing"),
        (Half("", GONE), "The model is gone"),
    ],
)
def test_a_model_that_fails_before_its_first_word_costs_no_answer(desk, reply, why, caplog):
    model = ScriptedModel([reply])
    events = []
    answer = desk.written(model, RENT, on_event=events.append)

    assert answer.kind is AnswerKind.EXTRACTIVE
    assert answer.text == "“The rent is due on the first day.” [1]"
    assert any(why in note and "quotes instead" in note for note in answer.notes)
    assert len(model.asked) == 1
    assert [one.step for one in events].count(Step.ANSWERING) == 1


def test_a_model_that_hangs_is_not_waited_for(desk):
    answer = desk.written(ScriptedModel([Hang()]), RENT, first=0.05)

    assert answer.kind is AnswerKind.EXTRACTIVE
    assert any("silent" in note for note in answer.notes)


def test_a_model_that_goes_silent_in_the_middle_is_broken_off(desk):
    class Silent(ScriptedModel):
        def chat(self, messages, options, on_piece, cancel):
            self._stream(SAID, on_piece, cancel)
            self._hang(Hang(), cancel)

    answer = desk.written(Silent(), RENT, between=0.05)
    assert answer.text == SAID
    assert any("breaks off" in note for note in answer.notes)


def test_what_came_before_a_model_broke_off_is_kept_and_checked(desk):
    model = ScriptedModel([Half("The rent is due on the first day [1]. And the", GONE)])
    answer = desk.written(model, RENT)

    assert answer.kind is AnswerKind.GENERATIVE
    assert answer.text == "The rent is due on the first day [1]. And the"
    assert answer.sentences[0].support is not Support.UNSUPPORTED
    assert answer.nearest[0].quote == "The rent is due on the first day."
    assert any("breaks off" in note and "The model is gone" in note for note in answer.notes)
    assert len(model.asked) == 1


def test_garbage_is_marked_and_the_quotes_are_offered(desk):
    answer = desk.written(ScriptedModel(["Xyzzy plugh 77 [9]. Quux frobnicates wildly."]), RENT)

    assert "[9]" not in answer.text
    assert {one.support for one in answer.sentences} == {Support.UNSUPPORTED}
    assert answer.outcome is Outcome.MAYBE
    assert answer.nearest[0].quote == "The rent is due on the first day."
    assert any("do not bear out" in note for note in answer.notes)


def test_cancelling_ends_the_answer(desk):
    cancel = CancelToken()
    started = threading.Event()

    def stop(event):
        if event.step is Step.TEXT:
            started.set()
            cancel.cancel()

    with pytest.raises(Cancelled):
        desk.written(
            ScriptedModel([SAID], seconds_a_token=0.01), RENT, on_event=stop, cancel=cancel
        )
    assert started.is_set()


def test_the_notes_are_in_the_question_s_language(desk):
    answer = desk.written(ScriptedModel([GONE]), "付款期限是多少天？")

    assert answer.kind is AnswerKind.EXTRACTIVE
    assert any("摘录" in note for note in answer.notes)


def test_a_broken_prompt_of_the_user_s_is_left_out_and_said(desk, tmp_path):
    (tmp_path / "lookup.en.txt").write_text("Only {{contents}}", encoding="utf-8")
    answer = desk.written(ScriptedModel([SAID]), RENT, own_prompts=tmp_path)

    assert answer.text == SAID
    assert any("lookup.en.txt" in note and "userMessage" in note for note in answer.notes)


def test_a_good_prompt_of_the_user_s_is_used(desk, tmp_path):
    (tmp_path / "lookup.en.txt").write_text("Hm {{userMessage}} {{contents}}", encoding="utf-8")
    model = ScriptedModel([SAID])
    answer = desk.written(model, RENT, own_prompts=tmp_path)

    assert model.asked[0][-1].text.startswith(f"Hm {RENT} [1]")
    assert answer.notes == ()
