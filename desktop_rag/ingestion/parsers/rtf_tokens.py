"""The tokens of rich text, and the code pages that its fonts stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)",
    re.DOTALL,
)

CHARSETS = {
    **{77: "mac_roman", 78: "cp932", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030"},
    **{136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255"},
    **{178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp850"},
}
"""Character sets of fonts; those of the West (0, 1) follow the document's own code page."""

SYMBOLS = 2
"""The character set of fonts of pictures (Symbol, Wingdings)."""

CODE_PAGES = {
    **{932: "cp932", 936: "gb18030", 949: "cp949", 950: "big5hkscs", 1361: "johab"},
    **{10000: "mac_roman", 65001: "utf-8", 54936: "gb18030"},
}

SPECIAL = {
    **{"tab": " ", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’"},
    **{"ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " "},
    **{"qmspace": " ", "nestcell": ", ", "nestrow": "; ", "softline": "\n", "lbr": "\n"},
}
"""Control words that are characters."""

SKIPPED = frozenset(
    {
        *("colortbl", "pict", "nonshppict", "objdata", "themedata", "colorschememapping", "xe"),
        *("fldinst", "datastore", "datafield", "listtable", "listoverridetable", "rsidtbl"),
        *("generator", "latentstyles", "filetbl", "revtbl", "sn", "sv", "shprslt", "tc", "do"),
        *("pgptbl", "mmathPr", "xmlnstbl", "bkmkstart", "bkmkend", "atnid", "atnref", "atrfstart"),
        *("atrfend", "private", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "stylesheet", "falt"),
        *("wgrffmtfilter", "operator", "company", "atntime", "atndate", "atnparent", "panose"),
    }
)
"""Groups without words for a reader."""

STARRED = frozenset({"shpinst", "shptxt", "fldrslt", "footnote", "annotation", "atnauthor"})
"""Groups that older programs are told to pass over and that are read here."""


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    SYMBOL = auto()
    BYTES = auto()
    OPEN = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A control word with its number, a control symbol, bytes of text, or a brace."""

    kind: Kind
    name: str = ""
    number: int | None = None
    raw: bytes = b""


_OPEN, _CLOSE = Token(Kind.OPEN), Token(Kind.CLOSE)


def rtf_tokens(data: bytes) -> Iterator[Token]:
    """Yield the tokens; binary data is passed over."""
    place = 0
    while match := _TOKEN.search(data, place):
        place = match.end()
        word, number, code, symbol, brace, raw = match.groups()
        if word is not None:
            value = None if number is None else int(number)
            if word == b"bin":
                place += max(0, value or 0)
            yield Token(Kind.WORD, word.decode("ascii"), value)
        elif code is not None:
            yield Token(Kind.BYTES, raw=bytes((int(code, 16),)))
        elif symbol is not None:
            yield Token(Kind.SYMBOL, symbol.decode("latin-1"))
        elif brace is not None:
            yield _OPEN if brace == b"{" else _CLOSE
        else:
            yield Token(Kind.BYTES, raw=raw)


def code_page(number: int) -> str:
    """Return Python's name of a Windows code page, "cp1252" for one that is unknown."""
    name = CODE_PAGES.get(number, f"cp{number}")
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name
