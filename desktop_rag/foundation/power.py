"""Whether this computer runs on its battery."""

from __future__ import annotations

import psutil


def on_battery() -> bool:
    """Return whether the computer is unplugged; False where nothing tells."""
    sensors = getattr(psutil, "sensors_battery", None)  # missing on some systems
    try:
        battery = None if sensors is None else sensors()
    except (OSError, RuntimeError, ValueError):  # what odd drivers say
        return False
    return battery is not None and battery.power_plugged is False
