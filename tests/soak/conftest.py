"""How long, and with which history."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak-minutes", type=float, default=60.0, help="how long a history goes on")
    parser.addoption("--soak-seed", type=int, default=None, help="which history; else any")
    parser.addoption("--soak-sequences", type=int, default=200, help="how many histories")
    parser.addoption("--soak-kills", type=int, default=100, help="how often it is killed")
    parser.addoption("--soak-closings", type=int, default=50, help="how often it is closed")
    parser.addoption("--soak-hours", type=float, default=2.0, help="how long it is used")
