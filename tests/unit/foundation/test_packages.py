"""Which packages the program is made of."""

from __future__ import annotations

from importlib import metadata

import pytest

from desktop_rag.foundation import packages
from desktop_rag.foundation.packages import used_packages


class Package:
    def __init__(self, name, *requires):
        self.name = name
        self.requires = list(requires)


INSTALLED = [
    Package("pytest", "pluggy"),
    Package("pluggy"),
    Package("lxml"),
    Package("PySide6_Essentials", "shiboken6==6.11"),
    Package("shiboken6"),
    Package("Pillow", 'olefile; extra == "fpx"'),
    Package("olefile"),
]
PROGRAM = Package(
    "desktop-rag",
    "lxml>=6",
    "pyside6-essentials<6.12,>=6.9",
    "absent>=1",
    "pillow>=12; extra == 'ocr'",
    "pytest>=9; extra == 'dev'",
)


def names(monkeypatch, *installed):
    monkeypatch.setattr(packages.metadata, "distributions", lambda: list(installed))
    return [one.name for one in used_packages()]


def test_tools_are_left_out_and_what_is_needed_indirectly_is_not(monkeypatch):
    found = names(monkeypatch, PROGRAM, *INSTALLED)
    assert found == ["lxml", "Pillow", "PySide6_Essentials", "shiboken6"]


def test_without_an_installation_all_are_told(monkeypatch):
    assert len(names(monkeypatch, *INSTALLED)) == len(INSTALLED)


def test_the_real_ones_are_found():
    if not any(one.name == "desktop-rag" for one in metadata.distributions()):
        pytest.skip("the program runs from its source")
    found = {one.name.lower() for one in used_packages()}
    assert "numpy" in found
    assert "pytest" not in found
