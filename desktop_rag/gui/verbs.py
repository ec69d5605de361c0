"""What the user can do with the library and the desktop: one small method a verb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.domain.files import FileRecord
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import resources_dir
from desktop_rag.foundation.settings import FULL_SPEED, SPEED
from desktop_rag.gui import desktop
from desktop_rag.gui.keys import KeysDialog
from desktop_rag.gui.library.about_rows import AboutRows
from desktop_rag.gui.library.adding import Adding
from desktop_rag.gui.library.problems import ProblemsDialog
from desktop_rag.gui.library.tree import Group, not_read
from desktop_rag.gui.library.view import (
    ASK_ONLY,
    DETAILS,
    OPEN_OUTSIDE,
    READ_FIRST,
    REMOVE,
    RETRY,
    RULES,
    SHOW_IN_FOLDER,
    TAKE_BACK,
)
from desktop_rag.gui.messages import ask
from desktop_rag.gui.models.page import ModelsDialog, ModelsPage
from desktop_rag.gui.operations import Operation
from desktop_rag.gui.scope.chips import FILE, FOLDER, Chip
from desktop_rag.gui.settings_dialog import SettingsDialog
from desktop_rag.gui.settings_pages import AboutPage, PrivacyPage
from desktop_rag.gui.strings import current_language, tr
from desktop_rag.gui.words import duration, file_name, readable

if TYPE_CHECKING:
    from desktop_rag.gui.window import MainWindow
    from desktop_rag.services.library import Library
    from desktop_rag.services.reports import ModelChange
    from desktop_rag.services.services import Services


_BACKGROUND = "background"

_GUIDE_SECONDS = 120.0
"""The guide is read in a second or two, unless thousands of files stand before it."""


class Verbs:
    """Bound to the window; before the services are there, and after, verbs do nothing."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._services: Services | None = None
        self._waiting: list[str] = []
        self._about = AboutRows(window, self.on_row)
        window.preferences.changed.connect(self._follow_speed)
        window.bottom.answers.clicked.connect(self.language_model)

    def open(self, services: Services) -> None:
        """Begin; what was added while the services were being built is added now."""
        self._services = services
        self._about.open(services)
        self._window.bottom.answers.follow(services)
        self._follow_speed()
        waiting, self._waiting = self._waiting, []
        self.add(waiting)

    def close(self) -> None:
        """Do nothing any more."""
        self._window.bottom.answers.unfollow()
        self._services = None
        self._about.close()

    def add(self, paths: Sequence[str]) -> None:
        """Add files and folders to the library."""
        if self._services is None:
            self._waiting.extend(paths)
        elif paths:
            window = self._window
            Adding(self._services, window.operations, window).begin(paths)

    def add_files(self) -> None:
        """Let the user choose files to add."""
        paths, _ = QFileDialog.getOpenFileNames(self._window, tr("library.add_files"))
        self.add(paths)

    def add_folder(self) -> None:
        """Let the user choose a folder to add."""
        path = QFileDialog.getExistingDirectory(self._window, tr("library.add_folder"))
        self.add([path] if path else [])

    def remove(self, path: str, is_source: bool) -> None:
        """Take a source out of the library, or leave a file of one out, after asking."""
        part = "remove" if is_source else "ignore"
        question = tr(f"library.{part}_question", name=file_name(path))
        info, yes = tr(f"library.{part}_info"), tr(f"menu.{part}")
        if self._agreed(question, info, yes, tr("dialog.cancel")):
            self._with_library(lambda library: library.remove([path]))

    def on_row(self, verb: str, row: FileRecord | Group) -> None:
        """Do what the context menu of the library asks for."""
        is_source = isinstance(row, Group)
        path = row.source.path if isinstance(row, Group) else row.path
        if verb == OPEN_OUTSIDE:
            self.open_outside(path)
        elif verb == SHOW_IN_FOLDER:
            self._hand_over(path, desktop.show_in_folder)
        elif verb == ASK_ONLY:
            folder = isinstance(row, Group) and row.source.is_folder
            chip = Chip(FOLDER if folder else FILE, path)
            self._window.chat.composer.set_scope(chip)
        elif verb == REMOVE:
            self.remove(path, is_source or not getattr(row, "relpath", ""))
        elif verb in (DETAILS, RULES):
            self._about.do(verb, row)
        elif verb == TAKE_BACK or (verb == READ_FIRST and is_source):
            self._with_library(lambda library: library.add([path]))
        elif verb in (RETRY, READ_FIRST) and isinstance(row, FileRecord):
            self.retry([row])

    def retry(self, records: Sequence[FileRecord]) -> None:
        """Read files before all others: again those that could not be read."""
        ids = [record.id for record in records]
        self._with_library(lambda library: library.retry(ids))

    def refresh(self) -> None:
        """Look for changes now."""
        self._with_library(lambda library: library.refresh())

    def pause(self, paused: bool) -> None:
        """Pause or resume the reading."""
        self._with_library(lambda library: library.pause() if paused else library.resume())

    def speed(self, full: bool) -> None:
        """Set how much of the computer the reading takes."""
        self._window.preferences.change(SPEED, FULL_SPEED if full else _BACKGROUND)

    def _follow_speed(self) -> None:
        if self._services is not None:
            self._window.library.foot.show_speed(self._services.settings.get(SPEED) == FULL_SPEED)

    def open_outside(self, path: str, page: int = 0) -> None:
        """Open a file in its own application, at a page where that can be."""
        self._hand_over(path, lambda path: desktop.open_outside(path, page))

    def new_model(self) -> None:
        """Say what it costs to have a changed language model read all passages, and ask."""
        if self._services is None:
            return
        library = self._services.library
        run = self._window.operations.run
        run(self._window, lambda _: library.model_change(), self._ask_about_model)

    def _ask_about_model(self, change: ModelChange | None) -> None:
        if change is None:
            return
        cost = tr("model.info", n=change.passages, time=duration(change.seconds))
        if self._agreed(tr("model.question"), cost, tr("model.now"), tr("model.later")):
            self._with_library(lambda library: library.accept_model())

    def _agreed(self, question: str, info: str, yes: str, no: str) -> bool:
        """Ask a question that names what happens; return whether the answer is yes."""
        return ask(self._window, question, info, yes, no) == 0

    def problems(self) -> None:
        """Show what was not read, each with what to do."""
        records = [r for r in self._window.feed.records.values() if not_read(r)]
        records.sort(key=lambda record: readable(record.path).casefold())
        dialog = ProblemsDialog(records, self._window)
        dialog.retry_wanted.connect(self.retry)
        dialog.show_wanted.connect(lambda record: self.on_row(SHOW_IN_FOLDER, record))
        dialog.open()

    def settings(self) -> None:
        """Show the settings."""
        window, services = self._window, self._services
        pages: list[tuple[str, QWidget]] = [("about", AboutPage(window.operations))]
        if services is not None:
            models = ModelsPage(services, window.operations)
            pages = [
                ("models", models),
                ("privacy", PrivacyPage(services, window.operations)),
                *pages,
            ]
        dialog = SettingsDialog(window.preferences, pages, window)
        dialog.open()

    def language_model(self) -> None:
        """Show what can write the answers."""
        if self._services is not None:
            ModelsDialog(self._services, self._window.operations, self._window).open()

    def help(self) -> None:
        """Show the keys, and the way to the guide."""
        dialog = KeysDialog(self.ask_guide, self._window)
        dialog.open()

    def ask_guide(self) -> None:
        """Add the user guide to the library and ask it the first question."""
        services = self._services
        if services is None:
            return
        guide = str(resources_dir() / "guide" / f"guide.{current_language()}.md")
        library = services.library

        def read(operation: Operation) -> None:
            library.add([guide])
            waited = 0.0
            while waited < _GUIDE_SECONDS and not library.wait_settled(0.2):
                operation.token.check()
                waited += 0.2

        chat = self._window.chat
        chat.show_start(False)
        question = tr("start.guide_question")
        self._window.operations.run(
            self._window,
            read,
            lambda _: chat.controller.ask(question, [Chip(FILE, guide)]),
        )

    def _with_library(self, verb: Callable[[Library], object]) -> None:
        if self._services is not None:
            library = self._services.library
            self._window.operations.run(self._window, lambda _: verb(library), lambda _: None)

    def _hand_over(self, path: str, verb: Callable[[str], None]) -> None:
        def there(_nothing: None) -> None:
            try:
                verb(path)
            except KnownError as error:
                self._window.operations.report(error)

        self._window.operations.run(self._window, lambda _: desktop.check(path), there)
