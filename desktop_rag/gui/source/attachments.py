"""What is attached to a mail, or lies in an archive, as buttons that open it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.domain.files import FileRecord
from desktop_rag.gui import icons
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named, unmarked
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import file_name

_MOST_SHOWN = 12


class AttachmentBar(QWidget):
    """One chip a file; hidden where there is none. ``wanted`` asks to see one."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self)
        self.chips: list[QPushButton] = []
        self.hide()

    def show_files(self, files: Sequence[FileRecord]) -> None:
        """Offer these files."""
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.deleteLater()
        self.chips = []
        for record in files[:_MOST_SHOWN]:
            chip = named(QPushButton(unmarked(file_name(record.path))), "chip")
            icons.put(chip, "file", "soft", 12)
            chip.setAccessibleName(tr("source.attachment", name=file_name(record.path)))
            chip.setToolTip(tr("source.attachment", name=file_name(record.path)))
            chip.clicked.connect(partial(self.wanted.emit, record))
            self._flow.addWidget(chip)
            self.chips.append(chip)
        self.setVisible(bool(files))
