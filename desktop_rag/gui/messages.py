"""Telling the user what went wrong, in words, with what to do."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import readable, translated_problem


def show_known_error(error: KnownError, parent: QWidget | None) -> QMessageBox:
    """Show an error that the user can do something about; does not wait for an answer."""
    path = error.path or ""
    title = translated_problem(error.title, "title", path) or error.title
    message = translated_problem(error.title, "message", path) or readable(error.message)
    return _box(QMessageBox.Icon.Warning, title, message, parent)


def show_crash(error: BaseException, log: Path, parent: QWidget | None) -> QMessageBox:
    """Show that the program made a mistake, and where its log is."""
    message = tr("crash.message", kind=type(error).__name__, log=str(log))
    box = _box(QMessageBox.Icon.Critical, tr("crash.title"), message, parent)
    folder = box.addButton(tr("crash.show_log"), QMessageBox.ButtonRole.ActionRole)
    folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(log.parent))))
    return box


def ask(parent: QWidget | None, question: str, info: str, *answers: str) -> int:
    """Ask a question that names what happens; return which of the answers was chosen.

    The first is a yes and the last a no, which closing the box means too.
    """
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.setInformativeText(info)
    roles = QMessageBox.ButtonRole
    last = len(answers) - 1
    kinds = {0: roles.AcceptRole, last: roles.RejectRole}
    buttons = [
        box.addButton(answer, kinds.get(number, roles.ActionRole))
        for number, answer in enumerate(answers)
    ]
    box.exec()
    clicked = box.clickedButton()
    return buttons.index(clicked) if clicked in buttons else last


def _box(icon: QMessageBox.Icon, title: str, message: str, parent: QWidget | None) -> QMessageBox:
    box = QMessageBox(icon, QApplication.applicationDisplayName(), title, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(message)
    box.addButton(tr("dialog.close"), QMessageBox.ButtonRole.AcceptRole)
    box.setModal(True)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box
