"""Three PDF files are read while the program's own process never loads what reads them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.helpers.drawn_pdf import LOREM, box, drawn

_OWNER = """
import json, sys, threading
import psutil
import desktop_rag
own = psutil.Process()
seen, stop = set(), threading.Event()
def look():
    while not stop.is_set():
        seen.update(child.pid for child in own.children())
        stop.wait(0.02)
looking = threading.Thread(target=look)
looking.start()
with desktop_rag.open_library(sys.argv[1]) as library:
    added = library.add(sys.argv[2]).added
    found = [result.path for result in library.search("repairs of the old bridge", k=1).results]
stop.set()
looking.join()
print(json.dumps([added, found, len(seen), "pymupdf" in sys.modules, own.children() == []]))
"""


def test_b8_pdf_files_are_read_in_a_process_of_their_own(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(3):
        pages = [
            lambda page, n=n, of=number: box(page, f"Page {n} of {of}. {LOREM}", (72, 72, 523, 700))
            for n in range(60)
        ]
        (docs / f"{number}.pdf").write_bytes(drawn(pages))

    done = subprocess.run(
        [sys.executable, "-c", _OWNER, str(tmp_path / "library"), str(docs)],
        capture_output=True,
        timeout=100,
        check=True,
    )

    added, found, children, loaded, ended = json.loads(done.stdout)
    assert added == 3
    assert Path(found[0]).parent == docs
    assert children >= 1
    assert not loaded
    assert ended
