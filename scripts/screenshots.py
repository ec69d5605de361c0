"""Takes the pictures of the window that the README and the docs show.

Run it with `.venv/bin/python -m scripts.screenshots` (offscreen, or on a real X server with
QT_QPA_PLATFORM=xcb). It writes documents of its own, so nobody's files get into a picture.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pymupdf
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from desktop_rag.bootstrap import open_services
from desktop_rag.foundation.settings import LANGUAGE, THEME, Settings
from desktop_rag.gui.app import make_application, run
from desktop_rag.gui.window import MainWindow

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
SIZE = (1360, 820)
_POLL_MS = 200

LEASE = [
    "<h2>Lease agreement</h2><p>between Northgate Housing and the tenant of flat 12.</p>"
    "<h3>&sect; 5 Term</h3><p>The lease begins on 1 September 2024. It is concluded for an "
    "indefinite time.</p><h3>&sect; 6 Rent</h3><p>The monthly rent is due in advance by the "
    "third working day of each month. Payments are applied first to costs, then to interest, "
    "then to the principal claim.</p>",
    "<h3>&sect; 7 Notice</h3><p>Either party may terminate this lease by giving three months' "
    "written notice to the end of a calendar quarter. Notice must be received by the third "
    "working day of the first month of that period. Notice by e-mail is not sufficient.</p>"
    "<h3>&sect; 8 Use of the premises</h3><p>The premises are let for residential purposes "
    "only. Any other use requires the landlord's consent in writing.</p>"
    "<h3>&sect; 11 Repairs</h3><p>Minor repairs not exceeding EUR 150 in the individual case "
    "are borne by the tenant. Everything else is the landlord's.</p>",
]
CONTRACT = (
    "供应合同 HT-2024-0815\n\n第二章 付款\n\n买方应在收到发票之日起三十天内付款。逾期付款的，"
    "每日按未付金额的万分之五支付违约金。\n\n第三章 维修\n\n单次费用超过一百五十欧元的维修由出租方"
    "承担。其余维修由承租方承担。\n"
)
NOTES = (
    "# Field notes\n\n## Pump P-100\n\nThe warranty of pump P-100 is two years from delivery. "
    "The seals were changed in May.\n\n## Pump P-200\n\nNo complaint so far.\n"
)


@dataclass(frozen=True)
class Picture:
    """One picture: its name, and the window's language, theme and question."""

    name: str
    language: str
    theme: str
    question: str


PICTURES = {
    picture.name: picture
    for picture in (
        Picture("window-light", "en", "light", "How long is the notice period?"),
        Picture("window-dark", "en", "dark", "Who pays for minor repairs?"),
        Picture("window-zh", "zh", "light", "收到发票后多少天内付款？"),
    )
}


def write_documents(folder: Path) -> None:
    """Write a PDF, a text in Chinese, a Markdown file, and a PDF that needs a password."""
    (folder / "Contracts").mkdir(parents=True)
    (folder / "Research").mkdir()
    lease = pymupdf.open()
    for html in LEASE:
        lease.new_page().insert_htmlbox((72, 90, 520, 760), html)
    lease.save(folder / "Contracts" / "Lease 2024-08.pdf")
    lease.save(
        folder / "Contracts" / "Salaries.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x"
    )
    (folder / "Contracts" / "供应合同 HT-2024-0815.txt").write_text(CONTRACT, encoding="utf-8")
    (folder / "Research" / "field-notes.md").write_text(NOTES, encoding="utf-8")


class Photographer:
    """Walks through the window, one step after the other, each when the last one is done."""

    def __init__(self, picture: Picture, documents: Path) -> None:
        self._picture = picture
        self._documents = documents
        self._steps: list[Callable[[MainWindow], bool]] = [
            self._add,
            self._read,
            self._ask,
            self._answered,
            self._opened,
            self._taken,
        ]

    def walk(self) -> None:
        """Take the next step, or the same one again if it can't be done yet."""
        window = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
        window.resize(*SIZE)
        if self._steps[0](window):
            self._steps.pop(0)
        if self._steps:
            QTimer.singleShot(_POLL_MS, self.walk)
        else:
            window.close()

    def _add(self, window: MainWindow) -> bool:
        if not window.feed.loaded:
            return False
        window.verbs.add([str(each) for each in sorted(self._documents.iterdir())])
        return True

    def _read(self, window: MainWindow) -> bool:
        progress = window.feed.progress
        return progress is not None and progress.state == "idle" and bool(window.feed.sources)

    def _ask(self, window: MainWindow) -> bool:
        window.chat_controller.ask(self._picture.question)
        return True

    def _answered(self, window: MainWindow) -> bool:
        if window.chat_controller.busy:
            return False
        turn = window.chat.thread_view.turns[-1]
        turn.sources.cards[0].pressed.emit()
        self._wait = 10
        return True

    def _opened(self, _window: MainWindow) -> bool:
        self._wait -= 1
        return self._wait == 0

    def _taken(self, window: MainWindow) -> bool:
        IMAGES.mkdir(exist_ok=True)
        window.grab().save(str(IMAGES / f"{self._picture.name}.png"))
        return True


def main(names: list[str]) -> int:
    """Take the pictures named, all of them when none is. One program a picture."""
    for name in names or list(PICTURES):
        if names:
            return _take(PICTURES[name])
        if os.spawnv(
            os.P_WAIT, sys.executable, [sys.executable, "-m", "scripts.screenshots", name]
        ):
            return 1
    return 0


def _take(picture: Picture) -> int:
    with tempfile.TemporaryDirectory() as folder:
        documents, data_dir = Path(folder) / "documents", Path(folder) / "data"
        write_documents(documents)
        data_dir.mkdir()
        settings = Settings(data_dir)
        settings.set(LANGUAGE, picture.language)
        settings.set(THEME, picture.theme)
        make_application()
        photographer = Photographer(picture, documents)
        QTimer.singleShot(1000, photographer.walk)
        return run(data_dir, (), open_services)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
