"""On battery the reading takes less of the computer, whatever was chosen."""

from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from desktop_rag.foundation.power import on_battery
from desktop_rag.ingestion import speed as module
from desktop_rag.ingestion.speed import ON_BATTERY, Speed


def test_on_battery_it_goes_on_in_the_background_and_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_LOOK_SECONDS", 0.0)
    applied: list[bool] = []
    unplugged = [False]
    speed = Speed(applied.append, lambda: unplugged[0])
    speed.want(True)
    speed.follow()
    unplugged[0] = True
    speed.follow()
    assert (applied, speed.notes) == ([True, False], (ON_BATTERY,))
    speed.want(False)
    assert (applied[-1], speed.notes) == (False, ())
    speed.want(True)
    assert applied[-1] is False
    unplugged[0] = False
    speed.follow()
    assert (applied[-1], speed.notes) == (True, ())


def test_the_supply_is_looked_at_rarely() -> None:
    looks: list[int] = []
    speed = Speed(lambda _full: None, lambda: bool(looks.append(1)))
    for _ in range(50):
        speed.follow()
    assert len(looks) == 1


@pytest.mark.parametrize(
    ("battery", "expected"),
    [(None, False), (SimpleNamespace(power_plugged=True), False),
     (SimpleNamespace(power_plugged=False), True), (SimpleNamespace(power_plugged=None), False)],
)  # fmt: skip
def test_what_the_system_tells(
    monkeypatch: pytest.MonkeyPatch, battery: object, expected: bool
) -> None:
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery, raising=False)
    assert on_battery() is expected


def test_a_driver_that_fails_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> object:
        raise OSError("no such device")

    monkeypatch.setattr(psutil, "sensors_battery", broken, raising=False)
    assert not on_battery()
