"""How much of the computer the reading takes: what the user wants, less on battery."""

from __future__ import annotations

import time
from collections.abc import Callable

_LOOK_SECONDS = 30.0
"""Between two looks at the power supply, which are made only while there is work."""

ON_BATTERY = (
    "This computer runs on battery: files are read in the background until it is plugged in."
)


class Speed:
    """Applies full speed, or that of the background.

    Args:
        apply: sets whether all processors are used.
        on_battery: tells whether the computer is unplugged.
    """

    def __init__(self, apply: Callable[[bool], None], on_battery: Callable[[], bool]) -> None:
        self._apply = apply
        self._on_battery = on_battery
        self._wanted = True
        self._unplugged = False
        self._looked_at = -_LOOK_SECONDS

    def want(self, full: bool) -> None:
        """Read at full speed, where the computer is plugged in, or in the background."""
        self._wanted = full
        self._apply(full and not self._unplugged)

    def follow(self) -> None:
        """Look at the power supply now and then; called while there is work."""
        now = time.monotonic()
        if now - self._looked_at < _LOOK_SECONDS:
            return
        self._looked_at = now
        unplugged = self._on_battery()
        if unplugged != self._unplugged:
            self._unplugged = unplugged
            self.want(self._wanted)

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for the user while the reading is slower than wanted."""
        return (ON_BATTERY,) if self._wanted and self._unplugged else ()
