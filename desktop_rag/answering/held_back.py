"""Text on its way to the user, held back while it may still be a refusal."""

from __future__ import annotations

from collections.abc import Callable

REFUSAL = "NOT_FOUND"
_SIGNS = " \n\t_.*`\"'“”[]()-"


class HeldBack:
    """Passes text on as soon as it can't be ``NOT_FOUND`` any more.

    Args:
        tell: is given the text, piece by piece.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._held = ""
        self._free = False

    @property
    def refused(self) -> bool:
        """Whether the text so far is a refusal and nothing else."""
        return not self._free and _bare(self._held) == _bare(REFUSAL)

    def add(self, text: str) -> None:
        """Take the next piece."""
        if self._free:
            self._tell(text)
            return
        self._held += text
        if not _bare(REFUSAL).startswith(_bare(self._held)):
            self._free = True
            self._tell(self._held)

    def flush(self) -> None:
        """Pass on what is held when nothing more comes, unless it is a refusal."""
        if not self._free and self._held.strip() and not self.refused:
            self._free = True
            self._tell(self._held)


def _bare(text: str) -> str:
    return text.strip(_SIGNS).replace("_", "").replace(" ", "").lower()
