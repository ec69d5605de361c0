"""Telling the user what went wrong, in words, with what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import readable, translated_problem


def shown_error(error: KnownError) -> tuple[str, str]:
    """Return a known error's title and message in the window's language."""
    path = error.path or ""
    title = translated_problem(error.title, "title", path) or error.title
    message = translated_problem(error.title, "message", path) or readable(error.message)
    return title, message


def error_box(
    icon: QMessageBox.Icon, title: str, message: str, parent: QWidget | None
) -> QMessageBox:
    """Return a message that has a button to close it and is not shown yet."""
    box = QMessageBox(icon, QApplication.applicationDisplayName(), title, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(message)
    box.addButton(tr("dialog.close"), QMessageBox.ButtonRole.RejectRole)
    box.setModal(True)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
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
