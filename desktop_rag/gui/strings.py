"""The window's words: one JSON catalogue a language, switched while it is open.

``say(widget, key)`` sets a text now and again whenever the language changes, so that a
widget states its words once. Texts with a number hold the singular and the plural,
separated by ``|``.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import shiboken6
from PySide6.QtCore import QLocale, QObject, Signal

from desktop_rag.foundation.paths import resources_dir

LANGUAGES = {"en": "English", "zh": "中文"}


class _Catalogue(QObject):
    """The current language and the widgets that speak it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.language = ""
        self.texts: dict[str, str] = {}
        self.bound: WeakKeyDictionary[QObject, dict[str, tuple[str, dict[str, Any]]]] = (
            WeakKeyDictionary()
        )


_catalogue = _Catalogue()
language_changed = _catalogue.changed


def load_catalogue(language: str) -> dict[str, str]:
    """Return all texts of one language by key."""
    path = resources_dir() / "i18n" / f"{language}.json"
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


@cache
def reasons(language: str) -> dict[str, dict[str, str]]:
    """Return the library's reasons in another language, by their English title."""
    path = resources_dir() / "i18n" / f"reasons.{language}.json"
    if not path.is_file():
        return {}
    known: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return known


@cache
def note_patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return the library's sentences about itself: what one looks like, its translation.

    In both, ``{}`` stands for a name or a number.
    """
    path = resources_dir() / "i18n" / f"notes.{language}.json"
    if not path.is_file():
        return []
    known: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return [
        (re.compile("(.+)".join(map(re.escape, english.split("{}"))), re.DOTALL), translation)
        for english, translation in known.items()
    ]


def system_language() -> str:
    """Return the system's language if the window speaks it, else English."""
    return "zh" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def current_language() -> str:
    """Return the code of the language in use."""
    return _catalogue.language


def set_language(language: str) -> None:
    """Switch every bound text and tell the rest through ``language_changed``.

    Raises:
        ValueError: the window does not speak this language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language!r}")
    if language == _catalogue.language:
        return
    _catalogue.texts = load_catalogue(language)
    _catalogue.language = language
    for widget, texts in list(_catalogue.bound.items()):
        if shiboken6.isValid(widget):
            for setter, (key, values) in texts.items():
                getattr(widget, setter)(tr(key, **values))
    _catalogue.changed.emit()


def tr(key: str, **values: object) -> str:
    """Return the text of ``key`` with its values filled in; numbers are grouped.

    If the text has a plural, the value ``n`` chooses.
    """
    if not _catalogue.texts:
        set_language("en")
    text = _catalogue.texts[key]
    if "|" in text:
        singular, plural = text.split("|")
        text = singular if values.get("n") == 1 else plural
    shown = {
        name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()
    }
    return text.format(**shown)


def say(widget: QObject, key: str, setter: str = "setText", **values: object) -> None:
    """Give a widget a text that follows the language."""
    _catalogue.bound.setdefault(widget, {})[setter] = (key, values)
    getattr(widget, setter)(tr(key, **values))


def name_for_readers(widget: QObject, key: str, **values: object) -> None:
    """Give a widget its name for screen readers and its tooltip."""
    say(widget, key, "setAccessibleName", **values)
    say(widget, key, "setToolTip", **values)
