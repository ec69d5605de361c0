"""A data folder that cannot be used, before there is a window: what now?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import remember_data_dir
from desktop_rag.gui.messages import error_box, shown_error
from desktop_rag.gui.strings import tr
from desktop_rag.gui.trouble.remedies import Remedy, remedies_of

OTHER = Remedy.OTHER_DATA_FOLDER

AskWhatNow = Callable[[KnownError], "Remedy | None"]
ChooseFolder = Callable[[], "Path | None"]


def ask_what_now(error: KnownError) -> Remedy | None:
    """Show why the data folder cannot be used; return what to do, None to give up."""
    title, message = shown_error(error)
    box = error_box(QMessageBox.Icon.Warning, title, message, None)
    buttons = {
        box.addButton(tr(f"remedy.{remedy.value}"), QMessageBox.ButtonRole.ActionRole): remedy
        for remedy in remedies_of(error.title)
        if remedy in (Remedy.OPEN_AGAIN, OTHER)
    }
    box.exec()
    clicked = box.clickedButton()
    return next((remedy for button, remedy in buttons.items() if button is clicked), None)


def choose_folder() -> Path | None:
    """Let the user choose another data folder, which is remembered; None if none is chosen."""
    chosen = QFileDialog.getExistingDirectory(None, tr("remedy.other_data_folder"))
    if not chosen:
        return None
    remember_data_dir(Path(chosen))
    return Path(chosen)
