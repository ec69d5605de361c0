"""Questions about the library itself, on a small library; and those that only look like it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rag.domain.answer import AnswerKind, Outcome
from desktop_rag.domain.filter import IsEqualTo
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.catalog_library import CatalogDesk, Entry, names, open_catalog

LEASE, SUPPLY, CARE = "lease-2024.pdf", "supply-contract-2023.pdf", "maintenance contract.docx"
REPORT, TEST, SALES = "heat pump report.pdf", "heat-pump-test-2024-04.pdf", "sales.xlsx"
OFFER, REPLY, IDEAS = "offer.eml", "reply.eml", "ideas.md"
ZH_CONTRACT, ZH_INVOICE, ZH_REPORT = "2023年合同.docx", "发票2024.pdf", "年度报告.docx"
BOILER, DRAFT = "boiler.jpg", "draft.txt"

PDFS = {LEASE, SUPPLY, REPORT, TEST, ZH_INVOICE}
WORD = {CARE, ZH_CONTRACT, ZH_REPORT}
CONTRACTS = {LEASE, SUPPLY, CARE, ZH_CONTRACT}
FINANCE = {ZH_CONTRACT, ZH_INVOICE, ZH_REPORT}
ALL = PDFS | WORD | {SALES, OFFER, REPLY, IDEAS, BOILER, DRAFT}
LAST_WEEK = {SALES, OFFER}
NONE: set[str] = set()

ENGLISH = [
    ("How many PDFs do I have?", PDFS),
    ("how many files are there", ALL),
    ("Count all Word documents", WORD),
    ("How many documents do I have by Ada Lovelace?", {LEASE, CARE}),
    ("how many contracts do I have from 2024?", {LEASE, CARE}),
    ("How many e-mails from Anna Schmidt do I have?", {OFFER}),
    ("How many pictures are in the folder photos?", {BOILER}),
    ("What is the number of spreadsheets in my library?", {SALES}),
    ("how many files mention Acme?", {LEASE, CARE}),
    ("list the contracts from 2024", {LEASE, CARE}),
    ("List all PDF files", PDFS),
    ("Please list my contracts.", CONTRACTS),
    ("show me all files in the reports folder", {REPORT, TEST, SALES}),
    ("List the documents written by bob stone", {SUPPLY, REPORT, REPLY}),
    ("files by Bob Stone", {SUPPLY, REPORT, REPLY}),
    ("Which documents did Ada Lovelace write?", {LEASE, CARE}),
    ("What is in folder contracts?", {LEASE, SUPPLY, CARE}),
    ("What does the mail folder contain?", {OFFER, REPLY}),
    ("which files mention Globex", {SUPPLY, IDEAS}),
    ("Which PDFs contain the word “warranty”?", {SUPPLY}),
    ("Which documents mention Acme or Globex?", {LEASE, CARE, SUPPLY, IDEAS}),
    ("List the files that mention both boiler and Acme", {CARE}),
    ("Do I have any documents about heat pumps?", {REPORT, TEST}),
    ("Which files are about insulation?", {OFFER, IDEAS}),
    ("What was added last week?", LAST_WEEK),
    ("Which files were changed since Monday?", {IDEAS, REPLY}),
    ("files modified in the last 10 days", {SALES, OFFER, REPLY, IDEAS}),
    ("List the files dated between March 2024 and April 2024", {LEASE, TEST, ZH_INVOICE}),
    ("Which contracts are from before 2024?", {SUPPLY, ZH_CONTRACT}),
    ("Which files could not be read?", {BOILER, DRAFT}),
    ("newest file about heat pumps", {TEST}),
    ("What is the oldest document in my library?", {REPORT}),
    ("the 3 most recent files", {IDEAS, REPLY, SALES}),
    ("What's my latest PDF?", {ZH_INVOICE}),
    ("Which file was changed last?", {IDEAS}),
    ("oldest contract by Ada Lovelace", {CARE}),
    ("How many presentations do I have?", NONE),
    ("List the files by Grace Hopper", NONE),
    ("Which files mention dragons?", NONE),
    ("list the contracts from 1999", NONE),
    ("What was added yesterday?", {REPLY}),
]

CHINESE = [
    ("多少个PDF", PDFS),
    ("我有多少个文件？", ALL),
    ("资料库里有多少个Word文档？", WORD),
    ("有多少份2023年的合同？", {SUPPLY, ZH_CONTRACT}),
    ("财务文件夹里有几个文件？", FINANCE),
    ("张三写的文档有多少份？", {ZH_CONTRACT, ZH_REPORT}),
    ("列出2024年的合同", {LEASE, CARE}),
    ("请列出所有PDF", PDFS),
    ("列出作者是张三的文件", {ZH_CONTRACT, ZH_REPORT}),
    ("哪些文件提到违约金？", {ZH_CONTRACT}),
    ("哪些文档包含“押金”或“违约金”？", {ZH_CONTRACT, ZH_INVOICE}),
    ("提到Acme的文件有哪些？", {LEASE, CARE}),
    ("哪些文件是张三写的？", {ZH_CONTRACT, ZH_REPORT}),
    ("李四写了哪些文件", {ZH_INVOICE}),
    ("文件夹财务里有什么？", FINANCE),
    ("reports文件夹里有哪些文件？", {REPORT, TEST, SALES}),
    ("有没有关于热泵的文件？", {ZH_REPORT}),
    ("最新的关于热泵的文件", {ZH_REPORT}),
    ("最旧的文件是哪个？", {REPORT}),
    ("最近修改的两个文件", {IDEAS, REPLY}),
    ("哪份合同最早？", {SUPPLY}),
    ("上周添加了什么？", LAST_WEEK),
    ("今天修改过的文件有哪些？", {IDEAS}),
    ("2024年3月到4月的文件有哪些？", {LEASE, TEST, ZH_INVOICE}),
    ("列出2023年以前的文件", {REPORT}),
    ("最近十天修改过的文件", {SALES, OFFER, REPLY, IDEAS}),
    ("哪些文件无法读取？", {BOILER, DRAFT}),
    ("列出所有邮件", {OFFER, REPLY}),
    ("有多少个演示文稿？", NONE),
    ("哪些文件提到恐龙？", NONE),
    ("列出王五写的文件", NONE),
]

NEAR_MISSES = [
    "how many PDFs does the contract require?",
    "who is the author of the report?",
    "How many documents do I have to submit?",
    "How many files can be uploaded at once?",
    "How many contracts were signed in 2024?",
    "How many contracts are there?",
    "How many reports must be filed each year?",
    "How many pages does the manual have?",
    "How many invoices are there in the annex?",
    "Which documents are required for the visa?",
    "Which documents mention that the pump is broken?",
    "Which files does the installer change?",
    "Which report was published in 2020?",
    "Which folder should the files be saved in?",
    "List the documents required for the application",
    "list the parties to the contract",
    "list the reports",
    "What does the latest report say?",
    "What is the newest version of the software?",
    "What is the oldest document in the archive?",
    "When was the oldest file created?",
    "What is in the contract about termination?",
    "What was added to the standard in 2023?",
    "What was added in 2023?",
    "What changed last week?",
    "What's new in version 3?",
    "What are the documents about?",
    "What does the report mention about sales?",
    "Show me the contract with Acme",
    "Who wrote the documents about the pump?",
    "How do I list files by date in Linux?",
    "Are there files on the server?",
    "documents by email",
    "emails sent by the landlord",
    "files",
    "合同要求提交多少份PDF？",
    "申请签证需要多少份文件？",
    "报告的作者是谁？",
    "合同里提到了哪些违约责任？",
    "最新的报告说了什么？",
    "哪些文件需要在签约前提交？",
    "文件应保存在哪个文件夹？",
    "合同有多少份？",
    "2024年签订了多少份合同？",
    "需要准备哪些文件？",
    "发票应在什么时候提交？",
    "最早的大学是哪所？",
    "公司有多少员工？",
    "这份报告关于什么？",
    "手册里提到多少个步骤？",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeStore]:
    opened = open_catalog(tmp_path_factory.mktemp("catalog"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def desk(store: KnowledgeStore) -> Iterator[CatalogDesk]:
    with ThreadPoolExecutor(1) as executor:
        yield CatalogDesk(store, executor)


@pytest.mark.parametrize(("question", "expected"), ENGLISH + CHINESE)
def test_a_question_about_the_library_is_answered_with_all_its_files(
    desk: CatalogDesk, question: str, expected: set[str]
) -> None:
    answer = desk.ask(question)
    assert set(names(answer)) == expected
    assert len(answer.citations) == len(expected)
    assert (answer.kind, answer.outcome) == (AnswerKind.CATALOG, Outcome.ANSWER)
    for citation in answer.citations:
        assert f"[{citation.number}]" in answer.text


@pytest.mark.parametrize("question", NEAR_MISSES)
def test_a_question_about_what_documents_say_is_left_alone(
    desk: CatalogDesk, question: str
) -> None:
    assert desk.questions.parse(question) is None


@pytest.mark.parametrize(
    ("question", "first_line"),
    [
        ("How many PDFs do I have?", "There are 5 PDF files:"),
        ("list the contracts from 2024", "There are 2 contracts dated 2024:"),
        ("files by Anna Schmidt", "There is 1 file by Anna Schmidt:"),
        ("How many presentations do I have?", "There are no presentations in your library."),
        ("newest file about heat pumps", "The newest file about “heat pumps”:"),
        ("the 3 most recent files", "The 3 newest files:"),
        (
            "which files mention Acme or Globex",
            "There are 4 files that mention “Acme” or “Globex”:",
        ),
        (
            "What was added last week?",
            "There are 2 files new or changed from 6 May 2024 to 12 May 2024:",
        ),
        (
            "Which files are about insulation?",
            "No name, title, heading or folder says “insulation”, but the text does. "
            "There are 2 files about “insulation”:",
        ),
        ("多少个PDF", "资料库中有 5 个 PDF 文件："),
        ("列出2024年的合同", "资料库中有 2 份日期为2024年的合同："),
        ("哪些文件提到恐龙？", "资料库中没有提到“恐龙”的文件。"),
        ("最旧的文件是哪个？", "文件中，最早的是："),
        ("最近修改的两个文件", "文件中，最新的 2 个文件是："),
    ],
)
def test_the_answer_begins_with_how_many_and_of_what(
    desk: CatalogDesk, question: str, first_line: str
) -> None:
    assert desk.ask(question).text.split("\n")[0] == first_line


def test_dates_are_shown_where_they_matter_and_said_to_be_which(desk: CatalogDesk) -> None:
    answer = desk.ask("list the contracts from 2024")
    assert answer.text.split("\n")[1:] == [
        "• lease-2024.pdf · 1 March 2024 [1]",
        "• maintenance contract.docx · 20 January 2024 [2]",
    ]
    assert answer.notes == (
        "A file’s date is the one in its name, or else the one that it states, or else that of "
        "its last change.",
    )
    assert desk.ask("List all PDF files").notes == ()
    assert "2024年4月20日" in desk.ask("最新的PDF").text


def test_files_that_were_not_read_say_so(desk: CatalogDesk) -> None:
    assert desk.ask("Which files could not be read?").text.split("\n")[1:] == [
        "• draft.txt · not read yet [1]",
        "• boiler.jpg · could not be read [2]",
    ]


def test_a_mention_is_quoted_word_for_word(desk: CatalogDesk, store: KnowledgeStore) -> None:
    for citation in desk.ask("which files mention Acme").citations:
        document = store.document(citation.document_id or 0)
        assert document is not None
        assert document.text[citation.start : citation.end] == citation.quote
        assert "Acme" in citation.quote
    assert {one.quote for one in desk.ask("List all PDF files").citations} == {""}


def test_a_filter_narrows_what_is_counted(desk: CatalogDesk) -> None:
    answer = desk.ask("How many files are there?", IsEqualTo("type", "eml"))
    assert set(names(answer)) == {OFFER, REPLY}
    none = desk.ask("How many PDFs are there?", IsEqualTo("type", "eml"))
    assert none.text == "There are no PDF files among those that you limited the question to."
    assert desk.ask("多少个PDF", IsEqualTo("type", "eml")).text == "限定的范围内没有 PDF 文件。"


def test_hundreds_of_files_are_all_cited_and_the_first_of_them_named(tmp_path) -> None:
    entries = [Entry(f"many/{n:03}.txt", "text", f"Page {n} of the log.") for n in range(140)]
    store = open_catalog(tmp_path, entries)
    with ThreadPoolExecutor(1) as executor:
        answer = CatalogDesk(store, executor).ask("Which files mention the log?")
    store.close()
    assert len(answer.citations) == 140
    assert answer.text.startswith("There are 140 files")
    assert answer.text.endswith("… and 40 more, see the sources.")


def test_files_that_could_not_be_looked_at_are_not_said_to_be_none(
    store: KnowledgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(store, "catalog", fail)
    with ThreadPoolExecutor(1) as executor:
        answer = CatalogDesk(store, executor).ask("How many PDFs do I have?")
    assert (answer.outcome, answer.confidence) == (Outcome.NOT_FOUND, 0.0)
    assert answer.text == "The list of files could not be looked at."
    assert len(answer.notes) == 1


def test_odd_questions_are_none_about_the_library(desk: CatalogDesk) -> None:
    for odd in ("", "  ", "?", "list", "how many", "文件", "的的的", "files " * 30, "x" * 5000):
        assert desk.questions.parse(odd) is None
