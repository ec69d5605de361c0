"""The pages of the settings that are no list of settings: privacy, and about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.foundation.packages import used_packages
from desktop_rag.foundation.version import VERSION
from desktop_rag.gui import desktop
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named
from desktop_rag.gui.messages import ask
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.strings import name_for_readers, say, tr
from desktop_rag.gui.words import readable, size
from desktop_rag.services.transferring import export_library, import_library

if TYPE_CHECKING:
    from desktop_rag.services.services import Services

_SUFFIX = ".desktoprag"


class PrivacyPage(QWidget):
    """Where the data is and how big, and taking it out, in, and away.

    Args:
        services: of the open library.
        operations: runs what must not block.
        parent: the dialog.
    """

    def __init__(
        self, services: Services, operations: Operations, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self.place = _words("", "fact")
        self.place.setText(readable(str(services.data_dir)))
        self.bytes_held = _words("privacy.counting", "soft")
        self.told = _words("", "soft")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 0)
        for label in (_words("privacy.stays", "fact"), self.place, self.bytes_held):
            layout.addWidget(label)
        layout.addWidget(self._buttons())
        layout.addWidget(self.told)
        layout.addWidget(_words("privacy.encryption", "soft"))
        layout.addStretch()
        self.measure()

    def _buttons(self) -> QWidget:
        row = QWidget()
        buttons = FlowLayout(row, spacing=8)
        for key, verb in (
            ("privacy.show", self._show),
            ("privacy.export", self._export),
            ("privacy.import", self._import),
            ("privacy.delete", self._delete),
        ):
            button = named(QPushButton(), "bad" if key == "privacy.delete" else "outlined")
            say(button, key)
            button.setAutoDefault(False)
            button.clicked.connect(verb)
            buttons.addWidget(button)
        return row

    def measure(self) -> None:
        """Say how big the data is."""
        folder = self._services.data_dir
        self._operations.run(self, lambda _: held(folder), self._say_size)

    def _say_size(self, number: int) -> None:
        say(self.bytes_held, "privacy.size", size=size(number))

    def _show(self) -> None:
        desktop.open_outside(str(self._services.data_dir))

    def _export(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("privacy.export"), f"library{_SUFFIX}")
        if name:
            services = self._services
            self._do(lambda: export_library(services, Path(name)), "privacy.exported")

    def _import(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("privacy.import"))
        if name:
            services = self._services
            self._do(lambda: import_library(services, Path(name), {}), "privacy.imported")

    def _delete(self) -> None:
        answers = tr("privacy.delete_yes"), tr("dialog.cancel")
        if ask(self, tr("privacy.delete_question"), tr("privacy.delete_info"), *answers) == 0:
            services = self._services
            self._do(lambda: delete_all(services), "privacy.deleted")

    def _do(self, work: Callable[[], object], told: str) -> None:
        say(self.told, "privacy.working")

        def done(_result: object) -> None:
            say(self.told, told)
            self.measure()

        def failed(error: Exception) -> None:
            self.told.clear()
            self._operations.report(error)

        self._operations.run(self, lambda _: work(), done, failed)


class AboutPage(QWidget):
    """The version, the program's licence, and those of all that it is made of."""

    def __init__(self, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.version = _words("", "heading")
        self.version.setText(f"Desktop RAG {VERSION}")
        self.licences = QPlainTextEdit(readOnly=True)
        self.licences.setTabChangesFocus(True)
        name_for_readers(self.licences, "about.licences")
        self.licences.setToolTip("")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 0)
        for widget in (
            self.version,
            _words("about.licence", "fact"),
            _words("about.parts", "soft"),
        ):
            layout.addWidget(widget)
        layout.addWidget(self.licences, 1)
        operations.run(self, lambda _: licence_text(), self.licences.setPlainText)


def held(folder: Path) -> int:
    """Return the bytes of all files in a folder; one that goes meanwhile counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def delete_all(services: Services) -> None:
    """Forget all sources and all chats; the user's own files and the settings stay."""
    services.library.remove([source.path for source in services.library.sources()])
    for chat in services.assistant.chats():
        services.assistant.delete_chat(chat.id)
        services.assistant.forget_chat(chat.id)


def licences() -> Iterator[str]:
    """Yield "name version: licence" of each package that the program uses."""
    for package in used_packages():
        about = package.metadata.json
        classified = [
            line.rpartition(" :: ")[2]
            for line in about.get("classifier", ())
            if line.startswith("License ::")
        ]
        told = str(about.get("license_expression") or ", ".join(classified))
        licence = told or str(about.get("license", "")).partition("\n")[0] or tr("about.unnamed")
        yield f"{package.name} {package.version}: {licence}"


def licence_text() -> str:
    """Return the licences of the packages, then the whole text of the program's own."""
    try:
        own = metadata.distribution("desktop-rag").read_text("licenses/LICENSE")
    except metadata.PackageNotFoundError:  # started from its source, never installed
        own = None
    return "\n".join((*licences(), "", own or ""))


def _words(key: str, name: str) -> QLabel:
    label = named(QLabel(wordWrap=True), name)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if key:
        say(label, key)
    return label
