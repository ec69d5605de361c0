"""What is read of the shared documents: a line for each file.

    python -m tests.benchmarks.documents [FOLDER] [--text OUT]

``odd`` is the share of control and private-use characters among all, in per cent; where
nothing is read, the reason stands last. With ``--text`` the texts are written into a folder, to
be compared with the pages by eye.
"""

from __future__ import annotations

import argparse
import re
import time
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.document import Coverage
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.reading import WorkerReader
from tests.benchmarks.corpus import shared_dir

_ODD = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffe\uffff\U000f0000-\U0010ffff]"
)
_COLUMNS = ("file", "kind", "pages", "characters", "passages", "odd %", "seconds", "coverage")


@dataclass(frozen=True, slots=True)
class Line:
    """What was read of one file."""

    cells: tuple[str, ...]
    text: str = ""


def read(reader: WorkerReader, path: Path) -> Line:
    """Read one file."""
    start = time.perf_counter()
    try:
        document = reader.read(path)
    except KnownError as error:
        seconds = f"{time.perf_counter() - start:.2f}"
        return Line((path.name, "", "", "", "", "", seconds, error.title))
    seconds, text = f"{time.perf_counter() - start:.2f}", document.text
    odd = 100 * len(_ODD.findall(text)) / max(1, len(text))
    numbers = (str(document.pages or ""), f"{len(text):,}", str(len(document.segments)))
    said = _said(document.coverage)
    return Line((path.name, document.kind, *numbers, f"{odd:.2f}", seconds, said), text)


def _said(coverage: Coverage) -> str:
    words = [f"{coverage.read} read"]
    words += [f"{coverage.ocr} by OCR"] * bool(coverage.ocr)
    words += [f"{coverage.empty} empty"] * bool(coverage.empty)
    words += [f"p. {unit.page}: {unit.reason}" for unit in coverage.unreadable[:3]]
    return ", ".join(words)


def main() -> None:
    """Read and print."""
    shared = shared_dir()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=shared and shared / "documents")
    parser.add_argument("--text", type=Path, help="write each file's text into this folder")
    options = parser.parse_args()
    if options.folder is None:
        raise SystemExit("there are no shared documents")
    reader = WorkerReader()
    try:
        lines = [read(reader, path) for path in sorted(options.folder.iterdir()) if path.is_file()]
    finally:
        reader.close()
    print(f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}")
    for line in lines:
        print(f"| {' | '.join(line.cells)} |")
        if options.text is not None:
            options.text.mkdir(parents=True, exist_ok=True)
            (options.text / f"{line.cells[0]}.txt").write_text(line.text, "utf-8")


if __name__ == "__main__":
    main()
