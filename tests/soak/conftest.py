"""How long, and with which history."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak-minutes", type=float, default=60.0, help="how long a history goes on")
    parser.addoption("--soak-seed", type=int, default=None, help="which history; else any")
