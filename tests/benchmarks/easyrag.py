"""Reads a folder as the product does, and as LangChain4j's easy RAG does, in one run.

    python -m tests.benchmarks.easyrag JAR [FOLDER]

JAR is built from the baseline (see its README); FOLDER is the shared documents by default.
Recognising pages is switched off: easy RAG has nothing of the kind.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from desktop_rag.foundation.paths import prepare_data_dir
from desktop_rag.foundation.settings import OCR, Settings
from tests.benchmarks import program
from tests.benchmarks.corpus import shared_dir


def of_easy_rag(jar: Path, folder: Path) -> dict[str, Any]:
    """Run the baseline; return what it prints, and ``seconds`` from start to end."""
    quiet = {"DJL_OFFLINE": "true", "OPT_OUT_TRACKING": "true"}
    begun = time.perf_counter()
    run = subprocess.run(
        ["java", "-jar", str(jar), "ingest", str(folder)],
        env=os.environ | quiet,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return {**json.loads(run.stdout), "seconds": time.perf_counter() - begun}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.easyrag", description=__doc__)
    parser.add_argument("jar", type=Path)
    parser.add_argument("folder", type=Path, nargs="?")
    options = parser.parse_args()
    shared = shared_dir()
    folder = options.folder or (shared or Path()) / "documents"
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        library = prepare_data_dir(Path(temporary, "library"))
        Settings(library).set(OCR, False)
        ours = program.run(library, "index", str(folder))
    theirs = of_easy_rag(options.jar, folder)
    figures = {
        "seconds": round(ours.seconds, 1),
        "tokens": ours.result["tokens"],
        "easy_rag_seconds": round(theirs["seconds"], 1),
        "ratio": round(ours.seconds / theirs["seconds"], 3),
        "easy_rag": {key: value for key, value in theirs.items() if isinstance(value, int | float)},
    }
    json.dump(figures, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
