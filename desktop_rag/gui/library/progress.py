"""The foot of the library pane: how far the reading is, pause, speed, and what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named
from desktop_rag.gui.strings import language_changed, name_for_readers, say, tr
from desktop_rag.gui.words import note, progress_line

if TYPE_CHECKING:
    from desktop_rag.ingestion.progress import Progress


class ProgressFoot(QWidget):
    """Shows a ``Progress`` and offers pause and speed while there is work."""

    pause_wanted = Signal(bool)
    speed_wanted = Signal(bool)
    problems_wanted = Signal()
    model_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._progress: Progress | None = None
        self._problems = 0
        self._full = True
        self.line = named(QLabel(wordWrap=True), "soft")
        self.bar = QProgressBar(textVisible=False)
        self.pause = named(QPushButton(), "quiet")
        self.speed = named(QPushButton(), "quiet")
        self.problems = named(QPushButton(), "bad")
        self.model = named(QPushButton(), "outlined")
        name_for_readers(self.bar, "progress.name")
        self.pause.clicked.connect(lambda: self.pause_wanted.emit(not self.paused))
        self.speed.clicked.connect(lambda: self.speed_wanted.emit(not self._full))
        self.problems.clicked.connect(self.problems_wanted)
        self.model.clicked.connect(self.model_wanted)
        say(self.model, "model.read")
        row = QWidget()
        buttons = FlowLayout(row, spacing=4)
        for button in (self.model, self.pause, self.speed, self.problems):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for widget in (self.line, self.bar, row):
            layout.addWidget(widget)
        language_changed.connect(self._say)
        self._say()

    @property
    def paused(self) -> bool:
        """Whether the reading is paused."""
        return self._progress is not None and self._progress.state == "paused"

    def show_progress(self, progress: Progress) -> None:
        """Show where the work stands."""
        self._progress = progress
        self._say()

    def show_problems(self, count: int) -> None:
        """Offer the list of files that were not read."""
        self._problems = count
        self._say()

    def show_speed(self, full: bool) -> None:
        """Show whether the reading may take the whole computer."""
        self._full = full
        self._say()

    def _say(self) -> None:
        progress = self._progress
        busy = progress is not None and progress.state != "idle"
        for widget in (self.bar, self.pause, self.speed):
            widget.setVisible(busy)
        notes = [] if progress is None else [note(each) for each in progress.notes]
        self.line.setVisible(busy or bool(notes))
        self.model.setVisible(progress is not None and progress.new_model)
        self.problems.setVisible(self._problems > 0)
        self.problems.setText(tr("problems.count", n=self._problems))
        self.setVisible(busy or bool(notes) or self._problems > 0)
        if progress is None or not busy:
            self.line.setText("\n".join(notes))
            return
        self.line.setText("\n".join([progress_line(progress), *notes]))
        done, total = progress.files_done, progress.files_total
        if progress.page is not None and progress.pages is not None:
            under_way = progress.state == "recognising"  # its page is the one being read
            done, total = progress.page - under_way, progress.pages
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        say(self.pause, "progress.resume" if self.paused else "progress.pause")
        say(self.speed, "progress.background" if self._full else "progress.full_speed")
