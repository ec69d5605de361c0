"""What a question wants: rules first, a model second, and else it is looked up."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.conversation.intents import IntentRecogniser, load_plans
from desktop_rag.conversation.small_talk import small_talk
from desktop_rag.domain.answer import AnswerKind
from desktop_rag.domain.intent import Intent
from desktop_rag.foundation.errors import KnownError

ASKED = {
    "Hello!": Intent.GENERAL,
    "thanks a lot": Intent.GENERAL,
    "Who are you?": Intent.GENERAL,
    "What can you do?": Intent.GENERAL,
    "你好": Intent.GENERAL,
    "谢谢你": Intent.GENERAL,
    "你是谁？": Intent.GENERAL,
    "你能做什么？": Intent.GENERAL,
    "Summarize the rental contract": Intent.SUMMARY,
    "Give me a short summary of minutes.docx": Intent.SUMMARY,
    "What is report.pdf about?": Intent.SUMMARY,
    "请总结一下租房合同": Intent.SUMMARY,
    "这份报告的主要内容": Intent.SUMMARY,
    "Compare offer A and offer B": Intent.COMPARISON,
    "What is the difference between the two contracts?": Intent.COMPARISON,
    "比较一下两份合同": Intent.COMPARISON,
    "两份报价有什么区别？": Intent.COMPARISON,
    "List the suppliers of the pump": Intent.LIST,
    "列出所有供应商": Intent.LIST,
    "How long is the warranty?": Intent.LOOKUP,
    "保修期多久？": Intent.LOOKUP,
    "Who are you going to send the invoice to?": Intent.LOOKUP,
    "What can you do against rust on the pump?": Intent.LOOKUP,
    "Hello Kitty trademark owner": Intent.LOOKUP,
    "Who is thanked in the preface?": Intent.LOOKUP,
    "会议总结在哪里？": Intent.LOOKUP,
    "你好集团的地址": Intent.LOOKUP,
}


@pytest.mark.parametrize("question", ASKED)
def test_the_signs_tell(question: str) -> None:
    assert IntentRecogniser().recognise(question) is ASKED[question]


def test_a_model_is_asked_only_where_there_is_no_sign() -> None:
    asked: list[str] = []

    def model(question: str) -> Intent:
        asked.append(question)
        return Intent.SUMMARY

    recogniser = IntentRecogniser()
    assert recogniser.recognise("the gist of the lease please", model) is Intent.SUMMARY
    assert recogniser.recognise("Compare a and b", model) is Intent.COMPARISON
    assert asked == ["the gist of the lease please"]


@pytest.mark.parametrize("said", [None, Intent.GENERAL])
def test_a_model_never_costs_the_documents(said: Intent | None) -> None:
    assert IntentRecogniser().recognise("pump warranty", lambda _text: said) is Intent.LOOKUP


def test_every_intent_but_general_searches() -> None:
    plans = load_plans()
    assert [one for one in Intent if not plans[one].retrievers] == [Intent.GENERAL]
    assert {one.template for one in plans.values()} == {one.value for one in Intent}


@pytest.mark.parametrize(
    "text",
    ["{", "{}", "[]", '{"lookup": 3}'],
)
def test_a_damaged_file_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "intents.json"
    path.write_text(text)
    with pytest.raises(KnownError, match="damaged"):
        load_plans(path)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Hello", "Hello"),
        ("thanks", "welcome"),
        ("who are you?", "Desktop RAG"),
        ("bye", "Goodbye"),
        ("谢谢", "不客气"),
        ("你能做什么", "Desktop RAG"),
    ],
)
def test_small_talk_is_marked(question: str, words: str) -> None:
    answer = small_talk(question)
    assert words in answer.text
    assert answer.kind is AnswerKind.GENERAL
    assert not answer.citations
    assert "not from" in answer.notes[0] or "并非来自" in answer.notes[0]
