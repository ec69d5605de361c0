from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QColor, QPalette

from desktop_rag.gui import theme
from desktop_rag.gui.theme import THEMES, Tokens

READABLE = 4.5
"""WCAG's AA contrast for text of normal size."""

PAIRS = [
    *[(ink, ground) for ink in ("text", "soft") for ground in ("window", "pane", "chip", "tint")],
    *[(ink, ground) for ink in ("good", "warn", "bad", "accent") for ground in ("pane", "tint")],
    *[(ink, "chip") for ink in ("good", "warn", "bad", "accent")],
    ("on_accent", "accent"),
    ("text", "mark"),
    ("text", "paper"),
]


def luminance(color: str) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    shade = QColor(color)
    red, green, blue = (linear(v) for v in (shade.redF(), shade.greenF(), shade.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink: str, ground: str) -> float:
    lighter, darker = sorted((luminance(ink), luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("tokens", THEMES.values(), ids=THEMES)
def test_all_words_can_be_read(tokens: Tokens) -> None:
    found = {
        (ink, ground): contrast(getattr(tokens, ink), getattr(tokens, ground))
        for ink, ground in PAIRS
    }
    assert {pair: value for pair, value in found.items() if value < READABLE} == {}


@pytest.mark.parametrize("tokens", THEMES.values(), ids=THEMES)
def test_the_style_sheet_is_filled_with_the_tokens(tokens: Tokens) -> None:
    sheet = theme.style_sheet(tokens, lambda pixels: pixels * 0.75)
    assert "@" not in sheet
    assert tokens.accent in sheet
    assert "9.75pt" in sheet
    assert not re.search(r"font-size: *\d+px", sheet)


def test_the_palette_follows_the_tokens() -> None:
    made = theme.palette(theme.DARK)
    assert made.color(QPalette.ColorRole.Window) == QColor(theme.DARK.window)
    assert made.color(QPalette.ColorRole.PlaceholderText) == QColor(theme.DARK.soft)


def test_text_grows_with_the_users_scale() -> None:
    scaled = theme.Theme()
    scaled.scale = 2.0
    assert scaled.points(13) == 2 * theme.Theme().points(13)
    assert scaled.pixels(33) == 66
