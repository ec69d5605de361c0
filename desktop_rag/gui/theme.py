"""Colours and sizes as data, and how they reach Qt: one style sheet and one palette."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from desktop_rag.foundation.paths import resources_dir


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme, named for what they are used for.

    ``text`` and ``soft`` are read on ``window``, ``pane``, ``tint`` and ``chip``;
    ``mark`` lies behind marked words, ``paper`` behind a document's text.
    """

    window: str
    pane: str
    line: str
    text: str
    soft: str
    accent: str
    on_accent: str
    tint: str
    chip: str
    good: str
    warn: str
    bad: str
    mark: str
    paper: str


LIGHT = Tokens(
    window="#F6F7F9", pane="#FFFFFF", line="#E3E6EB", text="#1C2430", soft="#5A6675",
    accent="#1F63D6", on_accent="#FFFFFF", tint="#EAF1FE", chip="#EEF0F4",
    good="#17754A", warn="#9A5B00", bad="#B3261E", mark="#FFE58A", paper="#FFFFFF",
)  # fmt: skip
DARK = Tokens(
    window="#15181D", pane="#1C2026", line="#2E343D", text="#E8ECF1", soft="#9AA6B5",
    accent="#7FB0FF", on_accent="#0B1A33", tint="#233047", chip="#262B33",
    good="#6BD39B", warn="#F0B65A", bad="#FF8A80", mark="#6B5A12", paper="#22272F",
)  # fmt: skip
CONTRAST = Tokens(
    window="#000000", pane="#000000", line="#FFFFFF", text="#FFFFFF", soft="#F0F0F0",
    accent="#FFE600", on_accent="#000000", tint="#00305A", chip="#1A1A1A",
    good="#7CFFB2", warn="#FFD27A", bad="#FFA8A0", mark="#5C4A00", paper="#000000",
)  # fmt: skip

THEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}
THEME_CHOICES = ("system", *THEMES)
TEXT_SIZES = (100, 125, 150, 200)

_POINTS_PER_PIXEL = 1.0 if sys.platform == "darwin" else 72 / 96
"""A style-sheet pixel in points: macOS draws 72 points an inch, the others 96."""


class Theme:
    """The theme in use. Delegates and painters read ``tokens`` when they paint."""

    def __init__(self) -> None:
        self.tokens = LIGHT
        self.scale = 1.0

    def color(self, name: str) -> QColor:
        """Return the colour of one token."""
        return QColor(getattr(self.tokens, name))

    def points(self, pixels: float) -> float:
        """Return a size of the drawing (at 96 dpi) in points, with the user's scale."""
        return pixels * _POINTS_PER_PIXEL * self.scale

    def font(self, pixels: float, bold: bool = False) -> QFont:
        """Return the application's font in one of the drawing's sizes."""
        font = QFont(QApplication.font())
        font.setPointSizeF(self.points(pixels))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def pixels(self, size: int) -> int:
        """Return a length that grows with the text, in device-independent pixels."""
        return round(size * self.scale)


current = Theme()


def resolve(choice: str) -> Tokens:
    """Return the tokens of a choice; "system" follows the desktop."""
    if choice in THEMES:
        return THEMES[choice]
    scheme = QGuiApplication.styleHints().colorScheme()
    return DARK if scheme is Qt.ColorScheme.Dark else LIGHT


def apply(app: QApplication, choice: str, text_size: int = 100) -> None:
    """Dress the whole application; ``text_size`` is in percent."""
    current.tokens = resolve(choice)
    current.scale = text_size / 100
    font = QFont(app.font())
    font.setFamilies(font_families())
    font.setPointSizeF(current.points(13))
    app.setFont(font)
    app.setPalette(palette(current.tokens))
    app.setStyleSheet(style_sheet(current.tokens, current.points))


def font_families() -> list[str]:
    """Return the families to try in turn: the system's own, then ones with Chinese."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    chinese = ["PingFang SC", "Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans CJK SC"]
    first = [system] if sys.platform in ("darwin", "win32") else ["Inter", "Noto Sans", system]
    return list(dict.fromkeys([*first, "Segoe UI", *chinese, "Droid Sans Fallback"]))


def fixed_families() -> list[str]:
    """Return the families for code: the system's own of one width, then ones with Chinese."""
    fixed = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    named = ["DejaVu Sans Mono", "Liberation Mono", "Consolas", "Menlo", "Courier New"]
    first = [fixed.family()] if fixed.fixedPitch() else []
    return list(dict.fromkeys([*first, *named, *font_families()]))


def style_sheet(tokens: Tokens, points: Callable[[float], float]) -> str:
    """Fill the template: ``@name`` is a colour, ``@size(13)`` a font size."""
    template = (resources_dir() / "styles" / "window.qss").read_text(encoding="utf-8")
    colors = asdict(tokens)
    filled = re.sub(r"@size\((\d+)\)", lambda m: f"{points(int(m[1])):.2f}pt", template)
    return re.sub(r"@([a-z_]+)", lambda m: colors[m[1]], filled)


def palette(tokens: Tokens) -> QPalette:
    """Return the palette for all that the style sheet does not name."""
    role = QPalette.ColorRole
    colors = {
        role.Window: tokens.window, role.Base: tokens.pane, role.AlternateBase: tokens.window,
        role.Button: tokens.chip, role.ToolTipBase: tokens.pane, role.WindowText: tokens.text,
        role.Text: tokens.text, role.ButtonText: tokens.text, role.ToolTipText: tokens.text,
        role.PlaceholderText: tokens.soft, role.Highlight: tokens.accent,
        role.HighlightedText: tokens.on_accent, role.Link: tokens.accent,
        role.LinkVisited: tokens.accent, role.Mid: tokens.line, role.Dark: tokens.line,
        role.Light: tokens.pane, role.Midlight: tokens.line, role.Shadow: tokens.line,
        role.Accent: tokens.accent,
    }  # fmt: skip
    result = QPalette()
    for name, color in colors.items():
        result.setColor(name, QColor(color))
    for name in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, name, QColor(tokens.soft))
    return result
