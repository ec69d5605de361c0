"""Bytes to text for formats that name their encoding: pages, mails, XML."""

from __future__ import annotations

from desktop_rag.ingestion.parsers.encodings import Decoded, decode

_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "tis-620": "cp874",
    "x-mac-roman": "mac_roman",
    "unicode-1-1-utf-8": "utf-8",
}
"""What is meant by a name: the larger set that programs really write (WHATWG Encoding)."""

_NO_ENCODING = frozenset({"", "us-ascii", "ascii", "binary", "unknown-8bit", "default"})
_MOST_FLAWS = 0.02
"""With a larger share of undecodable characters the declaration is taken to be wrong."""


def decode_declared(data: bytes, declared: str | None) -> Decoded:
    """Decode bytes whose encoding is said to be ``declared``.

    A byte order mark, and UTF-8 that can be nothing else, go before what is said: files
    are converted by programs that leave the declaration as it was.
    """
    name = (declared or "").strip().strip("\"'").lower()
    if name in _NO_ENCODING or _is_marked(data) or _is_utf8(data):
        return decode(data)
    encoding = _SUPERSETS.get(name, name)
    try:
        text = data.decode(encoding, "replace")
    except (LookupError, UnicodeError, ValueError):
        return decode(data)
    if text.count("\ufffd") > _MOST_FLAWS * len(text) + 1:
        return decode(data)
    return Decoded(text, name)


def _is_marked(data: bytes) -> bool:
    return data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
