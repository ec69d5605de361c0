"""One restriction of a question, as a chip shows it and as the search takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.chats import ScopeChips
from desktop_rag.domain.scope import Scope
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import file_name, kind_word, readable

COLLECTION, FOLDER, FILE = "collection", "folder", "file"
TYPE, AUTHOR, AFTER, BEFORE = "type", "author", "after", "before"
_PLACES = (COLLECTION, FOLDER, FILE)
_CONDITIONS = (TYPE, AUTHOR, AFTER, BEFORE)


@dataclass(frozen=True, slots=True)
class Chip:
    """A place (collection, folder, file) or a condition (type, author, dates)."""

    kind: str
    value: str

    @property
    def label(self) -> str:
        """The words on the chip."""
        if self.kind == TYPE:
            return tr("scope.type", name=kind_word(self.value))
        path = self.kind in (FOLDER, FILE)
        name = file_name(self.value) if path else readable(self.value)
        return tr(f"scope.{self.kind}", name=name)

    @property
    def whole(self) -> str:
        """What the chip stands for, in full."""
        return readable(self.value) if self.kind in _PLACES else self.label

    @property
    def expression(self) -> str:
        """A condition in the language of filters, "" for a place."""
        if self.kind not in _CONDITIONS:
            return ""
        value = self.value.replace('"', " ")
        return f'{self.kind}:"{value}"' if " " in value else f"{self.kind}:{value}"


def scope_of(chips: Sequence[Chip]) -> Scope | None:
    """Return the places as a scope, None for everywhere."""
    places = {kind: [c.value for c in chips if c.kind == kind] for kind in _PLACES}
    if not any(places.values()):
        return None
    return Scope(
        collections=tuple(places[COLLECTION]),
        folders=tuple(places[FOLDER]),
        files=tuple(places[FILE]),
    )


def filter_of(chips: Sequence[Chip]) -> str:
    """Return the conditions as one filter."""
    return " ".join(filter(None, (chip.expression for chip in chips)))


def stored(chips: Sequence[Chip]) -> ScopeChips:
    """Return the chips as they are kept with a chat."""
    return tuple((chip.kind, chip.value) for chip in chips)


def chips_of(scope: ScopeChips) -> list[Chip]:
    """Return the chips of a chat; those of a kind that is not known are left out."""
    known = (*_PLACES, *_CONDITIONS)
    return [Chip(kind, value) for kind, value in scope if kind in known]
