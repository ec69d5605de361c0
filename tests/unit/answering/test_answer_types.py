"""What a question asks for, and whether a sentence has it."""

from __future__ import annotations

import pytest

from desktop_rag.answering.answer_types import AnswerType, asked_for, holds


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When were the Normans in Normandy?", AnswerType.DATE),
        ("In what year did it end?", AnswerType.DATE),
        ("In which fiscal year was it?", AnswerType.DATE),
        ("How many people live there?", AnswerType.NUMBER),
        ("What percentage is paid?", AnswerType.NUMBER),
        ("How long is the notice period?", AnswerType.MEASURE),
        ("How often are they greased?", AnswerType.MEASURE),
        ("How many days is it?", AnswerType.MEASURE),
        ("付款期限是多久？", AnswerType.MEASURE),
        ("出院后需要休息多少天？", AnswerType.MEASURE),
        ("Why did the tenant leave?", AnswerType.REASON),
        ("Who signed it?", AnswerType.NAME),
        ("Where is Normandy?", AnswerType.NAME),
        ("What river runs through it?", AnswerType.NAME),
        ("What is photosynthesis?", None),
        ("合同什么时候到期？", AnswerType.DATE),
        ("他是哪一年出生的？", AnswerType.DATE),
        ("违约金是多少？", AnswerType.NUMBER),
        ("公司有几个股东？", AnswerType.NUMBER),
        ("为什么解除合同？", AnswerType.REASON),
        ("合同的标的是什么？", None),
    ],
)
def test_what_is_asked_for(question, kind):
    assert asked_for(question) is kind


@pytest.mark.parametrize(
    ("sentence", "kind", "question", "expected"),
    [
        ("It ended in 1998.", AnswerType.DATE, "when?", 1.0),
        ("It ended late.", AnswerType.DATE, "when?", -1.0),
        ("It ended in 1998.", AnswerType.DATE, "When in 1998 did it end?", -1.0),
        ("合同于2024年5月到期。", AnswerType.DATE, "什么时候？", 1.0),
        ("There are twelve of them.", AnswerType.NUMBER, "how many?", 1.0),
        ("付款期限为三十天。", AnswerType.NUMBER, "多少？", 1.0),
        ("By giving three months' written notice.", AnswerType.MEASURE, "how long?", 1.0),
        ("It takes 14 days.", AnswerType.MEASURE, "how long?", 1.0),
        ("It takes 14 people.", AnswerType.MEASURE, "how long?", -1.0),
        ("休息十四天。", AnswerType.MEASURE, "多久？", 1.0),
        ("It was signed by Ada Lovelace.", AnswerType.NAME, "who?", 1.0),
        ("It was signed by nobody.", AnswerType.NAME, "who?", -1.0),
        ("由张三签署。", AnswerType.NAME, "who?", 0.0),
        ("He left because of the noise.", AnswerType.REASON, "why?", 1.0),
        ("Anything at all.", None, "what?", 0.0),
    ],
)
def test_whether_a_sentence_has_it(sentence, kind, question, expected):
    assert holds(sentence, kind, question) == expected
