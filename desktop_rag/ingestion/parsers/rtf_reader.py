"""Reading rich text: groups, fonts, control words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop_rag.ingestion.parsers.rtf_tokens import (
    CHARSETS,
    SKIPPED,
    SPECIAL,
    STARRED,
    SYMBOLS,
    Kind,
    Token,
    code_page,
    rtf_tokens,
)
from desktop_rag.ingestion.parsers.rtf_writer import RtfWriter

_NOTES = frozenset({"footnote", "annotation"})
_MARGINS = frozenset(
    {"header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"}
)
_PROPERTIES = frozenset({"title", "author", "subject", "keywords", "doccomm", "creatim"})
_DATE = {"yr": "{:04}", "mo": "-{:02}", "dy": "-{:02}"}
_MOST_GROUPS = 5000
_NO_WORDS = "symbol"


@dataclass(slots=True)
class _Group:
    """What holds within braces."""

    code_page: str = ""
    unicode_skip: int = 1
    is_skipped: bool = False
    is_deleted: bool = False
    destination: str = ""
    flow: str = ""


class RtfReader:
    """Turns the tokens of rich text into words for a writer."""

    def __init__(self, writer: RtfWriter) -> None:
        self._writer = writer
        self._groups = [_Group()]
        self._raw = bytearray()
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._style = 0
        self._to_skip = 0
        self._starred = False
        self.properties: dict[str, str] = {}
        self._words: dict[str, Callable[[int], None]] = {
            **dict.fromkeys(("par", "sect", "page"), lambda _: writer.end_paragraph()),
            "cell": lambda _: writer.end_cell(),
            "row": lambda _: writer.end_row(),
            "pard": lambda _: writer.reset(),
            "intbl": lambda _: setattr(writer.flow, "in_table", True),
            "ls": lambda _: setattr(writer.flow, "is_listed", True),
            "outlinelevel": self._set_level,
            "s": lambda number: setattr(writer.flow, "style", number),
            "f": self._set_font,
            "plain": lambda _: setattr(self._group, "code_page", ""),
            "fcharset": self._set_charset,
            "ansicpg": self._set_default,
            "mac": lambda _: self._set_default(10000),
            "pc": lambda _: self._set_default(437),
            "pca": lambda _: self._set_default(850),
            "uc": lambda number: setattr(self._group, "unicode_skip", max(0, number)),
            "deleted": lambda number: setattr(self._group, "is_deleted", number != 0),
        }

    def read(self, data: bytes) -> bool:
        """Read a whole document; returns whether its end is there."""
        take: dict[Kind, Callable[[Token], None]] = {
            Kind.BYTES: lambda token: self._bytes(token.raw),
            Kind.WORD: self._control,
            Kind.SYMBOL: lambda token: self._symbol(token.name),
            Kind.OPEN: lambda _: self._open(),
            Kind.CLOSE: lambda _: self._close(),
        }
        for token in rtf_tokens(data):
            take[token.kind](token)
        self._decode()
        whole = len(self._groups) == 1
        while len(self._groups) > 1:
            self._close()
        self._writer.finish()
        return whole

    @property
    def _group(self) -> _Group:
        return self._groups[-1]

    @property
    def _is_silent(self) -> bool:
        group = self._group
        return group.is_skipped or group.is_deleted or group.destination in ("fonttbl", "info")

    def _open(self) -> None:
        self._decode()
        self._starred = False
        if len(self._groups) < _MOST_GROUPS:
            self._groups.append(replace(self._group, flow=""))

    def _close(self) -> None:
        self._decode()
        self._to_skip = 0
        if len(self._groups) == 1:
            return
        group = self._groups.pop()
        if not group.flow:
            return
        words = self._writer.end()
        if group.flow in _PROPERTIES:
            self.properties.setdefault(group.flow, words)
        elif group.flow in _NOTES:
            self._writer.note(words, at_once=False)
        elif any(map(str.isalpha, words)):
            self._writer.note(words, at_once=True)

    def _bytes(self, raw: bytes) -> None:
        taken = min(self._to_skip, len(raw))
        self._to_skip -= taken
        if not self._is_silent:
            self._raw += raw[taken:]

    def _symbol(self, name: str) -> None:
        if name == "*":
            self._starred = True
        elif name in "{}\\":
            self._bytes(name.encode())
        elif name in "~_":
            self._text(" " if name == "~" else "-")
        elif name in "\r\n":
            self._decode()
            self._writer.end_paragraph()

    def _control(self, token: Token) -> None:
        name, number = token.name, token.number
        starred, self._starred = self._starred, False
        self._decode()
        if name == "u":
            self._text(chr((number or 0) & 0xFFFF))
            self._to_skip = self._group.unicode_skip
            return
        self._to_skip = 0
        if name in SKIPPED or (starred and name not in STARRED):
            self._group.is_skipped = True
            self._group.destination = name
        elif name in ("fonttbl", "info"):
            self._group.destination = name
        elif self._group.destination == "stylesheet":
            self._style_word(name, number or 0)
        elif name in _NOTES or name in _MARGINS or name in _PROPERTIES:
            self._begin_flow(name)
        elif name in SPECIAL:
            self._text(SPECIAL[name])
        elif name in _DATE and self._group.flow == "creatim":
            self._text(_DATE[name].format(number or 0))
        elif name in self._words and not self._group.is_skipped:
            self._words[name](1 if number is None and name == "deleted" else number or 0)

    def _begin_flow(self, name: str) -> None:
        group = self._group
        of_info = name in _PROPERTIES
        if not group.is_skipped and not group.flow and of_info == (group.destination == "info"):
            group.flow = group.destination = name
            self._writer.begin()

    def _style_word(self, name: str, number: int) -> None:
        if name == "s":
            self._style = number
        elif name == "outlinelevel" and 0 <= number < 9:
            self._writer.levels[self._style] = number + 1

    def _text(self, words: str) -> None:
        self._decode()
        if not self._is_silent:
            self._writer.text(words)

    def _decode(self) -> None:
        if self._raw:
            page = self._group.code_page or self._default
            if page != _NO_WORDS:
                self._writer.text(self._raw.decode(page, "replace"))
            self._raw.clear()

    def _set_level(self, number: int) -> None:
        self._writer.flow.level = number + 1 if 0 <= number < 9 else None

    def _set_font(self, number: int) -> None:
        self._font = number
        if self._group.destination != "fonttbl":
            self._group.code_page = self._fonts.get(number, "")

    def _set_charset(self, number: int) -> None:
        if self._group.destination == "fonttbl":
            self._fonts[self._font] = _NO_WORDS if number == SYMBOLS else CHARSETS.get(number, "")

    def _set_default(self, number: int) -> None:
        self._default = code_page(number)
