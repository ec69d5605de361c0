"""A small library with authors, dates and kinds, for questions about the library itself."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from desktop_rag.answering.catalog import CatalogAnswerer
from desktop_rag.domain.answer import Answer
from desktop_rag.domain.files import FileStat, FileStatus, Problem
from desktop_rag.domain.filter import Filter
from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.retrieval.augmentor import DefaultRetrievalAugmentor
from desktop_rag.retrieval.catalog.parser import CatalogQuestions
from desktop_rag.retrieval.retrievers.catalog import CatalogContentRetriever
from desktop_rag.retrieval.routers.default import DefaultQueryRouter
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.analysis import analyse
from tests.helpers.store_parts import SPACES, prepared, vectors_of

TODAY = date(2024, 5, 15)
"""A Wednesday."""


@dataclass(frozen=True)
class Entry:
    """A file: where, what, by whom, of when, changed when, and what it says."""

    path: str
    kind: str
    text: str = ""
    author: str = ""
    stated: str = ""
    changed: str = "2020-06-01"
    title: str = ""


ADA, BOB, ZHANG = "Ada Lovelace", "Bob Stone", "张三"
ENTRIES = (
    Entry(
        "contracts/lease-2024.pdf",
        "pdf",
        "The tenant pays the rent to Acme Ltd each month.",
        ADA,
        "2024-03-01",
        title="Lease of the office",
    ),
    Entry(
        "contracts/supply-contract-2023.pdf",
        "pdf",
        "Globex supplies the pumps. The warranty is two years.",
        BOB,
        "2023-06-10",
    ),
    Entry(
        "contracts/maintenance contract.docx",
        "docx",
        "Acme services the boiler and the heat pump twice a year.",
        ADA,
        "2024-01-20",
    ),
    Entry("reports/heat pump report.pdf", "pdf", "It heats well.", BOB, "2022-01-15"),
    Entry("reports/heat-pump-test-2024-04.pdf", "pdf", "The test failed.", "", "2024-04-02"),
    Entry("reports/sales.xlsx", "xlsx", "Sales by month.", changed="2024-05-08"),
    Entry(
        "mail/offer.eml",
        "eml",
        "We offer insulation for the roof.",
        "Anna Schmidt <anna@example.org>",
        "2024-05-06T09:30:00+02:00",
        "2024-05-07",
    ),
    Entry("mail/reply.eml", "eml", "Thank you.", BOB, "2024-05-14T10:00:00", "2024-05-14"),
    Entry("notes/ideas.md", "markdown", "Ask Globex about insulation.", changed="2024-05-15"),
    Entry("财务/2023年合同.docx", "docx", "乙方逾期付款须支付违约金。", ZHANG, "2023-09-01"),
    Entry("财务/发票2024.pdf", "pdf", "本月租金与押金已付。", "李四", "2024-04-20"),
    Entry("财务/年度报告.docx", "docx", "今年采购了三台热泵。", ZHANG, "2024-02-10"),
    Entry("photos/boiler.jpg", "", changed="2024-05-01"),
    Entry("notes/draft.txt", "", changed="2024-05-02"),
)
FAILED, WAITING = "photos/boiler.jpg", "notes/draft.txt"


def fill_catalog(store: KnowledgeStore, entries: Sequence[Entry] = ENTRIES) -> None:
    """Read the entries as files of one folder; two are not read."""
    source = store.add_source("/library", True).id
    for number, entry in enumerate(entries):
        stat = _stat(entry.changed, number)
        [file_id] = store.put_files(source, [(entry.path, stat, FileStatus.WAITING)])
        if entry.path == FAILED:
            store.fail_file(file_id, stat, None, Problem("Damaged", "It is damaged."))
        elif entry.path != WAITING:
            _commit(store, file_id, stat, entry)
    store.flush()


def _stat(changed: str, inode: int) -> FileStat:
    noon = int(datetime.fromisoformat(f"{changed}T12:00:00").timestamp() * 1e9)
    return FileStat(100, noon, noon, inode + 1)


def _commit(store: KnowledgeStore, file_id: int, stat: FileStat, entry: Entry) -> None:
    metadata = {"author": entry.author, "date": entry.stated}
    document = prepared(
        entry.text,
        title=entry.title,
        kind=entry.kind,
        metadata={key: value for key, value in metadata.items() if value},
    )
    segments = tuple(replace(one, terms=" ".join(analyse(one.text))) for one in document.segments)
    document = replace(document, segments=segments)
    store.commit_document(
        file_id, stat, entry.path, f"{entry.path}:1", document, vectors_of(document)
    )


def open_catalog(folder: Path, entries: Sequence[Entry] = ENTRIES) -> KnowledgeStore:
    """A store with the entries."""
    store = KnowledgeStore.open(folder, SPACES)
    fill_catalog(store, entries)
    return store


class CatalogDesk:
    """Asks a store about its files, as seen on ``TODAY``."""

    def __init__(self, store: KnowledgeStore, executor: Executor) -> None:
        self.questions = CatalogQuestions(lambda: TODAY)
        retriever = CatalogContentRetriever(store, self.questions)
        self._augmentor = DefaultRetrievalAugmentor(DefaultQueryRouter([retriever]), executor)
        self._answerer = CatalogAnswerer(self.questions)

    def ask(self, question: str, condition: Filter | None = None) -> Answer:
        """Return the answer to a question about the library."""
        context = QueryContext(filter=condition)
        return self._answerer.answer(self._augmentor.augment(UserMessage(question), context))


def names(answer: Answer) -> list[str]:
    """The names of the files that an answer tells, in its order."""
    return [citation.path.rsplit("/", 1)[1] for citation in answer.citations]
