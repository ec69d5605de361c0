"""What the services give, as the JSON that the command line promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING
from uuid import UUID

from desktop_rag.domain.answer import Answer, CheckedSentence, Citation
from desktop_rag.domain.document import Coverage
from desktop_rag.domain.files import FileRecord, Problem, Source
from desktop_rag.domain.metadata import Metadata
from desktop_rag.services.json_text import EXTRA
from desktop_rag.services.reports import (
    IndexReport,
    LibraryStatus,
    ModelChange,
    Progress,
    Removal,
)
from desktop_rag.services.search_report import SearchReport, SearchResult

if TYPE_CHECKING:
    from desktop_rag.ingestion.left_out import LeftOut
    from desktop_rag.services.surveying import Survey

_FILE_COUNTS = ("added", "updated", "moved", "removed", "unchanged", "failed", "skipped")


def index_json(report: IndexReport) -> dict[str, object]:
    """Return the result of ``index``."""
    return {
        "files": {name: getattr(report, name) for name in _FILE_COUNTS},
        "segments": report.segments,
        "embedded": report.embedded,
        "reused": report.reused,
        "tokens": report.tokens,
        "seconds": _seconds(report.seconds),
        "problems": [
            {"path": p.path, "page": p.page, "title": p.title, "message": p.message}
            for p in report.problems
        ],
    }


def survey_json(counted: Survey) -> dict[str, object]:
    """Return what was counted before anything is read."""
    return {
        "files": counted.files,
        "bytes": counted.bytes,
        "known": counted.known,
        "kinds": [asdict(kind) for kind in counted.kinds],
        "seconds": _seconds(counted.seconds),
        "library_bytes": counted.library_bytes,
        "free_bytes": counted.free_bytes,
    }


def search_json(report: SearchReport) -> dict[str, object]:
    """Return the result of ``search``."""
    return {
        "results": [_search_result(result) for result in report.results],
        "seconds": _seconds(report.seconds),
        EXTRA: {"notes": list(report.notes)},
    }


def _search_result(result: SearchResult) -> dict[str, object]:
    return {
        "rank": result.rank,
        "score": result.score,
        "text": result.text,
        "path": result.path,
        "paths": list(result.paths),
        "page": result.page,
        "heading": result.heading,
        "start": result.start,
        "end": result.end,
        "segment": result.segment,
        "metadata": _metadata(result.metadata),
    }


def answer_json(answer: Answer, events: list[str], times: Mapping[str, float]) -> dict[str, object]:
    """Return the result of ``ask``.

    ``events`` are the steps in their order, ``times`` the seconds at which each began.
    """
    return {
        "answer": answer.text,
        "outcome": answer.outcome.value,
        "answerable": answer.answerable,
        "confidence": answer.confidence,
        "kind": answer.kind.value,
        "coverage": {"ready": answer.coverage.ready, "files": answer.coverage.files},
        "citations": [_citation(citation) for citation in answer.citations],
        "queries": list(answer.queries),
        "events": events,
        "times": dict(times),
        "seconds": _seconds(answer.seconds),
        "model": answer.model,
        "usage": asdict(answer.usage),
        "sentences": [_sentence(one, answer.text) for one in answer.sentences],
        EXTRA: {
            "nearest": [_citation(citation) for citation in answer.nearest],
            "notes": list(answer.notes),
            "reasoning": answer.reasoning,
        },
    }


def _sentence(sentence: CheckedSentence, text: str) -> dict[str, object]:
    return {
        "text": text[sentence.start : sentence.end],
        "support": sentence.support.value,
        "numbers": list(sentence.numbers),
        "reason": sentence.reason,
        "quote": None if sentence.quote is None else _citation(sentence.quote),
    }


def _citation(citation: Citation) -> dict[str, object]:
    return {
        "number": citation.number,
        "path": citation.path,
        "page": citation.page,
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "metadata": _metadata(citation.metadata),
    }


def status_json(status: LibraryStatus, change: ModelChange | None) -> dict[str, object]:
    """Return the result of ``status``; a file that is being read counts as waiting."""
    return {
        "sources": [_source(source) for source in status.sources],
        "files": status.files,
        "ready": status.ready,
        "waiting": status.waiting + status.reading,
        "failed": status.failed,
        "ignored": status.ignored,
        "segments": status.segments,
        "vectors": status.vectors,
        "indexes": {name: dict(index) for name, index in status.indexes.items()},
        "bytes": status.bytes,
        EXTRA: {
            "unavailable": status.unavailable,
            "notes": list(status.notes),
            "ocr": status.ocr,
            "files_for_ocr": status.scanned,
            "model_change": None
            if change is None
            else {"passages": change.passages, "seconds": round(change.seconds, 1)},
        },
    }


def _source(source: Source) -> dict[str, object]:
    return {
        "path": source.path,
        "kind": "folder" if source.is_folder else "file",
        "state": source.state.value,
        "visibility": source.visibility,
        "ignore_rules": list(source.ignore_rules),
    }


def file_json(record: FileRecord) -> dict[str, object]:
    """Return one file of the result of ``files``."""
    return {
        "path": record.path,
        "status": record.status.value,
        "problem": problem_json(record.problem),
        "kind": record.kind,
        "pages": record.pages,
        "coverage": _coverage(record.coverage),
        "segments": record.segments,
        EXTRA: {"recognising": _pages(record.recognising), "encoding": record.encoding},
    }


def left_out_json(left: LeftOut) -> dict[str, object]:
    """Return one thing that is left out."""
    return {
        "path": left.path,
        "folder": left.is_folder,
        "rule": left.rule,
        "own_rule": left.own_rule,
    }


def _pages(recognising: tuple[int, int] | None) -> dict[str, int] | None:
    """Return which page is recognised (0: it waits), and of how many."""
    return None if recognising is None else {"page": recognising[0], "pages": recognising[1]}


def problem_json(problem: Problem | None) -> dict[str, object] | None:
    """Return why a file was not read, None when it was."""
    return None if problem is None else {"title": problem.title, "message": problem.message}


def _coverage(coverage: Coverage) -> dict[str, object]:
    return {
        "read": coverage.read,
        "ocr": coverage.ocr,
        "empty": coverage.empty,
        "unreadable": [{"page": unit.page, "reason": unit.reason} for unit in coverage.unreadable],
    }


def removal_json(removal: Removal) -> dict[str, object]:
    """Return what ``remove`` did with one path."""
    return {"path": removal.path, "kind": removal.kind}


def progress_json(progress: Progress) -> dict[str, object]:
    """Return how far the reading is, as it is told while ``index`` runs."""
    return {**asdict(progress), "notes": list(progress.notes)}


def _metadata(metadata: Metadata) -> Mapping[str, object]:
    return {
        key: str(value) if isinstance(value, UUID) else value for key, value in metadata.items()
    }


def _seconds(seconds: float) -> float:
    """Keep a tenth of a millisecond: more digits are noise."""
    return round(seconds, 4)
