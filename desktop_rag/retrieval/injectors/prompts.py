"""Prompts for language models: files by name and language, which the user may change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import CHINESE
from desktop_rag.foundation.paths import resources_dir
from desktop_rag.retrieval.injectors.template import PromptTemplate

FOLDER = "prompts"
"""In the resources, and in the data folder for the user's own."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template, and a sentence for the user on why their own was not used."""

    template: PromptTemplate
    note: str = ""


class Prompts:
    """Loads ``NAME.LANGUAGE.txt``: the user's copy if it is good, else the program's.

    A copy is looked at anew each time, so that a change counts for the next question; one
    that can't be used is left out for that call only.

    Args:
        own: the folder with the user's copies; None for none.
    """

    def __init__(self, own: Path | None = None) -> None:
        self._own = own

    def load(self, name: str, language: str, places: Collection[str]) -> Prompt:
        """Return a prompt whose places are exactly ``places``.

        Raises:
            KnownError: the program's own is missing or damaged.
        """
        file = f"{name}.{'zh' if language == CHINESE else 'en'}.txt"
        note = ""
        if self._own is not None and (self._own / file).is_file():
            try:
                return Prompt(_read(self._own / file, places))
            except (OSError, ValueError) as error:
                note = _not_used(self._own / file, error, language)
        path = resources_dir() / FOLDER / file
        try:
            return Prompt(_read(path, places), note)
        except (OSError, ValueError) as error:
            raise KnownError(
                "A file of the program is damaged",
                f"“{file}” can't be used. Install the program again.",
                str(path),
            ) from error


def _read(path: Path, places: Collection[str]) -> PromptTemplate:
    template = PromptTemplate(path.read_text(encoding="utf-8").strip())
    missing = sorted(set(places) - template.names)
    unknown = sorted(template.names - set(places))
    if missing:
        raise ValueError(f"it has no {{{{{'}}, {{'.join(missing)}}}}}")
    if unknown:
        raise ValueError(f"it has unknown places: {', '.join(unknown)}")
    return template


def _not_used(path: Path, error: Exception, language: str) -> str:
    if language == CHINESE:
        return f"你的提示“{path.name}”无法使用（{error}），本次改用程序自带的提示。"
    return f"Your prompt “{path.name}” can't be used ({error}); the program's own was taken."
