"""The service that reads files."""

from __future__ import annotations

import argparse
import faulthandler
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.domain.files import Problem
from desktop_rag.domain.ocr import OcrState, Recognition
from desktop_rag.domain.prepared import Member, PreparedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame
from desktop_rag.foundation.paths import models_dir
from desktop_rag.ingestion.content import hash_content
from desktop_rag.ingestion.model_text import text_spaces
from desktop_rag.ingestion.ocr_wire import RECOGNISED, PagesBuilder
from desktop_rag.ingestion.parsers.limits import ParseLimits, limited
from desktop_rag.ingestion.parsers.parts import Part, source_of, visiting
from desktop_rag.ingestion.parsers.recognition import TextlessDocument
from desktop_rag.ingestion.parsers.registry import parse_bytes, parse_file
from desktop_rag.ingestion.preparation import Preparation, without_text
from desktop_rag.ingestion.splitters.sizes import SegmentSizes
from desktop_rag.ingestion.wire import document_frames, member_frames

_GRACE = 30.0
"""Seconds over a file's limit after which the process ends itself: the owner has ended it by
then, unless it is gone and C code keeps everything else in this process from running."""


class ParseService:
    """Answers "read" with the frames of a file's members and of its prepared document.

    Args:
        options: of the process.
        send: takes the frames of members, which come while their container is parsed.
    """

    def __init__(self, options: argparse.Namespace, send: Callable[[Frame], None]) -> None:
        sizes = SegmentSizes(options.segment_tokens, options.parent_tokens)
        self._seconds = options.seconds + _GRACE
        self._limits = ParseLimits(
            options.pages, options.text_bytes, options.unpacked_bytes, options.depth
        )
        self._send = send
        self._recognised = PagesBuilder()
        self._preparation = Preparation(text_spaces(models_dir()), sizes)

    def answer(self, kind: str, payload: Any) -> Iterator[Frame]:  # noqa: ANN401
        """Read the file at ``payload["path"]``; its recognised pages come before it.

        Raises:
            KnownError: it cannot be read.
            OSError: it is gone.
            ValueError: the request is unknown.
        """
        if kind == RECOGNISED:
            self._recognised.add(payload)
            return
        if kind != "read":
            raise ValueError(f"unknown request: {kind}")
        self._watch()
        try:
            yield from document_frames(self._prepared(payload))
        finally:
            faulthandler.cancel_dump_traceback_later()

    def wants(self, name: str, content: bytes) -> bool:
        """Have every member read (see ``PartVisitor``)."""
        return True

    def take(self, part: Part) -> None:
        """Send a member; the time that one file may take begins anew.

        It does not run while the owner, who has enough to do, lets this process wait.
        """
        frames = list(member_frames(self._member(part)))
        faulthandler.cancel_dump_traceback_later()
        for frame in frames:
            self._send(frame)
        self._watch()

    def _watch(self) -> None:
        faulthandler.dump_traceback_later(self._seconds, exit=True)

    def _prepared(self, payload: Any) -> PreparedDocument:  # noqa: ANN401
        recognition = Recognition(OcrState(payload["ocr"]), self._recognised.take())
        try:
            with limited(self._limits), self._visiting(recognition.state, payload["members"]):
                parsed = _parsed(Path(os.fsdecode(payload["path"])), recognition)
        except TextlessDocument as textless:
            return without_text(textless)
        return self._preparation.prepare(parsed)

    def _visiting(self, ocr: OcrState, wanted: bool) -> AbstractContextManager[None]:
        return visiting(self, ocr) if wanted else nullcontext()

    def _member(self, part: Part) -> Member:
        known = Member(part.name, len(part.content), hash_content(part.content))
        try:
            return replace(known, prepared=self._prepared_part(part))
        except KnownError as problem:
            return replace(known, problem=Problem(problem.title, problem.message))

    def _prepared_part(self, part: Part) -> PreparedDocument:
        if isinstance(part.outcome, KnownError):
            raise part.outcome
        if isinstance(part.outcome, TextlessDocument):
            return without_text(part.outcome)
        return self._preparation.prepare(part.outcome)


def _parsed(path: Path, recognition: Recognition) -> ParsedDocument:
    """Parse a file, or one that lies in it."""
    source = source_of(path)
    if isinstance(source, bytes):
        return parse_bytes(source, path.name, recognition)
    return parse_file(source, recognition)
