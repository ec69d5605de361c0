"""Templates with ``{{name}}`` places, filled in a single pass."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACE = re.compile(r"\{\{\s*([^{}\s]+)\s*\}\}")


class PromptTemplate:
    """A text with places for values.

    Values are put in as they are: a ``{{name}}`` inside a value is text, never a place.

    Raises:
        ValueError: the template is blank.
    """

    def __init__(self, text: str) -> None:
        if not text.strip():
            raise ValueError("a template must not be blank")
        self._text = text

    @property
    def text(self) -> str:
        """The template as it was written."""
        return self._text

    @property
    def names(self) -> frozenset[str]:
        """The names of the template's places."""
        return frozenset(_PLACE.findall(self._text))

    def render(self, values: Mapping[str, str]) -> str:
        """Return the text with every place filled.

        Raises:
            ValueError: a place has no value; the message lists the names, sorted.
        """
        missing = sorted(self.names - values.keys())
        if missing:
            raise ValueError(f"the template has no value for: {', '.join(missing)}")
        return _PLACE.sub(lambda place: values[place.group(1)], self._text)
