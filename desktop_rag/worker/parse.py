"""The service that reads files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.foundation.paths import models_dir
from desktop_rag.ingestion.model_text import text_spaces
from desktop_rag.ingestion.parsers.registry import parse_file
from desktop_rag.ingestion.preparation import Preparation
from desktop_rag.ingestion.splitters.sizes import SegmentSizes
from desktop_rag.ingestion.wire import Frame, document_frames


class ParseService:
    """Answers "read" with the frames of a prepared document."""

    def __init__(self, options: argparse.Namespace) -> None:
        sizes = SegmentSizes(options.segment_tokens, options.parent_tokens)
        self._preparation = Preparation(text_spaces(models_dir()), sizes)

    def answer(self, kind: str, payload: Any) -> Iterator[Frame]:  # noqa: ANN401
        """Read the file at ``payload["path"]``.

        Raises:
            KnownError: it cannot be read.
            OSError: it is gone.
            ValueError: the request is unknown.
        """
        if kind != "read":
            raise ValueError(f"unknown request: {kind}")
        parsed = parse_file(Path(os.fsdecode(payload["path"])))
        yield from document_frames(self._preparation.prepare(parsed))
