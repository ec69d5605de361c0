from __future__ import annotations

import pytest

from desktop_rag.conversation.titles import LONGEST, title_of


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("How long is the notice period?", "How long is the notice period?"),
        ("Can you please tell me about the warranty of P-100?", "The warranty of P-100?"),
        ("hello, please show me\nthe invoices of 2024", "The invoices of 2024"),
        ("What is due? And by when? Please list all.", "What is due?"),
        ("version 2.5 changes", "Version 2.5 changes"),
        ("请问收到发票后多少天内付款？另外违约金是多少？", "收到发票后多少天内付款？"),
        ("您好，麻烦帮我查一下维修由谁承担", "维修由谁承担"),
        ("请", "请"),
        ("???", "???"),
        ("how", "How"),
    ],
)
def test_a_title_is_the_first_sentence_without_courtesies(question, title):
    assert title_of(question) == title


def test_a_long_one_is_cut_at_a_word():
    title = title_of("which of the suppliers that we had in the years before is to be paid first")
    assert title == "Which of the suppliers that we had in the years before is…"
    assert len(title_of("x" * 500)) == LONGEST
    assert title_of("合同" * 40) == "合同" * 14 + "合…"
